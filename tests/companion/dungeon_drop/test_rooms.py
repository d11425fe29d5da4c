"""What a room is: rule by rule on small tables, and that it does not matter how the table lies."""

import random
from dataclasses import replace
from itertools import permutations
from math import cos, hypot, pi, sin, sqrt

import numpy as np
import pytest
from shapely import Polygon

from companion.dungeon_drop.pieces import Kind, Size
from companion.dungeon_drop.rooms import find_rooms
from companion.dungeon_drop.table import Cube, Table, flat_cube, square
from tests.companion.dungeon_drop.random_tables import FAR_MM, GENERATORS, dropped, leaning_cubes, moved
from tests.companion.dungeon_drop.shapely_rooms import disagreements, hull_of, rooms_as_found

# Between the gaps that a grid of whole millimetres can have.
NEAR_MM = 1.73

# A room with its lower wall along y = -4, as wide as x = -4 to 44.
CORNERS = ((1, (0, 0)), (2, (40, 0)), (3, (20, 40)))


def pillar(id, centre_mm, yaw_deg=0.0, size=Size.SMALL):
    return flat_cube(id, Kind.PILLAR, size, centre_mm, yaw_deg)


def gold(id, centre_mm, yaw_deg=0.0, size=Size.SMALL):
    return flat_cube(id, Kind.GOLD, size, centre_mm, yaw_deg)


def the_pillars():
    return [pillar(id, centre) for id, centre in CORNERS]


def rooms_on(*cubes, near_mm=2.0):
    """Return the rooms by ids."""
    return rooms_as_found(find_rooms(Table.put(cubes), near_mm))


def trios_on(*cubes):
    return [room.pillars for room in rooms_on(*cubes)]


# What is inside


def test_three_pillars_make_a_room():
    assert trios_on(*the_pillars()) == [(1, 2, 3)]


@pytest.mark.parametrize(
    ("centre_mm", "yaw_deg"),
    [
        pytest.param((20, 15), 0, id="in the middle"),
        pytest.param((20, -6), 0, id="half in the wall"),
        pytest.param((0, 0), 0, id="in the place of a pillar"),
        pytest.param((20, -8), 0, id="side along the edge"),
        pytest.param((47, -8), 0, id="a bit of its side along the edge"),
        pytest.param((48, -8), 0, id="corner to corner"),
        pytest.param((-8, 0), 0, id="side to side with a pillar"),
        pytest.param((20, -4 - sqrt(32)), 45, id="a corner on the edge"),
        pytest.param((44 + 4 * sqrt(2), -4), 45, id="a corner on a corner"),
        pytest.param((20, 48), 0, id="on top"),
    ],
)
def test_a_cube_that_touches_the_room_even_its_edge_is_inside(centre_mm, yaw_deg):
    (room,) = rooms_on(*the_pillars(), gold(4, centre_mm, yaw_deg))

    assert room.inside == {4}


@pytest.mark.parametrize(
    ("centre_mm", "yaw_deg", "gap_mm"),
    [
        pytest.param((20, -9), 0, 1.0, id="a millimetre below"),
        pytest.param((20, -8.000001), 0, 0.000001, id="a nanometre below"),
        pytest.param((48.6, -8.8), 0, 1.0, id="off a corner"),
        pytest.param((20, -5 - sqrt(32)), 45, 1.0, id="corner to the edge"),
        pytest.param((20, 49.5), 0, 1.5, id="on top"),
    ],
)
def test_a_cube_that_does_not_touch_is_outside_by_its_gap(centre_mm, yaw_deg, gap_mm):
    (room,) = rooms_on(*the_pillars(), gold(4, centre_mm, yaw_deg))

    assert room.inside == set()
    assert room.near == pytest.approx({4: gap_mm}, abs=1e-9)


def test_a_cube_exactly_at_the_edge_has_no_gap():
    (room,) = rooms_on(*the_pillars(), gold(4, (20, -8)))

    assert room.near == pytest.approx({4: 0.0}, abs=1e-12)


@pytest.mark.parametrize(
    ("centre_mm", "yaw_deg", "gap_mm"),
    [
        pytest.param((20, -7), 0, -1.0, id="straight out below"),
        pytest.param((20, -4 - sqrt(32) + 0.5), 45, -0.5, id="by its corner"),
        pytest.param((-7.5, -4), 0, -0.5, id="sideways"),
        pytest.param((-6.9, -7.5), 0, -0.5, id="the shorter way out of a corner"),
    ],
)
def test_a_cube_inside_has_to_go_as_far_as_its_gap_to_leave(centre_mm, yaw_deg, gap_mm):
    (room,) = rooms_on(*the_pillars(), gold(4, centre_mm, yaw_deg))

    assert room.inside == {4}
    assert room.near == pytest.approx({4: gap_mm}, abs=1e-9)


