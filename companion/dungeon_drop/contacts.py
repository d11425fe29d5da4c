"""How far cubes are from walls: first the cheap test on centres, then exactly, only where it matters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.dungeon_drop.arrays import Flags, Floats, Indexes
from companion.dungeon_drop.footprints import Footprints, following
from companion.dungeon_drop.separation import points_to_segments, separation
from companion.dungeon_drop.walls import Walls

# Rounding on a table of a metre stays under 1e-12 mm; what is nearer than this touches.
TOUCHING_MM = 1e-10
# A centre this near to the line through two pillars, as a share of the thinnest one, is on that line.
ON_THE_LINE = 1e-6
# Answers (wall and cube) held at once; more walls are worked through in blocks.
BLOCK = 500_000


@dataclass(frozen=True, slots=True, eq=False)
class Contacts:
    """How M walls and C cubes lie to each other, all shape (M, C).

    Attributes:
        gaps: signed distance in mm, negative where they overlap. Exact where it is nearer to 0 than was asked
            for; infinite beyond that, and at least as far below where a cube is deep inside.
        left, right: whether a cube's centre is clearly on that side of the wall's axis.
    """

    gaps: Floats
    left: Flags
    right: Flags


def find_contacts(
    walls: Walls, pillars: Footprints, cubes: Footprints, near_mm: float, own: Indexes | None = None
) -> Contacts:
    """Measure every cube whose edge is nearer than *near_mm* to the edge of a wall.

    Args:
        own: shape (M, ...), for each wall which of the cubes are its own pillars: they are left out.
    """
    shape = (len(walls.lengths), len(cubes))
    found = Contacts(np.empty(shape), np.empty(shape, np.bool_), np.empty(shape, np.bool_))
    on_line = ON_THE_LINE * pillars.inner.min(initial=np.inf)
    rows = max(1, BLOCK // max(len(cubes), 1))
    for at in range(0, shape[0], rows):
        block = slice(at, at + rows)
        along, across = _seen_from(walls, cubes, block)
        np.greater(across, on_line, out=found.left[block])
        np.less(across, -on_line, out=found.right[block])
        close, deep = _by_circles(walls, cubes, near_mm, block, along, across)
        if own is not None:
            every = np.arange(len(close))[:, None]
            close[every, own[block]] = deep[every, own[block]] = False
        gaps = np.where(deep, -np.inf, np.inf)
        unsure = np.flatnonzero(close ^ deep)
        wall, cube = np.divmod(unsure, len(cubes))
        gaps.ravel()[unsure] = _gaps(walls, pillars, cubes, near_mm, wall + at, cube)
        found.gaps[block] = gaps
    return found


def _by_circles(
    walls: Walls, cubes: Footprints, near_mm: float, block: slice, along: Floats, across: Floats
) -> tuple[Flags, Flags]:
    """Tell by the circles around and inside them which cubes are close to walls, and which deep inside."""
    off, lengths = np.abs(across), walls.lengths[block, None]
    reach = walls.outer[block, None] + (cubes.outer + near_mm)
    close = (off <= reach) & (along >= -reach) & (along <= lengths + reach)
    deep = off <= walls.inner[block, None] + (cubes.inner - near_mm)
    deep &= (along >= 0) & (along <= lengths)
    return close, deep


def _seen_from(walls: Walls, cubes: Footprints, block: slice) -> tuple[Floats, Floats]:
    """Return how far each cube's centre lies along each wall's axis, and how far to its left."""
    axes = walls.axes[block]
    seen = (axes.reshape(-1, 2) @ cubes.centres.T).reshape(len(axes), 2, len(cubes))
    seen -= walls.starts[block, :, None]
    return seen[:, 0], seen[:, 1]


def _gaps(
    walls: Walls, pillars: Footprints, cubes: Footprints, near_mm: float, wall: Indexes, cube: Indexes
) -> Floats:
    """Return the signed gap of each wall and cube listed, both shape (K,): exact below *near_mm*."""
    corners = cubes.corners.take(cube, axis=0)
    ends = walls.ends.take(wall, axis=0)
    flat = (len(wall), 2 * pillars.corners.shape[1], 2)
    own = pillars.corners.take(ends, axis=0).reshape(flat)
    normals = np.concatenate(
        (
            walls.normals.take(wall, axis=0),
            pillars.normals.take(ends, axis=0).reshape(flat),
            -cubes.normals.take(cube, axis=0),
        ),
        axis=1,
    )
    gaps = separation(normals, own, corners)
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
    flat = (len(wall), 2 * ends.shape[2], 2)
    starts = np.concatenate((sides[:, :, 0], ends.reshape(flat)), axis=1)
    stops = np.concatenate((sides[:, :, 1], following(ends[:, 0]), following(ends[:, 1])), axis=1)
    return np.minimum(
        points_to_segments(corners, starts, stops),
        points_to_segments(ends.reshape(flat), corners, following(corners)),
    )
