"""The odds of large dungeons hold one card further on, and when they are played as the odds recommend."""

import random
from collections import Counter
from dataclasses import dataclass, replace
from math import sqrt

import pytest

from companion.welcome.delve import choices, choose, enter, is_over, name_kind, survived, swap, turn
from companion.welcome.kit import Kit, What
from companion.welcome.monsters import Monster
from companion.welcome.odds.entering import entry_odds
from companion.welcome.odds.question import Cards, Question
from companion.welcome.odds.survival import prospects
from companion.welcome.tiles import heroes, printed_tiles
from tests.companion.welcome.slow_odds import play_once
from tests.companion.welcome.test_odds import SAME, hands, odds_of

GOBLIN, SKELETON, ORC, VAMPIRE = Monster.GOBLIN, Monster.SKELETON, Monster.ORC, Monster.VAMPIRE
GOLEM, LICH, DEMON, DRAGON = Monster.GOLEM, Monster.LICH, Monster.DEMON, Monster.DRAGON
TILES = printed_tiles()
AMULET, POLYMORPH = "amulette-porte-bonheur", "polymorph"
WEAK = (GOBLIN, GOBLIN, SKELETON, ORC, ORC)
STRONG = (DRAGON, DEMON, LICH, GOLEM, VAMPIRE)
# Chance alone goes further than this in one of some 370 comparisons.
STANDARD_ERRORS = 3


@dataclass(frozen=True)
class Plan:
    """What is played for a hero: with all tiles and with three, both with and without special monsters.

    What is set aside keeps the odds away from none and certain, and the questions few.
    """

    plays: int
    special_plays: int
    three: tuple
    specials: tuple
    aside: tuple = WEAK
    unknown: int = 6
    aside_of_three: tuple = STRONG
    unknown_of_three: int = 6


PLANS = {
    "warrior": Plan(
        plays=1500,
        special_plays=160,
        three=("plate-armor", "torch", "vorpal-sword"),
        specials=(Monster.CUBE, Monster.MIMIC),
        aside=(GOBLIN, GOBLIN),
        unknown=9,
        aside_of_three=(DRAGON, DEMON, GOBLIN, GOBLIN, SKELETON),
    ),
    "barbarian": Plan(
        plays=60,
        special_plays=40,
        three=("chainmail", "vorpal-axe", "healing-potion"),
        specials=(Monster.ALLY, Monster.MIMIC),
    ),
    "mage": Plan(
        plays=60,
        special_plays=40,
        three=("wall-of-fire", "holy-grail", POLYMORPH),
        specials=(Monster.FAIRY, Monster.COUNT),
        aside=(DRAGON, LICH, SKELETON, VAMPIRE),
        unknown=7,
        aside_of_three=(DRAGON, DEMON, LICH, GOLEM, SKELETON),
    ),
    "rogue": Plan(
        plays=1500,
        special_plays=140,
        three=("mithril-armor", "ring-of-power", "vorpal-dagger"),
        specials=(Monster.MIMIC, Monster.CUBE),
        aside=(GOBLIN, GOBLIN, SKELETON, SKELETON, LICH),
        unknown=7,
    ),
    "princess": Plan(
        plays=150,
        special_plays=80,
        three=("soupirant", "couronne-familiale", "sceptre-royal"),
        specials=(Monster.SHAPESHIFTER, Monster.COUNT),
        aside=(GOBLIN, GOBLIN, SKELETON),
        unknown=7,
        aside_of_three=(DRAGON, DEMON, GOBLIN, GOBLIN, SKELETON),
    ),
    "ninja": Plan(
        plays=100,
        special_plays=60,
        three=("etrange-concoction", "herbes-medicinales", "bombe-fumigene"),
        specials=(Monster.FAIRY, Monster.MIMIC),
    ),
    "bard": Plan(
        plays=50,
        special_plays=30,
        three=("tunic", AMULET, "harpe-elfique"),
        specials=(Monster.FAIRY, Monster.COUNT),
    ),
    "necromancer": Plan(
        plays=1500,
        special_plays=140,
        three=("zombie", "baguette-sanglante", "osselets-de-resurrection"),
        specials=(Monster.ALLY, Monster.CUBE),
        aside=(GOBLIN, GOBLIN),
        unknown=9,
        aside_of_three=(DRAGON, DEMON, GOLEM),
        unknown_of_three=8,
    ),
}


def cases(hero, *, special):
    """Return tiles and cards of the two dungeons of a hero."""
    plan = PLANS[hero]
    specials = plan.specials if special else ()
    yield heroes()[hero].tiles, Cards((), plan.aside, plan.unknown, specials)
    yield plan.three, Cards((), plan.aside_of_three, plan.unknown_of_three, specials)


# Played many times


def question_at(hero, revealed, swapped_in, cards):
    """Ask about the referee's hero who has to choose what happens with the card revealed last."""
    meets_drawn = swapped_in is not None and POLYMORPH in hero.tiles
    left = tuple(tile for tile in hero.tiles if not (meets_drawn and tile == POLYMORPH))
    streak = frozenset({AMULET} if hero.amulet_in_use else ())
    return Question(
        hero=hero.hero_id,
        tiles=tuple(TILES[tile] for tile in left),
        kit=Kit(left, streak, hero.goblins_charmed, hero.next_is_ignored),
        hp=hero.hp,
        cards=replace(cards, gone=(*cards.gone, swapped_in)) if swapped_in else cards,
        successes=hero.successes,
        named=hero.named,
        turned=in_one_order(revealed),
        facing=swapped_in if meets_drawn else revealed[-1],
        swapped=swapped_in is not None,
    )


