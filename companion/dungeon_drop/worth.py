"""What looting would do to a hero: expected score gained, damage, and the fewest shields and potions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from companion.dungeon_drop.arrays import Flags, joined
from companion.dungeon_drop.hero import GemValues, Hero, standing
from companion.dungeon_drop.holdings import COLUMNS, ONLY_SIZE, Counts, column, reserve_row
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

KEY, CHEST, DRAGON = column(Kind.KEY), column(Kind.CHEST), column(Kind.DRAGON)
WEIGHS = np.array([float(kind in TREASURES) for kind in KINDS])
ATTACKS = np.array([float(kind in MONSTERS) for kind in KINDS])
# Choices (loot, and numbers of shields and potions) compared at once.
BLOCK = 1_000_000


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


def expected_score(counts: Counts, gem_values: GemValues) -> Counts:
    """Return what reserves, shape (R, columns), are worth at the end, a quest's bonus aside."""
    pairs = np.minimum(counts[:, KEY], counts[:, CHEST])
    found: Counts = counts[:, : len(KINDS)] @ _worth(gem_values) + CHEST_WORTH * pairs
    return found


@lru_cache(maxsize=64)
def _worth(gem_values: GemValues) -> Counts:
    return np.array([float(gem_values.of(kind) if kind in GEMS else SCORE.get(kind, 0)) for kind in KINDS])


def judge(loots: Counts, hero: Hero) -> Effects:
    """Work out what taking each of *loots* would do to *hero*; shape (R, columns), as many as are needed."""
    choices = _choices(loots, hero)
    rows = max(1, BLOCK // len(choices))
    return joined([_judge(loots[at : at + rows], choices, hero) for at in range(0, max(len(loots), 1), rows)])


def _judge(loots: Counts, choices: Counts, hero: Hero) -> Effects:
    damage, shields, potions, allowed = _cheapest_defence(loots, choices, hero)
    before = reserve_row(hero.reserve)[None, : loots.shape[1]]
    after = loots + before
    for kind, used in ((Kind.SHIELD, shields), (Kind.POTION, potions)):
        after[:, column(kind)] -= used
        if loots.shape[1] == COLUMNS:
            after[:, column(kind, ONLY_SIZE[kind])] -= used
    covered = hero.damage - np.minimum(POTION_HEALS * potions, hero.damage) + damage
    hp_left = hero.hit_points - covered
    gain = expected_score(after, hero.gem_values) - expected_score(before, hero.gem_values)
    if hero.bonus:
        others = [standing(rival) for rival in hero.rivals]
        gain += bonus_points(hero.bonus, Standing(after, covered, hp_left), others)
        gain -= bonus_points(hero.bonus, standing(hero), others)
    weight = after[:, : len(KINDS)] @ WEIGHS
    return Effects(np.round(gain, 9) + 0.0, damage, hp_left, shields, potions, weight, allowed)


def _choices(loots: Counts, hero: Hero) -> Counts:
    """Return the numbers of shields and potions held that could do something; nothing comes first."""
    monsters = int((loots[:, : len(KINDS)] @ ATTACKS).max(initial=0))
    shields = min(hero.reserve.count(Kind.SHIELD), monsters)
    potions = min(hero.reserve.count(Kind.POTION), -(-hero.damage // POTION_HEALS))
    return np.array([(s, p) for s in range(shields + 1) for p in range(potions + 1)], np.float64)


def _cheapest_defence(loots: Counts, choices: Counts, hero: Hero) -> tuple[Counts, Counts, Counts, Flags]:
    """Return damage, shields used, potions used and whether that is enough, each shape (R,).

    The fewest of both together; of equally few, what leaves the most hit points; then rather a potion, for
    only a shield stops the dragon. A potion heals damage from before the loot, so it can only be drunk
    against that.
    """
    shields, potions = choices[:, :1], choices[:, 1:]
    damage = _damage(loots, shields)
    healed = np.minimum(POTION_HEALS * potions, hero.damage)
    enough = (damage - healed <= hero.hit_points - 1 - hero.damage) & (loots[:, DRAGON] <= shields)
    cost = (shields + potions) * 1e9 + (damage - healed) * 1e3 + shields
    cheapest = np.where(enough, cost, np.inf).argmin(axis=0)
    # Where nothing is enough, the first choice is found: nothing is used.
    every = np.arange(len(loots))
    return damage[cheapest, every], shields[cheapest, 0], potions[cheapest, 0], enough[cheapest, every]


def _damage(loots: Counts, shields: Counts) -> Counts:
    """Return the damage of each loot when shields, shape (S, 1), stop the worst monsters; shape (S, R)."""
    damage, left = np.zeros((len(shields), len(loots))), shields
    for kind in sorted(MONSTERS, key=lambda kind: -DAMAGE[kind]):
        monsters = loots[:, column(kind)]
        stopped = np.minimum(monsters, left)
        left = left - stopped
        damage += DAMAGE[kind] * (monsters - stopped)
    return damage
