"""Rooms, contents and gaps equal those of the brute force on hundreds of tables, friendly and hostile."""

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import copysign, sqrt

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.dungeon_drop.pieces import Kind, Size
from companion.dungeon_drop.rooms import find_rooms
from companion.dungeon_drop.table import Cube, Table, square
from tests.companion.dungeon_drop.random_tables import (
    GENERATORS,
    TINY_MM,
    by_a_hair,
    by_a_planned_hair,
    far_away,
    in_a_grid,
    moved,
    pillars_crossing,
    pillars_in_a_row,
    pillars_on_one_spot,
    pillars_sharing_corners,
    pillars_within_pillars,
)
from tests.companion.dungeon_drop.shapely_rooms import (
    brute_force,
    disagreements,
    hull_of,
    rooms_as_found,
    signed_gap,
)

TABLES_EACH = 42
NEAR_MM = 2.0


def found_on(cubes, near_mm=NEAR_MM):
    """Return the rooms that the code under test finds."""
    return rooms_as_found(find_rooms(Table.put(cubes), near_mm))


@cache
def tables_of(generator):
    """Return the tables of a generator with what the brute force says of each."""
    tables = [generator(random.Random(f"{generator.__name__} {seed}")) for seed in range(TABLES_EACH)]
    return [(cubes, brute_force(cubes, NEAR_MM)) for cubes in tables]


def footprints(cubes):
    return {cube.id: cube.footprint_mm for cube in cubes}


# Random tables


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda generator: generator.__name__)
def test_rooms_are_those_of_the_brute_force(generator):
    tables = tables_of(generator)

    words = {}
    for seed, (cubes, expected) in enumerate(tables):
        words[seed] = disagreements(found_on(cubes), cubes, NEAR_MM, expected)

    assert {seed: said for seed, said in words.items() if said} == {}


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda generator: generator.__name__)
def test_the_tables_have_rooms_with_contents_and_narrow_gaps(generator):
    rooms = [room for _, expected in tables_of(generator) for room in expected]

    gaps = [gap for room in rooms for gap in room.near.values()]

    assert len(rooms) > 5 * TABLES_EACH
    assert sum(len(room.inside) for room in rooms) > 15 * TABLES_EACH
    assert sum(gap > 0 for gap in gaps) > TABLES_EACH
    assert sum(gap < 0 for gap in gaps) > TABLES_EACH


def test_there_are_five_hundred_tables():
    assert len(GENERATORS) * TABLES_EACH >= 500


def test_pillars_and_cubes_are_as_many_as_in_a_game():
    tables = [cubes for generator in GENERATORS for cubes, _ in tables_of(generator)]

    pillars = [sum(cube.kind == Kind.PILLAR for cube in cubes) for cubes in tables]
    others = [len(cubes) - count for cubes, count in zip(tables, pillars, strict=True)]

    assert 8 <= min(pillars) <= 9 and max(pillars) >= 13
    assert 15 <= min(others) <= 18 and max(others) >= 25


# The adversaries do what they are for


def test_cubes_in_a_grid_touch_rooms_exactly():
    gaps = [gap for _, rooms in tables_of(in_a_grid) for room in rooms for gap in room.near.values()]

    assert sum(abs(gap) < 1e-12 for gap in gaps) > 5 * TABLES_EACH


@pytest.mark.parametrize(
    "generator",
    [pillars_crossing, pillars_on_one_spot, pillars_sharing_corners, pillars_within_pillars],
    ids=lambda generator: generator.__name__,
)
def test_rooms_stand_between_pillars_that_touch_each_other(generator):
    many = 0
    for cubes, rooms in tables_of(generator):
        shapes = {id: hull_of(footprint) for id, footprint in footprints(cubes).items()}
        for room in rooms:
            pairs = combinations([shapes[id] for id in room.pillars], 2)
            many += any(one.distance(other) < 1e-9 for one, other in pairs)

    assert many > 3 * TABLES_EACH


def test_rooms_stand_between_pillars_in_a_row():
    many = 0
    for cubes, rooms in tables_of(pillars_in_a_row):
        corners = footprints(cubes)
        for room in rooms:
            flat = hull_of(*([hull_of(corners[id]).centroid.coords[0]] for id in room.pillars))
            many += flat.area < 1e-6

    assert many > TABLES_EACH


