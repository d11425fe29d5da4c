"""Cubes too close to call: what may come of a room, by hand and against every way in which they may fall."""

import math
import random

import pytest

from companion.dungeon_drop import readings
from companion.dungeon_drop.advice import advise
from companion.dungeon_drop.hero import Hero
from companion.dungeon_drop.pieces import Kind, Size
from companion.dungeon_drop.quests import Term, What, When
from companion.dungeon_drop.readings import THOUGHT_THROUGH
from companion.dungeon_drop.rooms import find_rooms
from companion.dungeon_drop.table import Table, flat_cube
from tests.companion.dungeon_drop.heroes import (
    USUAL_SIZE,
    a_hero,
    advice_on,
    likely_in,
    random_cubes,
    random_hero,
    slow_outlook,
)
from tests.companion.dungeon_drop.shapely_rooms import brute_force

# With this accuracy a millimetre is one standard deviation.
ACCURACY_MM = 1.96
HALF_MM = {Size.SMALL: 4, Size.LARGE: 5, Size.HUGE: 6}


def phi(deviations):
    """Return how much of a normal distribution is below so many deviations."""
    return 0.5 * (1 + math.erf(deviations / math.sqrt(2)))


def at_the_wall(id, kind, gap_mm, x_mm=50):
    """Put a cube at this gap below the lower wall of the room between pillars 1, 2 and 3."""
    size = USUAL_SIZE[kind]
    return flat_cube(id, Kind(kind), size, (x_mm, -4 - HALF_MM[size] - gap_mm))


def inside(id, kind):
    """Put a cube well inside that room."""
    return flat_cube(id, Kind(kind), USUAL_SIZE[kind], (40, 40))


def the_room(hero, *cubes, accuracy_mm=ACCURACY_MM, near_mm=None):
    """Return the advice on the room between pillars 1, 2 and 3 of a table with these *cubes*."""
    pillars = [
        flat_cube(id, Kind.PILLAR, Size.SMALL, spot)
        for id, spot in ((1, (0, 0)), (2, (200, 0)), (3, (0, 200)))
    ]
    advice = advice_on([*pillars, *cubes], hero, accuracy_mm, near_mm)
    return next(room for room in advice.top() if room.pillars == (1, 2, 3))


def outlook(room):
    return room.worst, room.best, room.expected_gain, room.safe


def about(worst, best, expected, safe):
    return worst, best, pytest.approx(expected, abs=1e-9), safe


# Nothing doubtful


def test_without_doubts_there_is_one_reading():
    room = the_room(a_hero(), inside(10, "gold"))

    assert room.doubtful == ()
    assert outlook(room) == (1, 1, 1, True)


def test_a_forbidden_room_without_doubts_gains_nothing():
    room = the_room(a_hero(), inside(10, "dragon"))

    assert (room.gain, room.allowed) == (8, False)
    assert outlook(room) == (0, 0, 0, False)


def test_an_empty_room_gains_nothing_for_sure():
    assert outlook(the_room(a_hero())) == (0, 0, 0, True)


# What is doubtful


@pytest.mark.parametrize(
    ("gap_mm", "doubtful", "taken"),
    [
        pytest.param(-3, False, True, id="well inside"),
        pytest.param(-1, False, True, id="as far inside as the accuracy"),
        pytest.param(-0.99, True, True, id="hardly inside"),
        pytest.param(0, True, True, id="touching"),
        pytest.param(0.01, True, False, id="hardly outside"),
        pytest.param(0.99, True, False, id="nearly as far outside as the accuracy"),
        pytest.param(1, False, False, id="as far outside as the accuracy"),
        pytest.param(3, False, False, id="well outside"),
    ],
)
def test_what_is_nearer_to_the_edge_than_the_accuracy_is_doubtful(gap_mm, doubtful, taken):
    room = the_room(a_hero(), at_the_wall(10, "gold", gap_mm), accuracy_mm=1, near_mm=2)

    assert [cube.id for cube in room.doubtful] == [10] * doubtful
    assert room.cubes == (10,) * taken


@pytest.mark.parametrize("gap_mm", [-1.5, -1, -0.25, 0, 0.25, 1, 1.5, 1.9])
def test_a_doubtful_cube_is_inside_as_likely_as_the_accuracy_says(gap_mm):
    [cube] = the_room(a_hero(), at_the_wall(10, "gold", gap_mm)).doubtful

    assert cube.gap_mm == pytest.approx(gap_mm, abs=1e-9)
    assert cube.likely_in == pytest.approx(phi(-gap_mm), abs=1e-9)


def test_a_cube_that_just_touches_is_a_toss_up():
    [cube] = the_room(a_hero(), at_the_wall(10, "gold", 0)).doubtful

    assert cube.likely_in == pytest.approx(0.5, abs=1e-9)


