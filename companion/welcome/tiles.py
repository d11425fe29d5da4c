"""Adventurers and equipment tiles: data, read once from tiles.toml, in one small vocabulary of effects."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, Final, Literal

from companion.codec import decode
from companion.errors import BadData
from companion.message import Message, named, say
from companion.welcome.monsters import STRENGTH, Face, Monster

MAX_TILE_HP: Final = 9
MAX_TILE_NAME: Final = 40


class Use(StrEnum):
    """How a tile that ignores monsters is used."""

    ALWAYS = "always"
    FIRST = "first"
    MAY = "may"
    STREAK = "streak"


class Revival(StrEnum):
    """With how many hit points a tile brings back."""

    HERO = "hero"
    ONE_LESS = "one-less"


@dataclass(frozen=True, slots=True)
class Match:
    """Which monsters a tile ignores; what is None or empty does not matter."""

    kinds: tuple[Monster, ...] = ()
    low: int | None = None
    high: int | None = None
    parity: Literal["even", "odd"] | None = None
    below_hp: int | None = None
    repeats: bool = False

    def fits(self, face: Face, *, hp: int, repeated: bool) -> bool:
        """Whether a monster is one of these.

        Args:
            repeated: whether one of its kind was met before in this dungeon.
        """
        if self.below_hp is not None and hp >= self.below_hp:
            return False
        if self.repeats and not repeated:
            return False
        if self.kinds and face.kind not in self.kinds:
            return False
        if self.parity and face.is_even is not (self.parity == "even"):
            return False
        if face.strength is None:
            return self.low is None and self.high is None and not self.parity
        return (self.low or 0) <= face.strength and (self.high is None or face.strength <= self.high)


@dataclass(frozen=True, slots=True)
class Tile:
    """One equipment tile. The words are those of tiles.toml."""

    id: str
    en: str
    fr: str
    hp: int = 0
    ignores: Match | None = None
    names: Literal["me", "rival"] | None = None
    names_low: int | None = None
    names_high: int | None = None
    use: Use = Use.ALWAYS
    next_too: bool = False
    costs_tile: bool = False
    heals: bool = False
    calms: int = 0
    less: int = 0
    odd_at_most: int | None = None
    even_at_most: int | None = None
    limits_below_hp: int | None = None
    revives: Revival | None = None
    swaps: bool = False
    wins_if_all_differ: bool = False
    sure: bool = True

    @property
    def name(self) -> Message:
        """What it is called, in both languages."""
        return named(self.en, fr=self.fr)

    @property
    def is_active(self) -> bool:
        """Whether it does anything once the dungeon is entered."""
        return bool(
            self.ignores
            or self.names
            or self.less
            or self.odd_at_most is not None
            or self.even_at_most is not None
            or self.revives
            or self.swaps
            or self.wins_if_all_differ
        )

    @property
    def is_optional(self) -> bool:
        """Whether it does nothing unless the player wants it to."""
        asked = self.use in (Use.MAY, Use.STREAK) or self.swaps
        passive = self.names or self.less or self.odd_at_most is not None or self.even_at_most is not None
        return asked and not (passive or self.revives or self.wins_if_all_differ)

    def may_name(self, monster: Monster) -> bool:
        """Whether this tile's owner, or a rival, may name this kind before entering."""
        strength = STRENGTH.get(monster)
        if self.names_low is None and self.names_high is None:
            return True
        if strength is None:
            return False
        return (self.names_low or 0) <= strength and (self.names_high is None or strength <= self.names_high)

    def thresholds(self) -> frozenset[int]:
        """Return the hit points below which it behaves otherwise."""
        found = (self.limits_below_hp, self.ignores.below_hp if self.ignores else None)
        return frozenset(hp for hp in found if hp is not None)


@dataclass(frozen=True, slots=True)
class Hero:
    """One adventurer and the six tiles that belong to them."""

    id: str
    box: Literal["welcome", "welcome-back"]
    en: str
    fr: str
    hp: int
    tiles: tuple[str, ...]

    @property
    def name(self) -> Message:
        """What they are called, in both languages."""
        return named(self.en, fr=self.fr)


@cache
def _data() -> dict[str, Any]:
    text = resources.files("companion.welcome").joinpath("tiles.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def heroes() -> Mapping[str, Hero]:
    """Return all adventurers by id."""
    return {hero["id"]: decode(Hero, hero) for hero in _data()["hero"]}


@cache
def printed_tiles() -> Mapping[str, Tile]:
    """Return all tiles by id, as far as they are known."""
    return {tile["id"]: decode(Tile, tile) for tile in _data()["tile"]}


def check_tile(tile: Tile) -> None:
    """Make sure that a tile which a player wrote makes sense.

    Raises:
        BadData: saying what does not.
    """
    if tile.id not in printed_tiles():
        raise BadData(say("There is no such tile."))
    for name in (tile.en, tile.fr):
        if not name.strip() or len(name) > MAX_TILE_NAME or not name.isprintable():
            raise BadData(
                say("A tile needs a name of at most %(count)d visible letters.", count=MAX_TILE_NAME)
            )
    numbers = (tile.hp, tile.less, tile.calms)
    limits = (tile.odd_at_most, tile.even_at_most, tile.limits_below_hp, tile.names_low, tile.names_high)
    of_match = (tile.ignores.low, tile.ignores.high, tile.ignores.below_hp) if tile.ignores else ()
    for number in (*numbers, *(limit for limit in (*limits, *of_match) if limit is not None)):
        if not 0 <= number <= MAX_TILE_HP * 2:
            raise BadData(say("A number on a tile is from 0 to %(count)d.", count=MAX_TILE_HP * 2))
    if tile.hp > MAX_TILE_HP:
        raise BadData(say("A tile adds at most %(count)d hit points.", count=MAX_TILE_HP))
    if tile.ignores is not None and (tile.names or tile.swaps):
        raise BadData(say("A tile either ignores monsters, or a named kind, or swaps one."))
