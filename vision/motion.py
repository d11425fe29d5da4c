"""What changed between two pictures of one camera: nothing, something small, something large, or the camera.

A camera changes its mind about exposure and white balance all the time, and every picture has noise of its
own; neither is a change. So the older picture is first brought to the light of the newer one, and a pixel
counts as changed only if it differs by more than noise, than an edge that trembles, and than that correction
may be wrong. Everything is done on pictures made small, where all of this takes a millisecond or two.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import FrameBGR

Mask = npt.NDArray[np.uint8]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the whole picture; right and bottom are just outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionSettings:
    """What counts as a change; brightness goes from 0 to 255, lengths are pixels of the small picture.

    Attributes:
        longest: pictures are halved until no side is longer: a small cube of a 1080p webcam that sees half a
            metre is then still 7 pixels wide, and twice as many pixels would take four times as long.
        noise: differences up to here are noise: on rendered tables with noise of 8 and JPEG quality 60 the
            small picture differs by up to 7.
        tremble: how far edges may tremble: 1 px at 1080p, as a webcam's arm does when somebody walks past.
        wrong_light: share of the correction of light that may be wrong, because cameras bend brightness.
        fit_every: every so many pixels take part in fitting the light; more tell nothing new.
        fit_least: share of those pixels that must be neither white nor black, or all are taken.
        join: changed pixels this near belong to one region: a mirror or glass cube changes in shreds.
        least_area: smaller regions are specks: a third of the smallest cube seen from twice as far.
        hand_share: of the picture; a region this large that touches its border is a hand or an arm. A finger
            that reaches in by 60 mm covers 1 %, a huge cube cut by the border 0.2 %.
        large_share: of the picture; a region this large is no cube wherever it is. Ten touching cubes cover
            1.5 %, a marker card 2.5 %.
        bump_share: share changed from which the camera itself is suspected: one cube is 0.1 %.
        bump_regions: number of regions from which it is: a nudge shows as a hair at each cube's edge.
        least_bump: shorter shifts move no cube noticeably (half a pixel is 2 px at 1080p, or 0.5 mm).
        bump_explains: share of the change that must be gone once the shift is undone.
    """

    longest: int = 480
    noise: int = 9
    tremble: float = 0.3
    wrong_light: float = 0.25
    fit_every: int = 8
    fit_least: float = 0.02
    join: int = 5
    least_area: int = 4
    hand_share: float = 0.006
    large_share: float = 0.02
    bump_share: float = 0.004
    bump_regions: int = 6
    least_bump: float = 0.5
    bump_explains: float = 0.6


class Amount(StrEnum):
    """How much changed."""

    NOTHING = "nothing"
    SMALL = "small"
    LARGE = "large"
    HAND = "hand"
    BUMP = "bump"


@dataclass(frozen=True, slots=True, eq=False)
class SmallPicture:
    """A picture made small: *pixels* of shape (h, w, 3), and *size_px*, width and height of the whole one."""

    pixels: FrameBGR
    size_px: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Motion:
    """What changed between two pictures.

    Attributes:
        amount: how much, in a word.
        share: of the picture that changed.
        boxes: regions that changed, the largest first, in pixels of the whole picture.
        shift_px: how far the camera's view was shifted, right and down; zeros unless *amount* is a bump.
    """

    amount: Amount
    share: float
    boxes: tuple[Box, ...]
    shift_px: tuple[float, float] = (0.0, 0.0)


# Beyond these a camera clips; a little inside, because pixels of the small picture are means.
DARKEST, BRIGHTEST = 6, 240
# More is no camera that adapts but a lamp switched off or a hand on the lens. Cameras that lift shadows and
# light that strays into the lens add; hardly anything takes away but by dividing.
MOST_GAIN, LEAST_OFFSET, MOST_OFFSET = 2.0, -20.0, 45.0
NO_MOTION = Motion(Amount.NOTHING, 0.0, ())


def reduced(frame: FrameBGR, settings: MotionSettings | None = None) -> SmallPicture:
    """Make a picture small by halving, which is three times as fast as any other mean of squares.

    Raises:
        ValueError: *frame* is no coloured picture of bytes.
    """
    if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8 or not frame.size:
        raise ValueError(f"expected a coloured picture of bytes, got {frame.dtype} of shape {frame.shape}")
    settings = settings or MotionSettings()
    height, width = frame.shape[:2]
    small = frame
    while max(small.shape[:2]) > settings.longest:
        # An odd last row or column is left out: a pixel less of the table, and the fast way stays open.
        tall, wide = small.shape[0] // 2, small.shape[1] // 2
        if not tall or not wide:
            break
        even = small[: 2 * tall, : 2 * wide]
        small = np.asarray(cv2.resize(even, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8)
    # Noise of neighbours is independent, cubes are several pixels wide.
    return SmallPicture(np.asarray(cv2.blur(small, (3, 3)), np.uint8), (width, height))


def compare(before: SmallPicture, after: SmallPicture, settings: MotionSettings | None = None) -> Motion:
    """Tell what changed between two pictures; of different sizes, everything did."""
    settings = settings or MotionSettings()
    if before.size_px != after.size_px:
        return Motion(Amount.LARGE, 1.0, ((0, 0, *after.size_px),))
    changed = _changed(before.pixels, after.pixels, settings)
    share = cv2.countNonZero(changed) / changed.size
    if not share:
        return NO_MOTION
    boxes, largest, at_border = _regions(changed, after.size_px, settings)
    if not boxes:
        return NO_MOTION
    if share >= settings.bump_share or len(boxes) >= settings.bump_regions:
        shift = _bump(before.pixels, after.pixels, share, settings)
        if shift is not None:
            scale = after.size_px[0] / after.pixels.shape[1]
            return Motion(Amount.BUMP, share, boxes, (shift[0] * scale, shift[1] * scale))
    if at_border >= settings.hand_share:
        amount = Amount.HAND
    elif largest >= settings.large_share:
        amount = Amount.LARGE
    else:
        amount = Amount.SMALL
    return Motion(amount, share, boxes)


def _changed(before: FrameBGR, after: FrameBGR, settings: MotionSettings) -> Mask:
    """Return which pixels differ by more than they may, as 255."""
    curves = _light(before, after, settings)
    lit = cv2.LUT(before, curves)
    difference = cv2.absdiff(lit, after)
    cross = np.ones((3, 3), np.uint8)
    edges = cv2.morphologyEx(lit, cv2.MORPH_GRADIENT, cross)
    correction = cv2.absdiff(lit, before)
    allowed = cv2.addWeighted(edges, settings.tremble, correction, settings.wrong_light, settings.noise)
    over = cv2.subtract(difference, allowed)
    strongest = cv2.max(cv2.max(over[..., 0], over[..., 1]), over[..., 2])
    changed = cv2.threshold(strongest, 0, 255, cv2.THRESH_BINARY)[1]
    return np.asarray(changed, np.uint8)


def _light(before: FrameBGR, after: FrameBGR, settings: MotionSettings) -> FrameBGR:
    """Return what each brightness of the older picture is in the light of the newer, shape (1, 256, 3).

    A gain and an offset for each colour, fitted to the pixels that agree, at least half of them: a hand that
    covers a third of the picture must not pull the table's light to its own.
    """
    old = before[:: settings.fit_every, :: settings.fit_every].reshape(-1, 3).astype(np.float32)
    new = after[:: settings.fit_every, :: settings.fit_every].reshape(-1, 3).astype(np.float32)
    levels = np.arange(256, dtype=np.float32)
    curves = np.empty((1, 256, 3), np.uint8)
    for channel in range(3):
        x, y = old[:, channel], new[:, channel]
        # Where it is too bright or too dark to tell, there is no light to measure.
        told = (x > DARKEST) & (x < BRIGHTEST) & (y > DARKEST) & (y < BRIGHTEST)
        if np.count_nonzero(told) > settings.fit_least * len(x):
            x, y = x[told], y[told]
        # Exposure multiplies; a start without an offset is near, even where most of the table has one colour.
        gain, offset = float(np.median(y / np.maximum(x, 1))), 0.0
        for _ in range(3):
            off = np.abs(y - gain * x - offset)
            agreeing = off <= max(float(np.median(off)), settings.noise / 2)
            gain, offset = _line(x[agreeing], y[agreeing])
        curves[0, :, channel] = np.clip(np.rint(gain * levels + offset), 0, 255)
    return curves


def _line(x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> tuple[float, float]:
    """Fit y = gain x + offset; nearly one brightness tells an offset only."""
    x_mean, y_mean = float(x.mean()), float(y.mean())
    spread = x - x_mean
    variance = float(spread @ spread) / len(x)
    slope = float(spread @ (y - y_mean)) / len(x) / variance if variance > 4 else 1.0
    gain = float(np.clip(slope, 1 / MOST_GAIN, MOST_GAIN))
    return gain, float(np.clip(y_mean - gain * x_mean, LEAST_OFFSET, MOST_OFFSET))


def _regions(
    changed: Mask, size_px: tuple[int, int], settings: MotionSettings
) -> tuple[tuple[Box, ...], float, float]:
    """Return the boxes of what changed, the share of the largest region and of the largest at the border."""
    near = np.ones((settings.join, settings.join), np.uint8)
    joined = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, near, borderType=cv2.BORDER_REPLICATE)
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    regions = sorted((stats[place] for place in range(1, count)), key=lambda region: -int(region[4]))
    tall, wide = changed.shape
    across, down = size_px[0] / wide, size_px[1] / tall
    boxes: list[Box] = []
    largest = at_border = 0.0
    for left, top, width, height, area in (map(int, region) for region in regions):
        if area < settings.least_area:
            break
        right, bottom = left + width, top + height
        boxes.append((int(left * across), int(top * down), round(right * across), round(bottom * down)))
        share = area / changed.size
        largest = max(largest, share)
        if left == 0 or top == 0 or right == wide or bottom == tall:
            at_border = max(at_border, share)
    return tuple(boxes), largest, at_border


def _bump(
    before: FrameBGR, after: FrameBGR, share: float, settings: MotionSettings
) -> tuple[float, float] | None:
    """Return how far everything shifted, in pixels of the small picture, if a shift explains the change."""
    old, new = (cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.float32) for pixels in (before, after))
    tall, wide = old.shape
    if min(tall, wide) < 16:
        return None
    (x, y), _ = cv2.phaseCorrelate(old, new, cv2.createHanningWindow((wide, tall), cv2.CV_32F))
    if max(abs(x), abs(y)) < settings.least_bump or max(abs(x) / wide, abs(y) / tall) > 0.25:
        return None
    back = np.array([(1.0, 0.0, x), (0.0, 1.0, y)])
    shifted = np.asarray(
        cv2.warpAffine(before, back, (wide, tall), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    left, top = int(np.ceil(abs(x))), int(np.ceil(abs(y)))
    inside = np.s_[top : tall - top, left : wide - left]
    rest = _changed(shifted[inside], after[inside], settings)
    explained = 1.0 - cv2.countNonZero(rest) / rest.size / share
    return (float(x), float(y)) if explained >= settings.bump_explains else None
