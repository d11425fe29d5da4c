"""A picture of the empty table: what does not differ from it is no cube."""

import cv2
import numpy as np
import pytest

from vision.emptiness import EmptySettings, EmptyTable, without_table
from vision.pieces import KINDS
from vision.sightings import Sightings

SETTINGS = EmptySettings()
RNG = np.random.default_rng(5)
TABLE = cv2.GaussianBlur(RNG.integers(60, 200, (480, 640, 3), dtype=np.uint8), (0, 0), 2)
PLACES = np.array([(120.0, 100.0), (400.0, 300.0)])


def with_a_cube(table):
    frame = table.copy()
    cv2.rectangle(frame, (108, 88), (132, 112), (30, 30, 220), -1)
    return frame


def sightings(presence=0.7):
    count = len(PLACES)
    return Sightings(
        PLACES,
        np.full((count, 16), 14.0),
        np.full((count, 16), 0.6),
        np.full((count, len(KINDS)), 1 / len(KINDS)),
        np.full(count, presence),
    )


def noisy(frame, gain=1.0):
    return np.clip(frame * gain + RNG.normal(0, 3, frame.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("gain", [1.0, 0.8, 1.15])
def test_only_what_differs_stays_likely(gain):
    table = EmptyTable.of(noisy(with_a_cube(TABLE), gain), noisy(TABLE), SETTINGS)
    assert table.fits
    there, bare = without_table(sightings(), table, SETTINGS).presence
    assert there > 0.8
    assert bare < 0.1


def test_a_picture_of_another_table_says_nothing():
    other = RNG.integers(0, 255, TABLE.shape, dtype=np.uint8)
    table = EmptyTable.of(with_a_cube(TABLE), np.roll(other, 40, axis=1) // 2, SETTINGS)
    assert not table.fits
    assert np.array_equal(without_table(sightings(), table, SETTINGS).presence, sightings().presence)


def test_another_size_is_refused():
    with pytest.raises(ValueError, match="another size"):
        EmptyTable.of(TABLE, TABLE[:-1], SETTINGS)


def test_sightings_at_the_border_and_beyond():
    table = EmptyTable.of(with_a_cube(TABLE), TABLE, SETTINGS)
    beyond = Sightings(
        np.array([(-30.0, -30.0), (639.0, 479.0)]),
        np.full((2, 16), 14.0),
        np.full((2, 16), 0.6),
        np.full((2, 14), 1 / 14),
        np.full(2, 0.7),
    )
    assert np.isfinite(without_table(beyond, table, SETTINGS).presence).all()
