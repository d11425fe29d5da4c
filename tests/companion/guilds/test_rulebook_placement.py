"""The placement, sentence by sentence of the rulebook."""

import pytest

from companion.errors import IllegalEvent
from companion.guilds import RULES
from companion.guilds.events import AdventurerPlaced as Put
from companion.guilds.events import AdventurerPushed as Push
from companion.guilds.events import AdventurerReplaced as Swap
from companion.guilds.placing import seat_at
from companion.guilds.view import view_for
from tests.companion.guilds.tables import (
    a_room,
    a_round,
    a_start,
    a_table,
    after,
    all_placed,
    dealt,
    inside,
    money_of,
    push,
)

# Ana's 3 and Ben's 4 are in the first room; Cleo is next.
TWO_IN = (Put(0, 3, 0), Put(1, 4, 0))


def offered(state):
    """Return what the one whose turn it is may do in the placement."""
    return [event for event in RULES.legal(state, 0) if isinstance(event, Put | Push | Swap)]


def refuses(state, event, words):
    """Check that an event is neither offered nor accepted."""
    assert event not in offered(state)
    with pytest.raises(IllegalEvent, match=words):
        after(state, event)


# Whose turn it is


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("first", [0, 2])
def test_turns_go_there_and_back_from_the_first_player_on(players, first):
    table, turns = a_table(players, first=first), []
    for number in range(2 * players):
        turns.append(table.turn)
        strength = table.available(table.turn)[0]
        table = after(table, Put(table.turn, strength, number // 2))

    there = [(first + seat) % players for seat in range(players)]
    assert turns == there + there[::-1]
    assert table.phase == "resolving"


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_after_there_and_back_it_goes_there_again(players):
    table = a_table(players)

    there = list(range(players))
    assert [seat_at(table, step) for step in range(4 * players)] == (there + there[::-1]) * 2


@pytest.mark.parametrize("seat", [1, 2])
def test_nobody_places_out_of_turn(seat):
    refuses(a_table(), Put(seat, 3, 0), "It is Ana's turn")


def test_the_marker_goes_clockwise_and_the_next_round_begins_with_the_next_player():
    table = a_round(a_start(masters="counters", first=1))

    assert (table.first, dealt(table).turn) == (2, 2)
    table = a_round(table)
    assert (table.first, dealt(table).turn) == (0, 0)


# Placing on a free space


def test_an_available_adventurer_is_placed_on_any_free_space():
    table = a_table()

    free = {Put(0, strength, place) for strength in (3, 4, 5) for place in range(3)}
    assert set(offered(table)) == free
    placed = after(table, Put(0, 4, 2))
    assert inside(placed, 2) == {(0, 4)}
    assert (placed.available(0), placed.placed(0)) == ((3, 5), (4,))
    assert money_of(placed) == money_of(table)


def test_a_room_has_two_spaces():
    refuses(after(a_table(), *TWO_IN), Put(2, 5, 0), "Both spaces of this room are taken")


def test_both_spaces_may_be_ones_own():
    table = after(a_table(), Put(0, 3, 0), Put(1, 3, 1), Put(2, 3, 2), Put(2, 4, 2), Put(1, 4, 1))

    assert inside(after(table, Put(0, 5, 0)), 0) == {(0, 3), (0, 5)}


def test_a_placed_adventurer_is_not_available():
    table = after(a_table(), Put(0, 3, 0), Put(1, 3, 1), Put(2, 4, 2))

    refuses(table, Put(2, 4, 1), "not available")


@pytest.mark.parametrize("place", [-1, 3, 99])
def test_rooms_outside_the_dungeon_do_not_exist(place):
    refuses(a_table(), Put(0, 3, place), "no such room")


@pytest.mark.parametrize("strength", [-1, 0, 6])
def test_adventurers_that_are_not_there_cannot_be_placed(strength):
    refuses(a_table(), Put(0, strength, 0), "not available")


def test_a_single_adventurer_does_not_close_a_room():
    table = after(a_table(3, a_room(defence=(1, 3)), a_room(), a_room()), Put(0, 5, 0))

    assert not table.places[0].is_closed
    assert Put(1, 3, 0) in offered(table)


# Pushing out


@pytest.mark.parametrize(("level", "to_owner"), [(1, 0), (2, 1), (3, 2)])
def test_pushing_costs_a_dollar_to_the_bank_and_by_level_something_to_the_owner(level, to_owner):
    table = after(a_table(levels=(level,)), *TWO_IN)
    later = after(table, push(2, 5, 0, 1, 4))

    assert money_of(later) == (4, 4 + to_owner, 4 - 1 - to_owner)
    assert later.books.bank == table.books.bank + 1
    assert inside(later, 0) == {(0, 3), (2, 5)}


@pytest.mark.parametrize(("level", "cost"), [(1, 1), (2, 2), (3, 3)])
def test_who_cannot_pay_the_whole_fee_cannot_push(level, cost):
    enough = after(a_table(levels=(level,), money=(4, 4, cost)), *TWO_IN)
    short = after(a_table(levels=(level,), money=(4, 4, cost - 1)), *TWO_IN)

    assert push(2, 5, 0, 0, 3) in offered(enough)
    assert money_of(after(enough, push(2, 5, 0, 0, 3)))[2] == 0
    refuses(short, push(2, 5, 0, 0, 3), rf"costs \${cost}")


def test_the_one_pushed_out_is_available_again():
    table = after(a_table(), *TWO_IN, push(2, 5, 0, 0, 3))

    assert (table.placed(0), table.available(0)) == ((), (3, 4, 5))
    assert view_for(table, None).players[0].available == (3, 4, 5)


@pytest.mark.parametrize("strength", [2, 3])
def test_an_equal_or_weaker_adventurer_pushes_nobody_out(strength):
    table = after(a_table(disabled=((1, 2), (1, 2), (1, 4))), Put(0, 3, 0), Put(1, 3, 0))

    refuses(table, push(2, strength, 0, 0, 3), "Only a stronger")


@pytest.mark.parametrize("defence", [7, 6, 1])
def test_nobody_is_pushed_out_of_a_closed_room(defence):
    table = after(a_table(3, a_room(defence=(0, defence)), a_room(), a_room()), *TWO_IN)

    assert table.places[0].is_closed and not view_for(table, None).places[0].open
    refuses(table, push(2, 5, 0, 0, 3), "This room is closed")


def test_a_room_is_open_one_below_the_top_of_its_defence():
    table = after(a_table(3, a_room(defence=(0, 8)), a_room(), a_room()), *TWO_IN)

    assert view_for(table, None).places[0].open
    assert push(2, 5, 0, 0, 3) in offered(table)
    assert after(table, push(2, 5, 0, 0, 3)).places[0].is_closed


def test_nobody_is_pushed_out_of_a_room_with_a_free_space():
    refuses(after(a_table(), Put(0, 3, 0)), push(1, 5, 0, 0, 3), "This room has a free space")


@pytest.mark.parametrize(("owner", "old"), [(0, 4), (1, 3), (2, 3), (None, 1), (7, 3)])
def test_only_who_is_in_the_room_can_be_pushed_out(owner, old):
    table = after(a_table(), *TWO_IN)

    refuses(table, push(2, 5, 0, owner, old), r"not in this room|Your own")


def test_ones_own_adventurer_is_not_pushed_out():
    table = after(a_table(), Put(0, 3, 0), Put(1, 3, 1), Put(2, 3, 2), Put(2, 4, 0), Put(1, 4, 1))

    refuses(table, push(0, 5, 0, 0, 3), "replaced, not pushed")


# Replacing an own one


@pytest.mark.parametrize("level", [1, 2, 3])
def test_replacing_an_own_adventurer_costs_one_dollar_to_the_bank_on_every_level(level):
    moves = Put(0, 3, 0), Put(1, 3, 1), Put(2, 3, 2), Put(2, 4, 0), Put(1, 4, 1)
    table = after(a_table(levels=(level,)), *moves)
    later = after(table, Swap(0, 5, 0, 3))

    assert money_of(later) == (3, 4, 4)
    assert later.books.bank == table.books.bank + 1
    assert inside(later, 0) == {(0, 5), (2, 4)}
    assert (later.available(0), later.turn) == ((3, 4), 0)


def own_one(*, defence=20, money=(4, 4, 4)):
    """Ana's 4 is in a full room with Cleo's 3, and it is Ana's turn."""
    table = a_table(3, a_room(defence=(0, defence)), a_room(), a_room(), money=money)
    return after(table, Put(0, 4, 0), Put(1, 3, 1), Put(2, 3, 0), Put(2, 4, 2), Put(1, 4, 1))


def test_an_own_adventurer_is_replaced_only_by_a_stronger_one():
    refuses(own_one(), Swap(0, 3, 0, 4), "Only a stronger")


def test_an_own_adventurer_is_not_replaced_in_a_closed_room():
    refuses(own_one(defence=7), Swap(0, 5, 0, 4), "This room is closed")


def test_an_own_adventurer_is_not_replaced_without_a_dollar():
    refuses(own_one(money=(0, 4, 4)), Swap(0, 5, 0, 4), r"costs \$1")


def test_an_own_adventurer_is_not_replaced_in_a_room_with_a_free_space():
    table = after(a_table(), Put(0, 3, 0), Put(1, 3, 1), Put(2, 3, 2), Put(2, 4, 2), Put(1, 4, 1))

    refuses(table, Swap(0, 5, 0, 3), "This room has a free space")


def test_somebody_elses_adventurer_is_not_replaced_for_one_dollar():
    refuses(own_one(), Swap(0, 5, 0, 3), "not in this room")


# Passing


def test_nobody_may_pass_who_has_not_placed_two():
    table = a_table(money=(0, 0, 0))
    while table.phase == "placing":
        assert len(table.placed(table.turn)) < 2 and offered(table)
        table = after(table, offered(table)[0])


def test_who_has_placed_two_is_passed_over():
    table = after(a_table(), Put(0, 3, 0), Put(1, 4, 0), Put(2, 3, 1), Put(2, 4, 1), Put(1, 3, 2))
    assert table.turn == 0

    # There and back is over, and nobody but Ben, whom Ana pushes out, has anything to do.
    table = after(table, push(0, 5, 0, 1, 4))
    assert (table.turn, table.step) == (1, 7)
    refuses(table, Put(0, 4, 2), "It is Ben's turn")


def test_who_is_pushed_out_must_act_again():
    table = after(a_table(), Put(0, 3, 0), Put(1, 4, 0), Put(2, 3, 1), Put(2, 4, 1), Put(1, 3, 2))
    table = after(table, push(0, 5, 0, 1, 4))

    assert table.placed(1) == (3,)
    assert after(table, Put(1, 5, 2)).phase == "resolving"


def test_who_is_pushed_out_before_placing_the_second_places_twice_in_a_row():
    table = after(a_table(), Put(0, 3, 0), Put(1, 4, 0), push(2, 5, 0, 0, 3), Put(2, 4, 1), Put(1, 3, 1))
    assert table.turn == 0

    table = after(table, Put(0, 3, 2))
    assert table.turn == 0
    assert after(table, Put(0, 4, 2)).phase == "resolving"


def test_a_long_placement_goes_there_and_back_and_there_again():
    moves = [
        Put(0, 3, 0),
        Put(1, 3, 0),
        push(2, 4, 0, 0, 3),
        Put(2, 3, 1),
        Put(1, 4, 1),
        push(0, 4, 0, 1, 3),
        push(0, 5, 1, 2, 3),
        push(1, 5, 0, 2, 4),
        Put(2, 3, 2),
        Put(2, 4, 2),
    ]
    table, turns = a_table(levels=(1,)), []
    for move in moves:
        turns.append(table.turn)
        table = after(table, move)

    assert turns == [0, 1, 2, 2, 1, 0, 0, 1, 2, 2]
    assert (table.phase, money_of(table)) == ("resolving", (2, 3, 3))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_placement_is_over_exactly_when_all_have_placed_two(players):
    table = a_table(players)
    while table.phase == "placing":
        assert any(len(table.placed(seat)) < 2 for seat in range(players))
        table = after(table, offered(table)[0])

    assert [len(table.placed(seat)) for seat in range(players)] == [2] * players
    assert all(place.is_full for place in table.places)
    refuses(table, Put(0, 3, 0), "not being placed now")


def test_what_is_told_names_fees_and_closed_rooms():
    before = after(a_table(3, a_room(2, (0, 9)), a_room(2), a_room(2)), *TWO_IN)
    event = push(2, 5, 0, 0, 3)
    words = [str(sentence) for sentence in RULES.tell(before, event, after(before, event))]

    assert words == [
        "Cleo pushes Ana's 3 out of room 1 with 5: $1 to the bank and $1 to the owner.",
        "Room 1 is closed.",
    ]


def test_at_the_end_of_the_placement_it_is_nobodys_turn():
    table = all_placed(a_table())

    assert (table.turn, offered(table)) == (None, [])
