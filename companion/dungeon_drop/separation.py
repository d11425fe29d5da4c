"""How far convex shapes are apart, many pairs at once.

Two convex shapes are apart by the largest separation over all directions: how far the second begins beyond
where the first ends. Any direction gives a lower bound and the normals of the edges of both give the exact
overlap, so a needless or ill-conditioned direction never does harm. Apart, the distance is between a corner
of one and an edge of the other.
"""

from __future__ import annotations

import numpy as np

from companion.dungeon_drop.arrays import Floats

# Numbers worked on at once: arrays of this size stay in the processor's cache, and asking the system for
# larger ones takes longer than the arithmetic.
BLOCK = 12_000


def separation(normals: Floats, first: Floats, second: Floats) -> Floats:
    """Return the largest separation along *normals*, which point out of the first shape.

    Args:
        normals: shape (K, A, 2), unit vectors.
        first, second: shape (K, B, 2) and (K, C, 2), the corners.

    Returns:
        Shape (K,): negative if no direction separates them.
    """
    largest = np.empty(len(normals))
    pairs = max(1, BLOCK // (normals.shape[1] * first.shape[1]))
    for at in range(0, len(normals), pairs):
        block = slice(at, at + pairs)
        x, y = _rows(normals[block])
        ends = _reach(x, y, first[block]).max(axis=0)
        begins = _reach(x, y, second[block]).min(axis=0)
        np.max(begins - ends, axis=0, out=largest[block])
    return largest


def _reach(x: Floats, y: Floats, corners: Floats) -> Floats:
    """Return where *corners*, shape (K, B, 2), lie along directions of shape (A, K): shape (B, A, K)."""
    along, up = _rows(corners)[:, :, None]
    reach: Floats = x * along
    reach += y * up
    return reach


def points_to_segments(points: Floats, starts: Floats, stops: Floats) -> Floats:
    """Return for each row the least distance of any of its points to any of its segments.

    Args:
        points: shape (K, A, 2).
        starts, stops: shape (K, B, 2); a segment may be a point.

    Returns:
        Shape (K,).
    """
    (x, y), (to_x, to_y), (point_x, point_y) = (_rows(ends) for ends in (starts, stops, points))
    span_x, span_y = to_x - x, to_y - y
    squares = span_x * span_x + span_y * span_y
    squares[squares == 0] = 1.0
    away_x, away_y = point_x[:, None] - x, point_y[:, None] - y
    along = away_x * span_x
    along += away_y * span_y
    along /= squares
    np.clip(along, 0.0, 1.0, out=along)
    away_x -= along * span_x
    away_y -= along * span_y
    away_x *= away_x
    away_y *= away_y
    away_x += away_y
    least: Floats = away_x.min(axis=(0, 1))
    return np.sqrt(least)


def _rows(corners: Floats) -> Floats:
    """Return points of K pairs, shape (K, A, 2), with the pairs last: steps then run along whole rows."""
    return np.ascontiguousarray(corners.transpose(2, 1, 0))
