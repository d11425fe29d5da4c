"""Random tables from a seed: dropped, overlapping, leaning, in rows and circles, or touching by a hair.

Each generator takes a `random.Random` and returns cubes in no order, with ids that leave numbers out.
"""

from dataclasses import dataclass, replace
from itertools import combinations
from math import atan2, cos, degrees, hypot, pi, sin

from companion.dungeon_drop.pieces import Kind, Sides, Size
from companion.dungeon_drop.table import Cube, square
from tests.companion.dungeon_drop.shapely_rooms import hull_of

LOOT = tuple(kind for kind in Kind if kind != Kind.PILLAR)
# Gaps that adversaries leave on purpose, on either side of touching.
TINY_MM = tuple(sign * gap for gap in (1e-9, 2e-9, 1e-8, 1e-6) for sign in (1, -1))
FAR_MM = 1e4


@dataclass(frozen=True)
class Hair:
    """A cube or pillar put at a planned gap from the room between three pillars."""

    trio: tuple[int, int, int]
    cube: int
    gap_mm: float


def on_a_table(rng, pillars, others):
    """Name footprints, in shuffled order; return the cubes and the ids in the order of the footprints."""
    footprints = [*pillars, *others]
    ids = rng.sample(range(1, 5 * len(footprints) + 10), len(footprints))
    cubes = [
        Cube(
            id, Kind.PILLAR if place < len(pillars) else rng.choice(LOOT), rng.choice(tuple(Size)), footprint
        )
        for place, (id, footprint) in enumerate(zip(ids, footprints, strict=True))
    ]
    rng.shuffle(cubes)
    return cubes, ids


def table_of(rng, pillars, others):
    """Name footprints, in shuffled order."""
    return on_a_table(rng, pillars, others)[0]


def how_many(rng):
    """Return a number of pillars and one of other cubes."""
    return rng.randint(8, 13), rng.randint(15, 28)


def a_side(rng):
    """Return the side of a cube of any size."""
    return Sides().of(rng.choice(tuple(Size)))


def a_square(rng, centre, side=None):
    """Return the footprint of a cube turned anyhow."""
    return square(centre, rng.uniform(0, 360), side or a_side(rng))


def a_spot(rng, spread_mm):
    """Return where a cube comes to rest."""
    return rng.gauss(0, spread_mm), rng.gauss(0, spread_mm)


def apart(rng, count, spread_mm, placed=()):
    """Return footprints of flat cubes that overlap neither each other nor those *placed*."""
    shapes, found = [hull_of(footprint) for footprint in placed], []
    while len(found) < count:
        footprint = a_square(rng, a_spot(rng, spread_mm))
        shape = hull_of(footprint)
        if not any(shape.intersects(other) for other in shapes):
            shapes.append(shape)
            found.append(footprint)
    return found


def leaning(rng, centre, corners=None):
    """Return a convex footprint with three to eight corners, turning either way, beginning anywhere."""
    many = corners or rng.randint(3, 8)
    turn, long, wide = rng.uniform(0, 2 * pi), rng.uniform(4, 9), rng.uniform(4, 9)
    points = []
    for place in range(many):
        angle = (place + rng.uniform(-0.3, 0.3)) * 2 * pi / many
        x, y = long * cos(angle), wide * sin(angle)
        points.append((centre[0] + x * cos(turn) - y * sin(turn), centre[1] + x * sin(turn) + y * cos(turn)))
    start = rng.randrange(many)
    points = points[start:] + points[:start]
    return tuple(points if rng.random() < 0.5 else reversed(points))


def dropped(rng):
    """Drop flat cubes of all sizes that do not overlap."""
    return dropped_so_many(rng, *how_many(rng), spread_mm=50)


def dropped_so_many(rng, pillars, cubes, spread_mm):
    """Drop so many flat cubes that do not overlap."""
    footprints = apart(rng, pillars + cubes, spread_mm)
    return table_of(rng, footprints[:pillars], footprints[pillars:])


def dropped_with_overlaps(rng):
    """Drop flat cubes that a camera saw a little off, so that many overlap."""
    pillars, cubes = how_many(rng)
    footprints = [a_square(rng, a_spot(rng, 35)) for _ in range(pillars + cubes)]
    return table_of(rng, footprints[:pillars], footprints[pillars:])


def leaning_cubes(rng):
    """Drop cubes that lean on each other, each with as many corners as it likes."""
    pillars, cubes = how_many(rng)
    footprints = [leaning(rng, a_spot(rng, 45)) for _ in range(pillars + cubes)]
    return table_of(rng, footprints[:pillars], footprints[pillars:])


def in_a_grid(rng):
    """Set cubes edge to edge and corner to corner in a grid, upright or turned as a whole."""
    pillars, cubes = how_many(rng)
    step, yaw = rng.choice((4, 8, 8)), rng.choice((0, 0, 45, rng.uniform(0, 360)))
    cells = rng.sample([(x, y) for x in range(12) for y in range(12)], pillars + cubes)
    angle = yaw * pi / 180
    footprints = []
    for x, y in cells:
        u, v = x * step, y * step
        centre = (u * cos(angle) - v * sin(angle), u * sin(angle) + v * cos(angle))
        footprints.append(square(centre, yaw, rng.choice((8, 8, 8, 12))))
    return table_of(rng, footprints[:pillars], footprints[pillars:])


