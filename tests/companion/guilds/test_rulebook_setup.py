"""Preparation, options and the secret choice, sentence by sentence of the rulebook."""

import json
from itertools import combinations

import pytest

from companion.codec import encode
from companion.errors import BadData, IllegalEvent, NotYourSeat
from companion.guilds import RULES
from companion.guilds.cards import MASTERS, PROMOS, Master, Room
from companion.guilds.events import (
    CODEC,
    AdventurerPlaced,
    AdventurersDisabled,
    HealingWritten,
    MoneyWritten,
    RoomsDealt,
    independent,
)
from companion.guilds.money import Reason
from companion.guilds.view import view_for
from companion.journal import Journal
from companion.rules import make_setup
from tests.companion.builders import entry
from tests.companion.guilds.tables import (
    NAMES,
    a_room,
    a_round,
    a_start,
    a_table,
    after,
    backs,
    chosen,
    dealt,
    money_of,
)

PAIRS = tuple(combinations(range(1, 6), 2))

# Preparation


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_everybody_starts_with_two_dollars_from_the_bank(players):
    table = a_start(players)

    assert money_of(table) == (2,) * players
    assert table.books.bank == -2 * players


def test_everybody_has_five_adventurers():
    assert [view.available for view in view_for(a_start(), None).players] == [(1, 2, 3, 4, 5)] * 3


@pytest.mark.parametrize(
    ("players", "ghost", "more"),
    [
        (3, "no", 0),
        (4, "no", 0),
        (5, "no", 0),
        (6, "no", 0),
        (3, "yes", 1),
        (4, "yes", 1),
        (5, "yes", 1),
    ],
)
def test_a_dungeon_has_as_many_rooms_as_players_and_one_more_with_the_ghost(players, ghost, more):
    table = a_start(players, masters="counters", ghost=ghost)

    assert len(dealt(table).places) == players + more
    for wrong in (players + more - 1, players + more + 1):
        with pytest.raises(IllegalEvent, match=f"has {players + more} rooms"):
            after(table, RoomsDealt((a_room(),) * wrong))


def test_rooms_are_sorted_by_their_threat_from_the_top():
    table = dealt(a_start(6, masters="counters"), levels=(3, 1, 2, 2, 1, 3))

    assert [place.room.level for place in table.places] == [1, 1, 2, 2, 3, 3]


def test_rooms_of_one_level_stay_in_the_order_they_lie_in():
    rooms = (a_room(2, (4, 5)), a_room(1), a_room(2, (3, 6)))

    assert [place.room for place in dealt(a_start(masters="counters"), *rooms).places] == [
        rooms[1],
        rooms[0],
        rooms[2],
    ]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_game_has_as_many_rounds_and_masters_as_players(players):
    table = a_start(players)
    for number in range(players):
        assert (table.round, RULES.outcome(table)) == (number + 1, None)
        table = a_round(table, master=MASTERS[number])

    assert RULES.outcome(table) is not None
    assert table.used == MASTERS[:players]


def test_every_dungeon_has_a_master():
    with pytest.raises(IllegalEvent, match="A dungeon master belongs"):
        dealt(a_start())


def test_a_master_comes_once():
    table = a_round(a_start(), master=Master.GUARDIAN)

    assert Master.GUARDIAN not in view_for(table, None).masters_left
    with pytest.raises(IllegalEvent, match="not in the pile"):
        dealt(table, master=Master.GUARDIAN)


@pytest.mark.parametrize("master", PROMOS)
def test_promotional_masters_come_only_if_they_are_wanted(master):
    assert dealt(a_start(masters="promos"), master=master).master is master
    for masters in ("box", "counters"):
        with pytest.raises(IllegalEvent, match="not in the pile"):
            dealt(a_start(masters=masters), master=master)


def test_as_counters_masters_do_not_matter():
    table = a_start(masters="counters")

    assert dealt(table).master is None
    assert view_for(table, None).masters_left == ()
    with pytest.raises(IllegalEvent, match="not in the pile"):
        dealt(table, master=Master.BEHOLDER)


