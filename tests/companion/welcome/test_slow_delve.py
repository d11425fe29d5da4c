"""The slow referee itself, by the examples of the rulebooks."""

from __future__ import annotations

import random

import pytest

from companion.welcome.monsters import Monster

from .slow_delve import enter, survived, swap, ways
from .slow_odds import Referee, brute_best, brute_odds, play_once

GOBLIN, SKELETON, ORC, VAMPIRE = Monster.GOBLIN, Monster.SKELETON, Monster.ORC, Monster.VAMPIRE
GOLEM, LICH, DEMON, DRAGON = Monster.GOLEM, Monster.LICH, Monster.DEMON, Monster.DRAGON
FAIRY, ALLY, MIMIC, CUBE = Monster.FAIRY, Monster.ALLY, Monster.MIMIC, Monster.CUBE
COUNT, SHAPESHIFTER = Monster.COUNT, Monster.SHAPESHIFTER
AMULET, DANCING = "amulette-porte-bonheur", "epee-dansante"
FLUTE, HARP = "charmeuse-de-gobelins", "harpe-elfique"
BOMB, CROWN, SCEPTRE, BONES = (
    "bombe-fumigene",
    "couronne-familiale",
    "sceptre-royal",
    "osselets-de-resurrection",
)


def hero_of(hero_id, *tiles, named=None, successes=0):
    return enter(hero_id, tiles, named or {}, successes)


def labels(hero, card, *, pile_left=True):
    return {way.label for way in ways(hero, card, pile_left)}


def go(hero, *cards):
    """Turn cards: a monster each, or with the tile to use or lose (and what that costs); else it hits."""
    for turn in cards:
        card, tile, other = (*turn, None, None)[:3] if isinstance(turn, tuple) else (turn, None, None)
        found = ways(hero, card, True)
        if len(found) > 1:
            found = [way for way in found if way.label[1:] == (tile, other)]
        (way,) = found
        assert tile is None or way.label[1] == tile
        hero = way.hero
    return hero


def test_ring_adds_the_skeletons_two_points():
    hero = hero_of("rogue", "ring-of-power")
    assert labels(hero, SKELETON) == {("ignored", "ring-of-power", None)}
    assert go(hero, SKELETON).hp == 5
    assert go(hero_of("rogue", "torch", "ring-of-power"), SKELETON, GOBLIN, FAIRY).hp == 6


def test_sword_ignores_both_skeletons():
    hero = hero_of("warrior", "vorpal-sword", named={"vorpal-sword": SKELETON})
    assert go(hero, SKELETON, SKELETON).hp == 3
    assert go(hero, SKELETON, SHAPESHIFTER).hp == 3
    assert go(hero, SHAPESHIFTER).hp == 2


def test_tiles_that_always_ignore():
    for tile, ignored in {
        "torch": {GOBLIN, SKELETON, ORC, FAIRY, MIMIC, SHAPESHIFTER},
        "holy-grail": {SKELETON, VAMPIRE, LICH, FAIRY, COUNT},
        "dragon-spear": {DRAGON},
        "war-hammer": {GOLEM},
        "invisibility-cloak": {LICH, DEMON, DRAGON},
        "ninjato": {DEMON, DRAGON},
        "wooden-shuriken": {VAMPIRE, COUNT},
        "baguette-sanglante": {VAMPIRE, COUNT},
        "shinobi-gear": {GOBLIN, ORC, GOLEM, MIMIC, SHAPESHIFTER},
        "parchemin-de-possession": set(),
    }.items():
        hero = hero_of("ninja", tile)
        assert {card for card in Monster if labels(hero, card) == {("ignored", tile, None)}} == ignored


def test_omnipotence_looks_at_the_cards_of_the_dungeon():
    hero = go(hero_of("mage", "omnipotence"), DRAGON, COUNT)
    assert hero.dead
    assert labels(hero, CUBE) == {("free", None, None)}
    assert survived(hero, (DRAGON, COUNT, VAMPIRE))
    assert not survived(hero, (DRAGON, ORC, ORC))
    assert not survived(go(hero_of("mage", "omnipotence"), (CUBE, "omnipotence"), DRAGON), (CUBE, DRAGON))


def test_pact_takes_the_next_one_too_and_may_come_last():
    hero = go(hero_of("mage", "demonic-pact"), DEMON)
    assert (hero.hp, hero.tiles, survived(hero, (DEMON,))) == (2, (), True)
    assert labels(hero, DRAGON) == {("ignored", None, None)}
    assert go(hero, DRAGON, GOBLIN).hp == 1
    assert go(hero, CUBE, GOBLIN).hp == go(hero, ALLY, GOBLIN).hp == 1


