"""Who sits together in a batch of the council."""

import numpy as np
import pytest

from calibration.training.seats import PLACES, seated

VARIANTS = 3
TABLES = 5
EDGES = np.arange(0, VARIANTS * TABLES * 40 + 1, 40)


@pytest.fixture
def batches():
    """Return photographs, classes and seats of many batches."""
    rng = np.random.default_rng(1)
    classes = rng.integers(0, 15, int(EDGES[-1]))
    photos = rng.integers(0, VARIANTS * TABLES, 300)
    return photos, classes, seated(photos, EDGES, VARIANTS, classes, rng)


def test_who_is_asked_is_of_the_photograph(batches):
    photos, _, seats = batches
    asked_of = seats.rows[:, PLACES // 2 :] // 40
    assert (asked_of == photos[:, None]).all()
    assert (seats.told[:, PLACES // 2 :] == -1).all()


def test_nobody_sits_twice_where_there_are_enough(batches):
    _, _, seats = batches
    assert all(len(set(row)) == len(row) for row in seats.rows[:, PLACES // 2 :].tolist())


def test_names_are_told_of_all_three_sources_and_are_nearly_always_right(batches):
    photos, classes, seats = batches
    told = seats.told >= 0
    from_photo = seats.rows[told] // 40
    asked = np.broadcast_to(photos[:, None], told.shape)[told]
    assert 0.1 < (from_photo == asked).mean() < 0.7
    assert 0.6 < (from_photo // VARIANTS == asked // VARIANTS).mean() < 0.97
    right = classes[seats.rows[told]] == seats.told[told]
    assert 0.9 < right.mean() < 1.0


def test_bare_table_is_never_named(batches):
    assert (batches[2].told != 0).all()


def test_few_places_are_asked_more_than_once():
    seats = seated(np.array([0]), np.array([0, 5]), 1, np.ones(5, np.int64), np.random.default_rng(2))
    assert set(seats.rows.ravel()) <= set(range(5))
