"""All cubes are decided together: nothing more often than the box holds it, nothing seen twice."""

import numpy as np
import pytest

from tests.vision.cube_views import usually_unsure
from vision.boxes import Boxes
from vision.decide import Decision, decide, shared_bases, standing_apart, without_doubles, without_shared
from vision.pieces import KINDS, SIZES, Kind, Size
from vision.sightings import Sightings

EVEN = np.full(3, 1 / 3)


def seen(*likely, presence=0.99, centres=None, reach=10.0):
    """Return sightings of which each is told as likelihoods of kinds."""
    kinds = np.full((len(likely), len(KINDS)), 1e-4)
    for row, shares in zip(kinds, likely, strict=True):
        for kind, share in shares.items():
            row[KINDS.index(kind)] = share
    kinds /= kinds.sum(axis=1, keepdims=True)
    places = (
        np.arange(len(likely))[:, None] * np.array([100.0, 0.0]) if centres is None else np.array(centres)
    )
    reaches = np.full((len(likely), 16), reach)
    sure = np.broadcast_to(presence, len(likely)).astype(float)
    return Sightings(places, reaches, usually_unsure(reaches), kinds, sure)


def kinds_of(decision):
    return [KINDS[kind] for kind in decision.kinds]


def sizes(*rows):
    return np.array(rows, float)


def test_one_dragon_the_surest():
    cubes = seen({Kind.DRAGON: 0.9, Kind.KEY: 0.1}, {Kind.DRAGON: 0.99}, {Kind.DRAGON: 0.8, Kind.CHEST: 0.2})
    decision = decide(cubes, np.tile(EVEN, (3, 1)))
    assert kinds_of(decision) == [Kind.KEY, Kind.DRAGON, Kind.CHEST]
    assert decision.confidence[1] > 0.9 > decision.confidence[0]


def test_size_and_kind_fit_together():
    # A goblin is always small; green and large is rather a troll.
    cubes = seen({Kind.GOBLIN: 0.6, Kind.TROLL: 0.4})
    assert kinds_of(decide(cubes, sizes((0.02, 0.97, 0.01)))) == [Kind.TROLL]
    assert kinds_of(decide(cubes, sizes((0.97, 0.02, 0.01)))) == [Kind.GOBLIN]


def test_a_wrong_size_can_be_outvoted():
    cubes = seen({Kind.GOBLIN: 0.999})
    decision = decide(cubes, sizes((0.05, 0.94, 0.01)))
    assert kinds_of(decision) == [Kind.GOBLIN]
    assert SIZES[decision.sizes[0]] is Size.SMALL


def test_solo_cubes_are_never_claimed_where_there_are_none():
    cubes = seen({Kind.RELIC: 0.9, Kind.GOBLIN: 0.1}, {Kind.STAIRS: 0.97, Kind.POTION: 0.03})
    even = np.tile(EVEN, (2, 1))
    assert kinds_of(decide(cubes, even, solo=True)) == [Kind.RELIC, Kind.STAIRS]
    without = decide(cubes, even, solo=False)
    assert kinds_of(without) == [Kind.GOBLIN, Kind.POTION]
    assert without.confidence[0] > 0.9


def test_solo_cubes_are_rare_where_nobody_knows():
    doubtful = seen({Kind.RELIC: 0.6, Kind.GOBLIN: 0.4})
    even = np.tile(EVEN, (1, 1))
    assert kinds_of(decide(doubtful, even)) == [Kind.GOBLIN]
    assert kinds_of(decide(doubtful, even, solo=True)) == [Kind.RELIC]
    assert kinds_of(decide(seen({Kind.RELIC: 0.9, Kind.GOBLIN: 0.1}), even)) == [Kind.RELIC]


def test_nineteen_pillars_are_never_claimed():
    decision = decide(seen(*[{Kind.PILLAR: 0.97, Kind.GEM_CLEAR: 0.03}] * 19), np.tile(EVEN, (19, 1)))
    assert kinds_of(decision).count(Kind.PILLAR) == 18


def test_a_doubtful_cube_for_which_no_piece_is_left_is_none():
    dragons = [{Kind.DRAGON: 1.0}] * 2
    # The front of the dragon seen as one more: the box holds one.
    assert kinds_of(decide(seen(*dragons, presence=(0.99, 0.8)), np.tile(EVEN, (2, 1)))) == [Kind.DRAGON]
    alone = decide(seen({Kind.DRAGON: 1.0}, presence=0.8), np.tile(EVEN, (1, 1)))
    assert kinds_of(alone) == [Kind.DRAGON]
    # What surely is a cube is something, however strange.
    sure = decide(seen(*dragons, presence=(0.999, 0.998)), np.tile(EVEN, (2, 1)))
    assert len(sure.which) == 2
    assert sure.confidence.min() < 0.01


def test_what_is_hardly_there_is_left_out():
    cubes = seen({Kind.GOLD: 0.9}, {Kind.GOLD: 0.9}, presence=np.array([0.9, 0.2]))
    assert decide(cubes, np.tile(EVEN, (2, 1))).which.tolist() == [0]


