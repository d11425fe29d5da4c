"""Outlines as support functions: how far a convex shape reaches in each of a few fixed directions.

A network can tell these numbers for a cube at any angle without deciding which corner is the first, and for a
cube of which something is hidden; and those of a box that is only supposed are the largest of eight products.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.pictures import Floats

DIRECTION_COUNT: Final = 16
_ANGLES = np.arange(DIRECTION_COUNT) * (2 * np.pi / DIRECTION_COUNT)
# Unit vectors, shape (16, 2), clockwise in a picture from its right-hand side.
DIRECTIONS: Final[Floats] = np.stack((np.cos(_ANGLES), np.sin(_ANGLES)), axis=1)


def support(points: Floats) -> Floats:
    """Return how far points, shape (..., N, 2), reach from (0, 0) in each direction, shape (..., 16)."""
    reach: Floats = (points @ DIRECTIONS.T).max(axis=-2)
    return reach


def polygon(reach: Floats) -> Floats:
    """Return the convex polygon that reaches so far in each direction, shape (16,), as corners (N, 2)."""
    following = np.roll(reach, -1)
    sine = np.sin(2 * np.pi / DIRECTION_COUNT)
    ahead = np.roll(DIRECTIONS, -1, axis=0)
    # Two neighbouring edges meet where both reaches are kept.
    corners = (
        np.stack(
            (
                reach * ahead[:, 1] - following * DIRECTIONS[:, 1],
                following * DIRECTIONS[:, 0] - reach * ahead[:, 0],
            ),
            axis=1,
        )
        / sine
    )
    return np.asarray(cv2.convexHull(corners.astype(np.float32))[:, 0], np.float64)
