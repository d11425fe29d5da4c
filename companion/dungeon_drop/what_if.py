"""A cube in the hand: the best rooms wherever it is put down, fast enough to follow a dragged finger.

What does not depend on where the cube lands is worked out once, when it is picked up: for a pillar the rooms
of all other pillars, for another cube what each room gives with it and without it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from companion.dungeon_drop.advice import Advice, advise, best_first
from companion.dungeon_drop.arrays import Flags, Indexes, joined, names_of, picked, with_rows
from companion.dungeon_drop.bits import pack, unpack
from companion.dungeon_drop.contacts import Contacts, find_contacts
from companion.dungeon_drop.footprints import Point
from companion.dungeon_drop.rooms import Rooms, find_rooms, legal_trios, read_rooms
from companion.dungeon_drop.survey import Survey, pillars_of
from companion.dungeon_drop.table import Table
from companion.dungeon_drop.trios import Trios, blocks_of_trios, find_contents, find_legal, sets
from companion.dungeon_drop.walls import build_walls, with_sides
from companion.dungeon_drop.worth import Effects


@dataclass(frozen=True, slots=True, eq=False)
class CubeInHand:
    """A cube that is not a pillar: the rooms stay, it is in each of them or not.

    Attributes:
        without: the advice as if it were not there.
        included: the advice as if it were in every room.
    """

    index: int
    without: Advice
    included: Advice

    def put_down(self, footprint_mm: tuple[Point, ...]) -> Advice:
        """Return the advice with the cube there."""
        before = self.without.rooms
        table = before.table.with_moved(self.index, footprint_mm)
        if not _same_corners(table, before.table):
            return _anew(table, self.without)
        survey, new = _with_column(before.survey, table, self.index)
        taken = unpack(find_contents(before.trios, sets(new, slice(0, 1))), 1)
        contents = np.where(taken, self.included.rooms.contents, before.contents)
        effects = _either(taken[:, 0], self.included.effects, self.without.effects)
        rooms = Rooms(survey, before.trios, contents)
        return replace(self.without, rooms=rooms, effects=effects, order=best_first(effects))


@dataclass(frozen=True, slots=True, eq=False)
class PillarInHand:
    """A pillar: the rooms between the others stay unless it blocks them, and it makes rooms of its own.

    Attributes:
        without: the advice as if it were not there.
        own_walls, other_walls: which walls end at it, and which do not.
        own_trios: all threes of pillars that it is one of.
    """

    index: int
    without: Advice
    own_walls: Indexes
    other_walls: Indexes
    own_trios: Trios

    def put_down(self, footprint_mm: tuple[Point, ...]) -> Advice:
        """Return the advice with the pillar there."""
        rest = self.without
        table = rest.rooms.table.with_moved(self.index, footprint_mm)
        if not _same_corners(table, rest.rooms.table):
            return _anew(table, rest)
        survey = self._survey(table)
        its_column = sets(survey.contacts, slice(self.index, self.index + 1))
        stay = np.flatnonzero(find_contents(rest.rooms.trios, its_column)[:, 0] == 0)
        pillars = sets(survey.contacts, slice(0, table.pillar_count))
        legal = picked(self.own_trios, find_legal(self.own_trios, pillars))
        own = advise(read_rooms(survey, legal), rest.hero, rest.accuracy_mm)
        trios = joined([picked(rest.rooms.trios, stay), legal])
        order = np.argsort(trios.pillars @ (table.pillar_count ** np.array([2, 1, 0])))
        contents = np.concatenate((rest.rooms.contents[stay], own.rooms.contents))[order]
        effects = picked(joined([picked(rest.effects, stay), own.effects]), order)
        rooms = Rooms(survey, picked(trios, order), contents)
        return replace(rest, rooms=rooms, effects=effects, order=best_first(effects))

    def _survey(self, table: Table) -> Survey:
        """Measure the pillar's own walls against everything, and the pillar against all other walls."""
        before, pillars = self.without.rooms.survey, pillars_of(table)
        own = build_walls(pillars, before.walls.ends[self.own_walls])
        survey, _ = _with_column(before, table, self.index, self.other_walls)
        rows = find_contacts(own, pillars, table.footprints, before.near_mm, own=own.ends)
        for old, new in zip(_parts(survey.contacts), _parts(rows), strict=True):
            old[self.own_walls] = new
        most = max(own.sides.shape[1], before.walls.sides.shape[1])
        walls = with_rows(with_sides(before.walls, most), self.own_walls, with_sides(own, most))
        return replace(survey, walls=walls)


def pick_up(advice: Advice, id: int) -> CubeInHand | PillarInHand:
    """Prepare to put the cube called *id* somewhere else.

    Raises:
        KeyError: there is no such cube.
    """
    rooms = advice.rooms
    index, pillars = rooms.table.index(id), rooms.table.pillar_count
    survey = _cleared(rooms.survey, index)
    if index < pillars:
        its_own = (survey.walls.ends == index).any(axis=1)
        legal = legal_trios(survey)
        others = picked(legal, np.flatnonzero((legal.pillars != index).all(axis=1)))
        without = advise(read_rooms(survey, others), advice.hero, advice.accuracy_mm)
        own_trios = joined([_with_pillar(trios, index) for trios in blocks_of_trios(pillars)])
        return PillarInHand(index, without, np.flatnonzero(its_own), np.flatnonzero(~its_own), own_trios)
    bit = pack(np.arange(rooms.table.cube_count)[None] == index - pillars)
    left_out = Rooms(survey, rooms.trios, rooms.contents & ~bit)
    put_in = Rooms(survey, rooms.trios, rooms.contents | bit)
    return CubeInHand(
        index,
        advise(left_out, advice.hero, advice.accuracy_mm),
        advise(put_in, advice.hero, advice.accuracy_mm),
    )


def _anew(table: Table, advice: Advice) -> Advice:
    """Work everything out anew: a cube with more corners than any before needs larger arrays."""
    return advise(find_rooms(table, advice.rooms.survey.near_mm), advice.hero, advice.accuracy_mm)


def _same_corners(table: Table, before: Table) -> bool:
    return table.footprints.corners.shape == before.footprints.corners.shape


def _parts(contacts: Contacts) -> tuple[np.ndarray, ...]:
    return (contacts.gaps, contacts.left, contacts.right)


def _cleared(survey: Survey, index: int) -> Survey:
    """Return the survey as if one cube touched nothing and were nowhere."""
    gaps, left, right = (part.copy() for part in _parts(survey.contacts))
    gaps[:, index] = np.inf
    left[:, index] = right[:, index] = False
    return replace(survey, contacts=Contacts(gaps, left, right))


def _with_column(
    before: Survey, table: Table, index: int, which: Indexes | slice = slice(None)
) -> tuple[Survey, Contacts]:
    """Measure one cube of *table* against the walls *which*; return the whole survey, and what is new."""
    one = picked(table.footprints, slice(index, index + 1))
    new = find_contacts(picked(before.walls, which), pillars_of(table), one, before.near_mm)
    changed = [part.copy() for part in _parts(before.contacts)]
    for part, column in zip(changed, _parts(new), strict=True):
        part[which, index] = column[:, 0]
    return replace(before, table=table, contacts=Contacts(*changed)), new


def _with_pillar(trios: Trios, index: int) -> Trios:
    return picked(trios, np.flatnonzero((trios.pillars == index).any(axis=1)))


def _either(first: Flags, one: Effects, other: Effects) -> Effects:
    """Return the effects of *one* where *first* says so, else those of the *other*."""
    return Effects(*[np.where(first, getattr(one, name), getattr(other, name)) for name in names_of(Effects)])
