"""Marker cards to print in true size, with a line to check that the printer kept it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from xml.etree import ElementTree

import cv2
import numpy as np

from vision.markers import CARD_MM, DICTIONARY, IDS, MARKER_MM

# The pattern: four cells and a black border of one cell on each side.
CELLS = 6
CHECK_MM = 100.0


class Paper(StrEnum):
    """Sizes of paper."""

    A4 = "a4"
    LETTER = "letter"


SIZES_MM = {Paper.A4: (210.0, 297.0), Paper.LETTER: (215.9, 279.4)}

TEXTS = (
    "Print at 100 % (actual size, no fitting to the page). Measure the line: it must be 100 mm.",
    "Imprimez à 100 % (taille réelle, sans ajuster à la page). Mesurez la ligne : elle doit faire 100 mm.",
    "Cut out the cards and lay one to four of them flat beside the cubes, anywhere, turned any way.",
    "Découpez les cartes et posez-en une à quatre bien à plat à côté des cubes, où et comme vous voulez.",
)


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle on the page, in mm from its top left."""

    x: float
    y: float
    width: float
    height: float


def marker_cells(id: int) -> tuple[tuple[bool, ...], ...]:
    """Return which cells of a marker are black, row by row."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    picture = np.asarray(cv2.aruco.generateImageMarker(dictionary, id, CELLS))
    return tuple(tuple(bool(cell == 0) for cell in row) for row in picture)


def white_parts(id: int, left: float, top: float) -> Iterator[Rect]:
    """Give the white parts of the black square whose top left is there: runs of cells along rows and columns.

    A cell in a row and a column comes twice, so that no printer or screen shows a seam between runs.
    """
    cell = MARKER_MM / CELLS
    rows = marker_cells(id)
    for line, cells in enumerate(rows):
        for start, stop in _white_runs(cells):
            yield Rect(left + start * cell, top + line * cell, (stop - start) * cell, cell)
    for line, cells in enumerate(zip(*rows, strict=True)):
        for start, stop in _white_runs(cells):
            yield Rect(left + line * cell, top + start * cell, cell, (stop - start) * cell)


def _white_runs(black: tuple[bool, ...]) -> Iterator[tuple[int, int]]:
    place = 0
    for is_black, run in groupby(black):
        length = len(tuple(run))
        if not is_black:
            yield place, place + length
        place += length


def card_places(paper: Paper) -> tuple[tuple[float, float], ...]:
    """Return the top left corner of each card on the page."""
    width, _ = SIZES_MM[paper]
    gap = 14.0
    left = (width - 2 * CARD_MM - gap) / 2
    return tuple(
        (left + column * (CARD_MM + gap), 70.0 + row * (CARD_MM + gap))
        for row in range(2)
        for column in range(2)
    )


def draw_cards(paper: Paper) -> str:
    """Return a page with the four cards as an SVG document in true size."""
    width, height = SIZES_MM[paper]
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": f"{width:g}mm",
            "height": f"{height:g}mm",
            "viewBox": f"0 0 {width:g} {height:g}",
            "font-family": "sans-serif",
        },
    )
    style = ElementTree.SubElement(root, "style")
    style.text = f"@page {{ size: {width:g}mm {height:g}mm; margin: 0 }}"
    ElementTree.SubElement(root, "rect", {"width": f"{width:g}", "height": f"{height:g}", "fill": "#ffffff"})
    _write_texts(root, width)
    _draw_check_line(root, width)
    for id, (left, top) in zip(IDS, card_places(paper), strict=True):
        _draw_card(root, id, left, top)
    return ElementTree.tostring(root, encoding="unicode")


def _write_texts(root: ElementTree.Element, width: float) -> None:
    for line, words in enumerate(TEXTS):
        place = {
            "x": f"{width / 2:g}",
            "y": f"{16 + 6 * line:g}",
            "font-size": "3.8",
            "text-anchor": "middle",
        }
        ElementTree.SubElement(root, "text", place).text = words


def _draw_check_line(root: ElementTree.Element, width: float) -> None:
    left, y = (width - CHECK_MM) / 2, 52.0
    path = f"M {left:g} {y:g} h {CHECK_MM:g} M {left:g} {y - 3:g} v 6 M {left + CHECK_MM:g} {y - 3:g} v 6"
    ElementTree.SubElement(
        root, "path", {"d": path, "stroke": "#000000", "stroke-width": "0.3", "fill": "none"}
    )
    place = {"x": f"{width / 2:g}", "y": f"{y - 2:g}", "font-size": "3.8", "text-anchor": "middle"}
    ElementTree.SubElement(root, "text", place).text = f"{CHECK_MM:g} mm"


def _draw_card(root: ElementTree.Element, id: int, left: float, top: float) -> None:
    edge = {"x": f"{left:g}", "y": f"{top:g}", "width": f"{CARD_MM:g}", "height": f"{CARD_MM:g}"}
    cut = {"fill": "#ffffff", "stroke": "#999999", "stroke-width": "0.2", "stroke-dasharray": "2"}
    ElementTree.SubElement(root, "rect", {**edge, **cut})
    border = (CARD_MM - MARKER_MM) / 2
    _fill(root, Rect(left + border, top + border, MARKER_MM, MARKER_MM), "#000000")
    for part in white_parts(id, left + border, top + border):
        _fill(root, part, "#ffffff")
    # Outside the card, so that its white border stays white.
    place = {"x": f"{left + CARD_MM / 2:g}", "y": f"{top + CARD_MM + 5:g}", "font-size": "3.5"}
    ElementTree.SubElement(root, "text", {**place, "text-anchor": "middle", "fill": "#666666"}).text = str(id)


def _fill(root: ElementTree.Element, part: Rect, colour: str) -> None:
    values = {"x": part.x, "y": part.y, "width": part.width, "height": part.height}
    attributes = {name: f"{value:.4f}" for name, value in values.items()}
    ElementTree.SubElement(root, "rect", {**attributes, "fill": colour})
