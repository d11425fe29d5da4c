"""The figures of the targets, of one picture and of many pooled: every cube counts the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from typing import Final

import numpy as np

from calibration.accuracy.matching import Match, match
from calibration.accuracy.positions import Positions, positions_of
from calibration.accuracy.steadiness import Changed
from calibration.accuracy.truths import TruePicture
from vision.pieces import Kind
from vision.seen import Scan

# Which share of the best room's score is kept by playing the room a scan leads to; none if nobody can tell.
# Needs the rules of the game, which this package does not know: whoever measures hands it in.
ScoreKept = Callable[[Match], float | None]
# A room that keeps more than this is the best one.
AS_GOOD: Final = 0.999


@dataclass(frozen=True, slots=True)
class Counts:
    """What can be counted of pictures, and added up.

    Attributes:
        cubes, found: that are true, that were seen.
        matched: found cubes that are where a cube is; of them
        typed, sized: those of the right kind, of the right size.
        false_pillars: found pillars that are none, or where none is.
        perfect: pictures with every cube found and of the right kind, and nothing else.
        pillars_clear: pictures with every pillar found and none false.
        best_rooms, rooms_known: pictures that lead to the best room, of those where it can be told.
    """

    pictures: int
    cubes: int
    found: int
    matched: int
    typed: int
    sized: int
    pillars: int
    pillars_right: int
    false_pillars: int
    perfect: int
    pillars_clear: int
    best_rooms: int
    rooms_known: int


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One picture: what is true, what was seen, and what came of it.

    Attributes:
        changed: what became of the cubes seen when the picture was turned, resized or lit otherwise, where
            that was measured.
    """

    picture: TruePicture
    match: Match
    counts: Counts
    positions: Positions | None
    score_kept: float | None
    seconds: float
    changed: tuple[Changed, ...] = ()

    @property
    def mistakes(self) -> int:
        """How many cubes are missed, invented or of the wrong kind."""
        counts = self.counts
        return counts.cubes + counts.found - counts.matched - counts.typed


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of many pictures; none where no picture can tell."""

    counts: Counts
    error_median_mm: float | None
    error_p95_mm: float | None
    scale_error: float | None
    score_kept: float | None
    seconds: float

    @property
    def precision(self) -> float:
        """Which share of what was found is a cube."""
        return self.counts.matched / max(self.counts.found, 1)

    @property
    def recall(self) -> float:
        """Which share of the cubes was found."""
        return self.counts.matched / max(self.counts.cubes, 1)

    @property
    def typed_f1(self) -> float:
        """How many cubes have the right kind, against both what is true and what was found."""
        return 2 * self.counts.typed / max(self.counts.cubes + self.counts.found, 1)

    @property
    def pillar_recall(self) -> float:
        """Which share of the pillars was found as pillars."""
        return self.counts.pillars_right / max(self.counts.pillars, 1)

    @property
    def size_accuracy(self) -> float:
        """Which share of the found cubes has the right size."""
        return self.counts.sized / max(self.counts.matched, 1)

    @property
    def false_pillars(self) -> float:
        """How many false pillars there are for each picture."""
        return self.counts.false_pillars / max(self.counts.pictures, 1)

    @property
    def pillars_clear(self) -> float:
        """Which share of the pictures has all pillars and no false one."""
        return self.counts.pillars_clear / max(self.counts.pictures, 1)


def judge(picture: TruePicture, scan: Scan, score_kept: ScoreKept | None = None, seconds: float = 0.0) -> Row:
    """Hold the scan of one picture against its truth."""
    matched = match(picture.cubes, scan.cubes)
    kept = score_kept(matched) if score_kept else None
    return Row(picture, matched, _counted(matched, kept), positions_of(matched), kept, seconds)


def pooled(rows: Sequence[Row]) -> Figures:
    """Return the figures of all *rows* together."""
    placed = [row.positions for row in rows if row.positions]
    errors = np.concatenate([positions.errors_mm for positions in placed]) if placed else np.zeros(0)
    kept = [row.score_kept for row in rows if row.score_kept is not None]
    return Figures(
        total([row.counts for row in rows]),
        float(np.percentile(errors, 50)) if len(errors) else None,
        float(np.percentile(errors, 95)) if len(errors) else None,
        float(np.median([positions.scale_error for positions in placed])) if placed else None,
        float(np.mean(kept)) if kept else None,
        sum(row.seconds for row in rows) / max(len(rows), 1),
    )


def total(counts: Sequence[Counts]) -> Counts:
    """Add up."""
    columns = zip(*map(astuple, counts), strict=True) if counts else [()] * len(Counts.__slots__)
    return Counts(*map(sum, columns))


def _counted(matched: Match, kept: float | None) -> Counts:
    truth, found, both = matched.truth, matched.found, matched.both
    typed = sum(true.kind == seen.kind for true, seen in both)
    pillars = sum(cube.kind is Kind.PILLAR for cube in truth)
    right = sum(true.kind == seen.kind == Kind.PILLAR for true, seen in both)
    false = sum(cube.kind is Kind.PILLAR for cube in found) - right
    return Counts(
        pictures=1,
        cubes=len(truth),
        found=len(found),
        matched=len(both),
        typed=typed,
        sized=sum(true.size == seen.size for true, seen in both),
        pillars=pillars,
        pillars_right=right,
        false_pillars=false,
        perfect=int(len(truth) == len(found) == typed),
        pillars_clear=int(right == pillars and not false),
        best_rooms=int(kept is not None and kept > AS_GOOD),
        rooms_known=int(kept is not None),
    )
