"""Where no card lies, the edges of cubes tell how the camera stands above them."""

import numpy as np
import pytest

from tests.vision.cube_views import soft_picture
from vision.boxes import Boxes, corners_px
from vision.cube_camera import plane_of, values_of
from vision.pieces import SIDE_MM, SIZES
from vision.settle import SettleSettings, settled

SIZE_PX = (1280, 960)
# A camera of a phone, half a metre above the table.
FOCAL, SCALE = np.log(1000.0), np.log(2.0)
COUNT = 40


def a_camera(tilt=(0.0, 0.0), bend=0.0, focal=FOCAL):
    return np.array([*tilt, SCALE, focal, bend])


def some_cubes(seed=3):
    """Return where cubes stand, apart from each other, and which size each has."""
    rng = np.random.default_rng(seed)
    grid = np.array([(x, y) for x in np.linspace(-150, 150, 8) for y in np.linspace(-100, 100, 5)])
    return np.column_stack((grid + rng.uniform(-8, 8, grid.shape), rng.uniform(0, 1.5, COUNT))), rng.integers(
        2, size=COUNT
    )


def a_picture(plane, pose, sizes, inset_mm=0.0, **colours):
    """Draw cubes, all edges so far inside as rounded rims make them."""
    side = np.array([SIDE_MM[SIZES[size]] for size in sizes])
    corners = corners_px(plane, pose, side)
    middle = corners.mean(axis=1, keepdims=True)
    shrunk = middle + (corners - middle) * (1 - 2 * inset_mm / side)[:, None, None]
    return soft_picture(shrunk, SIZE_PX, fine=3, **colours)


def some_boxes(pose):
    by_size = np.repeat(pose[:, None], 3, axis=1)
    nothing = np.zeros((len(pose), 3))
    return Boxes(by_size[..., :2], by_size[..., 2], nothing, nothing, nothing, np.ones((len(pose), 3, 2)))


def seen_with(true, wrong, pose):
    """Return where cubes would be taken to stand, at the same places of the picture, by another camera."""
    there = wrong.to_mm(true.to_pixels(pose[:, :2], 4.5), 4.5)
    return np.column_stack((there, pose[:, 2]))


def apart_mm(plane, true):
    """Return how far apart two planes put places all over the picture, in mm, moved and turned at will."""
    grid = np.array([(x, y) for x in np.linspace(150, 1130, 6) for y in np.linspace(150, 810, 5)])
    one, other = plane.to_mm(grid), true.to_mm(grid)
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    left, stretch, right = np.linalg.svd(other.T @ one)
    turned = one @ (left @ right).T * (stretch.sum() / (one**2).sum())
    return np.hypot(*(turned - other).T).max()


@pytest.mark.parametrize(
    ("true", "wrong"),
    [
        (a_camera((0.1, -0.2)), a_camera((0.16, -0.2))),
        (a_camera((0.5, 0.1)), a_camera((0.45, 0.14))),
        (a_camera((0.4, 0.0)), a_camera((0.4, 0.0), bend=0.04)),
        (a_camera((-0.6, 0.3)), a_camera((-0.56, 0.3), focal=FOCAL + 0.15)),
    ],
)
def test_a_camera_that_was_told_wrong_is_settled(true, wrong):
    true_plane, wrong_plane = plane_of(true, SIZE_PX, 0.1), plane_of(wrong, SIZE_PX, 0.1)
    pose, sizes = some_cubes()
    boxes = some_boxes(seen_with(true_plane, wrong_plane, pose))
    after = settled(a_picture(true_plane, pose, sizes), wrong_plane, boxes, np.arange(COUNT), sizes)
    assert apart_mm(after, true_plane) < 0.5 * apart_mm(wrong_plane, true_plane)


def test_rounded_rims_do_not_make_the_table_larger():
    true = plane_of(a_camera((0.3, 0.1)), SIZE_PX, 0.1)
    pose, sizes = some_cubes()
    picture = a_picture(true, pose, sizes, inset_mm=0.25)
    after = settled(picture, true, some_boxes(pose), np.arange(COUNT), sizes)
    # Cubes of 8 mm that are seen 0.25 mm smaller on every side would be six per cent.
    assert values_of(after)[2] == pytest.approx(SCALE, abs=0.015)
    assert apart_mm(after, true) < 1.0


def test_a_picture_that_shows_no_edges_but_noise_changes_little():
    plane = plane_of(a_camera((0.3, 0.1)), SIZE_PX, 0.1)
    pose, sizes = some_cubes()
    bare = a_picture(plane, pose, sizes, cube=(60, 60, 60))
    after = settled(bare, plane, some_boxes(pose), np.arange(COUNT), sizes)
    # A camera tilted wrong by three degrees would put places at the rim 7 mm off.
    assert apart_mm(after, plane) < 3.0


def test_too_few_cubes_leave_the_plane_alone():
    plane = plane_of(a_camera((0.3, 0.1)), SIZE_PX, 0.1)
    pose, sizes = some_cubes()
    few = np.arange(3)
    assert settled(a_picture(plane, pose, sizes), plane, some_boxes(pose), few, sizes[:3]) is plane


def test_a_camera_is_taken_to_be_held_level_where_edges_tell_little():
    true, wrong = (plane_of(a_camera(tilt), SIZE_PX, 0.1) for tilt in ((0.4, 0.0), (0.4, 0.06)))
    pose, sizes = some_cubes()
    # Cubes of nearly the table's colour.
    faint = a_picture(true, pose, sizes, cube=(62, 61, 60))
    boxes = some_boxes(seen_with(true, wrong, pose))
    after, unaware = (
        values_of(settled(faint, wrong, boxes, np.arange(COUNT), sizes, settings=settings))
        for settings in (SettleSettings(), SettleSettings(level_spread=np.inf))
    )
    assert abs(after[1]) < 0.5 * abs(unaware[1])
    assert after[0] == pytest.approx(0.4, abs=0.03)


def test_a_camera_held_askew_stays_so():
    true = plane_of(a_camera((0.35, -0.25)), SIZE_PX, 0.1)
    pose, sizes = some_cubes()
    faint = a_picture(true, pose, sizes, cube=(62, 61, 60))
    one, other = (
        settled(faint, true, some_boxes(pose), np.arange(COUNT), sizes, settings=settings)
        for settings in (SettleSettings(), SettleSettings(level_spread=np.inf))
    )
    np.testing.assert_array_equal(values_of(one), values_of(other))


def test_the_focal_length_that_is_told_is_kept():
    true = plane_of(a_camera((0.2, 0.1)), SIZE_PX, 0.1)
    pose, sizes = some_cubes()
    after = settled(a_picture(true, pose, sizes), true, some_boxes(pose), np.arange(COUNT), sizes, 1000.0)
    assert after.focal_px == pytest.approx(1000.0, rel=0.06)


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.3, -0.2), (-0.9, 0.2)])
def test_a_plane_tells_the_numbers_it_was_made_of(tilt):
    values = a_camera(tilt, bend=0.02)
    np.testing.assert_allclose(values_of(plane_of(values, SIZE_PX, 0.1)), values, atol=1e-9)


def test_a_plane_that_was_scaled_tells_its_scale():
    values = a_camera((0.3, -0.2))
    scaled = plane_of(values, SIZE_PX, 0.1).scaled(1.25)
    np.testing.assert_allclose(values_of(scaled), values - np.log(1.25) * np.eye(5)[2], atol=1e-9)