def test_walls_are_as_thick_as_the_pillars():
    beside_the_slanting_wall = gold(4, (0.5, 27.5))
    thick_pillars = [pillar(id, centre, size=Size.LARGE) for id, centre in CORNERS]

    (room,) = rooms_on(*the_pillars(), beside_the_slanting_wall)
    (thicker,) = rooms_on(*thick_pillars, beside_the_slanting_wall)

    assert room.inside == set()
    assert room.near == pytest.approx({4: 2.5 / sqrt(5)})
    assert thicker.inside == {4}
    assert thicker.near == pytest.approx({4: -0.5 / sqrt(5)})


def test_a_cube_wide_of_the_edge_is_not_measured():
    (room,) = rooms_on(*the_pillars(), gold(4, (20, 15)), gold(5, (20, -30)), gold(6, (20, -10)), near_mm=2.0)

    assert room.inside == {4}
    assert room.near == {}


def test_nothing_is_near_if_nobody_asks():
    (room,) = rooms_on(*the_pillars(), gold(4, (20, -8)), gold(5, (20, -7)), gold(6, (20, -9)), near_mm=0.0)

    assert room.inside == {4, 5}
    assert room.near == {}


def test_stairs_lie_inside_and_never_block():
    (room,) = rooms_on(*the_pillars(), flat_cube(4, Kind.STAIRS, Size.SMALL, (20, 15)))

    assert room.inside == {4}


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind != Kind.PILLAR])
def test_any_cube_but_a_pillar_can_be_inside(kind):
    (room,) = rooms_on(*the_pillars(), flat_cube(4, kind, Size.LARGE, (20, 15)))

    assert room.inside == {4}


# What makes a room illegal


@pytest.mark.parametrize(
    "centre_mm",
    [
        pytest.param((20, 15), id="in the middle"),
        pytest.param((20, -6), id="in the wall"),
        pytest.param((20, -8), id="at the edge"),
        pytest.param((48, -8), id="at a corner"),
        pytest.param((48, 0), id="at a pillar"),
    ],
)
def test_a_room_that_another_pillar_touches_is_illegal(centre_mm):
    assert (1, 2, 3) not in trios_on(*the_pillars(), pillar(4, centre_mm))


def test_a_pillar_that_just_does_not_touch_is_near():
    room, *_ = rooms_on(*the_pillars(), pillar(4, (20, -8.001)))

    assert room.pillars == (1, 2, 3)
    assert room.inside == set()
    assert room.near == pytest.approx({4: 0.001}, abs=1e-9)


def test_a_pillar_in_the_middle_leaves_the_three_rooms_around_it():
    assert trios_on(*the_pillars(), pillar(4, (20, 15))) == [(1, 2, 4), (1, 3, 4), (2, 3, 4)]


def test_own_pillars_are_neither_inside_nor_near():
    rooms = rooms_on(*the_pillars(), pillar(4, (20, -20)), near_mm=30)

    assert [room.inside for room in rooms] == [set()] * len(rooms)
    assert all(not room.near.keys() & set(room.pillars) for room in rooms)


# Pillars in a row


def test_three_pillars_in_a_row_make_a_narrow_room():
    between, beside, beyond = gold(4, (10, 0)), gold(5, (10, 8)), gold(6, (10, -9))
    pillars = [pillar(id, (x, 0)) for id, x in ((1, 0), (2, 20), (3, 40))]

    (room,) = rooms_on(*pillars, between, beside, beyond)

    assert room.inside == {4, 5}
    assert room.near == pytest.approx({5: 0.0, 6: 1.0}, abs=1e-12)


def test_the_third_pillar_may_stand_between_the_two_others():
    rooms = rooms_on(pillar(1, (0, 0)), pillar(2, (40, 0)), pillar(3, (20, 3)))

    assert [room.pillars for room in rooms] == [(1, 2, 3)]


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_whichever_of_the_three_stands_between_does_not_matter(order):
    pillars = [pillar(id, centre) for id, centre in zip(order, ((0, 0), (40, 0), (20, 5)), strict=True)]

    (room,) = rooms_on(*pillars, gold(4, (20, 14)), gold(5, (20, -10)), gold(6, (20, 5)), near_mm=3)

    assert room.pillars == (1, 2, 3)
    assert room.inside == {6}
    assert room.near == pytest.approx({4: 1.0, 5: 2.0})


