"""The odds of surviving by trying out everything, and a player of random dungeons, on top of slow_delve."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import factorial

from companion.welcome.monsters import Monster

from .slow_delve import OWN_NAMING, RIVAL_NAMING, TILE_HP, Way, enter, survived, swap, ways

TWICE = (Monster.GOBLIN, Monster.SKELETON, Monster.ORC, Monster.VAMPIRE, Monster.GOLEM)
ONCE = (Monster.LICH, Monster.DEMON, Monster.DRAGON)
NAMEABLE_SPECIALS = (Monster.FAIRY, Monster.ALLY, Monster.MIMIC, Monster.CUBE)
# What these do is done at the door, or nothing: inside it does not matter which of them is left.
OF_NO_USE = {*TILE_HP, "parchemin-de-possession", "sixth-tile"}
RIVAL_KINDS = (Monster.GOLEM, Monster.LICH, Monster.DEMON)


def cards_unseen(known, aside, specials):
    """Return the cards, one by one, of which the asker does not know where they are."""
    left = Counter(TWICE) + Counter(TWICE) + Counter(ONCE) + Counter(specials)
    left.subtract([*known, *aside])
    if min(left.values()) < 0:
        raise ValueError("more cards are known than there are")
    return sorted(left.elements())


class Referee:
    """Plays one dungeon in every possible way.

    All numbers inside are whole: a sequence of cards weighs as much as there are deals and orders (of cards
    that can be told apart) that show it, times the draws of polymorph. At one point of the game,
    probabilities differ from these weights by one common factor, so that the best choice is the same.
    """

    def __init__(self, *, known, aside, unknown, specials):
        unseen = cards_unseen(known, aside, specials)
        if not 0 <= unknown <= len(unseen):
            raise ValueError("so many unknown cards there are not")
        self.size = len(known) + unknown
        self.pile_size = len(unseen) - unknown
        self._draws = self.pile_size or 1
        self.cards = sorted({*known, *unseen})
        # Each possible dungeon: its cards, those of the pile then, and how many deals make it.
        self.dungeons = []
        for dealt, deals in Counter(combinations(unseen, unknown)).items():
            dungeon = Counter(known) + Counter(dealt)
            self.dungeons.append((dungeon, Counter(unseen) - Counter(dealt), deals))
        self.belief = cache(self._belief)
        self.next_cards = cache(self._next_cards)
        self.weight = cache(self._weight)
        self.value = cache(self._value)
        self.ways = cache(lambda *meeting: self._worth_trying(ways(*meeting)))
        self.swap = cache(lambda *meeting: self._worth_trying(swap(*meeting)))
        self.heroes = {}

    def _belief(self, turned):
        """Return the dungeons that are possible once these cards are turned, with their weights."""
        if not turned:
            return self.dungeons
        before, card = turned[:-1], turned[-1]
        shown = before.count(card)
        return [
            (dungeon, pile, weight * (dungeon[card] - shown))
            for dungeon, pile, weight in self.belief(before)
            if dungeon[card] > shown
        ]

    def _next_cards(self, turned):
        """Return the cards that may come next, each with the sorted cards that are turned then."""
        longer = [(card, tuple(sorted((*turned, card)))) for card in self.cards]
        return [(card, now_turned) for card, now_turned in longer if self.belief(now_turned)]

    def _weight(self, turned, swapped):
        """Return how much all that is still possible weighs; without a swap any card of the pile would do."""
        return sum(
            weight * (self._draws if swapped is None else pile[swapped])
            for _, pile, weight in self.belief(turned)
        )

    def _worth_trying(self, found):
        """Return the ways without those that only discard another tile of no more use than one before."""
        tried, kept = set(), []
        for way in found:
            label = tuple("any" if part in OF_NO_USE else part for part in way.label)
            if label not in tried:
                tried.add(label)
                # Equal heroes are made one and the same: they are then found faster.
                kept.append(Way(way.label, way.hero and self.heroes.setdefault(way.hero, way.hero)))
        return kept

    def _value(self, turned, swapped, hero):
        """Return the weight of all that ends well after these cards, with the best play."""
        if hero.dead:
            return self._value_of_death(turned, swapped, hero)
        if len(turned) == self.size:
            return self.weight(turned, swapped) if survived(hero, turned) else 0
        return sum(
            self._best(self.options(now_turned, swapped, hero, card), now_turned, swapped)
            for card, now_turned in self.next_cards(turned)
        )

    def _value_of_death(self, turned, swapped, hero):
        """Return the weight of the dungeons that a dead hero wins, whatever the order of the rest."""
        if "omnipotence" not in hero.tiles:
            return 0
        total = 0
        for dungeon, pile, weight in self.belief(turned):
            if survived(hero, tuple(dungeon.elements())):
                total += weight * (self._draws if swapped is None else pile[swapped])
        return total * factorial(self.size - len(turned))

    def _best(self, values, turned, swapped):
        """Return the highest value, and look at no more of them once one is sure to end well."""
        highest = 0
        certain = self.weight(turned, swapped) * factorial(self.size - len(turned))
        for value in values:
            highest = max(highest, value)
            if highest == certain:
                break
        return highest

    def options(self, turned, swapped, hero, card):
        """Yield the value of each way to meet *card*, the last one of *turned*."""
        for way in self.ways(hero, card, self.pile_size > 0):
            if way.hero is None:
                yield self.value_of_swap(turned, hero, card, way.label[1])
            else:
                yield self.value(turned, swapped, way.hero)

    def value_of_swap(self, turned, hero, card, tile):
        total = 0
        for drawn in self.cards:
            if self.weight(turned, drawn):
                total += self._best(self.options_swapped(turned, hero, card, tile, drawn), turned, drawn)
        return total

    def options_swapped(self, turned, hero, card, tile, drawn):
        """Yield the value of each way to meet the card that came for *card*."""
        for way in self.swap(hero, card, tile, drawn):
            yield self.value(turned, drawn, way.hero)

    def odds(self, hero):
        """Return the probability to survive from the door on."""
        return Fraction(self.value((), None, hero), self.weight((), None) * factorial(self.size))


def _by_naming(hero_id, tiles, *, known=(), aside=(), unknown=0, specials=(), successes=0):
    """Return for each kinds named by a rival: the odds for each kinds named by the player."""
    referee = Referee(known=tuple(known), aside=tuple(aside), unknown=unknown, specials=tuple(specials))
    mine = [tile for tile in tiles if tile in OWN_NAMING]
    theirs = [tile for tile in tiles if tile in RIVAL_NAMING]
    my_kinds = (*TWICE, *ONCE, *(special for special in NAMEABLE_SPECIALS if special in specials))
    table = {}
    for rival in product(RIVAL_KINDS, repeat=len(theirs)):
        table[rival] = {}
        for own in product(my_kinds, repeat=len(mine)):
            named = dict(zip((*theirs, *mine), (*rival, *own), strict=True))
            table[rival][own] = referee.odds(enter(hero_id, tiles, named, successes))
    return mine, table


def exact_odds(hero_id, tiles, **what_is_known):
    """Return the survival odds as a fraction."""
    _, table = _by_naming(hero_id, tuple(tiles), **what_is_known)
    return min(max(answers.values()) for answers in table.values())


def brute_odds(hero_id, tiles, *, known=(), aside=(), unknown=0, specials=(), successes=0):
    """Return the survival odds: the rival names the worst kind, then the player the best one."""
    facts = {"known": known, "aside": aside, "unknown": unknown, "specials": specials, "successes": successes}
    return float(exact_odds(hero_id, tiles, **facts))


def brute_best(hero_id, tiles, *, known=(), aside=(), unknown=0, specials=(), successes=0):
    """Return for each own naming tile the kinds that are as good as any other, after a rival's worst."""
    facts = {"known": known, "aside": aside, "unknown": unknown, "specials": specials, "successes": successes}
    mine, table = _by_naming(hero_id, tuple(tiles), **facts)
    worst = min(max(answers.values()) for answers in table.values())
    best = {tile: set() for tile in mine}
    for answers in table.values():
        if max(answers.values()) == worst:
            for own, odds in answers.items():
                if odds == worst:
                    for tile, kind in zip(mine, own, strict=True):
                        best[tile].add(kind)
    return best


def play_once(hero_id, tiles, named, *, known=(), aside=(), unknown=0, specials=(), successes=0, rng, choose):
    """Play one random dungeon and return whether it is survived.

    *choose* is asked only where there is more than one way. Positions count from 1. *swapped_in* is what
    polymorph brought, in this or an earlier place; while that card is met, the last one of *revealed* is the
    one it replaced, and *hero* still has the tile.
    """
    unseen = cards_unseen(known, aside, specials)
    rng.shuffle(unseen)
    dungeon, pile = [*known, *unseen[:unknown]], unseen[unknown:]
    rng.shuffle(dungeon)
    hero = enter(hero_id, tuple(tiles), named, successes)
    swapped_in = None

    def pick(found, position):
        if len(found) == 1:
            return found[0]
        return found[choose(hero, tuple(dungeon[:position]), swapped_in, found, position)]

    for position, card in enumerate(dungeon, start=1):
        way = pick(ways(hero, card, bool(pile)), position)
        if way.hero is None:
            swapped_in = rng.choice(pile)
            way = pick(swap(hero, card, way.label[1], swapped_in), position)
        hero = way.hero
    return survived(hero, dungeon)
