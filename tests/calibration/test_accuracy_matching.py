"""Which found cube is which true one: cases told by hand."""

import pytest

from calibration.accuracy.matching import match
from tests.calibration.accuracy_cases import a_true_cube, as_seen


def test_cubes_are_paired_by_place_whatever_they_are_called():
    truth = [a_true_cube("gold", 100, 100), a_true_cube("key", 200, 100)]
    seen = [as_seen(truth[1], kind="troll"), as_seen(truth[0])]

    assert match(truth, seen).pairs == ((0, 1), (1, 0))


@pytest.mark.parametrize(("moved", "paired"), [(11.9, True), (12.1, False)])
def test_a_pair_may_be_six_tenths_of_the_cube_apart(moved, paired):
    truth = [a_true_cube("gold", 100, 100)]

    found = match(truth, [as_seen(truth[0], moved_px=(moved, 0))])

    assert bool(found.pairs) == paired
    assert (len(found.missed), len(found.invented)) == ((0, 0) if paired else (1, 1))


def test_a_tiny_cube_is_matched_as_if_it_had_eight_pixels():
    tiny = a_true_cube("gold", 100, 100)
    tiny.outline_px[:] = (tiny.outline_px - 100) / 10 + 100

    assert match([tiny], [as_seen(tiny, moved_px=(4.7, 0))]).pairs == ((0, 0),)
    assert match([tiny], [as_seen(tiny, moved_px=(4.9, 0))]).pairs == ()


def test_pairs_are_the_nearest_as_a_whole_and_not_one_by_one():
    # The second is nearest to the first cube; taking it first would leave the other pair out of reach.
    truth = [a_true_cube("gold", 100, 100), a_true_cube("gold", 110, 100)]
    seen = [as_seen(truth[0], moved_px=(-8, 0)), as_seen(truth[0], moved_px=(2, 0))]

    assert match(truth, seen).pairs == ((0, 0), (1, 1))


def test_the_middle_is_that_of_the_box_whatever_corners_there_are():
    truth = [a_true_cube("gold", 100, 100)]
    seen = as_seen(truth[0])
    seen.outline_px[:] = [(90, 90), (110, 110), (110, 110), (110, 110)]

    assert match(truth, [seen]).pairs == ((0, 0),)


def test_a_cube_found_twice_is_once_invented():
    truth = [a_true_cube("gold", 100, 100)]

    found = match(truth, [as_seen(truth[0], 0, moved_px=(3, 0)), as_seen(truth[0], 1)])

    assert found.pairs == ((0, 1),)
    assert [cube.id for cube in found.invented] == [0]


@pytest.mark.parametrize("seen", [True, False])
def test_what_the_truth_does_not_judge_counts_neither_way(seen):
    sure, unsure = a_true_cube("gold", 100, 100), a_true_cube("key", 300, 100, judged=False)
    found = [as_seen(sure, 0), *([as_seen(unsure, 1)] if seen else [])]

    got = match([unsure, sure], found)

    assert (got.truth, len(got.found), got.pairs) == ((sure,), 1, ((0, 0),))
    assert not got.missed and not got.invented


def test_an_unsure_cube_does_not_take_away_what_was_found_of_its_neighbour():
    sure, unsure = a_true_cube("gold", 100, 100), a_true_cube("key", 108, 100, judged=False)

    assert match([sure, unsure], [as_seen(sure, moved_px=(7, 0))]).pairs == ((0, 0),)


def test_nothing_matches_nothing():
    cube = a_true_cube("gold", 100, 100)

    assert match([], []).pairs == ()
    assert match([cube], []).missed == (cube,)
    assert len(match([], [as_seen(cube)]).invented) == 1
