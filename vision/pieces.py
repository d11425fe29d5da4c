"""The pieces a camera may see: their looks' names, their sizes and how many of each the box holds.

The scanner knows no rules, so it keeps this list of its own; a test holds that the rules' list says the same.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What a cube is, in the order of the networks' outputs."""

    GOLD = "gold"
    KEY = "key"
    CHEST = "chest"
    GEM_CLEAR = "gem_clear"
    GEM_BLUE = "gem_blue"
    GEM_PINK = "gem_pink"
    POTION = "potion"
    SHIELD = "shield"
    GOBLIN = "goblin"
    TROLL = "troll"
    DRAGON = "dragon"
    PILLAR = "pillar"
    RELIC = "relic"
    STAIRS = "stairs"


class Size(StrEnum):
    """How big a cube is."""

    SMALL = "small"
    LARGE = "large"
    HUGE = "huge"


KINDS: Final = tuple(Kind)
SIZES: Final = tuple(Size)
# Only on the table of somebody who plays alone.
SOLO_KINDS: Final = (Kind.RELIC, Kind.STAIRS)
# Nobody prints the millimetres; measured on photographs the sides are as 1 : 1.23 : 1.47.
SIDE_MM: Final[dict[Size, float]] = {Size.SMALL: 8.0, Size.LARGE: 10.0, Size.HUGE: 12.0}
# How many of each lie in the box: nothing may be seen more often.
COUNTS: Final[dict[tuple[Kind, Size], int]] = {
    (Kind.GOLD, Size.SMALL): 12,
    (Kind.GOLD, Size.LARGE): 8,
    (Kind.KEY, Size.SMALL): 4,
    (Kind.KEY, Size.LARGE): 2,
    (Kind.CHEST, Size.LARGE): 6,
    (Kind.GEM_CLEAR, Size.SMALL): 4,
    (Kind.GEM_CLEAR, Size.LARGE): 3,
    (Kind.GEM_BLUE, Size.SMALL): 4,
    (Kind.GEM_BLUE, Size.LARGE): 3,
    (Kind.GEM_PINK, Size.SMALL): 4,
    (Kind.GEM_PINK, Size.LARGE): 3,
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
