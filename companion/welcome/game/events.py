"""What can happen in a game of Welcome (Back) to the Dungeon, in the past tense."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import get_args

from companion.codec import EventCodec
from companion.welcome.monsters import Monster
from companion.welcome.tiles import Tile


@dataclass(frozen=True, slots=True)
class TilesRecalled:
    """Tiles that were corrected in earlier games are as they were written then."""

    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class TileWritten:
    """Somebody looked at a tile and wrote down what it says."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class AdventurerChosen:
    """The adventurer of the round was chosen."""

    hero: str


@dataclass(frozen=True, slots=True)
class MonsterAdded:
    """A player drew a monster and added it to the dungeon.

    Attributes:
        card: what it was, if the player wants to remember; a secret.
    """

    player: int
    card: Monster | None = None


@dataclass(frozen=True, slots=True)
class MonsterSetAside:
    """A player drew a monster and set it aside with a tile; ``card`` as above."""

    player: int
    tile: str
    card: Monster | None = None


@dataclass(frozen=True, slots=True)
class PlayerPassed:
    """A player left the bidding."""

    player: int


@dataclass(frozen=True, slots=True)
class CardsNoted:
    """A player wrote down which own cards lie where; a secret."""

    player: int
    dungeon: tuple[Monster, ...] = ()
    aside: tuple[Monster, ...] = ()


@dataclass(frozen=True, slots=True)
class BiddingSkipped:
    """The table bid without the companion: who goes in, with which tiles, how many cards are in there."""

    player: int
    tiles: tuple[str, ...]
    cards: int


@dataclass(frozen=True, slots=True)
class KindNamed:
    """A kind of monster was named for a tile before the first card."""

    tile: str
    kind: Monster


@dataclass(frozen=True, slots=True)
class MonsterTurned:
    """The next card of the dungeon was turned."""

    card: Monster


@dataclass(frozen=True, slots=True)
class TileUsed:
    """A tile was used for the monster that was turned; ``other`` is discarded with it."""

    tile: str
    other: str | None = None


@dataclass(frozen=True, slots=True)
class MonsterSwapped:
    """A tile swapped the monster for a card of the draw pile."""

    tile: str
    card: Monster


@dataclass(frozen=True, slots=True)
class HitTaken:
    """No tile was used: the monster struck."""


@dataclass(frozen=True, slots=True)
class TileLost:
    """The gelatinous cube took a tile."""

    tile: str


@dataclass(frozen=True, slots=True)
class DelveEnded:
    """There are no more cards, or the hero fell: success and aid cards are dealt."""


BiddingEvent = MonsterAdded | MonsterSetAside | PlayerPassed
ChoiceEvent = TileUsed | MonsterSwapped | HitTaken | TileLost
DelveEvent = KindNamed | MonsterTurned | ChoiceEvent | DelveEnded
Event = (
    TilesRecalled | TileWritten | AdventurerChosen | BiddingEvent | CardsNoted | BiddingSkipped | DelveEvent
)

CODEC: EventCodec[Event] = EventCodec(*get_args(Event))


def owner(event: Event) -> int | None:
    """Return the seat that alone may report *event*: those that hold its secrets; the rest is seen by all."""
    match event:
        case CardsNoted():
            return event.player
        case MonsterAdded(card=Monster()) | MonsterSetAside(card=Monster()):
            return event.player
        case _:
            return None


def independent(one: Event, other: Event) -> bool:
    """Whether two phones' events may be accepted in either order: nobody waits for somebody's notes."""
    notes = [event for event in (one, other) if isinstance(event, CardsNoted)]
    others = [event for event in (one, other) if not isinstance(event, CardsNoted)]
    if len(notes) == 2:
        return notes[0].player != notes[1].player
    if not notes:
        return False
    # Notes are about this round, and a drawn card that was written down changes them.
    mine = getattr(others[0], "player", None) == notes[0].player
    return not mine and not isinstance(others[0], AdventurerChosen | DelveEnded | BiddingSkipped)


def without_secrets(event: Event) -> Event:
    """Return what others may know of an event."""
    match event:
        case CardsNoted():
            return CardsNoted(event.player)
        case MonsterAdded() | MonsterSetAside():
            return replace(event, card=None)
        case _:
            return event
