"""The layout: every kind is in it, and it is read from any side, laid by hand."""

import numpy as np
import pytest

from calibration.sample_layout import (
    COUNTS,
    LAYOUT,
    SOLO_ROW,
    NotTheLayout,
    Why,
    corrected,
    laid_out,
    match_layout,
)
from tests.web.scans import a_scan, a_seen_cube
from vision.pieces import COUNTS as IN_THE_BOX
from vision.pieces import KINDS, Kind
from web.dungeon_drop.scan_report import report

PITCH = 30.0


def pieces_of(rows):
    return [piece for row in rows for piece in row]


def laid(rows=LAYOUT, *, turn_deg=0.0, waver=0.0, seed=0):
    """Return where the pieces are, shuffled, and which they are; y goes down as in a picture."""
    rng = np.random.default_rng(seed)
    places = [(PITCH * x, PITCH * y) for y, row in enumerate(rows) for x in range(len(row))]
    places = np.array(places) + rng.uniform(-waver, waver, (len(places), 2)) * PITCH
    angle = np.radians(turn_deg)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    order = rng.permutation(len(places))
    return (places @ turn.T)[order] + 500.0, tuple(pieces_of(rows)[n] for n in order)


def opinion_of(pieces, wrong=(), sure=0.8):
    """Return what a network says that is right but for some; those look like the next kind."""
    opinion = np.full((len(pieces), len(KINDS)), (1 - sure) / (len(KINDS) - 1))
    for n, (kind, _) in enumerate(pieces):
        opinion[n, (KINDS.index(kind) + (n in wrong)) % len(KINDS)] = sure
    return opinion


def why(*arguments):
    with pytest.raises(NotTheLayout) as caught:
        match_layout(*arguments)
    assert caught.value.found == len(arguments[0])
    return caught.value.why


def test_the_layout_has_every_kind_and_size_and_no_more_than_the_box():
    pieces = pieces_of((*LAYOUT, SOLO_ROW))

    assert set(pieces) == set(IN_THE_BOX)
    assert all(pieces.count(piece) <= IN_THE_BOX[piece] for piece in pieces)
    # Two of a kind, so that one can be named by the other; the box has one dragon and one stairs.
    kinds = [kind for kind, _ in pieces]
    assert {kind for kind in kinds if kinds.count(kind) < 2} == {Kind.DRAGON, Kind.STAIRS}


def test_a_row_is_never_longer_than_the_one_before():
    lengths = [len(row) for row in (*LAYOUT, SOLO_ROW)]

    assert lengths == sorted(lengths, reverse=True)
    assert len(set(lengths)) > 1


@pytest.mark.parametrize("rows", [LAYOUT, (*LAYOUT, SOLO_ROW)], ids=["without solo", "with solo"])
@pytest.mark.parametrize("turn_deg", [0, 7, -12, 44, 90, 100, 180, 165, 270, 281])
@pytest.mark.parametrize("told", [False, True], ids=["places alone", "with an opinion"])
def test_pieces_laid_by_hand_are_read_from_any_side(rows, turn_deg, told):
    for seed in range(5):
        centres, pieces = laid(rows, turn_deg=turn_deg, waver=0.2, seed=seed)

        assert match_layout(centres, opinion_of(pieces) if told else None) == pieces


def test_a_network_that_is_often_wrong_does_not_matter():
    centres, pieces = laid(turn_deg=95, waver=0.1)

    assert match_layout(centres, opinion_of(pieces, wrong=range(12))) == pieces


def test_an_opinion_of_another_order_is_refused():
    centres, pieces = laid(turn_deg=5)

    assert why(centres, opinion_of(pieces, wrong=range(15))) is Why.ORDER


@pytest.mark.parametrize("count", [0, 1, 27, 29, 30, 32, 60])
def test_another_number_of_cubes_is_refused(count):
    assert why(np.random.default_rng(1).uniform(0, 500, (count, 2)), None) is Why.COUNT


@pytest.mark.parametrize("count", COUNTS)
def test_cubes_lying_anyhow_are_refused(count):
    for seed in range(10):
        anyhow = np.random.default_rng(seed).uniform(0, 500, (count, 2))

        assert why(anyhow, None) is Why.ROWS


