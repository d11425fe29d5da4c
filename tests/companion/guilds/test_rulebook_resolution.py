"""Resolution, cleanup and the end of the game, sentence by sentence of the rulebook."""

import pytest

from companion.errors import IllegalEvent
from companion.guilds import RULES
from companion.guilds.cards import Front
from companion.guilds.events import RoomRevealed, RoundEnded
from companion.guilds.view import view_for
from tests.companion.guilds.tables import (
    a_dungeon,
    a_room,
    a_round,
    a_start,
    a_table,
    after,
    all_placed,
    dealt,
    last_round,
    money_of,
    revealed,
    winners,
)

# Strength 8, 7 and 7 from the top; everybody has $10.
ROOMS = ((0, 5), (1, 3)), ((1, 4), (2, 3)), ((2, 4), (0, 3))
EASY = (0, 0)


def held(state):
    """Return which rooms were won."""
    return [place.held for place in state.places]


# Resolution


def test_rooms_are_revealed_from_the_top():
    table = a_dungeon(*ROOMS)

    assert view_for(table, None).revealing == 0
    assert view_for(revealed(table, EASY), None).revealing == 1
    assert held(revealed(table, EASY)) == [True, None, None]


def test_another_room_than_the_next_cannot_be_revealed():
    table = a_dungeon(*ROOMS, levels=(1, 2, 3))

    for level in (2, 3):
        with pytest.raises(IllegalEvent, match="Another room is revealed first"):
            after(table, RoomRevealed(a_room(level), Front(0, 0)))


@pytest.mark.parametrize(("defence", "won"), [(0, True), (7, True), (8, True), (9, False), (20, False)])
def test_a_strength_equal_to_the_defence_or_higher_wins(defence, won):
    assert held(revealed(a_dungeon(*ROOMS), (defence, 4)))[0] is won


@pytest.mark.parametrize(("treasure", "each"), [(0, 0), (2, 1), (4, 2), (10, 5)])
def test_the_treasure_is_split_evenly(treasure, each):
    table = revealed(a_dungeon(*ROOMS), (8, treasure))

    assert money_of(table) == (10 + each, 10 + each, 10)
    assert sum(money_of(table)) + table.books.bank == 0


@pytest.mark.parametrize(("treasure", "strong", "weak"), [(1, 1, 0), (3, 2, 1), (7, 4, 3)])
def test_the_owner_of_the_stronger_adventurer_gets_the_remainder(treasure, strong, weak):
    assert money_of(revealed(a_dungeon(*ROOMS), (8, treasure))) == (10 + strong, 10 + weak, 10)
    other = a_dungeon(((0, 3), (1, 4)), *ROOMS[1:])
    assert money_of(revealed(other, (7, treasure))) == (10 + weak, 10 + strong, 10)


@pytest.mark.parametrize(("treasure", "each"), [(1, 0), (3, 1), (7, 3)])
def test_nobody_gets_the_remainder_on_equal_strength(treasure, each):
    table = a_dungeon(((0, 4), (1, 4)), *ROOMS[1:])
    later = revealed(table, (8, treasure))

    assert money_of(later) == (10 + each, 10 + each, 10)
    assert later.books.bank == table.books.bank - 2 * each


@pytest.mark.parametrize("treasure", [0, 1, 4, 7])
def test_who_owns_both_adventurers_takes_all(treasure):
    table = revealed(a_dungeon(((0, 4), (0, 3)), *ROOMS[1:]), (7, treasure))

    assert money_of(table) == (10 + treasure, 10, 10)


def test_after_a_won_room_the_next_one_is_revealed_until_all_are_won():
    table = revealed(a_dungeon(*ROOMS), EASY, (7, 4))
    assert (table.phase, held(table)) == ("resolving", [True, True, None])

    table = revealed(table, (7, 3))
    assert (table.phase, held(table)) == ("cleanup", [True, True, True])
    assert money_of(table) == (10 + 1, 10 + 2, 10 + 2 + 2)


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_the_first_failure_ends_it_and_all_below_have_failed(failing):
    table = revealed(a_dungeon(*ROOMS), *[EASY] * failing, (9, 10))

    assert table.phase == "cleanup"
    assert held(table) == [True] * failing + [False] * (3 - failing)
    assert money_of(table) == (10, 10, 10)


def test_after_a_failure_no_room_below_can_be_revealed_or_seen():
    table = revealed(a_dungeon(*ROOMS), (9, 10))

    for place in table.places:
        with pytest.raises(IllegalEvent, match="No room is revealed now"):
            after(table, RoomRevealed(place.room, Front(0, 0)))
    assert view_for(table, None).revealing is None
    assert [seen.place.front for seen in view_for(table, None).places] == [Front(9, 10), None, None]


def told_of_a_failure(failing):
    """Return what the table is told when a room fails."""
    before = revealed(a_dungeon(*ROOMS), *[EASY] * failing)
    event = RoomRevealed(before.places[failing].room, Front(9, 10))
    return [str(sentence) for sentence in RULES.tell(before, event, after(before, event))]


def test_a_failure_is_told_with_what_it_means_for_the_rooms_below():
    assert told_of_a_failure(0) == [
        "Room 1 fails: strength 8 against defence 9.",
        "All rooms below have failed too.",
    ]


def test_below_the_last_room_nothing_is_told_to_have_failed():
    assert told_of_a_failure(2) == ["Room 3 fails: strength 7 against defence 9."]


def test_no_room_is_revealed_before_the_placement_is_over():
    with pytest.raises(IllegalEvent, match="No room is revealed now"):
        revealed(a_table(), EASY)


