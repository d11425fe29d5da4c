"""Everything measured once about a table: its walls and what is near them. Rooms are read off it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.dungeon_drop.arrays import picked
from companion.dungeon_drop.contacts import (
    Contacts,
    EdgeTables,
    cube_begin,
    find_contacts,
    pillar_beyond,
    pillar_reach,
)
from companion.dungeon_drop.footprints import Footprints
from companion.dungeon_drop.table import Table
from companion.dungeon_drop.walls import Walls, build_walls, wall_ends


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """A measured table; columns of the contacts are the table's cubes, pillars first."""

    table: Table
    near_mm: float
    walls: Walls
    tables: EdgeTables
    contacts: Contacts

    @property
    def pieces(self) -> Footprints:
        """The footprints of all cubes."""
        return self.table.footprints


def pillars_of(table: Table) -> Footprints:
    """Return the footprints of the pillars only."""
    return picked(table.footprints, slice(0, table.pillar_count))


def survey(table: Table, near_mm: float) -> Survey:
    """Measure every wall of the table and every cube nearer than *near_mm* to one."""
    pieces, pillars = table.footprints, pillars_of(table)
    walls = build_walls(pillars, wall_ends(table.pillar_count))
    tables = EdgeTables(
        pillar_reach(pillars, pillars), cube_begin(pillars, pieces), pillar_beyond(pillars, pieces)
    )
    contacts = find_contacts(walls, pillars, pieces, tables, near_mm, pillars_first=True)
    return Survey(table, near_mm, walls, tables, contacts)
