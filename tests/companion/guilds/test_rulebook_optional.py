"""Teams and the ghost, sentence by sentence of the rulebook."""

import pytest

from companion.errors import IllegalEvent
from companion.guilds import RULES
from companion.guilds.cards import Master
from companion.guilds.events import AdventurerPlaced as Put
from companion.guilds.events import AdventurerPushed, RoundEnded
from companion.guilds.view import view_for
from tests.companion.guilds.tables import (
    a_dungeon,
    a_room,
    a_round,
    a_start,
    a_table,
    after,
    all_placed,
    chosen,
    dealt,
    inside,
    last_round,
    money_of,
    push,
    revealed,
    winners,
)

# Everybody placed 4 and 3 and has a 5 left.
ALIKE = {
    4: (((0, 4), (1, 4)), ((2, 4), (3, 4)), ((0, 3), (1, 3)), ((2, 3), (3, 3))),
    6: tuple(((one, strength), (one + 1, strength)) for strength in (4, 3) for one in (0, 2, 4)),
}

# Teams


@pytest.mark.parametrize(
    ("teams", "money", "won"),
    [
        (2, (9, 10, 9, 7), {0, 2}),
        (2, (1, 30, 40, 12), {1, 3}),
        (2, (0, 1, 1, 1, 1, 1), {1, 3, 5}),
        (2, (20, 6, 0, 6, 0, 6), {0, 2, 4}),
        (3, (0, 5, 9, 9, 5, 0), {1, 4}),
        (3, (0, 5, 9, 9, 5, 2), {2, 5}),
    ],
)
def test_the_team_with_the_most_money_together_wins(teams, money, won):
    table = last_round(*ALIKE[len(money)], money=money, teams=teams, players=len(money))

    assert winners(table) == won
    sums = {seat: sum(money[seat % teams :: teams]) for seat in range(len(money))}
    assert {view.seat: view.team_money for view in view_for(table, None).players} == sums


@pytest.mark.parametrize(("teams", "players"), [(2, 4), (2, 6), (3, 6)])
def test_teams_with_equal_money_and_adventurers_share_the_victory(teams, players):
    table = last_round(*ALIKE[players], money=(5,) * players, teams=teams, players=players)

    assert winners(table) == set(range(players))
    assert {placing.rank for placing in RULES.outcome(table).placings} == {1}


@pytest.mark.parametrize("seat", range(4))
def test_a_tie_of_teams_goes_to_the_strongest_adventurer_that_any_member_did_not_place(seat):
    # All but one placed their 5.
    rooms = [
        [[owner, 5 if strength == 4 and owner != seat else strength] for owner, strength in room]
        for room in ALIKE[4]
    ]
    table = last_round(*rooms, money=(5, 5, 5, 5), teams=2, players=4)

    assert winners(table) == {seat, (seat + 2) % 4}


def test_ranks_go_by_team():
    table = last_round(*ALIKE[6], money=(1, 5, 9, 1, 5, 9), teams=3, players=6)

    ranks = [(placing.seat, placing.rank) for placing in RULES.outcome(table).placings]
    assert ranks == [(2, 1), (5, 1), (1, 2), (4, 2), (0, 3), (3, 3)]


@pytest.mark.parametrize(("level", "to_owner"), [(1, 0), (2, 1), (3, 2)])
@pytest.mark.parametrize("owner", [0, 1])
def test_members_of_a_team_are_pushed_out_as_strangers_are(level, to_owner, owner):
    table = after(a_table(4, levels=(level,), teams=2), Put(0, 3, 0), Put(1, 3, 0))
    later = after(table, push(2, 5, 0, owner, 3))

    assert later.books.of(owner) == 4 + to_owner
    assert later.books.of(2) == 4 - 1 - to_owner


@pytest.mark.parametrize("other", [1, 2])
def test_members_of_a_team_split_treasure_as_strangers_do(other):
    rooms = ((0, 5), (other, 3)), ((2, 4), (3, 4)), ((0, 3), (1, 4)), ((3 - other, 3), (3, 3))
    table = revealed(a_dungeon(*rooms, teams=2, players=4), (0, 7))

    assert (table.books.of(0), table.books.of(other)) == (10 + 4, 10 + 3)