def in_one_order(revealed):
    """Return the cards sorted, so that equal questions are asked once; the shapeshifter keeps its place."""
    cards = sorted(card for card in revealed if card is not Monster.SHAPESHIFTER)
    if Monster.SHAPESHIFTER in revealed:
        cards.insert(revealed.index(Monster.SHAPESHIFTER), Monster.SHAPESHIFTER)
    return tuple(cards)


def best_choice(cards):
    """Return a player who does what the odds recommend."""

    def choose(hero, revealed, swapped_in, found, position):
        worth = prospects(question_at(hero, revealed, swapped_in, cards)).choices
        assert set(worth) == {way.label for way in found}
        return max(range(len(found)), key=lambda number: worth[found[number].label])

    return choose


def plays_won(hero, left, named, cards, *, plays, rng):
    """Return how many plays are survived."""
    facts = {"known": cards.known, "aside": cards.gone, "unknown": cards.unknown, "specials": cards.specials}
    choose = best_choice(cards)
    return sum(play_once(hero, left, named, **facts, rng=rng, choose=choose) for _ in range(plays))


@pytest.mark.parametrize("number", [0, 1], ids=["all tiles", "three tiles"])
@pytest.mark.parametrize("special", [False, True], ids=["plain", "special"])
@pytest.mark.parametrize("hero", heroes())
def test_dungeons_are_survived_as_often_as_the_odds_say(hero, special, number):
    left, cards = list(cases(hero, special=special))[number]
    entry = entry_odds(hero, left, TILES, cards)
    plays = PLANS[hero].special_plays if special else PLANS[hero].plays

    won = plays_won(
        hero, left, entry.named, cards, plays=plays, rng=random.Random(f"{hero} {special} {number}")
    )

    odds = min(entry.survive, 1)
    assert abs(won / plays - odds) <= STANDARD_ERRORS * sqrt(odds * (1 - odds) / plays)


def test_most_of_these_dungeons_are_neither_lost_nor_won_before_they_are_entered():
    odds = [
        entry_odds(hero, left, TILES, cards).survive
        for hero in heroes()
        for special in (False, True)
        for left, cards in cases(hero, special=special)
    ]

    assert sum(0.1 < survive < 0.95 for survive in odds) >= len(odds) - 3


def test_every_special_monster_is_played_and_dungeons_are_large():
    assert {special for plan in PLANS.values() for special in plan.specials} == set(Monster) - set(
        WEAK + STRONG
    )
    assert {size for plan in PLANS.values() for size in (plan.unknown, plan.unknown_of_three)} == {6, 7, 8, 9}


# One card or choice further on


def shares(counters):
    """Return how likely each card is, of counters of cards that are so likely."""
    likely = Counter()
    for cards, weight in counters:
        for card, count in cards.items():
            likely[card] += weight * count / cards.total()
    return likely


def check_the_next_card(delve, cards, possible):
    """Make sure that the odds are the mean of those after every card that may come, and return these."""
    likely = shares((left, weight) for left, _, weight in possible)
    after = {card: turn(delve, card, TILES, pile=bool(possible[0][1])) for card in likely}
    survive = sum(share * odds_of(after[card], cards).survive for card, share in likely.items())
    assert odds_of(delve, cards).survive == pytest.approx(survive, abs=SAME)
    return after


def check_the_choices(delve, cards, possible):
    """Make sure that every choice is worth the odds after it, and return where all of them lead."""
    worth, after = Counter(), []
    for course in choices(delve, TILES, pile=bool(possible[0][1])):
        key = (course.what, course.tile, course.other)
        if course.what is not What.SWAPPED:
            after.append((choose(delve, course, TILES), cards))
            worth[key] = odds_of(*after[-1]).survive
            continue
        for card, share in shares((pile, weight) for _, pile, weight in possible).items():
            then = replace(cards, gone=(*cards.gone, card))
            after.append((swap(delve, course, card, TILES), then))
            worth[key] += share * odds_of(*after[-1]).survive
    assert odds_of(delve, cards).choices == pytest.approx(worth, abs=SAME)
    assert odds_of(delve, cards).survive == pytest.approx(max(worth.values()), abs=SAME)
    return after


@pytest.mark.parametrize("special", [False, True], ids=["plain", "special"])
@pytest.mark.parametrize("hero", heroes())
def test_odds_are_the_mean_of_what_may_come_next_and_the_best_of_what_can_be_chosen(hero, special):
    rng = random.Random(f"one step {hero} {special}")
    left, cards = next(cases(hero, special=special))
    cards = replace(cards, known=(DEMON, DRAGON), gone=(GOBLIN, SKELETON, ORC), unknown=4)
    delve = enter(hero, left, TILES)
    for tile, kind in entry_odds(hero, left, TILES, cards).named.items():
        delve = name_kind(delve, tile, kind, TILES)

    while not is_over(delve, TILES) and (possible := hands(cards, delve.turned))[0][0]:
        if delve.facing is None:
            delve = rng.choice(list(check_the_next_card(delve, cards, possible).values()))
        else:
            delve, cards = rng.choice(check_the_choices(delve, cards, possible))

    assert odds_of(delve, cards).survive == survived(delve, TILES)
