"""Painting a drawing as PNG."""

from __future__ import annotations

from math import ceil, dist

import cv2
import numpy as np
import numpy.typing as npt

from web.dungeon_drop.drawing import Disc, Drawing, Polygon, Spot, Text

PictureBGR = npt.NDArray[np.uint8]

# Shapes are painted this many times as large and shrunk: smooth edges, and thin lines stay thin.
FINER = 2
# Positions are handed to OpenCV as whole numbers of 1/16 pixel.
SHIFT = 4
# Height of a capital of OpenCV's font at scale 1, in pixels.
FONT_HEIGHT = 22.0
FONT = cv2.FONT_HERSHEY_DUPLEX
# Kept free at the right of a line of text, in pixels.
MARGIN = 20


def paint(drawing: Drawing, photo: PictureBGR | None = None) -> PictureBGR:
    """Return the drawing as a picture, shape (height, width, 3), on its background or a photo of its size."""
    if photo is None:
        picture: PictureBGR = np.full(
            (drawing.height * FINER, drawing.width * FINER, 3), _bgr(drawing.background), np.uint8
        )
    else:
        # Repeating pixels: what nothing is drawn on comes out unchanged.
        picture = photo.repeat(FINER, axis=0).repeat(FINER, axis=1)
    for shape in drawing.shapes:
        match shape:
            case Polygon():
                _paint_polygon(picture, shape)
            case Disc():
                _paint_disc(picture, shape)
            case Text():
                _paint_text(picture, shape)
    small = cv2.resize(picture, (drawing.width, drawing.height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def write_png(drawing: Drawing) -> bytes:
    """Return the drawing as the content of a PNG file."""
    _, data = cv2.imencode(".png", paint(drawing))
    return data.tobytes()


def _bgr(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return (blue, green, red)


def _fixed(points: tuple[Spot, ...]) -> npt.NDArray[np.int32]:
    fixed: npt.NDArray[np.int32] = np.round(np.array(points) * FINER * 2**SHIFT).astype(np.int32)
    return fixed


def _thick(width: float) -> int:
    return max(1, round(width * FINER))


def _paint_polygon(picture: PictureBGR, shape: Polygon) -> None:
    if shape.fill:
        behind = _around(picture, shape.points)
        before = behind.copy() if shape.opacity < 1 else behind
        cv2.fillPoly(picture, [_fixed(shape.points)], _bgr(shape.fill), cv2.LINE_AA, SHIFT)
        if shape.opacity < 1:
            behind[:] = cv2.addWeighted(behind, shape.opacity, before, 1 - shape.opacity, 0)
    if shape.line:
        for start, stop in _dashes(shape):
            ends = _fixed((start, stop))
            first, last = (int(ends[0, 0]), int(ends[0, 1])), (int(ends[1, 0]), int(ends[1, 1]))
            cv2.line(picture, first, last, _bgr(shape.line), _thick(shape.width), cv2.LINE_AA, SHIFT)


def _around(picture: PictureBGR, points: tuple[Spot, ...]) -> PictureBGR:
    """Return the part of the picture that a filled shape with these corners changes."""
    low = np.floor(np.min(points, axis=0) * FINER).astype(int) - 1
    high = np.ceil(np.max(points, axis=0) * FINER).astype(int) + 2
    (left, top), (right, bottom) = np.maximum(low, 0), np.maximum(high, 0)
    return picture[top:bottom, left:right]


def _dashes(shape: Polygon) -> list[tuple[Spot, Spot]]:
    """Return the strokes of the outline: its edges, or each cut into dashes."""
    edges = [(shape.points[place - 1], point) for place, point in enumerate(shape.points)]
    if not shape.dash:
        return edges
    strokes = []
    for (x, y), (to_x, to_y) in edges:
        parts = max(1, ceil(dist((x, y), (to_x, to_y)) / shape.dash))
        cuts = [(x + (to_x - x) * part / parts, y + (to_y - y) * part / parts) for part in range(parts + 1)]
        strokes += list(zip(cuts[::2], cuts[1::2], strict=False))
    return strokes


def _paint_disc(picture: PictureBGR, shape: Disc) -> None:
    x, y = (round(value * FINER * 2**SHIFT) for value in shape.centre)
    radius = round(shape.radius * FINER * 2**SHIFT)
    if shape.fill:
        cv2.circle(picture, (x, y), radius, _bgr(shape.fill), -1, cv2.LINE_AA, SHIFT)
    if shape.line:
        cv2.circle(picture, (x, y), radius, _bgr(shape.line), _thick(shape.width), cv2.LINE_AA, SHIFT)


def _paint_text(picture: PictureBGR, shape: Text) -> None:
    scale = shape.size * FINER * 0.72 / FONT_HEIGHT
    thick = max(1, round(scale * (2.2 if shape.bold else 1.2)))
    (width, height), _ = cv2.getTextSize(shape.text, FONT, scale, thick)
    room = picture.shape[1] - (shape.at[0] + MARGIN) * FINER
    if shape.left and width > room:
        # Older versions of OpenCV have a wider font.
        scale *= room / width
        (width, height), _ = cv2.getTextSize(shape.text, FONT, scale, thick)
    x, y = shape.at[0] * FINER - (0 if shape.left else width / 2), shape.at[1] * FINER + height / 2
    place = (round(x), round(y))
    cv2.putText(picture, shape.text, place, FONT, scale, _bgr(shape.colour), thick, cv2.LINE_AA)
