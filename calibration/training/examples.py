"""Gathering examples for both networks from a folder of simulated tables, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final, TypeVar

import cv2
import numpy as np

from calibration.training.crops import Crop, cut_crop
from calibration.training.patches import Patches, cut_patches
from calibration.training.photographs import photographs

# Cubes at 1.7 to 2.6 pixels per millimetre: a webcam far away, a phone near.
SCALES: Final = (0.7, 1.1)
CROPS_A_PHOTO: Final = 3
_Result = TypeVar("_Result")


def judge_examples(files: list[Path], variants: int, seed: int) -> Patches:
    """Return patches of all tables, each photographed *variants* times."""
    gathered = list(_spread(_patches_of, files, variants, seed))
    return Patches(
        np.concatenate([patches.pictures for patches in gathered]),
        np.concatenate([patches.classes for patches in gathered]),
        np.concatenate([patches.reaches for patches in gathered]),
    )


def spotter_examples(files: list[Path], variants: int, seed: int) -> list[Crop]:
    """Return crops of all tables, a few of each of *variants* photographs."""
    return [crop for crops in _spread(_crops_of, files, variants, seed) for crop in crops]


def _spread(
    work: Callable[[Path, int, int], _Result], files: list[Path], variants: int, seed: int
) -> Iterator[_Result]:
    # Fresh processes: a fork of one that has started threads may hang.
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn"), initializer=_alone) as pool:
        seeds = range(seed * 100_000, seed * 100_000 + len(files))
        yield from pool.map(work, files, [variants] * len(files), seeds, chunksize=4)


def _alone() -> None:
    """One thread for each process: there are as many processes as cores."""
    cv2.setNumThreads(1)


def _patches_of(file: Path, variants: int, seed: int) -> Patches:
    rng = np.random.default_rng(seed)
    cut = [cut_patches(photo, rng) for photo in photographs([file], variants, SCALES, seed)]
    return Patches(
        np.concatenate([patches.pictures for patches in cut]),
        np.concatenate([patches.classes for patches in cut]),
        np.concatenate([patches.reaches for patches in cut]),
    )


def _crops_of(file: Path, variants: int, seed: int) -> list[Crop]:
    rng = np.random.default_rng(seed)
    return [
        cut_crop(photo, rng)
        for photo in photographs([file], variants, SCALES, seed)
        for _ in range(CROPS_A_PHOTO)
    ]
