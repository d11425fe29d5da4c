"""What should not matter: a turned, resized or differently lit picture has to show the same kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from calibration.accuracy.matching import pair_up
from vision.pictures import Floats, FrameBGR
from vision.seen import Scan


@dataclass(frozen=True, slots=True)
class Change:
    """Something done to a picture.

    Attributes:
        most: the share of cubes that may be of another kind, or gone, for it.
        done: the picture changed.
        back: where pixels of the changed picture (N, 2) were in one of this width and height.
    """

    name: str
    most: float
    done: Callable[[FrameBGR], FrameBGR]
    back: Callable[[Floats, tuple[int, int]], Floats]


@dataclass(frozen=True, slots=True)
class Changed:
    """How many of the cubes seen in a picture are of another kind after a change, and how many are gone."""

    change: Change
    cubes: int
    renamed: int
    gone: int


def changed(seen: Scan, change: Change, frame: FrameBGR, scan: Callable[[FrameBGR], Scan]) -> Changed:
    """Scan a picture once more after a change.

    Args:
        seen: the scan of the picture as it is. Which of its cubes are true does not matter.
    """
    size_px = (frame.shape[1], frame.shape[0])
    others = [
        replace(cube, outline_px=change.back(cube.outline_px, size_px))
        for cube in scan(change.done(frame)).cubes
    ]
    pairs = pair_up(seen.cubes, others)
    same = sum(seen.cubes[i].kind is others[j].kind for i, j in pairs)
    return Changed(change, len(seen.cubes), len(pairs) - same, len(seen.cubes) - len(pairs))


def share_changed(counted: Sequence[Changed], change: Change) -> float | None:
    """Return which share of all cubes a change renames or hides; nothing if there were none."""
    about = [one for one in counted if one.change is change]
    cubes = sum(one.cubes for one in about)
    return sum(one.renamed + one.gone for one in about) / cubes if cubes else None


def _turned(quarters: int) -> Change:
    def done(frame: FrameBGR) -> FrameBGR:
        return np.ascontiguousarray(np.rot90(frame, quarters))

    def back(points: Floats, size_px: tuple[int, int]) -> Floats:
        width, height = size_px
        for turn in range(quarters):
            # The width of the picture before this quarter: sides change places every time.
            before = (height, width)[(quarters - turn) % 2]
            points = np.stack((before - 1 - points[:, 1], points[:, 0]), axis=1)
        return points

    return Change(f"turned by {90 * quarters}°", 0.0, done, back)


def _resized(scale: float) -> Change:
    def done(frame: FrameBGR) -> FrameBGR:
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        return np.asarray(cv2.resize(frame, None, fx=scale, fy=scale, interpolation=how), np.uint8)

    return Change(f"resized to {scale:g}", 0.0, done, lambda points, _: (points + 0.5) / scale - 0.5)


def _lit(name: str, blue: float, green: float, red: float) -> Change:
    def done(frame: FrameBGR) -> FrameBGR:
        return np.asarray(np.clip(frame * np.array((blue, green, red)), 0, 255), np.uint8)

    return Change(name, 0.01, done, lambda points, _: points)


CHANGES: Final = (
    *map(_turned, (1, 2, 3)),
    *map(_resized, (0.7, 1.5)),
    _lit("darker by 30%", 0.7, 0.7, 0.7),
    _lit("brighter by 30%", 1.3, 1.3, 1.3),
    _lit("tinted red by 15%", 1.0, 1.0, 1.15),
    _lit("tinted blue by 15%", 1.15, 1.0, 1.0),
)
