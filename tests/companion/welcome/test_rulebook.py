"""Every example and every precision of the two rulebooks, as a hero meets them in the dungeon."""

import pytest

from companion.errors import IllegalEvent
from companion.welcome.delve import choices, choose, enter, is_over, name_kind, survived, swap, to_name, turn
from companion.welcome.kit import What
from companion.welcome.monsters import ORDINARY, Face, Monster
from companion.welcome.tiles import heroes, printed_tiles

GOBLIN, SKELETON, ORC, VAMPIRE = Monster.GOBLIN, Monster.SKELETON, Monster.ORC, Monster.VAMPIRE
GOLEM, LICH, DEMON, DRAGON = Monster.GOLEM, Monster.LICH, Monster.DEMON, Monster.DRAGON
FAIRY, ALLY, MIMIC, CUBE = Monster.FAIRY, Monster.ALLY, Monster.MIMIC, Monster.CUBE
COUNT, SHAPESHIFTER = Monster.COUNT, Monster.SHAPESHIFTER
AMULET, DANCING, FLUTE = "amulette-porte-bonheur", "epee-dansante", "charmeuse-de-gobelins"
HARP, BOMB, WAND = "harpe-elfique", "bombe-fumigene", "baguette-sanglante"
BONES, CROWN, SCEPTRE = "osselets-de-resurrection", "couronne-familiale", "sceptre-royal"
LEASH, PAPA = "laisse-de-dragon", "l-epee-a-papa"
TILES = printed_tiles()


def a_delve(hero, *tiles, named=None, successes=0):
    """Send a hero in; *named* gives the kinds by tile."""
    delve = enter(hero, tiles, TILES, successes=successes)
    for tile, kind in (named or {}).items():
        delve = name_kind(delve, tile, kind, TILES)
    return delve


def go(delve, *cards):
    """Turn cards: a monster each, or with the tile to use or lose (and another); else the blow is taken."""
    for each in cards:
        card, tile, other = (*each, None, None)[:3] if isinstance(each, tuple) else (each, None, None)
        delve = turn(delve, card, TILES, pile=True)
        if delve.facing is None:
            assert tile in (None, delve.met[-1].tile)
        else:
            ways = choices(delve, TILES, pile=True)
            (way,) = [way for way in ways if (way.tile, way.other) == (tile, other)]
            delve = choose(delve, way, TILES)
    return delve


def offered(delve, card):
    """Turn a card, and return what can be chosen: the tile, and what it costs; None twice is the blow."""
    delve = turn(delve, card, TILES, pile=True)
    return {(way.tile, way.other) for way in choices(delve, TILES, pile=True)}


def polymorphed(delve, card, drawn):
    """Turn a card and swap it for another."""
    delve = turn(delve, card, TILES, pile=True)
    (way,) = [way for way in choices(delve, TILES, pile=True) if way.what is What.SWAPPED]
    return swap(delve, way, drawn, TILES)


def outcome(delve):
    """Return how the last monster was met, and by which tile."""
    return delve.met[-1].what, delve.met[-1].tile


# Hit points and the end of the dungeon


@pytest.mark.parametrize("hero", heroes())
def test_hit_points_are_those_of_the_adventurer_and_of_the_tiles_left(hero):
    assert a_delve(hero).hp == {"barbarian": 4, "mage": 2, "princess": 2, "necromancer": 2}.get(hero, 3)
    assert a_delve(hero, *heroes()[hero].tiles).hp == {"princess": 10, "bard": 10}.get(hero, 11)


@pytest.mark.parametrize(("kind", "strength"), [*zip(ORDINARY, (1, 2, 3, 4, 5, 6, 7, 9), strict=True)])
def test_a_monster_that_nothing_ignores_costs_its_strength(kind, strength):
    assert go(a_delve("mage", "wall-of-fire", "bracelet-of-protection"), kind).hp == 11 - strength


def test_an_ignored_monster_costs_nothing():
    delve = go(a_delve("warrior", "torch", "dragon-spear"), ORC, DRAGON)
    assert (delve.hp, outcome(delve)) == (3, (What.IGNORED, "dragon-spear"))


def test_damage_just_below_the_hit_points_is_survived():
    delve = go(a_delve("warrior"), SKELETON)
    assert (delve.hp, survived(delve, TILES)) == (1, True)


