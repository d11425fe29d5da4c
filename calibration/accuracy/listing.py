"""The accuracy report as lines to read in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from calibration.accuracy.confusions import confusion_matrix, confusions, kind_figures, kind_name
from calibration.accuracy.figures import Figures, pooled
from calibration.accuracy.groups import groupings
from calibration.accuracy.run import MeasuredSet
from calibration.accuracy.targets import Verdict, verdicts

COLUMNS: Final = (
    "pictures",
    "cubes",
    "F1",
    "precision",
    "recall",
    "pillars",
    "false",
    "size",
    "mm",
    "mm 95%",
    "room",
    "perfect",
)
KIND_COLUMNS: Final = ("cubes", "F1", "precision", "recall", "other", "missed", "false", "size")
MOST_LISTED: Final = 24  # sorts of mistakes; the rarest tell nothing
# A name and the texts beside it.
Line = tuple[str, tuple[str, ...]]
# Answers to "is it reached?", where there is one.
ANSWERS: Final = {True: "yes", False: "NO", None: ""}


def list_set(measured: MeasuredSet, worst: int) -> Iterator[str]:
    """Give everything about one set, most important first."""
    figures = pooled(measured.rows)
    counts = figures.counts
    yield (
        f"{measured.name}: {counts.pictures} pictures, {counts.cubes} cubes, "
        f"{figures.seconds:.2f} s per picture"
    )
    yield ""
    yield from _table("target", ("seen", "must", "", "goal", ""), map(_verdict, verdicts(measured.rows)))
    yield ""
    yield from _table("", COLUMNS, [("all", cells(figures))])
    for grouping in groupings(measured.rows):
        yield ""
        rows = [(group.name, cells(group.figures)) for group in grouping.groups]
        yield from _table(f"by {grouping.name}", COLUMNS, rows)
    yield ""
    yield from _table("by kind", KIND_COLUMNS, kind_rows(measured))
    yield ""
    yield from _wrong(measured)
    yield from _worst(measured, worst)


def cells(figures: Figures) -> tuple[str, ...]:
    """Return the figures of a group, a text for each of the columns."""
    counts = figures.counts
    return (
        str(counts.pictures),
        str(counts.cubes),
        f"{figures.typed_f1:.4f}",
        f"{figures.precision:.4f}",
        f"{figures.recall:.4f}",
        f"{figures.pillar_recall:.4f}" if counts.pillars else "-",
        str(counts.false_pillars),
        f"{figures.size_accuracy:.4f}",
        number(figures.error_median_mm, 2),
        number(figures.error_p95_mm, 2),
        number(figures.score_kept, 3),
        str(counts.perfect),
    )


def kind_rows(measured: MeasuredSet) -> list[Line]:
    """Return the name and the texts of each kind's columns."""
    return [
        (
            kind_name(one.kind),
            (
                str(one.cubes),
                f"{one.typed_f1:.4f}",
                f"{one.precision:.4f}" if one.right + one.false else "-",
                f"{one.recall:.4f}" if one.cubes else "-",
                str(one.other),
                str(one.missed),
                str(one.false),
                f"{one.size_accuracy:.4f}" if one.right + one.other else "-",
            ),
        )
        for one in kind_figures(measured.rows)
    ]


def number(value: float | None, decimals: int) -> str:
    """Return a figure, or a dash where there is none."""
    return "-" if value is None else f"{value:.{decimals}f}"


def bound(wanted: float | None, verdict: Verdict) -> str:
    """Return what is asked for, with the side it is asked on."""
    return "" if wanted is None else f"{'≤' if verdict.target.at_most else '≥'} {wanted:g}"


def _verdict(verdict: Verdict) -> Line:
    target = verdict.target
    return target.name, (
        number(verdict.value, target.decimals),
        bound(target.must, verdict),
        ANSWERS[verdict.accepted],
        bound(target.goal, verdict),
        ANSWERS[verdict.reached],
    )


def _table(title: str, columns: Sequence[str], rows: Iterable[Line]) -> Iterator[str]:
    listed: list[Line] = [(title, tuple(columns)), *rows]
    wide = max(len(name) for name, _ in listed)
    widths = [max(map(len, texts)) for texts in zip(*(values for _, values in listed), strict=True)]
    for name, values in listed:
        texts = (f"  {value:>{width}}" for value, width in zip(values, widths, strict=True))
        yield f"  {name:<{wide}}{''.join(texts)}".rstrip()


def _wrong(measured: MeasuredSet) -> Iterator[str]:
    found = confusions(confusion_matrix(measured.rows))
    if not found:
        yield "  Every cube is found and of the right kind, and nothing else."
        return
    yield "  what went wrong"
    for confusion in found[:MOST_LISTED]:
        yield f"  {confusion.times:>5}  {confusion.words}"
    if len(found) > MOST_LISTED:
        yield f"  {sum(one.times for one in found[MOST_LISTED:]):>5}  others"


def _worst(measured: MeasuredSet, count: int) -> Iterator[str]:
    rows = measured.worst(count)
    if rows:
        yield ""
        yield "  worst pictures"
    for row in rows:
        counts = row.counts
        yield (
            f"  {row.mistakes:>5}  {row.picture.name}: {counts.typed} of {counts.cubes} right, "
            f"{counts.cubes - counts.matched} missed, {counts.found - counts.matched} invented, "
            f"{counts.matched - counts.typed} of another kind, room {number(row.score_kept, 2)}"
        )