@pytest.mark.parametrize("far_mm", [0.0, 1e4])
def test_hairs_are_as_thin_as_planned_in_exact_arithmetic(far_mm):
    differences = []
    for seed in range(8):
        cubes, hairs = by_a_planned_hair(random.Random(seed))
        corners = {id: moved(points, (far_mm, -far_mm)) for id, points in footprints(cubes).items()}
        for hair in hairs:
            room = [point for id in hair.trio for point in corners[id]]
            truth = exact_gap(room, corners[hair.cube])
            measured = signed_gap(hull_of(room), hull_of(corners[hair.cube]))
            differences.append((abs(truth - hair.gap_mm), abs(truth - measured)))

    planned, measured = (max(column) for column in zip(*differences, strict=True))

    assert len(differences) > 80
    assert planned < (1e-11 if far_mm else 5e-13)
    assert measured < 5e-13


def exact_gap(first, second):
    """Return the signed gap of the hulls of two lists of points, in fractions up to the last square root."""
    points = {(Fraction(x) - Fraction(u), Fraction(y) - Fraction(v)) for x, y in first for u, v in second}
    corners = exact_hull(points)
    edges = list(zip(corners, corners[1:] + corners[:1], strict=True))
    inside = all(cross(a, b, (0, 0)) >= 0 for a, b in edges)
    return copysign(sqrt(min(squared_distance(a, b) for a, b in edges)), -1 if inside else 1)


