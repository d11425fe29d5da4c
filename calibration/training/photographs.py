"""Photographs to learn from: simulated tables under ever new light, and where their cubes are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from calibration.simulation.develop import CameraSettings, develop
from vision.pictures import Floats, FrameBGR
from vision.pieces import KINDS, Kind

# The outline of a cube has at most six corners, of one that leans as well; the rest repeats the last.
CORNER_COUNT: Final = 8
# Cubes of which less is seen are neither taught nor held against the networks.
LEAST_VISIBLE: Final = 0.3
# How often some of the noise that few light paths leave stays, as in renderings by others: rendered glass and
# pearl have most of it, real ones none, so it must not tell a kind.
SPECKLED: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Photograph:
    """A photograph and its cubes: *centres* (N, 2), *outlines* (N, 8, 2), *kinds* (N,), *visible* (N,)."""

    frame: FrameBGR
    centres: Floats
    outlines: Floats
    kinds: npt.NDArray[np.int64]
    visible: Floats


def photographs(
    files: list[Path], variants: int, scales: tuple[float, float], seed: int
) -> Iterator[Photograph]:
    """Take *variants* photographs of every table, each smaller than rendered by a random scale."""
    settings = CameraSettings()
    for number, file in enumerate(files):
        with np.load(file) as stored:
            calm, speckles = (stored[name].astype(np.float32) for name in ("calm", "speckles"))
            truth = json.loads(str(stored["truth"]))
        for variant in range(variants):
            rng = np.random.default_rng((seed, number, variant))
            scale = float(np.exp(rng.uniform(*np.log(scales))))
            left = np.float32(rng.uniform() if rng.random() < SPECKLED else 0.0)
            layers = calm + left * speckles
            yield _photograph(layers, truth["cubes"], scale, rng, settings)


def _photograph(
    layers: Any, cubes: list[dict[str, Any]], scale: float, rng: np.random.Generator, settings: CameraSettings
) -> Photograph:
    frame = develop(layers, scale, rng, settings)
    # Sizes are whole pixels, so the scale is not exactly what was asked for.
    real = np.array([frame.shape[1] / layers.shape[2], frame.shape[0] / layers.shape[1]])
    outlines = np.stack([_padded(np.array(cube["outline_px"])) for cube in cubes])
    return Photograph(
        frame,
        (np.array([cube["centre_px"] for cube in cubes]) + 0.5) * real - 0.5,
        (outlines + 0.5) * real - 0.5,
        np.array([KINDS.index(Kind(cube["type"])) for cube in cubes]),
        np.array([cube["visible"] for cube in cubes]),
    )


def _padded(corners: Floats) -> Floats:
    return corners[np.minimum(np.arange(CORNER_COUNT), len(corners) - 1)]
