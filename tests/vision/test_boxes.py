"""Cubes fitted to outlines on a table whose plane is known."""

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
    rendered_plane,
    rendered_scenes,
    sighted,
)
from vision.boxes import BoxSettings, fit_again, fit_boxes, fit_hidden, unseen_reaches
from vision.pieces import SIZES
from vision.support import DIRECTIONS, support

VIEWS = [(0, 350, 0.65), (0, 1200, 1.2), (25, 700, 0.87), (40, 450, 0.7), (55, 350, 0.65), (55, 1000, 1.2)]


def turned_apart(one, other):
    """Return how far two squares are turned from each other."""
    return np.abs((one - other + np.pi / 4) % (np.pi / 2) - np.pi / 4)


def of_size(values, pile):
    return values[np.arange(len(pile)), pile.sizes]


@pytest.mark.parametrize("lens", [0.0, 0.05])
@pytest.mark.parametrize(("tilt_deg", "height_mm", "focal"), VIEWS)
def test_outlines_seen_exactly_give_the_cubes_exactly(tilt_deg, height_mm, focal, lens):
    plane = a_plane(tilt_deg, height_mm, focal=focal, lens=lens)
    pile = a_pile(np.random.default_rng(1), 60, plane)

    boxes = fit_boxes(plane, sighted(plane, pile))

    assert np.abs(of_size(boxes.centre_mm, pile) - pile.centre_mm).max() < 0.01
    assert turned_apart(of_size(boxes.yaw, pile), pile.yaw).max() < 0.01
    assert of_size(boxes.misfit_px, pile).max() < 0.02
    assert (boxes.misfit_px.argmin(axis=1) == pile.sizes).all()
    assert of_size(boxes.accuracy_mm, pile).max() < 1.0


@pytest.mark.parametrize(("tilt_deg", "height_mm", "focal"), VIEWS)
def test_outlines_seen_badly_give_places_well_and_sizes(tilt_deg, height_mm, focal):
    rng, plane = np.random.default_rng(2), a_plane(tilt_deg, height_mm, focal=focal)
    pile = a_pile(rng, 70, plane)

    boxes = fit_boxes(plane, noisy(rng, sighted(plane, pile)))

    off, scale = off_mm(of_size(boxes.centre_mm, pile), pile.centre_mm)
    assert np.median(off) < 0.2
    assert np.percentile(off, 95) < 0.45
    assert abs(scale - 1) < 0.002
    assert (boxes.surprise.argmin(axis=1) == pile.sizes).mean() > 0.98


def test_the_accuracy_is_told_rightly():
    rng, plane = np.random.default_rng(3), a_plane(35)
    off = []
    # This noise is another for every reach.
    alone = BoxSettings(wrong_together=1.0)

    for _ in range(10):
        pile = a_pile(rng, 70, plane)
        boxes = fit_boxes(plane, noisy(rng, sighted(plane, pile)), alone)
        off.append((of_size(boxes.centre_mm, pile) - pile.centre_mm) / of_size(boxes.accuracy_mm, pile))

    assert np.concatenate(off).std(axis=0) == pytest.approx(np.ones(2), abs=0.25)


def test_a_side_that_is_hidden_moves_a_cube_little():
    plane = a_plane(30)
    pile = a_pile(np.random.default_rng(4), 60, plane)
    exact = sighted(plane, pile)
    hidden = exact.support_px.copy()
    hidden[:, :2] -= 0.3 * exact.support_px.mean(axis=1, keepdims=True)

    boxes = fit_boxes(plane, replace(exact, support_px=hidden))

    assert np.median(np.hypot(*(of_size(boxes.centre_mm, pile) - pile.centre_mm).T)) < 0.35


def behind_each_other(plane, count, sizes=(0, 0), apart=10.0):
    """Return cubes two by two, the second so near before the first that it hides its foot."""
    rng = np.random.default_rng(6)
    places = rng.uniform(-90, 90, (count, 2))
    towards = plane.camera_mm[:2] - places
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    yaw = np.arctan2(towards[:, 1], towards[:, 0])
    before = places + apart * towards
    kinds, sizes = np.zeros(2, int), np.array(sizes)
    pairs = np.stack((places, before), axis=1)
    return [Pile(kinds, sizes, pair, np.repeat(turn, 2)) for pair, turn in zip(pairs, yaw, strict=True)]


