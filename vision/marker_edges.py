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

from vision.pictures import Floats, FrameGray


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
        around = corners - origin
        lines = [_line(light, around[place], around[(place + 1) % 4], settings) for place in range(4)]
        if any(line is None for line in lines):
            return corners
        crossed = [_crossing(lines[place - 1], lines[place]) for place in range(4)]
        found = np.array(crossed) + origin
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


def _line(
    light: npt.NDArray[np.float32], start: Floats, stop: Floats, settings: EdgeSettings
) -> tuple[Floats, Floats] | None:
    """Return a point and the direction of the edge between two corners, black to the right of it."""
    along = stop - start
    length = float(np.hypot(*along))
    if length < 4 * settings.least_reach_px:
        return None
    # Corners go clockwise in the picture, so outwards is to the left of the way.
    out = np.array([along[1], -along[0]]) / length
    reach = max(settings.least_reach_px, settings.reach * length)
    shares = np.linspace(settings.ends, 1 - settings.ends, settings.samples)
    steps = np.linspace(-reach, reach, 2 * int(np.ceil(2 * reach)) + 1)
    places = start + shares[:, None, None] * along + steps[None, :, None] * out
    x, y = places.astype(np.float32).transpose(2, 0, 1)
    across = cv2.remap(light, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    found = _half_way(np.asarray(across, np.float64), steps, settings)
    seen = np.flatnonzero(np.isfinite(found))
    if len(seen) < settings.samples // 2:
        return None
    points = start + shares[seen, None] * along + found[seen, None] * out
    return _fitted(points)


def _half_way(across: Floats, steps: Floats, settings: EdgeSettings) -> Floats:
    """Return where each row passes half-way from dark to bright; not a number where it does not."""
    quarter = max(1, len(steps) // 4)
    dark, bright = across[:, :quarter].mean(axis=1), across[:, -quarter:].mean(axis=1)
    contrast = 255 * (bright ** (1 / settings.gamma) - dark ** (1 / settings.gamma))
    half = ((dark + bright) / 2)[:, None]
    passes = (across[:, :-1] <= half) & (across[:, 1:] > half)
    # Of several the one nearest to where the edge is expected.
    nearest = np.where(passes, np.abs(steps[:-1]), np.inf).argmin(axis=1)
    row = np.arange(len(across))
    before, after = across[row, nearest], across[row, nearest + 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (half[:, 0] - before) / (after - before)
    found = steps[nearest] + share * (steps[1] - steps[0])
    clear = passes[row, nearest] & (contrast >= settings.least_contrast)
    return np.where(clear, found, np.nan)


def _fitted(points: Floats) -> tuple[Floats, Floats]:
    """Return the middle and the direction of the line through points, without the worst quarter of them."""
    kept = points
    for _ in range(2):
        middle, direction = _through(kept)
        off = np.abs((points - middle) @ np.array([-direction[1], direction[0]]))
        kept = points[np.argsort(off, kind="stable")[: (3 * len(points) + 3) // 4]]
    return _through(kept)


def _through(points: Floats) -> tuple[Floats, Floats]:
    """Return the middle of points and the direction in which they spread most."""
    middle = points.mean(axis=0)
    (xx, xy), (_, yy) = (points - middle).T @ (points - middle)
    angle = np.arctan2(2 * xy, xx - yy) / 2
    return middle, np.array([np.cos(angle), np.sin(angle)])


def _crossing(one: tuple[Floats, Floats] | None, other: tuple[Floats, Floats] | None) -> Floats:
    """Return where two lines cross; not a number where they do not."""
    if one is None or other is None:
        return np.full(2, np.nan)
    (start, way), (to, across) = one, other
    turned = way[0] * across[1] - way[1] * across[0]
    if abs(turned) < 1e-6:
        return np.full(2, np.nan)
    gone = ((to[0] - start[0]) * across[1] - (to[1] - start[1]) * across[0]) / turned
    return np.asarray(start + gone * way, np.float64)