@pytest.mark.parametrize("card", [ORC, DRAGON])
def test_damage_equal_to_the_hit_points_or_more_is_death_and_the_end(card):
    delve = go(a_delve("warrior"), card)
    assert delve.fallen and is_over(delve, TILES) and not survived(delve, TILES)
    with pytest.raises(IllegalEvent, match="The hero has fallen"):
        go(delve, GOBLIN)


# Precisions of the first rulebook


def test_the_ring_ignores_a_skeleton_and_adds_its_two_points():
    delve = go(a_delve("rogue", "ring-of-power"), SKELETON)
    assert (delve.hp, outcome(delve)) == (3 + 2, (What.IGNORED, "ring-of-power"))


def test_a_kind_is_named_before_the_first_card_is_turned():
    unnamed = a_delve("warrior", "vorpal-sword")
    assert to_name(unnamed, TILES) == ("vorpal-sword",)
    with pytest.raises(IllegalEvent, match="First a monster is named"):
        go(unnamed, SKELETON)


@pytest.mark.parametrize(("hero", "tile"), [("warrior", "vorpal-sword"), ("rogue", "vorpal-dagger")])
def test_both_skeletons_are_ignored_when_skeletons_were_named(hero, tile):
    delve = go(a_delve(hero, tile, named={tile: SKELETON}), SKELETON, SKELETON)
    assert (delve.hp, [met.tile for met in delve.met]) == (3, [tile, tile])
    assert go(delve, GOBLIN).hp == 2


def test_the_axe_ignores_one_monster_and_is_gone():
    assert offered(a_delve("barbarian", "vorpal-axe"), DRAGON) == {("vorpal-axe", None), (None, None)}
    delve = go(a_delve("barbarian", "vorpal-axe"), (DRAGON, "vorpal-axe"))
    assert (delve.hp, delve.kit.tiles) == (4, ())
    assert go(delve, DRAGON).fallen


def test_the_axe_is_decided_about_before_the_next_monster_is_seen():
    waiting = turn(a_delve("barbarian", "vorpal-axe"), ORC, TILES, pile=True)
    with pytest.raises(IllegalEvent, match="First say what happens"):
        turn(waiting, GOBLIN, TILES, pile=True)
    assert go(a_delve("barbarian", "vorpal-axe"), ORC, (DRAGON, "vorpal-axe")).hp == 1


def test_omnipotence_wins_with_different_monsters_though_the_hero_fell():
    delve = go(a_delve("mage", "omnipotence"), DRAGON, GOBLIN, LICH)
    assert delve.fallen and survived(delve, TILES)


@pytest.mark.parametrize("cards", [(DRAGON, GOBLIN, GOBLIN), (GOBLIN, GOBLIN), (ORC, ORC)])
def test_omnipotence_loses_with_two_equal_monsters(cards):
    delve = go(a_delve("mage", "omnipotence"), *cards)
    assert delve.fallen and not survived(delve, TILES)


def test_with_omnipotence_cards_are_turned_to_the_end_after_death():
    delve = go(a_delve("mage", "omnipotence"), DRAGON)
    assert not is_over(delve, TILES)
    delve = go(delve, ORC, CUBE)
    assert [met.what for met in delve.met] == [What.HIT, What.SEEN, What.SEEN]
    assert survived(delve, TILES)


def test_omnipotence_looks_only_at_monsters_that_were_in_the_dungeon():
    delve = polymorphed(a_delve("mage", "polymorph", "omnipotence"), DRAGON, ORC)
    assert delve.fallen and survived(go(delve, ORC), TILES)
    assert not survived(go(delve, ORC, ORC), TILES)


def test_the_pact_ignores_the_demon_and_the_next_monster():
    delve = go(a_delve("mage", "demonic-pact"), DEMON, DRAGON)
    assert [met.what for met in delve.met] == [What.USED, What.FREE]
    assert (delve.hp, delve.kit.tiles) == (2, ())
    assert go(delve, GOBLIN).hp == 1


def test_the_pact_ignores_the_demon_alone_when_it_comes_last():
    delve = go(a_delve("mage", "demonic-pact"), GOBLIN, DEMON)
    assert delve.hp == 1 and survived(delve, TILES)


def test_polymorph_needs_a_draw_pile():
    assert offered(a_delve("mage", "polymorph"), DRAGON) == {("polymorph", None), (None, None)}
    assert turn(a_delve("mage", "polymorph"), DRAGON, TILES, pile=False).fallen


