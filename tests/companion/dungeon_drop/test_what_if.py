"""A cube picked up and put down gives the rooms and the advice that looking at the table anew gives."""

import random
from dataclasses import fields, replace

import numpy as np
import pytest

from companion.dungeon_drop.advice import advise
from companion.dungeon_drop.hero import Hero
from companion.dungeon_drop.holdings import Reserve
from companion.dungeon_drop.pieces import Kind, Size
from companion.dungeon_drop.rooms import find_rooms
from companion.dungeon_drop.table import Table, flat_cube, square
from companion.dungeon_drop.what_if import pick_up
from tests.companion.dungeon_drop.random_tables import (
    GENERATORS,
    TINY_MM,
    a_spot,
    a_square,
    beside,
    dropped,
    in_a_grid,
    leaning,
)
from tests.companion.dungeon_drop.shapely_rooms import disagreements, rooms_as_found

# Between the gaps that a grid of whole millimetres can have.
NEAR_MM = 1.73
ACCURACY_MM = 1.23

every_kind_of_table = pytest.mark.parametrize(
    "generator", GENERATORS, ids=lambda generator: generator.__name__
)


def put_elsewhere(cubes, id, footprint):
    """Return the cubes, one of them somewhere else."""
    return [replace(cube, footprint_mm=footprint) if cube.id == id else cube for cube in cubes]


def look_at(cubes, near_mm=NEAR_MM):
    """Return the advice for somebody who is hurt and has something to defend himself with."""
    hero = Hero(8, 4, Reserve.of({Kind.SHIELD: 1, Kind.POTION: 1, Kind.KEY: 1}))
    return advise(find_rooms(Table.put(cubes), near_mm), hero, min(near_mm, ACCURACY_MM))


def move_cube(advice, id, footprint):
    """Pick a cube up and put it down elsewhere."""
    return pick_up(advice, id).put_down(footprint)


def assert_same(found, expected):
    """Compare two pieces of advice on one table, gaps but for rounding."""
    ours, theirs = found.rooms, expected.rooms
    assert ours.table.cubes == theirs.table.cubes
    assert ours.outside_limits == theirs.outside_limits
    assert_equal(ours.inside, theirs.inside)
    assert_equal_fields(ours.trios, theirs.trios)
    assert_equal_fields(ours.near, theirs.near)
    ours_at_risk, theirs_at_risk = found.risks(found.order), expected.risks(expected.order)
    assert_equal_fields(ours_at_risk.doubts, theirs_at_risk.doubts)
    assert_equal_fields(found.effects, expected.effects)
    assert_equal(found.gives, expected.gives)
    assert_equal(ours_at_risk.safe, theirs_at_risk.safe)
    assert_equal(found.order, expected.order)


def assert_equal_fields(found, expected):
    for field in fields(expected):
        assert_equal(getattr(found, field.name), getattr(expected, field.name))


def assert_equal(found, expected):
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype
    if expected.dtype == np.float64:
        assert np.allclose(found, expected, rtol=0, atol=1e-9)
    else:
        assert np.array_equal(found, expected)


def somewhere(rng, cubes):
    """Return a footprint to move to: anywhere, in the place of another, leaning, or at a wall by a hair."""
    how = rng.randrange(5)
    if how == 0:
        return rng.choice(cubes).footprint_mm
    if how == 1:
        return leaning(rng, a_spot(rng, 45), corners=rng.choice((3, 4)))
    if how == 2:
        trio = rng.sample([cube.footprint_mm for cube in cubes if cube.kind == Kind.PILLAR], 3)
        return beside(rng, trio, rng.choice((*TINY_MM, 0.0)))
    return a_square(rng, a_spot(rng, 45))


def found_in(advice):
    """Return the rooms by ids."""
    return rooms_as_found(advice.rooms)


def ids_of(cubes, pillars):
    return [cube.id for cube in cubes if (cube.kind == Kind.PILLAR) == pillars]


# One move


@every_kind_of_table
@pytest.mark.parametrize("pillars", [False, True], ids=["cubes", "pillars"])
@pytest.mark.parametrize("near_mm", [NEAR_MM, 11.3])
def test_rooms_after_a_move_are_those_found_anew(generator, pillars, near_mm):
    changed = 0
    for seed in range(3):
        rng = random.Random(f"{generator.__name__} {seed}")
        cubes = generator(rng)
        before = look_at(cubes, near_mm)
        for id in rng.sample(ids_of(cubes, pillars), 4):
            footprint = somewhere(rng, cubes)

            after = move_cube(before, id, footprint)

            assert_same(after, look_at(put_elsewhere(cubes, id, footprint), near_mm))
            changed += found_in(after) != found_in(before)
    assert changed >= 4


@every_kind_of_table
def test_a_long_chain_of_moves_ends_where_finding_anew_does(generator):
    rng = random.Random(generator.__name__)
    cubes = generator(rng)
    advice = look_at(cubes)
    seen = set()

    for _ in range(25):
        id, footprint = rng.choice(cubes).id, somewhere(rng, cubes)
        cubes = put_elsewhere(cubes, id, footprint)
        advice = move_cube(advice, id, footprint)
        seen.add(len(advice))

        assert_same(advice, look_at(cubes))
    assert len(seen) > 3


@pytest.mark.parametrize("seed", range(5))
def test_a_chain_of_moves_agrees_with_the_brute_force(seed):
    rng = random.Random(seed)
    cubes = dropped(rng)
    advice = look_at(cubes)

    for _ in range(12):
        id, footprint = rng.choice(cubes).id, a_square(rng, a_spot(rng, 60))
        cubes = put_elsewhere(cubes, id, footprint)
        advice = move_cube(advice, id, footprint)

    assert len(advice) > 5
    assert disagreements(found_in(advice), cubes, NEAR_MM) == []


