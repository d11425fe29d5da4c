"""Which cubes touch, and whether a scan tells them apart."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from shapely.geometry import Polygon

from calibration.accuracy.figures import judge
from calibration.accuracy.touching import TOUCHING_MM, told_apart, touching_groups
from calibration.accuracy.truths import read_folder, read_truth
from tests.calibration.accuracy_cases import a_perfect_scan, a_true_cube, a_true_picture
from tests.web.scans import a_scan

PICTURES = Path(__file__).parents[1] / "pictures"


def a_row(*places, missed=()):
    """Return cubes of 20 pixels beside each other, as judged when some of them were not seen."""
    picture = a_true_picture(*(a_true_cube("gold", x, y) for x, y in places))
    seen = a_perfect_scan(picture).cubes
    return judge(picture, a_scan(*(cube for n, cube in enumerate(seen) if n not in missed)))


PAIR = ((100, 100), (120, 100))
THREE = ((300, 300), (320, 300), (310, 320))
ALONE = ((500, 500),)
FOUR = ((600, 100), (620, 100), (640, 100), (660, 100))


def test_pairs_and_threes_are_groups_and_nothing_else_is():
    picture = a_true_picture(*(a_true_cube("gold", x, y) for x, y in (*PAIR, *ALONE, *THREE, *FOUR)))
    assert touching_groups(picture.cubes) == [(0, 1), (3, 4, 5)]


@pytest.mark.parametrize(("gap_mm", "touch"), [(0.0, True), (0.15, True), (0.25, False), (3.0, False)])
def test_cubes_a_hair_apart_touch(gap_mm, touch):
    # A millimetre is two pixels.
    cubes = [a_true_cube("gold", x, 0) for x in (0, 20 + 2 * gap_mm)]
    assert bool(touching_groups(cubes)) == touch


def test_cubes_that_nobody_measured_touch_nothing():
    cubes = [a_true_cube("gold", x, 0, metric=x != 0) for x in (0, 20, 40)]
    assert touching_groups(cubes) == [(1, 2)]


@pytest.mark.parametrize(("missed", "share"), [((), 1.0), ((0,), 0.5), ((1, 4), 0.0), ((2,), 1.0)], ids=str)
def test_a_group_is_told_apart_if_all_of_it_is_found(missed, share):
    assert told_apart([a_row(*PAIR, *ALONE, *THREE, missed=missed)]) == share


def test_groups_of_all_pictures_count_the_same():
    assert told_apart([a_row(*PAIR), a_row(*PAIR, *THREE, missed=(0, 2))]) == pytest.approx(1 / 3)


def test_without_groups_nothing_is_told():
    assert told_apart([a_row(*ALONE)]) is None


@pytest.mark.parametrize("group", [2, 3])
def test_the_pictures_of_touching_cubes_are_full_of_groups(group):
    pictures = [picture for picture in read_folder(PICTURES / "touching") if len(picture.cubes) == 25 * group]
    assert len(pictures) == 3
    for picture in pictures:
        assert [len(one) for one in touching_groups(picture.cubes)] == [group] * 25


@pytest.mark.parametrize("file", sorted((PICTURES / "rendered").glob("*.json")), ids=lambda file: file.stem)
def test_groups_are_those_of_an_independent_geometry(file):
    """Bases are swollen about their middle here and measured by shapely there; only corners may differ."""
    cubes = read_truth(json.loads(file.read_text()), file.with_suffix(".jpg")).cubes
    bases = [Polygon(cube.footprint_mm) for cube in cubes]
    gaps = {(i, j): bases[i].distance(bases[j]) for i, j in combinations(range(len(cubes)), 2)}
    surely = {pair for pair, gap in gaps.items() if gap < 0.9 * TOUCHING_MM / np.sqrt(2)}
    maybe = {pair for pair, gap in gaps.items() if gap < 1.01 * TOUCHING_MM * np.sqrt(2)}
    pairs = {pair for group in touching_groups(cubes) for pair in combinations(group, 2)}
    assert {pair for group in touching_groups(cubes) if len(group) == 2 for pair in [group]} <= maybe
    for i, j in surely:
        near = {n for pair in maybe if i in pair or j in pair for n in pair}
        if len(near) == 2:
            assert (i, j) in pairs
