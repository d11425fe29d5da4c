"""Two hundred pillars and three hundred cubes: still right, in bounded memory."""

import json
import random
import subprocess
import sys
from functools import cache
from math import comb, cos, pi, sin, sqrt
from pathlib import Path

import pytest

from companion.dungeon_drop.pieces import Kind
from companion.dungeon_drop.rooms import find_rooms
from companion.dungeon_drop.table import Table
from tests.companion.dungeon_drop.random_tables import (
    a_square,
    around_of,
    circle_of_pillars,
    dropped_so_many,
    table_of,
)
from tests.companion.dungeon_drop.shapely_rooms import Room, hull_of, signed_gap

ROOT = Path(__file__).parents[3]
PILLARS, CUBES = 200, 300
NEAR_MM = 2.0
GIGABYTE = 1e9
# So big that the pillar between two others does not stand in their wall.
RADIUS_MM = 20_000


def a_dropped_table():
    """Drop as many cubes as would fill a metre."""
    return dropped_so_many(random.Random(200), PILLARS, CUBES, spread_mm=250)


def a_circle():
    """Stand the pillars in a circle, half of the cubes beside them and the rest all over the floor."""
    rng = random.Random(201)
    circle = circle_of_pillars(PILLARS, RADIUS_MM)
    beside = [around_of(rng, rng.choice(circle)) for _ in range(CUBES // 2)]
    floor = []
    for _ in range(CUBES - len(beside)):
        angle, away = rng.uniform(0, 2 * pi), RADIUS_MM * sqrt(rng.random())
        floor.append(a_square(rng, (away * cos(angle), away * sin(angle))))
    return table_of(rng, circle, beside + floor)


MEASURE = """
import json, resource, sys
from pathlib import Path
from companion.dungeon_drop.advice import advise
from companion.dungeon_drop.hero import Hero
from companion.dungeon_drop.rooms import find_rooms
from companion.dungeon_drop.table import Table
from tests.companion.dungeon_drop import test_rooms_at_scale as scale

rooms = find_rooms(Table.put(getattr(scale, sys.argv[1])()), scale.NEAR_MM)
assert len(advise(rooms, Hero(), scale.NEAR_MM).top(10)) == 10

def peak_bytes():
    # What the system tells of a process's resources starts with what its parent had in memory; this does not.
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text().splitlines()
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

print(json.dumps({"rooms": len(rooms), "near": len(rooms.near.room), "peak_bytes": peak_bytes()}))
"""


def measure(table):
    """Find the rooms of a table in a process of its own."""
    found = subprocess.run(
        [sys.executable, "-c", MEASURE, table.__name__],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


no_resource = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell peak memory this way")


@no_resource
def test_a_big_dropped_table_takes_less_than_a_gigabyte():
    measured = measure(a_dropped_table)

    assert measured["rooms"] > 5_000
    assert measured["near"] > 5_000
    assert measured["peak_bytes"] < GIGABYTE


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts a parent's memory to its child")
def test_memory_of_the_tests_before_does_not_count():
    ballast = bytearray(b"x") * 450_000_000

    assert measure(a_dropped_table)["peak_bytes"] < len(ballast)


@no_resource
def test_a_million_rooms_take_less_than_a_gigabyte():
    measured = measure(a_circle)

    assert measured["rooms"] > 0.95 * comb(PILLARS, 3)
    assert measured["near"] > 900_000
    assert measured["peak_bytes"] < GIGABYTE


# Right as well


@cache
def big_dropped():
    """Return the big table and the rooms found on it, by their pillars' ids."""
    cubes = a_dropped_table()
    rooms = find_rooms(Table.put(cubes), NEAR_MM)
    ids = rooms.table.ids
    places = {tuple(ids[at] for at in trio): place for place, trio in enumerate(rooms.trios.pillars.tolist())}
    return cubes, rooms, places


def by_shapely(cubes, trio):
    """Return the room of three pillars, or None if it is illegal."""
    hull = hull_of(*(cube.footprint_mm for cube in cubes if cube.id in trio))
    inside, near = set(), {}
    for cube in cubes:
        if cube.id in trio:
            continue
        gap = signed_gap(hull, hull_of(cube.footprint_mm))
        if gap <= 0 and cube.kind == Kind.PILLAR:
            return None
        if gap <= 0:
            inside.add(cube.id)
        if abs(gap) < NEAR_MM:
            near[cube.id] = gap
    return Room(trio, frozenset(inside), near)


def as_found(rooms, place, trio):
    """Return the room at *place* by ids."""
    ids, first = rooms.table.ids, rooms.table.pillar_count
    mine = rooms.near.room == place
    gaps = zip(rooms.near.cube[mine], rooms.near.gap_mm[mine], strict=True)
    inside = frozenset(ids[first + cube] for cube in rooms.taken(place))
    return Room(trio, inside, {ids[cube]: float(gap) for cube, gap in gaps})


def check(trio):
    """Compare one trio with shapely; tell whether it is a room."""
    cubes, rooms, places = big_dropped()
    expected = by_shapely(cubes, trio)
    assert (trio in places) == (expected is not None), trio
    if expected is None:
        return False
    found = as_found(rooms, places[trio], trio)
    assert found.inside == expected.inside, trio
    assert found.near == pytest.approx(expected.near, abs=1e-6), trio
    return True


def test_rooms_found_on_a_big_table_are_those_of_shapely():
    _, _, places = big_dropped()

    some = random.Random(1).sample(sorted(places), 100)

    assert all(check(trio) for trio in some)


def test_any_three_pillars_of_a_big_table_are_judged_as_shapely_does():
    cubes, _, _ = big_dropped()
    pillars = sorted(cube.id for cube in cubes if cube.kind == Kind.PILLAR)
    rng = random.Random(2)

    legal = [check(tuple(sorted(rng.sample(pillars, 3)))) for _ in range(200)]

    assert legal.count(False) > 100


def test_three_pillars_close_together_on_a_big_table_are_judged_as_shapely_does():
    cubes, _, _ = big_dropped()
    centres = {cube.id: hull_of(cube.footprint_mm).centroid for cube in cubes if cube.kind == Kind.PILLAR}
    rng = random.Random(3)
    trios = []
    for first in rng.sample(sorted(centres), 100):
        nearest = sorted(centres, key=lambda id, first=first: centres[first].distance(centres[id]))
        trios.append(tuple(sorted((first, *rng.sample(nearest[1:9], 2)))))

    legal = [check(trio) for trio in trios]

    assert legal.count(True) > 20
    assert legal.count(False) > 20
