"""How far convex shapes are apart, many pairs at once.

Two convex shapes are apart by the largest separation over all directions: how far the second begins beyond
where the first ends. Any direction gives a lower bound and the normals of the edges of both give the exact
overlap, so a needless or ill-conditioned direction never does harm. Apart, the distance is between a corner
of one and an edge of the other.
"""

from __future__ import annotations

import numpy as np

from companion.dungeon_drop.arrays import Floats


def separation(normals: Floats, first: Floats, second: Floats) -> Floats:
    """Return the largest separation along *normals*, which point out of the first shape.

    Args:
        normals: shape (K, A, 2), unit vectors.
        first, second: shape (K, B, 2) and (K, C, 2), the corners.

    Returns:
        Shape (K,): negative if no direction separates them.
    """
    turned = normals.transpose(0, 2, 1)
    beyond = (second @ turned).min(axis=1) - (first @ turned).max(axis=1)
    largest: Floats = beyond.max(axis=1)
    return largest


def points_to_segments(points: Floats, starts: Floats, stops: Floats) -> Floats:
    """Return for each row the least distance of any of its points to any of its segments.

    Args:
        points: shape (K, A, 2).
        starts, stops: shape (K, B, 2); a segment may be a point.

    Returns:
        Shape (K,).
    """
    x, y = stops[..., 0] - starts[..., 0], stops[..., 1] - starts[..., 1]
    squares = x * x + y * y
    squares[squares == 0] = 1.0
    away_x = points[:, :, None, 0] - starts[:, None, :, 0]
    away_y = points[:, :, None, 1] - starts[:, None, :, 1]
    along = (away_x * x[:, None] + away_y * y[:, None]) / squares[:, None]
    np.clip(along, 0.0, 1.0, out=along)
    away_x -= along * x[:, None]
    away_y -= along * y[:, None]
    away_x *= away_x
    away_y *= away_y
    away_x += away_y
    least: Floats = away_x.min(axis=(1, 2))
    return np.sqrt(least)
