"""Using a picture of the empty table: where nothing differs from it, there is no cube."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Floats, FrameBGR
from vision.sightings import Sightings


@dataclass(frozen=True, slots=True, kw_only=True)
class EmptySettings:
    """How pictures are compared.

    Attributes:
        work_px: longer side of the compared pictures: a small cube is then still some pixels wide.
        noise: differences (of 255) within this are noise; more than this if the whole pictures differ more.
        unlike: if this share of the picture differs, the empty one shows another table or view: not used.
        drift: the same if the usual difference (of 255) is larger. A guess, as are the odds: noise of 3 and
            another exposure, as in the tests, stay below it.
        bare_odds: how much less likely a cube is where nothing differs (natural logarithm of the odds).
        full_odds: how much more likely where nearly all of its outline differs.
    """

    work_px: int = 960
    noise: float = 7.0
    unlike: float = 0.35
    drift: float = 12.0
    bare_odds: float = 4.0
    full_odds: float = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class EmptyTable:
    """Where a picture differs from the empty table, (h, w) at *scale*; *fits* if it is the same view."""

    differs: npt.NDArray[np.float32]
    scale: float
    fits: bool

    @staticmethod
    def of(frame: FrameBGR, empty: FrameBGR, settings: EmptySettings) -> EmptyTable:
        """Compare a picture with that of the empty table.

        Raises:
            ValueError: they are not of the same size.
        """
        if frame.shape != empty.shape:
            raise ValueError("the picture of the empty table has another size")
        scale = min(1.0, settings.work_px / max(frame.shape[:2]))
        size = (max(1, round(frame.shape[1] * scale)), max(1, round(frame.shape[0] * scale)))
        here, there = (
            cv2.GaussianBlur(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), (0, 0), 1.0).astype(
                np.float32
            )
            for picture in (frame, empty)
        )
        # The camera may have chosen another exposure: most of both pictures is table.
        gain = (np.median(here, axis=(0, 1)) + 4) / (np.median(there, axis=(0, 1)) + 4)
        apart = np.abs(here - there * gain).max(axis=2)
        usual = float(np.median(apart))
        differs = (apart > max(settings.noise, 3.0 * usual)).astype(np.float32)
        fits = usual < settings.drift and float(differs.mean()) < settings.unlike
        return EmptyTable(differs, size[0] / frame.shape[1], fits)


def without_table(seen: Sightings, table: EmptyTable, settings: EmptySettings) -> Sightings:
    """Return sightings, less likely where nothing differs from the empty table and more where all does."""
    if not table.fits or not len(seen):
        return seen
    share = _differing(seen, table)
    odds = np.interp(share, (0.03, 0.15, 0.6), (-settings.bare_odds, 0.0, settings.full_odds))
    presence = np.clip(seen.presence, 1e-9, 1 - 1e-9)
    raised = np.exp(odds) * presence / (1 - presence)
    return replace(seen, presence=raised / (1 + raised))


def _differing(seen: Sightings, table: EmptyTable) -> Floats:
    """Return which share of a square within each outline differs from the empty table."""
    sums = cv2.integral(table.differs)
    height, width = table.differs.shape
    half = seen.support_px.mean(axis=1, keepdims=True) * 0.85
    low = ((seen.centre_px - half) * table.scale).round().astype(np.intp)
    high = ((seen.centre_px + half) * table.scale).round().astype(np.intp) + 1
    left, right = (np.clip(side[:, 0], 0, width) for side in (low, high))
    top, bottom = (np.clip(side[:, 1], 0, height) for side in (low, high))
    total = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    share: Floats = total / np.maximum((right - left) * (bottom - top), 1)
    return share
