"""Random textures from smoothed noise."""

from __future__ import annotations

import cv2
import numpy as np

from vision.pictures import Floats


def cloudy(shape: tuple[int, int], patch_px: float, rng: np.random.Generator, octaves: int = 3) -> Floats:
    """Return clouds with patches of about this size, mean 0 and standard deviation 1."""
    total = np.zeros(shape)
    for octave in range(octaves):
        size = max(1.0, patch_px / 2**octave)
        coarse = rng.normal(size=(max(2, int(shape[0] / size) + 2), max(2, int(shape[1] / size) + 2)))
        grown = cv2.resize(coarse.astype(np.float32), (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
        total += grown / 2**octave
    deviation = float(total.std()) or 1.0
    clouds: Floats = (total - total.mean()) / deviation
    return clouds


def folded(shape: tuple[int, int], patch_px: float, sharp: float, rng: np.random.Generator) -> Floats:
    """Return a surface of two shades, -1 and 1, that meet along winding creases: the sharper the smaller."""
    folds: Floats = np.tanh(cloudy(shape, patch_px, rng, octaves=1) / sharp)
    return folds


def streaky(shape: tuple[int, int], width_px: float, length_px: float, rng: np.random.Generator) -> Floats:
    """Return streaks along the rows, as wood has, mean 0 and standard deviation 1."""
    coarse = rng.normal(size=(int(shape[0] / width_px) + 2, int(shape[1] / length_px) + 2))
    grown = cv2.resize(coarse.astype(np.float32), (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    streaks: Floats = ((grown - grown.mean()) / (grown.std() or 1.0)).astype(np.float64)
    return streaks
