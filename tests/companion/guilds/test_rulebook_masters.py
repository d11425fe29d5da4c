"""What each of the eleven dungeon masters changes."""

import pytest

from companion.errors import IllegalEvent
from companion.guilds import RULES
from companion.guilds.cards import MASTER_NAMES, MASTER_RULES, Master
from companion.guilds.events import AdventurerPlaced, HealingWritten, RoomsDealt, RoundEnded
from companion.guilds.money import Reason
from companion.guilds.view import view_for
from tests.companion.guilds.tables import (
    a_dungeon,
    a_room,
    a_round,
    a_start,
    after,
    all_placed,
    backs,
    chosen,
    dealt,
    money_of,
    push,
    revealed,
)

# Everybody owns a whole room, so that a treasure is somebody's money; strength 8 each.
OWN = ((0, 5), (0, 3)), ((1, 5), (1, 3)), ((2, 5), (2, 3))
FOUR = ((0, 5), (0, 3)), ((1, 5), (1, 3)), ((2, 5), (2, 3)), ((3, 5), (3, 3))


def treasures(master, rooms=OWN, printed=6, defence=0):
    """Return what each room is worth under a master if every card says the same."""
    players = len(rooms)
    before = a_dungeon(*rooms, master=master, players=players)
    table = revealed(before, *[(defence, printed)] * players)
    return [now - then for now, then in zip(money_of(table), money_of(before), strict=True)]


def most_defence(master, number, rooms=OWN):
    """Return the highest printed defence with which a room of strength 8 is won."""
    before = revealed(a_dungeon(*rooms, master=master, players=len(rooms)), *[(0, 0)] * number)
    return max(printed for printed in range(21) if revealed(before, (printed, 0)).places[number].held)


def test_without_a_master_cards_say_what_they_say():
    assert treasures(None) == [6, 6, 6]
    assert [most_defence(None, number) for number in range(3)] == [8, 8, 8]


def test_under_the_succubus_nobody_places_an_adventurer_of_strength_1():
    table = chosen(dealt(a_start(), master=Master.SUCCUBUS), (2, 3), (4, 5), (2, 3))

    assert (table.available(0), table.available(1)) == ((4, 5), (2, 3))
    with pytest.raises(IllegalEvent, match="does not let this adventurer in"):
        after(table, AdventurerPlaced(0, 1, 0))
    assert {event.strength for event in RULES.legal(table, 0) if hasattr(event, "strength")} == {4, 5}


def test_the_succubus_leaves_everybody_two_to_place():
    table = chosen(dealt(a_start(), master=Master.SUCCUBUS), (2, 3), (4, 5), (2, 5))

    assert all_placed(table).phase == "resolving"


def test_after_the_succubus_strength_1_may_be_placed_again():
    table = dealt(a_round(a_start(), master=Master.SUCCUBUS), master=Master.BEHOLDER)

    assert 1 in table.available(table.turn)


def test_the_beholder_adds_three_to_the_first_treasure():
    assert treasures(Master.BEHOLDER) == [9, 6, 6]


def test_the_lich_king_adds_two_defence_and_three_treasure_to_the_second_room():
    assert treasures(Master.LICH_KING) == [6, 9, 6]
    assert [most_defence(Master.LICH_KING, number) for number in range(3)] == [8, 6, 8]


def test_under_the_guardian_healing_of_4_and_5_costs_two_more():
    rooms = ((0, 5), (0, 4)), ((1, 5), (1, 3)), ((2, 1), (2, 2))
    table = after(revealed(a_dungeon(*rooms, master=Master.GUARDIAN), (20, 0)), RoundEnded())

    assert money_of(table) == (10 - 5 - 4, 10 - 5 - 2, 10 - 1 - 1)


def test_the_guardian_does_not_change_the_money_for_disabled_adventurers():
    table = chosen(dealt(a_start(), master=Master.GUARDIAN), (4, 5), (4, 5), (4, 5))

    assert money_of(table) == (2 + 2 + 3,) * 3


def test_the_vampire_lord_takes_two_from_the_first_two_treasures():
    assert treasures(Master.VAMPIRE_LORD) == [4, 4, 6]


@pytest.mark.parametrize("printed", [0, 1, 2])
def test_under_the_vampire_lord_no_treasure_falls_below_nothing(printed):
    assert treasures(Master.VAMPIRE_LORD, printed=printed) == [0, 0, printed]


@pytest.mark.parametrize("rooms", [OWN, FOUR])
def test_the_red_dragon_adds_ten_to_the_last_treasure(rooms):
    assert treasures(Master.RED_DRAGON, rooms) == [6] * (len(rooms) - 1) + [16]


@pytest.mark.parametrize("rooms", [OWN, FOUR])
def test_hello_duck_adds_four_to_the_last_two_treasures(rooms):
    assert treasures(Master.HELLO_DUCK, rooms) == [6] * (len(rooms) - 2) + [10, 10]


