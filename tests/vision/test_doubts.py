"""Places that are doubtful are looked at again, and only those."""

import cv2
import numpy as np
import pytest

from tests.vision.test_council import some_weights
from vision.council import Council, consulted
from vision.doubts import DoubtSettings, without_doubts
from vision.judge import CLASS_COUNT, SAID, Glance, Opinions, look
from vision.patches import PATCH_PX, REACH_PX
from vision.support import DIRECTION_COUNT, support

FRAME = np.random.default_rng(1).integers(0, 255, (300, 400, 3), dtype=np.uint8)


class Counting:
    """A network that is as sure as it is told to be, says where a patch is bright, and counts patches."""

    def __init__(self, sure):
        self.sure = sure
        self.patches = 0

    def __call__(self, patches):
        self.patches += len(patches)
        said = np.zeros((len(patches), sum(SAID)), np.float32)
        said[:, 3] = self.sure
        half = PATCH_PX // 2
        right, left = patches[:, :, half:].mean(axis=(1, 2, 3)), patches[:, :, :half].mean(axis=(1, 2, 3))
        down, up = patches[:, half:].mean(axis=(1, 2, 3)), patches[:, :half].mean(axis=(1, 2, 3))
        quarter = DIRECTION_COUNT // 4
        said[:, CLASS_COUNT : CLASS_COUNT + DIRECTION_COUNT] = 1.0
        for place, bright in enumerate((right, down, left, up)):
            said[:, CLASS_COUNT + place * quarter] = bright / 128
        return said


def silent():
    """Return a council that adds nothing."""
    weights = some_weights()
    weights["leave.weight"] = np.zeros_like(weights["leave.weight"])
    weights["leave.bias"] = np.zeros_like(weights["leave.bias"])
    return Council(weights)


def some_opinions(network, count=30):
    rng = np.random.default_rng(2)
    return look(FRAME, rng.uniform(60, 240, (count, 2)), np.full(count, 12.0), network)


def test_who_is_sure_is_not_asked_again():
    network = Counting(sure=20.0)
    said = some_opinions(network)
    before = network.patches
    heard = without_doubts(FRAME, said, network, silent())
    assert network.patches == before
    np.testing.assert_array_equal(heard.scores, said.scores)


def test_doubtful_ones_are_asked_again_up_to_a_bound():
    network = Counting(sure=1.0)
    said = some_opinions(network)
    before = network.patches
    without_doubts(
        FRAME, said, network, silent(), settings=DoubtSettings(glances=(Glance(3), Glance(8)), most=7)
    )
    assert network.patches - before == 2 * 7


def test_of_no_places_nothing_is_said():
    network = Counting(sure=1.0)
    nobody = Opinions.none()
    assert len(without_doubts(FRAME, nobody, network, silent()).scores) == 0


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_with_the_head_turned_the_same_reaches_are_told(quarters):
    network = Counting(sure=1.0)
    places, reach = np.array([(100.0, 120.0), (200.0, 90.0)]), np.full(2, 12.0)
    turned = Glance(quarters * DIRECTION_COUNT // 4)
    straight, turned = (look(FRAME, places, reach, network, (glance,)) for glance in (Glance(), turned))
    np.testing.assert_allclose(turned.support_px, straight.support_px, atol=1e-4)
    np.testing.assert_allclose(turned.centre_px, straight.centre_px, atol=1e-4)


class Measuring:
    """A network that tells how far a white square reaches in its patches, as the judge would."""

    def __call__(self, patches):
        said = np.zeros((len(patches), sum(SAID)), np.float32)
        for row, patch in zip(said, patches, strict=True):
            y, x = np.nonzero(patch[:, :, 0] > 127)
            points = np.stack((x, y), axis=1) - (PATCH_PX - 1) / 2
            row[CLASS_COUNT : CLASS_COUNT + DIRECTION_COUNT] = support(points.astype(float)) / REACH_PX
        return said


@pytest.mark.parametrize("glance", [Glance(5, 1.06), Glance(11, 0.94), Glance(3), Glance(0, 1.2)])
def test_turned_by_any_direction_nearer_or_farther_the_same_reaches_are_told(glance):
    frame = np.zeros((300, 400, 3), np.uint8)
    corners = np.array([(100, 100), (160, 110), (150, 160), (95, 150)])
    cv2.fillConvexPoly(frame, corners, (255, 255, 255))
    middle, reach = np.array([(125.0, 130.0)]), np.array([36.0])
    told = look(frame, middle, reach, Measuring(), (glance,))
    truth = support((corners - told.centre_px).astype(float))
    # A patch has pixels of three.
    np.testing.assert_allclose(told.support_px[0], truth, atol=3.5)


def test_the_council_hears_the_mean_of_all_looks():
    network, council = Counting(sure=1.0), Council(some_weights())
    said = some_opinions(network, 4)
    heard = without_doubts(FRAME, said, network, council, settings=DoubtSettings(heed=1.0))
    # This network says the same from all sides.
    np.testing.assert_allclose(heard.scores, consulted(said, council).scores, atol=1e-5)


def test_the_council_is_heeded_as_much_as_asked():
    network, council = Counting(sure=1.0), Council(some_weights())
    said = some_opinions(network, 4)
    half, whole = (
        without_doubts(FRAME, said, network, council, settings=DoubtSettings(heed=heed)).scores - said.scores
        for heed in (0.5, 1.0)
    )
    np.testing.assert_allclose(2 * half, whole, atol=1e-5)
    assert np.abs(whole).max() > 0.1
