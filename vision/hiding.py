"""Which parts of cubes are behind others: what is not seen of a cube has to be told by the rest of it."""

from __future__ import annotations

import numpy as np

from vision.nearness import distances
from vision.pictures import Floats, Indices, Mask
from vision.silhouettes import STARTS, on_outline, outward


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
    # Every point of a cube with every cube before it.
    point, before = np.nonzero(meeting[cube])
    normals = outward(corners)
    # A point is inside if it is on the inner side of all edges of the outline; others bound nothing.
    bound = np.where(on_outline(corners), (normals * corners[:, STARTS]).sum(axis=2), np.inf)
    across, down = points[point, :1] * normals[before, :, 0], points[point, 1:] * normals[before, :, 1]
    inside = (across + down < bound[before]).all(axis=1)
    found = np.zeros(len(points), bool)
    found[point[inside]] = True
    return found
