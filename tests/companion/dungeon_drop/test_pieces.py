"""The box as the rules count it: how many pieces of which size, what they score and how much they hurt."""

from math import comb

import pytest

from companion.dungeon_drop.pieces import (
    CHEST_WORTH,
    COLLECTED,
    DAMAGE,
    GEMS,
    IN_THE_BOX,
    MONSTERS,
    POTION_HEALS,
    SCORE,
    TREASURES,
    Kind,
    Sides,
    Size,
)

# Kind: small, large, huge, as printed.
PRINTED = {
    "gold": (12, 8, 0),
    "key": (4, 2, 0),
    "chest": (0, 6, 0),
    "gem_clear": (4, 3, 0),
    "gem_blue": (4, 3, 0),
    "gem_pink": (4, 3, 0),
    "potion": (2, 0, 0),
    "shield": (0, 2, 0),
    "goblin": (10, 0, 0),
    "troll": (0, 4, 0),
    "dragon": (0, 0, 1),
    "pillar": (13, 5, 0),
    "relic": (2, 0, 0),
    "stairs": (1, 0, 0),
}
SOLO = ("relic", "stairs")


def how_many(size, kinds=tuple(PRINTED)):
    return sum(count for (kind, of_size), count in IN_THE_BOX.items() if of_size == size and kind in kinds)


@pytest.mark.parametrize(("kind", "counts"), PRINTED.items())
def test_the_box_holds_what_is_printed(kind, counts):
    assert tuple(IN_THE_BOX.get((kind, size), 0) for size in ("small", "large", "huge")) == counts


def test_only_sorts_that_exist_are_listed():
    assert all(count > 0 for count in IN_THE_BOX.values())
    assert {kind for kind, _ in IN_THE_BOX} == set(PRINTED) == set(Kind)


def test_ninety_cubes_and_three_for_solo_play():
    standard = tuple(set(PRINTED) - set(SOLO))

    assert [how_many(size, standard) for size in Size] == [53, 36, 1]
    assert [how_many(size, SOLO) for size in Size] == [3, 0, 0]
    assert sum(IN_THE_BOX.values()) == 93


def test_the_first_drop_is_all_small_cubes_and_the_dragon():
    standard = tuple(set(PRINTED) - set(SOLO))

    assert how_many("small", standard) + how_many("huge", standard) == 54
    assert IN_THE_BOX[Kind.PILLAR, Size.SMALL] == 13


def test_eighteen_pillars_make_at_most_816_rooms():
    assert comb(IN_THE_BOX[Kind.PILLAR, Size.SMALL] + IN_THE_BOX[Kind.PILLAR, Size.LARGE], 3) == 816


def test_there_are_never_two_dragons_or_a_small_troll():
    assert [(size, IN_THE_BOX.get((Kind.DRAGON, size))) for size in Size][2:] == [("huge", 1)]
    assert (Kind.DRAGON, Size.LARGE) not in IN_THE_BOX
    assert (Kind.TROLL, Size.SMALL) not in IN_THE_BOX


def test_monsters_hurt():
    assert dict(DAMAGE) == {"goblin": 1, "troll": 2, "dragon": 8}
    assert set(DAMAGE) == set(MONSTERS)


def test_gold_trolls_and_the_dragon_score_by_themselves():
    assert dict(SCORE) == {"gold": 1, "troll": 2, "dragon": 8}


def test_a_chest_is_worth_the_mean_of_its_die():
    assert CHEST_WORTH == sum(range(1, 7)) / 6


def test_a_potion_heals_three():
    assert POTION_HEALS == 3


def test_there_are_three_colours_of_gems():
    assert set(GEMS) == {"gem_clear", "gem_blue", "gem_pink"}


def test_treasure_weighs_and_monsters_do_not():
    assert set(TREASURES) == {
        "gold",
        "key",
        "chest",
        "gem_clear",
        "gem_blue",
        "gem_pink",
        "potion",
        "shield",
        "relic",
    }
    assert set(MONSTERS) == {"goblin", "troll", "dragon"}


def test_pillars_and_stairs_are_never_collected():
    assert set(Kind) - set(COLLECTED) == {"pillar", "stairs"}
    assert set(COLLECTED) == set(TREASURES) | set(MONSTERS)
    assert len(COLLECTED) == len(set(COLLECTED))


@pytest.mark.parametrize("counts", [IN_THE_BOX, DAMAGE, SCORE], ids=["box", "damage", "score"])
def test_nobody_can_change_the_rules(counts):
    with pytest.raises(TypeError):
        counts[Kind.GOLD] = 5


def test_cubes_are_8_10_and_12_mm_wide():
    assert [Sides().of(size) for size in Size] == [8, 10, 12]


def test_the_sides_keep_the_measured_ratio():
    small, large, huge = (Sides().of(size) for size in Size)

    assert large / small == pytest.approx(1.23, rel=0.03)
    assert huge / small == pytest.approx(1.47, rel=0.03)


def test_the_sides_are_a_setting():
    sides = Sides(small_mm=7.5, large_mm=9.25, huge_mm=11)

    assert [sides.of(size) for size in Size] == [7.5, 9.25, 11]