def pillars_in_a_row(rng):
    """Stand most pillars in one straight line, touching or not, the rest and the cubes on both sides."""
    _, cubes = how_many(rng)
    yaw, step = rng.choice((0, 90, 45, rng.uniform(0, 360))), rng.choice((8, 12, 20))
    angle = yaw * pi / 180
    row = [
        square((place * step * cos(angle), place * step * sin(angle)), yaw, 8)
        for place in rng.sample(range(-5, 6), 6)
    ]
    beside = [a_square(rng, a_spot(rng, 50)) for _ in range(rng.randint(3, 5))]
    others = [a_square(rng, a_spot(rng, 40)) for _ in range(cubes)]
    return table_of(rng, row + beside, others)


def pillars_in_a_circle(rng):
    """Stand pillars in a circle, so that nearly all trios are rooms."""
    radius = rng.uniform(60, 110)
    others = [a_square(rng, a_spot(rng, 0.5 * radius)) for _ in range(rng.randint(15, 20))]
    return table_of(rng, circle_of_pillars(rng.randint(8, 10), radius, rng.uniform(0, 2 * pi)), others)


def circle_of_pillars(count, radius_mm, start=0.0):
    """Return footprints in a circle, each with one side to the middle."""
    angles = [start + place * 2 * pi / count for place in range(count)]
    return [square((radius_mm * cos(a), radius_mm * sin(a)), degrees(a), 8) for a in angles]


def pillars_on_one_spot(rng):
    """See some pillars twice in exactly the same place, and cubes in the very place of pillars or cubes."""
    pillars, cubes = how_many(rng)
    once = apart(rng, pillars - 3, 55)
    twice = [once[0], once[1], rng.choice((once[1], tuple(reversed(once[2]))))]
    others = apart(rng, cubes - 3, 45)
    return table_of(rng, once + twice, [*others, others[0], once[2], once[3]])


def pillars_within_pillars(rng):
    """See small footprints within bigger ones, some of them sharing a corner or an edge."""
    pillars, cubes = how_many(rng)
    big = apart(rng, pillars - 4, 55)
    small = [
        scaled(footprint, rng.choice((0.25, 0.5, 0.75)), about)
        for footprint, about in ((big[0], None), (big[1], 0), (big[2], 1), (big[0], 2))
    ]
    others = apart(rng, cubes - 2, 45)
    return table_of(rng, big + small, [*others, scaled(big[3], 0.5), scaled(others[0], 0.3)])


def scaled(footprint, factor, about=None):
    """Return a footprint shrunk towards its middle, or towards the corner *about*."""
    if about is None:
        x, y = (sum(values) / len(footprint) for values in zip(*footprint, strict=True))
    else:
        x, y = footprint[about]
    return tuple((x + factor * (u - x), y + factor * (v - y)) for u, v in footprint)


def pillars_crossing(rng):
    """See pillars stand through each other: turned on one spot, or leaning across."""
    pillars, cubes = how_many(rng)
    once = apart(rng, pillars - 3, 55)
    through = []
    for footprint in once[:3]:
        x, y = (sum(values) / len(footprint) for values in zip(*footprint, strict=True))
        if rng.random() < 0.5:
            side = hypot(footprint[1][0] - footprint[0][0], footprint[1][1] - footprint[0][1])
            through.append(a_square(rng, (x, y), side))
        else:
            through.append(leaning(rng, (x + rng.uniform(-3, 3), y + rng.uniform(-3, 3))))
    around = [around_of(rng, rng.choice(through)) for _ in range(6)]
    return table_of(rng, once + through, [*apart(rng, cubes - 6, 45), *around])


def around_of(rng, footprint):
    """Return a cube that may touch this footprint or just not."""
    turn, away = rng.uniform(0, 2 * pi), rng.uniform(8, 15)
    x, y = (sum(values) / len(footprint) for values in zip(*footprint, strict=True))
    return a_square(rng, (x + away * cos(turn), y + away * sin(turn)))


def pillars_sharing_corners(rng):
    """Let pillars meet in one corner, exactly or but for rounding."""
    pillars, cubes = how_many(rng)
    once = apart(rng, pillars - 4, 55)
    meeting = []
    for footprint in once[:2]:
        first, *others = leaning(rng, (0, 0))
        x, y = _hardly_moved(rng, rng.choice(footprint))
        meeting.append(((x, y), *((x + u - first[0], y + v - first[1]) for u, v in others)))
    corner, turn = a_spot(rng, 55), rng.uniform(0, 2 * pi)
    wedges = [_wedge(rng, _hardly_moved(rng, corner), turn + lean) for lean in (-0.8, 0.8)]
    around = [around_of(rng, (*wedges[0], *wedges[1])) for _ in range(6)]
    return table_of(rng, once + meeting + wedges, [*apart(rng, cubes - 6, 45), *around])