@pytest.mark.parametrize(("card", "hp"), [(GOBLIN, 7), (DEMON, 1), (DRAGON, 0)])
def test_the_monster_that_polymorph_brings_is_met(card, hp):
    delve = polymorphed(a_delve("mage", "wall-of-fire", "polymorph"), LICH, card)
    assert (delve.hp, delve.kit.tiles) == (hp, ("wall-of-fire",))
    assert (delve.turned, delve.swapped_in) == ((LICH,), (card,))


def test_what_polymorph_brings_can_be_ignored_by_another_tile():
    delve = polymorphed(a_delve("mage", "holy-grail", "polymorph"), DRAGON, LICH)
    assert (delve.hp, outcome(delve)) == (2, (What.IGNORED, "holy-grail"))


@pytest.mark.parametrize(("hero", "hp"), [("barbarian", 4), ("rogue", 3)])
@pytest.mark.parametrize("cards", [(DRAGON,), (GOBLIN, DRAGON), (VAMPIRE, ORC)])
def test_the_potion_brings_back_with_the_points_of_the_adventurer_tile(hero, hp, cards):
    delve = go(a_delve(hero, "healing-potion", "buckler"), *cards)
    assert (delve.hp, delve.kit.tiles, delve.fallen) == (hp, ("buckler",), False)
    assert delve.met[-1].revived_by == "healing-potion"
    assert go(delve, DRAGON).fallen


# Precisions of the second rulebook


def test_bones_bring_back_several_times():
    delve = go(a_delve("necromancer", "cape", BONES), DEMON, DRAGON, LICH)
    assert [met.hp for met in delve.met] == [4, 3, 2]


def test_bones_are_useless_with_one_point_at_death():
    delve = go(a_delve("necromancer", BONES), DRAGON)
    assert (delve.hp, go(delve, GOBLIN).fallen) == (1, True)


def test_bones_work_again_after_points_were_regained():
    delve = go(a_delve("necromancer", BONES, WAND), DRAGON, VAMPIRE, DEMON)
    assert [met.hp for met in delve.met] == [1, 5, 4]


def test_the_bomb_costs_another_tile_of_ones_choice():
    delve = a_delve("ninja", "herbes-medicinales", BOMB, "ninjato")
    assert offered(delve, LICH) == {(BOMB, "herbes-medicinales"), (BOMB, "ninjato"), (None, None)}
    delve = go(delve, (LICH, BOMB, "herbes-medicinales"))
    assert (delve.hp, delve.kit.tiles) == (6, ("ninjato",))


def test_the_bomb_cannot_be_used_as_the_last_tile():
    delve = turn(a_delve("ninja", BOMB), SKELETON, TILES, pile=True)
    assert (delve.facing, delve.hp, delve.kit.tiles) == (None, 1, (BOMB,))


@pytest.mark.parametrize(("card", "cost"), [(GOBLIN, 0), (SKELETON, 0), (VAMPIRE, 2), (LICH, 4)])
def test_with_the_crown_a_vampire_costs_two_points_and_weak_monsters_nothing(card, cost):
    assert go(a_delve("princess", "soupirant", CROWN), card).hp == 7 - cost


@pytest.mark.parametrize("tile", ["wooden-shuriken", SCEPTRE, "holy-grail"])
def test_with_the_crown_a_vampire_stays_an_even_vampire(tile):
    delve = go(a_delve("princess", "soupirant", CROWN, tile), VAMPIRE, VAMPIRE)
    assert outcome(delve) == (What.IGNORED, tile)
    assert delve.met[-1].face == Face(4, VAMPIRE)


@pytest.mark.parametrize("kind", Monster)
def test_for_daddys_sword_a_kind_of_strength_five_six_or_seven_is_named(kind):
    if kind in (GOLEM, LICH, DEMON):
        assert go(a_delve("princess", PAPA, named={PAPA: kind}), kind, kind).hp == 2
        return
    with pytest.raises(IllegalEvent, match="cannot be named for that tile"):
        a_delve("princess", PAPA, named={PAPA: kind})


def test_the_sceptre_ignores_the_second_of_a_kind():
    delve = go(a_delve("princess", "soupirant", "chaperon", SCEPTRE), VAMPIRE, ORC, VAMPIRE)
    assert (delve.hp, outcome(delve)) == (10 - 4 - 3, (What.IGNORED, SCEPTRE))


