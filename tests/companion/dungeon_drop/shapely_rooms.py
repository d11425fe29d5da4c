"""Rooms the plain and slow way, with shapely: the hull of every three pillars, and everything against it.

Nothing here knows the code under test. A cube is anything with an ``id``, a ``kind`` and a ``footprint_mm``.
"""

from dataclasses import dataclass
from itertools import combinations

from shapely import MultiPoint, Point

ORIGIN = Point(0, 0)

# A decision about what is nearer than this to the edge of a room may fall either way.
DOUBT_MM = 1e-9
# How far two measurements of one gap may differ.
SAME_MM = 1e-6


@dataclass(frozen=True)
class Room:
    """A legal room by ids: its pillars, the cubes in it, and the gaps of all that is near its edge."""

    pillars: tuple[int, int, int]
    inside: frozenset[int]
    near: dict[int, float]


def brute_force(cubes, near_mm):
    """Return every legal room, with all cubes and other pillars nearer than *near_mm* to its edge."""
    corners = {cube.id: cube.footprint_mm for cube in cubes}
    shapes = {id: hull_of(points) for id, points in corners.items()}
    pillars = sorted(cube.id for cube in cubes if cube.kind == "pillar")
    others = sorted(cube.id for cube in cubes if cube.kind != "pillar")
    rooms = []
    for trio in combinations(pillars, 3):
        hull = hull_of(*(corners[id] for id in trio))
        rivals = [id for id in pillars if id not in trio]
        if any(hull.intersects(shapes[id]) for id in rivals):
            continue
        edge = hull.exterior
        inside, near = set(), {}
        for id in rivals + others:
            shape = shapes[id]
            if not hull.intersects(shape):
                gap = hull.distance(shape)
            else:
                inside.add(id)
                # What is deeper inside than this as a whole has even further to go.
                gap = signed_gap(hull, shape) if edge.distance(shape) < near_mm else -near_mm
            if abs(gap) < near_mm:
                near[id] = gap
        rooms.append(Room(trio, frozenset(inside), near))
    return rooms


def hull_of(*footprints):
    """Return the convex hull of some footprints."""
    return MultiPoint([point for footprint in footprints for point in footprint]).convex_hull


def signed_gap(hull, shape):
    """Return the distance of two convex polygons or, negated, the shortest way to part them.

    They touch if some point of one minus some point of the other is zero: if the polygon of all these
    differences holds the origin. The way to part or join them is as long as the origin is from its edge.
    """
    ours, theirs = hull.exterior.coords[:-1], shape.exterior.coords[:-1]
    difference = MultiPoint([(x - u, y - v) for x, y in ours for u, v in theirs]).convex_hull
    way = difference.exterior.distance(ORIGIN)
    return -way if difference.intersects(ORIGIN) else way


def rooms_as_found(rooms):
    """Return rooms of the code under test the way `brute_force` gives them, in their order."""
    ids, first = rooms.table.ids, rooms.table.pillar_count
    near = [{} for _ in range(len(rooms))]
    for room, cube, gap in zip(rooms.near.room, rooms.near.cube, rooms.near.gap_mm, strict=True):
        assert ids[cube] not in near[room], "one gap given twice"
        near[room][ids[cube]] = float(gap)
    return [
        Room(
            tuple(ids[pillar] for pillar in pillars),
            frozenset(ids[first + cube] for cube in inside.nonzero()[0]),
            near[room],
        )
        for room, (pillars, inside) in enumerate(zip(rooms.trios.pillars, rooms.inside, strict=True))
    ]


def disagreements(found, cubes, near_mm, expected=None):
    """Return in words where rooms *found* on a table differ from the brute force.

    Left out is only what may fall either way: decisions about gaps below `DOUBT_MM`, and whether a gap that
    equals *near_mm* is near.
    """
    expected = brute_force(cubes, near_mm) if expected is None else expected
    ours, theirs = {room.pillars: room for room in found}, {room.pillars: room for room in expected}
    words = []
    if list(ours) != sorted(ours) or len(ours) != len(found):
        words.append("rooms out of order or twice")
    measure = _Measure(cubes)
    for trio in sorted(ours.keys() ^ theirs.keys()):
        gap = measure.nearest_rival(trio)
        if abs(gap) >= DOUBT_MM:
            words.append(f"room {trio}: only {_who(trio in ours)} it legal; its nearest pillar has gap {gap}")
    for trio in sorted(ours.keys() & theirs.keys()):
        words += _differences(ours[trio], theirs[trio], near_mm, measure)
    return words


def _differences(ours, theirs, near_mm, measure):
    words = []
    for id in sorted(ours.inside ^ theirs.inside):
        gap = measure.gap(ours.pillars, id)
        if abs(gap) >= DOUBT_MM:
            words.append(f"room {ours.pillars}: only {_who(id in ours.inside)} cube {id} inside; gap {gap}")
    for id in sorted(ours.near.keys() ^ theirs.near.keys()):
        gap = measure.gap(ours.pillars, id)
        if abs(abs(gap) - near_mm) >= SAME_MM:
            words.append(f"room {ours.pillars}: only {_who(id in ours.near)} {id} near; gap {gap}")
    for id in sorted(ours.near.keys() & theirs.near.keys()):
        if abs(ours.near[id] - theirs.near[id]) > SAME_MM:
            words.append(
                f"room {ours.pillars}: gap of {id} found {ours.near[id]}, by brute force {theirs.near[id]}"
            )
    for id, gap in ours.near.items():
        if abs(gap) >= DOUBT_MM and (gap < 0) != (id in ours.inside):
            words.append(f"room {ours.pillars}: {id} has gap {gap}, but inside is {id in ours.inside}")
    return words


def _who(ours):
    return "the code calls" if ours else "the brute force calls"


class _Measure:
    """Signed gaps on one table by ids."""

    def __init__(self, cubes):
        self.corners = {cube.id: cube.footprint_mm for cube in cubes}
        self.pillars = [cube.id for cube in cubes if cube.kind == "pillar"]

    def gap(self, trio, id):
        return signed_gap(hull_of(*(self.corners[pillar] for pillar in trio)), hull_of(self.corners[id]))

    def nearest_rival(self, trio):
        gaps = (self.gap(trio, id) for id in self.pillars if id not in trio)
        return min(gaps, default=float("inf"))