def _hardly_moved(rng, point):
    off = rng.choice((0.0, 1e-15, 1e-13, 1e-12, 1e-11))
    return point[0] + rng.uniform(-off, off), point[1] + rng.uniform(-off, off)


def _wedge(rng, corner, direction):
    """Return a triangle with its sharp corner here."""
    long, half = rng.uniform(6, 10), rng.uniform(0.2, 0.6)
    sides = ((long * cos(direction + turn), long * sin(direction + turn)) for turn in (-half, half))
    return (corner, *((corner[0] + x, corner[1] + y) for x, y in sides))


def clusters(rng):
    """Drop cubes in a few heaps far from each other."""
    pillars, cubes = how_many(rng)
    heaps = [a_spot(rng, 120) for _ in range(rng.randint(3, 5))]
    footprints = []
    for _ in range(pillars + cubes):
        (x, y), (dx, dy) = rng.choice(heaps), a_spot(rng, 12)
        footprints.append(a_square(rng, (x + dx, y + dy)))
    return table_of(rng, footprints[:pillars], footprints[pillars:])


def by_a_hair(rng):
    """Put cubes and pillars at tiny gaps from the walls of rooms."""
    return by_a_planned_hair(rng)[0]


def by_a_planned_hair(rng):
    """Return such a table and what was planned on it."""
    pillars = apart(rng, rng.randint(7, 8), 50)
    plans = []
    for _ in range(3):
        trio = rng.choice(_rooms(pillars))
        gap = rng.choice(TINY_MM)
        pillars.append(beside(rng, [pillars[place] for place in trio], gap))
        plans.append((trio, len(pillars) - 1, gap))
    others = apart(rng, 8, 45)
    rooms = _rooms(pillars) or list(combinations(range(len(pillars)), 3))
    for place in range(rng.randint(10, 14)):
        trio = rng.choice(rooms)
        gap = TINY_MM[place % len(TINY_MM)]
        others.append(beside(rng, [pillars[pillar] for pillar in trio], gap))
        plans.append((trio, len(pillars) + len(others) - 1, gap))
    cubes, ids = on_a_table(rng, pillars, others)
    hairs = [Hair(tuple(sorted(ids[place] for place in trio)), ids[cube], gap) for trio, cube, gap in plans]
    return cubes, hairs


def _rooms(pillars):
    """Return the trios of footprints that no other touches."""
    shapes = [hull_of(footprint) for footprint in pillars]
    found = []
    for trio in combinations(range(len(pillars)), 3):
        hull = hull_of(*(pillars[place] for place in trio))
        if not any(hull.intersects(shape) for place, shape in enumerate(shapes) if place not in trio):
            found.append(trio)
    return found


def beside(rng, trio, gap_mm):
    """Return a footprint at this gap from a trio's room: corner to wall, face to wall or face to corner."""
    corners = list(hull_of(*trio).exterior.normalize().coords[:-1])
    # Shapely's normal form turns clockwise, so outside is to the left.
    place = rng.randrange(len(corners))
    (ax, ay), (bx, by) = corners[place - 1], corners[place]
    long = hypot(bx - ax, by - ay)
    normal = (-(by - ay) / long, (bx - ax) / long)
    how = rng.choice(("corner", "face", "to a corner"))
    if how == "to a corner":
        cx, cy = corners[(place + 1) % len(corners)]
        after = hypot(cx - bx, cy - by)
        x, y = normal[0] - (cy - by) / after, normal[1] + (cx - bx) / after
        normal = (x / hypot(x, y), y / hypot(x, y))
        spot = (bx, by)
    else:
        share = rng.uniform(0.2, 0.8)
        spot = (ax + share * (bx - ax), ay + share * (by - ay))
    if how == "corner":
        footprint = leaning(rng, (0, 0))
    else:
        footprint = square((0, 0), degrees(atan2(normal[1], normal[0])), a_side(rng))
    reach = [normal[0] * x + normal[1] * y for x, y in footprint]
    if how == "corner":
        x, y = footprint[reach.index(min(reach))]
    else:
        x, y = min(reach) * normal[0], min(reach) * normal[1]
    shift = (spot[0] - x + gap_mm * normal[0], spot[1] - y + gap_mm * normal[1])
    return moved(footprint, shift)


def moved(footprint, shift):
    """Return a footprint elsewhere."""
    return tuple((x + shift[0], y + shift[1]) for x, y in footprint)


def far_away(rng):
    """Measure any of the other tables from an origin ten metres away."""
    cubes = rng.choice((dropped, leaning_cubes, in_a_grid, pillars_in_a_row, by_a_hair))(rng)
    shift = rng.choice((FAR_MM, -FAR_MM)), rng.choice((FAR_MM, -FAR_MM))
    return [replace(cube, footprint_mm=moved(cube.footprint_mm, shift)) for cube in cubes]


GENERATORS = (
    dropped,
    dropped_with_overlaps,
    leaning_cubes,
    in_a_grid,
    pillars_in_a_row,
    pillars_in_a_circle,
    pillars_on_one_spot,
    pillars_within_pillars,
    pillars_crossing,
    pillars_sharing_corners,
    clusters,
    by_a_hair,
    far_away,
)