@pytest.mark.parametrize(
    "cards",
    [(VAMPIRE, VAMPIRE, COUNT), (COUNT, VAMPIRE, VAMPIRE), (VAMPIRE, FAIRY, VAMPIRE, SHAPESHIFTER)],
)
def test_the_sceptre_ignores_the_third_of_a_kind_as_well(cards):
    delve = go(a_delve("princess", "soupirant", SCEPTRE), *cards)
    assert (delve.hp, outcome(delve)) == (7 - 4, (What.IGNORED, SCEPTRE))


@pytest.mark.parametrize(
    "cards", [(ALLY, VAMPIRE, VAMPIRE), ((DRAGON, LEASH), GOLEM, GOLEM), (ORC, (CUBE, "torch"), ORC)]
)
def test_the_sceptre_counts_a_first_one_that_was_ignored(cards):
    delve = go(a_delve("princess", "torch", LEASH, SCEPTRE), *cards)
    assert (delve.hp, outcome(delve)) == (2, (What.IGNORED, SCEPTRE))


@pytest.fixture
def after_vampire_and_demon():
    """The amulet's example up to the third monster."""
    delve = a_delve("bard", "tunic", AMULET, DANCING)
    assert offered(delve, VAMPIRE) == {(AMULET, None), (None, None)}
    delve = go(delve, (VAMPIRE, AMULET))
    assert offered(delve, DEMON) == {(DANCING, None), (None, None)}
    return go(delve, (DEMON, DANCING))


def test_the_amulet_stays_when_the_dancing_sword_ignores_the_demon(after_vampire_and_demon):
    assert (after_vampire_and_demon.hp, after_vampire_and_demon.kit.tiles) == (8, ("tunic", AMULET))


@pytest.mark.parametrize("card", [SKELETON, LICH, FAIRY])
def test_the_amulet_then_ignores_the_next_even_monster(after_vampire_and_demon, card):
    delve = go(after_vampire_and_demon, card)
    assert outcome(delve) == (What.IGNORED, AMULET)
    assert (delve.hp, delve.kit.tiles) == (8, ("tunic", AMULET))


@pytest.mark.parametrize("card", [GOBLIN, GOLEM])
def test_the_amulet_is_then_lost_to_the_next_odd_monster(after_vampire_and_demon, card):
    delve = go(after_vampire_and_demon, card)
    assert delve.kit.tiles == ("tunic",)
    assert go(delve, SKELETON).hp == delve.hp - 2


def test_the_amulet_may_wait_for_a_later_even_monster():
    delve = go(a_delve("bard", "tunic", AMULET), ORC, SKELETON)
    assert (delve.hp, delve.kit.tiles) == (3, ("tunic", AMULET))
    assert offered(delve, LICH) == {(AMULET, None), (None, None)}


def test_the_flute_ignores_goblins_and_each_lowers_later_damage_by_one():
    delve = a_delve("bard", "tunic", FLUTE)
    assert go(delve, VAMPIRE, GOBLIN).hp == 8 - 4
    assert go(delve, GOBLIN, VAMPIRE).hp == 8 - 3
    assert go(delve, GOBLIN, GOBLIN, VAMPIRE, GOLEM).hp == 8 - 2 - 3


def test_a_vampire_stays_an_even_monster_of_strength_four_for_the_flute():
    delve = go(a_delve("bard", "tunic", FLUTE, AMULET), GOBLIN)
    assert offered(delve, VAMPIRE) == {(AMULET, None), (None, None)}
    assert go(delve, VAMPIRE).met[-1].face == Face(4, VAMPIRE)


@pytest.mark.parametrize(("card", "cost"), [(ORC, 1), (DRAGON, 1), (SKELETON, 2), (LICH, 2), (FAIRY, 0)])
def test_below_five_points_the_harp_lets_odd_monsters_deal_one_and_even_ones_two(card, cost):
    assert go(a_delve("bard", HARP), card).hp == 3 - cost
    assert go(a_delve("bard", "hat", HARP), GOBLIN, card).hp == 4 - cost


def test_at_exactly_five_points_the_harp_is_silent():
    assert go(a_delve("bard", "hat", HARP), VAMPIRE).hp == 5 - 4