def test_at_the_limit_of_the_accuracy_one_in_forty_is_wrong():
    [cube] = the_room(a_hero(), at_the_wall(10, "gold", 0.999_999), accuracy_mm=1).doubtful

    assert cube.likely_in == pytest.approx(0.025, abs=1e-4)


def test_a_better_camera_is_surer():
    [coarse] = the_room(a_hero(), at_the_wall(10, "gold", 0.5), accuracy_mm=2).doubtful
    [fine] = the_room(a_hero(), at_the_wall(10, "gold", 0.5), accuracy_mm=0.6).doubtful

    assert coarse.likely_in == pytest.approx(phi(-0.5 * 1.96 / 2), abs=1e-9)
    assert fine.likely_in == pytest.approx(phi(-0.5 * 1.96 / 0.6), abs=1e-9)


def test_a_perfect_camera_has_no_doubts():
    for near_mm in (0, 2):
        room = the_room(a_hero(), at_the_wall(10, "gold", 0), accuracy_mm=0, near_mm=near_mm)
        assert (room.cubes, room.doubtful) == ((10,), ())
        assert outlook(room) == (1, 1, 1, True)


def test_doubts_beyond_what_was_measured_cannot_be_asked_for():
    rooms = find_rooms(Table.put([at_the_wall(10, "gold", 0)]), 1.5)

    with pytest.raises(ValueError, match=r"1\.5"):
        advise(rooms, Hero(), 1.6)

    assert len(advise(rooms, Hero(), 1.5)) == 0


# One doubtful cube


@pytest.mark.parametrize("gap_mm", [-0.5, 0, 1e-11, 0.5])
def test_a_doubtful_gold_counts_by_its_probability(gap_mm):
    room = the_room(a_hero(), inside(10, "gold"), at_the_wall(11, "gold", gap_mm))

    assert outlook(room) == about(1, 2, 1 + phi(-gap_mm), True)


@pytest.mark.parametrize("gap_mm", [-0.5, 0.5])
def test_a_doubtful_goblin_may_cost_the_last_hit_point(gap_mm):
    room = the_room(a_hero(8, 7), inside(10, "gem_pink"), at_the_wall(11, "goblin", gap_mm))

    assert room.allowed == (gap_mm > 0)
    assert outlook(room) == about(0, 3, 3 * (1 - phi(-gap_mm)), False)


def test_a_doubtful_goblin_that_can_be_borne_is_safe():
    room = the_room(a_hero(8, 6), inside(10, "gem_pink"), at_the_wall(11, "goblin", 0.5))

    assert outlook(room) == about(3, 3, 3, True)


def test_a_doubtful_dragon_needs_a_shield():
    cubes = inside(10, "gold"), at_the_wall(11, "dragon", 0.25)

    assert outlook(the_room(a_hero(20), *cubes)) == about(0, 1, 1 - phi(-0.25), False)
    assert outlook(the_room(a_hero(2, shield=1), *cubes)) == about(1, 9, 1 + 8 * phi(-0.25), True)


def test_a_doubtful_shield_does_not_help_against_this_dragon():
    room = the_room(a_hero(20), inside(10, "dragon"), at_the_wall(11, "shield", -0.5))

    assert outlook(room) == (0, 0, 0, False)


def test_a_doubtful_key_may_open_the_chest():
    room = the_room(a_hero(), inside(10, "chest"), at_the_wall(11, "key", 1))

    assert outlook(room) == about(0, 3.5, 3.5 * phi(-1), True)


def test_doubtful_stairs_change_nothing():
    room = the_room(a_hero(), inside(10, "gold"), at_the_wall(11, "stairs", 0.5))

    assert [cube.id for cube in room.doubtful] == [11]
    assert outlook(room) == about(1, 1, 1, True)


def test_a_doubtful_cube_may_cross_a_threshold():
    bonus = (Term(6, When.AT_LEAST, What.CUBES, (Kind.GOLD,), number=3),)
    room = the_room(a_hero(gold=1, bonus=bonus), inside(10, "gold"), at_the_wall(11, "gold", 0.5))

    assert outlook(room) == about(1, 8, 1 + 7 * phi(-0.5), True)


def test_a_doubtful_cube_may_cost_points():
    bonus = (Term(-4, When.EACH, What.CUBES, (Kind.GOLD,)),)
    room = the_room(a_hero(bonus=bonus), at_the_wall(11, "gold", -0.5))

    assert room.gain == -3
    assert outlook(room) == about(-3, 0, -3 * phi(0.5), True)


