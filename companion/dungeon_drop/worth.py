"""What looting would do to a hero: the expected final score gained, the damage, and the fewest shields and potions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.dungeon_drop.arrays import Flags
from companion.dungeon_drop.hero import Hero, standing
from companion.dungeon_drop.holdings import COLUMNS, ONLY_SIZE, Counts, column, reserve_row, total
from companion.dungeon_drop.pieces import (
    CHEST_WORTH,
    DAMAGE,
    GEMS,
    KINDS,
    MONSTERS,
    POTION_HEALS,
    SCORE,
    TREASURES,
    Kind,
)
from companion.dungeon_drop.quests import Standing, bonus_points


@dataclass(frozen=True, slots=True, eq=False)
class Effects:
    """What each of R loots would do, all shape (R,).

    Attributes:
        gain: expected final score gained.
        damage: taken from monsters that no shield stops.
        hp_left: hit points not covered afterwards.
        shields_used, potions_used: the fewest that make the loot allowed; none where nothing does.
        weight: treasure cubes in the reserve afterwards.
        allowed: the hero keeps the last hit point, and a dragon meets a shield.
    """

    gain: Counts
    damage: Counts
    hp_left: Counts
    shields_used: Counts
    potions_used: Counts
    weight: Counts
    allowed: Flags

    def __len__(self) -> int:
        return len(self.gain)


def columns_needed(hero: Hero) -> int:
    """Return how many columns of counts matter to *hero*: those by size only if the quest asks for sizes."""
    return COLUMNS if any(term.size for term in hero.bonus) else len(KINDS)


def expected_score(counts: Counts, hero: Hero) -> Counts:
    """Return what reserves, shape (R, columns), are worth to *hero* at the end, the quest's bonus aside."""
    worth = np.zeros(counts.shape[1])
    for kind, points in SCORE.items():
        worth[column(kind)] = points
    for gem in GEMS:
        worth[column(gem)] = hero.gem_values.of(gem)
    pairs = np.minimum(counts[:, column(Kind.KEY)], counts[:, column(Kind.CHEST)])
    found: Counts = counts @ worth + CHEST_WORTH * pairs
    return found


def judge(loots: Counts, hero: Hero) -> Effects:
    """Work out what taking each of *loots* would do to *hero*; shape (R, columns), as many as are needed."""
    damage, shields, potions, allowed = _cheapest_defence(loots, hero)
    before = reserve_row(hero.reserve)[: loots.shape[1]]
    after = loots + before
    for kind, used in ((Kind.SHIELD, shields), (Kind.POTION, potions)):
        after[:, column(kind)] -= used
        if loots.shape[1] == COLUMNS:
            after[:, column(kind, ONLY_SIZE[kind])] -= used
    covered = hero.damage - np.minimum(POTION_HEALS * potions, hero.damage) + damage
    hp_left = hero.hit_points - covered
    gain = expected_score(after, hero) - expected_score(before[None], hero)
    if hero.bonus:
        others = [standing(rival) for rival in hero.rivals]
        gain += bonus_points(hero.bonus, Standing(after, covered, hp_left), others)
        gain -= bonus_points(hero.bonus, standing(hero), others)
    return Effects(np.round(gain, 9), damage, hp_left, shields, potions, total(after, TREASURES), allowed)


def _cheapest_defence(loots: Counts, hero: Hero) -> tuple[Counts, Counts, Counts, Flags]:
    """Return damage, shields used, potions used and whether that is enough, each shape (R,).

    The fewest of both together; of equally few, what leaves the most hit points; then rather a potion, for only a
    shield stops the dragon. A potion heals damage from before the loot, so it can only be drunk against that.
    """
    damage = total_damage(loots, 0)
    shields, potions = np.zeros(len(loots)), np.zeros(len(loots))
    enough = hero.hit_points - 1 - hero.damage
    allowed = (damage <= enough) & (loots[:, column(Kind.DRAGON)] <= 0)
    most_shields, most_potions = _worth_using(loots, hero)
    choices = [(s, p) for s in range(most_shields + 1) for p in range(most_potions + 1) if s or p]
    fewest = np.where(allowed, 0.0, np.inf)
    for s, p in sorted(choices, key=lambda choice: (sum(choice), choice[0])):
        remaining = total_damage(loots, s)
        healed = min(POTION_HEALS * p, hero.damage)
        ok = (remaining <= enough + healed) & (loots[:, column(Kind.DRAGON)] <= s)
        before = np.minimum(POTION_HEALS * potions, hero.damage) - damage
        better = ok & ((fewest > s + p) | ((fewest == s + p) & (healed - remaining > before)))
        damage, shields = np.where(better, remaining, damage), np.where(better, s, shields)
        potions, fewest = np.where(better, p, potions), np.where(better, s + p, fewest)
        allowed |= ok
    return damage, shields, potions, allowed


def _worth_using(loots: Counts, hero: Hero) -> tuple[int, int]:
    """Return how many shields and potions of the reserve could do anything at all."""
    monsters = int(total(loots, MONSTERS).max(initial=0))
    return (
        min(hero.reserve.count(Kind.SHIELD), monsters),
        min(hero.reserve.count(Kind.POTION), -(-hero.damage // POTION_HEALS)),
    )


def total_damage(loots: Counts, shields: int) -> Counts:
    """Return the damage of each loot when so many shields stop the most damaging monsters."""
    damage, left = np.zeros(len(loots)), np.full(len(loots), float(shields))
    for kind in sorted(MONSTERS, key=lambda kind: -DAMAGE[kind]):
        stopped = np.minimum(loots[:, column(kind)], left)
        left -= stopped
        damage += DAMAGE[kind] * (loots[:, column(kind)] - stopped)
    return damage
