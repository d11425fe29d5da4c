"""The odds are those of the brute force, at the door and at every card, also for tiles that players wrote."""

import random
from collections import Counter
from dataclasses import replace
from itertools import chain, combinations
from math import factorial, perm, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadData
from companion.welcome.delve import choices, choose, enter, is_over, name_kind, survived, swap, to_name, turn
from companion.welcome.kit import What
from companion.welcome.monsters import ORDINARY, SPECIAL, Monster, deck
from companion.welcome.odds.entering import entry_odds
from companion.welcome.odds.question import Cards, question_of
from companion.welcome.odds.survival import prospects
from companion.welcome.tiles import Match, Revival, Tile, Use, heroes, printed_tiles
from tests.companion.welcome import slow_delve
from tests.companion.welcome.slow_odds import Referee, brute_best, brute_odds

TILES = printed_tiles()
SAME = 1e-9
# They choose what the gelatinous cube takes, and whether the dragon is worth a leash.
RARELY_CHOOSING = ("warrior", "rogue", "necromancer", "princess")


def tiles_of(hero, rng, share=0.65):
    return tuple(tile for tile in heroes()[hero].tiles if rng.random() < share)


def some_cards(rng, *, known, aside, unknown, specials=()):
    """Return random cards, so many of each sort."""
    cards = list(chain.from_iterable([card] * count for card, count in deck(specials).items()))
    rng.shuffle(cards)
    return Cards(tuple(cards[:known]), tuple(cards[known : known + aside]), unknown, specials)


def as_the_referee_says(cards):
    names = ("known", "aside", "unknown", "specials")
    return dict(zip(names, (cards.known, cards.gone, cards.unknown, cards.specials), strict=True))


def differences(cases):
    """Return the cases in which the brute force says something else, and how many odds are not 0 or 1."""
    wrong, between = [], 0
    for hero, left, cards, successes in cases:
        odds = brute_odds(hero, left, **as_the_referee_says(cards), successes=successes)
        found = entry_odds(hero, left, TILES, cards, successes=successes)
        assert found.hp == slow_delve.enter(hero, left, {}, 0).hp
        between += 0 < odds < 1
        if abs(odds - found.survive) > SAME:
            wrong.append((hero, left, cards, successes, odds, found.survive))
    return wrong, between


# At the door


@pytest.mark.parametrize("hero", heroes())
def test_odds_without_special_monsters_are_those_of_the_brute_force(hero):
    rng, tiles = random.Random(f"plain {hero}"), heroes()[hero].tiles
    kits = (tiles, tiles[2:], (tiles[0], *tiles[3:5]), (tiles[2], tiles[5]))
    cases = []
    for left in kits:
        for unknown in range(5):
            known, aside = rng.randint(0, 3 if unknown < 4 else 1), rng.randint(0, 4)
            cases.append((hero, left, some_cards(rng, known=known, aside=aside, unknown=unknown), 0))

    wrong, between = differences(cases)

    assert wrong == []
    assert between >= len(cases) / 3


@pytest.mark.parametrize("hero", heroes())
def test_odds_with_special_monsters_are_those_of_the_brute_force(hero):
    rng = random.Random(f"special {hero}")
    cases = []
    for _ in range(22):
        specials = tuple(rng.sample(SPECIAL, rng.choice((1, 2, 2))))
        known, aside, unknown = rng.randint(0, 4), rng.randint(0, 3), rng.randint(0, 3)
        cards = some_cards(rng, known=known, aside=aside, unknown=unknown, specials=specials)
        cases.append((hero, tiles_of(hero, rng), cards, rng.choice((0, 0, 1))))

    wrong, between = differences(cases)

    assert wrong == []
    assert between >= len(cases) / 5


@pytest.mark.parametrize("hero", ["warrior", "rogue"])
def test_the_kind_that_is_named_is_one_of_the_best(hero):
    rng = random.Random(f"naming {hero}")
    (tile,) = to_name(enter(hero, heroes()[hero].tiles, TILES), TILES)
    telling = 0
    for _ in range(20):
        specials = tuple(rng.sample(SPECIAL, rng.choice((0, 0, 2))))
        known, aside, unknown = rng.randint(0, 4), rng.randint(0, 4), rng.randint(0, 2)
        cards = some_cards(rng, known=known, aside=aside, unknown=unknown, specials=specials)
        left = (*(other for other in tiles_of(hero, rng, 0.3) if other != tile), tile)

        named = entry_odds(hero, left, TILES, cards).named

        best = brute_best(hero, left, **as_the_referee_says(cards))[tile]
        assert set(named) == {tile} and named[tile] in best
        telling += len(best) <= 3
    assert telling > 5


