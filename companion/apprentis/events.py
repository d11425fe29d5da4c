"""What can happen in a game of Les Apprentis Gardiens, in the past tense.

``player`` is the seat an event is about. Cards that lie in the middle of the table have none.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, get_args

from companion.apprentis.board import Monsters, Place
from companion.codec import EventCodec
from companion.score_sheet import ScoringOpened, SheetReopened, SheetSigned


class Effect(StrEnum):
    """What a card does to the dungeons it hits."""

    NONE = "none"
    NEW = "new"
    ADVANCE = "advance"


@dataclass(frozen=True, slots=True)
class ThreatRevealed:
    """A threat card was turned; its effect hits every dungeon."""

    effect: Effect
    steps: int = 0
    icon: bool = False


@dataclass(frozen=True, slots=True)
class InnRevealed:
    """An inn card was turned; it hits those with most or fewest groups.

    ``Effect.NONE`` stands for an effect that the players concerned carry out themselves.
    """

    whom: Literal["most", "fewest"]
    effect: Effect
    steps: int = 0


@dataclass(frozen=True, slots=True)
class OthersStruck:
    """A card played by *player* hit every other dungeon."""

    player: int
    effect: Effect
    steps: int = 0


@dataclass(frozen=True, slots=True)
class GroupEntered:
    """A new group came into room 1."""

    player: int


@dataclass(frozen=True, slots=True)
class GroupAdvanced:
    """A group of the lowest occupied room went *steps* rooms further."""

    player: int
    steps: int


@dataclass(frozen=True, slots=True)
class GroupRemoved:
    """A group went back to the inn."""

    player: int
    room: int


@dataclass(frozen=True, slots=True)
class GuardianRevealed:
    """Five monsters reached room 5 and the guardian tile was turned."""

    player: int


@dataclass(frozen=True, slots=True)
class PowerUsed:
    """A guardian power (1 left, 2 middle, 3 right) was covered with a malus tile and used."""

    player: int
    power: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The turn of *player* is over; anyone at the table may say so."""

    player: int


@dataclass(frozen=True, slots=True)
class SetupCorrected:
    """The objectives in play or the gold piles on the boards were written down differently before."""

    objectives: tuple[str, ...]  # spider, brou, vampire, dragon
    piles: tuple[int, ...]  # in rooms 1 to 5


@dataclass(frozen=True, slots=True)
class PlaceFilled:
    """A player wrote down who stands in one place."""

    player: int
    place: Place
    monsters: Monsters


@dataclass(frozen=True, slots=True)
class GroupsCounted:
    """A player wrote down the groups in rooms 1 to 5."""

    player: int
    rooms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MalusCounted:
    """A player wrote down how many malus tiles are in the dungeon; they are always the lowest ones."""

    player: int
    tiles: int


PlayEvent = (
    ThreatRevealed
    | InnRevealed
    | OthersStruck
    | GroupEntered
    | GroupAdvanced
    | GroupRemoved
    | GuardianRevealed
    | PowerUsed
    | TurnEnded
    | ScoringOpened
)
SheetEvent = PlaceFilled | GroupsCounted | MalusCounted | SheetSigned | SheetReopened
Event = PlayEvent | SheetEvent | SetupCorrected

CODEC: EventCodec[Event] = EventCodec(*get_args(Event))


def owner(event: Event) -> int | None:
    """Return the seat that alone may report *event*, or None if anyone at the table may."""
    match event:
        case ThreatRevealed() | InnRevealed() | ScoringOpened() | TurnEnded() | SetupCorrected():
            return None
        case _:
            return event.player


def independent(one: Event, other: Event) -> bool:
    """Whether two players' events may be accepted in either order: each keeps the own score sheet."""
    return isinstance(one, SheetEvent) and isinstance(other, SheetEvent) and one.player != other.player
