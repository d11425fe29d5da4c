"""What players said of a table that is followed holds for its next look: the cubes keep their numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.dungeon_drop.footprints import Point
from companion.dungeon_drop.pieces import Sides, Size
from web.dungeon_drop.look import ADDED_FROM, Look, LookCube

# A cube that a player added is the one that the camera now sees itself, if it stands as near as this: less
# than two small cubes that touch are apart.
SAME_PLACE_MM = 6.0
# A cube that moved less than this has not: twice what scans err by.
STAYED_MM = 3.0


def carried_on(before: Look, after: Look) -> Look:
    """Return the newer look with what players said of the older one's cubes."""
    known = {cube.id: cube for cube in before.cubes}
    seen = {cube.id for cube in after.cubes}
    # Places are compared in millimetres: after a push of the camera they are others.
    same_plane = _same_plane(before, after)
    cubes = [_as_fixed(known.get(cube.id), cube) for cube in after.cubes if cube.id not in before.removed]
    places = [_middle(cube) for cube in cubes]
    for cube in before.cubes:
        hidden = all(np.hypot(*np.subtract(_middle(cube), place)) > SAME_PLACE_MM for place in places)
        if cube.id >= ADDED_FROM and cube.id not in seen and hidden and same_plane:
            cubes.append(cube)
    now = {cube.id: cube for cube in cubes}
    stayed = {
        id
        for id, cube in known.items()
        if id in now and np.hypot(*np.subtract(_middle(cube), _middle(now[id]))) < STAYED_MM
    }
    calls = {
        (pillars, cube): inside
        for (pillars, cube), inside in before.calls.items()
        if same_plane and stayed.issuperset((*pillars, cube))
    }
    return replace(after, cubes=tuple(cubes), calls=calls, removed=before.removed)


def resized(cube: LookCube, size: Size) -> tuple[Point, ...]:
    """Return the footprint of a cube that is larger or smaller than it was seen, in the same place."""
    corners = np.array(cube.footprint_mm)
    middle = corners.mean(axis=0)
    sides = Sides()
    grown = middle + (corners - middle) * (sides.of(size) / sides.of(cube.size))
    return tuple((float(x), float(y)) for x, y in grown)


def _as_fixed(said: LookCube | None, seen: LookCube) -> LookCube:
    if said is None or not said.fixed:
        return seen
    footprint = seen.footprint_mm if seen.size is said.size else resized(seen, said.size)
    return replace(seen, kind=said.kind, size=said.size, footprint_mm=footprint, fixed=True)


def _same_plane(before: Look, after: Look) -> bool:
    if before.plane is None or after.plane is None:
        return False
    return np.array_equal(before.plane.to_picture, after.plane.to_picture)


def _middle(cube: LookCube) -> Point:
    x, y = np.array(cube.footprint_mm).mean(axis=0)
    return float(x), float(y)
