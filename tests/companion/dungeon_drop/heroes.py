"""Heroes, loots and tables for tests, and a second, slow way of judging what a room would do.

The slow way is written from the rules with plain lists and loops. It shares nothing with the code under test,
not even what a troll scores.
"""

import math
from collections import Counter
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from companion.dungeon_drop.advice import advise
from companion.dungeon_drop.hero import GemValues, Hero, Rival
from companion.dungeon_drop.holdings import COLUMNS, Held, Reserve, cube_rows
from companion.dungeon_drop.pieces import COLLECTED, IN_THE_BOX, Kind, Size
from companion.dungeon_drop.quests import Term, What, When
from companion.dungeon_drop.rooms import find_rooms
from companion.dungeon_drop.table import Cube, Table, flat_cube, piece_codes
from companion.dungeon_drop.worth import columns_needed, judge

SORTS = tuple(sort for sort in IN_THE_BOX if sort[0] != Kind.PILLAR)
MONSTER_SORTS = ((Kind.GOBLIN, Size.SMALL), (Kind.TROLL, Size.LARGE), (Kind.DRAGON, Size.HUGE))
USUAL_SIZE = {kind: size for kind, size in reversed(IN_THE_BOX)}


# By hand


def a_reserve(**counts):
    """Build a reserve of unsized cubes: ``a_reserve(gold=2, key=1)``."""
    return Reserve.of({Kind(kind): count for kind, count in counts.items()})


def a_hero(hp=8, damage=0, *, gems=(1, 2, 3), bonus=(), rivals=(), **reserve):
    """Build a hero; the reserve is given as ``gold=2, shield=1``."""
    return Hero(hp, damage, a_reserve(**reserve), GemValues(*gems), bonus, rivals)


def a_rival(hp=8, damage=0, **reserve):
    """Build another player, with the reserve given as ``gold=2, shield=1``."""
    return Rival(hp, damage, a_reserve(**reserve))


def a_loot(*sorts, **counts):
    """Build a loot of sorts ``("gold", "large")`` and of counted cubes, small ones where there are any."""
    usual = [(Kind(kind), USUAL_SIZE[kind]) for kind, count in counts.items() for _ in range(count)]
    return (*((Kind(kind), Size(size)) for kind, size in sorts), *usual)


class Verdict(NamedTuple):
    """What a loot does to a hero."""

    gain: float
    damage: int
    hp_left: int
    shields: int
    potions: int
    weight: int
    allowed: bool


def loot_rows(hero, loots):
    """Return loots as the rows of counts that `judge` takes."""
    rows = [
        cube_rows(piece_codes(Cube(0, kind, size, ()) for kind, size in loot)).sum(axis=0) for loot in loots
    ]
    return np.array(rows).reshape(len(loots), COLUMNS)[:, : columns_needed(hero)]


