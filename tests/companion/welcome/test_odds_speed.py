"""The odds are worth computing: a Monte Carlo that is as sure would keep a phone waiting."""

import pytest

from companion.welcome.monsters import Monster
from companion.welcome.odds.question import Cards
from companion.welcome.tiles import heroes
from tests.bench.odds import seconds, speed_up

pytestmark = pytest.mark.alone

TIMES_AS_FAST = 100
# By hero, the dungeon that takes longest, next to the odds of a plain one of 13 cards on the same machine.
WORST = {
    "bard": (15, (Monster.CUBE, Monster.SHAPESHIFTER)),
    "princess": (15, (Monster.CUBE, Monster.SHAPESHIFTER)),
    "mage": (9, (Monster.CUBE, Monster.ALLY)),
}
PLAIN = ("bard", heroes()["bard"].tiles, Cards(unknown=13))
# The worst takes 10 to 13 times as long.
MOST_TIMES_PLAIN = 25


@pytest.mark.parametrize("hero", heroes())
def test_a_monte_carlo_with_the_same_error_takes_a_hundred_times_as_long(hero):
    assert speed_up(hero) > TIMES_AS_FAST


@pytest.mark.parametrize("hero", WORST)
def test_special_monsters_do_not_make_the_odds_explode(hero):
    unknown, specials = WORST[hero]
    tiles = heroes()[hero].tiles
    plain = min(seconds(*PLAIN) for _ in range(5))
    worst = min(seconds(hero, tiles, Cards(unknown=unknown, specials=specials)) for _ in range(3))
    assert worst < MOST_TIMES_PLAIN * plain
