"""Outlines that are all seen too far out or in: how far, told by the cubes themselves."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.cube_views import a_pile, a_plane, noisy, nothing_seen, sighted
from vision.boxes import fit_again, fit_boxes
from vision.swelling import SwellingSettings, swelling, without_swelling


def swollen(seen, times):
    return replace(seen, support_px=times * seen.support_px)


def told(seen, plane, sizes, settings=None):
    boxes = fit_boxes(plane, seen)
    return boxes, swelling(seen, plane, boxes, np.arange(len(seen)), sizes, settings)


@pytest.mark.parametrize("times", [0.96, 1.0, 1.04])
def test_all_cubes_together_tell_how_far_out_they_are_seen(times):
    rng, plane = np.random.default_rng(1), a_plane(30)
    pile = a_pile(rng, 60, plane)
    seen = swollen(noisy(rng, sighted(plane, pile)), times)
    _, found = told(seen, plane, pile.sizes)
    assert found == pytest.approx(times, abs=0.007)


def test_a_few_wrong_sizes_hardly_matter():
    plane = a_plane(30)
    pile = a_pile(np.random.default_rng(2), 60, plane)
    sizes = pile.sizes.copy()
    sizes[:6] = 1 - np.minimum(sizes[:6], 1)
    _, found = told(swollen(sighted(plane, pile), 1.03), plane, sizes)
    assert found == pytest.approx(1.03, abs=0.006)


def test_the_fewer_cubes_tell_it_the_less_of_it_is_believed():
    plane = a_plane(30)
    pile = a_pile(np.random.default_rng(3), 60, plane)
    seen = swollen(sighted(plane, pile), 1.05)
    boxes = fit_boxes(plane, seen)
    found = [swelling(seen, plane, boxes, np.arange(n), pile.sizes[:n]) for n in (0, 1, 4, 16, 60)]
    assert found[0] == 1.0
    assert found == sorted(found)
    assert 1.0 < found[1] < 1.015
    assert 1.04 < found[-1] < 1.05


def test_sizes_between_two_are_told_once_it_is_taken_out():
    rng, plane = np.random.default_rng(4), a_plane(30)
    pile = a_pile(rng, 60, plane)
    seen = swollen(noisy(rng, sighted(plane, pile)), 1.1)
    boxes, times = told(seen, plane, pile.sizes, SwellingSettings(usual=0.1))
    straight = without_swelling(seen, times)
    again = fit_again(plane, straight, boxes)
    wrong = [(each.surprise.argmin(axis=1) != pile.sizes).sum() for each in (boxes, again)]
    assert wrong[0] >= 5
    assert wrong[1] <= 1


@given(st.floats(0.5, 2.0))
def test_what_is_taken_out_is_only_how_far_outlines_reach(times):
    plane = a_plane(20)
    seen = sighted(plane, a_pile(np.random.default_rng(5), 5, plane))
    straight = without_swelling(swollen(seen, times), times)
    assert straight.support_px == pytest.approx(seen.support_px)
    np.testing.assert_array_equal(straight.centre_px, seen.centre_px)


def test_nothing_seen_is_not_swollen():
    plane, none = a_plane(), np.zeros(0, np.intp)
    assert swelling(nothing_seen(), plane, fit_boxes(plane, nothing_seen()), none, none) == 1.0
