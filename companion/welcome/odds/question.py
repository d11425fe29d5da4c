"""What the odds are asked about: a hero, and what the asker knows of the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import BadData
from companion.message import say
from companion.welcome.delve import Delve
from companion.welcome.kit import Kit
from companion.welcome.monsters import Monster, deck, face_of
from companion.welcome.tiles import Tile, heroes


@dataclass(frozen=True, slots=True)
class Cards:
    """What the asker knows of the cards.

    Attributes:
        known: cards that are in the dungeon, or were before they were turned.
        gone: cards that are known not to be in it: set aside, or brought in by a swap.
        unknown: how many more are in the dungeon, each as likely as the other.
        specials: the special monsters of this game.
        pile: whether the draw pile has a card, for those who swap; None: if any card is left for it.
    """

    known: tuple[Monster, ...] = ()
    gone: tuple[Monster, ...] = ()
    unknown: int = 0
    specials: tuple[Monster, ...] = ()
    pile: bool | None = None

    def pool(self) -> Mapping[Monster, int]:
        """Return the cards that could be the unknown ones.

        Raises:
            BadData: there are not so many cards.
        """
        left = Counter(deck(self.specials))
        left.subtract(self.known)
        left.subtract(self.gone)
        short = [monster for monster, count in left.items() if count < 0]
        if short:
            raise BadData(say("There are not so many cards of '%(monster)s' in this game.", monster=short[0]))
        if not 0 <= self.unknown <= left.total():
            raise BadData(say("At most %(count)d unknown cards can be in the dungeon.", count=left.total()))
        return left

    @property
    def has_pile(self) -> bool:
        """Whether there can be a card to swap for."""
        return self.pile is not False and self.unknown < sum(self.pool().values())


@dataclass(frozen=True, slots=True)
class Question:
    """A hero in the dungeon, or before it, and the cards.

    Attributes:
        tiles: the tiles of this hero, as they are in this game.
        turned: the cards of the dungeon that were turned.
        facing: a card that waits for a choice: the one turned last, or one that was swapped in for it.
        repeated: whether one of its kind was met before.
        swapped: whether a card was swapped in this dungeon.
    """

    hero: str
    tiles: tuple[Tile, ...]
    kit: Kit
    hp: int
    cards: Cards
    successes: int = 0
    named: tuple[tuple[str, Monster], ...] = ()
    turned: tuple[Monster, ...] = ()
    facing: Monster | None = None
    repeated: bool = False
    fallen: bool = False
    swapped: bool = False

    @property
    def can_swap(self) -> bool:
        """Whether a monster can still be swapped for one of the draw pile."""
        able = any(tile.swaps for tile in self.tiles)
        return able and not self.swapped and self.cards.has_pile

    @property
    def hero_hp(self) -> int:
        """The adventurer's own hit points."""
        return heroes()[self.hero].hp

    @property
    def size(self) -> int:
        """How many cards the dungeon has in all."""
        return len(self.cards.known) + self.cards.unknown

    @property
    def shape(self) -> Monster | None:
        """The kind that the shapeshifter had when it was turned."""
        if Monster.SHAPESHIFTER not in self.turned:
            return None
        position = self.turned.index(Monster.SHAPESHIFTER) + 1
        return face_of(Monster.SHAPESHIFTER, position=position, tiles_left=0, successes=0).kind


def question_of(delve: Delve, tiles: Mapping[str, Tile], cards: Cards) -> Question:
    """Ask about a hero who is in the dungeon."""
    return Question(
        hero=delve.hero,
        tiles=tuple(tiles[tile] for tile in delve.kit.tiles),
        kit=delve.kit,
        hp=delve.hp,
        cards=cards,
        successes=delve.successes,
        named=delve.named,
        turned=delve.turned,
        facing=delve.facing,
        repeated=delve.facing is not None and delve.face(delve.facing).kind in delve.kinds,
        fallen=delve.fallen,
        swapped=bool(delve.swapped_in),
    )