def test_the_masters_of_the_box_are_six_and_the_promotional_ones_five():
    assert (len(MASTERS), len(PROMOS)) == (6, 5)
    assert view_for(a_start(masters="promos"), None).masters_left == (*MASTERS, *PROMOS)
    assert view_for(a_start(), None).masters_left == MASTERS


@pytest.mark.parametrize("first", [0, 1, 2])
def test_who_has_the_marker_begins(first):
    assert a_table(first=first).turn == first


# The secret choice


def test_the_example_starts_with_two_dollars_and_two_more_for_two_disabled_adventurers():
    table = a_table(disabled=((1, 2), (1, 2), (1, 2)))

    assert table.healing == (1, 1, 2, 2, 3)
    assert money_of(table) == (2 + 2,) * 3


@pytest.mark.parametrize("pair", PAIRS)
def test_everybody_gets_what_healing_the_disabled_ones_costs(pair):
    costs = (2, 0, 1, 5, 9)
    table = after(a_start(masters="counters"), HealingWritten(costs))
    table = chosen(dealt(table), pair, (1, 2), (4, 5))

    assert money_of(table) == (2 + sum(costs[one - 1] for one in pair), 2 + 2, 2 + 14)
    assert table.books.bank == -sum(money_of(table))
    assert table.books.sum_of(2, Reason.DISABLED) == 14


def test_disabled_adventurers_cannot_be_placed_in_the_first_round():
    table = a_table(disabled=((2, 5), (1, 2), (1, 3)))

    assert [table.available(seat) for seat in range(3)] == [(1, 3, 4), (3, 4, 5), (2, 4, 5)]
    for strength in (2, 5):
        with pytest.raises(IllegalEvent, match="not available"):
            after(table, AdventurerPlaced(0, strength, 0))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_nothing_happens_before_all_have_chosen(order):
    table = dealt(a_start(masters="counters"))
    for seat in order[:-1]:
        table = after(table, AdventurersDisabled(seat, (3, 4)))
        assert (table.phase, money_of(table), table.turn) == ("disabling", (2, 2, 2), None)

    assert after(table, AdventurersDisabled(order[-1], (3, 4))).phase == "placing"


def one_chose(pair):
    """Return a table at which two of three have chosen, and what the table was told."""
    before = after(dealt(a_start(masters="counters")), AdventurersDisabled(1, (1, 2)))
    event = AdventurersDisabled(0, pair)
    table = after(before, event)
    return table, [str(sentence) for sentence in RULES.tell(before, event, table)]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("seat", [1, 2, None])
def test_nobody_else_sees_what_was_chosen_before_all_have(pair, seat):
    (table, words), (other, other_words) = one_chose((1, 5)), one_chose(pair)

    assert json.dumps(encode(view_for(table, seat))) == json.dumps(encode(view_for(other, seat)))
    assert words == other_words == ["Ana has chosen two adventurers to disable."]
    assert RULES.legal(table, 2) == RULES.legal(other, 2)


def test_a_player_sees_the_own_choice_and_that_others_have_chosen():
    table, _ = one_chose((2, 4))

    assert view_for(table, 0).mine == (2, 4)
    assert [view.chosen for view in view_for(table, 2).players] == [True, True, False]
    assert view_for(table, 2).mine is None


def test_until_all_have_chosen_somebody_may_choose_again():
    table = after(one_chose((2, 4))[0], AdventurersDisabled(0, (5, 1)), AdventurersDisabled(2, (1, 2)))

    assert table.disabled == ((1, 5), (1, 2), (1, 2))


def test_after_the_last_choice_money_and_adventurers_are_there_for_all_to_see():
    before, last = one_chose((3, 5))[0], AdventurersDisabled(2, (1, 4))
    table = after(before, last)

    seen = view_for(table, None).players
    assert [view.money for view in seen] == [2 + 5, 2 + 2, 2 + 3]
    assert [view.disabled for view in seen] == [(3, 5), (1, 2), (1, 4)]
    assert [view.available for view in seen] == [(1, 2, 4), (3, 4, 5), (2, 3, 5)]
    assert "Ana disables 3 and 5 and gets $5." in map(str, RULES.tell(before, last, table))


