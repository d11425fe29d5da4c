"""A hero as far as choosing a room goes: hit points, what was collected, and what the secret quest pays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from companion.dungeon_drop.holdings import Reserve, reserve_row
from companion.dungeon_drop.pieces import Kind
from companion.dungeon_drop.quests import Bonus, Standing, bonus_points


@dataclass(frozen=True, slots=True)
class GemValues:
    """What the quest pays for each gem.

    No source we have prints the values of the cards: these are only where a form starts.
    """

    clear: float = 1
    blue: float = 2
    pink: float = 3

    def of(self, gem: Kind) -> float:
        """Return the value of one gem of this kind."""
        return {Kind.GEM_CLEAR: self.clear, Kind.GEM_BLUE: self.blue, Kind.GEM_PINK: self.pink}[gem]

    @property
    def unknown(self) -> GemValues:
        """The same quest seen by somebody who does not know which colour pays what."""
        mean = (self.clear + self.blue + self.pink) / 3
        return GemValues(mean, mean, mean)


@dataclass(frozen=True, slots=True)
class Rival:
    """Another player, as everybody can see them."""

    hit_points: int
    damage: int = 0
    reserve: Reserve = field(default_factory=Reserve)


@dataclass(frozen=True, slots=True)
class Hero:
    """Somebody about to loot; *damage* is how many hit points are covered so far."""

    hit_points: int = 8
    damage: int = 0
    reserve: Reserve = field(default_factory=Reserve)
    gem_values: GemValues = field(default_factory=GemValues)
    bonus: Bonus = ()
    rivals: tuple[Rival, ...] = ()


def standing(player: Hero | Rival, typed: int = 0) -> Standing:
    """Return a player as one row for a quest bonus."""
    return Standing(
        reserve_row(player.reserve)[None],
        np.array([float(player.damage)]),
        np.array([float(player.hit_points - player.damage)]),
        typed,
    )


def final_bonus(hero: Hero, typed: int = 0) -> int:
    """Return what the quest's bonus pays at the end, beside the rivals; *typed* is its flat number."""
    others = [standing(rival) for rival in hero.rivals]
    return int(bonus_points(hero.bonus, standing(hero, typed), others)[0])
