"""Which cube of a scan is which cube of the truth: by the middles of their outlines in the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from scipy.optimize import linear_sum_assignment

from calibration.accuracy.truths import TrueCube
from vision.pictures import Floats
from vision.seen import SeenCube

# How far apart two middles may be, in parts of the true cube's extent: nearer than a neighbour that touches.
NEAR: Final = 0.6
# An outline smaller than this, in pixels, is matched as if it were as large: nobody outlines more exactly.
LEAST_EXTENT_PX: Final = 8.0
# A pair farther apart than this costs no more: it must not push pairs apart that fit.
FARTHEST: Final = 5.0

Pair = tuple[int, int]


class Outlined(Protocol):
    """What has an outline in a picture, shape (N, 2)."""

    @property
    def outline_px(self) -> Floats: ...


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """What is judged of one picture.

    Attributes:
        truth: the cubes a scanner can be asked for.
        found: the cubes that it found, without those that are in the truth but not judged.
        pairs: (place in truth, place in found), by place in truth.
    """

    truth: tuple[TrueCube, ...]
    found: tuple[SeenCube, ...]
    pairs: tuple[Pair, ...]

    @property
    def missed(self) -> tuple[TrueCube, ...]:
        """The true cubes that were not found."""
        paired = {i for i, _ in self.pairs}
        return tuple(cube for i, cube in enumerate(self.truth) if i not in paired)

    @property
    def invented(self) -> tuple[SeenCube, ...]:
        """What was found where no cube is, or a second time where one is."""
        paired = {j for _, j in self.pairs}
        return tuple(cube for j, cube in enumerate(self.found) if j not in paired)

    @property
    def both(self) -> tuple[tuple[TrueCube, SeenCube], ...]:
        """The cubes of the pairs."""
        return tuple((self.truth[i], self.found[j]) for i, j in self.pairs)


def match(cubes: Sequence[TrueCube], seen: Sequence[SeenCube]) -> Match:
    """Hold what was seen against the truth.

    A cube that is cut off, hidden or not surely known counts neither way: whether it was found or not.
    """
    truth = tuple(cube for cube in cubes if cube.judged)
    others = tuple(cube for cube in cubes if not cube.judged)
    wanted = {j for _, j in pair_up(truth, seen)}
    unjudged = {j for _, j in pair_up(others, seen)} - wanted
    found = tuple(cube for j, cube in enumerate(seen) if j not in unjudged)
    return Match(truth, found, pair_up(truth, found))


def pair_up(truth: Sequence[Outlined], found: Sequence[Outlined]) -> tuple[Pair, ...]:
    """Return the pairs that lie nearest to each other as a whole, each within reach."""
    if not truth or not found:
        return ()
    apart = np.linalg.norm(
        np.stack([_middle(cube.outline_px) for cube in truth])[:, None]
        - np.stack([_middle(cube.outline_px) for cube in found])[None],
        axis=2,
    )
    apart /= np.array([_extent(cube.outline_px) for cube in truth])[:, None]
    rows, columns = linear_sum_assignment(np.minimum(apart, FARTHEST))
    return tuple((int(i), int(j)) for i, j in zip(rows, columns, strict=True) if apart[i, j] < NEAR)


def _middle(outline_px: Floats) -> Floats:
    """Return the middle of the upright box around an outline: the same however many corners it has."""
    middle: Floats = (outline_px.min(axis=0) + outline_px.max(axis=0)) / 2
    return middle


def _extent(outline_px: Floats) -> float:
    return max(float(np.sqrt(np.ptp(outline_px, axis=0).prod())), LEAST_EXTENT_PX)
