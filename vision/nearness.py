"""Keeping one of several things that are too near to each other to be two."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.pictures import Floats


def distances(points: Floats) -> Floats:
    """Return how far all points, shape (N, 2), are from each other, shape (N, N)."""
    return np.asarray(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)), np.float64)


def first_of_near(near: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Tell which things, best first, are not near (N, N) to a better one that is kept."""
    kept = np.ones(len(near), bool)
    for n in range(1, len(near)):
        kept[n] = not (near[n, :n] & kept[:n]).any()
    return kept