def test_bigfun_king_takes_three_defence_and_five_treasure_from_the_last_room():
    assert treasures(Master.BIGFUN_KING) == [6, 6, 1]
    assert [most_defence(Master.BIGFUN_KING, number) for number in range(3)] == [8, 8, 11]


def test_under_bigfun_king_neither_defence_nor_treasure_falls_below_nothing():
    assert treasures(Master.BIGFUN_KING, printed=4) == [4, 4, 0]
    last = view_for(a_dungeon(*OWN, master=Master.BIGFUN_KING), None).places[-1]
    assert (last.defence, last.treasure) == ((0, 17), (0, 35))


def test_the_naughty_kid_adds_three_where_both_are_equally_strong():
    rooms = ((0, 3), (1, 3)), ((1, 4), (2, 3)), ((2, 4), (0, 4))
    table = revealed(a_dungeon(*rooms, master=Master.NAUGHTY_KID), (0, 3), (0, 4), (0, 2))

    # 6 split by Ana and Ben, 4 by Ben and Cleo, 5 by Cleo and Ana with a remainder for nobody.
    assert money_of(table) == (10 + 3 + 2, 10 + 3 + 2, 10 + 2 + 2)


def test_the_boardgame_lord_gives_three_to_who_placed_the_least_strength():
    table = chosen(dealt(a_start(masters="promos"), master=Master.BOARDGAME_LORD), (1, 2), (4, 5), (1, 2))
    before = money_of(table)
    for event in [(0, 3, 0), (1, 3, 0), (2, 3, 1), (2, 4, 1), (1, 1, 2)]:
        table = after(table, AdventurerPlaced(*event))
    assert money_of(table) == before

    last = AdventurerPlaced(0, 4, 2)
    later = after(table, last)
    assert (later.phase, money_of(later)) == ("resolving", (before[0], before[1] + 3, before[2]))
    assert later.books.sum_of(1, Reason.MASTER) == 3
    assert "Ben placed the least strength and gets $3." in map(str, RULES.tell(table, last, later))


def test_the_boardgame_lord_gives_three_to_all_who_share_the_least():
    table = chosen(dealt(a_start(masters="promos"), master=Master.BOARDGAME_LORD))
    before = money_of(table)
    for event in [(0, 3, 0), (1, 3, 0), (2, 3, 1), (2, 5, 1), (1, 4, 2), (0, 4, 2)]:
        table = after(table, AdventurerPlaced(*event))

    assert money_of(table) == (before[0] + 3, before[1] + 3, before[2])


def test_the_ghost_is_not_the_weakest_under_the_boardgame_lord():
    table = chosen(dealt(a_start(masters="promos", ghost="yes"), master=Master.BOARDGAME_LORD))
    table = all_placed(table)

    assert money_of(table) == (2 + 2 + 3,) * 3


def test_the_caveman_of_the_first_round_disables_1_and_2_and_pays_for_them():
    table = after(a_start(masters="promos"), HealingWritten((1, 4, 2, 2, 3)))
    later = dealt(table, master=Master.CAVEMAN)

    assert (later.phase, later.disabled) == ("placing", ((1, 2),) * 3)
    assert money_of(later) == (2 + 5,) * 3


def test_the_caveman_of_a_later_round_makes_3_4_and_5_available_and_pays_nothing():
    table = a_round(a_start(masters="promos"), master=Master.BEHOLDER)
    assert table.disabled == ((3, 4),) * 3
    later = dealt(table, master=Master.CAVEMAN)

    assert [later.available(seat) for seat in range(3)] == [(3, 4, 5)] * 3
    assert money_of(later) == money_of(table)


def test_after_the_caveman_only_the_placed_ones_are_disabled():
    table = a_round(a_start(masters="promos"), master=Master.CAVEMAN)

    assert table.disabled == ((3, 4),) * 3
    assert table.available(0) == (1, 2, 5)


def test_a_room_is_closed_by_what_its_back_says_whatever_the_master():
    easy, second = a_room(1, (4, 7)), a_room(2, (4, 7))
    table = chosen(dealt(a_start(), easy, second, second, master=Master.LICH_KING))
    table = after(table, AdventurerPlaced(0, 3, 1), AdventurerPlaced(1, 4, 1))

    assert table.places[1].is_closed
    with pytest.raises(IllegalEvent, match="This room is closed"):
        after(table, push(2, 5, 1, 0, 3))
    assert view_for(table, None).places[1].defence == (6, 9)


def test_a_master_changes_only_its_own_dungeon():
    table = a_round(a_start(), master=Master.RED_DRAGON)
    table = all_placed(dealt(table, master=Master.SUCCUBUS))

    assert [place.treasure for place in view_for(table, None).places] == [(0, 40)] * 3


@pytest.mark.parametrize("master", Master)
def test_every_master_is_told_with_its_name_and_its_rule(master):
    before = a_start(masters="promos")
    event = RoomsDealt(backs(before, (1, 2, 3)), master)
    words = [str(sentence) for sentence in RULES.tell(before, event, after(before, event))]

    assert words[1] == f"{MASTER_NAMES[master]}: {MASTER_RULES[master]}"
