"""A room that players choose themselves, by tapping its three pillars; and why some are none."""

from __future__ import annotations

from dataclasses import dataclass

from companion.dungeon_drop.footprints import Point
from companion.dungeon_drop.pieces import Kind
from companion.dungeon_drop.rooms import find_rooms
from companion.dungeon_drop.table import Cube, Table
from web.dungeon_drop.look import Look, LookCube
from web.dungeon_drop.room_choice import Trio, in_photo


@dataclass(frozen=True, slots=True)
class NoRoom:
    """Three pillars that make no room: the pillars that touch it, and its walls in the photo."""

    pillars: Trio
    blocked_by: tuple[int, ...]
    outline_px: tuple[Point, ...]


def why_no_room(look: Look, pillars: Trio) -> NoRoom | None:
    """Return which pillars forbid a room; None if one of the three is no pillar, or nothing does."""
    if len(set(pillars)) < 3 or not all(is_pillar(look, id) for id in pillars):
        return None
    # Were the others gold, they would be looted: these are in the way.
    alone = find_rooms(Table.put(_as_gold(cube, pillars) for cube in look.cubes))
    if not len(alone):
        return None
    others = alone.table.ids[alone.table.pillar_count :]
    touching = (others[int(index)] for index in alone.taken(0))
    blocked_by = tuple(sorted(id for id in touching if is_pillar(look, id)))
    return NoRoom(pillars, blocked_by, in_photo(look, alone.outline(0))) if blocked_by else None


def is_pillar(look: Look, id: int) -> bool:
    """Tell whether a cube of the photo is a pillar."""
    cube = look.cube(id)
    return cube is not None and cube.kind is Kind.PILLAR


def picked_pillars(look: Look, text: str) -> tuple[int, ...]:
    """Return the one or two pillars tapped so far, as an address names them; none if something is wrong."""
    parts = text.split("-")
    if len(parts) > 2 or not all(part.isdecimal() and len(part) < 6 for part in parts):
        return ()
    ids = tuple(map(int, parts))
    return ids if len(set(ids)) == len(ids) and all(is_pillar(look, id) for id in ids) else ()


def where_a_tap_leads(cube: LookCube, picked: tuple[int, ...], room: str | None) -> dict[str, object]:
    """Return what the address says after a tap on a cube: the next corner, or what it is."""
    if picked and cube.kind is Kind.PILLAR and cube.id not in picked:
        named = "-".join(map(str, sorted((*picked, cube.id))))
        return {"room": named} if len(picked) == 2 else {"pick": named}
    return {"cube": cube.id, "room": room}


def _as_gold(cube: LookCube, pillars: Trio) -> Cube:
    corner = cube.kind is not Kind.PILLAR or cube.id in pillars
    return Cube(cube.id, cube.kind if corner else Kind.GOLD, cube.size, cube.footprint_mm)
