"""Cubes are moved to the edges that the picture shows, and stay where it shows none."""

import numpy as np
import pytest

from tests.vision.cube_views import soft_picture
from tests.vision.table_views import SIZE_PX, Card, a_camera, seen
from vision.boxes import Boxes, corners_px
from vision.card_plane import solve_plane
from vision.edges import met
from vision.pieces import SIDE_MM, SIZES

CARDS = (Card(0, -150, 90, 10), Card(1, 160, 80, 100), Card(2, 120, -110, -130))
# Amid the table, apart from each other: x, y and turn, one of each size.
POSES = np.array([(-40.0, 20.0, 0.2), (30.0, -10.0, 0.9), (5.0, 45.0, 1.3)])
ALL = np.arange(3)
SIDES = np.array([SIDE_MM[size] for size in SIZES])


def a_plane(tilt_deg):
    return solve_plane([seen(card, a_camera(tilt_deg)) for card in CARDS], SIZE_PX)


def a_picture(plane, **colours):
    return soft_picture(corners_px(plane, POSES, SIDES), SIZE_PX, fine=2, **colours)


def some_boxes(poses):
    """Return boxes whose first is small, second ordinary and third large, where the poses say."""
    by_size = np.repeat(poses[:, None], 3, axis=1)
    nothing = np.zeros((3, 3))
    return Boxes(by_size[..., :2], by_size[..., 2], nothing, nothing, nothing, np.ones((3, 3, 2)))


def off(boxes):
    """Return how far each is from where it stands, in mm and radians."""
    turn = np.abs(boxes.yaw[ALL, ALL] - POSES[:, 2])
    away = np.hypot(*(boxes.centre_mm[ALL, ALL] - POSES[:, :2]).T)
    return away, np.minimum(turn, np.pi / 2 - turn)


@pytest.mark.parametrize("tilt_deg", [0, 25, 50])
@pytest.mark.parametrize("moved", [(0.5, 0.3, 0.06), (-0.3, 0.5, -0.08)])
def test_they_come_to_where_they_stand(tilt_deg, moved):
    plane = a_plane(tilt_deg)
    before = some_boxes(POSES + moved)
    after = met(a_picture(plane), plane, before, ALL, ALL)
    away, turn = off(after)
    assert away.max() < 0.4 * off(before)[0].max()
    assert away.max() < 0.2
    assert turn.max() < 0.8 * abs(moved[2])
    assert turn.mean() < 0.5 * abs(moved[2])


def test_they_stay_where_they_were_seen_on_a_table_without_edges():
    plane = a_plane(25)
    before = some_boxes(POSES + np.array([0.5, 0.3, 0.06]))
    after = met(a_picture(plane, table=60, cube=(60, 60, 60)), plane, before, ALL, ALL)
    np.testing.assert_allclose(off(after)[0], off(before)[0], atol=0.1)


def test_only_those_asked_for_are_moved():
    plane = a_plane(25)
    before = some_boxes(POSES + np.array([0.5, 0.3, 0.06]))
    after = met(a_picture(plane), plane, before, np.array([1]), np.array([1]))
    changed = (after.centre_mm != before.centre_mm).any(axis=2)
    assert changed.sum() == 1
    assert changed[1, 1]


def test_nothing_is_done_to_nothing():
    plane, none = a_plane(25), np.zeros(0, np.intp)
    boxes = some_boxes(POSES)
    assert met(a_picture(plane), plane, boxes, none, none) is boxes


def test_cubes_beyond_the_picture_do_no_harm():
    plane = a_plane(25)
    far = some_boxes(POSES + np.array([2000.0, 0.0, 0.0]))
    after = met(a_picture(plane), plane, far, ALL, ALL)
    assert np.isfinite(after.centre_mm).all()
    np.testing.assert_allclose(after.centre_mm[ALL, ALL], far.centre_mm[ALL, ALL], atol=1.0)


@pytest.mark.parametrize("off_mm", [0.0, -0.5])
def test_a_cube_is_not_moved_to_the_edges_of_one_that_hides_its_foot(off_mm):
    plane = a_plane(50)
    towards = plane.camera_mm[:2] - POSES[0, :2]
    towards /= np.linalg.norm(towards)
    yaw = np.arctan2(towards[1], towards[0])
    behind, before = np.append(POSES[0, :2], yaw), np.append(POSES[0, :2] + 15.5 * towards, yaw)
    sides = np.full(2, SIDE_MM[SIZES[0]])
    pair = np.stack((behind, before))
    picture = soft_picture(
        corners_px(plane, pair, sides), SIZE_PX, fine=2, cube=np.array([(40, 90, 200), (240, 240, 240)])
    )
    seen = pair + np.array([(*(off_mm * towards), 0.0), (0.0, 0.0, 0.0)])
    by_size = np.repeat(seen[:, None], 3, axis=1)
    nothing = np.zeros((2, 3))
    boxes = Boxes(by_size[..., :2], by_size[..., 2], nothing, nothing, nothing, np.ones((2, 3, 2)))

    after = met(picture, plane, boxes, np.arange(2), np.zeros(2, np.intp))

    away = np.hypot(*(after.centre_mm[:, 0] - pair[:, :2]).T)
    assert away[0] < 0.4
    assert away[1] < 0.3
