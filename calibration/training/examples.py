"""Gathering examples for both networks from a folder of simulated tables, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Final, TypeVar

import cv2
import numpy as np

from calibration.training.bare import cut_bare
from calibration.training.crops import Crop, cut_crop
from calibration.training.patches import Patches, cut_patches
from calibration.training.photographs import photographs
from vision.networks import Network

# Cubes at 1.15 to 2.3 pixels per millimetre: a webcam far away, a phone near.
SCALES: Final = (0.55, 1.1)
CROPS_A_PHOTO: Final = 3
# So many bare tables to one with cubes.
BARE: Final = 1 / 7
_Result = TypeVar("_Result")


def judge_examples(files: list[Path], variants: int, seed: int, weights: Path | None) -> Patches:
    """Return patches of all tables, each photographed *variants* times, and of some that are bare.

    Args:
        weights: the folder of the spotter that aims; None: the scanner's own.
    """
    parts = _spread(_patches_of, _jobs(files, variants, seed, weights))
    parts += _spread(_bare_of, _jobs(files[:: round(1 / BARE)], variants, seed + 1, weights))
    return Patches.joined(parts)


def spotter_examples(files: list[Path], variants: int, seed: int) -> list[Crop]:
    """Return crops of all tables, a few of each of *variants* photographs."""
    return [crop for crops in _spread(_crops_of, _jobs(files, variants, seed)) for crop in crops]


@dataclass(frozen=True, slots=True)
class _Job:
    """A table to photograph so many times."""

    file: Path
    variants: int
    seed: int
    weights: Path | None


def _jobs(files: list[Path], variants: int, seed: int, weights: Path | None = None) -> list[_Job]:
    return [_Job(file, variants, seed * 100_000 + number, weights) for number, file in enumerate(files)]


def _spread(work: Callable[[_Job], _Result], jobs: list[_Job]) -> list[_Result]:
    # Fresh processes: a fork of one that has started threads may hang.
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn"), initializer=_alone) as pool:
        return list(pool.map(work, jobs, chunksize=4))


def _alone() -> None:
    """One thread for each process: there are as many processes as cores."""
    cv2.setNumThreads(1)


def _patches_of(job: _Job) -> Patches:
    rng = np.random.default_rng(job.seed)
    spotter = Network("spotter", job.weights)
    photos = photographs([job.file], job.variants, SCALES, job.seed)
    return Patches.joined([cut_patches(photo, spotter, rng) for photo in photos])


def _bare_of(job: _Job) -> Patches:
    return cut_bare(Network("spotter", job.weights), job.variants, np.random.default_rng(job.seed))


def _crops_of(job: _Job) -> list[Crop]:
    rng = np.random.default_rng(job.seed)
    return [
        cut_crop(photo, rng)
        for photo in photographs([job.file], job.variants, SCALES, job.seed)
        for _ in range(CROPS_A_PHOTO)
    ]
