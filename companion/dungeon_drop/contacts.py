"""How far cubes are from walls: first the cheap test on centres, then exactly, only where it matters.

Two convex shapes are apart by the largest separation over all directions: how far the second begins beyond where
the first ends. Any direction gives a lower bound and the normals of the edges of both give the exact overlap, so a
needless or ill-conditioned direction never does harm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.dungeon_drop.arrays import Flags, Floats, Indexes, greatest, least
from companion.dungeon_drop.footprints import Footprints
from companion.dungeon_drop.segments import points_to_segments
from companion.dungeon_drop.walls import Walls

# Rounding on a table of a metre stays under 1e-12 mm; what is nearer than this touches.
TOUCHING_MM = 1e-10
# A centre this near to the line through two pillars, as a share of the thinnest one, is on that line.
ON_THE_LINE = 1e-6
# Answers (wall and cube) held at once; more walls are worked through in blocks.
BLOCK = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Contacts:
    """How M walls and C cubes lie to each other, all shape (M, C).

    Attributes:
        gaps: signed distance in mm, negative where they overlap; infinite where it was not worth measuring.
        left, right: whether a cube's centre is clearly on that side of the wall's axis.
    """

    gaps: Floats
    left: Flags
    right: Flags


@dataclass(frozen=True, slots=True, eq=False)
class EdgeTables:
    """P pillars and C cubes seen along the normals of their own edges.

    Attributes:
        pillar_reach: shape (P, P, V), how far two pillars together reach along the normals of the first.
        cube_begin: shape (P, C, V), where a cube begins along the normals of a pillar.
        pillar_beyond: shape (P, C, W), how far a pillar begins beyond each edge of a cube.
    """

    pillar_reach: Floats
    cube_begin: Floats
    pillar_beyond: Floats


def pillar_reach(pillars: Footprints, others: Footprints) -> Floats:
    """Return how far each of *pillars* and each of *others* together reach along the normals of the former."""
    return np.maximum(greatest(_projected(pillars, others)), pillars.offsets[:, None])


def cube_begin(pillars: Footprints, cubes: Footprints) -> Floats:
    """Return where each cube begins along the normals of each pillar."""
    return least(_projected(pillars, cubes))


def pillar_beyond(pillars: Footprints, cubes: Footprints) -> Floats:
    """Return how far each pillar begins beyond each edge of each cube."""
    return (least(_projected(cubes, pillars)) - cubes.offsets[:, None]).transpose(1, 0, 2)


def _projected(edged: Footprints, others: Footprints) -> Floats:
    """Return where corners lie along edge normals: shape (edged, others, edges, corners)."""
    flat = edged.normals.reshape(-1, 2) @ others.corners.transpose(1, 0, 2).reshape(-1, 2).T
    shape = (*edged.offsets.shape, others.corners.shape[1], len(others))
    return flat.reshape(shape).transpose(0, 3, 1, 2)


def find_contacts(
    walls: Walls,
    pillars: Footprints,
    cubes: Footprints,
    tables: EdgeTables,
    near_mm: float,
    *,
    pillars_first: bool,
) -> Contacts:
    """Measure every cube nearer than *near_mm* to a wall, or touching it.

    Args:
        tables: of these pillars and cubes.
        pillars_first: the cubes begin with the pillars, which are not measured against their own walls.
    """
    shape = (len(walls.lengths), len(cubes))
    found = Contacts(np.full(shape, np.inf), np.empty(shape, np.bool_), np.empty(shape, np.bool_))
    on_line = ON_THE_LINE * pillars.inner.min(initial=np.inf)
    rows = max(1, BLOCK // max(len(cubes), 1))
    for at in range(0, shape[0], rows):
        block = slice(at, at + rows)
        along, across = _seen_from(walls, cubes, block)
        np.greater(across, on_line, out=found.left[block])
        np.less(across, -on_line, out=found.right[block])
        reach = walls.outer[block, None] + (cubes.outer + near_mm)
        close = (np.abs(across) <= reach) & (along >= -reach) & (along <= reach + walls.lengths[block, None])
        if pillars_first:
            close[np.arange(len(close))[:, None], walls.ends[block]] = False
        wall, cube = np.nonzero(close)
        wall += at
        found.gaps[wall, cube] = _gaps(walls, pillars, cubes, tables, near_mm, wall, cube)
    return found


def _seen_from(walls: Walls, cubes: Footprints, block: slice) -> tuple[Floats, Floats]:
    """Return how far each cube's centre lies along each wall's axis, and how far to its left."""
    axes, starts = walls.axes[block], walls.starts[block]
    left = np.stack((-axes[:, 1], axes[:, 0]), axis=1)
    along = axes @ cubes.centres.T
    along -= (axes[:, 0] * starts[:, 0] + axes[:, 1] * starts[:, 1])[:, None]
    across = left @ cubes.centres.T
    across -= (left[:, 0] * starts[:, 0] + left[:, 1] * starts[:, 1])[:, None]
    return along, across


def _gaps(
    walls: Walls,
    pillars: Footprints,
    cubes: Footprints,
    tables: EdgeTables,
    near_mm: float,
    wall: Indexes,
    cube: Indexes,
) -> Floats:
    """Return the signed gap of each wall and cube listed, both shape (K,): exact below *near_mm*."""
    corners = cubes.corners.take(cube, axis=0)
    normals = walls.normals.take(wall, axis=0)
    first, second = walls.ends.take(wall, axis=0).T
    begins = least(
        normals[:, :, None, 0] * corners[:, None, :, 0] + normals[:, :, None, 1] * corners[:, None, :, 1]
    )
    gaps = greatest(begins - walls.offsets.take(wall, axis=0))
    for one, other in ((first, second), (second, first)):
        beyond = tables.cube_begin[one, cube] - tables.pillar_reach[one, other]
        np.maximum(gaps, greatest(beyond), out=gaps)
    beyond = np.minimum(tables.pillar_beyond[first, cube], tables.pillar_beyond[second, cube])
    np.maximum(gaps, greatest(beyond), out=gaps)
    apart = np.flatnonzero((gaps > TOUCHING_MM) & (gaps < near_mm))
    if apart.size:
        gaps[apart] = _distances(walls, pillars, corners[apart], wall[apart])
    return gaps


def _distances(walls: Walls, pillars: Footprints, corners: Floats, wall: Indexes) -> Floats:
    """Return the distance of walls and cubes known to be apart: it is between a corner and an edge.

    Every edge of a wall is one of its long sides or an edge of one of its pillars.
    """
    sides = walls.sides.take(wall, axis=0)
    ends = pillars.corners.take(walls.ends.take(wall, axis=0), axis=0)
    ahead = ends.take(np.arange(1, ends.shape[2] + 1) % ends.shape[2], axis=2)
    flat = (len(wall), -1, 2)
    starts = np.concatenate((sides[:, :, 0], ends.reshape(flat)), axis=1)
    stops = np.concatenate((sides[:, :, 1], ahead.reshape(flat)), axis=1)
    return np.minimum(
        points_to_segments(corners, starts, stops),
        points_to_segments(ends.reshape(flat), corners, np.roll(corners, -1, axis=1)),
    )
