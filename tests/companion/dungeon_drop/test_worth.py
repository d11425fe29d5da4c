"""What a loot does to a hero, by hand and against every way to use shields and potions."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from companion.dungeon_drop import worth
from companion.dungeon_drop.hero import GemValues, Hero
from companion.dungeon_drop.holdings import Held, Reserve
from companion.dungeon_drop.pieces import Kind, Size
from companion.dungeon_drop.quests import Term, What, When
from companion.dungeon_drop.worth import judge
from tests.companion.dungeon_drop.heroes import (
    a_hero,
    a_loot,
    a_reserve,
    a_rival,
    heroes,
    judge_all,
    judge_one,
    loot_rows,
    loots,
    random_hero,
    random_loot,
    slow_judge,
)


def used(verdict):
    return verdict.shields, verdict.potions


# What cubes are worth


@pytest.mark.parametrize(
    ("loot", "gain"),
    [
        pytest.param({}, 0, id="nothing"),
        pytest.param({"gold": 1}, 1, id="gold"),
        pytest.param({"gold": 5}, 5, id="five gold"),
        pytest.param({"gem_clear": 1}, 1, id="clear gem"),
        pytest.param({"gem_blue": 2}, 4, id="two blue gems"),
        pytest.param({"gem_pink": 3}, 9, id="three pink gems"),
        pytest.param({"troll": 1}, 2, id="troll"),
        pytest.param({"troll": 3}, 6, id="three trolls"),
        pytest.param({"goblin": 4}, 0, id="goblins"),
        pytest.param({"key": 1}, 0, id="key"),
        pytest.param({"chest": 1}, 0, id="chest"),
        pytest.param({"key": 1, "chest": 1}, 3.5, id="key and chest"),
        pytest.param({"key": 3, "chest": 2}, 7, id="one key too many"),
        pytest.param({"key": 2, "chest": 6}, 7, id="four chests too many"),
        pytest.param({"potion": 2}, 0, id="potions"),
        pytest.param({"shield": 2}, 0, id="shields"),
        pytest.param({"relic": 2}, 0, id="relics"),
        pytest.param({"stairs": 1}, 0, id="stairs"),
        pytest.param({"gold": 2, "gem_pink": 1, "key": 1, "chest": 1, "troll": 1}, 10.5, id="a bit of all"),
    ],
)
def test_each_cube_is_worth_what_the_rules_say(loot, gain):
    assert judge_one(a_hero(), **loot).gain == gain


@pytest.mark.parametrize("sizes", [("small", "small"), ("small", "large"), ("large", "large")])
def test_small_and_large_cubes_are_worth_the_same(sizes):
    one, other = sizes
    loot = a_loot(("gold", one), ("gold", other), ("gem_blue", one), ("key", other), chest=1)

    assert judge_all(a_hero(), [loot])[0].gain == 1 + 1 + 2 + 3.5


def test_gems_are_worth_what_the_quest_says():
    hero = a_hero(gems=(0, 2.5, -1))

    assert judge_one(hero, gem_clear=4).gain == 0
    assert judge_one(hero, gem_blue=2).gain == 5
    assert judge_one(hero, gem_pink=3).gain == -3


def test_who_does_not_know_the_quest_takes_every_gem_for_the_mean():
    assert GemValues(1, 2, 6).unknown == GemValues(3, 3, 3)
    assert judge_one(Hero(gem_values=GemValues(1, 2, 6).unknown), gem_clear=1, gem_pink=1).gain == 6


def test_a_key_in_the_reserve_opens_a_chest_of_the_room():
    assert judge_one(a_hero(key=1), chest=1).gain == 3.5


def test_a_chest_in_the_reserve_is_opened_by_a_key_of_the_room():
    assert judge_one(a_hero(chest=2), key=1).gain == 3.5


def test_a_pair_of_the_reserve_is_not_gained_again():
    assert judge_one(a_hero(key=1, chest=1), gold=1).gain == 1
    assert judge_one(a_hero(key=1, chest=1), chest=1).gain == 0
    assert judge_one(a_hero(key=1, chest=1), key=1, chest=1).gain == 3.5


def test_leftover_keys_meet_chests_of_the_room():
    hero = a_hero(key=3, chest=1)

    assert [judge_one(hero, chest=count).gain for count in range(5)] == [0, 3.5, 7, 7, 7]


def test_what_is_already_in_the_reserve_is_not_gained():
    assert judge_one(a_hero(gold=7, troll=2, gem_pink=3), gold=1).gain == 1


# Damage


@pytest.mark.parametrize(
    ("loot", "damage"),
    [
        pytest.param({"gold": 3}, 0, id="no monster"),
        pytest.param({"goblin": 1}, 1, id="goblin"),
        pytest.param({"troll": 1}, 2, id="troll"),
        pytest.param({"goblin": 3, "troll": 2}, 7, id="five monsters"),
    ],
)
def test_monsters_cover_hit_points(loot, damage):
    verdict = judge_one(a_hero(9), **loot)

    assert (verdict.damage, verdict.hp_left, verdict.allowed) == (damage, 9 - damage, True)


@pytest.mark.parametrize("hp", [1, 7, 8, 9, 20])
def test_the_last_hit_point_is_never_spent(hp):
    goblins = [a_loot(goblin=count) for count in range(hp + 3)]

    allowed = [verdict.allowed for verdict in judge_all(a_hero(hp), goblins)]

    assert allowed == [True] * hp + [False] * 3


def test_earlier_damage_counts():
    assert judge_one(a_hero(8, 6), goblin=1).allowed
    assert not judge_one(a_hero(8, 6), goblin=2).allowed
    assert not judge_one(a_hero(8, 6), troll=1).allowed
    assert not judge_one(a_hero(8, 7), goblin=1).allowed
    assert judge_one(a_hero(8, 7), gold=1).allowed


def test_a_hero_with_one_hit_point_left_may_take_treasure():
    verdict = judge_one(a_hero(7, 6), gold=2)

    assert (verdict.gain, verdict.hp_left, verdict.allowed) == (2, 1, True)


@pytest.mark.parametrize("hp", [8, 9, 10, 20, 100])
def test_a_dragon_without_a_shield_is_never_allowed(hp):
    verdict = judge_one(a_hero(hp, potion=2), dragon=1)

    assert not verdict.allowed
    assert verdict.damage == 8
    assert used(verdict) == (0, 0)


def test_a_potion_does_not_stand_in_for_the_shield_a_dragon_needs():
    assert not judge_one(a_hero(20, 6, potion=2), dragon=1).allowed


def test_a_shield_takes_the_dragon_at_no_damage():
    verdict = judge_one(a_hero(2, 1, shield=1), dragon=1)

    assert verdict == (8, 0, 1, 1, 0, 0, True)


def test_two_dragons_would_need_two_shields():
    loot = a_loot(dragon=2)

    assert not judge_all(a_hero(40, shield=1), [loot])[0].allowed
    assert used(judge_all(a_hero(40, shield=2), [loot])[0]) == (2, 0)


# Shields and potions


def test_a_shield_collected_in_this_loot_does_not_help():
    assert not judge_one(a_hero(20), dragon=1, shield=2).allowed
    assert not judge_one(a_hero(2), troll=1, shield=2).allowed


def test_a_potion_collected_in_this_loot_does_not_help():
    assert not judge_one(a_hero(8, 6), goblin=2, potion=2).allowed
    assert judge_one(a_hero(8, 6, potion=1), goblin=2).allowed


def test_a_potion_does_not_heal_damage_that_comes_with_the_loot():
    assert not judge_one(a_hero(8, 0, potion=2), goblin=8).allowed
    assert not judge_one(a_hero(8, 1, potion=2), goblin=8).allowed
    assert judge_one(a_hero(8, 1, potion=2), goblin=7).allowed


def test_a_potion_heals_three_of_the_damage_there_is():
    assert judge_one(a_hero(8, 5, potion=1), goblin=5) == (0, 5, 1, 0, 1, 0, True)
    assert not judge_one(a_hero(8, 5, potion=1), goblin=6).allowed


@pytest.mark.parametrize(("damage", "hp_left"), [(1, 1), (2, 1), (3, 1), (4, 1)])
def test_a_potion_never_heals_more_than_there_is(damage, hp_left):
    most = 8 - 1 - max(0, damage - 3)

    verdict = judge_one(a_hero(8, damage, potion=1), goblin=most)

    assert (verdict.allowed, verdict.hp_left, verdict.potions) == (True, hp_left, 1)
    assert not judge_one(a_hero(8, damage, potion=1), goblin=most + 1).allowed


def test_healed_and_stopped_monsters_still_score():
    assert judge_one(a_hero(8, 7, troll=3, potion=1), troll=1).gain == 2
    assert judge_one(a_hero(8, 7, troll=3, shield=1), troll=1).gain == 2


def test_nothing_is_used_where_nothing_is_needed():
    assert used(judge_one(a_hero(8, 3, shield=2, potion=2), goblin=2, troll=1)) == (0, 0)
    assert used(judge_one(a_hero(8, 7, shield=2, potion=2), gold=9)) == (0, 0)


def test_a_shield_stops_one_monster():
    assert used(judge_one(a_hero(8, 7, shield=2), goblin=1)) == (1, 0)
    assert used(judge_one(a_hero(8, 7, shield=2), goblin=2)) == (2, 0)
    assert not judge_one(a_hero(8, 7, shield=2), goblin=3).allowed


def test_a_shield_stops_the_most_damaging_monster():
    verdict = judge_one(a_hero(4, shield=1), goblin=2, troll=1)

    assert (verdict.damage, verdict.hp_left, verdict.shields) == (2, 2, 1)


def test_the_dragon_takes_the_shield_from_a_troll():
    assert judge_one(a_hero(8, shield=1), dragon=1, troll=1).damage == 2
    assert judge_one(a_hero(8, shield=2), dragon=1, troll=1).shields == 1
    assert judge_one(a_hero(2, shield=2), dragon=1, troll=1)[1:6] == (0, 2, 2, 0, 0)


def test_a_shield_is_used_where_a_potion_would_not_do():
    verdict = judge_one(a_hero(8, 1, shield=1, potion=2), troll=4)

    assert (used(verdict), verdict.damage, verdict.hp_left) == ((1, 0), 6, 1)


def test_a_potion_is_used_where_a_shield_would_not_do():
    verdict = judge_one(a_hero(8, 5, shield=2, potion=1), goblin=5)

    assert (used(verdict), verdict.damage, verdict.hp_left) == ((0, 1), 5, 1)


def test_both_together_may_be_needed():
    verdict = judge_one(a_hero(8, 7, shield=1, potion=1), troll=2)

    assert (used(verdict), verdict.damage, verdict.hp_left) == ((1, 1), 2, 2)


def test_of_a_shield_and_a_potion_the_one_that_leaves_more_hit_points_is_used():
    one_before = judge_one(a_hero(4, 1, shield=1, potion=1), troll=1, goblin=1)
    three_before = judge_one(a_hero(5, 3, shield=1, potion=1), troll=1)

    assert (used(one_before), one_before.hp_left) == ((1, 0), 2)
    assert (used(three_before), three_before.hp_left) == ((0, 1), 3)


def test_of_a_shield_and_a_potion_that_do_the_same_the_potion_is_used():
    verdict = judge_one(a_hero(4, 2, shield=1, potion=1), troll=1)

    assert (used(verdict), verdict.hp_left) == ((0, 1), 2)


def test_the_tie_is_broken_among_equally_many_of_both():
    verdict = judge_one(a_hero(8, 7, shield=2, potion=2), troll=2, goblin=1)

    assert (used(verdict), verdict.damage, verdict.hp_left) == ((0, 2), 5, 2)


def test_two_potions_may_be_needed():
    assert used(judge_one(a_hero(8, 7, potion=2), troll=2)) == (0, 2)
    assert not judge_one(a_hero(8, 7, potion=1), troll=2).allowed


def test_a_potion_that_heals_nothing_more_is_not_drunk():
    assert used(judge_one(a_hero(8, 3, shield=1, potion=3), troll=4)) == (1, 1)


def test_with_all_there_is_still_too_much_nothing_is_used():
    verdict = judge_one(a_hero(8, 7, shield=1, potion=1), troll=4)

    assert verdict == (8, 8, -7, 0, 0, 2, False)


def test_a_forbidden_dragon_uses_no_potion():
    assert judge_one(a_hero(9, 3, potion=2), dragon=1, gold=1) == (9, 8, -2, 0, 0, 3, False)


def test_a_hero_keeps_what_is_not_needed():
    assert judge_one(a_hero(8, 7, shield=2, potion=2), goblin=1).weight == 3


# Weight


@pytest.mark.parametrize(
    "kind", ["gold", "key", "chest", "gem_clear", "gem_blue", "gem_pink", "potion", "shield", "relic"]
)
def test_treasure_weighs(kind):
    assert judge_one(a_hero(gold=1), **{kind: 2}).weight == 3
    assert judge_one(a_hero(**{kind: 2}), gold=1).weight == 3


def test_monsters_do_not_weigh():
    assert judge_one(a_hero(20, goblin=3, troll=1, shield=1), goblin=2, troll=1).weight == 1


def test_stairs_and_pillars_are_not_collected():
    with_stairs = judge_one(a_hero(), ("pillar", "small"), ("pillar", "large"), gold=1, stairs=1)

    assert with_stairs == judge_one(a_hero(), gold=1)


def test_used_shields_and_potions_no_longer_weigh():
    assert judge_one(a_hero(8, 7, gold=3, shield=1, potion=1), goblin=1).weight == 4
    assert judge_one(a_hero(8, 7, gold=3, shield=2), goblin=2).weight == 3
    assert judge_one(a_hero(8, shield=1), dragon=1, shield=1, potion=1).weight == 2


def test_a_reserve_knows_its_weight():
    reserve = Reserve(
        (Held(Kind.GOLD, 2), Held(Kind.GOLD, 1, Size.LARGE), Held(Kind.TROLL, 3), Held(Kind.KEY, 1))
    )

    assert (reserve.weight, reserve.count(Kind.GOLD), reserve.count(Kind.CHEST)) == (4, 3, 0)
    assert a_reserve(gold=2, goblin=1, key=0) == Reserve((Held(Kind.GOLD, 2), Held(Kind.GOBLIN, 1)))


# Many loots at once


def test_no_loots_have_no_effects():
    assert judge_all(a_hero(8, 3, shield=1, potion=1), []) == []


def test_judging_leaves_the_loots_alone():
    hero = a_hero(8, 7, shield=2, potion=2, bonus=(Term(1, When.EACH, What.CUBES, (Kind.GOLD,), Size.SMALL),))
    rows = loot_rows(hero, [a_loot(goblin=2, gold=1), a_loot(dragon=1)])
    before = rows.copy()

    judge(rows, hero)

    assert np.array_equal(rows, before)


def test_a_loot_is_judged_the_same_in_any_company():
    rng = random.Random(4)

    for _ in range(40):
        hero, several = random_hero(rng), [random_loot(rng) for _ in range(15)]
        assert judge_all(hero, several) == [judge_all(hero, [loot])[0] for loot in several]


def test_loots_judged_in_blocks_are_judged_alike(monkeypatch):
    rng = random.Random(5)
    hero = replace(random_hero(rng), reserve=a_reserve(shield=2, potion=2))
    several = [random_loot(rng) for _ in range(50)]
    together = judge_all(hero, several)

    monkeypatch.setattr(worth, "BLOCK", 30)

    assert judge_all(hero, several) == together


# Every way to use shields and potions


def agree(found, expected):
    return found[1:] == expected[1:] and found.gain == pytest.approx(expected.gain, abs=1e-6)


@settings(max_examples=300, deadline=None)
@given(heroes, loots)
def test_the_best_of_all_defences_is_found(hero, loot):
    assert agree(judge_all(hero, [loot])[0], slow_judge(hero, loot))


@pytest.mark.parametrize("seed", range(10))
def test_many_loots_of_many_heroes_agree_with_all_defences(seed):
    rng = random.Random(seed)

    for _ in range(30):
        hero, several = random_hero(rng), [random_loot(rng) for _ in range(40)]
        for loot, found in zip(several, judge_all(hero, several), strict=True):
            assert agree(found, slow_judge(hero, loot)), (hero, loot, found)


def test_every_small_case_of_monsters_agrees_with_all_defences():
    fights = [
        a_loot(goblin=goblins, troll=trolls, dragon=dragons)
        for goblins in range(5)
        for trolls in range(3)
        for dragons in range(2)
    ]

    for hp in (1, 2, 4, 7, 9):
        for damage in range(hp):
            for shields, potions in ((0, 0), (0, 2), (1, 0), (1, 1), (2, 2)):
                hero = a_hero(hp, damage, shield=shields, potion=potions)
                assert judge_all(hero, fights) == [slow_judge(hero, fight) for fight in fights]


@settings(max_examples=60, deadline=None)
@given(heroes, loots)
def test_treasure_never_changes_what_a_fight_costs(hero, loot):
    found = judge_all(hero, [loot, (*loot, *a_loot(gold=1, shield=1, potion=1, stairs=1))])

    assert found[0][1:5] == found[1][1:5]
    assert found[0].weight + 3 == found[1].weight


@settings(max_examples=60, deadline=None)
@given(heroes, loots)
def test_another_monster_never_makes_a_loot_allowed(hero, loot):
    allowed = [verdict.allowed for verdict in judge_all(hero, [loot, (*loot, *a_loot(goblin=1))])]

    assert allowed != [False, True]


@settings(max_examples=60, deadline=None)
@given(heroes, loots)
def test_another_shield_or_potion_never_forbids_a_loot(hero, loot):
    allowed = judge_all(hero, [loot])[0].allowed
    held = (*hero.reserve.held, Held(Kind.SHIELD, 1), Held(Kind.POTION, 1))

    assert judge_all(replace(hero, reserve=Reserve(held)), [loot])[0].allowed >= allowed


@settings(max_examples=60, deadline=None)
@given(heroes, loots)
def test_without_rivals_and_bonus_the_gain_does_not_depend_on_the_fight(hero, loot):
    plain = replace(hero, bonus=(), rivals=())
    rested = replace(plain, hit_points=99, damage=0)

    assert judge_all(plain, [loot])[0].gain == judge_all(rested, [loot])[0].gain


def test_rivals_do_not_matter_without_a_bonus():
    assert judge_one(a_hero(rivals=(a_rival(gold=9),)), gold=2) == judge_one(a_hero(), gold=2)
