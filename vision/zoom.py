"""At which scale to look: pictures come in all sizes, the networks know cubes at one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.boxes import corners_px
from vision.networks import Network
from vision.pictures import FrameBGR
from vision.plane import TablePlane
from vision.spotter import Spots, spot
from vision.support import support

# The side of a usual cube in millimetres: two thirds of all are small. And a turn that is neither along nor
# across the picture.
USUAL_MM: Final = 8.0
USUAL_TURN: Final = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoomSettings:
    """Which scales are tried.

    Attributes:
        spot_reach_px: the mean reach of cubes at which the spotter is at its best, amid those it was taught.
        close_reach_px: the same for the judge: its patches are made from a picture of this scale.
        worth_while: a picture that would be larger than this share of itself is left as it is: making it
            smaller takes longer than it saves.
        good_reach_px: between these the spotter's first look is good enough.
        first_px: longer side of the first look when nothing is known: a table that fills a picture has cubes
            of a hundredth of it.
        other_px: longer sides that are tried after it until cubes are clear: a few cubes from near come
            first, then fewer, then many from afar.
        most_enlarged: no look is so many times as large as the picture: there is nothing more to be seen.
        few: fewer spots than this are not clear.
        sure_heat: only spots hotter than this tell the scale.
        clear_heat: the mean heat of all spots where cubes are clear. At the right scale it was 0.48 to 0.78
            in eleven pictures of all sets; in those three times too near 0.22 to 0.43: glitter, corners and
            faces of cubes are spots there, half as hot.
        even_heat: what is hotter is more likely a cube than not; of looks that are not clear the one with
            the most heat above this is taken.
        steps: how often the scale is mended by what the last look told of it; a cube is told smaller than it
            is if it is far too near.
    """

    spot_reach_px: float = 7.2
    close_reach_px: float = 14.0
    worth_while: float = 0.7
    good_reach_px: tuple[float, float] = (5.6, 9.4)
    first_px: int = 800
    other_px: tuple[int, ...] = (400, 200, 1600)
    most_enlarged: float = 1.5
    few: int = 3
    sure_heat: float = 0.35
    clear_heat: float = 0.47
    even_heat: float = 0.5
    steps: int = 3


@dataclass(frozen=True, slots=True, eq=False)
class Zoomed:
    """Spots, in pixels of *close*, which is the picture at *scale* of its size."""

    spots: Spots
    close: FrameBGR
    scale: float


def usual_reach_px(plane: TablePlane, size_px: tuple[int, int]) -> float:
    """Return how far usual cubes reach in the middle of a picture of a table that is known."""
    width, height = size_px
    middle = plane.to_mm(np.array([((width - 1) / 2, (height - 1) / 2)]))[0]
    corners = corners_px(plane, np.array([(*middle, USUAL_TURN)]), np.array([USUAL_MM]))
    return float(support(corners - corners.mean(axis=1, keepdims=True)).mean())


def zoom(
    frame: FrameBGR, network: Network, reach_px: float | None, settings: ZoomSettings | None = None
) -> Zoomed:
    """Find spots at the scale that suits the cubes.

    Args:
        reach_px: how far they reach, known from marker cards; None: it is found by looking.
    """
    settings = settings or ZoomSettings()
    if reach_px is None:
        return _searched(frame, network, settings)
    close, scale = _close(frame, reach_px, settings)
    small, smaller = _resized(close, settings.spot_reach_px / (reach_px * scale))
    return Zoomed(_grown(spot(small, network), smaller), close, scale)


def _searched(frame: FrameBGR, network: Network, settings: ZoomSettings) -> Zoomed:
    """Look at one scale after the other until cubes are clear, then nearer to the scale that suits them."""
    best: _Look | None = None
    most = settings.most_enlarged * max(frame.shape[:2])
    for side in dict.fromkeys(min(side, most) for side in (settings.first_px, *settings.other_px)):
        look = _Look.at(frame, side, network, settings)
        if best is None or look.promise > best.promise:
            best = look
        if look.is_clear:
            break
    assert best is not None
    for _ in range(settings.steps):
        if settings.good_reach_px[0] < best.reach_px < settings.good_reach_px[1]:
            break
        best = _Look.at(frame, best.side_px * settings.spot_reach_px / best.reach_px, network, settings)
    close, closer = _close(frame, best.reach_px / best.scale, settings)
    return Zoomed(_grown(best.spots, best.scale / closer), close, closer)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """What the spotter sees in a picture made so large.

    Attributes:
        side_px, scale: its longer side, and how many times the whole picture it is.
        reach_px: how far its usual cubes reach.
        is_clear: whether most of what it sees is cubes.
        promise: how much of it surely is.
    """

    spots: Spots
    side_px: float
    scale: float
    reach_px: float
    is_clear: bool
    promise: float

    @classmethod
    def at(cls, frame: FrameBGR, side_px: float, network: Network, settings: ZoomSettings) -> _Look:
        """Look at a picture whose longer side is made about this long."""
        longer = max(frame.shape[:2])
        small, scale = _resized(frame, side_px / longer)
        spots = spot(small, network)
        sure = spots.heat > settings.sure_heat
        return cls(
            spots,
            scale * longer,
            scale,
            float(np.median(spots.reach_px[sure])) if sure.any() else settings.spot_reach_px,
            bool(sure.sum() >= settings.few and spots.heat.mean() > settings.clear_heat),
            float(np.maximum(spots.heat - settings.even_heat, 0.0).sum()),
        )


def _close(frame: FrameBGR, reach_px: float, settings: ZoomSettings) -> tuple[FrameBGR, float]:
    """Return the picture that patches are made from, and its scale."""
    scale = settings.close_reach_px / reach_px
    return _resized(frame, scale) if scale < settings.worth_while else (frame, 1.0)


def _resized(frame: FrameBGR, scale: float) -> tuple[FrameBGR, float]:
    """Return the picture at about this scale, and the scale it really has."""
    height, width = frame.shape[:2]
    if abs(scale - 1.0) < 0.02:
        return frame, 1.0
    # Bounded: a wrong guess must not make a picture of a billion pixels.
    scale = min(scale, 3000 / max(width, height), 4.0)
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    small = cv2.resize(_halved(frame, size), size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(small, np.uint8), size[0] / width


def _halved(frame: FrameBGR, size: tuple[int, int]) -> FrameBGR:
    """Return the picture halved until it is less than twice as large as *size*.

    From there on the four pixels that a new one is between tell of all that were there. In one step pixels of
    any other share have to be added up, which takes eight times as long.
    """
    while frame.shape[1] >= 2 * size[0] and frame.shape[0] >= 2 * size[1]:
        half = (frame.shape[1] // 2, frame.shape[0] // 2)
        frame = np.asarray(cv2.resize(frame, half, interpolation=cv2.INTER_AREA), np.uint8)
    return frame


def _grown(spots: Spots, scale: float) -> Spots:
    """Return spots of a picture that is so many times the other, in pixels of the other."""
    return Spots((spots.centres_px + 0.5) / scale - 0.5, spots.reach_px / scale, spots.heat)
