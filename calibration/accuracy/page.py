"""The accuracy report as one page that needs nothing from outside: figures, then what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from html import escape
from pathlib import Path
from typing import Final

import numpy as np

from calibration.accuracy.confusions import NOTHING, Integers, confusion_matrix, confusions, kind_name
from calibration.accuracy.figures import Row, pooled
from calibration.accuracy.groups import groupings
from calibration.accuracy.listing import (
    COLUMNS,
    KIND_COLUMNS,
    MOST_LISTED,
    Line,
    bound,
    cells,
    kind_rows,
    number,
)
from calibration.accuracy.overlay import mistakes_from_near, picture_with_marks
from calibration.accuracy.page_style import STYLE
from calibration.accuracy.run import MeasuredSet
from calibration.accuracy.targets import Verdict, verdicts
from vision.photo import load_photo
from vision.pictures import FrameBGR
from vision.pieces import KINDS

LEGEND: Final = (
    "<ul class='legend'><li class='truth'>the truth</li><li class='right'>right</li>"
    "<li class='kind'>wrong kind</li><li class='size'>wrong size</li>"
    "<li class='missed'>missed</li><li class='invented'>invented</li></ul>"
)
CLASSES: Final = {True: "yes", False: "no", None: ""}


def report_page(
    sets: Sequence[MeasuredSet], worst: int, written: date, load: Callable[[Path], FrameBGR] = load_photo
) -> str:
    """Return the page.

    Args:
        worst: how many pictures of each set are shown with their mistakes.
        written: the day on the page.
        load: how a picture is read again: all at once would not fit in memory.
    """
    links = "".join(f"<a href='#set{n}'>{escape(one.name)}</a>" for n, one in enumerate(sets))
    sections = "".join(_section(one, f"set{n}", worst, load) for n, one in enumerate(sets))
    return (
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>How well cubes are seen</title><style>{STYLE}</style></head><body>"
        f"<h1>How well cubes are seen</h1><p>Measured on {written.isoformat()}.</p>"
        f"<nav aria-label='Sets'>{links}</nav><main>{sections}</main></body></html>\n"
    )


def _section(measured: MeasuredSet, id: str, worst: int, load: Callable[[Path], FrameBGR]) -> str:
    figures = pooled(measured.rows)
    counts = figures.counts
    groups: list[tuple[str, list[Line]]] = [("", [("all", cells(figures))])]
    for grouping in groupings(measured.rows):
        rows = [(group.name, cells(group.figures)) for group in grouping.groups]
        groups.append((f"by {grouping.name}", rows))
    shown = measured.worst(worst)
    figures_of_worst = "".join(_worst(row, load(row.picture.photo)) for row in shown)
    return (
        f"<section id='{id}'><h2>{escape(measured.name)}</h2>"
        f"<p>{counts.pictures} pictures, {counts.cubes} cubes, {counts.perfect} pictures without a mistake, "
        f"{figures.seconds:.2f} s per picture.</p>"
        f"<ul class='targets'>{''.join(map(_target, verdicts(measured.rows)))}</ul>"
        f"<h3>Where it is hard</h3>{_table('', COLUMNS, groups)}"
        "<p>Pillars: found as pillars; false: false pillars; mm: median and 95% of the position error; "
        "room: score kept by the room advised.</p>"
        f"<h3>By kind</h3>{_table('', KIND_COLUMNS, [('', kind_rows(measured))])}"
        f"<h3>What was taken for what</h3>{_confusions(measured.rows)}"
        + (f"<h3>The worst pictures</h3>{LEGEND}{figures_of_worst}" if shown else "")
        + "</section>"
    )


def _target(verdict: Verdict) -> str:
    target = verdict.target
    answers = [
        f"<span class='{CLASSES[answer]}'>{name} {bound(wanted, verdict)} <b>{_answer(answer)}</b></span>"
        for name, wanted, answer in (
            ("must", target.must, verdict.accepted),
            ("goal", target.goal, verdict.reached),
        )
        if wanted is not None
    ]
    told = [answer for answer in (verdict.accepted, verdict.reached) if answer is not None]
    return (
        f"<li class='{CLASSES[all(told) if told else None]}'><span class='name'>{escape(target.name)}</span>"
        f"<span class='value'>{number(verdict.value, target.decimals)}</span>"
        f"<span class='asked'>{''.join(answers)}</span></li>"
    )


def _answer(answer: bool | None) -> str:
    return {True: "✓ reached", False: "✗ not reached", None: "cannot be told"}[answer]


def _table(title: str, columns: Sequence[str], parts: Iterable[tuple[str, Sequence[Line]]]) -> str:
    heads = "".join(f"<th scope='col'>{escape(column)}</th>" for column in (title, *columns))
    body = ""
    for name, rows in parts:
        if name:
            body += (
                f"<tr class='sort'><th scope='rowgroup' colspan='{len(columns) + 1}'>{escape(name)}</th></tr>"
            )
        for row, values in rows:
            texts = "".join(f"<td>{escape(value)}</td>" for value in values)
            body += f"<tr><th scope='row'>{escape(row)}</th>{texts}</tr>"
    return _scrolling(f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>")


def _scrolling(table: str) -> str:
    """Let a wide table scroll by itself: a phone's page must not. A keyboard can reach it."""
    return f"<div class='scroll' tabindex='0'>{table}</div>"


