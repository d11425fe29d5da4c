"""The accuracy report as JSON values, with the names that ``score_scans`` gives to the same figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from calibration.accuracy.confusions import Confusion, confusion_matrix, confusions, kind_figures
from calibration.accuracy.figures import Figures, Row, pooled
from calibration.accuracy.groups import groupings
from calibration.accuracy.run import MeasuredSet
from calibration.accuracy.targets import verdicts


def report_values(sets: Sequence[MeasuredSet]) -> dict[str, Any]:
    """Return everything that was measured."""
    return {"schema": 1, "sets": [_set(measured) for measured in sets]}


def figure_values(figures: Figures) -> dict[str, Any]:
    """Return the figures of pictures pooled."""
    counts = figures.counts
    return {
        "pictures": counts.pictures,
        "cubes": counts.cubes,
        "precision": figures.precision,
        "recall": figures.recall,
        "typed_f1": figures.typed_f1,
        "pillar_recall": figures.pillar_recall,
        "false_pillars": counts.false_pillars,
        "size_accuracy": figures.size_accuracy,
        "perfect_pictures": counts.perfect,
        "pillars_clear_pictures": counts.pillars_clear,
        "error_mm_median": figures.error_median_mm,
        "error_mm_p95": figures.error_p95_mm,
        "scale_error": figures.scale_error,
        "best_room_kept": figures.score_kept,
        "best_room_exact": counts.best_rooms,
        "best_room_pictures": counts.rooms_known,
        "seconds_per_picture": figures.seconds,
    }


def _set(measured: MeasuredSet) -> dict[str, Any]:
    rows = measured.rows
    return {
        "name": measured.name,
        "figures": figure_values(pooled(rows)),
        "targets": [
            {
                "name": verdict.target.name,
                "value": verdict.value,
                "must": verdict.target.must,
                "accepted": verdict.accepted,
                "goal": verdict.target.goal,
                "reached": verdict.reached,
            }
            for verdict in verdicts(rows)
        ],
        "groups": {
            grouping.name: {group.name: figure_values(group.figures) for group in grouping.groups}
            for grouping in groupings(rows)
        },
        "kinds": {one.kind.value: _kind(asdict(one)) for one in kind_figures(rows)},
        "confusions": [_confusion(one) for one in confusions(confusion_matrix(rows))],
        "pictures": [_picture(row) for row in rows],
    }


def _kind(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != "kind"}


def _confusion(confusion: Confusion) -> dict[str, Any]:
    """Return a confusion; null is no cube (invented) or not seen (missed)."""
    return {"true": confusion.true, "seen": confusion.seen, "times": confusion.times}


def _picture(row: Row) -> dict[str, Any]:
    positions = row.positions
    return {
        "picture": row.picture.photo.name,
        **asdict(row.picture.taken),
        **asdict(row.counts),
        "error_mm": positions.errors_mm.tolist() if positions else None,
        "scale_error": positions.scale_error if positions else None,
        "best_room_ratio": row.score_kept,
        "confusions": [_confusion(one) for one in confusions(confusion_matrix([row]))],
        "changed": {one.change.name: {"renamed": one.renamed, "gone": one.gone} for one in row.changed},
        "seconds": row.seconds,
    }
