"""The kinds of arrays used here, records made of them, and least and greatest along a short last axis."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]

# A dataclass whose fields are arrays with one row per entry.
Columns = TypeVar("Columns")


@cache
def _names(record: Hashable) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cast(Any, record)))


def names_of(record: type[Columns]) -> tuple[str, ...]:
    """Return the names of the arrays of such a record."""
    return _names(cast(Hashable, record))


def picked(columns: Columns, which: Indexes | slice) -> Columns:
    """Return the entries *which* of a record of arrays."""
    return type(columns)(*[getattr(columns, name)[which] for name in names_of(type(columns))])


def with_rows(columns: Columns, which: Indexes | slice, rows: Columns) -> Columns:
    """Return a copy of a record of arrays whose entries *which* are those of *rows*."""
    changed = []
    for name in names_of(type(columns)):
        values = getattr(columns, name).copy()
        values[which] = getattr(rows, name)
        changed.append(values)
    return type(columns)(*changed)


def joined(parts: Sequence[Columns]) -> Columns:
    """Put records of arrays, at least one, behind each other."""
    if len(parts) == 1:
        return parts[0]
    names = names_of(type(parts[0]))
    return type(parts[0])(*[np.concatenate([getattr(part, name) for part in parts]) for name in names])


# Folding the few slices of a short axis is many times faster than NumPy's own reduction.


def least(values: Floats) -> Floats:
    """Return the minimum over the last axis, which has at least one element; shape (..., N) to (...)."""
    found = values[..., 0]
    for place in range(1, values.shape[-1]):
        found = np.minimum(found, values[..., place])
    return found


def greatest(values: Floats) -> Floats:
    """Return the maximum over the last axis, which has at least one element; shape (..., N) to (...)."""
    found = values[..., 0]
    for place in range(1, values.shape[-1]):
        found = np.maximum(found, values[..., place])
    return found
