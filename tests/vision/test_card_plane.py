"""The table's plane from marker cards that lie anywhere on it."""

import json
from itertools import combinations
from math import cos, radians
from pathlib import Path

import cv2
import numpy as np
import pytest
from scipy.optimize import least_squares

from tests.vision.table_views import CORNERS, SIZE_PX, Card, a_camera, a_projection, photograph, seen, through
from vision.card_plane import solve_plane
from vision.lens import bend
from vision.markers import Marker, find_markers
from vision.plane import PlaneSettings

RENDERED = Path(__file__).parents[2].parent / "shared" / "photos" / "rendered"
FOUR = (Card(0, -150, 90, 10), Card(1, 160, 80, 100), Card(2, 120, -110, -130), Card(3, -160, -90, 45))
POINTS = np.array([(x, y) for x in range(-200, 201, 50) for y in range(-150, 151, 50)], float)


def distances(points):
    return np.array([np.hypot(*(a - b)) for a, b in combinations(points, 2)])


def off_mm(plane, camera, lens=0.0):
    """Return by how much distances on the table are measured wrong."""
    measured = plane.to_mm(bend(through(camera, POINTS), SIZE_PX, lens))
    return np.abs(distances(measured) - distances(POINTS))


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("tilt_deg", [0, 25, 55])
def test_cards_seen_exactly_give_the_table_exactly(count, tilt_deg):
    camera = a_camera(tilt_deg)

    plane = solve_plane([seen(card, camera) for card in FOUR[:count]], SIZE_PX)

    assert plane.markers == tuple(range(count))
    assert plane.off_px < 0.01
    # What few cards cannot tell of the lens is a guess, though a good one.
    assert off_mm(plane, camera).max() < {1: 1.5, 2: 0.1, 3: 0.01, 4: 0.01}[count]


@pytest.mark.parametrize("lens", [-0.05, 0.04])
def test_the_bend_of_the_lens_is_found_with_several_cards(lens):
    camera = a_camera()

    plane = solve_plane([seen(card, camera, lens) for card in FOUR], SIZE_PX)

    assert plane.bend == pytest.approx(lens, abs=2e-3)
    assert np.percentile(off_mm(plane, camera, lens), 95) < 0.1


def test_all_cards_together_are_far_better_than_one():
    rng, camera = np.random.default_rng(0), a_camera(35)
    together, alone = [], []

    for _ in range(20):
        noisy = [
            Marker(marker.id, marker.corners_px + rng.normal(0, 0.1, (4, 2)))
            for marker in (seen(card, camera) for card in FOUR)
        ]
        together.append(np.median(off_mm(solve_plane(noisy, SIZE_PX), camera)))
        alone.append(np.median(off_mm(solve_plane(noisy[:1], SIZE_PX), camera)))

    assert np.median(together) < 0.25
    assert np.median(together) < 0.2 * np.median(alone)


def fitted_by_trial(markers, cards, camera_pose):
    """Fit the same plane another way: through OpenCV's camera, its slopes by trying, from nearly the truth.

    Returns:
        Focal length, and the bend of the lens.
    """
    width, height = SIZE_PX
    usual, middle = PlaneSettings(), np.array([(width - 1) / 2, (height - 1) / 2])
    corners = np.concatenate([marker.corners_px for marker in markers])

    def misses(values):
        lying = [cards[0], *(Card(0, *pose) for pose in values[10:].reshape(-1, 3))]
        flat = np.concatenate([card.on_table(CORNERS) for card in lying])
        lens = np.array([(values[0], 0, values[1]), (0, values[0], values[2]), (0, 0, 1)])
        straight, _ = cv2.projectPoints(
            np.column_stack((flat, np.zeros(len(flat)))), values[4:7], values[7:10], lens, np.zeros(4)
        )
        off = bend(straight[:, 0], SIZE_PX, values[3]) - corners
        unusual = (
            np.log(values[0] / (usual.focal * width)) / usual.focal_spread,
            *((values[1:3] - middle) / (usual.middle_spread * width)),
            values[3] / usual.bend_spread,
        )
        return np.concatenate((off.ravel() / usual.corner_px, unusual))

    turn = cv2.Rodrigues(camera_pose[:, :3])[0].ravel()
    poses = [(card.x, card.y, card.turned_deg) for card in cards[1:]]
    start = np.array([1300.0, *middle, 0.0, *turn, *camera_pose[:, 3], *np.ravel(poses)])
    found = least_squares(misses, start, x_scale="jac", xtol=1e-12, ftol=1e-12).x
    return found[0], found[3]


@pytest.mark.parametrize("count", [2, 4])
def test_noisy_corners_are_fitted_as_well_as_can_be(count):
    rng, projection = np.random.default_rng(1), a_projection(35)
    lens = np.array([(1300.0, 0, (SIZE_PX[0] - 1) / 2), (0, 1300.0, (SIZE_PX[1] - 1) / 2), (0, 0, 1)])
    # The largest card first, as the scanner has them.
    noisy = [
        (Marker(card.id, marker.corners_px + rng.normal(0, 0.1, (4, 2))), card)
        for card, marker in ((card, seen(card, projection[:, [0, 1, 3]], 0.02)) for card in FOUR[:count])
    ]
    markers, cards = zip(*sorted(noisy, key=lambda pair: -pair[0].side_px), strict=True)

    plane = solve_plane(markers, SIZE_PX)

    focal, bent = fitted_by_trial(markers, cards, np.linalg.inv(lens) @ projection)
    assert plane.focal_px == pytest.approx(focal, rel=1e-4)
    assert plane.bend == pytest.approx(bent, abs=1e-5)


