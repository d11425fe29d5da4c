"""Noise, light and trembling are no change; a cube is, with its place; hands and bumps are told apart."""

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.motion import Amount, SmallPicture, compare, reduced

RENDERED = Path(__file__).parents[2].parent / "shared" / "photos" / "rendered"
SIZE_PX = (1280, 720)
SIDE_PX = 24
COLOURS = [(40, 190, 235), (60, 60, 200), (190, 90, 50), (90, 170, 80), (225, 225, 230), (170, 110, 200)]


def cube_places(count=40):
    """Return where cubes stand, and their colours."""
    rng = np.random.default_rng(5)
    cells = [(x, y) for x in range(160, 1120, 60) for y in range(120, 620, 60)]
    picked = rng.permutation(len(cells))[:count]
    return [(cells[cell], COLOURS[number % len(COLOURS)]) for number, cell in enumerate(picked)]


@cache
def a_table(colour):
    """Draw an empty table with a grain."""
    width, height = SIZE_PX
    rng = np.random.default_rng(2)
    grain = cv2.GaussianBlur(
        rng.normal(0, 60, (height, width)).astype(np.float32), (0, 0), sigmaX=25, sigmaY=2
    )
    return np.clip(np.array(colour) + grain[..., None], 0, 255).astype(np.uint8)


def a_picture(cubes=None, table=(95, 130, 160)):
    """Draw cubes, each with a side and a shadow, on a table."""
    picture = a_table(table).copy()
    for (x, y), colour in cube_places() if cubes is None else cubes:
        half = SIDE_PX // 2
        dark = tuple(int(0.55 * value) for value in colour)
        ground = tuple(int(0.5 * value) for value in table)
        cv2.rectangle(picture, (x - half, y + half), (x + half + 6, y + half + 7), ground, -1)
        cv2.rectangle(picture, (x - half, y + half), (x + half, y + half + 5), dark, -1)
        cv2.rectangle(picture, (x - half, y - half), (x + half, y + half), colour, -1)
    return cv2.GaussianBlur(picture, (0, 0), 0.8)


