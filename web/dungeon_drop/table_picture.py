"""A picture of a table seen from above: cubes with their marks, the best rooms, doubtful cubes, pawn heat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, dist, pi, sin
from string import ascii_lowercase
from textwrap import wrap

import numpy as np

from companion.dungeon_drop.advice import Advice, RoomAdvice
from companion.dungeon_drop.footprints import Point
from companion.dungeon_drop.pawns import HeatMap, Spot
from companion.dungeon_drop.pieces import KINDS
from companion.dungeon_drop.table import Cube
from web.dungeon_drop import marks
from web.dungeon_drop.drawing import Disc, Drawing, Polygon, Text
from web.dungeon_drop.drawing import Spot as Pixel
from web.dungeon_drop.marks import MARKS, draw_letter, draw_shape
from web.dungeon_drop.words import contents_in_words, doubts_in_words, room_in_words, spot_in_words

BACKGROUND, CUBE, INK, QUIET, DOUBT = "#20242a", "#3a4048", "#f2efe8", "#aab0b8", "#ffffff"
# Okabe and Ito's colours, which colour-blind people tell apart; the number in each room says it again.
ROOM_COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#d55e00", "#0072b2")
DASHES = (0.0, 14.0, 6.0)
WIDTH_PX, MOST_HEIGHT_PX, MARGIN_PX, LINE_PX = 1200, 1000, 40, 30
LEGEND_COLUMNS = 7
# Letters that fit in a line of a caption.
BOLD_LETTERS, LETTERS = 95, 130

Shape = Polygon | Disc | Text


@dataclass(frozen=True, slots=True)
class Scale:
    """From millimetres, y upwards, to pixels, y downwards."""

    left_mm: float
    top_mm: float
    px_per_mm: float

    def pixel(self, point: Point) -> Pixel:
        """Return where a point of the table is drawn."""
        x, y = point
        return (
            MARGIN_PX + (x - self.left_mm) * self.px_per_mm,
            MARGIN_PX + (self.top_mm - y) * self.px_per_mm,
        )

    def pixels(self, points: tuple[Point, ...]) -> tuple[Pixel, ...]:
        """Return where points of the table are drawn."""
        return tuple(self.pixel(point) for point in points)


def draw_table(
    advice: Advice, top: int = 3, heat: HeatMap | None = None, spots: tuple[Spot, ...] = ()
) -> Drawing:
    """Draw the table with the best *top* allowed rooms, seven at most, and where a pawn would stand well."""
    cubes = advice.rooms.table.cubes
    scale, bottom = _scale(cubes)
    rooms = [room for room in advice.top(min(top, len(ROOM_COLOURS))) if room.allowed]
    captions = list(_captions(advice, rooms, spots, bottom))
    lowest = max((shape.at[1] for shape in captions if isinstance(shape, Text)), default=bottom)
    legend = list(_legend(cubes, lowest + 1.4 * LINE_PX))
    lowest = max((shape.at[1] for shape in legend if isinstance(shape, Text)), default=lowest)
    shapes = (
        *(_heat(heat, scale) if heat else ()),
        *(shape for number, room in enumerate(rooms) for shape in _room(advice, room, number, scale)),
        *(shape for cube in cubes for shape in _cube(cube, scale)),
        *(shape for room in rooms for shape in _doubts(advice, room, scale)),
        *(shape for number, room in enumerate(rooms) for shape in _badge(advice, room, number, scale)),
        *(shape for number, spot in enumerate(spots) for shape in _spot(spot, number, scale)),
        *captions,
        *legend,
    )
    return Drawing(WIDTH_PX, round(lowest + LINE_PX), BACKGROUND, shapes)


def _scale(cubes: tuple[Cube, ...]) -> tuple[Scale, float]:
    """Return a scale that shows all cubes, and how far down the table then reaches."""
    corners = np.array([point for cube in cubes for point in cube.footprint_mm] or [(0.0, 0.0), (1.0, 1.0)])
    (left, low), (right, high) = corners.min(axis=0), corners.max(axis=0)
    across, up = max(right - left, 1.0), max(high - low, 1.0)
    px_per_mm = min((WIDTH_PX - 2 * MARGIN_PX) / across, (MOST_HEIGHT_PX - 2 * MARGIN_PX) / up)
    # A narrow table is drawn in the middle.
    left -= ((WIDTH_PX - 2 * MARGIN_PX) / px_per_mm - across) / 2
    return Scale(float(left), float(high), float(px_per_mm)), float(2 * MARGIN_PX + up * px_per_mm)


def _cube(cube: Cube, scale: Scale) -> Iterator[Shape]:
    mark, points = MARKS[cube.kind], scale.pixels(cube.footprint_mm)
    is_square = mark.shape == marks.Shape.SQUARE
    yield Polygon(points=points, fill=mark.colour if is_square else CUBE, line=mark.colour, width=1.5)
    at = _middle(points)
    radius = min(*(0.95 * dist(at, _middle(edge)) for edge in _edges(points)), 26.0)
    if not is_square:
        yield draw_shape(mark, at, radius)
    yield from draw_letter(mark, at, radius)


def _legend(cubes: tuple[Cube, ...], y: float) -> Iterator[Shape]:
    """Explain the marks of the kinds on the table, in rows."""
    kinds = [kind for kind in KINDS if any(cube.kind == kind for cube in cubes)]
    for place, kind in enumerate(kinds):
        row, column = divmod(place, LEGEND_COLUMNS)
        x = MARGIN_PX + 12 + column * (WIDTH_PX - 2 * MARGIN_PX) / LEGEND_COLUMNS
        yield draw_shape(MARKS[kind], (x, y + row * LINE_PX), 11)
        yield from draw_letter(MARKS[kind], (x, y + row * LINE_PX), 11)
        name = str(MARKS[kind].name)
        yield Text(at=(x + 20, y + row * LINE_PX), text=name, size=16, colour=QUIET, left=True)


def _room(advice: Advice, room: RoomAdvice, number: int, scale: Scale) -> Iterator[Polygon]:
    colour = ROOM_COLOURS[number]
    points = scale.pixels(advice.rooms.outline(room.place))
    dash = DASHES[number % len(DASHES)]
    yield Polygon(
        points=points, fill=colour, opacity=0.16, line=colour, width=5.0 if number == 0 else 3.5, dash=dash
    )


def _badge(advice: Advice, room: RoomAdvice, number: int, scale: Scale) -> Iterator[Disc | Text]:
    at = _middle(scale.pixels(advice.rooms.outline(room.place)))
    # Rooms often share their middle: the badges step aside from each other.
    at = (at[0] + 34 * cos(number * pi / 3) * (number > 0), at[1] + 34 * sin(number * pi / 3) * (number > 0))
    yield Disc(centre=at, radius=15, fill=BACKGROUND, line=ROOM_COLOURS[number], width=4)
    yield Text(at=at, text=str(number + 1), size=18, colour=INK, bold=True)


def _doubts(advice: Advice, room: RoomAdvice, scale: Scale) -> Iterator[Polygon]:
    table = advice.rooms.table
    for doubt in room.doubtful:
        points = scale.pixels(table.cubes[table.index(doubt.id)].footprint_mm)
        x, y = _middle(points)
        wider = tuple((x + 1.3 * (px - x), y + 1.3 * (py - y)) for px, py in points)
        yield Polygon(points=wider, line=DOUBT, width=2.5, dash=5.0)


def _heat(heat: HeatMap, scale: Scale) -> Iterator[Polygon]:
    most, half = heat.heat.max(initial=0.0), heat.step_mm / 2
    for row, column in np.argwhere(heat.heat > 0):
        x, y = heat.corner_mm[0] + column * heat.step_mm, heat.corner_mm[1] + row * heat.step_mm
        cell = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
        share = float(heat.heat[row, column] / most)
        yield Polygon(points=scale.pixels(cell), fill=_warm(share))


def _warm(share: float) -> str:
    """Return a colour from the background (0) to a bright orange (1); brightness alone tells them apart."""
    cold, hot = (0x20, 0x24, 0x2A), (0xF2, 0x9B, 0x38)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(cold, hot, strict=True))


def _spot(spot: Spot, number: int, scale: Scale) -> Iterator[Disc | Text]:
    at = scale.pixel(spot.at_mm)
    yield Disc(centre=at, radius=13, fill="#ffffff", line="#000000", width=3)
    yield Text(at=at, text=ascii_lowercase[number % 26], size=17, colour="#000000", bold=True)


def _captions(
    advice: Advice, rooms: list[RoomAdvice], spots: tuple[Spot, ...], top: float
) -> Iterator[Disc | Text]:
    y = top + LINE_PX / 2
    if not rooms:
        yield Text(
            at=(MARGIN_PX, y), text="No room is allowed for this hero.", size=20, colour=INK, left=True
        )
        y += LINE_PX
    for number, room in enumerate(rooms):
        colour = ROOM_COLOURS[number]
        yield Disc(centre=(MARGIN_PX + 12, y), radius=12, fill=BACKGROUND, line=colour, width=3)
        yield Text(at=(MARGIN_PX + 12, y), text=str(number + 1), size=15, colour=INK, bold=True)
        details = [contents_in_words(advice.rooms.table, room.cubes)]
        if room.doubtful:
            details.append(doubts_in_words(advice.rooms.table, room))
        for line in wrap(room_in_words(room), BOLD_LETTERS):
            yield Text(at=(MARGIN_PX + 40, y), text=line, size=20, colour=INK, bold=True, left=True)
            y += LINE_PX * 0.8
        for line in (line for detail in details for line in wrap(detail, LETTERS)):
            yield Text(at=(MARGIN_PX + 40, y), text=line, size=17, colour=QUIET, left=True)
            y += LINE_PX * 0.8
        y += LINE_PX * 0.3
    for number, spot in enumerate(spots):
        yield Disc(centre=(MARGIN_PX + 12, y), radius=12, fill="#ffffff", line="#000000", width=2)
        yield Text(
            at=(MARGIN_PX + 12, y), text=ascii_lowercase[number % 26], size=15, colour="#000000", bold=True
        )
        text = f"pawn: {spot_in_words(spot)}"
        yield Text(at=(MARGIN_PX + 40, y), text=text, size=17, colour=QUIET, left=True)
        y += LINE_PX


def _middle(points: tuple[Pixel, ...]) -> Pixel:
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))


def _edges(points: tuple[Pixel, ...]) -> list[tuple[Pixel, Pixel]]:
    return [(points[place - 1], point) for place, point in enumerate(points)]
