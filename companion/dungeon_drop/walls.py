"""The wall between two pillars, as thick as they are: the convex hull of both footprints.

A room is three walls and the floor between them, so everything about rooms follows from tables of walls:
there are far fewer walls than rooms, and each is measured once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

import numpy as np

from companion.dungeon_drop.arrays import Flags, Floats, Indexes, greatest, joined, least
from companion.dungeon_drop.footprints import Footprints

# Numbers held at once while looking for the long sides; more walls are worked through in blocks.
BLOCK = 2_000_000
# How much may stick out of a tangent, in mm times its length in mm: rounding stays far below, and a line that
# is none by so little does no harm.
TANGENT = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class Walls:
    """M walls between pairs of pillars.

    Attributes:
        ends: shape (M, 2), the two pillars of each.
        axes: shape (M, 2, 2), unit vectors from the first pillar's centre to the second's, and to the left.
        starts: shape (M, 2), where the first pillar's centre lies along both.
        lengths: shape (M,), between the centres.
        inner, outer: shape (M,), how far a wall reaches from its axis at least and at most.
        normals: shape (M, S, 2), outward unit normals of the long sides: two, or more if pillars overlap.
        sides: shape (M, S, 2, 2), the long sides from corner to corner.
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
    """The common tangents of M pairs of footprints; see `Walls`."""

    normals: Floats
    sides: Floats


Sided = TypeVar("Sided", Walls, LongSides)


@lru_cache(maxsize=4)
def wall_ends(pillars: int) -> Indexes:
    """Return all pairs of pillars, shape (M, 2), in the order in which walls are numbered."""
    ends = np.stack(np.triu_indices(pillars, 1), axis=1)
    ends.flags.writeable = False
    return ends


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
    near = lengths <= pillars.outer.take(first) + pillars.outer.take(second)
    blocks = [
        _long_sides(pillars, ends[at : at + rows], near[at : at + rows])
        for at in range(0, max(len(ends), 1), rows)
    ]
    most = max(block.sides.shape[1] for block in blocks)
    long = joined([with_sides(block, most) for block in blocks])
    return Walls(ends, axes, starts, lengths, inner, outer, long.normals, long.sides)


def with_sides(long: Sided, count: int) -> Sided:
    """Repeat the first long side, which changes nothing, until there are *count*."""
    if long.sides.shape[1] == count:
        return long
    which = np.arange(count)
    which[which >= long.sides.shape[1]] = 0
    return replace(long, normals=long.normals.take(which, axis=1), sides=long.sides.take(which, axis=1))


def _long_sides(pillars: Footprints, ends: Indexes, near: Flags) -> LongSides:
    """Find the common tangents of the footprints of each pair: lines that nothing sticks out of.

    Apart, two footprints have two. Footprints that overlap (camera noise) may have more, and none if one
    hides in the other; then the lines found are only directions that do no harm.

    Args:
        near: shape (M,), which pairs may overlap.
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
    found = sticks_out.argmin(axis=2) + np.array([0, corners * corners])
    if near.any():
        found = _all_tangents(found, sticks_out * lengths[:, None], near)
    side, line = np.divmod(found, corners * corners)
    every = np.arange(many)[:, None]
    normals = np.stack((x[every, line], y[every, line]), axis=2) * (1.0 - 2.0 * side)[..., None]
    return LongSides(
        normals, np.stack((first[every, line // corners], second[every, line % corners]), axis=2)
    )


def _all_tangents(found: Indexes, sticks_out: Floats, near: Flags) -> Indexes:
    """Return for every near pair all lines that nothing sticks out of, for the others the two *found* before.

    Args:
        found: shape (M, 2), numbers of lines: those to the right of all, then those to the left.
        sticks_out: shape (M, 2, lines), how much sticks out, times the length of the line: a short line has
            no better direction than its corners are exact.
        near: shape (M,).
    """
    tangent = (sticks_out <= TANGENT).reshape(len(found), -1) & near[:, None]
    most = max(2, int(tangent.sum(axis=1).max()))
    # Tangents first, each row in order.
    listed = np.argsort(~tangent, axis=1, kind="stable")[:, :most]
    is_one = np.take_along_axis(tangent, listed, axis=1)
    return np.where(is_one, listed, np.repeat(found, -(-most // 2), axis=1)[:, :most])
