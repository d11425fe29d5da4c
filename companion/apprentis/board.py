"""The pieces of Les Apprentis Gardiens: monsters, the places of a dungeon, what the box holds."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

from companion.message import Message, say

MIN_PLAYERS, MAX_PLAYERS = 2, 4
ROOMS = (1, 2, 3, 4, 5)
POWERS = (1, 2, 3)
MALUS_TILES = (1, 2, 3, 4, 5)
GROUP_TOKENS = 28
INN_CARDS = 7
THREAT_CARDS = {2: 12, 3: 18, 4: 24}
MAX_PILES = 2
DEFAULT_PILES = (0, 2, 2, 2, 2)


class Kind(StrEnum):
    """A colour of monster; all VIPs count as one."""

    SPIDER = "spider"
    BROU = "brou"
    DRAGON = "dragon"
    VAMPIRE = "vampire"
    SKELETON = "skeleton"
    VIP = "vip"


KINDS = tuple(Kind)
FIGURES = {kind: 11 if kind is Kind.VIP else 20 for kind in KINDS}

KIND_NAMES: dict[Kind, Message] = {
    Kind.SPIDER: say("Spider"),
    Kind.BROU: say("Brou"),
    Kind.DRAGON: say("Dragon"),
    Kind.VAMPIRE: say("Vampire"),
    Kind.SKELETON: say("Skeleton"),
    Kind.VIP: say("VIP"),
}


class Place(StrEnum):
    """Where a monster can stand in a dungeon."""

    ENTRANCE = "entrance"
    CORRIDOR_1 = "corridor1"
    CORRIDOR_2 = "corridor2"
    CORRIDOR_3 = "corridor3"
    CORRIDOR_4 = "corridor4"
    CORRIDOR_5 = "corridor5"
    ROOM_1 = "room1"
    ROOM_2 = "room2"
    ROOM_3 = "room3"
    ROOM_4 = "room4"
    ROOM_5 = "room5"

    @property
    def number(self) -> int:
        """1 to 5 for rooms and corridors, 0 for the entrance."""
        return 0 if self is Place.ENTRANCE else int(self[-1])


PLACES = tuple(Place)
ROOM_PLACES = PLACES[6:]
CORRIDOR_PLACES = PLACES[1:6]


def place_name(place: Place) -> Message:
    """Name a place for players."""
    if place in ROOM_PLACES:
        return say("Room %(number)d", number=place.number)
    if place in CORRIDOR_PLACES:
        return say("Corridor %(number)d", number=place.number)
    return say("Entrance")


@dataclass(frozen=True, slots=True)
class Monsters:
    """How many of each kind stand together."""

    spider: int = 0
    brou: int = 0
    dragon: int = 0
    vampire: int = 0
    skeleton: int = 0
    vip: int = 0

    def count(self, kind: Kind) -> int:
        """Return how many of *kind* are here."""
        number: int = getattr(self, kind)
        return number

    @property
    def total(self) -> int:
        """All monsters here."""
        return sum(getattr(self, f.name) for f in fields(self))

    @property
    def kinds(self) -> int:
        """How many different kinds are here."""
        return sum(getattr(self, f.name) > 0 for f in fields(self))


NOBODY = Monsters()
