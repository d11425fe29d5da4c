"""The monsters of both boxes, and what a card is at the moment it is met."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Monster(StrEnum):
    """One kind of monster card."""

    GOBLIN = "goblin"
    SKELETON = "skeleton"
    ORC = "orc"
    VAMPIRE = "vampire"
    GOLEM = "golem"
    LICH = "lich"
    DEMON = "demon"
    DRAGON = "dragon"
    FAIRY = "fairy"
    ALLY = "ally"
    MIMIC = "mimic"
    CUBE = "gelatinous-cube"
    COUNT = "count"
    SHAPESHIFTER = "shapeshifter"


STRENGTH: Final = {
    Monster.GOBLIN: 1,
    Monster.SKELETON: 2,
    Monster.ORC: 3,
    Monster.VAMPIRE: 4,
    Monster.GOLEM: 5,
    Monster.LICH: 6,
    Monster.DEMON: 7,
    Monster.DRAGON: 9,
}
ORDINARY: Final = tuple(STRENGTH)
SPECIAL: Final = tuple(monster for monster in Monster if monster not in STRENGTH)
PAIRS: Final = (Monster.GOBLIN, Monster.SKELETON, Monster.ORC, Monster.VAMPIRE, Monster.GOLEM)
# Cards that stay what they are, so that their kind can be named before entering.
NAMEABLE: Final = (*ORDINARY, Monster.FAIRY, Monster.ALLY, Monster.MIMIC, Monster.CUBE)
# The shapeshifter has a kind only up to here.
LAST_SHAPE: Final = 8

_BY_STRENGTH: Final = {strength: monster for monster, strength in STRENGTH.items() if strength <= LAST_SHAPE}


def copies(monster: Monster) -> int:
    """Return how many cards of a kind there are."""
    return 2 if monster in PAIRS else 1


def deck(specials: tuple[Monster, ...] = ()) -> dict[Monster, int]:
    """Return all cards of a round, with the special ones of this game."""
    return {monster: copies(monster) for monster in (*ORDINARY, *specials)}


@dataclass(frozen=True, slots=True)
class Face:
    """What a card is when it is met.

    Attributes:
        strength: None for those that have none, and with it no parity.
        kind: None for those that are nothing in particular.
    """

    strength: int | None
    kind: Monster | None

    @property
    def is_even(self) -> bool | None:
        """Whether the strength is even; None without strength."""
        return None if self.strength is None else self.strength % 2 == 0


def face_of(card: Monster, *, position: int, tiles_left: int, successes: int) -> Face:
    """Return what *card* is as the *position*-th of the dungeon, for a hero with so many tiles.

    Args:
        successes: success cards of the player in the dungeon; the count looks at them.
    """
    match card:
        case Monster.FAIRY:
            return Face(0, card)
        case Monster.ALLY | Monster.CUBE:
            return Face(None, card)
        case Monster.MIMIC:
            return Face(tiles_left, card)
        case Monster.COUNT:
            return Face(8, None) if successes else Face(STRENGTH[Monster.VAMPIRE], Monster.VAMPIRE)
        case Monster.SHAPESHIFTER:
            return Face(position, _BY_STRENGTH.get(position))
        case _:
            return Face(STRENGTH[card], card)