def with_hand(picture, reach_px=420, skin=(120, 150, 205)):
    """Draw an arm from the right border that ends in a hand."""
    drawn = picture.copy()
    width, height = picture.shape[1], picture.shape[0]
    end = (width - reach_px, height // 2)
    cv2.line(drawn, (width + 50, height // 2 + 80), end, skin, 90)
    cv2.circle(drawn, end, 75, skin, -1)
    return drawn


def taken(picture, seed, noise=4.0, gain=(1.0, 1.0, 1.0), offset=0.0, quality=80):
    """Return the picture as a webcam sends it."""
    rng = np.random.default_rng(seed)
    lit = picture * np.float32(gain) + np.float32(offset)
    lit += np.float32(noise) * rng.standard_normal(picture.shape, np.float32)
    data = cv2.imencode(".jpg", np.clip(lit, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


LIGHTS = [
    pytest.param({}, id="noise"),
    pytest.param({"noise": 8.0, "quality": 60}, id="much noise"),
    pytest.param({"gain": (1.12, 1.12, 1.12)}, id="brighter"),
    pytest.param({"gain": (0.75, 0.75, 0.75)}, id="darker"),
    pytest.param({"gain": (1.1, 1.0, 0.9), "offset": 3.0}, id="another white"),
    pytest.param({"offset": -12.0}, id="another black"),
]


@pytest.mark.parametrize("light", LIGHTS)
def test_noise_exposure_and_white_balance_are_no_change(light):
    picture = a_picture()

    motion = compare(reduced(taken(picture, 1)), reduced(taken(picture, 2, **light)))

    assert motion.amount is Amount.NOTHING
    assert (motion.share, motion.boxes) == (0.0, ())


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("which", [0, 21])
def test_a_cube_that_is_taken_is_a_small_change_where_it_was(light, which):
    cubes = cube_places()
    (x, y), _ = cubes[which]
    rest = cubes[:which] + cubes[which + 1 :]

    motion = compare(reduced(taken(a_picture(), 1)), reduced(taken(a_picture(rest), 2, **light)))

    assert motion.amount is Amount.SMALL
    ((left, top, right, bottom),) = motion.boxes
    assert left <= x <= right and top <= y <= bottom
    assert right - left < 3 * SIDE_PX and bottom - top < 3 * SIDE_PX
    assert motion.share < 0.004


def test_two_cubes_are_two_regions_the_larger_first():
    near, far, large = (300, 200), (900, 500), cube_places(0)
    before = a_picture(large)
    after = a_picture([(near, COLOURS[0]), (far, COLOURS[1]), ((far[0] + SIDE_PX, far[1]), COLOURS[2])])

    motion = compare(reduced(before), reduced(after))

    assert motion.amount is Amount.SMALL
    (left, *_), (other, *_) = motion.boxes
    assert left > 800 and other < 400


@pytest.mark.parametrize("reach_px", [150, 420, 800])
@pytest.mark.parametrize("gain", [0.85, 1.0, 1.1])
def test_a_hand_is_told_even_if_the_camera_reacts_to_it(reach_px, gain):
    picture = a_picture()

    motion = compare(
        reduced(taken(picture, 1)), reduced(taken(with_hand(picture, reach_px), 2, gain=(gain,) * 3))
    )

    assert motion.amount is Amount.HAND
    assert any(right == SIZE_PX[0] for _, _, right, _ in motion.boxes)
    assert max(left for left, *_ in motion.boxes) > SIZE_PX[0] - reach_px - 100


def test_something_large_in_the_middle_is_no_hand():
    picture = a_picture()
    covered = picture.copy()
    cv2.rectangle(covered, (500, 250), (700, 450), (240, 240, 240), -1)

    assert compare(reduced(picture), reduced(covered)).amount is Amount.LARGE


@pytest.mark.parametrize("shift", [(3, 0), (-6, 4), (25, -40)])
def test_a_camera_that_was_pushed_is_told_by_how_far(shift):
    picture = a_picture()
    moved = np.roll(picture, (shift[1], shift[0]), axis=(0, 1))

    motion = compare(reduced(taken(picture, 1)), reduced(taken(moved, 2, gain=(1.05, 1.03, 1.0))))

    assert motion.amount is Amount.BUMP
    assert motion.shift_px == pytest.approx(shift, abs=0.7)


def test_a_camera_that_trembles_was_not_pushed():
    picture = a_picture()

    motion = compare(reduced(taken(picture, 1)), reduced(taken(np.roll(picture, 1, axis=1), 2)))

    assert motion.amount is Amount.NOTHING


def test_many_cubes_at_once_are_small_changes_and_no_bump():
    motion = compare(reduced(taken(a_picture(), 1)), reduced(taken(a_picture(cube_places()[:20]), 2)))

    assert motion.amount is Amount.SMALL
    assert len(motion.boxes) == 20


def test_a_camera_that_changes_its_size_changes_everything():
    motion = compare(reduced(a_picture()), reduced(cv2.resize(a_picture(), (640, 360))))

    assert (motion.amount, motion.share, motion.boxes) == (Amount.LARGE, 1.0, ((0, 0, 640, 360),))


@pytest.mark.parametrize(
    ("size", "small"),
    [
        ((1920, 1080), (480, 270)),
        ((1280, 720), (320, 180)),
        ((1279, 719), (319, 179)),
        ((400, 300), (400, 300)),
    ],
)
def test_pictures_are_made_small(size, small):
    picture = reduced(np.zeros((size[1], size[0], 3), np.uint8))

    assert (picture.pixels.shape[1], picture.pixels.shape[0]) == small
    assert picture.size_px == size


@pytest.mark.parametrize("size", [(1, 1), (1, 3000), (2000, 2)])
def test_pictures_of_strange_sizes_are_compared(size):
    black, white = (np.full((size[1], size[0], 3), value, np.uint8) for value in (0, 255))

    assert compare(reduced(black), reduced(black)).amount is Amount.NOTHING
    assert isinstance(reduced(white), SmallPicture)
    compare(reduced(black), reduced(white))


def test_a_lens_that_is_covered_is_no_small_change():
    motion = compare(reduced(taken(a_picture(), 1)), reduced(np.zeros((720, 1280, 3), np.uint8)))

    assert motion.amount in (Amount.HAND, Amount.LARGE)


@pytest.mark.parametrize(
    "picture",
    [np.zeros((60, 80), np.uint8), np.zeros((60, 80, 3), np.float32), np.zeros((0, 0, 3), np.uint8)],
)
def test_what_is_no_coloured_picture_is_a_mistake(picture):
    with pytest.raises(ValueError, match="coloured picture"):
        reduced(picture)


def without(picture, cube):
    """Return a rendered picture with a cube painted over by what is around it."""
    x, y = map(int, cube["centre_px"])
    around = np.s_[max(0, y - 90) : y + 90, max(0, x - 90) : x + 90]
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(cube["outline_px"]).astype(np.int32)], 255)
    mask = cv2.dilate(mask, np.ones((7, 7), np.uint8))
    painted = picture.copy()
    painted[around] = cv2.inpaint(picture[around].copy(), mask[around].copy(), 5, cv2.INPAINT_TELEA)
    return painted


@pytest.mark.skipif(not RENDERED.exists(), reason="the rendered pictures are not here")
@pytest.mark.parametrize("scene", ["scene-003", "scene-004"])
def test_each_kind_of_cube_is_missed_on_a_rendered_table(scene):
    picture = cv2.imread(str(RENDERED / f"{scene}.jpg"))
    before = reduced(taken(picture, 1))
    cubes = {cube["type"]: cube for cube in json.loads((RENDERED / f"{scene}.json").read_text())["cubes"]}
    assert compare(before, reduced(taken(picture, 2, gain=(1.05, 1.03, 1.0)))).amount is Amount.NOTHING

    for kind, cube in list(cubes.items())[::2]:
        motion = compare(before, reduced(taken(without(picture, cube), 3)))

        x, y = cube["centre_px"]
        assert motion.amount is Amount.SMALL, kind
        ((left, top, right, bottom),) = motion.boxes
        assert left - 5 <= x <= right + 5 and top - 5 <= y <= bottom + 5, kind
