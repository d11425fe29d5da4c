"""The wall between two pillars, as thick as they are: the convex hull of both footprints.

A room is three walls and the floor between them, so everything about rooms follows from tables of walls:
there are far fewer walls than rooms, and each is measured once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.dungeon_drop.arrays import Floats, Indexes, greatest, joined, least
from companion.dungeon_drop.footprints import Footprints

# Numbers held at once while looking for the long sides; more walls are worked through in blocks.
BLOCK = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Walls:
    """M walls between pairs of pillars.

    Attributes:
        ends: shape (M, 2), the two pillars of each.
        axes: shape (M, 2, 2), unit vectors from the first pillar's centre to the second's, and to the left.
        starts: shape (M, 2), where the first pillar's centre lies along both.
        lengths: shape (M,), between the centres.
        inner, outer: shape (M,), how far a wall reaches from its axis at least and at most.
        normals: shape (M, 2, 2), outward unit normals of the two long sides.
        sides: shape (M, 2, 2, 2), the long sides from corner to corner.
    """

    ends: Indexes
    axes: Floats
    starts: Floats
    lengths: Floats
    inner: Floats
    outer: Floats
    normals: Floats
    sides: Floats


@dataclass(frozen=True, slots=True, eq=False)
class LongSides:
    """The two common tangents of M pairs of footprints; see `Walls`."""

    normals: Floats
    sides: Floats


def wall_ends(pillars: int) -> Indexes:
    """Return all pairs of pillars, shape (M, 2), in the order in which walls are numbered."""
    first, second = np.triu_indices(pillars, 1)
    return np.stack((first, second), axis=1)


def wall_number(first: Indexes, second: Indexes, pillars: int) -> Indexes:
    """Return the number of the wall between *first* and *second*, where *first* is the smaller."""
    return first * (2 * pillars - first - 1) // 2 + second - first - 1


def build_walls(pillars: Footprints, ends: Indexes) -> Walls:
    """Work out the walls between the pairs of pillars in *ends*, shape (M, 2)."""
    first, second = ends[:, 0], ends[:, 1]
    centres = pillars.centres.take(first, axis=0)
    spans = pillars.centres.take(second, axis=0) - centres
    lengths = np.hypot(spans[:, 0], spans[:, 1])
    axes = np.empty((len(ends), 2, 2))
    # Two pillars on one spot (camera noise) have no direction; any will do.
    axes[:, 0] = (1.0, 0.0)
    np.divide(spans, lengths[:, None], out=axes[:, 0], where=lengths[:, None] > 0)
    axes[:, 1, 0], axes[:, 1, 1] = -axes[:, 0, 1], axes[:, 0, 0]
    starts = axes[..., 0] * centres[:, :1] + axes[..., 1] * centres[:, 1:]
    inner = np.minimum(pillars.inner.take(first), pillars.inner.take(second))
    outer = np.maximum(pillars.outer.take(first), pillars.outer.take(second))
    rows = max(1, BLOCK // (2 * pillars.corners.shape[1] ** 3))
    blocks = (ends[at : at + rows] for at in range(0, max(len(ends), 1), rows))
    long = joined([_long_sides(pillars, block) for block in blocks])
    return Walls(ends, axes, starts, lengths, inner, outer, long.normals, long.sides)


def _long_sides(pillars: Footprints, ends: Indexes) -> LongSides:
    """Find the two common tangents of the footprints of each pair.

    Of all lines from a corner of one to a corner of the other, a tangent is the one nothing sticks out of.
    Where one footprint hides in the other there is none, and the line found is only a direction that does
    no harm.
    """
    both = pillars.corners.take(ends, axis=0)
    many, _, corners, _ = both.shape
    first, second = both[:, 0], both[:, 1]
    lines = (second[:, None, :] - first[:, :, None]).reshape(many, corners * corners, 2)
    lengths = np.sqrt(lines[..., 0] ** 2 + lines[..., 1] ** 2)
    pointless = lengths == 0
    lengths[pointless] = 1.0
    x, y = lines[..., 1] / lengths, -lines[..., 0] / lengths
    # The corners come first, so that the fold below runs over whole arrays.
    reach = np.empty((2 * corners, *x.shape))
    for place, corner in enumerate(both.reshape(many, 2 * corners, 2).transpose(1, 2, 0)[..., None]):
        np.multiply(x, corner[0], out=reach[place])
        reach[place] += y * corner[1]
    along = reach[np.repeat(np.arange(corners), corners), :, np.arange(corners * corners)].T
    furthest, nearest = greatest(reach.transpose(1, 2, 0)), least(reach.transpose(1, 2, 0))
    sticks_out = np.stack((furthest - along, along - nearest), axis=1)
    if pointless.any():
        sticks_out.transpose(0, 2, 1)[pointless] = np.inf
    found = sticks_out.argmin(axis=2)
    every, signs = np.arange(many)[:, None], np.array([1.0, -1.0])
    normals = np.stack((x[every, found] * signs, y[every, found] * signs), axis=2)
    sides = np.stack((first[every, found // corners], second[every, found % corners]), axis=2)
    return LongSides(normals, sides)
