"""What a scan saw, drawn on the photo: every cube's outline and mark, readable on any table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, dist

import cv2
import numpy as np

from vision.pictures import Floats, FrameBGR
from vision.pieces import KINDS
from vision.seen import Scan, SeenCube, Source
from web.dungeon_drop.drawing import Disc, Drawing, Polygon, Spot, Text
from web.dungeon_drop.marks import Mark, draw_letter, draw_shape
from web.dungeon_drop.png import paint
from web.dungeon_drop.scan_words import SURE, cubes_counted, mark_of

# Larger photos are shrunk: nobody needs a drawing of 50 million pixels, and painting takes 12 bytes for each.
LONGEST_PX = 4096
# Of the longer side of the picture.
LINE, LETTERS, LEAST_MARK = 1 / 900, 1 / 95, 1 / 190
# Of a millimetre on the table: how wide an outline may be, and how long the dashes of a doubtful one are.
LINE_MM, DASH_MM = 0.5, 1.6
# Width of an entry of the legend, and height of a row, in sizes of its letters.
ENTRY, ROW = 8.0, 1.7
SHADE, INK = "#101214", "#f2efe8"

Shape = Polygon | Disc | Text


@dataclass(frozen=True, slots=True)
class Pen:
    """How large things are drawn in this picture."""

    shrunk: float
    line_px: float
    dash_px: float
    letters_px: float
    least_mark_px: float

    @classmethod
    def fit(cls, scan: Scan) -> Pen:
        """Return strokes that neither hide the cubes nor get lost in the picture."""
        longer = max(scan.size_px)
        shrunk = min(1.0, LONGEST_PX / longer)
        longer = round(longer * shrunk)
        mm_px = scan.px_per_mm * shrunk if scan.source is not Source.NONE else 0.0
        line = max(LINE * longer, min(LINE_MM * mm_px, 3 * LINE * longer), 1.0)
        dash = max(DASH_MM * mm_px, 3.5 * line)
        return cls(shrunk, line, dash, max(LETTERS * longer, 9.0), LEAST_MARK * longer)

    def spots(self, points_px: Floats) -> tuple[Spot, ...]:
        """Return where points of the photo are in the drawing."""
        return tuple((float(x) * self.shrunk, float(y) * self.shrunk) for x, y in points_px)


def draw_scan(frame: FrameBGR, scan: Scan) -> FrameBGR:
    """Return the photo with what was seen drawn on it, as large as it is up to 4096 pixels."""
    pen = Pen.fit(scan)
    width, height = (max(1, round(side * pen.shrunk)) for side in scan.size_px)
    photo = frame
    if pen.shrunk < 1:
        photo = np.asarray(cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    shapes = (
        *_legend(scan, width, height, pen),
        *(shape for cube in scan.cubes for shape in _outline(cube, pen)),
        # Above all outlines, so that no neighbour crosses a letter.
        *(shape for cube in scan.cubes for shape in _mark(cube, pen)),
    )
    return paint(Drawing(width, height, SHADE, shapes), photo)


def write_picture(picture: FrameBGR, suffix: str) -> bytes:
    """Return the content of a ``.png`` or ``.jpg`` file."""
    _, data = cv2.imencode(suffix, picture)
    return data.tobytes()


def _outline(cube: SeenCube, pen: Pen) -> Iterator[Polygon]:
    """Draw the visible cube in its colour between two lines of the ink that reads well on it."""
    mark, points = mark_of(cube), pen.spots(cube.outline_px)
    sure = cube.confidence >= SURE
    yield Polygon(points=points, line=mark.ink, width=2.4 * pen.line_px if sure else 1.8 * pen.line_px)
    yield Polygon(points=points, line=mark.colour, width=1.2 * pen.line_px, dash=0.0 if sure else pen.dash_px)


def _mark(cube: SeenCube, pen: Pen) -> Iterator[Shape]:
    """Draw the mark in the middle of a cube, smaller than it, so that the cube's rim still shows."""
    mark, points = mark_of(cube), pen.spots(cube.outline_px)
    (at,) = pen.spots(cube.centre_px[np.newaxis])
    edges = zip(points, (*points[1:], points[0]), strict=True)
    inside = min(dist(at, ((x + to_x) / 2, (y + to_y) / 2)) for (x, y), (to_x, to_y) in edges)
    radius = max(0.72 * inside, pen.least_mark_px)
    yield from _badge(mark, at, radius, 0.6 * pen.line_px)


def _badge(mark: Mark, at: Spot, radius: float, rim: float) -> Iterator[Shape]:
    """Draw shape, colour and letter; the rim around the shape sets it off from any table."""
    shape = draw_shape(mark, at, radius)
    yield replace(shape, fill=None, line=mark.ink, width=2 * rim)
    yield shape
    yield from draw_letter(mark, at, radius)


def _legend(scan: Scan, width: int, height: int, pen: Pen) -> Iterator[Shape]:
    """Explain the marks on a dim strip, at the top or bottom edge: wherever fewer cubes are."""
    size, entries = pen.letters_px, _entries(scan)
    rows = ceil(len(entries) / max(1, int((width - size) / (ENTRY * size))))
    columns = ceil(len(entries) / rows)
    strip = (rows + 0.4) * ROW * size
    top = _emptier_edge(scan, height, strip, pen)
    corners = ((0.0, top), (float(width), top), (float(width), top + strip), (0.0, top + strip))
    yield Polygon(points=corners, fill=SHADE, opacity=0.6)
    for place, (mark, text) in enumerate(entries):
        row, column = divmod(place, columns)
        x, y = size + column * (width - size) / columns, top + (row + 0.7) * ROW * size
        if mark:
            yield from _badge(mark, (x, y), 0.62 * size, pen.line_px / 2)
        left = x + 0.95 * size if mark else x - 0.6 * size
        yield Text(at=(left, y), text=text, size=size, colour=INK, left=True)


def _entries(scan: Scan) -> list[tuple[Mark | None, str]]:
    """Return the texts of the legend, each with the mark it explains, if it does."""
    counts = Counter(cube.kind for cube in scan.cubes)
    marks = {cube.kind: mark_of(cube) for cube in scan.cubes}
    entries: list[tuple[Mark | None, str]] = [(None, str(cubes_counted(scan)))]
    entries += [(marks[kind], f"{marks[kind].name} {counts[kind]}") for kind in KINDS if kind in marks]
    if scan.source is not Source.NONE:
        entries.append((None, f"{scan.px_per_mm:.1f} px/mm"))
    return entries


def _emptier_edge(scan: Scan, height: int, strip: float, pen: Pen) -> float:
    """Return where a strip over the whole width begins, so that it lies under fewer cubes."""
    heights = [[y for _, y in pen.spots(cube.outline_px)] for cube in scan.cubes]
    above = sum(min(ys) < strip for ys in heights)
    below = sum(max(ys) > height - strip for ys in heights)
    return 0.0 if above < below else height - strip