def guessed_too_short(seen):
    """Return sightings of two cubes; what the other hides of the first is guessed, as of a smaller one."""
    towards = seen.centre_px[1] - seen.centre_px[0]
    reach = seen.support_px.copy()
    reach[0, DIRECTIONS @ towards > 0.85 * np.linalg.norm(towards)] *= 0.8
    return replace(seen, support_px=reach)


def test_a_cube_whose_foot_is_hidden_stands_where_the_rest_of_it_tells():
    plane = a_plane(50, 500)
    unaware, aware = [], []
    for pile in behind_each_other(plane, 20):
        guessed = guessed_too_short(sighted(plane, pile))
        boxes = fit_boxes(plane, guessed)
        fitted = fit_hidden(plane, guessed, boxes, unseen_reaches(plane, boxes))
        np.testing.assert_array_equal(fitted.surprise[1], boxes.surprise[1])
        np.testing.assert_array_equal(fitted.centre_mm[1], boxes.centre_mm[1])
        unaware.append(np.hypot(*(boxes.centre_mm[0, 0] - pile.centre_mm[0])))
        aware.append(np.hypot(*(fitted.centre_mm[0, 0] - pile.centre_mm[0])))
    assert np.median(aware) < 0.6 * np.median(unaware)


def test_what_is_hidden_of_a_cube_does_not_speak_against_its_size():
    plane = a_plane(50, 500)
    unaware, aware = [], []
    for pile in behind_each_other(plane, 20, sizes=(1, 2), apart=12.0):
        guessed = guessed_too_short(sighted(plane, pile))
        boxes = fit_boxes(plane, guessed)
        fitted = fit_hidden(plane, guessed, boxes, unseen_reaches(plane, boxes))
        unaware.append(boxes.surprise[0, 1])
        aware.append(fitted.surprise[0, 1])
        # And what is seen still tells it from a small one.
        assert fitted.surprise[0, 0] > 5 + fitted.surprise[0, 1]
    assert np.median(aware) < 0.2 * np.median(unaware)


def test_boxes_are_fitted_again_as_well_on_a_plane_that_has_moved_a_little():
    rng = np.random.default_rng(8)
    for tilt, height in ((0, 900), (30, 700), (50, 500)):
        plane = a_plane(tilt, height)
        pile = a_pile(rng, 40, plane)
        seen = noisy(rng, sighted(plane, pile))
        before = fit_boxes(a_plane(tilt + 3, 1.02 * height), seen)
        anew, again = fit_boxes(plane, seen), fit_again(plane, seen, before)
        off, old = (of_size(each.centre_mm - anew.centre_mm, pile) for each in (again, before))
        assert np.hypot(*old.T).mean() > 2.0
        assert np.percentile(np.hypot(*off.T), 98) < 0.1
        assert np.median(of_size(np.abs(again.surprise - anew.surprise), pile)) < 1e-3
    none = before.picked(np.zeros(0, np.intp))
    assert len(fit_again(plane, seen.picked(np.zeros(0, np.intp)), none)) == 0


def test_boxes_that_hide_nothing_stay_as_they_are():
    plane = a_plane(0, 900)
    seen = sighted(plane, a_pile(np.random.default_rng(7), 40, plane))
    boxes = fit_boxes(plane, seen)
    unseen = unseen_reaches(plane, boxes)
    assert not unseen.any()
    np.testing.assert_array_equal(fit_hidden(plane, seen, boxes, unseen).centre_mm, boxes.centre_mm)
    none = boxes.picked(np.zeros(0, np.intp))
    assert unseen_reaches(plane, none).shape == (0, 16)
    assert len(fit_hidden(plane, seen.picked(np.zeros(0, np.intp)), none, unseen[:0])) == 0


def test_a_half_that_is_hidden_does_no_harm_if_the_judge_knows_of_it():
    plane = a_plane(30)
    pile = a_pile(np.random.default_rng(4), 60, plane)
    exact = sighted(plane, pile)
    reach = exact.support_px.mean(axis=1, keepdims=True)
    hidden, unsure = exact.support_px.copy(), exact.unsure_px.copy()
    hidden[:, :5] -= 0.3 * reach
    unsure[:, :5] = 0.3 * reach

    unaware = fit_boxes(plane, replace(exact, support_px=hidden))
    aware = fit_boxes(plane, replace(exact, support_px=hidden, unsure_px=unsure))

    away = [
        np.median(np.hypot(*(of_size(boxes.centre_mm, pile) - pile.centre_mm).T))
        for boxes in (unaware, aware)
    ]
    assert away[1] < 0.15
    assert away[1] < 0.2 * away[0]
    # And it says by how much it may be off.
    assert (
        of_size(aware.accuracy_mm, pile).mean()
        > 1.2 * of_size(fit_boxes(plane, exact).accuracy_mm, pile).mean()
    )