@pytest.mark.parametrize(
    ("front", "words"),
    [
        (Front(3, 6), "defence from 4 to 7"),
        (Front(8, 6), "defence from 4 to 7"),
        (Front(4, 4), r"treasure from \$5 to \$6"),
        (Front(7, 7), r"treasure from \$5 to \$6"),
        (Front(5, 5, "x" * 31), "name can have at most 30"),
        (Front(5, 5, "Rat\x07"), "name can have at most 30"),
    ],
)
def test_a_front_that_cannot_belong_to_the_back_is_refused(front, words):
    room = a_room(1, (4, 7), (5, 6))
    table = all_placed(a_table(3, room, room, room))

    with pytest.raises(IllegalEvent, match=words):
        after(table, RoomRevealed(room, front))
    for fits in (Front(4, 5), Front(7, 6, "Rat")):
        assert after(table, RoomRevealed(room, fits)).places[0].front == fits


# Cleanup


@pytest.mark.parametrize(
    ("failing", "bills"), [(0, (5, 4, 4)), (1, (2, 2, 4)), (2, (2, 0, 2)), (3, (0, 0, 0))]
)
def test_healing_is_paid_for_all_adventurers_in_failed_rooms(failing, bills):
    table = revealed(a_dungeon(*ROOMS), *[EASY] * failing, *[(20, 0)] * (failing < 3))

    assert tuple(view.bill for view in view_for(table, None).players) == bills
    later = after(table, RoundEnded())
    assert money_of(later) == tuple(10 - bill for bill in bills)
    assert later.books.bank == table.books.bank + sum(bills)


def test_healing_costs_what_the_cards_say():
    table = revealed(a_dungeon(*ROOMS, healing=(0, 1, 3, 4, 7)), (9, 0))

    assert money_of(after(table, RoundEnded())) == (10 - 7 - 3, 10 - 3 - 4, 10 - 3 - 4)


@pytest.mark.parametrize("money", [0, 1, 4, 5])
def test_who_cannot_pay_all_the_healing_pays_what_there_is(money):
    table = revealed(a_dungeon(*ROOMS, money=(money, 10, 10)), (9, 0))
    later = after(table, RoundEnded())

    assert money_of(later) == (0, 6, 6)
    assert later.books.bank == table.books.bank + money + 4 + 4


def test_disabled_adventurers_come_back_and_the_placed_ones_are_disabled():
    table = after(revealed(a_dungeon(*ROOMS), (9, 0)), RoundEnded())

    assert table.disabled == ((3, 5), (3, 4), (3, 4))
    assert [table.available(seat) for seat in range(3)] == [(1, 2, 4), (1, 2, 5), (1, 2, 5)]


def test_the_dungeon_is_cleared_for_the_next_one():
    table = after(revealed(a_dungeon(*ROOMS), (9, 0)), RoundEnded())

    assert (table.phase, table.places, table.round) == ("dealing", (), 2)
    assert dealt(table).turn == table.first == 1


@pytest.mark.parametrize("fronts", [(), (EASY,), (EASY, EASY)])
def test_a_round_is_not_over_before_a_failure_or_the_last_room(fronts):
    with pytest.raises(IllegalEvent, match="not over yet"):
        after(revealed(a_dungeon(*ROOMS), *fronts), RoundEnded())


# The end


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_game_is_over_after_as_many_rounds_as_players(players):
    table = a_start(players, masters="counters")
    for _ in range(players):
        assert RULES.outcome(table) is None
        table = a_round(table)

    assert table.phase == "finished"
    assert sum(placing.winner for placing in RULES.outcome(table).placings) >= 1
    with pytest.raises(IllegalEvent, match="The game is over"):
        dealt(table)


def test_the_most_money_wins():
    table = last_round(*ROOMS, money=(10, 12, 11))

    assert winners(table) == {1}
    assert [(p.seat, p.score, p.rank) for p in RULES.outcome(table).placings] == [
        (1, 12, 1),
        (2, 11, 2),
        (0, 10, 3),
    ]
    assert str(RULES.outcome(table).reason) == "Ben: the most money, $12"


def test_a_tie_goes_to_the_strongest_adventurer_that_was_not_placed():
    # Ana placed 5 and 3, Ben and Cleo 4 and 3: of those who have most, Ben still has a 5.
    table = last_round(*ROOMS, money=(12, 12, 10))

    assert winners(table) == {1}
    assert "strongest adventurer that was not placed" in str(RULES.outcome(table).reason)


def test_what_was_disabled_in_the_last_round_was_not_placed_either():
    table = last_round(
        ((0, 1), (1, 4)),
        ((0, 2), (2, 5)),
        ((1, 5), (2, 4)),
        money=(12, 12, 10),
        disabled=((4, 5), (1, 2), (1, 2)),
    )

    assert winners(table) == {0}


def test_with_equal_money_and_equal_adventurers_the_victory_is_shared():
    table = last_round(*ROOMS, money=(10, 12, 12))

    assert winners(table) == {1, 2}
    assert str(RULES.outcome(table).reason) == "Ben and Cleo share the victory with $12"
    assert [p.rank for p in RULES.outcome(table).placings] == [1, 1, 3]


def test_healing_of_the_last_round_counts():
    # Ana pays 5, the others 4: all but Cleo end with $6, and Ben did not place his 5.
    table = last_round(*ROOMS, money=(11, 10, 9), fronts=[(9, 0)])

    assert money_of(table) == (6, 6, 5)
    assert winners(table) == {1}