def test_a_rival_names_the_worst_kind():
    rng, tile = random.Random("rival"), "l-epee-a-papa"
    telling = 0
    for _ in range(15):
        cards = some_cards(rng, known=rng.randint(1, 4), aside=rng.randint(0, 4), unknown=rng.randint(0, 2))
        left = (*(other for other in tiles_of("princess", rng, 0.4) if other != tile), tile)
        referee = Referee(**as_the_referee_says(cards))
        odds = {
            kind: float(referee.odds(slow_delve.enter("princess", left, {tile: kind}, 0)))
            for kind in (Monster.GOLEM, Monster.LICH, Monster.DEMON)
        }

        entry = entry_odds("princess", left, TILES, cards)

        assert odds[entry.named[tile]] == pytest.approx(min(odds.values()), abs=SAME)
        telling += min(odds.values()) < max(odds.values())
    assert telling > 3


# In the dungeon


class Walk:
    """A random way through one dungeon, with the delve, the cards as the odds see them, and a random pile."""

    def __init__(self, hero, left, cards, rng, *, successes=0):
        self.delve, self.cards, self.rng = enter(hero, left, TILES, successes=successes), cards, rng
        for tile in to_name(self.delve, TILES):
            kind = rng.choice([kind for kind in ORDINARY if TILES[tile].may_name(kind)])
            self.delve = name_kind(self.delve, tile, kind, TILES)
        unseen = sorted(Counter(cards.pool()).elements())
        rng.shuffle(unseen)
        self.dungeon, self.pile = [*cards.known, *unseen[: cards.unknown]], unseen[cards.unknown :]
        rng.shuffle(self.dungeon)

    @property
    def odds(self):
        return odds_of(self.delve, self.cards)

    def turn(self, card):
        self.delve = turn(self.delve, card, TILES, pile=bool(self.pile))

    def choose(self):
        """Follow any course, and return it."""
        course = self.rng.choice(choices(self.delve, TILES, pile=bool(self.pile)))
        if course.what is What.SWAPPED:
            drawn = self.pile.pop(self.rng.randrange(len(self.pile)))
            self.cards = replace(self.cards, gone=(*self.cards.gone, drawn))
            self.delve = swap(self.delve, course, drawn, TILES)
        else:
            self.delve = choose(self.delve, course, TILES)
        return course


def odds_of(delve, cards):
    return prospects(question_of(delve, TILES, cards))


def compare_walk(walk, referee):
    """Go through the dungeon beside the referee, and return what differs and how many choices were made."""
    delve = walk.delve
    slow = slow_delve.enter(delve.hero, delve.kit.tiles, dict(delve.named), delve.successes)
    wrong, chosen, turned, swapped = [], 0, (), None

    def check(found, value):
        whole = referee.weight(turned, swapped) * factorial(referee.size - len(turned))
        if abs(found - value / whole) > SAME:
            wrong.append((walk.delve, walk.cards, found, value / whole))

    for card in walk.dungeon:
        check(walk.odds.survive, referee.value(turned, swapped, slow))
        if is_over(walk.delve, TILES):
            break
        walk.turn(card)
        turned = tuple(sorted((*turned, card)))
        ways = slow_delve.ways(slow, card, referee.pile_size > 0)
        while walk.delve.facing is not None:
            chosen += 1
            by_label, odds = {way.label: way for way in ways}, walk.odds.choices
            assert set(odds) == set(by_label)
            for (what, tile, other), found in odds.items():
                if what is What.SWAPPED:
                    check(found, referee.value_of_swap(turned, slow, card, tile))
                else:
                    check(found, referee.value(turned, swapped, by_label[what, tile, other].hero))
            course = walk.choose()
            ways = [by_label[course.what, course.tile, course.other]]
            if course.what is What.SWAPPED:
                swapped = walk.delve.swapped_in[0]
                ways = slow_delve.swap(slow, card, course.tile, swapped)
        (way,) = ways
        slow = way.hero
    return wrong, chosen


@pytest.mark.parametrize("hero", heroes())
def test_odds_of_every_choice_are_those_of_the_referee(hero):
    rng = random.Random(f"inside {hero}")
    total = 0
    for _ in range(8):
        specials = tuple(rng.sample(SPECIAL, rng.choice((0, 1, 2))))
        cards = some_cards(
            rng, known=2, aside=rng.randint(0, 5), unknown=rng.randint(1, 3), specials=specials
        )
        walk = Walk(hero, tiles_of(hero, rng, 0.8), cards, rng, successes=rng.randint(0, 1))

        wrong, chosen = compare_walk(walk, Referee(**as_the_referee_says(cards)))

        assert wrong == []
        total += chosen
    assert total > 3 or hero in RARELY_CHOOSING


