"""Cards and healing costs that were typed in earlier games."""

import pytest

from companion.codec import encode
from companion.guilds.cards import Front, Room
from companion.guilds.library import cards_seen, healing_seen

ONE, TWO, OTHER = Room(1, 3, 5, 2, 4), Room(2, 5, 8, 4, 7), Room(1, 2, 4, 1, 3)


def dealt(*rooms):
    return {"type": "rooms_dealt", "rooms": [encode(room) for room in rooms]}


def turned(room, *front):
    return {"type": "room_revealed", "room": encode(room), "front": encode(Front(*front))}


def test_backs_come_by_level_and_those_seen_most_often_first():
    library = cards_seen([dealt(TWO, OTHER, ONE), dealt(ONE, ONE, TWO)], [])

    assert library.backs == (ONE, OTHER, TWO)


def test_fronts_are_known_by_their_back_once_each():
    library = cards_seen([], [turned(ONE, 5, 2), turned(ONE, 3, 4), turned(ONE, 5, 2), turned(TWO, 5, 4)])

    assert library.fronts == {ONE: (Front(3, 4), Front(5, 2)), TWO: (Front(5, 4),)}


def test_a_monster_keeps_the_newest_name_that_it_was_given():
    library = cards_seen([], [turned(ONE, 5, 2), turned(ONE, 5, 2, "Orc"), turned(ONE, 5, 2, "Ork")])

    assert library.fronts[ONE] == (Front(5, 2, "Orc"),)


@pytest.mark.parametrize("rooms", [None, "x", [None], [{"level": 9}], [{**encode(ONE), "defence_high": 1}]])
def test_what_another_version_wrote_is_left_out(rooms):
    assert cards_seen([{"rooms": rooms}], [{"room": rooms, "front": {}}]).backs == ()


@pytest.mark.parametrize("front", [None, {}, {"defence": 9, "treasure": 3}, {"defence": "3", "treasure": 3}])
def test_a_front_that_does_not_fit_its_back_is_left_out(front):
    assert cards_seen([], [{"room": encode(ONE), "front": front}]).fronts == {}


def test_the_healing_costs_that_were_checked_last_are_known():
    assert healing_seen([{"costs": [1, 1, 1, 1, 1]}, {"costs": [2, 2, 2, 2, 2]}]) == (1, 1, 1, 1, 1)
    assert healing_seen([]) is None


@pytest.mark.parametrize("costs", [None, [1], [1, 2, 3, 4, "5"], [99, 1, 1, 1, 1]])
def test_healing_costs_that_cannot_be_are_left_out(costs):
    assert healing_seen([{"costs": costs}, {"costs": [1, 2, 3, 4, 5]}]) == (1, 2, 3, 4, 5)
