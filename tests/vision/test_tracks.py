"""What several scans say of one cube together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.pieces import Kind, Size
from vision.seen import SeenCube
from vision.tracks import Track, decided

SQUARE = np.array([(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0)])
CUBE = SeenCube(0, Kind.PILLAR, Size.LARGE, 0.94, SQUARE, SQUARE.mean(0), SQUARE.mean(0), SQUARE, 0.2)


def voted(*cubes: SeenCube) -> SeenCube:
    return decided(Track(CUBE, cubes, shown=True), surest=0.99, votes=5).cube


def test_one_sure_scan_of_a_size_outvotes_two_that_cannot_tell() -> None:
    doubtful = replace(CUBE, size=Size.SMALL, confidence=0.51)
    assert voted(CUBE, doubtful, doubtful).size is Size.LARGE


def test_two_sure_scans_outvote_one() -> None:
    small = replace(CUBE, size=Size.SMALL)
    assert voted(CUBE, small, small).size is Size.SMALL


def test_a_scan_that_is_unsure_of_another_kind_says_little_for_this_one() -> None:
    goblin = replace(CUBE, kind=Kind.GOBLIN, size=Size.SMALL, confidence=0.6)
    sure = voted(CUBE, CUBE).confidence
    assert voted(CUBE, CUBE, goblin).kind is Kind.PILLAR
    assert voted(CUBE, CUBE, goblin).confidence < sure - 0.2


def test_a_size_seen_clearly_is_not_undone_by_scans_that_can_hardly_tell() -> None:
    doubtful = replace(CUBE, size=Size.SMALL, confidence=0.59)
    assert voted(*[CUBE] * 5, *[doubtful] * 5).size is Size.LARGE


def test_where_a_cube_is_and_whether_is_told_by_the_last_scans_alone() -> None:
    nudged = replace(CUBE, centre_mm=CUBE.centre_mm + 2)
    assert np.array_equal(voted(*[CUBE] * 5, *[nudged] * 5).centre_mm, nudged.centre_mm)
    gone = decided(Track(CUBE, (*[CUBE] * 5, *[None] * 4, CUBE), shown=True), surest=0.99, votes=5)
    assert not gone.shown
