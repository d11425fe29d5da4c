"""The rooms after one cube is moved: only what the move changes is measured again, so it follows a dragged finger."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.dungeon_drop.arrays import Indexes, Words, joined, picked, with_rows
from companion.dungeon_drop.contacts import (
    Contacts,
    EdgeTables,
    cube_begin,
    find_contacts,
    pillar_beyond,
    pillar_reach,
)
from companion.dungeon_drop.footprints import Point
from companion.dungeon_drop.rooms import Rooms, find_rooms, legal_trios, read_rooms
from companion.dungeon_drop.survey import Survey, pillars_of
from companion.dungeon_drop.table import Table
from companion.dungeon_drop.trios import NearEdge, Trios, find_contents, find_near, sets
from companion.dungeon_drop.walls import build_walls


def move_cube(rooms: Rooms, id: int, footprint_mm: tuple[Point, ...]) -> Rooms:
    """Return the rooms after the cube called *id* was put somewhere else: the same as finding them all anew.

    Raises:
        KeyError: there is no such cube.
    """
    index, before = rooms.table.index(id), rooms.survey
    table = rooms.table.with_moved(index, footprint_mm)
    if table.footprints.corners.shape != before.pieces.corners.shape:
        return find_rooms(table, before.near_mm)
    if index < table.pillar_count:
        return _after_pillar(rooms, _survey_after_pillar(before, table, index), index)
    return _after_cube(rooms, _survey_after_cube(before, table, index), index)


def _survey_after_cube(before: Survey, table: Table, index: int) -> Survey:
    column = slice(index, index + 1)
    pillars, one = pillars_of(table), picked(table.footprints, column)
    tables = EdgeTables(before.tables.pillar_reach, cube_begin(pillars, one), pillar_beyond(pillars, one))
    contacts = find_contacts(before.walls, pillars, one, tables, before.near_mm, pillars_first=False)
    tables = EdgeTables(
        before.tables.pillar_reach,
        _with_column(before.tables.cube_begin, column, tables.cube_begin),
        _with_column(before.tables.pillar_beyond, column, tables.pillar_beyond),
    )
    return Survey(
        table, before.near_mm, before.walls, tables, _with_contacts(before.contacts, column, contacts)
    )


def _with_column(values: np.ndarray, column: slice, new: np.ndarray) -> np.ndarray:
    changed = values.copy()
    changed[:, column] = new
    return changed


def _with_contacts(contacts: Contacts, column: slice, new: Contacts) -> Contacts:
    return Contacts(
        _with_column(contacts.gaps, column, new.gaps),
        _with_column(contacts.left, column, new.left),
        _with_column(contacts.right, column, new.right),
    )


def _after_cube(rooms: Rooms, measured: Survey, index: int) -> Rooms:
    """The rooms stay; only whether the cube is in them, or near their edge, is read again."""
    column = slice(index, index + 1)
    inside, floor = find_contents(rooms.trios, sets(measured.contacts, column))
    near = find_near(measured, rooms.trios, floor, column)
    others = picked(rooms.near, np.flatnonzero(rooms.near.cube != index))
    contents = _with_bit(rooms.contents, index - measured.table.pillar_count, inside)
    return Rooms(measured, rooms.trios, contents, _ordered(joined([others, near]), len(measured.table.cubes)))


def _with_bit(contents: Words, cube: int, inside: Words) -> Words:
    """Return packed contents in which *cube* is inside where the only bit of *inside* is set."""
    octets = contents.view(np.uint8).copy()
    bit = 0x80 >> cube % 8
    octets[:, cube // 8] &= 0xFF ^ bit
    octets[:, cube // 8] |= inside.view(np.uint8)[:, 0] >> cube % 8
    return octets.view(np.uint64)


def _ordered(near: NearEdge, cubes: int) -> NearEdge:
    return picked(near, np.argsort(near.room * cubes + near.cube, kind="stable"))


def _survey_after_pillar(before: Survey, table: Table, index: int) -> Survey:
    """Measure the walls of the moved pillar against everything, and the pillar against all other walls."""
    pieces, pillars, near_mm = table.footprints, pillars_of(table), before.near_mm
    column = slice(index, index + 1)
    one = picked(pieces, column)
    reach = _with_column(before.tables.pillar_reach, column, pillar_reach(pillars, one))
    reach[index] = pillar_reach(one, pillars)[0]
    begin = _with_column(before.tables.cube_begin, column, cube_begin(pillars, one))
    begin[index] = cube_begin(one, pieces)[0]
    beyond = _with_column(before.tables.pillar_beyond, column, pillar_beyond(pillars, one))
    beyond[index] = pillar_beyond(one, pieces)[0]
    tables = EdgeTables(reach, begin, beyond)
    its_own = (before.walls.ends == index).any(axis=1)
    own, other = np.flatnonzero(its_own), np.flatnonzero(~its_own)
    own_walls = build_walls(pillars, before.walls.ends[own])
    own_contacts = find_contacts(own_walls, pillars, pieces, tables, near_mm, pillars_first=True)
    of_one = EdgeTables(reach, begin[:, column], beyond[:, column])
    other_walls = picked(before.walls, other)
    new = find_contacts(other_walls, pillars, one, of_one, near_mm, pillars_first=False)
    contacts = with_rows(before.contacts, own, own_contacts)
    contacts.gaps[other, index] = new.gaps[:, 0]
    contacts.left[other, index] = new.left[:, 0]
    contacts.right[other, index] = new.right[:, 0]
    return Survey(table, near_mm, with_rows(before.walls, own, own_walls), tables, contacts)


def _after_pillar(rooms: Rooms, measured: Survey, index: int) -> Rooms:
    """Rooms without the pillar keep their contents; those with it, and newly legal ones, are read again."""
    table = measured.table
    legal = legal_trios(measured)
    old, kept = _known(rooms.trios, legal, table.pillar_count, index)
    known = np.zeros(len(legal), bool)
    known[kept] = True
    fresh = np.flatnonzero(~known)
    read = read_rooms(measured, picked(legal, fresh))
    contents = np.empty((len(legal), rooms.contents.shape[1]), np.uint64)
    contents[fresh], contents[kept] = read.contents, rooms.contents[old]
    place = np.full(len(rooms), -1)
    place[old] = kept
    stays = np.flatnonzero((place[rooms.near.room] >= 0) & (rooms.near.cube != index))
    stayed = picked(rooms.near, stays)
    near = joined(
        [
            replace(stayed, room=place[stayed.room]),
            replace(read.near, room=fresh[read.near.room]),
            _near_pillar(measured, legal, kept, index),
        ]
    )
    return Rooms(measured, legal, contents, _ordered(near, len(table.cubes)))


def _known(before: Trios, after: Trios, pillars: int, index: int) -> tuple[Indexes, Indexes]:
    """Return where the trios without the pillar that were legal before and after are in both lists."""
    weights = np.array([pillars * pillars, pillars, 1])
    _, old, new = np.intersect1d(
        before.pillars @ weights, after.pillars @ weights, assume_unique=True, return_indices=True
    )
    without = (after.pillars[new] != index).all(axis=1)
    return old[without], new[without]


def _near_pillar(measured: Survey, legal: Trios, rooms: Indexes, index: int) -> NearEdge:
    """Return which of the *rooms*, none of them its own, the pillar is near to; it is outside of all."""
    gap = measured.contacts.gaps[:, index][legal.walls[rooms]].min(axis=1, initial=np.inf)
    near = np.flatnonzero(gap < measured.near_mm)
    return NearEdge(rooms[near], np.full(len(near), index), gap[near])
