"""What a person could do better: light, sharpness, distance, cards."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import cv2
import numpy as np

from vision.emptiness import EmptyTable
from vision.markers import IDS, Marker
from vision.pictures import FrameBGR
from vision.plane import TablePlane
from vision.seen import Advice, SeenCube, Source, Warning
from vision.sightings import Sightings
from vision.zoom import Zoomed


@dataclass(frozen=True, slots=True, kw_only=True)
class QualitySettings:
    """When a picture is worth a word.

    Attributes:
        dark: of 255: if even the brightest hundredth is darker, no kind can be told for sure.
        bright_share: of pixels that are white in a channel: colours are lost.
        least_sharp: how many times over a cube's reach its sharpest edges go from dark to bright: the test
            pictures have 2.2 to 5.0, blurred by 2 px 1.3 to 2.1, by 3 px 1.1 to 1.6.
        sharp_spots: how many of the hottest spots are asked about sharpness.
        near_reach_px: cubes that reach less far than this have too few pixels to tell dice from keys.
        far_share: cubes that reach further than this share of the picture's shorter side: some are outside.
        cut_off_px: outlines nearer to the picture's edge than this may go on beyond it.
    """

    dark: float = 60.0
    bright_share: float = 0.35
    least_sharp: float = 1.8
    sharp_spots: int = 12
    near_reach_px: float = 6.0
    far_share: float = 0.16
    cut_off_px: float = 2.0


def warnings_about(
    frame: FrameBGR,
    near: Zoomed,
    markers: tuple[Marker, ...],
    plane: TablePlane,
    source: Source,
    cubes: tuple[SeenCube, ...],
    seen: Sightings,
    table: EmptyTable | None,
    settings: QualitySettings,
) -> tuple[Warning, ...]:
    """Return what to do better, most important first."""
    found = [*_light(near.close, settings), *_sight(near, seen, frame, settings)]
    if table is not None and not table.fits:
        found.append(Warning(Advice.EMPTY_DIFFERS))
    if not cubes:
        found.append(Warning(Advice.NO_CUBES))
    left_over = int((seen.presence > 0.5).sum()) - len(cubes)
    if cubes and left_over > 0:
        found.append(Warning(Advice.TOO_MANY, count=left_over))
    cut = _cut_off(cubes, frame, settings)
    if cut:
        found.append(Warning(Advice.CUT_OFF, count=cut))
    found += [Warning(Advice.MARKER_BENT, marker=id) for id in plane.bent]
    if source is Source.MARKERS and len(markers) < len(IDS) and len(markers) > 1:
        there = {marker.id for marker in markers}
        # One that is missing between others is hidden; those after the last may not be in use.
        found += [
            Warning(Advice.MARKER_HIDDEN, marker=id) for id in IDS if id not in there and id < max(there)
        ]
    elif not markers and cubes:
        found.append(Warning(Advice.NO_MARKERS))
    return tuple(found)


def _light(close: FrameBGR, settings: QualitySettings) -> list[Warning]:
    blue, green, red = cv2.split(np.ascontiguousarray(close[::8, ::8]))
    brightest = np.maximum(np.maximum(blue, green), red)
    if _level(brightest, 0.99) < settings.dark:
        return [Warning(Advice.TOO_DARK)]
    if float((brightest >= 252).mean()) > settings.bright_share:
        return [Warning(Advice.TOO_BRIGHT)]
    return []


def _sight(near: Zoomed, seen: Sightings, frame: FrameBGR, settings: QualitySettings) -> list[Warning]:
    found = []
    if len(seen):
        reach = float(np.median(seen.support_px.mean(axis=1)))
        if reach < settings.near_reach_px:
            found.append(Warning(Advice.COME_CLOSER))
        elif reach > settings.far_share * min(frame.shape[:2]):
            found.append(Warning(Advice.TOO_CLOSE))
    if _blurred(near, settings):
        found.append(Warning(Advice.BLURRED))
    return found


def _blurred(near: Zoomed, settings: QualitySettings) -> bool:
    """Tell whether the sharpest edges around the spots are soft, at the scale the judge works at."""
    hot = near.spots.heat > 0.35
    if not hot.any():
        return False
    sharpness = []
    centres, reaches = (
        values[hot][: settings.sharp_spots] for values in (near.spots.centres_px, near.spots.reach_px)
    )
    for (x, y), reach in zip(centres, reaches, strict=True):
        half = int(max(6, 1.6 * reach))
        around = near.close[max(0, int(y) - half) : int(y) + half, max(0, int(x) - half) : int(x) + half]
        if min(around.shape[:2]) < 8:
            continue
        patch = np.asarray(cv2.cvtColor(around, cv2.COLOR_BGR2GRAY), np.float32)
        steps = cv2.Sobel(patch, cv2.CV_32F, 1, 0) ** 2 + cv2.Sobel(patch, cv2.CV_32F, 0, 1) ** 2
        contrast = _level(patch, 0.98) - _level(patch, 0.02) + 8.0
        # How much of the whole step an edge takes within one pixel, in units of the cube's size.
        sharpness.append(sqrt(_level(steps, 0.99)) / 8 / contrast * reach)
    return bool(sharpness) and float(np.median(sharpness)) < settings.least_sharp


def _level(values: np.ndarray[Any, Any], share: float) -> float:
    """Return what this share of all values stays below: a percentile, in a fraction of NumPy's time."""
    place = round(share * (values.size - 1))
    return float(np.partition(values, place, axis=None)[place])


def _cut_off(cubes: tuple[SeenCube, ...], frame: FrameBGR, settings: QualitySettings) -> int:
    """Count cubes whose outline leaves the picture."""
    height, width = frame.shape[:2]
    low, high = settings.cut_off_px, np.array([width, height]) - 1 - settings.cut_off_px
    return sum(bool((cube.outline_px < low).any() or (cube.outline_px > high).any()) for cube in cubes)
