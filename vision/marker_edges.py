"""The corners of a black square on white, from its edges.

Where two edges meet, blur and sharpening round the corner off, and looking at the corner itself finds it too
far inside (by 0.2 to 0.3 px on drawn cards). An edge far from its ends is where the light is half-way between
black and white, however blurred; the corner is where the lines through such points cross. Lenses blur light,
and pictures hold about its root: half-way in a picture's own numbers would be half a pixel inside the black.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Floats, FrameGray, Mask


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeSettings:
    """How the edges are measured.

    Attributes:
        samples: points along each side.
        ends: share of a side left out at each end, where the corner is rounded.
        reach: how far across the edge is looked, as a share of the side: the black border is a sixth of it.
        least_reach_px: for markers so small that this share is nothing.
        least_contrast: of black and white; less is no edge.
        gamma: from a picture's numbers to light, about as all cameras do it.
        rounds: how often the lines are followed anew.
        settled_px: corners that moved by less are not followed further.
        covered: how many times that reach a covered corner may be off at first.
    """

    samples: int = 24
    ends: float = 0.12
    reach: float = 0.08
    least_reach_px: float = 2.0
    least_contrast: float = 15.0
    gamma: float = 2.2
    rounds: int = 3
    settled_px: float = 0.1
    covered: float = 4.0


def refine_corners(frame: FrameGray, corners_px: Floats, settings: EdgeSettings) -> Floats:
    """Return the corners of a marker, shape (4, 2), measured along its edges, or as given if unclear."""
    corners, reach = corners_px, _reach(corners_px, settings)
    light, origin = _light(frame, corners_px, (settings.covered + 1) * reach, settings.gamma)
    for number in range(settings.rounds):
        lines = _lines(light, corners - origin, settings)
        if lines is None:
            return corners
        found = _crossings(*lines) + origin
        # A corner under a coin is first seen beside it. A line that follows something else does not stay.
        farthest = reach if number else settings.covered * reach
        if not np.isfinite(found).all() or np.hypot(*(found - corners).T).max() > farthest:
            return corners_px
        settled = np.abs(found - corners).max() < settings.settled_px
        corners = found
        if settled:
            break
    return corners


def _light(
    frame: FrameGray, corners_px: Floats, margin: float, gamma: float
) -> tuple[npt.NDArray[np.float32], Floats]:
    """Return the light around a marker, from 0 to 1, and which pixel is its first."""
    low = np.maximum(np.floor(corners_px.min(axis=0) - margin), 0).astype(int)
    high = np.ceil(corners_px.max(axis=0) + margin).astype(int) + 1
    values = ((np.arange(256) / 255) ** gamma).astype(np.float32)
    return values[frame[low[1] : high[1], low[0] : high[0]]], low.astype(np.float64)


def _reach(corners_px: Floats, settings: EdgeSettings) -> float:
    sides = corners_px - np.roll(corners_px, 1, axis=0)
    return max(settings.least_reach_px, settings.reach * float(np.hypot(sides[:, 0], sides[:, 1]).min()))


def _lines(
    light: npt.NDArray[np.float32], corners: Floats, settings: EdgeSettings
) -> tuple[Floats, Floats] | None:
    """Return a point and the direction of each edge, shapes (4, 2), from each corner to the next."""
    along = np.roll(corners, -1, axis=0) - corners
    length = np.hypot(along[:, 0], along[:, 1])
    if length.min() < 4 * settings.least_reach_px:
        return None
    # Corners go clockwise in the picture, so outwards is to the left of the way.
    out = np.stack((along[:, 1], -along[:, 0]), axis=1) / length[:, None]
    reach = np.maximum(settings.least_reach_px, settings.reach * length)
    shares = np.linspace(settings.ends, 1 - settings.ends, settings.samples)
    steps = reach[:, None] * np.linspace(-1, 1, 2 * int(np.ceil(2 * reach.max())) + 1)
    on_edge = corners[:, None] + shares[:, None] * along[:, None]
    places = on_edge[:, :, None] + steps[:, None, :, None] * out[:, None, None]
    x, y = np.moveaxis(places.astype(np.float32), 3, 0).reshape(2, -1, steps.shape[1])
    across = cv2.remap(light, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    every = np.repeat(steps, settings.samples, axis=0)
    found = _half_way(np.asarray(across, np.float64), every, settings).reshape(4, -1)
    seen = np.isfinite(found)
    if seen.sum(axis=1).min() < settings.samples // 2:
        return None
    return _fitted(on_edge + np.where(seen, found, 0.0)[:, :, None] * out[:, None], seen)


def _half_way(across: Floats, steps: Floats, settings: EdgeSettings) -> Floats:
    """Return where each row passes half-way from dark to bright; not a number where it does not."""
    quarter = max(1, steps.shape[1] // 4)
    dark, bright = across[:, :quarter].mean(axis=1), across[:, -quarter:].mean(axis=1)
    contrast = 255 * (bright ** (1 / settings.gamma) - dark ** (1 / settings.gamma))
    half = ((dark + bright) / 2)[:, None]
    passes = (across[:, :-1] <= half) & (across[:, 1:] > half)
    # Of several the one nearest to where the edge is expected.
    nearest = np.where(passes, np.abs(steps[:, :-1]), np.inf).argmin(axis=1)
    row = np.arange(len(across))
    before, after = across[row, nearest], across[row, nearest + 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (half[:, 0] - before) / (after - before)
    found = steps[row, nearest] + share * (steps[:, 1] - steps[:, 0])
    clear = passes[row, nearest] & (contrast >= settings.least_contrast)
    return np.where(clear, found, np.nan)


def _fitted(points: Floats, seen: Mask) -> tuple[Floats, Floats]:
    """Return middles and directions of lines through points (4, N, 2), without the worst quarter of each."""
    kept = seen
    most = (3 * seen.sum(axis=1, keepdims=True) + 3) // 4
    for _ in range(2):
        middle, way = _through(points, kept)
        away = points - middle[:, None]
        off = np.abs(away[:, :, 1] * way[:, :1] - away[:, :, 0] * way[:, 1:])
        order = np.where(seen, off, np.inf).argsort(axis=1, kind="stable")
        kept = order.argsort(axis=1, kind="stable") < most
    return _through(points, kept)


def _through(points: Floats, kept: Mask) -> tuple[Floats, Floats]:
    """Return the middles of the points that are kept and the directions in which they spread most, (4, 2)."""
    count = kept.sum(axis=1)
    middle = (points * kept[:, :, None]).sum(axis=1) / count[:, None]
    away = (points - middle[:, None]) * kept[:, :, None]
    x, y = away[:, :, 0], away[:, :, 1]
    angle = np.arctan2(2 * (x * y).sum(axis=1), (x * x - y * y).sum(axis=1)) / 2
    return middle, np.stack((np.cos(angle), np.sin(angle)), axis=1)


def _crossings(start: Floats, way: Floats) -> Floats:
    """Return where each line crosses the one before it, (4, 2); not a number where it does not."""
    to, across = start, way
    start, way = np.roll(start, 1, axis=0), np.roll(way, 1, axis=0)
    turned = way[:, 0] * across[:, 1] - way[:, 1] * across[:, 0]
    turned = np.where(np.abs(turned) < 1e-6, np.nan, turned)
    gone = ((to[:, 0] - start[:, 0]) * across[:, 1] - (to[:, 1] - start[:, 1]) * across[:, 0]) / turned
    return np.asarray(start + gone[:, None] * way, np.float64)
