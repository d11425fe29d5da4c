"""What can happen in a game of Dungeon Guilds, in the past tense."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from companion.codec import EventCodec
from companion.guilds.cards import Front, Master, Room
from companion.guilds.money import Reason
from companion.guilds.state import Piece


@dataclass(frozen=True, slots=True)
class HealingWritten:
    """Somebody looked at the cards: what healing costs for strength 1 to 5."""

    costs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoomsDealt:
    """The rooms of the round lie there, and the dungeon master."""

    rooms: tuple[Room, ...]
    master: Master | None = None


@dataclass(frozen=True, slots=True)
class RoomCorrected:
    """The back of a room says something else; its level stays."""

    place: int
    room: Room


@dataclass(frozen=True, slots=True)
class AdventurersDisabled:
    """A player chose two adventurers to disable; a secret until all have chosen."""

    player: int
    strengths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AdventurerPlaced:
    """A player placed an adventurer on a free space."""

    player: int
    strength: int
    place: int


@dataclass(frozen=True, slots=True)
class AdventurerPushed:
    """A player pushed somebody else's adventurer, or a ghost, out of a room."""

    player: int
    strength: int
    place: int
    pushed: Piece


@dataclass(frozen=True, slots=True)
class AdventurerReplaced:
    """A player replaced an own adventurer by a stronger one."""

    player: int
    strength: int
    place: int
    replaced: int


@dataclass(frozen=True, slots=True)
class RoomRevealed:
    """The next room was turned over.

    Attributes:
        room: its back, so that the card is known again in later games.
    """

    room: Room
    front: Front


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """Healing was paid, adventurers were taken back, the first player marker moved on."""


@dataclass(frozen=True, slots=True)
class MoneyWritten:
    """Somebody's money changed: in a game where only money is kept, or to correct it.

    Attributes:
        note: what for, in the players' own words.
    """

    player: int
    amount: int
    reason: Reason = Reason.OTHER
    note: str = ""


@dataclass(frozen=True, slots=True)
class CountingEnded:
    """The game in which only money is kept is over.

    Attributes:
        unplaced: everybody's strongest adventurer that was not placed in the last round, to break a tie; 0
            where nobody looked.
    """

    unplaced: tuple[int, ...] = ()


PlacingEvent = AdventurerPlaced | AdventurerPushed | AdventurerReplaced
Event = (
    HealingWritten
    | RoomsDealt
    | RoomCorrected
    | AdventurersDisabled
    | PlacingEvent
    | RoomRevealed
    | RoundEnded
    | MoneyWritten
    | CountingEnded
)

CODEC: EventCodec[Event] = EventCodec(*get_args(Event))


def owner(event: Event) -> int | None:
    """Return the seat that alone may report *event*: who holds its secret; the rest is seen by all."""
    return event.player if isinstance(event, AdventurersDisabled) else None


def independent(one: Event, other: Event) -> bool:
    """Whether two phones' events may be accepted in either order: everybody chooses at the same time.

    Notes of money add up in any order too, as long as nobody spends what another is about to get.
    """
    if isinstance(one, AdventurersDisabled) and isinstance(other, AdventurersDisabled):
        return one.player != other.player
    if isinstance(one, MoneyWritten) and isinstance(other, MoneyWritten):
        return one.player != other.player
    return False
