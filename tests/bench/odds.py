"""How fast the odds are: in a usual dungeon, in the worst there can be, and against a Monte Carlo.

``python -m tests.bench.odds`` prints a table; the figures in docs/performance.md come from it.
"""

import platform
import random
import tracemalloc
from itertools import combinations
from statistics import median
from time import perf_counter

from companion.welcome.game.options import SPECIAL_PLACES
from companion.welcome.monsters import SPECIAL
from companion.welcome.odds.entering import entry_odds
from companion.welcome.odds.question import Cards
from companion.welcome.odds.survival import prospects
from companion.welcome.tiles import heroes, printed_tiles
from tests.companion.welcome.slow_odds import play_once
from tests.companion.welcome.test_odds_monte_carlo import best_choice

TILES = printed_tiles()
USUAL_UNKNOWN = 6
USUAL_TILES = 4
# What odds that are shown in per cent with a decimal ask of a Monte Carlo.
STANDARD_ERROR = 0.001
PLAYS = 20


def usual(hero):
    """Return all ways to have four tiles left against six unknown cards."""
    return [(left, Cards(unknown=USUAL_UNKNOWN)) for left in combinations(heroes()[hero].tiles, USUAL_TILES)]


def of_13_cards(hero):
    """Return large dungeons of ordinary cards with all tiles left; the largest is not always the slowest."""
    return [(heroes()[hero].tiles, Cards(unknown=unknown)) for unknown in range(6, 14)]


def of_15_cards(hero):
    """Return large dungeons with every pair of special monsters and all tiles left."""
    pairs, tiles = combinations(SPECIAL, len(SPECIAL_PLACES)), heroes()[hero].tiles
    return [(tiles, Cards(unknown=unknown, specials=pair)) for pair in pairs for unknown in (9, 15)]


def seconds(hero, left, cards):
    """Return how long the odds take when nothing is remembered."""
    prospects.cache_clear()
    start = perf_counter()
    entry_odds(hero, left, TILES, cards)
    return perf_counter() - start


def times(hero, cases):
    """Return the time of every case in seconds, the slowest first, with the case."""
    found = [(seconds(hero, *case), case) for case in cases]
    return sorted(found, key=lambda timed: timed[0], reverse=True)


def peak(hero, left, cards):
    """Return the most bytes in use at once."""
    prospects.cache_clear()
    tracemalloc.start()
    entry_odds(hero, left, TILES, cards)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def monte_carlo(hero, left, cards):
    """Return how long a Monte Carlo takes, in seconds, until its standard error is small enough.

    It is told what to choose: dungeons are played a second time, when every decision is remembered.
    """
    entry = entry_odds(hero, left, TILES, cards)
    choose = best_choice(cards)
    for _ in range(2):
        rng, start = random.Random(hero), perf_counter()
        for _ in range(PLAYS):
            play_once(hero, left, entry.named, unknown=cards.unknown, rng=rng, choose=choose)
        taken = perf_counter() - start
    needed = max(0.0, entry.survive * (1 - entry.survive)) / STANDARD_ERROR**2
    return needed * taken / PLAYS


def speed_up(hero):
    """Return how many times faster than a Monte Carlo the odds of some usual dungeons are; the median."""
    return median(monte_carlo(hero, *case) / seconds(hero, *case) for case in usual(hero)[::4])


def main():
    """Measure and print."""
    print(f"{platform.machine()}, Python {platform.python_version()}; times in ms, median and most;")
    print(
        f"how many times as long a Monte Carlo takes to a standard error of {STANDARD_ERROR}, choices given"
    )
    print(
        f"{'hero':<12}{'usual':>15}{'13 cards':>15}{'15 cards':>15}{'memory':>9}{'Monte Carlo':>13}  slowest"
    )
    for hero in heroes():
        columns = [times(hero, cases(hero)) for cases in (usual, of_13_cards, of_15_cards)]
        row = ""
        for timed in columns:
            taken = [one * 1000 for one, _ in timed]
            row += f"{median(taken):8.1f}{max(taken):7.0f}"
        left, cards = columns[-1][0][1]
        slowest = f"{cards.unknown} cards, {' and '.join(cards.specials)}"
        memory = f"{peak(hero, left, cards) / 2**20:6.1f} MB"
        print(f"{hero:<12}{row}{memory}{speed_up(hero):7,.0f} times  {slowest}", flush=True)


if __name__ == "__main__":
    main()
