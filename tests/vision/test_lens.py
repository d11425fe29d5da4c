"""The bend of a lens and its undoing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.lens import bend, bend_slopes, straighten

SIZES = st.tuples(st.integers(100, 4000), st.integers(100, 4000))


@given(SIZES, st.floats(-0.1, 0.1), st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1))
def test_a_bent_point_is_straightened_to_where_it_was(size, amount, shares):
    points = np.array(shares) * size

    assert straighten(bend(points, size, amount), size, amount) == pytest.approx(points, abs=1e-3)


def test_the_middle_stays_and_the_edge_moves_outwards():
    bent = bend(np.array([(49.5, 29.5), (99.5, 29.5)]), (100, 60), 0.1)

    assert bent == pytest.approx(np.array([(49.5, 29.5), (104.5, 29.5)]))


def test_a_straight_lens_changes_nothing():
    points = np.array([(3.0, 4.0), (90.0, 11.0)])

    assert bend(points, (100, 60), 0.0) == pytest.approx(points)
    assert straighten(points, (100, 60), 0.0) == pytest.approx(points)


@given(SIZES, st.floats(-0.1, 0.1), st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1))
def test_slopes_are_what_small_steps_show(size, amount, shares):
    points, step = np.array(shares) * size, 1e-3
    by_place, by_amount = bend_slopes(points, size, amount)

    for axis in range(2):
        aside = np.eye(2)[axis] * step
        shown = (bend(points + aside, size, amount) - bend(points - aside, size, amount)) / (2 * step)
        assert by_place[:, :, axis] == pytest.approx(shown, abs=1e-6)
    shown = (bend(points, size, amount + step) - bend(points, size, amount - step)) / (2 * step)
    assert by_amount == pytest.approx(shown, abs=1e-6)