def test_only_its_player_makes_the_secret_choice():
    rules_setup = make_setup(RULES, NAMES[:3], {"masters": "counters"})
    journal = Journal.begin(RULES, rules_setup)
    rooms = RoomsDealt(backs(journal.state, (1, 2, 3)))
    journal = journal.follow(entry(journal, 2, CODEC.write(rooms)))

    with pytest.raises(NotYourSeat):
        journal.follow(entry(journal, 1, CODEC.write(AdventurersDisabled(0, (1, 2)))))


def test_everybody_chooses_at_the_same_time():
    mine = AdventurersDisabled(0, (1, 2))

    assert independent(mine, AdventurersDisabled(1, (1, 2)))
    assert not independent(mine, AdventurersDisabled(0, (1, 3)))
    assert not independent(mine, MoneyWritten(1, 1))
    assert independent(MoneyWritten(0, 1), MoneyWritten(1, 1))
    assert not independent(MoneyWritten(0, 1), MoneyWritten(0, 1))


def test_in_later_rounds_nothing_is_chosen():
    table = a_round(a_start(masters="counters"))

    assert dealt(table).phase == "placing"
    with pytest.raises(IllegalEvent, match="disabled once"):
        after(dealt(table), AdventurersDisabled(0, (1, 2)))


# Options


@pytest.mark.parametrize(
    ("players", "options", "words"),
    [
        (3, {"teams": "two"}, "Two teams need 4 or 6"),
        (5, {"teams": "two"}, "Two teams need 4 or 6"),
        (3, {"teams": "three"}, "Three teams need 6"),
        (4, {"teams": "three"}, "Three teams need 6"),
        (5, {"teams": "three"}, "Three teams need 6"),
        (6, {"ghost": "yes"}, "3 to 5 players"),
        (2, {}, "3 to 6 players"),
        (7, {}, "3 to 6 players"),
        (3, {"masters": "all"}, "no such choice"),
        (3, {"mode": "half"}, "no such choice"),
        (3, {"monsters": "yes"}, "not known"),
    ],
)
def test_what_so_many_players_cannot_play_is_refused(players, options, words):
    with pytest.raises(BadData, match=words):
        RULES.start(make_setup(RULES, (*NAMES, "Gus")[:players], options))


@pytest.mark.parametrize(
    ("players", "teams", "sides"),
    [
        (3, "none", (0, 1, 2)),
        (4, "two", (0, 1, 0, 1)),
        (6, "two", (0, 1, 0, 1, 0, 1)),
        (6, "three", (0, 1, 2, 0, 1, 2)),
    ],
)
def test_members_of_a_team_sit_opposite_each_other(players, teams, sides):
    table = a_start(players, teams=teams)

    assert table.teams == sides
    assert view_for(table, None).has_teams == (teams != "none")


# Backs of rooms


@pytest.mark.parametrize(
    ("room", "words"),
    [
        (Room(0, 1, 2, 1, 2), "level 1, 2 or 3"),
        (Room(4, 1, 2, 1, 2), "level 1, 2 or 3"),
        (Room(1, 3, 2, 1, 2), "defence goes from"),
        (Room(1, -1, 2, 1, 2), "defence goes from"),
        (Room(1, 1, 21, 1, 2), "defence goes from"),
        (Room(1, 1, 2, 3, 2), "treasure goes from"),
        (Room(1, 1, 2, -1, 2), "treasure goes from"),
        (Room(1, 1, 2, 1, 41), "treasure goes from"),
    ],
)
def test_a_room_that_cannot_be_is_not_dealt(room, words):
    with pytest.raises(IllegalEvent, match=words):
        dealt(a_start(masters="counters"), a_room(), room, a_room())


@pytest.mark.parametrize("room", [Room(1, 0, 0, 0, 0), Room(3, 20, 20, 40, 40), Room(2, 3, 3, 5, 7)])
def test_ranges_may_be_as_narrow_or_high_as_cards_can_be(room):
    assert room in [
        place.room for place in dealt(a_start(masters="counters"), a_room(), room, a_room()).places
    ]
