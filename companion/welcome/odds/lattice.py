"""All ways in which the cards of a dungeon can come to light, counted rather than listed.

A point of the lattice says how many cards of each class were turned. Which of two equal cards was the known
one, nobody can tell, so points are all there is to know. Each dungeon of the right size is weighed at the end
of the way, by the number of hands of cards it stands for; a point's weight is the mean over its successors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, factorial, prod
from typing import Any

import numpy as np
import numpy.typing as npt

Counts = np.ndarray[Any, np.dtype[np.int64]]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """The points with one number of turned cards.

    Attributes:
        counts: shape (L, C): how many of each class were turned.
        steps: for each class, the points at which one more of it may be turned, and those of the next layer
            that this leads to.
    """

    counts: Counts
    steps: tuple[tuple[Counts, Counts], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Points from those cards that are turned already to the whole dungeon.

    Attributes:
        known, pool: for each class, cards surely in the dungeon, and cards that could be the unknown ones.
        layers: from the present number of turned cards on; the last is the whole dungeon.
    """

    known: tuple[int, ...]
    pool: tuple[int, ...]
    layers: tuple[Layer, ...]

    def weights(self, layer: Layer, without: int | None = None) -> Floats:
        """Return how many hands each whole dungeon stands for.

        Args:
            without: a class of which one card is known to be outside, besides those that are not in the pool.
        """
        weights = np.ones(len(layer.counts))
        for place, (known, pool) in enumerate(zip(self.known, self.pool, strict=True)):
            outside = pool - (place == without)
            ways = [
                comb(outside, count - known) * factorial(count) if known <= count else 0
                for count in range(known + pool + 1)
            ]
            weights *= np.array(ways, float)[layer.counts[:, place]]
        return weights


def build_lattice(known: Sequence[int], pool: Sequence[int], turned: Sequence[int], size: int) -> Lattice:
    """Return all points between *turned* and dungeons of *size* cards."""
    most = np.array(known, int) + np.array(pool, int)
    shape = tuple(most - np.array(turned, int) + 1)
    grid = np.indices(shape).reshape(len(shape), prod(shape)) + np.array(turned, int)[:, None]
    sums = grid.sum(axis=0)
    lacking = np.maximum(np.array(known, int)[:, None] - grid, 0).sum(axis=0)
    possible = lacking <= size - sums
    strides = np.cumprod((1, *shape[:0:-1]))[::-1]
    number = np.zeros(grid.shape[1], np.int64)
    layers: list[Layer] = []
    for total in range(size, int(np.sum(turned)) - 1, -1):
        here = np.flatnonzero((sums == total) & possible)
        ahead = []
        for place, step in enumerate(strides[: len(shape)] if total < size else ()):
            able = np.flatnonzero(grid[place, here] < most[place])
            able = able[possible[here[able] + step]]
            ahead.append((able, number[here[able] + step]))
        layers.append(Layer(grid[:, here].T, tuple(ahead)))
        number[here] = np.arange(len(here))
    return Lattice(tuple(known), tuple(pool), tuple(reversed(layers)))
