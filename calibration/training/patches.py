"""Patches for the judge: cubes seen closely, not quite in the middle, and places where there is no cube."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.training.photographs import Photograph
from vision.patches import PATCH_PX, REACH_PX
from vision.pictures import Floats
from vision.support import DIRECTION_COUNT, support

# How far off the spotter may aim, in reaches along each axis and as a logarithm of the size. Measured later:
# half of its spots are within 0.09 reaches, nine tenths within 0.22; sizes spread by 0.08.
OFF_CENTRE: Final = 0.16
OFF_SIZE: Final = 0.14
NO_CUBE: Final = 0
# Of a cube that is hidden more, a patch shows rather the cube before it.
LEAST_VISIBLE: Final = 0.45


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """Patches (N, 48, 48, 3), what they show (0: no cube, else kind + 1), reaches in patch pixels (N, 16)."""

    pictures: npt.NDArray[np.uint8]
    classes: npt.NDArray[np.int64]
    reaches: npt.NDArray[np.float32]


def cut_patches(photo: Photograph, rng: np.random.Generator) -> Patches:
    """Cut one patch around every cube, and about as many where there is none."""
    around = photo.outlines - photo.centres[:, None]
    reach = support(around).mean(axis=1)
    pictures, classes, reaches = [], [], []
    for n in np.flatnonzero(photo.visible >= LEAST_VISIBLE):
        place = photo.centres[n] + rng.normal(0, OFF_CENTRE, 2) * reach[n]
        scale = REACH_PX / (reach[n] * np.exp(rng.normal(0, OFF_SIZE)))
        affine = _affine(place, scale, rng)
        pictures.append(_cut(photo, affine))
        corners = photo.outlines[n] @ affine[:, :2].T + affine[:, 2] - (PATCH_PX - 1) / 2
        classes.append(int(photo.kinds[n]) + 1)
        reaches.append(support(corners))
    for place, size in _empty_places(photo, reach, rng):
        pictures.append(_cut(photo, _affine(place, REACH_PX / size, rng)))
        classes.append(NO_CUBE)
        reaches.append(np.zeros(DIRECTION_COUNT))
    return Patches(np.stack(pictures), np.array(classes), np.stack(reaches).astype(np.float32))


def _affine(place: Floats, scale: float, rng: np.random.Generator) -> Floats:
    """Return the map from the photograph to a patch around *place*, at a random turn and maybe mirrored."""
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))]) * scale
    if rng.random() < 0.5:
        turn[:, 0] *= -1
    shift = (PATCH_PX - 1) / 2 - turn @ place
    return np.column_stack((turn, shift))


def _cut(photo: Photograph, affine: Floats) -> npt.NDArray[np.uint8]:
    return np.asarray(
        cv2.warpAffine(photo.frame, affine, (PATCH_PX, PATCH_PX), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _empty_places(photo: Photograph, reach: Floats, rng: np.random.Generator) -> list[tuple[Floats, float]]:
    """Return places without a cube: between cubes, at corners of other things, and anywhere."""
    height, width = photo.frame.shape[:2]
    wanted = max(10, len(reach))
    beside = rng.integers(len(reach), size=wanted)
    angle = rng.uniform(0, 2 * np.pi, wanted)
    away = reach[beside] * rng.uniform(1.0, 2.4, wanted)
    near = photo.centres[beside] + np.stack((np.cos(angle), np.sin(angle)), 1) * away[:, None]
    anywhere = rng.uniform((0, 0), (width, height), (wanted // 2, 2))
    grey = cv2.cvtColor(photo.frame, cv2.COLOR_BGR2GRAY)
    striking = cv2.goodFeaturesToTrack(grey, 200, 0.01, 6)
    corners = np.zeros((0, 2)) if striking is None else striking[:, 0].astype(np.float64)
    corners = corners[rng.permutation(len(corners))] + rng.normal(0, 2, corners.shape)
    places = np.concatenate((near[: wanted // 2], anywhere, corners))
    distance = np.linalg.norm(places[:, None] - photo.centres[None], axis=2) / reach
    free = places[distance.min(axis=1) > 0.9][: wanted + wanted // 2]
    sizes = rng.choice(reach, len(free)) * np.exp(rng.normal(0, OFF_SIZE, len(free)))
    return list(zip(free, sizes.tolist(), strict=True))