def test_of_pillars_in_a_row_only_neighbours_make_a_room():
    row = [pillar(id, (id * 15, 0)) for id in range(1, 6)]

    assert trios_on(*row) == [(1, 2, 3), (2, 3, 4), (3, 4, 5)]


@pytest.mark.parametrize("yaw_deg", [0, 17, 45, 90, 123.4])
def test_pillars_in_a_row_with_one_aside_make_a_fan(yaw_deg):
    angle = yaw_deg * pi / 180
    row = [pillar(id, (20 * id * cos(angle), 20 * id * sin(angle)), yaw_deg=yaw_deg) for id in range(1, 4)]
    aside = pillar(9, (40 * cos(angle) - 50 * sin(angle), 40 * sin(angle) + 50 * cos(angle)))

    assert trios_on(*row, aside) == [(1, 2, 3), (1, 2, 9), (2, 3, 9)]


# Pillars seen where another one is


def test_a_pillar_seen_twice_blocks_all_rooms_of_only_one_of_them():
    assert trios_on(*the_pillars(), pillar(4, (0, 0))) == [(1, 2, 4), (1, 3, 4)]


def test_three_pillars_on_one_spot_make_a_room_of_that_size():
    (room,) = rooms_on(*(pillar(id, (0, 0)) for id in (1, 2, 3)), gold(4, (8, 0)), gold(5, (9, 0)))

    assert room.inside == {4}
    assert room.near == pytest.approx({4: 0.0, 5: 1.0}, abs=1e-12)


def test_pillars_turned_on_one_spot_reach_as_far_as_both():
    twice = [pillar(1, (0, 0)), pillar(2, (0, 0), yaw_deg=45)]
    gap = hull_of(twice[0].footprint_mm, twice[1].footprint_mm).distance(Polygon(square((9, -6.5), 0, 8)))

    (room,) = rooms_on(*twice, pillar(3, (0, 60)), gold(4, (9, -6.5)))

    assert gap == pytest.approx(0.34985, abs=1e-5)
    assert room.inside == set()
    assert room.near == pytest.approx({4: gap})


@pytest.mark.parametrize("off_mm", [0.0, 1e-13, -1e-13])
def test_the_edge_between_pillars_that_share_a_corner_is_straight(off_mm):
    fan = [
        Cube(1, Kind.PILLAR, Size.SMALL, ((0, 0), (-9, -3), (-4, -8))),
        Cube(2, Kind.PILLAR, Size.SMALL, ((off_mm, 0), (4, -8), (9, -3))),
    ]

    (room,) = rooms_on(*fan, pillar(3, (0, 60)), gold(4, (0, -9 - sqrt(32)), yaw_deg=45))

    assert room.inside == set()
    assert room.near == pytest.approx({4: 1.0})


# Few pillars, few cubes


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_than_three_pillars_make_no_room(count):
    cubes = [*the_pillars()[:count], gold(4, (20, 15)), gold(5, (0, 0))]

    rooms = find_rooms(Table.put(cubes))

    assert rooms_as_found(rooms) == []
    assert rooms.outside_limits == (4, 5)
    assert rooms.inside.shape == (0, 2)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_table_with_few_pillars_and_nothing_else_has_no_room(count):
    rooms = find_rooms(Table.put(the_pillars()[:count]))

    assert len(rooms) == 0
    assert rooms.outside_limits == ()
    assert rooms.inside.shape == (0, 0)


def test_rooms_without_any_cubes_are_empty():
    rooms = find_rooms(Table.put([*the_pillars(), pillar(4, (20, 15))]))

    assert len(rooms) == 3
    assert rooms.inside.shape == (3, 0)
    assert rooms.outside_limits == ()


def test_two_cubes_cannot_have_one_id():
    with pytest.raises(ValueError, match="same id"):
        Table.put([*the_pillars(), gold(3, (0, 0))])


def test_cubes_that_no_legal_room_takes_are_outside_the_limits():
    cubes = [gold(9, (100, 0)), gold(7, (20, 15)), gold(5, (20, -8)), gold(6, (20, -9)), gold(8, (-90, 5))]

    rooms = find_rooms(Table.put([*the_pillars(), *cubes]))

    assert rooms.outside_limits == (6, 8, 9)


