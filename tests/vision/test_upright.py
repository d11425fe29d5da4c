"""Pictures are turned the same way up, whichever way they came, and what was seen in them is turned back."""

import numpy as np
import pytest

from vision.sightings import Sightings
from vision.support import support
from vision.upright import Upright

MARK = 255


def a_picture(height=90, width=140):
    """A dim picture, brighter to the right, with a bent mark that looks different from all sides."""
    frame = np.tile(np.linspace(20, 90, width).astype(np.uint8)[None, :, None], (height, 1, 3))
    frame[30:33, 40:60] = frame[30:50, 40:43] = MARK
    return frame


def the_mark(frame):
    """The pixels of the mark, shape (N, 2), x and y."""
    return np.argwhere(frame[:, :, 0] == MARK)[:, ::-1].astype(float)


def seen_in(frame):
    points = the_mark(frame)
    centre = points[None].mean(axis=1)
    reach = support(points - centre)[None]
    # As unsure as far: what belongs to a direction is turned with it.
    return Sightings(centre, reach, reach / 10, np.ones((1, 14)) / 14, np.ones(1))


@pytest.mark.parametrize("quarters", range(4))
def test_all_four_turns_of_a_picture_end_the_same(quarters):
    frame = a_picture()
    turned = np.ascontiguousarray(np.rot90(frame, quarters))
    assert np.array_equal(Upright.of(turned).frame, Upright.of(frame).frame)


def test_the_bright_side_is_on_top():
    upright = Upright.of(a_picture()).frame
    assert upright[:20].mean() > upright[-20:].mean() + 30


@pytest.mark.parametrize("quarters", range(4))
def test_what_was_seen_is_where_it_is_in_the_picture_itself(quarters):
    frame = np.ascontiguousarray(np.rot90(a_picture(), quarters))
    upright = Upright.of(frame)

    back, there = upright.turned_back(seen_in(upright.frame)), seen_in(frame)

    assert back.centre_px == pytest.approx(there.centre_px)
    assert back.support_px == pytest.approx(there.support_px)
    assert back.unsure_px == pytest.approx(there.unsure_px)


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (5, 2)])
def test_the_smallest_pictures_too(shape):
    frame = np.arange(shape[0] * shape[1] * 3, dtype=np.uint8).reshape(*shape, 3)
    upright = Upright.of(frame)
    assert sorted(upright.frame.ravel().tolist()) == sorted(frame.ravel().tolist())
