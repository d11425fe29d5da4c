"""Thousands of random delves go the same way as those of the slow referee, choice by choice."""

import random
from collections import Counter
from functools import cache
from itertools import chain

import pytest

from companion.welcome.delve import choices, choose, enter, is_over, name_kind, survived, swap, to_name, turn
from companion.welcome.kit import What
from companion.welcome.monsters import NAMEABLE, ORDINARY, SPECIAL, Monster, deck
from companion.welcome.tiles import heroes, printed_tiles
from tests.companion.welcome import slow_delve

TILES = printed_tiles()
DELVES_EACH = 600
AMULET, SCEPTRE = "amulette-porte-bonheur", "sceptre-royal"


def label(way):
    """Return how the referee calls a course, or a meeting that is over."""
    tile, other = way.tile, way.other
    match way.what:
        case What.FREE:
            return ("ignored", None, None)
        case What.HIT if way.change == 0:
            return ("free", None, None)
        case What.LOST if tile is None:
            return ("free", None, None)
        case What.SEEN:
            return ("free", None, None)
        case _:
            return (str(way.what), tile, other)


class Pair:
    """One hero in both dungeons; whatever differs is written down."""

    def __init__(self, hero, left, named, successes):
        self.delve = enter(hero, left, TILES, successes=successes)
        for tile, kind in named.items():
            self.delve = name_kind(self.delve, tile, kind, TILES)
        self.slow = slow_delve.enter(hero, left, named, successes)
        self.differences = []
        self.events = Counter()

    def compare(self, what, real, slow):
        if real != slow:
            self.differences.append((self.delve.turned, what, real, slow))

    def play(self, dungeon, pile, rng):
        """Go through the dungeon with random choices."""
        pile = list(pile)
        for card in dungeon:
            if not is_over(self.delve, TILES):
                self.delve = turn(self.delve, card, TILES, pile=bool(pile))
                self.settle(slow_delve.ways(self.slow, card, bool(pile)), card, pile, rng)
        self.compare(
            "survived", survived(self.delve, TILES), slow_delve.survived(self.slow, self.delve.turned)
        )
        self.events["survived" if survived(self.delve, TILES) else "lost"] += 1
        self.events["won though dead"] += self.delve.fallen and survived(self.delve, TILES)

    def settle(self, ways, card, pile, rng):
        """Choose what happens with the card that was turned, or swapped in."""
        by_label = {way.label: way for way in ways}
        if self.delve.facing is None:
            name = label(self.delve.met[-1])
            self.compare("only way", {name}, set(by_label))
        else:
            courses = {label(course): course for course in choices(self.delve, TILES, pile=bool(pile))}
            self.compare("choices", set(courses), set(by_label))
            self.compare("number of choices", len(choices(self.delve, TILES, pile=bool(pile))), len(ways))
            self.events["choices"] += 1
            name = rng.choice(sorted(set(courses) & set(by_label), key=str))
            if name[0] == "swapped":
                self.swap(courses[name], name[1], card, pile, rng)
                return
            self.delve = choose(self.delve, courses[name], TILES)
        self.slow = by_label[name].hero if name in by_label else ways[0].hero
        self.compare_heroes()

    def swap(self, course, tile, card, pile, rng):
        drawn = pile.pop(rng.randrange(len(pile)))
        self.delve = swap(self.delve, course, drawn, TILES)
        self.settle(slow_delve.swap(self.slow, card, tile, drawn), drawn, pile, rng)

    def compare_heroes(self):
        real, slow = self.delve, self.slow
        self.compare("hit points", real.hp, slow.hp)
        self.compare("tiles", real.kit.tiles, slow.tiles)
        self.compare("death", real.fallen, slow.dead)
        self.compare("lowered damage", real.kit.calm, slow.goblins_charmed)
        self.compare("next one ignored", real.kit.next_free, slow.next_is_ignored)
        self.compare("amulet in use", real.kit.streak, {AMULET} if slow.amulet_in_use else set())
        if SCEPTRE in slow.tiles:
            repeating = slow_delve.KINDS_THAT_REPEAT
            self.compare("kinds met", {kind for kind in real.kinds if kind in repeating}, slow.kinds_seen)