def test_a_member_of_a_team_is_no_own_adventurer():
    table = after(a_table(4, teams=2, money=(4, 4, 0, 4)), Put(0, 3, 0), Put(1, 3, 0))

    with pytest.raises(IllegalEvent, match=r"costs \$1"):
        after(table, push(2, 5, 0, 0, 3))


# The ghost


def a_haunted_table(*rooms, levels=(1, 1, 2, 3), **facts):
    """Three players, four rooms, two ghosts; everybody has 3, 4, 5 and $4."""
    return a_table(3, *rooms, levels=levels, ghost=True, **facts)


@pytest.mark.parametrize("levels", [(1, 1, 1, 2), (1, 2, 2, 3), (2, 3, 3, 3), (3, 3, 3, 3)])
def test_a_ghost_as_strong_as_the_level_stands_in_each_of_the_two_top_rooms(levels):
    table = a_haunted_table(levels=levels)

    assert [inside(table, number) for number in range(4)] == [
        {(None, levels[0])},
        {(None, levels[1])},
        set(),
        set(),
    ]


def test_ghosts_stand_in_every_dungeon_again():
    table = dealt(a_round(a_start(masters="counters", ghost="yes")))

    assert [len(place.pieces) for place in table.places] == [1, 1, 0, 0]


def test_without_the_option_there_is_no_ghost():
    assert all(place.pieces == () for place in a_table().places)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_pushing_out_a_ghost_costs_one_dollar_to_the_bank_on_every_level(level):
    disabled = ((1, 2),) * 3
    table = after(a_haunted_table(levels=(level,), disabled=disabled), Put(0, 3, 0))
    later = after(table, push(1, 4, 0, None, level))

    assert money_of(later) == (4, 3, 4)
    assert later.books.bank == table.books.bank + 1
    assert inside(later, 0) == {(0, 3), (1, 4)}


def test_the_last_dollar_is_enough_to_push_out_a_ghost_on_level_3():
    table = after(a_haunted_table(levels=(3,), money=(4, 1, 4)), Put(0, 3, 0))

    assert money_of(after(table, push(1, 4, 0, None, 3))) == (4, 0, 4)


def test_a_ghost_moves_down_though_there_is_a_space_above():
    table = after(a_haunted_table(), Put(0, 3, 1), push(1, 4, 1, None, 1))

    assert inside(table, 0) == {(None, 1)}
    assert inside(table, 2) == {(None, 2)}


def test_a_ghost_that_is_pushed_out_moves_to_the_nearest_room_below_with_a_space():
    table = after(a_haunted_table(), Put(0, 3, 0), push(1, 4, 0, None, 1))

    assert [len(place.pieces) for place in table.places] == [2, 2, 0, 0]
    assert table.places[1].pieces == (table.places[1].pieces[0],) * 2


def test_full_rooms_below_are_passed_by_and_the_ghost_is_as_strong_as_the_room_it_comes_to():
    table = after(a_haunted_table(levels=(1, 2, 2, 3)), Put(0, 3, 0), Put(1, 3, 1), push(2, 4, 0, None, 1))
    assert inside(table, 2) == {(None, 2)}

    table = after(a_haunted_table(levels=(1, 1, 3, 3)), Put(0, 3, 0), Put(1, 3, 1), push(2, 4, 1, None, 1))
    assert inside(table, 2) == {(None, 3)}


def test_if_all_rooms_below_are_full_the_ghost_moves_to_the_nearest_above():
    moves = Put(0, 3, 3), Put(1, 3, 3), Put(2, 3, 2), Put(2, 4, 2), Put(1, 4, 1)
    table = after(a_haunted_table(), *moves)

    # Ana's 4 drives the ghost out of the second room; below it everything is full.
    table = after(table, push(0, 4, 1, None, 1))
    assert inside(table, 1) == {(1, 4), (0, 4)}
    assert table.places[0].pieces == (table.places[0].pieces[0],) * 2
    assert table.phase == "resolving"


def test_a_ghost_is_pushed_out_only_by_a_stronger_adventurer():
    table = a_haunted_table(levels=(3,), disabled=((1, 2), (4, 5), (1, 2)))
    table = after(table, Put(0, 4, 0))

    with pytest.raises(IllegalEvent, match="Only a stronger"):
        after(table, push(1, 3, 0, None, 3))