def test_a_known_card_that_was_not_turned_is_still_to_come():
    delve = turn(enter("warrior", ("torch",), TILES), Monster.SKELETON, TILES, pile=True)

    assert odds_of(delve, Cards((Monster.GOBLIN,), (), 1)).survive == 1


def test_a_leash_that_no_dragon_can_need_any_more_does_no_harm():
    delve = enter("princess", ("laisse-de-dragon", "sceptre-royal"), TILES)
    for card in (Monster.ALLY, Monster.DRAGON):
        delve = turn(delve, card, TILES, pile=True)

    cards = Cards((Monster.ALLY, Monster.DRAGON, Monster.GOBLIN), specials=(Monster.ALLY,))
    assert odds_of(delve, cards).survive == 1


def test_a_sword_for_the_ally_is_gladly_left_to_the_cube():
    known = (Monster.ALLY, Monster.CUBE, Monster.DRAGON)
    delve = enter("warrior", ("plate-armor", "vorpal-sword"), TILES)
    delve = name_kind(delve, "vorpal-sword", Monster.ALLY, TILES)

    # One order is survived: cube, ally, dragon.
    assert odds_of(delve, Cards(known, specials=known[:2])).survive == pytest.approx(1 / 6)


# Whatever is asked


@st.composite
def questions(draw):
    """Give a hero with some tiles and whatever an asker can know of the cards."""
    hero = draw(st.sampled_from(sorted(heroes())))
    left = tuple(tile for tile in heroes()[hero].tiles if draw(st.booleans()))
    specials = tuple(draw(st.lists(st.sampled_from(SPECIAL), max_size=2, unique=True)))
    cards = draw(st.permutations(sorted(Counter(deck(specials)).elements())))
    known, aside = draw(st.integers(0, 6)), draw(st.integers(6, 13))
    unknown = draw(st.integers(0, min(len(cards) - max(known, aside), 7)))
    return hero, left, Cards(tuple(cards[:known]), tuple(cards[known:aside]), unknown, specials)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(questions(), st.integers(0, 1))
def test_odds_are_from_none_to_certain_whatever_is_known(question, successes):
    hero, left, cards = question

    entry = entry_odds(hero, left, TILES, cards, successes=successes)

    assert 0 <= entry.survive <= 1 + 1e-12
    assert set(entry.named) == {tile for tile in left if TILES[tile].names}


@pytest.mark.parametrize("hero", heroes())
def test_an_empty_dungeon_is_survived(hero):
    for count in range(7):
        assert entry_odds(hero, heroes()[hero].tiles[:count], TILES, Cards((), (Monster.ORC,))).survive == 1


def test_without_a_draw_pile_polymorph_is_one_more_tile_that_does_nothing():
    cards = Cards((Monster.GOLEM, Monster.ORC), (), 3, (Monster.MIMIC, Monster.CUBE), pile=False)
    alike = entry_odds("mage", ("wall-of-fire", "polymorph"), TILES, cards).survive

    assert alike == pytest.approx(entry_odds("mage", ("wall-of-fire", "sixth-tile"), TILES, cards).survive)
    assert alike < entry_odds("mage", ("wall-of-fire", "polymorph"), TILES, replace(cards, pile=None)).survive


@pytest.mark.parametrize(
    "cards",
    [
        Cards((Monster.GOBLIN,) * 3),
        Cards((Monster.DRAGON,), (Monster.DRAGON,)),
        Cards((), (Monster.LICH, Monster.LICH)),
        Cards((Monster.FAIRY,)),
        Cards(unknown=14),
        Cards((Monster.ORC,), (Monster.ORC,), 12),
        Cards(unknown=-1),
    ],
    ids=["3 goblins", "in and aside", "2 liches", "of another game", "14 of 13", "12 of 11", "-1"],
)
@pytest.mark.parametrize(("hero", "left"), [("mage", ("polymorph",)), ("rogue", ("vorpal-dagger",))])
def test_cards_that_there_are_not_are_refused(hero, left, cards):
    with pytest.raises(BadData):
        entry_odds(hero, left, TILES, cards)


# Tiles that players wrote


def written(tile, **effects):
    """Return all tiles with the sixth one as a player wrote it."""
    return {**TILES, "sixth-tile": replace(TILES[tile], id="sixth-tile", **effects)}


@pytest.mark.parametrize("tile", [tile.id for tile in TILES.values() if tile.is_active])
def test_a_written_tile_does_what_a_printed_one_with_these_words_does(tile):
    rng = random.Random(f"written {tile}")
    for _ in range(4):
        cards = some_cards(rng, known=2, aside=3, unknown=2, specials=tuple(rng.sample(SPECIAL, 2)))
        others = {"cape", "torch", "osselets-de-resurrection", "vorpal-axe"} - {tile}
        others = tuple(rng.sample(sorted(others), 2))

        odds = brute_odds("necromancer", (*others, tile), **as_the_referee_says(cards))

        found = entry_odds("necromancer", (*others, "sixth-tile"), written(tile), cards)
        assert found.survive == pytest.approx(odds, abs=SAME)


