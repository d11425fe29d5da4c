"""One picture with its mistakes drawn on it, and each mistake from near, as parts of a page."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import Final

import cv2
import numpy as np

from calibration.accuracy.confusions import kind_name
from calibration.accuracy.figures import Row
from vision.pictures import Floats, FrameBGR

WIDTH_PX: Final = 1000  # as wide as a page shows it on a desk
NEAR_PX: Final = 112
MARGIN: Final = 0.06  # of table shown around the cubes, as a share of how far they reach
MOST_IN_WORDS: Final = 12  # with more mistakes words would hide them: then numbers, and words below
MOST_NEAR: Final = 40  # mistakes shown from near: a picture with more is bad as a whole
JPEG_QUALITY: Final = 78


class Sort(StrEnum):
    """What may become of a cube; the words are also the names of the page's colours."""

    RIGHT = "right"
    KIND = "kind"
    SIZE = "size"
    MISSED = "missed"
    INVENTED = "invented"


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """One cube on the picture: the outline to draw, and what to say of it."""

    sort: Sort
    outline_px: Floats
    words: str


def marks_of(row: Row) -> tuple[Mark, ...]:
    """Return all cubes, the gravest mistakes last: what is drawn later is on top."""
    marks = [
        *_paired(row),
        *(
            Mark(Sort.INVENTED, cube.outline_px, f"{kind_name(cube.kind)} invented")
            for cube in row.match.invented
        ),
        *(Mark(Sort.MISSED, cube.outline_px, f"{kind_name(cube.kind)} missed") for cube in row.match.missed),
    ]
    order = list(Sort)
    return tuple(sorted(marks, key=lambda mark: order.index(mark.sort)))


def picture_with_marks(frame: FrameBGR, row: Row) -> str:
    """Return the part of the picture where cubes are with all outlines, as SVG in the pixels of the photo."""
    marks = marks_of(row)
    left, top, right, bottom = _part(frame, [mark.outline_px for mark in marks])
    part = frame[top:bottom, left:right]
    width, height = right - left, bottom - top
    scale = min(1.0, WIDTH_PX / width)
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    true = "".join(_polygon(cube.outline_px, "truth") for cube in row.match.truth)
    found = "".join(
        f"<g class='mark {mark.sort}'><title>{escape(mark.words)}</title>{_polygon(mark.outline_px)}</g>"
        for mark in marks
    )
    wrong = list(_numbered(marks))
    in_words = len(wrong) <= MOST_IN_WORDS
    labels = "".join(_label(mark, n, left + 0.75 * width, width / 250, in_words) for n, mark in wrong)
    return (
        f"<svg viewBox='{left} {top} {width} {height}' style='--unit:{width / 1000:.3f}px' role='img' "
        f"aria-label='{escape(row.picture.name, quote=True)} with all mistakes'>"
        f"<image href='{_jpeg(np.asarray(small, np.uint8))}' x='{left}' y='{top}' width='{width}' "
        f"height='{height}'/>{true}{found}{labels}</svg>"
    )


def mistakes_from_near(frame: FrameBGR, row: Row) -> str:
    """Return every mistake as a small clean picture, so that a person can say what it is, with its number."""
    numbered = list(_numbered(marks_of(row)))
    items = "".join(
        f"<li class='{mark.sort}'><img src='{_jpeg(_cut(frame, mark.outline_px))}' alt='' "
        f"width='{NEAR_PX}' height='{NEAR_PX}'><span><b>{n}</b> {escape(mark.words)}</span></li>"
        for n, mark in numbered[:MOST_NEAR]
    )
    left = len(numbered) - MOST_NEAR
    more = f"<li>and {left} more</li>" if left > 0 else ""
    return f"<ul class='near'>{items}{more}</ul>"


def _paired(row: Row) -> Iterator[Mark]:
    for true, seen in row.match.both:
        name = kind_name(true.kind)
        if true.kind != seen.kind:
            yield Mark(Sort.KIND, seen.outline_px, f"{name} read as {kind_name(seen.kind)}")
        elif true.size != seen.size:
            yield Mark(Sort.SIZE, seen.outline_px, f"{true.size} {name} read as {seen.size}")
        else:
            yield Mark(Sort.RIGHT, seen.outline_px, f"{true.size} {name}")


def _numbered(marks: tuple[Mark, ...]) -> Iterator[tuple[int, Mark]]:
    """Give the mistakes, gravest first, with the numbers by which picture and list name them."""
    return enumerate((mark for mark in reversed(marks) if mark.sort is not Sort.RIGHT), start=1)


def _polygon(outline_px: Floats, name: str = "") -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in outline_px.tolist())
    return f"<polygon points='{points}'{f' class={name!r}' if name else ''}/>"


def _label(mark: Mark, number: int, last_x: float, gap: float, in_words: bool) -> str:
    """Return the words beside a cube: to its right, or to its left if it is beyond *last_x*."""
    left, right = float(mark.outline_px[:, 0].min()), float(mark.outline_px[:, 0].max())
    y = float(mark.outline_px[:, 1].mean())
    x, anchor = (right + gap, "start") if right < last_x else (left - gap, "end")
    words = f"<tspan class='words'> {escape(mark.words)}</tspan>" if in_words else ""
    return f"<text class='{mark.sort}' x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}'>{number}{words}</text>"


def _part(frame: FrameBGR, outlines_px: list[Floats]) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the part of a picture that holds all outlines, with a margin."""
    height, width = frame.shape[:2]
    if not outlines_px:
        return 0, 0, width, height
    points = np.concatenate(outlines_px)
    low, high = points.min(axis=0), points.max(axis=0)
    margin = max(MARGIN * float((high - low).max()), 16.0)
    left, top = (int(v) for v in np.clip(low - margin, 0, (width - 1, height - 1)))
    right, bottom = (int(v) for v in np.clip(high + margin, (left + 1, top + 1), (width, height)))
    return left, top, right, bottom


def _cut(frame: FrameBGR, outline_px: Floats) -> FrameBGR:
    """Cut out a square around a cube and a little of what is about it."""
    middle = (outline_px.min(axis=0) + outline_px.max(axis=0)) / 2
    side = max(16.0, 1.9 * float(np.ptp(outline_px, axis=0).max()))
    scale = NEAR_PX / side
    to_cut = np.array([(scale, 0.0, 0.0), (0.0, scale, 0.0)])
    to_cut[:, 2] = NEAR_PX / 2 - scale * middle
    cut = cv2.warpAffine(frame, to_cut, (NEAR_PX, NEAR_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)


def _jpeg(frame: FrameBGR) -> str:
    _, packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return f"data:image/jpeg;base64,{base64.b64encode(packed.tobytes()).decode('ascii')}"
