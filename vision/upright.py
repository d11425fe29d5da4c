"""The same way up: pictures are turned by quarters until their brightest side is on top.

Networks see a turned picture a little differently, and a doubtful cube may become another one. If they only
ever see one of the four, a table has the same cubes from all sides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.pictures import FrameBGR
from vision.sightings import Sightings
from vision.support import DIRECTION_COUNT

_TURNS: Final = {1: cv2.ROTATE_90_COUNTERCLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_CLOCKWISE}


@dataclass(frozen=True, slots=True, eq=False)
class Upright:
    """A picture with its brightest side on top: it was turned by so many *quarters* against the clock."""

    frame: FrameBGR
    quarters: int

    @classmethod
    def of(cls, frame: FrameBGR) -> Upright:
        """Turn a picture."""
        quarters = _brightest_side(frame)
        if not quarters:
            return cls(frame, 0)
        return cls(np.asarray(cv2.rotate(frame, _TURNS[quarters]), np.uint8), quarters)

    def turned_back(self, seen: Sightings) -> Sightings:
        """Return what was seen in the turned picture as it is in the picture itself."""
        height, width = self.frame.shape[:2]
        centres = seen.centre_px
        for _ in range(self.quarters):
            # A quarter with the clock: what was on the left is on top.
            centres = np.stack((height - 1 - centres[:, 1], centres[:, 0]), axis=1)
            height, width = width, height
        support, unsure = (
            np.roll(reaches, self.quarters * DIRECTION_COUNT // 4, axis=1)
            for reaches in (seen.support_px, seen.unsure_px)
        )
        return replace(seen, centre_px=centres, support_px=support, unsure_px=unsure)


def _brightest_side(frame: FrameBGR) -> int:
    """Return which side is brightest: the top (0), right (1), bottom (2) or left (3)."""
    # At least one row and column: nothing is brighter than itself.
    height, width = (max(1, side // 2) for side in frame.shape[:2])
    # Whole numbers of all pixels: the same side is brightest however the picture is turned.
    top_left, top_right, bottom_left, bottom_right = (
        sum(cv2.sumElems(quarter))
        for half in (frame[:height], frame[-height:])
        for quarter in (half[:, :width], half[:, -width:])
    )
    right = top_right + bottom_right - top_left - bottom_left
    bottom = bottom_left + bottom_right - top_left - top_right
    return int(np.argmax((-bottom, right, bottom, -right)))
