"""The odds before the dungeon is entered: what to name first, and how likely that ends well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from companion.errors import BadData
from companion.message import say
from companion.welcome.delve import enter
from companion.welcome.monsters import NAMEABLE, ORDINARY, Monster, deck
from companion.welcome.odds.question import Cards, Question, question_of
from companion.welcome.odds.survival import prospects
from companion.welcome.tiles import Tile

# What sums of so many numbers may be off.
ROUNDING: Final = 1e-12
ROUNDING_DIGITS: Final = 12
# No adventurer has more than one; each makes ten questions of one.
MOST_NAMING: Final = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """How likely a dungeon is survived, and what is best named before it.

    Attributes:
        named: for each tile that names a kind: the best for oneself, or what hurts most if a rival names it.
    """

    survive: float
    hp: int
    named: Mapping[str, Monster]


def entry_odds(
    hero: str, left: tuple[str, ...], tiles: Mapping[str, Tile], cards: Cards, *, successes: int = 0
) -> Entry:
    """Return how likely a hero with these tiles survives who goes in now.

    Raises:
        BadData: there are not so many cards.
    """
    delve = enter(hero, left, tiles, successes=successes)
    return naming_odds(question_of(delve, tiles, cards), tiles)


def naming_odds(question: Question, tiles: Mapping[str, Tile]) -> Entry:
    """Return the odds when some kinds are still to be named."""
    wanting = [tile for tile in question.kit.tiles if tiles[tile].names]
    wanting = [tile for tile in wanting if tile not in dict(question.named)]
    if len(wanting) > MOST_NAMING:
        raise BadData(say("These tiles are too complicated for the odds."))
    if not wanting:
        return Entry(prospects(question).survive, question.hp, {})
    tile = min(wanting, key=lambda name: tiles[name].names != "rival")
    certain = float(tiles[tile].names == "me")
    entries: dict[Monster, Entry] = {}
    for kind in _worth_naming(question, tiles[tile]):
        entries[kind] = naming_odds(replace(question, named=(*question.named, (tile, kind))), tiles)
        if abs(entries[kind].survive - certain) < ROUNDING:
            break  # nothing can be better for the one who names
    pick = max if tiles[tile].names == "me" else min
    # What is best is named; among equals the strongest, which comes first.
    kind = pick(entries, key=lambda name: round(entries[name].survive, ROUNDING_DIGITS))
    return Entry(entries[kind].survive, question.hp, {tile: kind, **entries[kind].named})


def _worth_naming(question: Question, tile: Tile) -> list[Monster]:
    """Return the kinds that may be named, the strongest first; one that cannot come stands for all such.

    Special monsters come last: among equals nobody names an ally.
    """
    ordered = (*reversed(ORDINARY), *(kind for kind in NAMEABLE if kind not in ORDINARY))
    possible = [kind for kind in ordered if kind in deck(question.cards.specials) and tile.may_name(kind)]
    pool = question.cards.pool()
    faces_of_others = (
        Monster.SHAPESHIFTER in question.cards.specials or Monster.COUNT in question.cards.specials
    )
    there = [kind for kind in possible if pool[kind] or kind in question.cards.known or faces_of_others]
    absent = [kind for kind in possible if kind not in there]
    return sorted((*there, *absent[:1]), key=possible.index)
