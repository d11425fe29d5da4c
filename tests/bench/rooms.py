"""How fast rooms are found: against a plain brute force, as tables grow, and while a cube is dragged.

``python -m tests.bench.rooms`` prints a table; the figures in docs/performance.md come from it.
"""

import platform
import random
from collections import Counter
from dataclasses import replace
from statistics import mean, median
from time import perf_counter

from companion.dungeon_drop.advice import advise
from companion.dungeon_drop.hero import Hero
from companion.dungeon_drop.holdings import Reserve
from companion.dungeon_drop.pieces import IN_THE_BOX, Kind
from companion.dungeon_drop.rooms import find_rooms
from companion.dungeon_drop.table import Table
from companion.dungeon_drop.what_if import pick_up
from tests.companion.dungeon_drop.random_tables import circle_of_pillars, dropped_so_many, table_of
from tests.companion.dungeon_drop.shapely_rooms import brute_force

NEAR_MM = 1.5
HERO = Hero(8, 1, Reserve.of({Kind.KEY: 1, Kind.SHIELD: 1, Kind.POTION: 1}))
# Rooms that a phone shows.
SHOWN = 5
# A full box dropped by hand lies within some 30 cm.
SPREAD_MM = 80


def a_dropped_table(pillars, cubes, seed):
    """Drop cubes of the kinds in the box; with more cubes the table grows, so that they lie as close."""
    rng = random.Random(seed)
    spread = SPREAD_MM * ((pillars + cubes) / 93) ** 0.5
    box = [(kind, size) for (kind, size), count in IN_THE_BOX.items() for _ in range(count)]
    loot = [(kind, size) for kind, size in box if kind != Kind.PILLAR]
    return [
        cube
        if cube.kind == Kind.PILLAR
        else replace(cube, kind=(drawn := rng.choice(loot))[0], size=drawn[1])
        for cube in dropped_so_many(rng, pillars, cubes, spread)
    ]


def a_circle(pillars, cubes, seed):
    """Stand all pillars in a circle, so that every three make a room: the worst there can be."""
    rng = random.Random(seed)
    others = [cube.footprint_mm for cube in dropped_so_many(rng, 0, cubes, SPREAD_MM)]
    return table_of(rng, circle_of_pillars(pillars, max(150, 3 * pillars)), others)


def full(cubes):
    """Do everything a new picture needs: the table, its rooms, their ranking and all gaps."""
    advice = advise(find_rooms(Table.put(cubes), NEAR_MM), HERO, NEAR_MM)
    assert len(advice.rooms.near.gap_mm)
    return advice


def what_if(hand, footprint_mm):
    """Put a cube down: the ranking of all rooms, and the gaps of those that are shown."""
    advice = hand.put_down(footprint_mm)
    advice.rooms.near_at(advice.order[:SHOWN])
    return advice


def plain(cubes):
    """Do the same the plain way: every three pillars with shapely, and the score of each room."""
    kinds = {cube.id: cube.kind for cube in cubes}
    rooms = brute_force(cubes, NEAR_MM)
    return sorted(rooms, key=lambda room: plain_score(Counter(kinds[id] for id in room.inside)), reverse=True)


def plain_score(loot):
    """Score a room for the hero of this benchmark, shields and potions aside."""
    damage = loot["goblin"] + 2 * loot["troll"] + 8 * loot["dragon"]
    pairs = min(1 + loot["key"], loot["chest"])
    gems = loot["gem_clear"] + 2 * loot["gem_blue"] + 3 * loot["gem_pink"]
    return damage <= 6, loot["gold"] + gems + 3.5 * pairs + 2 * loot["troll"] + 8 * loot["dragon"]


def best_time(times, work, *arguments):
    """Return the shortest of some runs in seconds: what else the machine does only ever adds."""
    found = []
    for _ in range(times):
        start = perf_counter()
        work(*arguments)
        found.append(perf_counter() - start)
    return min(found)


def speed_up(seeds=range(5), times=20):
    """Return how many times faster than the plain way a game's table is done; the median of some tables."""
    ratios = []
    for seed in seeds:
        cubes = a_dropped_table(18, 75, seed)
        ratios.append(best_time(2, plain, cubes) / best_time(times, full, cubes))
    return median(ratios)


def growth(make, sizes=(18, 50, 100, 200), seeds=range(3)):
    """Return the time of tables with so many pillars and 75 cubes, over that with the fewest."""
    times = {
        size: median(best_time(max(2, 1000 // size**2), full, cubes) for cubes in tables)
        for size in sizes
        if (tables := [make(size, 75, seed) for seed in seeds])
    }
    return {size: taken / times[sizes[0]] for size, taken in times.items()}


def dragging(seeds=range(3), times=20):
    """Return the time of a what-if over that of everything, for pillars and for other cubes: means of all."""
    shares = {True: [], False: []}
    for seed in seeds:
        cubes = a_dropped_table(18, 75, seed)
        advice, everything = full(cubes), best_time(times, full, cubes)
        for cube in cubes:
            hand = pick_up(advice, cube.id)
            there = advice.rooms.table.shifted_footprint(cube.id, (seed * 3.0, -seed * 2.0))
            taken = best_time(times, what_if, hand, there)
            shares[cube.kind == Kind.PILLAR].append(taken / everything)
    return mean(shares[True]), mean(shares[False]), mean(shares[True] + shares[False])


def main():
    """Measure and print."""
    print(
        f"{platform.machine()}, Python {platform.python_version()}; every figure is a ratio within this run"
    )
    cubes = a_dropped_table(18, 75, 0)
    print(f"18 pillars, 75 cubes: {best_time(30, full, cubes) * 1000:.2f} ms for everything")
    print(f"against the plain way with shapely: {speed_up():.0f} times as fast")
    for name, make in (("dropped", a_dropped_table), ("in a circle, all rooms legal", a_circle)):
        ratios = ", ".join(f"{size} pillars {ratio:.1f}" for size, ratio in growth(make).items())
        print(f"growth, {name}: {ratios}")
    pillar, cube, all_ = dragging()
    print(f"what if, share of everything: a cube {cube:.2f}, a pillar {pillar:.2f}, mean of all {all_:.2f}")


if __name__ == "__main__":
    main()
