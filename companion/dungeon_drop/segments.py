"""Distances between points and line segments, many at once."""

from __future__ import annotations

import numpy as np

from companion.dungeon_drop.arrays import Floats


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
    least: Floats = away_x.reshape(len(points), -1).min(axis=1, initial=np.inf)
    return np.sqrt(least)
