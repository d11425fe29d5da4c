"""The table's plane from the cubes on it alone."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.cube_views import (
    RENDERED,
    SIZE_PX,
    Pile,
    a_pile,
    a_plane,
    noisy,
    nothing_seen,
    off_mm,
    rendered_scenes,
    sighted,
    usually_unsure,
)
from vision.boxes import fit_boxes
from vision.cube_plane import plane_assumed, plane_from_cubes
from vision.pieces import KINDS, SIZES, Kind
from vision.sightings import Sightings

VIEWS = [
    (0, 350, 0.65),
    (0, 900, 1.2),
    (12, 600, 0.87),
    (30, 1000, 0.75),
    (40, 450, 0.7),
    (55, 350, 0.65),
    (55, 700, 1.1),
]


def measured(plane, sightings, true_mm, sizes):
    """Return how far off the cubes are, how far off the scale is, and which sizes are right."""
    boxes = fit_boxes(plane, sightings)
    found = boxes.surprise.argmin(axis=1)
    off, scale = off_mm(boxes.centre_mm[np.arange(len(found)), found], true_mm)
    return off, abs(scale - 1), found == sizes


def some(pile, which):
    return Pile(pile.kinds[which], pile.sizes[which], pile.centre_mm[which], pile.yaw[which])


@pytest.mark.parametrize("turned_deg", [20, 250])
@pytest.mark.parametrize(("tilt_deg", "height_mm", "focal"), VIEWS)
def test_cubes_seen_exactly_give_the_table_nearly_exactly(tilt_deg, height_mm, focal, turned_deg):
    true = a_plane(tilt_deg, height_mm, turned_deg, focal)
    pile = a_pile(np.random.default_rng(1), 60, true)
    sightings = sighted(true, pile)

    plane = plane_from_cubes(sightings, SIZE_PX)

    off, scale_off, sized = measured(plane, sightings, pile.centre_mm, pile.sizes)
    # The focal length and the bend of the lens stay a little nearer to what is usual.
    assert np.median(off) < 0.15
    assert scale_off < 0.005
    assert sized.all()
    assert plane.camera_mm[2] == pytest.approx(height_mm, rel=0.06)
    assert (plane.markers, plane.bent) == ((), ())
    # A yaw or two may stay where a corner hides another.
    assert plane.off_px < 0.25


def test_cubes_seen_badly_give_the_table_well():
    rng = np.random.default_rng(2)
    far, scales, right = [], [], []

    for _ in range(3):
        for tilt_deg, height_mm, focal in VIEWS:
            true = a_plane(tilt_deg, height_mm, rng.uniform(0, 360), focal, rng.uniform(-0.03, 0.03))
            pile = a_pile(rng, int(rng.integers(30, 75)), true)
            sightings = noisy(rng, sighted(true, pile))
            off, scale_off, sized = measured(
                plane_from_cubes(sightings, SIZE_PX), sightings, pile.centre_mm, pile.sizes
            )
            far.append(off)
            scales.append(scale_off)
            right.append(sized)

    assert np.median(np.concatenate(far)) < 0.6
    assert np.percentile(np.concatenate(far), 95) < 2.5
    assert max(scales) < 0.03
    assert np.concatenate(right).mean() > 0.99


def test_the_focal_length_that_is_told_helps():
    rng, usual, told = np.random.default_rng(3), [], []

    for _ in range(12):
        true = a_plane(5, 400, focal=1.2)
        sightings = noisy(rng, sighted(true, a_pile(rng, 25, true)))
        usual.append(plane_from_cubes(sightings, SIZE_PX).focal_px / true.focal_px)
        told.append(plane_from_cubes(sightings, SIZE_PX, true.focal_px).focal_px / true.focal_px)

    assert np.abs(np.log(told)).max() < 0.06
    assert np.abs(np.log(told)).mean() < 0.7 * np.abs(np.log(usual)).mean()


@pytest.mark.parametrize("count", [3, 5, 9])
def test_a_few_cubes_are_enough(count):
    rng, wrong, scales = np.random.default_rng(4), 0, []

    for tilt_deg, height_mm, focal in VIEWS:
        true = a_plane(tilt_deg, height_mm, focal=focal)
        pile = a_pile(rng, count, true)
        sightings = noisy(rng, sighted(true, pile), wrong_kinds=0.0)
        _, scale_off, sized = measured(
            plane_from_cubes(sightings, SIZE_PX), sightings, pile.centre_mm, pile.sizes
        )
        scales.append(scale_off)
        wrong += not sized.all()

    assert np.median(scales) < 0.04
    assert wrong <= 1


@pytest.mark.parametrize("size", [0, 1])
def test_the_kinds_that_have_one_size_tell_the_scale(size):
    """If all cubes have one size, only goblins, trolls and the like tell which."""
    rng, true = np.random.default_rng(5), a_plane(30)
    pile = a_pile(rng, 75, true)
    one = some(pile, pile.sizes == size)
    only = Kind.GOBLIN if size == 0 else Kind.CHEST
    assert (one.kinds == KINDS.index(only)).sum() >= 2

    sightings = noisy(rng, sighted(true, one), wrong_kinds=0.0)
    _, scale_off, sized = measured(plane_from_cubes(sightings, SIZE_PX), sightings, one.centre_mm, one.sizes)

    assert scale_off < 0.03
    assert sized.all()


def test_two_sizes_of_the_same_kinds_tell_the_scale():
    rng, true = np.random.default_rng(6), a_plane(20)
    pile = a_pile(rng, 75, true)
    both = some(pile, np.isin(pile.kinds, [KINDS.index(kind) for kind in (Kind.GOLD, Kind.PILLAR, Kind.KEY)]))

    sightings = noisy(rng, sighted(true, both), wrong_kinds=0.0)
    _, scale_off, sized = measured(
        plane_from_cubes(sightings, SIZE_PX), sightings, both.centre_mm, both.sizes
    )

    assert scale_off < 0.03
    assert sized.all()


def test_what_is_no_cube_does_little_harm():
    rng, far, scales = np.random.default_rng(7), [], []

    for tilt_deg, height_mm, focal in VIEWS:
        true = a_plane(tilt_deg, height_mm, focal=focal)
        pile = a_pile(rng, 60, true)
        seen = noisy(rng, sighted(true, pile))
        reach = seen.support_px.copy()
        reach[:9] *= rng.uniform(0.3, 3.0, (9, 16))
        plane = plane_from_cubes(replace(seen, support_px=reach), SIZE_PX)
        off, scale_off, _ = measured(plane, seen, pile.centre_mm, pile.sizes)
        far.append(off)
        scales.append(scale_off)

    assert np.median(np.concatenate(far)) < 0.6
    assert max(scales) < 0.03


def test_without_enough_cubes_there_is_no_plane():
    true = a_plane()
    seen = sighted(true, a_pile(np.random.default_rng(8), 10, true))
    unlikely = replace(seen, presence=np.array([0.9] * 2 + [0.1] * 8))
    broken = replace(seen, support_px=np.full((10, 16), np.nan))

    assert plane_from_cubes(seen.picked(np.arange(2)), SIZE_PX) is None
    assert plane_from_cubes(unlikely, SIZE_PX) is None
    assert plane_from_cubes(broken, SIZE_PX) is None
    assert plane_from_cubes(seen.picked(np.arange(3)), SIZE_PX) is not None


def test_what_fits_no_table_gives_none():
    rng = np.random.default_rng(9)
    reach = np.exp(rng.uniform(np.log(4), np.log(100), (30, 1))) * rng.uniform(0.6, 1.4, (30, 16))
    nonsense = Sightings(
        rng.uniform(0, 1000, (30, 2)), reach, usually_unsure(reach), np.full((30, 14), 1 / 14), np.ones(30)
    )

    assert plane_from_cubes(nonsense, SIZE_PX) is None


def test_the_origin_is_in_the_middle_of_the_picture():
    true = a_plane(30, 500)
    seen = sighted(true, a_pile(np.random.default_rng(10), 40, true))
    middle = np.array([[(SIZE_PX[0] - 1) / 2, (SIZE_PX[1] - 1) / 2]])

    for plane in (plane_from_cubes(seen, SIZE_PX), plane_assumed(seen, SIZE_PX)):
        assert plane.to_pixels(np.zeros((1, 2))) == pytest.approx(middle, abs=1e-6)


@pytest.mark.parametrize("count", [1, 2])
def test_one_or_two_cubes_seen_from_above_still_tell_the_scale(count):
    true = a_plane(0, 600)
    seen = sighted(true, a_pile(np.random.default_rng(11), count, true, edge=0.3))

    plane = plane_assumed(seen, SIZE_PX, true.focal_px)

    assert plane.px_per_mm(np.zeros(2)) == pytest.approx(true.px_per_mm(np.zeros(2)), rel=0.2)
    assert plane.focal_px == pytest.approx(true.focal_px)


def test_without_any_cube_a_plane_is_assumed():
    plane = plane_assumed(nothing_seen(), SIZE_PX)

    assert plane.px_per_mm(np.zeros(2)) == pytest.approx(2.0, rel=1e-6)
    assert plane.camera_mm[:2] == pytest.approx(np.zeros(2))
    assert plane.camera_mm[2] == pytest.approx(plane.focal_px / 2)


@pytest.mark.skipif(not RENDERED.exists(), reason="the rendered pictures are not here")
@pytest.mark.parametrize(("noise", "median_mm", "late_mm"), [(0.0, 0.06, 0.25), (0.02, 0.4, 1.2)])
def test_rendered_tables_are_measured_well_without_cards(noise, median_mm, late_mm):
    rng = np.random.default_rng(12)
    far, scales, right = [], [], []

    for _, exact, cubes, camera in rendered_scenes():
        seen = noisy(rng, exact, noise) if noise else exact
        true = np.array([cube["centre_mm"] for cube in cubes])
        sizes = np.array([SIZES.index(cube["size"]) for cube in cubes])
        off, scale_off, sized = measured(plane_from_cubes(seen, tuple(camera["size"])), seen, true, sizes)
        far.append(off)
        scales.append(scale_off)
        right.append(sized)

    assert len(far) >= 15
    assert np.median(np.concatenate(far)) < median_mm
    assert np.percentile(np.concatenate(far), 95) < late_mm
    assert max(scales) < 0.03
    assert np.concatenate(right).mean() > 0.99