def a_random_pair(hero, rng):
    """Play one random dungeon; half of all have special monsters, some leave no draw pile."""
    left = tuple(tile for tile in heroes()[hero].tiles if rng.random() < 0.7)
    specials = tuple(rng.sample(SPECIAL, rng.choice((0, 1, 2, 2))))
    kinds = [kind for kind in NAMEABLE if kind in (*ORDINARY, *specials)]
    named = {
        tile: rng.choice([kind for kind in kinds if TILES[tile].may_name(kind)])
        for tile in to_name(enter(hero, left, TILES), TILES)
    }
    cards = list(chain.from_iterable([card] * count for card, count in deck(specials).items()))
    rng.shuffle(cards)
    size = rng.choice((rng.randint(0, 6), rng.randint(2, 9), len(cards)))
    dungeon, pile = cards[:size], cards[size:]
    pair = Pair(hero, left, named, successes=rng.randint(0, 1))
    pair.play(dungeon, pile, rng)
    return pair


@cache
def pairs_of(hero):
    return [a_random_pair(hero, random.Random(f"{hero} {seed}")) for seed in range(DELVES_EACH)]


@pytest.mark.parametrize("hero", heroes())
def test_delves_go_as_the_referee_says(hero):
    assert {seed: pair.differences for seed, pair in enumerate(pairs_of(hero)) if pair.differences} == {}


def test_there_are_two_thousand_delves_and_more():
    assert len(heroes()) * DELVES_EACH >= 2000


@pytest.mark.parametrize("hero", heroes())
def test_dungeons_of_every_hero_are_survived_and_lost(hero):
    events = sum((pair.events for pair in pairs_of(hero)), Counter())

    assert min(events["survived"], events["lost"]) > DELVES_EACH / 10
    # Some choose only what the gelatinous cube takes.
    assert events["choices"] > DELVES_EACH / 40
    assert hero != "mage" or events["won though dead"] > 5


def all_met():
    return [met for hero in heroes() for pair in pairs_of(hero) for met in pair.delve.met]


def test_every_tile_that_does_something_does_it_many_times():
    done = Counter(chain.from_iterable((met.tile, met.revived_by) for met in all_met()))

    active = [tile.id for tile in TILES.values() if tile.ignores or tile.names or tile.swaps or tile.revives]
    assert len(active) == 24
    assert {tile: done[tile] for tile in active if done[tile] < 10} == {}


def test_every_monster_is_met_in_every_way_that_it_can_be():
    met = {(each.card, each.what) for each in all_met()}

    for card in Monster:
        ways = {What.FREE, What.SEEN}
        if card not in (Monster.ALLY, Monster.CUBE):
            ways |= {What.HIT, What.IGNORED}
        if card not in (Monster.ALLY, Monster.CUBE, Monster.FAIRY):
            ways |= {What.USED, What.SWAPPED}
        assert ways - {way for other, way in met if other is card} == set()
    assert {(Monster.ALLY, What.HELPED), (Monster.CUBE, What.LOST)} <= met


# The comparison itself


def test_the_comparison_notices_what_differs():
    pair = Pair("barbarian", ("chainmail", "vorpal-axe"), {}, 0)
    pair.slow = slow_delve.enter("barbarian", ("vorpal-axe",), {}, 0)

    pair.play([Monster.DRAGON], [], random.Random(0))

    assert {what for _, what, _, _ in pair.differences} >= {"tiles"}


def test_the_comparison_notices_other_choices():
    pair = Pair("barbarian", ("chainmail", "vorpal-axe"), {}, 0)
    pair.slow = slow_delve.enter("barbarian", ("chainmail", "epee-dansante"), {}, 0)

    pair.play([Monster.DRAGON], [], random.Random(0))

    assert "choices" in {what for _, what, _, _ in pair.differences}