def test_a_doubtful_cube_is_counted_with_its_size():
    bonus = (Term(5, When.EACH, What.CUBES, (Kind.GOLD,), Size.LARGE),)
    large = flat_cube(11, Kind.GOLD, Size.LARGE, (50, -9.5))

    assert outlook(the_room(a_hero(bonus=bonus), large)) == about(0, 6, 6 * phi(-0.5), True)
    small = at_the_wall(11, "gold", 0.5)
    assert outlook(the_room(a_hero(bonus=bonus), small)) == about(0, 1, phi(-0.5), True)


def test_a_doubtful_troll_may_cost_a_shield():
    bonus = (Term(3, When.EACH, What.CUBES, (Kind.SHIELD,)),)
    room = the_room(a_hero(2, shield=1, bonus=bonus), inside(10, "gold"), at_the_wall(11, "troll", 0.5))

    assert (room.gain, room.shields_used) == (1, 0)
    assert outlook(room) == about(0, 1, 1 * (1 - phi(-0.5)) + (1 + 2 - 3) * phi(-0.5), True)


# Several


def test_doubtful_cubes_fall_independently():
    room = the_room(a_hero(3), at_the_wall(11, "troll", 0.5, 40), at_the_wall(12, "troll", -0.25, 60))
    one, other = phi(-0.5), phi(0.25)

    assert (room.allowed, room.safe) == (True, False)
    assert room.worst == 0
    assert room.best == 2
    assert room.expected_gain == pytest.approx(2 * (one * (1 - other) + other * (1 - one)), abs=1e-9)


def test_a_room_with_two_bearable_goblins_but_not_three_is_not_safe():
    goblins = [at_the_wall(11 + place, "goblin", 0.5, 30 + 20 * place) for place in range(3)]

    assert the_room(a_hero(3), *goblins[:2]).safe
    assert not the_room(a_hero(3), *goblins).safe


def test_a_doubtful_pair():
    room = the_room(a_hero(), at_the_wall(11, "key", 0.5, 40), at_the_wall(12, "chest", -0.25, 60))

    assert outlook(room) == about(0, 3.5, 3.5 * phi(-0.5) * phi(0.25), True)


# Pillars


def test_a_doubtful_pillar_may_forbid_the_room():
    room = the_room(a_hero(), inside(10, "gem_pink"), at_the_wall(4, "pillar", 0.5))

    assert [cube.id for cube in room.doubtful] == [4]
    assert (room.gain, room.allowed) == (3, True)
    assert outlook(room) == about(0, 3, 3 * (1 - phi(-0.5)), False)


def test_two_doubtful_pillars_must_both_stay_out():
    room = the_room(
        a_hero(), inside(10, "gold"), at_the_wall(4, "pillar", 0.5, 60), at_the_wall(5, "pillar", 1, 100)
    )

    assert outlook(room) == about(0, 1, (1 - phi(-0.5)) * (1 - phi(-1)), False)


def test_a_doubtful_pillar_and_a_doubtful_cube():
    room = the_room(
        a_hero(), inside(10, "gold"), at_the_wall(4, "pillar", 0.5, 60), at_the_wall(11, "gem_blue", -1, 100)
    )

    assert outlook(room) == about(0, 3, (1 + 2 * phi(1)) * (1 - phi(-0.5)), False)


def test_a_doubtful_pillar_does_not_improve_the_worst():
    bonus = (Term(-4, When.EACH, What.CUBES, (Kind.GOLD,)),)
    room = the_room(a_hero(bonus=bonus), inside(10, "gold"), at_the_wall(4, "pillar", 0.5))

    assert (room.worst, room.safe) == (-3, False)
    assert room.expected_gain == pytest.approx(-3 * (1 - phi(-0.5)), abs=1e-9)


def test_a_pillar_that_may_forbid_a_harmful_room_makes_the_best_nothing():
    bonus = (Term(-4, When.EACH, What.CUBES, (Kind.GOLD,)),)
    room = the_room(a_hero(bonus=bonus), inside(10, "gold"), at_the_wall(4, "pillar", 0.5))

    assert room.best == 0


# More than can be thought through


def gold_in_a_row(gaps_mm):
    return [at_the_wall(10 + place, "gold", gap_mm, 10 + 14 * place) for place, gap_mm in enumerate(gaps_mm)]


def test_ten_doubtful_cubes_are_thought_through():
    gaps = [0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7, -0.8, 0.9, -1.0]

    room = the_room(a_hero(), *gold_in_a_row(gaps))

    assert THOUGHT_THROUGH == len(gaps)
    assert outlook(room) == about(0, 10, sum(phi(-gap) for gap in gaps), True)


@pytest.mark.parametrize("shuffle", range(3))
def test_of_more_doubtful_cubes_the_surest_keep_their_reading(shuffle):
    unsure = [0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7, -0.8, 0.9, -1.0]
    surest = [1.1, -1.2, 1.3, -1.4]
    gaps = unsure + surest
    random.Random(shuffle).shuffle(gaps)

    room = the_room(a_hero(), *gold_in_a_row(gaps))

    assert len(room.doubtful) == 14
    assert outlook(room) == about(2, 12, 2 + sum(phi(-gap) for gap in unsure), True)


