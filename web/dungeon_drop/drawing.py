"""A drawing as a list of plain shapes in pixels, to be written as SVG or painted as PNG."""

from __future__ import annotations

from dataclasses import dataclass

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Polygon:
    """A closed shape; *dash* is the length of its dashes, 0 for a whole line."""

    points: tuple[Spot, ...]
    fill: str | None = None
    opacity: float = 1.0
    line: str | None = None
    width: float = 0.0
    dash: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc:
    """A circle."""

    centre: Spot
    radius: float
    fill: str | None = None
    line: str | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One line of text; *at* is its middle, or the left end of it where *left* says so."""

    at: Spot
    text: str
    size: float
    colour: str
    bold: bool = False
    left: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes from back to front."""

    width: int
    height: int
    background: str
    shapes: tuple[Polygon | Disc | Text, ...]
