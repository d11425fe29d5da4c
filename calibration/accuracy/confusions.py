"""What was taken for what: a matrix of kinds, with the cubes that were missed and invented."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.accuracy.figures import Row
from vision.pieces import KINDS, Kind

Integers = npt.NDArray[np.int64]
# The row of what is no cube, and the column of what was not seen.
NOTHING: Final = len(KINDS)


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often one thing was taken for another; no kind at all is an invented or a missed cube."""

    true: Kind | None
    seen: Kind | None
    times: int

    @property
    def words(self) -> str:
        """The same to read."""
        if self.true is None:
            return f"{kind_name(self.seen)} invented"
        if self.seen is None:
            return f"{kind_name(self.true)} missed"
        return f"{kind_name(self.true)} read as {kind_name(self.seen)}"


@dataclass(frozen=True, slots=True)
class KindFigures:
    """How well one kind is seen.

    Attributes:
        cubes: how many there are.
        right: found as this kind.
        other: found as another kind.
        false: found as this kind, but another kind or nothing at all.
        sized: of the right size, of all that were found.
    """

    kind: Kind
    cubes: int
    right: int
    other: int
    missed: int
    false: int
    sized: int

    @property
    def precision(self) -> float:
        """Which share of what is called so is so."""
        return self.right / max(self.right + self.false, 1)

    @property
    def recall(self) -> float:
        """Which share of these cubes is called so."""
        return self.right / max(self.cubes, 1)

    @property
    def typed_f1(self) -> float:
        """Both in one figure."""
        return 2 * self.right / max(self.cubes + self.right + self.false, 1)

    @property
    def size_accuracy(self) -> float:
        """Which share of those found has the right size."""
        return self.sized / max(self.right + self.other, 1)


def kind_name(kind: Kind | None) -> str:
    """Return a kind as a person reads it."""
    return "nothing" if kind is None else kind.replace("_", " ")


def confusion_matrix(rows: Sequence[Row]) -> Integers:
    """Count which true kind (row) was seen as which (column); the last row and column are nothing at all."""
    matrix = np.zeros((NOTHING + 1, NOTHING + 1), np.int64)
    for row in rows:
        for true, seen in row.match.both:
            matrix[KINDS.index(true.kind), KINDS.index(seen.kind)] += 1
        for missed in row.match.missed:
            matrix[KINDS.index(missed.kind), NOTHING] += 1
        for invented in row.match.invented:
            matrix[NOTHING, KINDS.index(invented.kind)] += 1
    return matrix


def confusions(matrix: Integers) -> tuple[Confusion, ...]:
    """Return everything that went wrong, most often first."""
    kinds = (*KINDS, None)
    wrong = [
        Confusion(kinds[i], kinds[j], int(matrix[i, j])) for i, j in np.argwhere(matrix).tolist() if i != j
    ]
    return tuple(sorted(wrong, key=lambda confusion: -confusion.times))


def kind_figures(rows: Sequence[Row]) -> Iterator[KindFigures]:
    """Give the figures of each kind that is true or was seen."""
    matrix = confusion_matrix(rows)
    for place, kind in enumerate(KINDS):
        cubes, right, missed = matrix[place].sum(), matrix[place, place], matrix[place, NOTHING]
        false = matrix[:, place].sum() - right
        if cubes or false:
            sized = sum(
                true.size == seen.size for row in rows for true, seen in row.match.both if true.kind == kind
            )
            other = cubes - right - missed
            yield KindFigures(kind, int(cubes), int(right), int(other), int(missed), int(false), sized)
