"""What can happen in a game of Dungeon Drop, in the past tense; ``player`` is the seat it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from companion.codec import EventCodec
from companion.dungeon_drop.game.cards import HeroCard, Quest
from companion.dungeon_drop.holdings import Held
from companion.score_sheet import ScoringOpened, SheetReopened, SheetSigned


@dataclass(frozen=True, slots=True)
class HeroChosen:
    """A player wrote down race and class."""

    player: int
    card: HeroCard


@dataclass(frozen=True, slots=True)
class QuestWritten:
    """A player wrote down the secret quest."""

    player: int
    quest: Quest


@dataclass(frozen=True, slots=True)
class GameBegun:
    """All heroes are known and the first cubes lie on the table."""


@dataclass(frozen=True, slots=True)
class CubesDropped:
    """The hero whose turn it is explored: new cubes, and those from the floor, were dropped."""

    player: int


@dataclass(frozen=True, slots=True)
class CubesFell:
    """Cubes fell off the table; the next player's exploration drops them again."""

    count: int


@dataclass(frozen=True, slots=True)
class AbilityUsed:
    """The hero whose turn it is used an ability, or none."""

    player: int
    which: Literal["race", "class", "none"]


@dataclass(frozen=True, slots=True)
class Healed:
    """An ability uncovered hit points."""

    player: int
    count: int


@dataclass(frozen=True, slots=True)
class Hurt:
    """An ability covered hit points."""

    player: int
    count: int


@dataclass(frozen=True, slots=True)
class CubesGained:
    """An ability brought cubes into the reserve."""

    player: int
    held: Held


@dataclass(frozen=True, slots=True)
class CubesReturned:
    """Cubes went from the reserve back to the table."""

    player: int
    held: Held


@dataclass(frozen=True, slots=True)
class PotionDrunk:
    """A potion was dropped back into the dungeon to heal, before or after looting."""

    player: int


@dataclass(frozen=True, slots=True)
class RoomLooted:
    """The hero whose turn it is took a room.

    Attributes:
        loot: everything that was in it, monsters included.
        shields, potions: how many were used; both were in the reserve before.
        pawns: the seats of the other players whose pawns stood in it.
        look: the number of the photo it was chosen on; 0 if it was entered by hand.
        cubes: which cubes of that photo are gone now.
    """

    player: int
    loot: tuple[Held, ...]
    shields: int = 0
    potions: int = 0
    pawns: tuple[int, ...] = ()
    look: int = 0
    cubes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LootSkipped:
    """The hero whose turn it is took nothing."""

    player: int


@dataclass(frozen=True, slots=True)
class LootSpoilt:
    """By accident the room was one that may not be looted: its cubes are dropped again, the turn is lost."""

    player: int


@dataclass(frozen=True, slots=True)
class ReserveCounted:
    """A player wrote down everything that is in the reserve."""

    player: int
    held: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class DamageCounted:
    """A player wrote down how many hit points are covered."""

    player: int
    count: int


@dataclass(frozen=True, slots=True)
class PawnPointsCounted:
    """A player wrote down the points of the own pawn."""

    player: int
    count: int


@dataclass(frozen=True, slots=True)
class ChestsRolled:
    """A chest die was rolled for each pair of a key and a chest."""

    player: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NumberTyped:
    """A player wrote down the number that the quest asks for at the end."""

    player: int
    number: int


CardEvent = HeroChosen | QuestWritten
AbilityEvent = Healed | Hurt | CubesGained | CubesReturned | PotionDrunk
TurnEvent = CubesDropped | AbilityUsed | RoomLooted | LootSkipped | LootSpoilt
SheetEvent = (
    ReserveCounted
    | DamageCounted
    | PawnPointsCounted
    | ChestsRolled
    | NumberTyped
    | SheetSigned
    | SheetReopened
)
Event = CardEvent | AbilityEvent | TurnEvent | SheetEvent | GameBegun | CubesFell | ScoringOpened

CODEC: EventCodec[Event] = EventCodec(*get_args(Event))


def owner(event: Event) -> int | None:
    """Return the seat that alone may report *event*, or None if anyone at the table may."""
    match event:
        case GameBegun() | CubesFell() | ScoringOpened() | CubesDropped():
            return None
        case _:
            return event.player


def independent(one: Event, other: Event) -> bool:
    """Whether two players' events may be accepted in either order: each keeps the own cards and sheet."""
    if isinstance(one, QuestWritten) or isinstance(other, QuestWritten):
        # Nobody else's turn waits for somebody who writes down a quest.
        return getattr(one, "player", None) != getattr(other, "player", None)
    own = CardEvent | SheetEvent
    return isinstance(one, own) and isinstance(other, own) and one.player != other.player