def test_a_ghost_stays_in_a_room_with_a_free_space():
    with pytest.raises(IllegalEvent, match="has a free space"):
        after(a_haunted_table(), push(0, 5, 0, None, 1))


def test_a_ghost_stays_in_a_closed_room():
    rooms = a_room(1, (0, 4)), a_room(1), a_room(2), a_room(3)

    with pytest.raises(IllegalEvent, match="This room is closed"):
        after(a_haunted_table(*rooms), Put(0, 3, 0), push(1, 4, 0, None, 1))


def test_a_ghost_stays_where_nobody_has_a_dollar():
    with pytest.raises(IllegalEvent, match=r"costs \$1"):
        after(a_haunted_table(money=(0, 0, 0)), Put(0, 3, 0), push(1, 4, 0, None, 1))


def test_a_ghost_that_comes_in_can_close_a_room():
    rooms = a_room(1), a_room(1, (0, 5)), a_room(3, (0, 6)), a_room(3)
    table = after(a_haunted_table(*rooms), Put(0, 3, 2), Put(1, 4, 1), Put(2, 3, 0))
    assert not table.places[2].is_closed

    table = after(table, push(2, 4, 0, None, 1))
    assert inside(table, 2) == {(0, 3), (None, 3)} and table.places[2].is_closed


def test_beside_a_ghost_somebody_is_pushed_out_as_usual():
    table = after(a_haunted_table(levels=(3,)), Put(0, 4, 0), push(1, 5, 0, 0, 4))

    assert inside(table, 0) == {(None, 3), (1, 5)}
    assert money_of(table) == (4 + 2, 4 - 3, 4)


HAUNTED = ((1, 4), (2, 3)), ((2, 5), (0, 3)), ((None, 3), (1, 5))


@pytest.mark.parametrize(
    ("strength", "share"), [(1, 3), (2, 3), (3, 3), (4, 4), (5, 4)], ids=lambda value: str(value)
)
def test_the_ghosts_share_goes_to_the_bank_with_the_remainder_if_it_is_stronger(strength, share):
    table = a_dungeon(((0, strength), (None, 3)), *HAUNTED, levels=(3,))
    later = revealed(table, (4, 7))

    assert money_of(later) == (10 + share, 10, 10)
    assert later.books.bank == table.books.bank - share


def test_two_ghosts_in_a_room_keep_everything():
    rooms = ((None, 1), (None, 1)), *HAUNTED[:2], ((0, 4), (1, 5))
    table = a_dungeon(*rooms, levels=(1,))

    assert money_of(revealed(table, (2, 9))) == (10, 10, 10)


def test_a_ghost_fights_with_the_level_of_its_room():
    table = a_dungeon(((0, 4), (None, 2)), *HAUNTED, levels=(2, 3))

    assert revealed(table, (6, 0)).places[0].held
    assert not revealed(table, (7, 0)).places[0].held


def test_nobody_pays_for_healing_a_ghost():
    table = revealed(a_dungeon(((0, 4), (None, 3)), *HAUNTED, levels=(3,)), (20, 0))

    assert money_of(after(table, RoundEnded())) == (10 - 2 - 2, 10 - 2 - 3, 10 - 2 - 3)


def test_a_ghost_of_equal_strength_pleases_the_naughty_kid():
    table = a_dungeon(((0, 3), (None, 3)), *HAUNTED, levels=(3,), master=Master.NAUGHTY_KID)

    assert money_of(revealed(table, (6, 5))) == (10 + 4, 10, 10)


def test_a_haunted_dungeon_is_placed_to_the_last_space():
    table = all_placed(chosen(dealt(a_start(5, masters="counters", ghost="yes"))))

    assert [place.is_full for place in table.places] == [True] * 6


def test_two_ghosts_in_one_room_are_offered_once():
    table = after(a_haunted_table(), Put(0, 3, 0), push(1, 4, 0, None, 1))
    ghosts = [
        event for event in RULES.legal(table, 2) if isinstance(event, AdventurerPushed) and event.place == 1
    ]

    assert len(ghosts) == len(set(ghosts)) == 3
