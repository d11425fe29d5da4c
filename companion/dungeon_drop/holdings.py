"""What somebody holds or would take, counted by kind and size: a reserve, or many as rows of an array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.dungeon_drop.arrays import Indexes
from companion.dungeon_drop.pieces import COLLECTED, IN_THE_BOX, KINDS, SIZES, TREASURES, Kind, Size
from companion.dungeon_drop.table import piece_code

Counts = npt.NDArray[np.float64]

# A row of counts: one column per kind whatever the size, then one per kind and size.
COLUMNS = len(KINDS) * (1 + len(SIZES))
_KIND_COLUMN = {kind: place for place, kind in enumerate(KINDS)}
_SIZE_COLUMN = {
    (kind, size): len(KINDS) + len(SIZES) * place + step
    for place, kind in enumerate(KINDS)
    for step, size in enumerate(SIZES)
}
# The size of the kinds that come in one only: it need not be noted.
ONLY_SIZE = {
    kind: sizes[0]
    for kind in KINDS
    if len(sizes := [size for other, size in IN_THE_BOX if other == kind]) == 1
}


def column(kind: Kind, size: Size | None = None) -> int:
    """Return the column that counts cubes of *kind*, of any size or of one."""
    return _KIND_COLUMN[kind] if size is None else _SIZE_COLUMN[kind, size]


@dataclass(frozen=True, slots=True)
class Held:
    """So many cubes of a kind; *size* is None where nobody noted it."""

    kind: Kind
    count: int
    size: Size | None = None


@dataclass(frozen=True, slots=True)
class Reserve:
    """The cubes a hero has collected, monsters included."""

    held: tuple[Held, ...] = ()

    @classmethod
    def of(cls, counts: Mapping[Kind, int]) -> Reserve:
        """Make a reserve of cubes whose size is not noted."""
        return cls(tuple(Held(kind, count) for kind, count in counts.items() if count))

    def count(self, kind: Kind) -> int:
        """Return how many cubes of *kind* are held."""
        return sum(held.count for held in self.held if held.kind == kind)

    @property
    def weight(self) -> int:
        """The number of treasure cubes: it decides who goes first in the next round."""
        return sum(held.count for held in self.held if held.kind in TREASURES)


def reserve_row(reserve: Reserve) -> Counts:
    """Return a reserve as one row of counts, shape (COLUMNS,)."""
    row = np.zeros(COLUMNS)
    for held in reserve.held:
        row[column(held.kind)] += held.count
        if size := ONLY_SIZE.get(held.kind, held.size):
            row[column(held.kind, size)] += held.count
    return row


def cube_rows(codes: Indexes) -> Counts:
    """Return what each cube adds to a reserve, shape (cubes, COLUMNS); pillars and stairs add nothing."""
    return _ADDED.take(codes, axis=0)


def _added() -> Counts:
    rows = np.zeros((len(KINDS) * len(SIZES), COLUMNS))
    for kind in COLLECTED:
        for size in SIZES:
            rows[piece_code(kind, size), [column(kind), column(kind, size)]] = 1
    return rows


_ADDED = _added()


def total(counts: Counts, kinds: Iterable[Kind], size: Size | None = None) -> Counts:
    """Add up the columns of some kinds: shape (R, COLUMNS) to (R,)."""
    found: Counts = counts[:, [column(kind, size) for kind in kinds]].sum(axis=1)
    return found