def test_what_only_illegal_rooms_would_take_is_outside_the_limits():
    seen_twice = [replace(cube, id=cube.id + 10) for cube in the_pillars()]

    rooms = find_rooms(Table.put([*the_pillars(), *seen_twice, gold(4, (20, 15))]))

    assert len(rooms) == 0
    assert rooms.outside_limits == (4,)


# How footprints are written down


def test_corners_may_be_repeated():
    cubes = [*the_pillars(), gold(4, (20, -7)), gold(5, (20, 49)), pillar(6, (80, 10), yaw_deg=30)]
    twice = [
        replace(cube, footprint_mm=tuple(point for point in cube.footprint_mm for _ in range(2)))
        for cube in cubes
    ]
    closed = [replace(cube, footprint_mm=(*cube.footprint_mm, cube.footprint_mm[0])) for cube in cubes]

    assert_same(rooms_on(*twice), rooms_on(*cubes))
    assert_same(rooms_on(*closed), rooms_on(*cubes))
    assert_same(rooms_on(*twice[::2], *cubes[1::2]), rooms_on(*cubes))


def test_corners_in_the_middle_of_a_side_change_nothing():
    cubes = [*the_pillars(), gold(4, (20, -7)), gold(5, (20, 49)), pillar(6, (80, 10))]
    longer = []
    for cube in cubes:
        (ax, ay), (bx, by), *rest = cube.footprint_mm
        middle = ((ax + bx) / 2, (ay + by) / 2)
        longer.append(replace(cube, footprint_mm=((ax, ay), middle, (bx, by), *rest)))

    assert_same(rooms_on(*longer), rooms_on(*cubes))


@pytest.mark.parametrize("seed", range(5))
def test_footprints_may_turn_either_way_and_begin_anywhere(seed):
    rng = random.Random(seed)
    cubes = leaning_cubes(rng)
    others = []
    for cube in cubes:
        start = rng.randrange(len(cube.footprint_mm))
        turned = cube.footprint_mm[start:] + cube.footprint_mm[:start]
        others.append(replace(cube, footprint_mm=turned if rng.random() < 0.5 else turned[::-1]))

    assert_same(rooms_on(*others), rooms_on(*cubes))


def test_the_order_in_which_cubes_come_does_not_matter():
    cubes = dropped(random.Random(3))
    expected = find_rooms(Table.put(sorted(cubes, key=lambda cube: cube.id)))

    for seed in range(5):
        random.Random(seed).shuffle(cubes)
        rooms = find_rooms(Table.put(cubes))

        assert rooms.table.ids == expected.table.ids
        assert rooms_as_found(rooms) == rooms_as_found(expected)
        assert np.array_equal(rooms.near.room, expected.near.room)
        assert np.array_equal(rooms.near.cube, expected.near.cube)


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda generator: generator.__name__)
def test_pillars_come_first_then_cubes_by_id_and_rooms_by_their_pillars(generator):
    rooms = find_rooms(Table.put(generator(random.Random(5))))

    kinds = [(cube.kind != Kind.PILLAR, cube.id) for cube in rooms.table.cubes]
    trios = rooms.trios.pillars.tolist()
    near = list(zip(rooms.near.room.tolist(), rooms.near.cube.tolist(), strict=True))

    assert kinds == sorted(kinds)
    assert trios == sorted(trios)
    assert all(i < j < k < rooms.table.pillar_count for i, j, k in trios)
    assert near == sorted(near)


# The outline


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda generator: generator.__name__)
def test_the_outline_is_the_hull_of_the_three_pillars(generator):
    rooms = find_rooms(Table.put(generator(random.Random(2))))

    for room, pillars in enumerate(rooms.trios.pillars):
        outline = Polygon(rooms.outline(room))
        hull = hull_of(*(rooms.table.cubes[pillar].footprint_mm for pillar in pillars))

        assert outline.is_valid
        assert outline.exterior.is_ccw
        assert outline.hausdorff_distance(hull) < 1e-9
        assert outline.area == pytest.approx(hull.area, abs=1e-6)


def test_the_outline_of_a_narrow_room_has_four_corners():
    rooms = find_rooms(Table.put([pillar(id, (id * 15, 0)) for id in range(3)]))

    assert set(rooms.outline(0)) == {(-4, -4), (34, -4), (34, 4), (-4, 4)}


# However the table lies