def _confusions(rows: Sequence[Row]) -> str:
    matrix = confusion_matrix(rows)
    wrong = confusions(matrix)
    listed = "".join(f"<li>{one.times}&times; {escape(one.words)}</li>" for one in wrong[:MOST_LISTED])
    if others := sum(one.times for one in wrong[MOST_LISTED:]):
        listed += f"<li>{others}&times; others</li>"
    return _heat(matrix) + (f"<ul class='wrong'>{listed}</ul>" if wrong else "<p>Nothing went wrong.</p>")


def _heat(matrix: Integers) -> str:
    """Return the matrix as a table: a cell is the stronger coloured the larger its share of its row."""
    names = [*map(kind_name, KINDS)]
    down = [n for n in range(NOTHING + 1) if matrix[n].any()]
    across = [n for n in range(NOTHING + 1) if matrix[:, n].any() or (n in down and n < NOTHING)]
    heads = "".join(f"<th scope='col'><span>{([*names, 'missed'])[n]}</span></th>" for n in across)
    body = ""
    for n in down:
        cells_of_row = "".join(_cell(matrix, n, m) for m in across)
        body += f"<tr><th scope='row'>{([*names, 'invented'])[n]}</th>{cells_of_row}</tr>"
    head = f"<thead><tr><th>is ↓ read as →</th>{heads}</tr></thead>"
    return _scrolling(f"<table class='heat'>{head}<tbody>{body}</tbody></table>")


def _cell(matrix: Integers, true: int, seen: int) -> str:
    times = int(matrix[true, seen])
    if not times:
        return "<td class='none'>·</td>"
    # The root lets a few mistakes among many right ones be seen.
    strength = 0.15 + 0.75 * float(np.sqrt(times / matrix[true].sum()))
    colour = "0,150,105" if true == seen else "235,95,0"
    faint = strength * 0.5 if true == seen else strength
    return f"<td style='background:rgba({colour},{faint:.2f})'>{times}</td>"


def _worst(row: Row, frame: FrameBGR) -> str:
    counts = row.counts
    taken = row.picture.taken
    where = [taken.table, f"tilt {taken.tilt_deg:.0f}°" if taken.tilt_deg is not None else None]
    told = " · ".join(
        (
            *(text for text in where if text),
            f"{counts.typed} of {counts.cubes} right",
            f"{counts.cubes - counts.matched} missed",
            f"{counts.found - counts.matched} invented",
            f"{counts.matched - counts.typed} of another kind",
            f"room {number(row.score_kept, 2)}",
        )
    )
    return (
        f"<figure><figcaption><b>{escape(row.picture.name)}</b> <span>{escape(told)}</span></figcaption>"
        f"{picture_with_marks(frame, row)}{mistakes_from_near(frame, row)}</figure>"
    )
