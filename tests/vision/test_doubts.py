"""Places that are doubtful are looked at again, and only those."""

import numpy as np
import pytest

from tests.vision.test_council import some_weights
from vision.council import Council, consulted
from vision.doubts import DoubtSettings, without_doubts
from vision.judge import CLASS_COUNT, SAID, Opinions, look
from vision.patches import PATCH_PX
from vision.support import DIRECTION_COUNT

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
    without_doubts(FRAME, said, network, silent(), settings=DoubtSettings(turns=(1, 2), most=7))
    assert network.patches - before == 2 * 7


def test_of_no_places_nothing_is_said():
    network = Counting(sure=1.0)
    nobody = Opinions.none()
    assert len(without_doubts(FRAME, nobody, network, silent()).scores) == 0


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_with_the_head_turned_the_same_reaches_are_told(turn):
    network = Counting(sure=1.0)
    places, reach = np.array([(100.0, 120.0), (200.0, 90.0)]), np.full(2, 12.0)
    straight, turned = (look(FRAME, places, reach, network, turns) for turns in ((0,), (turn,)))
    np.testing.assert_allclose(turned.support_px, straight.support_px, atol=1e-4)
    np.testing.assert_allclose(turned.centre_px, straight.centre_px, atol=1e-4)


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
