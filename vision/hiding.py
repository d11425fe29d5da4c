"""Which parts of cubes are behind others: what is not seen of a cube has to be told by the rest of it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.nearness import distances
from vision.pictures import Floats, Indices, Mask


def hidden(points: Floats, cube: Indices, corners: Floats, far: Floats) -> Mask:
    """Tell which points on cubes are inside the outline of a cube that stands nearer, shape (P,).

    Args:
        points: shape (P, 2), in the picture.
        cube: shape (P,), whose each point is, those of the first cube first.
        corners: shape (M, 8, 2), of the cubes, in the picture.
        far: shape (M,), how far each stands from the camera.
    """
    middles = corners.mean(axis=1)
    reach = np.linalg.norm(corners - middles[:, None], axis=2).max(axis=1)
    meeting = (distances(middles) < reach[:, None] + reach[None]) & (far[:, None] > far[None])
    found = np.zeros(len(points), bool)
    first = np.searchsorted(cube, np.arange(len(corners) + 1))
    for behind, before in np.argwhere(meeting):
        own = slice(first[behind], first[behind + 1])
        found[own] |= _inside(points[own], corners[before])
    return found


def _inside(points: Floats, corners: Floats) -> Mask:
    """Tell which points are inside the hull of corners: on the same side of all its edges."""
    hull = np.asarray(cv2.convexHull(corners.astype(np.float32))[:, 0], np.float64)
    along, away = np.roll(hull, -1, axis=0) - hull, points[:, None] - hull
    side = along[:, 0] * away[..., 1] - along[:, 1] * away[..., 0]
    return np.asarray((side > 0).all(axis=1) | (side < 0).all(axis=1))