def hands(cards, turned):
    """Return for each hand of unknown cards the cards to come, the draw pile, and how likely the two are."""
    unseen, shown, found = sorted(Counter(cards.pool()).elements()), Counter(turned), []
    for dealt, deals in Counter(combinations(unseen, cards.unknown)).items():
        dungeon = Counter(cards.known) + Counter(dealt)
        ways = prod(perm(dungeon[card], count) for card, count in shown.items())
        if ways:
            found.append((dungeon - shown, Counter(unseen) - Counter(dealt), deals * ways))
    total = sum(weight for *_, weight in found)
    return [(left, pile, weight / total) for left, pile, weight in found]


def value_of(delve, tiles, possible):
    """Return how likely a hero survives who tries out everything; *possible* comes from `hands`."""
    left, pile, _ = possible[0]
    if delve.facing is not None:
        ways = choices(delve, tiles, pile=bool(pile))
        return max(value_of(choose(delve, way, tiles), tiles, possible) for way in ways)
    if is_over(delve, tiles) or not left:
        return survived(delve, tiles) * sum(weight for *_, weight in possible)
    total = 0.0
    for card in Monster:
        then = [(a - Counter([card]), b, c * a[card] / a.total()) for a, b, c in possible if a[card]]
        total += value_of(turn(delve, card, tiles, pile=bool(pile)), tiles, then) if then else 0
    return total


@pytest.mark.parametrize(
    "tile",
    [
        Tile("", "", "", ignores=Match(parity="odd", low=3), use=Use.STREAK, calms=1),
        Tile("", "", "", hp=2, ignores=Match(repeats=True), use=Use.MAY, heals=True, next_too=True),
        Tile("", "", "", ignores=Match(below_hp=4), use=Use.FIRST, revives=Revival.HERO),
        Tile("", "", "", less=1, even_at_most=3, wins_if_all_differ=True),
        Tile("", "", "", ignores=Match(kinds=(Monster.LICH, Monster.ORC)), use=Use.MAY, costs_tile=True),
        Tile("", "", "", names="me", names_high=4, heals=True),
    ],
    ids=["streak", "repeats", "first", "less", "costs", "names"],
)
def test_a_written_tile_without_any_example_is_tried_out(tile):
    tiles = {**TILES, "sixth-tile": replace(tile, id="sixth-tile")}
    rng = random.Random(f"{tile}")
    for hero, *left in (("necromancer", "cape", "baguette-sanglante"), ("barbarian", "torch", "vorpal-axe")):
        specials = tuple(rng.sample(SPECIAL, 2))
        cards = some_cards(rng, known=3, aside=7, unknown=1, specials=specials)
        delve = enter(hero, (*left, "sixth-tile"), tiles)
        for name in to_name(delve, tiles):
            delve = name_kind(delve, name, Monster.VAMPIRE, tiles)

        odds = prospects(question_of(delve, tiles, cards)).survive

        assert odds == pytest.approx(value_of(delve, tiles, hands(cards, ())), abs=SAME)


def test_two_tiles_that_heal_for_one_monster_add_up():
    left = ("baguette-sanglante", "sixth-tile")
    cards = Cards((Monster.VAMPIRE, Monster.VAMPIRE, Monster.DRAGON, Monster.GOLEM))

    # Eight points for each vampire: golem and dragon can be borne in 8 of 24 orders.
    odds = entry_odds("necromancer", left, written("baguette-sanglante"), cards).survive
    assert odds == pytest.approx(8 / 24)


def test_a_written_sceptre_ignores_what_polymorph_brings():
    # Of the twelve cards that may come instead of a skeleton, two goblins hurt little and a skeleton nothing.
    odds = entry_odds(
        "mage", ("polymorph", "sixth-tile"), written("sceptre-royal"), Cards((Monster.SKELETON,))
    )
    assert odds.survive == pytest.approx(3 / 12)


def test_a_dungeon_of_the_ally_alone_is_survived():
    aside = tuple(card for card, count in deck(()).items() for _ in range(count))

    assert entry_odds("barbarian", (), TILES, Cards((Monster.ALLY,), aside, 0, (Monster.ALLY,))).survive == 1


def test_among_equals_the_strongest_is_named_and_never_the_ally():
    cards = Cards((Monster.GOBLIN,), (), 0, (Monster.FAIRY, Monster.ALLY))

    assert entry_odds("warrior", ("plate-armor", "vorpal-sword"), TILES, cards).named == {
        "vorpal-sword": Monster.DRAGON
    }
