"""Reading rooms off a survey: which three pillars make one, what is in it, what is near its edge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import TypeVar

import numpy as np

from companion.dungeon_drop.arrays import Flags, Floats, Indexes, Words, joined, picked
from companion.dungeon_drop.bits import pack
from companion.dungeon_drop.contacts import TOUCHING_MM, Contacts
from companion.dungeon_drop.separation import separation
from companion.dungeon_drop.survey import Survey
from companion.dungeon_drop.walls import wall_ends, wall_number

# Trios looked at in one go, and answers (room and cube) held at once.
TRIOS = 200_000
ANSWERS = 1_000_000

Answers = TypeVar("Answers", Words, Flags)


@dataclass(frozen=True, slots=True, eq=False)
class Trios:
    """Threes of pillars, each rising, with the numbers of their walls.

    Attributes:
        pillars: shape (T, 3).
        walls: shape (T, 3): first-second, second-third, first-third.
    """

    pillars: Indexes
    walls: Indexes

    def __len__(self) -> int:
        return len(self.pillars)


@dataclass(frozen=True, slots=True, eq=False)
class Sets:
    """For each wall, packed: the cubes that touch it and those clearly left and right of its axis."""

    touching: Words
    left: Words
    right: Words


@dataclass(frozen=True, slots=True, eq=False)
class NearEdge:
    """Which cubes (columns of the contacts) are near the edge of which room, in order; all shape (K,)."""

    room: Indexes
    cube: Indexes
    gap_mm: Floats


def blocks_of_trios(pillars: int) -> Iterator[Trios]:
    """Give all trios of so many pillars in order, block by block; at least one block, maybe empty."""
    if pillars < 3:
        yield Trios(np.empty((0, 3), np.intp), np.empty((0, 3), np.intp))
    first = 0
    while first < pillars - 2:
        last, many = first + 1, comb(pillars - first - 1, 2)
        while last < pillars - 2 and many < TRIOS:
            many += comb(pillars - last - 1, 2)
            last += 1
        yield _trios(pillars, first, last)
        first = last


@lru_cache(maxsize=4)
def _trios(pillars: int, first: int, last: int) -> Trios:
    """Return the trios whose smallest pillar is at least *first* and below *last*."""
    ends = wall_ends(pillars)
    # Walls are numbered by their first pillar, so the walls beyond pillar i are the last of them.
    after = np.arange(first + 1, last + 1)
    beyond = wall_number(after, after + 1, pillars).tolist()
    i = np.repeat(np.arange(first, last), [len(ends) - start for start in beyond])
    opposite = np.concatenate([np.arange(start, len(ends)) for start in beyond])
    j, k = ends[opposite, 0], ends[opposite, 1]
    walls = np.stack((wall_number(i, j, pillars), opposite, wall_number(i, k, pillars)), axis=1)
    return Trios(np.stack((i, j, k), axis=1), walls)


def sets(contacts: Contacts, columns: slice) -> Sets:
    """Pack what the contacts say of some of the cubes."""
    return Sets(
        pack(contacts.gaps[:, columns] <= TOUCHING_MM),
        pack(contacts.left[:, columns]),
        pack(contacts.right[:, columns]),
    )


def find_legal(trios: Trios, pillars: Sets) -> Indexes:
    """Return the places of the trios that no other pillar touches."""
    single = _single(64 * pillars.touching.shape[1])
    across = _floor(trios.walls, pillars.left, pillars.right)
    # Opposite each wall stands the third pillar, which may touch it.
    for wall, opposite in ((0, 2), (1, 0), (2, 1)):
        touching = pillars.touching.take(trios.walls[:, wall], axis=0)
        across |= touching & ~single.take(trios.pillars[:, opposite], axis=0)
    return np.flatnonzero(~across.any(axis=1))


@lru_cache(maxsize=8)
def _single(columns: int) -> Words:
    """Return one row for each column, with only that one set."""
    return pack(np.eye(columns, dtype=bool))


def find_contents(trios: Trios, cubes: Sets) -> Words:
    """Return the cubes that touch each trio's room, packed."""
    inside = _floor(trios.walls, cubes.left, cubes.right)
    for wall in range(3):
        inside |= cubes.touching.take(trios.walls[:, wall], axis=0)
    return inside


def _floor(walls: Indexes, left: Answers, right: Answers) -> Answers:
    """Return which centres are inside the triangles of the pillars' centres, whichever way those turn.

    A centre on an edge of it, where rounding could say anything, is neither left nor right: it is in the
    wall.

    Args:
        walls: shape (T, 3), of each trio.
        left, right: for each wall, packed or as yes/no answers; the result has the same form for each trio.
    """
    lefts = [left.take(walls[:, wall], axis=0) for wall in range(3)]
    rights = [right.take(walls[:, wall], axis=0) for wall in range(3)]
    return (lefts[0] & lefts[1] & rights[2]) | (rights[0] & rights[1] & lefts[2])


def find_near(survey: Survey, legal: Trios) -> NearEdge:
    """Measure every cube and other pillar nearer than the survey's distance to the edge of each room."""
    rows = max(1, ANSWERS // max(len(survey.table.cubes), 1))
    return joined([_near(survey, legal, slice(at, at + rows)) for at in range(0, max(len(legal), 1), rows)])


def _near(survey: Survey, legal: Trios, block: slice) -> NearEdge:
    contacts, walls = survey.contacts, legal.walls[block]
    # Outside, the nearest wall is the nearest part of the room.
    nearest = np.minimum(contacts.gaps.take(walls[:, 0], axis=0), contacts.gaps.take(walls[:, 1], axis=0))
    np.minimum(nearest, contacts.gaps.take(walls[:, 2], axis=0), out=nearest)
    on_floor = _floor(walls, contacts.left, contacts.right)
    if survey.near_mm < survey.table.footprints.inner.min(initial=np.inf):
        # A centre on the floor is deep inside.
        nearest[on_floor] = -np.inf
    else:
        nearest[on_floor] = np.minimum(nearest[on_floor], 0.0)
    nearest[np.arange(len(walls))[:, None], legal.pillars[block]] = np.inf
    near = np.flatnonzero(np.abs(nearest) < survey.near_mm)
    room, cube = np.divmod(near, nearest.shape[1])
    gap = nearest.ravel()[near]
    room += block.start
    # Inside, a room reaches further than each of its walls: the wall's gap is only an upper bound.
    overlapping = np.flatnonzero(gap <= TOUCHING_MM)
    if not overlapping.size:
        return NearEdge(room, cube, gap)
    gap[overlapping] = np.minimum(_overlaps(survey, legal, room[overlapping], cube[overlapping]), 0.0)
    return picked(NearEdge(room, cube, gap), np.flatnonzero(gap > -survey.near_mm))


def _overlaps(survey: Survey, trios: Trios, room: Indexes, cube: Indexes) -> Floats:
    """Return the exact gap of rooms and cubes known to touch: how far the cube is from leaving, negated."""
    pieces = survey.table.footprints
    pillars = trios.pillars.take(room, axis=0)
    flat = (len(room), 3 * pieces.corners.shape[1], 2)
    long_sides = survey.walls.normals.take(trios.walls.take(room, axis=0), axis=0)
    normals = np.concatenate(
        (
            long_sides.reshape(len(room), 3 * long_sides.shape[2], 2),
            pieces.normals.take(pillars, axis=0).reshape(flat),
            -pieces.normals.take(cube, axis=0),
        ),
        axis=1,
    )
    edge = pieces.corners.take(pillars, axis=0).reshape(flat)
    return separation(normals, edge, pieces.corners.take(cube, axis=0))
