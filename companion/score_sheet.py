"""A final score, line by line, and the events around it: the same form for every game."""

from __future__ import annotations

from dataclasses import dataclass

from companion.message import Message


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of a score sheet: what it is for, the rule, what was found, the points."""

    key: str
    label: Message
    rule: Message
    why: Message
    points: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's score sheet."""

    lines: tuple[ScoreLine, ...]

    @property
    def total(self) -> int:
        """The final score."""
        return sum(line.points for line in self.lines)


@dataclass(frozen=True, slots=True)
class ScoringOpened:
    """The table stopped playing and counts points."""


@dataclass(frozen=True, slots=True)
class SheetSigned:
    """A player says the score sheet is complete."""

    player: int


@dataclass(frozen=True, slots=True)
class SheetReopened:
    """A player wants to change a signed score sheet."""

    player: int