def judge_all(hero, loots):
    """Return the verdicts of the code under test, all loots judged at once."""
    found = judge(loot_rows(hero, loots), hero)
    columns = (
        found.gain,
        found.damage,
        found.hp_left,
        found.shields_used,
        found.potions_used,
        found.weight,
        found.allowed,
    )
    return [Verdict(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]


def judge_one(hero, *sorts, **counts):
    """Return the verdict of the code under test on one loot, given as for `a_loot`."""
    return judge_all(hero, [a_loot(*sorts, **counts)])[0]


# Hypothesis

loots = st.lists(st.sampled_from(MONSTER_SORTS) | st.sampled_from(SORTS), max_size=12).map(tuple)
sized = st.sampled_from([sort for sort in SORTS if sort[0] in COLLECTED])
unsized = st.tuples(st.sampled_from(COLLECTED), st.none())
held = st.builds(lambda sort, count: Held(sort[0], count, sort[1]), sized | unsized, st.integers(1, 4))
defences = st.builds(
    lambda shields, potions: (Held(Kind.SHIELD, shields), Held(Kind.POTION, potions)),
    st.integers(0, 3),
    st.integers(0, 3),
)
reserves = st.builds(
    lambda some, defence: Reserve((*some, *defence)), st.lists(held, max_size=6), st.just(()) | defences
)
values = st.integers(0, 20).map(lambda quarters: quarters / 4)


@st.composite
def terms(draw):
    """Draw any valid term of a bonus."""
    what = draw(st.sampled_from(What))
    kinds, size = (), None
    if what in (What.CUBES, What.SETS):
        least = 2 if what == What.SETS else 1
        kinds = tuple(draw(st.lists(st.sampled_from(COLLECTED), min_size=least, max_size=12, unique=True)))
        size = draw(st.none() | st.sampled_from(Size))
    when = When.EACH if what == What.TYPED else draw(st.sampled_from(When))
    points, number, ties = draw(st.integers(-9, 9)), draw(st.integers(1, 6)), draw(st.booleans())
    return Term(points, when, what, kinds, size, number, ties)


bonuses = st.lists(terms(), max_size=4).map(tuple)


def wounded(make):
    """Draw somebody with fewer hit points covered than there are; *make* adds all else."""
    return st.integers(1, 20).flatmap(lambda hp: make(st.just(hp), st.integers(0, hp - 1)))


rivals = wounded(lambda hp, damage: st.builds(Rival, hp, damage, reserves))
heroes = wounded(
    lambda hp, damage: st.builds(
        Hero,
        hp,
        damage,
        reserves,
        st.builds(GemValues, values, values, values),
        bonuses,
        st.lists(rivals, max_size=3).map(tuple),
    )
)


# From a seed


def random_loot(rng, most=12):
    """Return a loot with more monsters than usual."""
    return tuple(rng.choice(rng.choice((MONSTER_SORTS, SORTS))) for _ in range(rng.randint(0, most)))


def random_reserve(rng):
    """Return a reserve, sized or not, often with shields and potions."""
    found = []
    for _ in range(rng.randint(0, 6)):
        kind, size = rng.choice([sort for sort in SORTS if sort[0] in COLLECTED])
        found.append(Held(kind, rng.randint(1, 3), rng.choice((size, None))))
    if rng.random() < 0.6:
        found += [Held(Kind.SHIELD, rng.randint(0, 2)), Held(Kind.POTION, rng.randint(0, 2))]
    return Reserve(tuple(found))


def random_term(rng):
    """Return a valid term of a bonus."""
    what = rng.choice((What.CUBES, What.CUBES, What.SETS, What.DAMAGE, What.HIT_POINTS, What.TYPED))
    when = When.EACH if what == What.TYPED else rng.choice(tuple(When))
    kinds, size = (), None
    if what in (What.CUBES, What.SETS):
        kinds = tuple(rng.sample(COLLECTED, rng.randint(1 + (what == What.SETS), 4)))
        size = rng.choice((None, None, *Size))
    return Term(rng.randint(-3, 6), when, what, kinds, size, rng.randint(1, 4), rng.random() < 0.5)


def random_hero(rng):
    """Return a hero with a reserve, a quest and rivals."""
    hit_points = rng.randint(2, 12)
    return Hero(
        hit_points,
        rng.randrange(hit_points),
        random_reserve(rng),
        GemValues(*(rng.randint(0, 20) / 4 for _ in range(3))),
        tuple(random_term(rng) for _ in range(rng.randint(0, 3))),
        tuple(Rival(8, rng.randrange(8), random_reserve(rng)) for _ in range(rng.randint(0, 3))),
    )


def random_cubes(rng, pillars, others, width_mm):
    """Return flat cubes turned any way, with ids in no order, somewhere on a square table."""
    sorts = [(Kind.PILLAR, rng.choice((Size.SMALL, Size.LARGE))) for _ in range(pillars)]
    sorts += [rng.choice(rng.choice((MONSTER_SORTS, SORTS, SORTS))) for _ in range(others)]
    ids = rng.sample(range(1000), len(sorts))
    spots = [(rng.uniform(0, width_mm), rng.uniform(0, width_mm)) for _ in sorts]
    return [
        flat_cube(id, kind, size, spot, rng.uniform(0, 90))
        for id, (kind, size), spot in zip(ids, sorts, spots, strict=True)
    ]


def advice_on(cubes, hero, accuracy_mm, near_mm=None):
    """Return the advice of the code under test on these cubes."""
    rooms = find_rooms(Table.put(cubes), accuracy_mm if near_mm is None else near_mm)
    return advise(rooms, hero, accuracy_mm)


# The slow way: what a loot does

DAMAGE = {"goblin": 1, "troll": 2, "dragon": 8}
POINTS = {"gold": 1, "troll": 2, "dragon": 8}
WEIGHING = {"gold", "key", "chest", "gem_clear", "gem_blue", "gem_pink", "potion", "shield", "relic"}
NEVER_TAKEN = {"pillar", "stairs"}
ONE_SIZE = {
    "chest": "large",
    "potion": "small",
    "shield": "large",
    "relic": "small",
    "goblin": "small",
    "troll": "large",
    "dragon": "huge",
}


@lru_cache(maxsize=200_000)
def slow_judge(hero, loot):
    """Try every number of potions and every way to put shields on single monsters."""
    before = slow_cubes(hero.reserve)
    taken = [(kind, size) for kind, size in loot if kind not in NEVER_TAKEN]
    shields, potions, suffered, allowed = slow_defence(hero, before, taken)
    after = list(before)
    for kind, used in (("shield", shields), ("potion", potions)):
        for _ in range(used):
            after.remove(next(cube for cube in after if cube[0] == kind))
    after += taken
    covered = hero.damage - min(3 * potions, hero.damage) + suffered
    gain = slow_score(hero, after, covered) - slow_score(hero, before, hero.damage)
    weight = sum(kind in WEIGHING for kind, _ in after)
    return Verdict(gain, suffered, hero.hit_points - covered, shields, potions, weight, allowed)


def slow_defence(hero, before, taken):
    """Return shields and potions used, damage suffered, and whether that is allowed."""
    monsters = [kind for kind, _ in taken if kind in DAMAGE]
    shields = sum(kind == "shield" for kind, _ in before)
    potions = sum(kind == "potion" for kind, _ in before)
    ways = []
    for drunk in range(potions + 1):
        healed = min(3 * drunk, hero.damage)
        for used in range(min(shields, len(monsters)) + 1):
            for stopped in combinations(range(len(monsters)), used):
                hurting = [monster for place, monster in enumerate(monsters) if place not in stopped]
                suffered = sum(DAMAGE[monster] for monster in hurting)
                covered = hero.damage - healed + suffered
                if "dragon" not in hurting and covered <= hero.hit_points - 1:
                    ways.append((used + drunk, covered, used, drunk, suffered))
    if not ways:
        return 0, 0, sum(DAMAGE[monster] for monster in monsters), False
    _, _, used, drunk, suffered = min(ways)
    return used, drunk, suffered, True


def slow_cubes(reserve):
    """Return a reserve as a list of single cubes, each a kind and a size or None where nobody knows it."""
    return [
        (str(held.kind), str(held.size) if held.size else ONE_SIZE.get(held.kind))
        for held in reserve.held
        for _ in range(held.count)
    ]


def slow_score(hero, cubes, covered, typed=0):
    """Return the expected final score of a player with these cubes and so much damage."""
    gems = {
        "gem_clear": hero.gem_values.clear,
        "gem_blue": hero.gem_values.blue,
        "gem_pink": hero.gem_values.pink,
    }
    score = 0.0
    for kind, _ in cubes:
        score += POINTS.get(kind, 0) + gems.get(kind, 0)
    score += 3.5 * slow_sets(("key", "chest"), cubes)
    for term in hero.bonus:
        mine = slow_count(term, cubes, covered, hero.hit_points - covered, typed)
        theirs = [
            slow_count(term, slow_cubes(rival.reserve), rival.damage, rival.hit_points - rival.damage, 0)
            for rival in hero.rivals
        ]
        score += term.points * slow_times(term, mine, theirs)
    return score


def slow_count(term, cubes, covered, left, typed):
    """Count what a term looks at."""
    fitting = [cube for cube in cubes if term.size is None or cube[1] == term.size]
    return {
        "cubes": sum(kind in term.kinds for kind, _ in fitting),
        "sets": slow_sets(term.kinds, fitting) if term.what == "sets" else None,
        "damage": covered,
        "hit_points": left,
        "typed": typed,
    }[term.what]


def slow_sets(kinds, cubes):
    """Take one of each kind away until one is missing."""
    pile, sets = Counter(kind for kind, _ in cubes), 0
    while all(pile[kind] for kind in kinds):
        pile.subtract(kinds)
        sets += 1
    return sets


def slow_times(term, mine, theirs):
    """Return how many times the points of a term are given."""
    if term.when == "each":
        return mine // term.number
    if term.when == "at_least":
        return 1 if mine >= term.number else 0
    if not theirs:
        return 0
    if mine in theirs and not term.ties:
        return 0
    ranked = sorted([mine, *theirs])
    return 1 if mine == ranked[-1 if term.when == "most" else 0] else 0


# The slow way: what may come of a room


class SlowOutlook(NamedTuple):
    """What may come of a room over all readings."""

    worst: float
    best: float
    expected: float
    safe: bool


def likely_in(gap_mm, accuracy_mm):
    """Return how likely something with this gap touches: 95 of 100 positions are better than the accuracy."""
    deviations = gap_mm / (accuracy_mm / 1.96)
    return 0.5 * (1 - math.erf(deviations / math.sqrt(2)))


def slow_outlook(hero, cubes, room, accuracy_mm, most=None):
    """Try every way in which all that is doubtful may fall; of more than *most* cubes only the least sure.

    Args:
        room: as `shapely_rooms.brute_force` finds it, with what is nearer to its edge than the accuracy.
    """
    sorts = {cube.id: (cube.kind, cube.size) for cube in cubes}
    posts = [id for id in room.near if sorts[id][0] == "pillar"]
    doubtful = sorted(set(room.near) - set(posts), key=lambda id: abs(room.near[id]))[:most]
    sure = [id for id in room.inside if id not in doubtful]
    chances = [likely_in(room.near[id], accuracy_mm) for id in doubtful + posts]
    gains, expected, safe = [], 0.0, not posts
    for falls in product((False, True), repeat=len(chances)):
        inside = [id for id, fell in zip(doubtful + posts, falls, strict=True) if fell]
        gain = 0.0
        if not set(inside) & set(posts):
            verdict = slow_judge(hero, loot_of(sorts, sure + inside))
            gain = verdict.gain if verdict.allowed else 0.0
            safe = safe and verdict.allowed
        gains.append(gain)
        chance = 1.0
        for likely, fell in zip(chances, falls, strict=True):
            chance *= likely if fell else 1 - likely
        expected += chance * gain
    everything = loot_of(sorts, set(room.inside) | set(room.near) - set(posts))
    return SlowOutlook(min(gains), max(gains), expected, safe and slow_judge(hero, everything).allowed)


def loot_of(sorts, ids):
    """Return what these cubes are, always in the same order."""
    return tuple(sorted(sorts[id] for id in ids))
