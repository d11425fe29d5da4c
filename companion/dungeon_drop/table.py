"""The cubes on the table, seen from above: pillars first, then all others, each by id."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import cos, radians, sin
from operator import attrgetter

import numpy as np

from companion.dungeon_drop.arrays import Floats, Indexes, with_rows
from companion.dungeon_drop.footprints import Footprints, Point, measure, padded
from companion.dungeon_drop.pieces import KINDS, SIZES, Kind, Sides, Size


@dataclass(frozen=True, slots=True)
class Cube:
    """One cube: what it is and the convex polygon it stands on."""

    id: int
    kind: Kind
    size: Size
    footprint_mm: tuple[Point, ...]


def square(centre_mm: Point, yaw_deg: float, side_mm: float) -> tuple[Point, ...]:
    """Return the corners of a cube that stands flat."""
    x, y = centre_mm
    across, up = side_mm / 2 * cos(radians(yaw_deg)), side_mm / 2 * sin(radians(yaw_deg))
    turned = ((-across + up, -up - across), (across + up, up - across))
    return tuple((x + dx, y + dy) for dx, dy in (*turned, *((-dx, -dy) for dx, dy in turned)))


def flat_cube(
    id: int, kind: Kind, size: Size, centre_mm: Point, yaw_deg: float = 0.0, sides: Sides | None = None
) -> Cube:
    """Return a cube that stands flat at *centre_mm*, turned by *yaw_deg*."""
    return Cube(id, kind, size, square(centre_mm, yaw_deg, (sides or Sides()).of(size)))


def piece_code(kind: Kind, size: Size) -> int:
    """Return one number for a kind and a size."""
    return _CODES[kind, size]


def piece_codes(cubes: Iterable[Cube]) -> Indexes:
    """Return the codes of many cubes."""
    return np.array([_CODES[cube.kind, cube.size] for cube in cubes], np.intp)


_CODES = {
    (kind, size): place for place, (kind, size) in enumerate((kind, size) for kind in KINDS for size in SIZES)
}


@dataclass(frozen=True, eq=False)
class Table:
    """All cubes in a fixed order, whatever order they came in; `put` makes one.

    Attributes:
        cubes: pillars first, then all others, each by id.
        origin_mm: where the footprints are measured from.
        codes: shape (N,), kind and size of each as one number; see `piece_code`.
    """

    cubes: tuple[Cube, ...]
    pillar_count: int
    origin_mm: Floats
    footprints: Footprints
    codes: Indexes

    @classmethod
    def put(cls, cubes: Iterable[Cube]) -> Table:
        """Order the cubes.

        Raises:
            ValueError: two cubes have the same id.
        """
        by_id = sorted(cubes, key=attrgetter("id"))
        if any(cube.id == after.id for cube, after in pairwise(by_id)):
            raise ValueError("two cubes have the same id")
        ordered = [cube for cube in by_id if cube.kind is Kind.PILLAR]
        pillars = len(ordered)
        ordered += [cube for cube in by_id if cube.kind is not Kind.PILLAR]
        first = ordered[0].footprint_mm[0] if ordered else (0.0, 0.0)
        # Measured from the first cube: an origin far away would cost precision.
        origin = np.array(first)
        footprints = measure(padded([cube.footprint_mm for cube in ordered]) - origin)
        return cls(tuple(ordered), pillars, origin, footprints, piece_codes(ordered))

    @property
    def cube_count(self) -> int:
        """How many cubes are not pillars."""
        return len(self.cubes) - self.pillar_count

    def with_moved(self, index: int, footprint_mm: tuple[Point, ...]) -> Table:
        """Return the table after the cube at *index* was moved."""
        cube = replace(self.cubes[index], footprint_mm=footprint_mm)
        cubes = (*self.cubes[:index], cube, *self.cubes[index + 1 :])
        corners = self.footprints.corners.shape[1]
        if len(footprint_mm) > corners:
            return Table.put(cubes)
        one = measure(padded([footprint_mm], corners) - self.origin_mm)
        footprints = with_rows(self.footprints, slice(index, index + 1), one)
        return replace(self, cubes=cubes, footprints=footprints)

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """The ids in the table's order."""
        return tuple(cube.id for cube in self.cubes)

    def shifted_footprint(self, id: int, centre_mm: Point) -> tuple[Point, ...]:
        """Return the footprint of a cube pushed, without turning, until its corners' mean is at *centre_mm*.

        Raises:
            KeyError: there is no such cube.
        """
        corners = np.array(self.cubes[self.index(id)].footprint_mm)
        corners += np.array(centre_mm) - corners.mean(axis=0)
        return tuple((float(x), float(y)) for x, y in corners)

    def index(self, id: int) -> int:
        """Return where the cube called *id* is in the table's order.

        Raises:
            KeyError: there is no such cube.
        """
        return self._indexes[id]

    @cached_property
    def _indexes(self) -> dict[int, int]:
        return {id: index for index, id in enumerate(self.ids)}