def test_polymorph_swaps_in_place_while_there_is_a_pile():
    hero = hero_of("mage", "polymorph")
    assert labels(hero, DRAGON) == {("hit", None, None), ("swapped", "polymorph", None)}
    assert labels(hero, DRAGON, pile_left=False) == {("hit", None, None)}
    (way,) = swap(hero, DRAGON, "polymorph", SHAPESHIFTER)
    assert (way.label, way.hero.hp, way.hero.position) == (("hit", None, None), 1, 1)
    assert swap(hero, DRAGON, "polymorph", MIMIC)[0].label == ("free", None, None)


@pytest.mark.parametrize(("hero_id", "hp"), [("barbarian", 4), ("rogue", 3)])
def test_potion_brings_back_with_the_adventurers_points(hero_id, hp):
    hero = go(hero_of(hero_id, "healing-potion", "buckler"), DRAGON)
    assert (hero.hp, hero.tiles) == (hp, ("buckler",))
    assert go(hero, DRAGON).dead


def test_bones_bring_back_with_one_less_until_one():
    hero = go(hero_of("necromancer", "cape", BONES, "baguette-sanglante"), GOLEM)
    assert hero.hp == 4
    assert go(hero, DRAGON, DRAGON, DRAGON).hp == 1
    assert go(hero, DRAGON, DRAGON, DRAGON, DRAGON).dead
    assert go(hero, DRAGON, DRAGON, DRAGON, VAMPIRE, DRAGON).hp == 4
    # With a potion as well it goes by the order of the kit.
    assert go(hero_of("rogue", BONES, "healing-potion"), DRAGON).tiles == (BONES, "healing-potion")
    assert go(hero_of("rogue", "healing-potion", BONES), DRAGON).tiles == (BONES,)
    assert go(hero_of("rogue", BONES, "healing-potion"), SKELETON, DRAGON).hp == 3


def test_bomb_costs_another_tile_so_not_as_the_last():
    hero = hero_of("ninja", BOMB, "ninjato", "etrange-concoction")
    used = {("used", BOMB, "ninjato"), ("used", BOMB, "etrange-concoction")}
    assert labels(hero, LICH) == used | {("hit", None, None)}
    after = go(hero, (LICH, BOMB, "etrange-concoction"))
    assert (after.hp, after.tiles) == (8, ("ninjato",))
    assert labels(hero_of("ninja", BOMB), LICH) == {("hit", None, None)}


def test_crown_takes_two_off_and_a_vampire_stays_one():
    assert go(hero_of("princess", "soupirant", CROWN), VAMPIRE).hp == 5
    assert labels(hero_of("princess", CROWN), SKELETON) == {("free", None, None)}
    assert go(hero_of("princess", "soupirant", CROWN, SCEPTRE), VAMPIRE, COUNT).hp == 5


def test_sceptre_ignores_the_second_and_the_third():
    hero = hero_of("princess", "soupirant", "chaperon", SCEPTRE)
    assert go(hero, VAMPIRE, COUNT, VAMPIRE).hp == 6
    assert go(hero, VAMPIRE, ORC, GOBLIN, SHAPESHIFTER).hp == 2
    assert go(hero, ALLY, VAMPIRE, VAMPIRE).hp == 10


def test_axe_and_leash_are_offered_once():
    assert go(hero_of("barbarian", "vorpal-axe"), (DRAGON, "vorpal-axe")).tiles == ()
    assert labels(hero_of("barbarian", "vorpal-axe"), FAIRY) == {("free", None, None)}
    hero = hero_of("princess", "laisse-de-dragon")
    assert labels(hero, DRAGON) == {("hit", None, None), ("used", "laisse-de-dragon", None)}
    assert go(hero, (DRAGON, "laisse-de-dragon"), DEMON).hp == 2
    assert labels(hero, DEMON) == {("hit", None, None)}


def test_amulet_lasts_until_an_odd_monster_that_nothing_ignores():
    hero = go(hero_of("bard", "tunic", AMULET, DANCING), (VAMPIRE, AMULET), (DEMON, DANCING))
    assert (hero.hp, hero.tiles) == (8, ("tunic", AMULET))
    assert labels(hero, LICH) == {("ignored", AMULET, None)}
    assert AMULET not in go(hero, ORC).tiles
    assert go(hero, ALLY, ORC, LICH, FAIRY).hp == 8
    assert labels(hero_of("bard", AMULET, DANCING), ORC) == {("hit", None, None), ("used", DANCING, None)}


def test_amulet_is_lost_to_an_odd_monster_even_without_damage():
    hero = go(hero_of("bard", AMULET, FLUTE, HARP), GOBLIN, (VAMPIRE, AMULET))
    assert [(way.label[0], way.hero.tiles) for way in ways(hero, GOLEM, True)] == [("free", (FLUTE, HARP))]


def test_flute_lowers_all_later_damage():
    hero = go(hero_of("bard", "tunic", FLUTE), GOBLIN)
    assert go(hero, VAMPIRE).hp == 5
    assert go(hero, GOBLIN, VAMPIRE).hp == 6
    assert go(hero, (CUBE, FLUTE), VAMPIRE).hp == 5