def test_a_middle_that_is_seen_wrong_does_no_harm():
    plane, rng = a_plane(40), np.random.default_rng(5)
    pile = a_pile(rng, 60, plane)
    exact = sighted(plane, pile)
    moved = rng.normal(0, 2, (len(pile), 2))
    same = replace(
        exact, centre_px=exact.centre_px + moved, support_px=exact.support_px - moved @ DIRECTIONS.T
    )

    boxes = fit_boxes(plane, same)

    assert np.abs(of_size(boxes.centre_mm, pile) - pile.centre_mm).max() < 0.05


def test_the_footprint_and_the_outline_are_those_of_the_cube():
    plane = a_plane(45)
    pile = a_pile(np.random.default_rng(6), 40, plane)
    sightings = sighted(plane, pile)

    boxes = fit_boxes(plane, sightings)
    bases = boxes.footprint_mm()

    assert bases.shape == (len(pile), 3, 4, 2)
    sides = np.linalg.norm(bases - np.roll(bases, 1, axis=2), axis=3)
    assert sides == pytest.approx(np.broadcast_to(np.array([[8.0], [10.0], [12.0]]), sides.shape))
    for number, (size, true) in enumerate(zip(pile.sizes, pile.corners(), strict=True)):
        gaps = np.linalg.norm(bases[number, size][:, None] - true, axis=2)
        assert gaps.min(axis=1).max() < 0.02
        (outline,) = boxes.outlines_px(plane, np.array([number]), np.array([size]))
        assert 4 <= len(outline) <= 6
        reach = support(outline - sightings.centre_px[number])
        assert reach == pytest.approx(sightings.support_px[number], abs=0.02)


@pytest.mark.parametrize("tilt_deg", [0, 50])
def test_a_wrong_size_fits_much_worse(tilt_deg):
    plane = a_plane(tilt_deg)
    pile = a_pile(np.random.default_rng(7), 60, plane)

    share = fit_boxes(plane, sighted(plane, pile)).misfit_share

    small = pile.sizes == 0
    assert share[small, 0].max() < 0.001
    assert share[small, 1].min() > 0.1
    assert share[small, 2].min() > 0.2
    assert share[pile.sizes == 1][:, [0, 2]].min() > 0.1


def test_without_sightings_there_are_no_boxes():
    boxes = fit_boxes(a_plane(), nothing_seen())

    assert len(boxes) == 0
    assert boxes.footprint_mm().shape == (0, 3, 4, 2)
    assert boxes.accuracy_mm.shape == (0, 3, 2)


def test_what_is_seen_beyond_the_horizon_harms_nothing_else():
    plane = a_plane(55, size_px=SIZE_PX)
    exact = sighted(plane, a_pile(np.random.default_rng(8), 20, plane))
    centres = exact.centre_px.copy()
    centres[0] = (960.0, -4000.0)

    boxes = fit_boxes(plane, replace(exact, centre_px=centres))

    assert boxes.misfit_px[1:].min(axis=1).max() < 0.02
    assert boxes.misfit_px[0].min() > 1.0


@pytest.mark.skipif(not RENDERED.exists(), reason="the rendered pictures are not here")
def test_rendered_cubes_are_where_they_were_put():
    off, sized = [], []
    for _, sightings, cubes, camera in rendered_scenes():
        plane = rendered_plane(camera)
        boxes = fit_boxes(plane, sightings)
        sizes = np.array([SIZES.index(cube["size"]) for cube in cubes])
        true = np.array([cube["centre_mm"] for cube in cubes])
        off.append(off_mm(boxes.centre_mm[np.arange(len(cubes)), sizes], true)[0])
        sized.append(boxes.surprise.argmin(axis=1) == sizes)

    assert len(off) >= 15
    assert np.median(np.concatenate(off)) < 0.1
    assert np.concatenate(sized).mean() > 0.995
