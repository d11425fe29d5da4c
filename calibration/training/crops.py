"""Crops for the spotter: pieces of small pictures, with where the middles of cubes are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.training.photographs import LEAST_VISIBLE, Photograph
from vision.support import support

CROP_PX: Final = 256
CELL_PX: Final = 4
HEAT_PX: Final = 2
# The spotter works where a small cube reaches about 6 pixels; it learns cubes from half to nearly twice that.
LOG_REACHES: Final = (float(np.log(4.2)), float(np.log(11.0)))


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """A crop (256, 256, 3), *heat* (128, 128), log reach (64, 64) where *told*; *judged*: what counts."""

    picture: npt.NDArray[np.uint8]
    heat: npt.NDArray[np.float32]
    log_reach: npt.NDArray[np.float32]
    told: npt.NDArray[np.float32]
    judged: npt.NDArray[np.float32]


def cut_crop(photo: Photograph, rng: np.random.Generator) -> Crop:
    """Cut a crop at a random place, scale and turn."""
    reach = support(photo.outlines - photo.centres[:, None]).mean(axis=1)
    scale = np.exp(rng.uniform(*LOG_REACHES)) / float(np.median(reach))
    height, width = photo.frame.shape[:2]
    middle = rng.uniform(0.2, 0.8, 2) * (width, height)
    if rng.random() < 0.7:
        middle = photo.centres[rng.integers(len(reach))] + rng.normal(0, 30, 2)
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))]) * scale
    affine = np.column_stack((turn, (CROP_PX - 1) / 2 - turn @ middle))
    # Smooth before making small, as resizing a whole picture does.
    frame = photo.frame if scale > 0.8 else cv2.GaussianBlur(photo.frame, (0, 0), 0.42 / scale)
    picture = cv2.warpAffine(frame, affine, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REFLECT_101)
    centres = photo.centres @ turn.T + affine[:, 2]
    inside = ((centres > -20) & (centres < CROP_PX + 20)).all(axis=1)
    mirrored = _outside(photo, affine)
    return Crop(
        np.asarray(picture, np.uint8),
        *_targets(centres[inside], reach[inside] * scale, photo.visible[inside], mirrored),
    )


def _outside(photo: Photograph, affine: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Return 1 where the crop shows the photograph and 0 where it shows its mirror image beyond the edge."""
    whole = np.ones(photo.frame.shape[:2], np.float32)
    return np.asarray(cv2.warpAffine(whole, affine, (CROP_PX, CROP_PX)), np.float32)


def _targets(
    centres: npt.NDArray[np.float64],
    reach: npt.NDArray[np.float64],
    visible: npt.NDArray[np.float64],
    shown: npt.NDArray[np.float32],
) -> tuple[npt.NDArray[np.float32], ...]:
    cells, fine = CROP_PX // CELL_PX, CROP_PX // HEAT_PX
    y, x = (grid * HEAT_PX + (HEAT_PX - 1) / 2 for grid in np.mgrid[:fine, :fine].astype(np.float64))
    coarse_y, coarse_x = (
        grid * CELL_PX + (CELL_PX - 1) / 2 for grid in np.mgrid[:cells, :cells].astype(np.float64)
    )
    heat = np.zeros((fine, fine))
    judged = cv2.resize(shown, (fine, fine), interpolation=cv2.INTER_AREA).astype(np.float64)
    log_reach, told = np.zeros((cells, cells)), np.zeros((cells, cells))
    for (cx, cy), size, share in zip(centres, reach, visible, strict=True):
        away = ((x - cx) ** 2 + (y - cy) ** 2) / size**2
        if share < LEAST_VISIBLE:
            judged[away < 0.5] = 0.0
            continue
        heat = np.maximum(heat, np.exp(-away / (2 * 0.28**2)))
        # The middle of a small cube may lie between cells, and none of them would be taught to be hot.
        heat[(np.abs(x - cx) <= HEAT_PX / 2) & (np.abs(y - cy) <= HEAT_PX / 2)] = 1.0
        near = (coarse_x - cx) ** 2 + (coarse_y - cy) ** 2 < (0.6 * size) ** 2 + 4
        log_reach[near] = np.log(size)
        told[near] = 1.0
    return tuple(values.astype(np.float32) for values in (heat, log_reach, told, judged))