def test_the_flute_lowers_what_the_harp_leaves():
    assert go(a_delve("bard", FLUTE, HARP), GOBLIN, DRAGON, LICH).hp == 3 - 0 - 1
    assert go(a_delve("bard", FLUTE, HARP), GOBLIN, GOBLIN, LICH).hp == 3


def test_the_leash_ignores_the_dragon_and_the_next_monster_and_is_gone():
    assert offered(a_delve("princess", LEASH), DRAGON) == {(LEASH, None), (None, None)}
    delve = go(a_delve("princess", LEASH), (DRAGON, LEASH), DEMON)
    assert (delve.hp, delve.kit.tiles, outcome(delve)) == (2, (), (What.FREE, None))
    assert go(delve, GOBLIN).hp == 1


# Special monsters


def test_the_fairy_is_an_even_monster_of_strength_zero():
    assert go(a_delve("bard"), FAIRY).hp == 3
    assert outcome(go(a_delve("warrior", "holy-grail"), FAIRY)) == (What.IGNORED, "holy-grail")


@pytest.mark.parametrize("tile", ["torch", "holy-grail", AMULET, DANCING, "vorpal-axe"])
@pytest.mark.parametrize("card", [ALLY, CUBE])
def test_ally_and_cube_have_neither_strength_nor_parity(card, tile):
    delve = go(a_delve("bard", tile), (card, tile) if card is CUBE else card)
    assert delve.met[-1].face.strength is None and delve.met[-1].face.is_even is None
    assert delve.met[-1].what is {ALLY: What.HELPED, CUBE: What.LOST}[card]


@pytest.mark.parametrize("card", [DRAGON, CUBE, MIMIC])
def test_the_ally_ignores_the_next_monster_and_no_other(card):
    delve = go(a_delve("bard", HARP), ALLY, card)
    assert (delve.hp, delve.kit.tiles, outcome(delve)) == (3, (HARP,), (What.FREE, None))
    assert go(delve, SKELETON).hp == 1


@pytest.mark.parametrize("count", range(7))
def test_the_mimic_is_as_strong_as_tiles_are_left(count):
    delve = go(a_delve("necromancer", *heroes()["necromancer"].tiles[:count]), MIMIC)
    assert delve.met[-1].face.strength == -delve.met[-1].change == count


def test_the_cube_takes_a_tile_of_ones_choice():
    delve = a_delve("ninja", "herbes-medicinales", "ninjato")
    assert offered(delve, CUBE) == {("herbes-medicinales", None), ("ninjato", None)}
    delve = go(delve, (CUBE, "herbes-medicinales"))
    assert (delve.hp, delve.kit.tiles) == (6, ("ninjato",))


def test_the_cube_does_nothing_when_no_tile_is_left():
    delve = go(a_delve("ninja"), CUBE)
    assert (delve.hp, delve.facing, outcome(delve)) == (3, None, (What.LOST, None))


def test_the_count_is_a_vampire_of_strength_four_without_a_success_card():
    assert go(a_delve("ninja", "etrange-concoction"), COUNT).hp == 8 - 4
    assert outcome(go(a_delve("ninja", "wooden-shuriken"), COUNT)) == (What.IGNORED, "wooden-shuriken")


def test_the_count_is_no_vampire_and_has_strength_eight_with_a_success_card():
    delve = go(a_delve("ninja", "etrange-concoction", "cape", "wooden-shuriken", successes=1), COUNT)
    assert (delve.hp, delve.met[-1].face) == (11 - 8, Face(8, None))


@pytest.mark.parametrize(
    ("place", "kind"), [(1, GOBLIN), (4, VAMPIRE), (7, DEMON), (8, None), (9, None), (10, None)]
)
def test_the_shapeshifter_is_what_its_place_says(place, kind):
    delve = go(a_delve("mage", "wall-of-fire", "cape"), *[FAIRY] * (place - 1), SHAPESHIFTER)
    assert (delve.met[-1].face, delve.hp) == (Face(place, kind), 11 - place)


@pytest.mark.parametrize(("place", "tile"), [(4, WAND), (7, "demonic-pact")])
def test_tiles_against_a_kind_work_against_the_shapeshifter_in_its_place(place, tile):
    delve = go(a_delve("mage", "wall-of-fire", tile), *[FAIRY] * (place - 1))
    assert outcome(go(delve, SHAPESHIFTER))[1] == tile
    assert go(delve, FAIRY, SHAPESHIFTER).met[-1].what is What.HIT
