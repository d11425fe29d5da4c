"""Marker cards are found where they are, and nothing else is."""

import cv2
import numpy as np
import pytest

from tests.vision.table_views import SIZE_PX, Card, a_camera, photograph, seen
from vision.markers import find_markers

FOUR = (Card(0, -150, 90, 10), Card(1, 160, 80, 100), Card(2, 120, -110, -130), Card(3, -160, -90, 45))


@pytest.mark.parametrize("tilt_deg", [0, 20, 40, 55])
@pytest.mark.parametrize("turned_deg", [0, 75, 200])
def test_four_cards_are_found_to_a_fraction_of_a_pixel(tilt_deg, turned_deg):
    camera = a_camera(tilt_deg, 800, turned_deg)

    found = find_markers(photograph(FOUR, camera))

    assert [marker.id for marker in found] == [0, 1, 2, 3]
    for marker, card in zip(found, FOUR, strict=True):
        off = np.hypot(*(marker.corners_px - seen(card, camera).corners_px).T)
        assert off.max() < 0.3


@pytest.mark.parametrize(("table", "paper", "ink"), [(20, 120, 8), (240, 250, 60), (130, 200, 90)])
def test_cards_are_found_on_dark_and_bright_tables_in_weak_light(table, paper, ink):
    found = find_markers(photograph(FOUR, a_camera(), table, paper, ink))

    assert [marker.id for marker in found] == [0, 1, 2, 3]


@pytest.mark.parametrize("corner", range(4))
def test_a_coin_on_a_corner_does_not_move_it(corner):
    camera = a_camera(20)
    picture = photograph(FOUR, camera)
    there = seen(FOUR[0], camera).corners_px
    middle = there[corner] + 0.06 * (there.mean(axis=0) - there[corner])
    cv2.circle(picture, tuple(int(v) for v in middle.round()), 8, 120, -1, cv2.LINE_AA)

    marker = find_markers(picture)[0]

    assert np.hypot(*(marker.corners_px - there).T).max() < 0.6


def test_other_markers_of_the_dictionary_are_not_ours():
    found = find_markers(photograph((FOUR[0], Card(7, 100, 0, 0)), a_camera()))

    assert [marker.id for marker in found] == [0]


def test_of_a_card_and_its_copy_further_away_the_nearer_is_kept():
    camera = a_camera(50)
    near, far = Card(1, 0, -150, 0), Card(1, 0, 200, 0)

    (found,) = find_markers(photograph((near, far), camera))

    assert found.corners_px == pytest.approx(seen(near, camera).corners_px, abs=0.5)


def test_a_card_cut_off_by_the_edge_of_the_picture_is_not_guessed():
    camera = a_camera(0, 500, 0)
    cut = Card(2, 305, 0, 0)
    assert seen(cut, camera).corners_px[:, 0].max() > SIZE_PX[0]

    found = find_markers(photograph((FOUR[0], cut), camera))

    assert [marker.id for marker in found] == [0]


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(np.zeros((600, 800), np.uint8), id="black"),
        pytest.param(np.full((600, 800), 255, np.uint8), id="white"),
        pytest.param(np.random.default_rng(0).integers(0, 256, (600, 800), np.uint8), id="noise"),
        pytest.param(np.zeros((1, 1), np.uint8), id="one pixel"),
        pytest.param(np.zeros((3, 4000), np.uint8), id="a line"),
        pytest.param(np.zeros((0, 0), np.uint8), id="nothing"),
    ],
)
def test_a_picture_without_cards_has_none(picture):
    assert find_markers(picture) == ()


@pytest.mark.parametrize("picture", [np.zeros((60, 80, 3), np.uint8), np.zeros((60, 80), np.float32)])
def test_a_picture_that_is_not_grey_is_a_mistake(picture):
    with pytest.raises(ValueError, match="grey picture"):
        find_markers(picture)
