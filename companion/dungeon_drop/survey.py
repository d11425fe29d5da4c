"""Everything measured once about a table: its walls and what is near them. Rooms are read off it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.dungeon_drop.arrays import picked
from companion.dungeon_drop.contacts import Contacts, find_contacts
from companion.dungeon_drop.footprints import Footprints
from companion.dungeon_drop.table import Table
from companion.dungeon_drop.walls import Walls, build_walls, wall_ends


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """A measured table; columns of the contacts are the table's cubes, pillars first."""

    table: Table
    near_mm: float
    walls: Walls
    contacts: Contacts


def pillars_of(table: Table) -> Footprints:
    """Return the footprints of the pillars only."""
    return picked(table.footprints, slice(0, table.pillar_count))


def survey(table: Table, near_mm: float) -> Survey:
    """Measure every wall of the table and every cube nearer than *near_mm* to one."""
    pillars = pillars_of(table)
    walls = build_walls(pillars, wall_ends(table.pillar_count))
    contacts = find_contacts(walls, pillars, table.footprints, near_mm, own=walls.ends)
    return Survey(table, near_mm, walls, contacts)