def test_a_strange_cube_is_still_a_cube():
    strange = seen({kind: 1 / 14 for kind in KINDS}, presence=0.8)
    assert len(decide(strange, sizes(EVEN)).which) == 1


def test_nothing_seen_is_nothing_decided():
    assert len(decide(seen(), np.zeros((0, 3))).which) == 0


def test_the_surer_of_two_on_one_spot_is_kept():
    cubes = seen(
        {Kind.GOLD: 1.0}, {Kind.KEY: 1.0}, {Kind.KEY: 1.0},
        presence=np.array([0.6, 0.9, 0.7]), centres=[(0.0, 0.0), (4.0, 0.0), (12.0, 0.0)],
    )  # fmt: skip
    assert without_doubles(cubes).centre_px.tolist() == [[4.0, 0.0], [12.0, 0.0]]


def test_two_cubes_cannot_stand_in_one_place():
    places = np.array([(0.0, 0.0), (5.0, 0.0), (13.0, 0.0)])
    surprise = np.tile((0.0, 50.0, 90.0), (3, 1))
    flat = np.zeros((3, 3))
    boxes = Boxes(np.repeat(places[:, None], 3, axis=1), flat, flat, flat, surprise, np.zeros((3, 3, 2)))
    # Cubes of 8 mm: the middle one stands inside the first, the last beside it.
    assert standing_apart(boxes, np.array([0.9, 0.6, 0.7])).tolist() == [True, False, True]
    assert standing_apart(boxes, np.array([0.6, 0.9, 0.7])).tolist() == [False, True, True]


def test_a_sure_cube_may_lean_on_another_a_doubtful_one_may_not():
    places = np.array([(0.0, 0.0), (7.2, 0.0)])
    surprise = np.tile((0.0, 50.0, 90.0), (2, 1))
    flat = np.zeros((2, 3))
    boxes = Boxes(np.repeat(places[:, None], 3, axis=1), flat, flat, flat, surprise, np.zeros((2, 3, 2)))
    assert shared_bases(boxes, np.array([0, 0]))[0, 1] == pytest.approx(0.1, abs=0.001)
    assert standing_apart(boxes, np.array([0.999, 0.99])).tolist() == [True, True]
    assert standing_apart(boxes, np.array([0.999, 0.8])).tolist() == [True, False]


def test_bases_of_different_sizes_share_a_part_of_the_smaller():
    surprise = np.array([(0.0, 50.0, 90.0), (90.0, 50.0, 0.0)])
    flat = np.zeros((2, 3))
    boxes = Boxes(np.zeros((2, 3, 2)), flat, flat, flat, surprise, np.zeros((2, 3, 2)))
    assert shared_bases(boxes, np.array([0, 2])).tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_cubes_that_end_up_in_one_place_are_one():
    places = np.array([(0.0, 0.0), (40.0, 0.0), (4.0, 0.0), (9.0, 0.0)])
    flat = np.zeros((4, 3))
    boxes = Boxes(np.repeat(places[:, None], 3, axis=1), flat, flat, flat, flat, np.zeros((4, 3, 2)))
    # The second sighting is no cube. The third is half inside the first, the last by 3/8 inside the third.
    which, kinds = np.array([0, 2, 3]), np.array([5, 6, 7])

    for confidence, left in (([0.9, 0.6, 0.5], [0, 3]), ([0.6, 0.9, 0.5], [2]), ([0.6, 0.9, 0.95], [0, 3])):
        decision = Decision(which, kinds, np.zeros(3, int), np.array(confidence), 1.0)
        assert without_shared(decision, boxes).which.tolist() == left


def test_a_sure_cube_is_rather_of_another_size_than_nothing():
    many = seen(*[{Kind.GOBLIN: 0.99}] * 10, {Kind.PILLAR: 0.99}, presence=0.95)
    as_large = sizes(*[(0.05, 0.9, 0.05)] * 10, (0.002, 0.002, 0.996))
    decision = decide(many, as_large)
    assert kinds_of(decision) == [Kind.GOBLIN] * 10 + [Kind.PILLAR]


def test_sizes_that_do_not_go_with_kinds_are_a_surprise():
    likely = [{Kind.GOBLIN: 0.97}] * 6 + [{Kind.TROLL: 0.97}] * 3
    small, large, huge = (0.96, 0.02, 0.02), (0.02, 0.96, 0.02), (0.02, 0.02, 0.96)
    right = decide(seen(*likely), sizes(*[small] * 6, *[large] * 3)).surprise
    too_large = decide(seen(*likely), sizes(*[large] * 6, *[huge] * 3)).surprise
    assert right / 9 < 0.3
    assert too_large / 9 > 2


def test_who_is_left_out_is_a_surprise():
    two = decide(seen(*[{Kind.DRAGON: 0.99}] * 2), np.tile(EVEN, (2, 1))).surprise
    one = decide(seen({Kind.DRAGON: 0.99}), EVEN[None]).surprise
    assert two > 2 * one + 3
