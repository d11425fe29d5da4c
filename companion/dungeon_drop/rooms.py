"""Every legal room: the convex hull of three pillars that no other pillar touches, and what touches it.

A room is three walls and the floor between them. A cube is in if it touches one of the walls or if its
centre is on the floor: the walls cover the edges of the triangle between the pillars' centres, so a cube
that touches no wall is either wholly on the floor or wholly outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import ConvexHull

from companion.dungeon_drop.arrays import Flags, Floats, Indexes, Words, joined, picked
from companion.dungeon_drop.bits import unpack
from companion.dungeon_drop.footprints import Point
from companion.dungeon_drop.survey import Survey, survey
from companion.dungeon_drop.table import Table
from companion.dungeon_drop.trios import (
    NearEdge,
    Trios,
    blocks_of_trios,
    find_contents,
    find_legal,
    find_near,
    sets,
)

# How near to the edge a cube must be to have its gap measured, if the caller does not say.
NEAR_MM = 2.0
# Answers (room and cube) as numbers held at once.
ANSWERS = 4_000_000


@dataclass(frozen=True, eq=False)
class Rooms:
    """All legal rooms of a table (hit points aside), ordered by their pillars.

    Attributes:
        survey: what they were read off.
        trios: the three pillars of each, as indexes in the table, with their walls.
        contents: the cubes that touch each room, packed; `inside` gives them as yes/no answers.
    """

    survey: Survey
    trios: Trios
    contents: Words

    def __len__(self) -> int:
        return len(self.trios)

    @property
    def table(self) -> Table:
        """The table these rooms are on."""
        return self.survey.table

    @cached_property
    def near(self) -> NearEdge:
        """Every cube and other pillar nearer to an edge than the survey asked for, inside or outside."""
        return find_near(self.survey, self.trios)

    def near_at(self, places: Indexes) -> NearEdge:
        """Return the same for the rooms at *places*, counted from 0 in that order."""
        return find_near(self.survey, picked(self.trios, places))

    @cached_property
    def inside(self) -> Flags:
        """Whether each room takes each cube that is not a pillar; shape (R, cubes)."""
        return self.inside_of(slice(None))

    def blocks(self) -> Iterator[slice]:
        """Give slices of rooms whose answers for all cubes can be held at once; at least one, maybe empty."""
        rows = max(1, ANSWERS // max(self.table.cube_count, 1))
        for start in range(0, max(len(self), 1), rows):
            yield slice(start, min(start + rows, len(self)))

    def inside_of(self, block: slice) -> Flags:
        """Return the same for some of the rooms."""
        return unpack(self.contents[block], self.table.cube_count)

    def inside_at(self, places: Indexes) -> Flags:
        """Return the same for the rooms at *places*."""
        return unpack(self.contents[places], self.table.cube_count)

    def taken(self, room: int) -> Indexes:
        """Return which cubes a room takes, counted from the first that is not a pillar."""
        return np.flatnonzero(self.inside_of(slice(room, room + 1))[0])

    @cached_property
    def outside_limits(self) -> tuple[int, ...]:
        """The ids of the cubes that no legal room can take."""
        reached = unpack(np.bitwise_or.reduce(self.contents, axis=0, keepdims=True), self.table.cube_count)[0]
        return tuple(self.table.ids[self.table.pillar_count + cube] for cube in np.flatnonzero(~reached))

    def outline(self, room: int) -> tuple[Point, ...]:
        """Return the corners of a room in the table's millimetres, counter-clockwise."""
        corners = room_corners(self.table, self.trios.pillars[room]) + self.table.origin_mm
        return tuple((float(x), float(y)) for x, y in corners)


def room_corners(table: Table, pillars: Indexes) -> Floats:
    """Return the corners of the room between three pillars, counter-clockwise from the table's origin."""
    corners = table.footprints.corners[pillars].reshape(-1, 2)
    return corners[ConvexHull(corners).vertices]


def find_rooms(table: Table, near_mm: float = NEAR_MM) -> Rooms:
    """Find every legal room and what is in it; gaps up to *near_mm* can then be asked for."""
    measured = survey(table, near_mm)
    return read_rooms(measured, legal_trios(measured))


def legal_trios(measured: Survey) -> Trios:
    """Return the trios of pillars that make a room."""
    count = measured.table.pillar_count
    pillars = sets(measured.contacts, slice(0, count))
    return joined([picked(trios, find_legal(trios, pillars)) for trios in blocks_of_trios(count)])


def read_rooms(measured: Survey, legal: Trios) -> Rooms:
    """Read what is in the rooms of these *legal* trios off the survey."""
    cubes = sets(measured.contacts, slice(measured.table.pillar_count, None))
    return Rooms(measured, legal, find_contents(legal, cubes))
