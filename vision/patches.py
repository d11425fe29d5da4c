"""Cutting a patch around each possible cube, all of one size, for the judge."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Floats, FrameBGR
from vision.support import DIRECTIONS

PATCH_PX: Final = 48
# A cube's mean reach in a patch: it fills the middle, with some table around.
REACH_PX: Final = 12.0
# Cubes smaller than the judge knows are enlarged by more than this so that edges stay sharp: of pictures made
# 0.7 times as large 1.9 % of the kinds change then, and 3.3 % if lines are drawn between the pixels.
ENLARGED: Final = 1.15


def cut_patches(
    frame: FrameBGR, centres_px: Floats, reach_px: Floats, turned: int = 0
) -> npt.NDArray[np.uint8]:
    """Return patches, shape (N, 48, 48, 3), around centres (N, 2) of cubes that reach so far (N,).

    Args:
        turned: by how many of the 16 directions the head is turned: what lies there is on the right.
    """
    patches = np.empty((len(centres_px), PATCH_PX, PATCH_PX, 3), np.uint8)
    half = (PATCH_PX - 1) / 2
    right, down = DIRECTIONS[turned], DIRECTIONS[(turned + len(DIRECTIONS) // 4) % len(DIRECTIONS)]
    scales = REACH_PX / reach_px
    turns = scales[:, None, None] * np.stack((right, down))
    affine = np.concatenate((turns, half - turns @ centres_px[:, :, None]), axis=2)
    for n, scale in enumerate(scales):
        how = cv2.INTER_CUBIC if scale > ENLARGED else cv2.INTER_LINEAR
        cv2.warpAffine(
            frame,
            affine[n],
            (PATCH_PX, PATCH_PX),
            dst=patches[n],
            flags=how,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return patches
