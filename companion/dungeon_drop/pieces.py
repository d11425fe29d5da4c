"""The pieces of Dungeon Drop: kinds, sizes, how many there are, what they score and how much they hurt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Kind(StrEnum):
    """What a cube is; its colour and finish tell."""

    GOLD = "gold"
    KEY = "key"
    CHEST = "chest"
    GEM_CLEAR = "gem_clear"
    GEM_BLUE = "gem_blue"
    GEM_PINK = "gem_pink"
    POTION = "potion"
    SHIELD = "shield"
    RELIC = "relic"
    GOBLIN = "goblin"
    TROLL = "troll"
    DRAGON = "dragon"
    PILLAR = "pillar"
    STAIRS = "stairs"


class Size(StrEnum):
    """How big a cube is."""

    SMALL = "small"
    LARGE = "large"
    HUGE = "huge"


KINDS = tuple(Kind)
SIZES = tuple(Size)
GEMS = (Kind.GEM_CLEAR, Kind.GEM_BLUE, Kind.GEM_PINK)
# Treasure goes to the reserve and weighs; monsters go there too but do not weigh.
TREASURES = (Kind.GOLD, Kind.KEY, Kind.CHEST, *GEMS, Kind.POTION, Kind.SHIELD, Kind.RELIC)
MONSTERS = (Kind.GOBLIN, Kind.TROLL, Kind.DRAGON)
COLLECTED = (*TREASURES, *MONSTERS)
# Only on the table of somebody who plays alone.
SOLO_KINDS = (Kind.RELIC, Kind.STAIRS)

DAMAGE: Mapping[Kind, int] = MappingProxyType({Kind.GOBLIN: 1, Kind.TROLL: 2, Kind.DRAGON: 8})
SCORE: Mapping[Kind, int] = MappingProxyType({Kind.GOLD: 1, Kind.TROLL: 2, Kind.DRAGON: 8})
POTION_HEALS = 3
# The mean of a six-sided die: what a chest is worth before it is rolled.
CHEST_WORTH = 3.5

# How many of each the box holds, the three solo cubes included.
IN_THE_BOX: Mapping[tuple[Kind, Size], int] = MappingProxyType(
    {
        (Kind.GOLD, Size.SMALL): 12,
        (Kind.GOLD, Size.LARGE): 8,
        (Kind.KEY, Size.SMALL): 4,
        (Kind.KEY, Size.LARGE): 2,
        (Kind.CHEST, Size.LARGE): 6,
        **{(gem, Size.SMALL): 4 for gem in GEMS},
        **{(gem, Size.LARGE): 3 for gem in GEMS},
        (Kind.POTION, Size.SMALL): 2,
        (Kind.SHIELD, Size.LARGE): 2,
        (Kind.GOBLIN, Size.SMALL): 10,
        (Kind.TROLL, Size.LARGE): 4,
        (Kind.DRAGON, Size.HUGE): 1,
        (Kind.PILLAR, Size.SMALL): 13,
        (Kind.PILLAR, Size.LARGE): 5,
        (Kind.RELIC, Size.SMALL): 2,
        (Kind.STAIRS, Size.SMALL): 1,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The side of each size of cube.

    No source prints millimetres: the ratio 1 : 1.23 : 1.47 was measured on photographs, the scale estimated.
    """

    small_mm: float = 8.0
    large_mm: float = 10.0
    huge_mm: float = 12.0

    def of(self, size: Size) -> float:
        """Return the side of a cube of *size* in millimetres."""
        return {Size.SMALL: self.small_mm, Size.LARGE: self.large_mm, Size.HUGE: self.huge_mm}[size]
