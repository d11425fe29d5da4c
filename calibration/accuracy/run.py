"""Scanning every picture of a folder and holding what was seen against the truth."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.accuracy.figures import Row, ScoreKept, judge
from calibration.accuracy.steadiness import Change, changed
from calibration.accuracy.truths import BadTruth, TruePicture
from vision.photo import BadPicture, load_photo
from vision.pictures import FrameBGR
from vision.seen import Scan

# Told before each picture is scanned.
Watcher = Callable[[Path], None]


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredSet:
    """The pictures of one folder, measured."""

    name: str
    rows: tuple[Row, ...]

    def worst(self, count: int) -> tuple[Row, ...]:
        """Return the pictures with the most mistakes, worst first; those without any are not among them."""
        wrong = [row for row in self.rows if row.mistakes]
        return tuple(sorted(wrong, key=lambda row: (-row.mistakes, row.picture.name))[:count])


def measure(
    pictures: Sequence[TruePicture],
    scan: Callable[[FrameBGR], Scan],
    score_kept: ScoreKept | None = None,
    watch: Watcher | None = None,
    changes: Sequence[Change] = (),
) -> tuple[Row, ...]:
    """Scan *pictures* one after the other, and once more after each of the changes.

    Raises:
        BadTruth: a picture cannot be read.
    """
    rows = []
    for picture in pictures:
        if watch:
            watch(picture.photo)
        frame = _load(picture.photo)
        started = time.perf_counter()
        seen = scan(frame)
        row = judge(picture, seen, score_kept, time.perf_counter() - started)
        rows.append(replace(row, changed=tuple(changed(seen, change, frame, scan) for change in changes)))
    return tuple(rows)


def _load(photo: Path) -> FrameBGR:
    try:
        return load_photo(photo)
    except BadPicture as error:
        raise BadTruth(f"{photo}: {error.why}") from error
    except OSError as error:
        raise BadTruth(f"{photo}: {error.strerror}") from error