def test_the_surest_of_many_still_decide_whether_a_room_is_safe():
    goblin = at_the_wall(9, "goblin", 1.9, 180)
    gold = gold_in_a_row([0.1 * place - 0.45 for place in range(THOUGHT_THROUGH)])

    room = the_room(a_hero(1), goblin, *gold)

    assert room.safe is False
    assert (room.worst, room.best) == (0, 10)
    assert the_room(a_hero(2), goblin, *gold).safe is True


def test_pillars_do_not_take_the_place_of_doubtful_cubes():
    gaps = [0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7, -0.8, 0.9, -1.0]
    pillar = at_the_wall(4, "pillar", 0.05, 170)

    room = the_room(a_hero(), pillar, *gold_in_a_row(gaps))

    assert outlook(room) == about(0, 10, sum(phi(-gap) for gap in gaps) * (1 - phi(-0.05)), False)


def test_many_cubes_that_do_not_just_add_up_are_thought_through_as_well():
    kinds = [
        "gold",
        "key",
        "troll",
        "chest",
        "goblin",
        "gem_pink",
        "chest",
        "key",
        "troll",
        "gem_blue",
        "gold",
    ]
    kinds += ["goblin", "chest"]
    rng = random.Random(8)
    cubes = [
        at_the_wall(10 + place, kind, rng.uniform(-1.9, 1.9), 4 + 15 * place)
        for place, kind in enumerate(kinds)
    ]
    hero = a_hero(6, 2, key=1, shield=1, potion=1)
    bonus = (Term(4, When.AT_LEAST, What.CUBES, (Kind.TROLL, Kind.GOBLIN), number=2),)

    compare(cubes_and_pillars(cubes), hero, ACCURACY_MM)
    compare(cubes_and_pillars(cubes), a_hero(9, 1, bonus=bonus), ACCURACY_MM)


def cubes_and_pillars(cubes):
    corners = ((1, (0, 0)), (2, (200, 0)), (3, (0, 200)))
    return [*(flat_cube(id, Kind.PILLAR, Size.SMALL, spot) for id, spot in corners), *cubes]


# Every way in which they may fall


def compare(cubes, hero, accuracy_mm):
    """Compare the advice on all rooms of a table with all readings; return how many were doubtful."""
    expected = {room.pillars: room for room in brute_force(cubes, accuracy_mm)}
    found = advice_on(cubes, hero, accuracy_mm, accuracy_mm + 0.5)
    assert {room.pillars for room in found.top()} == set(expected)
    for room in found.top():
        slow = expected[room.pillars]
        worst, best, mean, safe = slow_outlook(hero, cubes, slow, accuracy_mm, THOUGHT_THROUGH)
        close = {cube.id: cube for cube in room.doubtful}
        assert set(close) == set(slow.near)
        for id, gap_mm in slow.near.items():
            assert close[id].likely_in == pytest.approx(likely_in(gap_mm, accuracy_mm), abs=1e-6)
        assert room.safe == safe, room
        assert room.worst == pytest.approx(worst, abs=1e-6), room
        assert room.best == pytest.approx(best, abs=1e-6), room
        assert room.expected_gain == pytest.approx(mean, abs=1e-6), room
    return sum(bool(room.near) for room in expected.values())


@pytest.mark.parametrize("seed", range(30))
def test_all_readings_of_random_tables_agree(seed):
    rng = random.Random(seed)
    doubtful = 0

    for _ in range(4):
        cubes = random_cubes(rng, rng.randint(4, 9), rng.randint(3, 14), rng.uniform(60, 130))
        for _ in range(3):
            doubtful += compare(cubes, random_hero(rng), rng.choice((1, 2, 3, 5)))

    assert doubtful


def test_one_room_alone_and_all_rooms_together_are_thought_through_alike(monkeypatch):
    rng = random.Random(2)
    cubes, hero = random_cubes(rng, 12, 60, 160), random_hero(rng)
    advice = advice_on(cubes, hero, 4)

    together = advice.top()

    assert max(len(room.doubtful) for room in together) > THOUGHT_THROUGH
    assert tuple(advice.room(room.place) for room in together) == together
    monkeypatch.setattr(readings, "BLOCK", 700)
    assert advice_on(cubes, hero, 4).top() == together


def test_the_expected_gain_lies_between_the_worst_and_the_best():
    rng = random.Random(3)

    for _ in range(50):
        advice = advice_on(random_cubes(rng, 9, 30, 130), random_hero(rng), 3)
        for room in advice.top():
            assert room.worst - 1e-9 <= room.expected_gain <= room.best + 1e-9
            assert not room.safe or room.allowed
