"""How each kind of cube is marked wherever it is drawn: a letter, a shape and a colour, never one alone.

Letters are the same in French and English; monsters carry the damage they do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from companion.dungeon_drop.pieces import Kind
from companion.message import Message, say
from web.dungeon_drop.drawing import Disc, Polygon, Spot, Text


class Shape(StrEnum):
    """The outline around a letter."""

    SQUARE = "square"
    CIRCLE = "circle"
    DIAMOND = "diamond"
    TRIANGLE = "triangle"
    SHIELD = "shield"


# The corners of each shape around (0, 0), y downwards, within a circle of radius 1; a circle has none.
CORNERS: dict[Shape, tuple[tuple[float, float], ...]] = {
    Shape.SQUARE: ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
    Shape.DIAMOND: ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)),
    Shape.TRIANGLE: ((0.0, -1.05), (1.0, 0.75), (-1.0, 0.75)),
    Shape.SHIELD: ((-0.8, -0.85), (0.8, -0.85), (0.8, 0.2), (0.0, 1.0), (-0.8, 0.2)),
}


@dataclass(frozen=True, slots=True)
class Mark:
    """One kind of cube; *ink* reads well on *colour*."""

    letter: str
    shape: Shape
    colour: str
    ink: str
    name: Message


MARKS = {
    Kind.PILLAR: Mark("P", Shape.SQUARE, "#9aa0a6", "#16181a", say("pillar")),
    Kind.GOLD: Mark("G", Shape.CIRCLE, "#e0b13c", "#16181a", say("gold")),
    Kind.KEY: Mark("K", Shape.CIRCLE, "#f0825a", "#16181a", say("key")),
    Kind.CHEST: Mark("C", Shape.SQUARE, "#7a1f26", "#ffffff", say("chest")),
    Kind.GEM_CLEAR: Mark("W", Shape.DIAMOND, "#eef2f5", "#16181a", say("clear gem")),
    Kind.GEM_BLUE: Mark("B", Shape.DIAMOND, "#2f5bd0", "#ffffff", say("blue gem")),
    Kind.GEM_PINK: Mark("R", Shape.DIAMOND, "#e84f86", "#16181a", say("pink gem")),
    Kind.POTION: Mark("+", Shape.CIRCLE, "#7d3fb0", "#ffffff", say("potion")),
    Kind.SHIELD: Mark("S", Shape.SHIELD, "#9fd4f2", "#16181a", say("shield")),
    Kind.RELIC: Mark("A", Shape.DIAMOND, "#4fbf8f", "#16181a", say("relic")),
    Kind.GOBLIN: Mark("1", Shape.TRIANGLE, "#2f9e44", "#16181a", say("goblin")),
    Kind.TROLL: Mark("2", Shape.TRIANGLE, "#a3b12c", "#16181a", say("troll")),
    Kind.DRAGON: Mark("8", Shape.TRIANGLE, "#c0271c", "#ffffff", say("dragon")),
    Kind.STAIRS: Mark("E", Shape.SQUARE, "#1d1f21", "#ffffff", say("stairs")),
}


def draw_shape(mark: Mark, at: Spot, radius: float) -> Polygon | Disc:
    """Draw the shape of a kind, filled with its colour."""
    corners = CORNERS.get(mark.shape)
    if corners is None:
        return Disc(centre=at, radius=0.9 * radius, fill=mark.colour)
    return Polygon(
        points=tuple((at[0] + radius * x, at[1] + radius * y) for x, y in corners), fill=mark.colour
    )


def draw_letter(mark: Mark, at: Spot, radius: float) -> Iterator[Text]:
    """Draw the letter of a kind, where it can be read."""
    if radius >= 5:
        # The body of a triangle is low.
        down = 0.12 * radius if mark.shape == Shape.TRIANGLE else 0.0
        place = (at[0], at[1] + down)
        yield Text(at=place, text=mark.letter, size=1.1 * radius, colour=mark.ink, bold=True)