@pytest.mark.parametrize(("tilt_deg", "away_mm"), [(25, 600), (45, 900)])
def test_the_camera_is_found_above_the_table(tilt_deg, away_mm):
    camera = a_camera(tilt_deg, away_mm)

    plane = solve_plane([seen(card, camera) for card in FOUR], SIZE_PX)

    assert plane.focal_px == pytest.approx(1300, rel=0.01)
    assert plane.camera_mm[2] == pytest.approx(away_mm * cos(radians(tilt_deg)), rel=0.01)


def test_a_camera_that_looks_straight_down_has_the_focal_length_that_is_told():
    cards = [seen(card, a_camera(0, 700)) for card in FOUR]

    usual, told = solve_plane(cards, SIZE_PX), solve_plane(cards, SIZE_PX, focal_px=1300)

    assert usual.camera_mm[2] == pytest.approx(0.87 * 1600 / 1300 * 700, rel=0.01)
    assert told.camera_mm[2] == pytest.approx(700, rel=0.01)


@pytest.mark.parametrize("height_mm", [0.0, 8.0, 12.0])
def test_the_height_of_a_cube_is_taken_out(height_mm):
    view = (35, 650, 70)
    raised = np.column_stack((POINTS, np.full(len(POINTS), height_mm), np.ones(len(POINTS))))
    mapped = raised @ a_projection(*view).T
    plane = solve_plane([seen(card, a_camera(*view)) for card in FOUR], SIZE_PX)

    measured = plane.to_mm(mapped[:, :2] / mapped[:, 2:], height_mm)

    assert distances(measured) == pytest.approx(distances(POINTS), abs=0.05)


def test_pixels_and_millimetres_lead_back_to_each_other():
    plane = solve_plane([seen(card, a_camera(), 0.03) for card in FOUR], SIZE_PX)

    assert plane.to_mm(plane.to_pixels(POINTS)) == pytest.approx(POINTS, abs=1e-4)


def test_the_scale_is_that_of_the_camera():
    plane = solve_plane([seen(card, a_camera(0, 650)) for card in FOUR], SIZE_PX)

    assert plane.px_per_mm(np.zeros(2)) == pytest.approx(1300 / 650, rel=1e-3)


def test_the_largest_card_is_the_origin():
    camera = a_camera(50)
    near, far = Card(3, 0, -150, 30), Card(1, 0, 150, 0)

    plane = solve_plane([seen(far, camera), seen(near, camera)], SIZE_PX)

    assert plane.to_mm(through(camera, np.array([(0.0, -150.0)]))) == pytest.approx(
        np.zeros((1, 2)), abs=0.01
    )


def test_a_card_that_does_not_lie_flat_is_told():
    camera = a_camera()
    flat = [seen(card, camera) for card in FOUR]
    curled = Marker(2, flat[2].corners_px + np.array([(0, 0), (9, -7), (0, 0), (-6, 8)]))

    plane = solve_plane([flat[0], flat[1], curled, flat[3]], SIZE_PX)

    assert 2 in plane.bent
    assert solve_plane(flat, SIZE_PX).bent == ()


def test_without_a_card_there_is_no_plane():
    with pytest.raises(ValueError, match="at least one marker"):
        solve_plane([], SIZE_PX)


def test_from_picture_to_millimetres():
    camera = a_camera(40, 800, 130)

    plane = solve_plane(find_markers(photograph(FOUR, camera)), SIZE_PX)

    assert np.percentile(off_mm(plane, camera), 95) < 0.5


def pictures_with_cards():
    for truth in sorted(RENDERED.glob("*.json")):
        known = json.loads(truth.read_text())
        if known["spec"]["markers"]:
            yield pytest.param(truth.with_suffix(".jpg"), known["cubes"], id=truth.stem)


@pytest.mark.skipif(not RENDERED.exists(), reason="the rendered pictures are not here")
@pytest.mark.parametrize(("photo", "cubes"), list(pictures_with_cards()))
def test_rendered_tables_are_measured_well_with_two_cards_or_more(photo, cubes):
    picture = cv2.imread(str(photo), cv2.IMREAD_GRAYSCALE)

    markers = find_markers(picture)
    plane = solve_plane(markers, (picture.shape[1], picture.shape[0]))

    measured = plane.to_mm(np.array([cube["base_px"] for cube in cubes]))
    true = distances(np.array([cube["centre_mm"] for cube in cubes]))
    # The cards' printed size sets the scale; here only the shape is judged.
    scale = (distances(measured) / true).mean()
    off = np.abs(distances(measured) / scale - true)
    assert abs(scale - 1) < 0.02
    assert np.median(off) < (0.4 if len(markers) > 1 else 0.8)


def test_a_table_twice_as_large_looks_the_same_from_twice_as_far():
    plane = solve_plane([seen(card, a_camera()) for card in FOUR], SIZE_PX)
    points = np.array([(10.0, -20.0), (90.0, 40.0)])
    twice = plane.scaled(2.0)
    np.testing.assert_allclose(twice.to_pixels(2 * points, 20.0), plane.to_pixels(points, 10.0))
    np.testing.assert_allclose(twice.to_mm(plane.to_pixels(points)), 2 * points)
    assert twice.px_per_mm(2 * points[0]) == pytest.approx(plane.px_per_mm(points[0]) / 2, rel=1e-3)