def test_other_rows_are_refused():
    grid = np.array([(x, y) for x in range(7) for y in range(4)], float) * PITCH

    assert why(grid, None) is Why.ROWS


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_places_that_are_no_numbers_are_refused(value):
    centres, _ = laid()
    centres[3, 1] = value

    assert why(centres, None) is Why.COUNT


def test_all_at_one_place_are_refused():
    assert why(np.zeros((COUNTS[0], 2)), None) is Why.ROWS


# From scans


def a_scan_of_the_layout():
    centres, pieces = laid(turn_deg=100, waver=0.15)
    # In mm y goes up: what goes down in the picture has the other sign.
    mm = (centres - centres.mean(axis=0)) * (1, -1)
    cubes = [
        a_seen_cube(n, kind, *place, size=size)
        for n, (place, (kind, size)) in enumerate(zip(mm, pieces, strict=True))
    ]
    return a_scan(*cubes), tuple(kind for kind, _ in pieces)


def test_a_scan_is_labelled_as_it_is_seen_from_above():
    scan, kinds = a_scan_of_the_layout()

    labelled = laid_out(scan)

    assert labelled.kinds == kinds
    assert labelled.size_px == scan.size_px
    np.testing.assert_allclose(labelled.centres_px, [cube.centre_px for cube in scan.cubes])
    # A square of 8 mm at 3 pixels per mm, and the larger ones, reach 0.64 of their sides.
    assert 0.6 * 24 < labelled.reach_px.min() < labelled.reach_px.max() < 0.7 * 36


def test_an_empty_scan_is_refused_by_its_number():
    with pytest.raises(NotTheLayout) as caught:
        laid_out(a_scan())

    assert (caught.value.why, caught.value.found) == (Why.COUNT, 0)


def test_a_corrected_scan_is_labelled_by_its_types():
    told = report(a_scan(a_seen_cube(0, "gold", 0, 0), a_seen_cube(1, "key", 20, 5)))
    told["cubes"][1]["type"] = "potion"

    labelled = corrected(told)

    assert labelled.kinds == (Kind.GOLD, Kind.POTION)
    assert labelled.size_px == (640, 480)
    np.testing.assert_allclose(labelled.centres_px, [cube["centre_px"] for cube in told["cubes"]])
    assert (labelled.reach_px > 12).all()


CUBE = {"type": "gold", "outline_px": [[0, 0], [20, 0], [10, 20]], "centre_px": [10, 8]}
IMAGE = {"width": 640, "height": 480}


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(None, id="nothing"),
        pytest.param([], id="a list"),
        pytest.param({"cubes": [CUBE]}, id="no size"),
        pytest.param({"image": IMAGE}, id="no cubes"),
        pytest.param({"image": IMAGE, "cubes": []}, id="an empty table"),
        pytest.param({"image": IMAGE, "cubes": 3}, id="a number of cubes"),
        pytest.param({"image": {"width": float("inf"), "height": 1}, "cubes": [CUBE]}, id="endless"),
        pytest.param({"image": IMAGE, "cubes": [{**CUBE, "type": "silver"}]}, id="unknown type"),
        pytest.param({"image": IMAGE, "cubes": [{**CUBE, "type": None}]}, id="no type"),
        pytest.param({"image": IMAGE, "cubes": [{**CUBE, "centre_px": [1]}]}, id="half a point"),
        pytest.param({"image": IMAGE, "cubes": [{**CUBE, "centre_px": ["a", "b"]}]}, id="words"),
        pytest.param({"image": IMAGE, "cubes": [{**CUBE, "centre_px": [float("nan"), 1]}]}, id="no number"),
        pytest.param({"image": IMAGE, "cubes": [{**CUBE, "centre_px": [1e9, 1]}]}, id="far away"),
        pytest.param({"image": IMAGE, "cubes": [{**CUBE, "outline_px": []}]}, id="no outline"),
        pytest.param({"image": IMAGE, "cubes": [{**CUBE, "outline_px": [[10, 8]]}]}, id="no size of a cube"),
        pytest.param({"image": IMAGE, "cubes": [{**CUBE, "outline_px": [[1, 2], [3]]}]}, id="ragged"),
    ],
)
def test_what_is_no_scan_is_refused(values):
    with pytest.raises(ValueError):
        corrected(values)


def test_the_scan_of_the_test_above_is_one():
    assert corrected({"image": IMAGE, "cubes": [CUBE]}).kinds == (Kind.GOLD,)