def exact_hull(points):
    """Return the corners of the hull, counter-clockwise, by Andrew's monotone chain."""
    halves = []
    for ordered in (sorted(points), sorted(points, reverse=True)):
        half = []
        for point in ordered:
            while len(half) > 1 and cross(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        halves += half[:-1]
    return halves


def cross(a, b, c):
    """Return twice the area of a triangle, positive if it turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def squared_distance(a, b):
    """Return the squared distance of the origin to a segment."""
    x, y = b[0] - a[0], b[1] - a[1]
    share = min(Fraction(1), max(Fraction(0), -(a[0] * x + a[1] * y) / (x * x + y * y)))
    return (a[0] + share * x) ** 2 + (a[1] + share * y) ** 2


def test_rooms_hang_on_every_hair_from_either_side():
    cubes_decided, pillars_decided = Counter(), Counter()
    for seed in range(TABLES_EACH):
        cubes, hairs = by_a_planned_hair(random.Random(seed))
        pillars = {cube.id for cube in cubes if cube.kind == Kind.PILLAR}
        found = {room.pillars: room for room in found_on(cubes)}
        for hair in hairs:
            if hair.cube in pillars:
                if legal(hair.trio, pillars - {hair.cube}, footprints(cubes)):
                    pillars_decided[hair.gap_mm, hair.trio in found] += 1
            elif hair.trio in found:
                cubes_decided[hair.gap_mm, hair.cube in found[hair.trio].inside] += 1

    assert set(cubes_decided) == {(gap, gap < 0) for gap in TINY_MM}
    assert set(pillars_decided) == {(gap, gap > 0) for gap in TINY_MM}
    assert min(cubes_decided.values()) > 20
    assert min(pillars_decided.values()) >= 5


def legal(trio, pillars, corners):
    """Tell whether no other of these pillars touches the room."""
    hull = hull_of(*(corners[id] for id in trio))
    return not any(hull.intersects(hull_of(corners[id])) for id in pillars - set(trio))


@pytest.mark.parametrize("generator", [by_a_hair, far_away], ids=lambda generator: generator.__name__)
def test_gaps_of_a_hair_are_measured_to_a_hundredth_of_it(generator):
    errors = []
    for cubes, expected in tables_of(generator):
        found = {room.pillars: room for room in found_on(cubes)}
        for room in expected:
            for id, gap in room.near.items():
                if 5e-10 < abs(gap) < 2e-6 and room.pillars in found:
                    errors.append(abs(found[room.pillars].near[id] - gap))

    assert len(errors) > TABLES_EACH
    assert max(errors) < 1e-11


# The comparison itself


def three_pillars_and_gold(gold_mm):
    pillars = [
        Cube(id, Kind.PILLAR, Size.SMALL, square(centre, 0, 8))
        for id, centre in ((1, (0, 0)), (2, (40, 0)), (3, (20, 40)), (4, (20, 80)))
    ]
    return [*pillars, Cube(5, Kind.GOLD, Size.SMALL, square(gold_mm, 0, 8))]


@pytest.mark.parametrize("gold_mm", [(20, -8.5), (20, -7.5)], ids=["outside", "inside"])
def test_the_comparison_notices_a_cube_on_the_wrong_side(gold_mm):
    other_side = (20, -16 - gold_mm[1])
    cubes = three_pillars_and_gold(gold_mm)

    words = disagreements(found_on(three_pillars_and_gold(other_side)), cubes, NEAR_MM)

    assert any("cube 5 inside" in said for said in words)
    assert any("gap of 5" in said for said in words)


def test_the_comparison_notices_a_missing_room_a_false_room_and_a_missing_gap():
    cubes = three_pillars_and_gold((20, -8.5))
    one, *others = brute_force(cubes, NEAR_MM)
    without_gaps = type(one)(one.pillars, one.inside, {})
    false_room = type(one)((1, 2, 4), one.inside, {})

    assert one.pillars == (1, 2, 3) and one.near == {5: 0.5}
    assert "room (1, 2, 3)" in disagreements(others, cubes, NEAR_MM)[0]
    assert "5 near" in disagreements([without_gaps, *others], cubes, NEAR_MM)[0]
    assert "room (1, 2, 4)" in disagreements([one, false_room, *others], cubes, NEAR_MM)[0]
    assert disagreements([one, one, *others], cubes, NEAR_MM) == ["rooms out of order or twice"]


def test_the_comparison_lets_only_doubtful_decisions_pass():
    touching = three_pillars_and_gold((20, -8))
    a_hair_off = three_pillars_and_gold((20, -8 - 2e-9))
    outside = [type(room)(room.pillars, frozenset(), room.near) for room in brute_force(touching, NEAR_MM)]

    assert disagreements(outside, touching, NEAR_MM) == []
    assert disagreements(outside, a_hair_off, NEAR_MM) == []
    assert disagreements(brute_force(touching, NEAR_MM), a_hair_off, NEAR_MM) != []


# Tables that hypothesis makes up, to be shrunk when they fail


def between(least, most):
    """Give whole numbers, where things touch exactly, and others."""
    return st.integers(least, most) | st.floats(least, most).map(lambda value: round(value, 6))


def squares(reach_mm):
    """Give flat cubes around the origin."""
    turns = st.sampled_from((0, 15, 30, 45, 90)) | st.floats(0, 360)
    centres = st.tuples(between(-reach_mm, reach_mm), between(-reach_mm, reach_mm))
    return st.builds(square, centres, turns, st.sampled_from((8, 10, 12)))


@st.composite
def polygons(draw, reach_mm):
    """Give any convex polygon between whole coordinates, thin ones too, some with repeated corners."""
    x, y = draw(st.tuples(*[st.integers(-reach_mm, reach_mm)] * 2))
    near = st.tuples(st.integers(x - 6, x + 6), st.integers(y - 6, y + 6))
    hull = hull_of(draw(st.lists(near, min_size=3, max_size=8, unique=True)))
    assume(hull.geom_type == "Polygon")
    corners = [point for point in hull.exterior.coords[:-1] for _ in range(draw(st.sampled_from((1, 1, 2))))]
    return tuple(corners if draw(st.booleans()) else reversed(corners))


def shapes(reach_mm):
    """Give footprints of any kind."""
    return squares(reach_mm) | polygons(reach_mm)


def cubes_of(pillars, others):
    """Name the footprints so that pillars and others take turns."""
    numbers = iter(range(7, 500, 3))
    others = [Cube(next(numbers), Kind.GOLD, Size.SMALL, footprint) for footprint in others]
    return [Cube(next(numbers), Kind.PILLAR, Size.SMALL, footprint) for footprint in pillars] + others


def stand_apart(footprints):
    return not any(one.intersects(other) for one, other in combinations(map(hull_of, footprints), 2))


distances = st.sampled_from((0.5, NEAR_MM, 7.3))
few_pillars = st.lists(shapes(45), min_size=3, max_size=5)


@settings(max_examples=200, deadline=None)
@given(few_pillars.filter(stand_apart), st.lists(shapes(35), min_size=1, max_size=8), distances)
def test_whatever_stands_apart_makes_the_rooms_of_the_brute_force(pillars, others, near_mm):
    cubes = cubes_of(pillars, others)

    found = found_on(cubes, near_mm)

    assert disagreements(found, cubes, near_mm) == []


@settings(max_examples=200, deadline=None)
@given(st.lists(shapes(4), min_size=2, max_size=3), shapes(45), st.lists(shapes(14), max_size=6), distances)
def test_whatever_stands_in_a_heap_makes_the_rooms_of_the_brute_force(heap, lone, others, near_mm):
    cubes = cubes_of([*heap, lone], others)

    found = found_on(cubes, near_mm)

    assert disagreements(found, cubes, near_mm) == []
