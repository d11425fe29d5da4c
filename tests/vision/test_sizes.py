"""How likely each size is, from how well cubes of each size fit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.boxes import Boxes
from vision.sizes import SizeSettings, likely_sizes


def boxes_with(surprise: list[list[float]]) -> Boxes:
    rows = np.array(surprise, float).reshape(-1, 3)
    flat = np.zeros(rows.shape)
    return Boxes(np.zeros((*rows.shape, 2)), flat, flat, flat, rows, np.zeros((*rows.shape, 2)))


def test_a_good_fit_tells_the_size() -> None:
    assert likely_sizes(boxes_with([[120.0, 2.0, 140.0]]))[0, 1] > 0.97


def test_the_best_fit_leaves_a_little_doubt() -> None:
    assert 0.005 < likely_sizes(boxes_with([[0.0, 500.0, 900.0]]))[0, 2] < 0.02


def test_a_cube_that_looks_too_small_even_for_a_small_one_is_small() -> None:
    assert likely_sizes(boxes_with([[60.0, 160.0, 300.0]]))[0, 0] > 0.97


def test_an_outline_between_two_sizes_may_be_either() -> None:
    small, large, huge = likely_sizes(boxes_with([[20.0, 23.0, 100.0]]))[0]
    assert 0.5 < small < 0.7
    assert 0.3 < large < 0.5
    assert huge < 0.02


def test_sizes_that_fit_alike_are_alike_likely() -> None:
    sizes = likely_sizes(boxes_with([[5.0, 5.0, 300.0]]))[0]
    assert sizes[0] == pytest.approx(sizes[1])


def test_nothing_seen_is_no_row() -> None:
    assert likely_sizes(boxes_with([])).shape == (0, 3)


@given(st.lists(st.lists(st.floats(0, 1e6), min_size=3, max_size=3), max_size=5))
def test_rows_are_shares_and_keep_their_order(surprise: list[list[float]]) -> None:
    sizes = likely_sizes(boxes_with(surprise))
    assert np.allclose(sizes.sum(axis=1), 1.0)
    assert (sizes >= 0).all()
    for row, told in zip(surprise, sizes, strict=True):
        assert told[int(np.argmin(row))] == pytest.approx(told.max())


@given(st.lists(st.floats(0, 200), min_size=3, max_size=3), st.floats(0, 200))
def test_only_how_much_worse_the_others_fit_counts(row: list[float], more: float) -> None:
    one, other = likely_sizes(boxes_with([row, [surprise + more for surprise in row]]))
    assert np.allclose(one, other)


def test_without_doubt_only_the_fits_count() -> None:
    settings = SizeSettings(trust=0.3, doubt=0.0)
    assert likely_sizes(boxes_with([[40.0, 140.0, 240.0]]), settings)[0, 0] > 0.999999