@every_kind_of_table
def test_every_cube_can_be_moved_and_put_back(generator):
    cubes = generator(random.Random(1))
    before = look_at(cubes)

    for cube in cubes:
        away = move_cube(before, cube.id, square((300, 300), 10, 8))
        back = move_cube(away, cube.id, cube.footprint_mm)

        assert_same(back, before)


@every_kind_of_table
def test_a_move_to_the_same_place_changes_nothing(generator):
    cubes = generator(random.Random(2))
    before = look_at(cubes)

    for cube in cubes:
        assert_same(move_cube(before, cube.id, cube.footprint_mm), before)


@every_kind_of_table
def test_a_move_leaves_the_rooms_before_it_as_they_were(generator):
    rng = random.Random(3)
    cubes = generator(rng)
    before = look_at(cubes)

    for cube in cubes:
        move_cube(before, cube.id, somewhere(rng, cubes))

    assert_same(before, look_at(cubes))


@every_kind_of_table
@pytest.mark.parametrize("pillars", [False, True], ids=["cubes", "pillars"])
def test_a_cube_in_the_hand_can_be_held_over_many_places(generator, pillars):
    rng = random.Random(f"{generator.__name__} in the hand")
    cubes = generator(rng)
    id = rng.choice(ids_of(cubes, pillars))
    in_hand = pick_up(look_at(cubes), id)

    for footprint in [somewhere(rng, cubes) for _ in range(8)]:
        assert_same(in_hand.put_down(footprint), look_at(put_elsewhere(cubes, id, footprint)))


# Footprints of another form


@pytest.mark.parametrize("pillars", [False, True], ids=["a cube", "a pillar"])
@pytest.mark.parametrize("corners", [3, 5, 8])
@pytest.mark.parametrize("generator", [dropped, in_a_grid], ids=lambda generator: generator.__name__)
def test_a_cube_may_have_more_or_fewer_corners_than_any_before(generator, corners, pillars):
    for seed in range(5):
        rng = random.Random(seed)
        cubes = generator(rng)
        id = rng.choice(ids_of(cubes, pillars))
        footprint = leaning(rng, (3, -4), corners)
        moved = put_elsewhere(cubes, id, footprint)

        first = move_cube(look_at(cubes), id, footprint)
        then = move_cube(first, cubes[0].id, square((10, 10), 20, 10))

        assert_same(first, look_at(moved))
        again = put_elsewhere(moved, cubes[0].id, square((10, 10), 20, 10))
        assert_same(then, look_at(again))


def test_a_cube_may_turn_over_and_repeat_corners():
    cubes = dropped(random.Random(8))
    before = look_at(cubes)

    for cube in cubes:
        turned = tuple(reversed(cube.footprint_mm))
        assert_same(
            move_cube(before, cube.id, turned),
            look_at(put_elsewhere(cubes, cube.id, turned)),
        )
        closed = (*cube.footprint_mm, cube.footprint_mm[0])
        assert_same(
            move_cube(before, cube.id, closed),
            look_at(put_elsewhere(cubes, cube.id, closed)),
        )


# Small tables


def pillars_and_gold(pillars, gold):
    spots = ((0, 0), (40, 0), (20, 40), (60, 40), (20, 12))
    standing = [flat_cube(10 - place, Kind.PILLAR, Size.SMALL, spots[place]) for place in range(pillars)]
    return [*standing, *(flat_cube(20 + n, Kind.GOLD, Size.SMALL, (20 + n, 15 - n)) for n in range(gold))]


@pytest.mark.parametrize("pillars", range(6))
@pytest.mark.parametrize("gold", [0, 1, 8, 9, 64, 65])
def test_any_cube_of_a_small_table_can_be_moved(pillars, gold):
    cubes = pillars_and_gold(pillars, gold)
    before = look_at(cubes)

    for cube in {*cubes[:6], *cubes[-2:]}:
        for footprint in (square((20, 20), 5, 8), square((20, -8), 0, 8), square((500, 500), 0, 8)):
            expected = look_at(put_elsewhere(cubes, cube.id, footprint))

            assert_same(move_cube(before, cube.id, footprint), expected)


def test_a_pillar_dragged_out_of_a_room_makes_it_legal():
    cubes = pillars_and_gold(3, 1)
    blocking = flat_cube(4, Kind.PILLAR, Size.SMALL, (20, 12))
    before = look_at([*cubes, blocking])

    after = move_cube(before, 4, square((20, -9), 0, 8))
    away = move_cube(after, 4, square((-90, -90), 0, 8))

    assert (8, 9, 10) not in [room.pillars for room in found_in(before)]
    (room,) = [room for room in found_in(after) if room.pillars == (8, 9, 10)]
    assert room.inside == {20}
    assert room.near == pytest.approx({4: 1.0})
    assert [room.near for room in found_in(away) if room.pillars == (8, 9, 10)] == [{}]


def test_a_cube_dragged_over_the_edge_is_in_then_touching_then_out():
    before = look_at(pillars_and_gold(3, 1))

    found = [found_in(move_cube(before, 20, square((20, y), 0, 8)))[0] for y in (-7, -8, -9)]

    assert [room.inside for room in found] == [{20}, {20}, set()]
    assert [room.near[20] for room in found] == pytest.approx([-1.0, 0.0, 1.0], abs=1e-12)


def test_a_cube_that_is_not_there_cannot_be_moved():
    advice = look_at(pillars_and_gold(3, 1))

    with pytest.raises(KeyError):
        pick_up(advice, 99)