def test_harp_limits_below_five_points_and_the_flute_still_counts():
    assert go(hero_of("bard", "hat", HARP), GOBLIN, DRAGON, LICH).hp == 1
    assert go(hero_of("bard", "hat", HARP), GOLEM).dead
    assert go(hero_of("bard", HARP, FLUTE), GOBLIN, LICH, DRAGON).hp == 2


def test_fairy_ally_and_cube():
    hero = hero_of("ninja", "ninjato", BOMB)
    assert labels(hero, FAIRY) == {("free", None, None)}
    assert labels(hero, ALLY) == {("helped", None, None)}
    assert go(hero, ALLY, GOLEM).hp == 3
    assert labels(hero, CUBE) == {("lost", "ninjato", None), ("lost", BOMB, None)}
    assert labels(hero_of("ninja"), CUBE) == {("free", None, None)}
    assert go(hero_of("ninja", "herbes-medicinales"), CUBE).hp == 6
    for card in (ALLY, CUBE):
        named = hero_of("warrior", "vorpal-sword", named={"vorpal-sword": card})
        assert labels(named, card) == {("ignored", "vorpal-sword", None)}
        assert go(named, card, GOBLIN).hp == 2


def test_mimic_counts_tiles_and_the_count_success_cards():
    assert go(hero_of("necromancer", "zombie", "cape", "sixth-tile"), MIMIC).hp == 8
    assert labels(hero_of("necromancer"), MIMIC) == {("free", None, None)}
    assert labels(hero_of("ninja", "wooden-shuriken"), COUNT) == {("ignored", "wooden-shuriken", None)}
    assert labels(hero_of("ninja", "wooden-shuriken", successes=1), COUNT) == {("hit", None, None)}
    assert go(hero_of("ninja", "wooden-shuriken", "etrange-concoction", "cape", successes=1), COUNT).hp == 3


@pytest.mark.parametrize(
    ("place", "with_shuriken", "with_pact", "hp"),
    [(4, "ignored", "hit", 7), (7, "hit", "used", 4), (8, "hit", "hit", 3), (10, "hit", "hit", 1)],
)
def test_shapeshifter_is_what_its_place_says(place, with_shuriken, with_pact, hp):
    before = [FAIRY] * (place - 1)
    for tile, expected in (("wooden-shuriken", with_shuriken), ("demonic-pact", with_pact)):
        (way,) = ways(go(hero_of("mage", tile), *before), SHAPESHIFTER, True)
        assert way.label[0] == expected
    assert go(hero_of("mage", "wall-of-fire", "cape"), *before, SHAPESHIFTER).hp == hp


def test_odds_by_hand():
    # Hit points 3 against one of 13 cards: goblins and skeletons can be borne, and a named kind.
    assert brute_odds("warrior", (), unknown=1) == pytest.approx(4 / 13)
    assert brute_odds("warrior", ("vorpal-sword",), unknown=1) == pytest.approx(6 / 13)
    assert brute_best("warrior", ("vorpal-sword",), unknown=1) == {"vorpal-sword": {ORC, VAMPIRE, GOLEM}}
    assert brute_odds("princess", ("l-epee-a-papa",), known=(GOLEM,)) == 0
    # The axe is for the dragon; the orc can be borne, the golem not.
    assert brute_odds("barbarian", ("vorpal-axe",), known=(DRAGON, ORC)) == 1
    assert brute_odds("barbarian", ("vorpal-axe",), known=(DRAGON, GOLEM)) == 0
    # Of the twelve cards that may come instead only a goblin can be borne.
    assert brute_odds("mage", ("polymorph",), known=(DRAGON,)) == pytest.approx(2 / 12)


def test_random_dungeons_agree_with_the_odds():
    facts = {"known": (GOLEM, DEMON), "aside": (ORC,), "unknown": 2, "specials": (CUBE, ALLY)}
    tiles = ("wall-of-fire", "demonic-pact", "polymorph", "omnipotence")
    referee = Referee(**facts)

    def choose(hero, revealed, swapped_in, found, position):
        turned = tuple(sorted(revealed))
        values = []
        for way in found:
            if way.hero is None:
                values.append(referee.value_of_swap(turned, hero, revealed[-1], way.label[1]))
            else:
                values.append(referee.value(turned, swapped_in, way.hero))
        return values.index(max(values))

    rng = random.Random(20)
    wins = sum(
        play_once("mage", tiles, {}, **facts, successes=0, rng=rng, choose=choose) for _ in range(3000)
    )
    odds = float(referee.odds(enter("mage", tiles, {}, 0)))
    assert 0 < odds < 1 and wins / 3000 == pytest.approx(odds, abs=0.04)
