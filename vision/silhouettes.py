"""Which edges of standing cubes are on their outlines.

An edge is on the outline if one of the two faces that meet there is seen and the other is not. The top is
seen and the base is not; a side is seen if its corners go round in the picture as the top's do. That is told
of all cubes at once, and gives the same outlines as a convex hull of the corners of each.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.pictures import Floats, Mask

_ROUND: Final = np.arange(4)
_NEXT: Final = (_ROUND + 1) % 4
# Corners where edges start and end, shape (12,): four of the base, four of the top, four upright ones. The
# corners of a cube are those of its base, counterclockwise on the table, then those of the top above them.
STARTS: Final = np.concatenate((_ROUND, _ROUND + 4, _ROUND))
ENDS: Final = np.concatenate((_NEXT, _NEXT + 4, _ROUND + 4))
# Corners of the sides and the top, counterclockwise from outside.
_FACES: Final = np.concatenate((np.stack((_ROUND, _NEXT, _NEXT + 4, _ROUND + 4), axis=1), [_ROUND + 4]))


def on_outline(corners: Floats) -> Mask:
    """Tell which edges are on the outlines of cubes whose corners are here (M, 8, 2), shape (M, 12)."""
    faces = corners[:, _FACES]
    # Twice the area of a quadrilateral is the product of its diagonals, with the sense it goes round.
    one, other = faces[:, :, 2] - faces[:, :, 0], faces[:, :, 3] - faces[:, :, 1]
    sense = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    seen = sense[:, :4] * sense[:, 4:] > 0
    return np.concatenate((seen, ~seen, seen != np.roll(seen, 1, axis=1)), axis=1)


def outward(corners: Floats) -> Floats:
    """Return directions across all edges, away from the middles of cubes (M, 8, 2), shape (M, 12, 2)."""
    start, end = corners[:, STARTS], corners[:, ENDS]
    edge = end - start
    across = np.stack((edge[..., 1], -edge[..., 0]), axis=-1)
    across /= np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-9)
    away = (((start + end) / 2 - corners.mean(axis=1, keepdims=True)) * across).sum(axis=-1, keepdims=True)
    return np.asarray(across * np.where(away < 0, -1.0, 1.0), np.float64)
