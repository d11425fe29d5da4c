"""At which scale pictures are looked at: cubes seen from near and from afar, and what a search costs."""

import json

import cv2
import numpy as np
import pytest

from tests.vision.rendered import TABLES, picture, scanner, told_right
from vision.support import support
from vision.zoom import ZoomSettings, zoom

FOUND_FLOOR = 0.93
# The share of a picture's width that is left.
NEAR = (0.5, 0.33, 0.2)
WITHOUT_CARDS = [file for file in TABLES if not json.loads(file.read_text())["markers"]][:5]


def closer(frame, cubes, share):
    """Return what a phone held nearer would show, as large as before, and the cubes that are whole there."""
    height, width = frame.shape[:2]
    size = np.array([round(width * share), round(height * share)])
    middles = np.array([np.mean(cube["outline_px"], axis=0) for cube in cubes])
    beside = np.abs(middles[:, None] - middles).max(axis=2) < size.min() / 2
    start = np.clip(middles[beside.sum(axis=1).argmax()] - size / 2, 0, (width, height) - size).astype(int)
    part = frame[start[1] : start[1] + size[1], start[0] : start[0] + size[0]]
    larger = cv2.resize(part, (width, height), interpolation=cv2.INTER_CUBIC)
    factor = np.array([width, height]) / size
    moved = [{**cube, "outline_px": (np.array(cube["outline_px"]) - start) * factor} for cube in cubes]
    whole = [
        cube
        for cube in moved
        if (cube["outline_px"] > 0).all() and (cube["outline_px"] < (width, height)).all()
    ]
    return larger, whole


def farther(frame, cubes):
    """Return a picture with four times the table around the same cubes."""
    height, width = frame.shape[:2]
    rng = np.random.default_rng(5)
    around = rng.normal(np.median(frame, axis=(0, 1)), 3.0, (2 * height, 2 * width, 3)).clip(0, 255)
    around = around.astype(np.uint8)
    y, x = height // 2, width // 2
    around[y : y + height, x : x + width] = frame
    beside = np.array([x, y])
    return around, [{**cube, "outline_px": np.array(cube["outline_px"]) + beside} for cube in cubes]


def share_found(pictures):
    found = there = 0
    for frame, cubes in pictures:
        found += len(told_right(scanner().scan(frame), cubes)[0])
        there += len(cubes)
    return found / there


@pytest.mark.parametrize("share", NEAR)
def test_a_few_cubes_are_seen_from_near(share):
    """Glitter, faces and corners of cubes that are far too large look like many small cubes."""
    assert share_found(closer(*picture(file), share) for file in WITHOUT_CARDS) > FOUND_FLOOR


def test_cubes_are_seen_from_afar():
    assert share_found(farther(*picture(file)) for file in WITHOUT_CARDS) > FOUND_FLOOR


@pytest.mark.parametrize("share", [1.0, *NEAR])
def test_patches_are_cut_at_the_scale_the_judge_knows(share):
    settings = ZoomSettings()
    for file in WITHOUT_CARDS:
        frame, cubes = closer(*picture(file), share)

        near = zoom(frame, scanner().spotter, None, settings)

        outlines = [np.array(cube["outline_px"]) for cube in cubes]
        true_px = np.median([support(outline - outline.mean(axis=0)).mean() for outline in outlines])
        # A picture that would become hardly smaller is left as large as it is.
        wanted = min(1.0, settings.close_reach_px / true_px)
        assert near.scale == pytest.approx(wanted if wanted < settings.worth_while else 1.0, rel=0.35)


class Counted:
    """A spotter that counts its looks and how large they were."""

    def __init__(self, network):
        self.network, self.sides = network, []

    def __call__(self, pictures):
        self.sides.append(max(pictures.shape[1:3]))
        return self.network(pictures)


def test_a_table_that_fills_the_picture_takes_one_look():
    spotter = Counted(scanner().spotter)

    zoom(picture(TABLES[0])[0], spotter, None)

    assert spotter.sides == [800]


def test_a_small_picture_of_nothing_is_never_made_much_larger():
    spotter = Counted(scanner().spotter)

    zoom(np.full((90, 120, 3), 127, np.uint8), spotter, None)

    assert len(spotter.sides) <= 4
    assert max(spotter.sides) <= 1.5 * 120 + 4
