"""The figures of pictures whose answer is known by hand."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.accuracy.confusions import Confusion, confusion_matrix, confusions, kind_figures
from calibration.accuracy.figures import judge, pooled
from calibration.accuracy.groups import groupings
from calibration.accuracy.positions import fit
from calibration.accuracy.run import MeasuredSet
from calibration.accuracy.targets import verdicts
from tests.calibration.accuracy_cases import a_perfect_scan, a_room, a_true_picture, as_seen
from tests.web.scans import a_scan
from vision.pieces import Kind
from web.dungeon_drop.score_kept import score_kept


def a_bad_row(**taken):
    """Judge six cubes: a pillar missed, a gold called pillar, another too small, and a troll invented."""
    picture = a_true_picture(*a_room(), **taken)
    pillar, other, _, gold, large, gem = picture.cubes
    seen = [
        as_seen(pillar, 0),
        as_seen(other, 1),
        as_seen(gold, 2, kind="pillar"),
        as_seen(large, 3, size="small"),
        as_seen(gem, 4),
        as_seen(gem, 5, kind="troll", moved_px=(0, 90)),
    ]
    return judge(picture, a_scan(*seen), score_kept)


def a_good_row(**taken):
    picture = a_true_picture(*a_room(), **taken)
    return judge(picture, a_perfect_scan(picture), score_kept)


def test_a_perfect_scan_has_perfect_figures():
    figures = pooled([a_good_row()])

    assert figures.precision == figures.recall == figures.typed_f1 == figures.pillar_recall == 1.0
    assert figures.size_accuracy == figures.score_kept == figures.pillars_clear == 1.0
    assert figures.error_median_mm == pytest.approx(0.0, abs=1e-9)
    assert (figures.counts.perfect, figures.counts.false_pillars, figures.counts.best_rooms) == (1, 0, 1)


def test_the_figures_of_a_bad_scan():
    row = a_bad_row()
    figures = pooled([row])

    assert (figures.counts.cubes, figures.counts.found, figures.counts.matched) == (6, 6, 5)
    assert (figures.precision, figures.recall) == (5 / 6, 5 / 6)
    assert figures.typed_f1 == pytest.approx(4 / 6)
    assert figures.pillar_recall == pytest.approx(2 / 3)
    assert (figures.false_pillars, figures.pillars_clear) == (1.0, 0.0)
    assert figures.size_accuracy == pytest.approx(4 / 5)
    assert (figures.counts.perfect, row.mistakes) == (0, 3)


def test_pictures_are_pooled_by_cube():
    figures = pooled([a_good_row(), a_bad_row()])

    assert (figures.counts.pictures, figures.counts.cubes, figures.counts.perfect) == (2, 12, 1)
    assert figures.typed_f1 == pytest.approx(10 / 12)
    assert figures.score_kept == 0.5


def test_no_pictures_have_no_figures():
    figures = pooled([])

    assert (figures.typed_f1, figures.error_median_mm, figures.score_kept) == (0.0, None, None)


def test_without_millimetres_there_are_neither_positions_nor_rooms():
    cubes = [replace(cube, centre_mm=None, footprint_mm=None) for cube in a_room()]
    picture = a_true_picture(*cubes)

    row = judge(picture, a_perfect_scan(picture), score_kept)

    assert (row.positions, row.score_kept, row.counts.perfect) == (None, None, 1)


@pytest.mark.parametrize("flip", [1, -1])
def test_positions_are_measured_in_any_axes(flip):
    rng = np.random.default_rng(3)
    true = rng.uniform(-100, 100, (8, 2))
    turn = np.array([(0.6, -0.8), (0.8, 0.6)]) @ np.diag([1, flip])

    found = fit(1.1 * true @ turn.T + (500, -80), true)

    assert found.errors_mm == pytest.approx(np.zeros(8), abs=1e-9)
    assert found.scale_error == pytest.approx(1 - 1 / 1.1)


def test_one_cube_that_is_off_is_seen_off():
    true = np.array([(x, y) for x in (0.0, 50.0, 100.0) for y in (0.0, 50.0, 100.0)])
    seen = true.copy()
    seen[4] += (0.9, 0.0)

    # The mean moves by 0.1; what turning and scaling could gain from that is next to nothing.
    assert fit(seen, true).errors_mm == pytest.approx([0.1] * 4 + [0.8] + [0.1] * 4, abs=0.002)


def test_five_cubes_are_too_few_for_positions():
    picture = a_true_picture(*a_room()[:5])

    assert judge(picture, a_perfect_scan(picture)).positions is None


def test_confusions_name_what_was_missed_and_invented():
    rows = [a_bad_row(), a_bad_row()]

    assert confusions(confusion_matrix(rows)) == (
        Confusion(Kind.GOLD, Kind.PILLAR, 2),
        Confusion(Kind.PILLAR, None, 2),
        Confusion(None, Kind.TROLL, 2),
    )
    assert [one.words for one in confusions(confusion_matrix(rows))] == [
        "gold read as pillar",
        "pillar missed",
        "troll invented",
    ]
    assert confusion_matrix(rows).trace() == 8


def test_the_figures_of_each_kind():
    kinds = {one.kind: one for one in kind_figures([a_bad_row()])}

    assert list(kinds) == [Kind.GOLD, Kind.GEM_PINK, Kind.TROLL, Kind.PILLAR]
    gold, pillar = kinds[Kind.GOLD], kinds[Kind.PILLAR]
    assert (gold.cubes, gold.right, gold.other, gold.missed, gold.false) == (2, 1, 1, 0, 0)
    assert (gold.precision, gold.recall, gold.size_accuracy) == (1.0, 0.5, 0.5)
    assert (pillar.right, pillar.missed, pillar.false) == (2, 1, 1)
    assert kinds[Kind.TROLL].typed_f1 == 0.0


def test_groups_are_by_what_is_told():
    rows = [
        a_good_row(table="oak", tilt_deg=14.9, lamps=1, lamp_kelvin=2700, exposure=0.5, markers=4),
        a_bad_row(table="felt", tilt_deg=45.0, lamps=2, lamp_kelvin=6500, exposure=1.0, markers=0),
        a_bad_row(table="oak", tilt_deg=15.0),
    ]

    names = {one.name: [group.name for group in one.groups] for one in groupings(rows)}

    assert names == {
        "table": ["felt", "oak"],
        "tilt in degrees": ["0 to 15", "15 to 30", "45 and more"],
        "lamps": ["1 lamp", "2 lamps", "not told"],
        "colour of light": ["cold", "not told", "warm"],
        "exposure": ["dark", "normal", "not told"],
        "marker cards": ["no cards", "not told", "with cards"],
    }
    assert [group.figures.counts.pictures for group in groupings(rows)[0].groups] == [1, 2]
    assert groupings([a_good_row()]) == ()


def test_targets_are_reached_or_not_or_cannot_be_told():
    good, bad = verdicts([a_good_row(markers=4)]), verdicts([a_bad_row()])

    assert all(verdict.accepted is not False and verdict.reached is not False for verdict in good)
    answers = [(one.accepted, one.reached) for one in bad]
    assert answers == [
        (False, False),
        (False, None),
        (False, None),
        (None, False),
        (None, None),
        (None, None),
        (False, False),
        (None, None),
    ]


def test_the_worst_pictures_come_first_and_good_ones_not_at_all():
    good, bad = a_good_row(), a_bad_row()

    assert MeasuredSet("set", (good, bad)).worst(5) == (bad,)
    assert MeasuredSet("set", (good, bad)).worst(0) == ()


# The score kept


def kept(change):
    """Return the score kept if every cube is seen as *change* says; none is not seen."""
    picture = a_true_picture(*a_room())
    seen = [change(cube, id) for id, cube in enumerate(picture.cubes)]
    return judge(picture, a_scan(*(cube for cube in seen if cube)), score_kept).score_kept


def test_the_room_keeps_all_it_gains_whatever_else_is_wrong():
    assert kept(lambda cube, id: as_seen(cube, id, kind="goblin" if cube.kind == "gold" else None)) == 1.0


def test_a_pillar_that_is_none_gains_nothing():
    assert kept(lambda cube, id: as_seen(cube, id, kind="pillar" if id == 3 else None)) == 0.0
    assert kept(lambda cube, id: None if id == 0 else as_seen(cube, id)) == 0.0


def test_a_footprint_that_is_none_is_no_pillar():
    def flat(cube, id):
        seen = as_seen(cube, id)
        return replace(seen, footprint_mm=np.zeros((4, 2))) if id == 0 else seen

    assert kept(flat) == 0.0


def test_a_table_without_rooms_tells_nothing():
    picture = a_true_picture(*a_room()[1:])

    assert judge(picture, a_perfect_scan(picture), score_kept).score_kept is None