def assert_same(found, expected, names=None, scale=1.0):
    """Compare rooms, the *expected* ones called by other *names* and their gaps *scale* times as wide."""
    ours = {room.pillars: room for room in found}
    theirs = {}
    for room in expected:
        renamed = [names[id] if names else id for id in room.pillars]
        theirs[tuple(sorted(renamed))] = room
    assert sorted(ours) == sorted(theirs)
    for trio, room in theirs.items():
        assert ours[trio].inside == {names[id] if names else id for id in room.inside}
        gaps = {names[id] if names else id: scale * gap for id, gap in room.near.items()}
        assert ours[trio].near == pytest.approx(gaps, abs=1e-6)


def every_point(cubes, change):
    """Return the cubes with every corner changed."""
    return [replace(cube, footprint_mm=tuple(change(x, y) for x, y in cube.footprint_mm)) for cube in cubes]


every_kind_of_table = pytest.mark.parametrize(
    "generator", GENERATORS, ids=lambda generator: generator.__name__
)
SEEDS = range(100, 104)


@every_kind_of_table
def test_turning_the_table_changes_nothing(generator):
    for seed in SEEDS:
        cubes = generator(random.Random(seed))
        angle = random.Random(-seed).uniform(0, 2 * pi)
        x, y = cos(angle), sin(angle)

        turned = every_point(cubes, lambda u, v, x=x, y=y: (u * x - v * y, u * y + v * x))

        assert_same(rooms_on(*turned, near_mm=NEAR_MM), rooms_on(*cubes, near_mm=NEAR_MM))


@every_kind_of_table
def test_seeing_the_table_in_a_mirror_changes_nothing(generator):
    for seed in SEEDS:
        cubes = generator(random.Random(seed))

        mirrored = every_point(cubes, lambda x, y: (y, x))

        assert_same(rooms_on(*mirrored, near_mm=NEAR_MM), rooms_on(*cubes, near_mm=NEAR_MM))


@every_kind_of_table
@pytest.mark.parametrize("shift", [(123.4, -56.7), (-FAR_MM, FAR_MM)], ids=["near", "far"])
def test_shifting_the_table_changes_nothing(generator, shift):
    for seed in SEEDS:
        cubes = generator(random.Random(seed))

        shifted = [replace(cube, footprint_mm=moved(cube.footprint_mm, shift)) for cube in cubes]

        assert_same(rooms_on(*shifted, near_mm=NEAR_MM), rooms_on(*cubes, near_mm=NEAR_MM))


@every_kind_of_table
def test_other_ids_change_nothing_but_the_names(generator):
    for seed in SEEDS:
        cubes = generator(random.Random(seed))
        others = random.Random(-seed).sample(range(900), len(cubes))
        names = dict(zip((cube.id for cube in cubes), others, strict=True))

        renamed = [replace(cube, id=names[cube.id]) for cube in cubes]

        assert_same(rooms_on(*renamed, near_mm=NEAR_MM), rooms_on(*cubes, near_mm=NEAR_MM), names)


@every_kind_of_table
@pytest.mark.parametrize("factor", [0.5, 3.7])
def test_all_gaps_grow_with_the_table(generator, factor):
    for seed in SEEDS:
        cubes = generator(random.Random(seed))

        grown = every_point(cubes, lambda x, y: (factor * x, factor * y))

        found = rooms_on(*grown, near_mm=factor * NEAR_MM)
        assert_same(found, rooms_on(*cubes, near_mm=NEAR_MM), scale=factor)


# Gaps wider than cubes


@every_kind_of_table
@pytest.mark.parametrize("near_mm", [0.1, 4.5, 30.0])
def test_gaps_are_those_of_the_brute_force_however_wide_they_are_asked_for(generator, near_mm):
    for seed in SEEDS[:3]:
        cubes = generator(random.Random(seed))

        rooms = rooms_on(*cubes, near_mm=near_mm)

        assert disagreements(rooms, cubes, near_mm) == []
        assert near_mm < 1 or any(abs(gap) > 2 for room in rooms for gap in room.near.values())


def test_a_cube_deep_inside_a_wide_room_is_not_near_for_any_reach():
    big = [pillar(1, (0, 0)), pillar(2, (400, 0)), pillar(3, (200, 400))]

    (room,) = rooms_on(*big, gold(4, (200, 100)), near_mm=100)
    (further,) = rooms_on(*big, gold(4, (200, 100)), near_mm=110)

    assert room.inside == further.inside == {4}
    assert room.near == {}
    assert further.near == pytest.approx({4: -108.0})


def test_a_distance_between_corners_is_straight():
    (room,) = rooms_on(*the_pillars(), gold(4, (44 + 4 + 3, -4 - 4 - 4)), near_mm=6)

    assert room.near == pytest.approx({4: hypot(3, 4)})
