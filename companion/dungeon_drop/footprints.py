"""Many convex footprints as arrays: corners, edge normals, and the circles inside and around each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.dungeon_drop.arrays import Floats, greatest, least

Point = tuple[float, float]
Outline = Sequence[Point]


@dataclass(frozen=True, slots=True, eq=False)
class Footprints:
    """N convex polygons of up to V corners; shorter ones repeat a corner and an edge, which changes nothing.

    Attributes:
        corners: shape (N, V, 2), counter-clockwise, in mm from the origin the caller chose.
        normals: shape (N, V, 2), outward unit normals of the edges.
        centres: shape (N, 2), a point inside each.
        inner: shape (N,), radius of a circle around the centre that lies inside.
        outer: shape (N,), radius of the circle around the centre that holds all corners.
    """

    corners: Floats
    normals: Floats
    centres: Floats
    inner: Floats
    outer: Floats

    def __len__(self) -> int:
        return len(self.corners)


def padded(outlines: Sequence[Outline], corners: int = 0) -> Floats:
    """Return the corners as one array, shape (N, V, 2); V is the most corners of any, at least *corners*."""
    most = max(map(len, outlines), default=0)
    if not outlines or min(map(len, outlines)) == most >= corners:
        return np.array(outlines, dtype=np.float64).reshape(len(outlines), most, 2)
    most = max(most, corners)
    rows = [[*outline, *([outline[-1]] * (most - len(outline)))] for outline in outlines]
    return np.array(rows, dtype=np.float64)


def measure(corners: Floats) -> Footprints:
    """Work out all about the convex polygons with these *corners*, shape (N, V, 2), turning either way."""
    if not corners.size:
        corners = np.zeros((0, 4, 2))
    corners, edges = _counter_clockwise(corners)
    lengths = np.hypot(edges[..., 0], edges[..., 1])
    normals = np.empty_like(edges)
    normals[..., 0], normals[..., 1] = edges[..., 1], -edges[..., 0]
    if not lengths.all():
        normals, lengths = _with_whole_edges(normals, lengths)
    normals /= lengths[..., None]
    # The furthest corner, not the edge's own: rounding must not let a corner stick out of its edge.
    offsets = greatest(
        normals[:, :, None, 0] * corners[:, None, :, 0] + normals[:, :, None, 1] * corners[:, None, :, 1]
    )
    centres = corners.mean(axis=1)
    inner = least(offsets - normals[..., 0] * centres[:, :1] - normals[..., 1] * centres[:, 1:])
    spokes = corners - centres[:, None]
    outer = greatest(np.hypot(spokes[..., 0], spokes[..., 1]))
    return Footprints(corners, normals, centres, inner, outer)


def following(corners: Floats) -> Floats:
    """Return for each corner the next one, around the polygon; shape (N, V, 2) as given."""
    return np.concatenate((corners[:, 1:], corners[:, :1]), axis=1)


def _counter_clockwise(corners: Floats) -> tuple[Floats, Floats]:
    """Return the corners counter-clockwise, and the edges that begin at them."""
    edges = following(corners) - corners
    spokes = corners - corners[:, :1]
    clockwise = (spokes[..., 0] * edges[..., 1] - spokes[..., 1] * edges[..., 0]).sum(axis=1) < 0
    if clockwise.any():
        corners = np.where(clockwise[:, None, None], corners[:, ::-1], corners)
        edges = following(corners) - corners
    return corners, edges


def _with_whole_edges(normals: Floats, lengths: Floats) -> tuple[Floats, Floats]:
    """Put each polygon's longest edge in the place of those without length (repeated corners)."""
    longest = lengths.argmax(axis=1)
    every = np.arange(len(lengths))
    gone = lengths == 0
    normals = np.where(gone[..., None], normals[every, longest][:, None], normals)
    lengths = np.where(gone, lengths[every, longest][:, None], lengths)
    return normals, lengths
