"""What a scan is worth to a player: the score kept by playing the room that it leads to."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from calibration.accuracy.matching import Match
from companion.dungeon_drop.advice import Advice, advise
from companion.dungeon_drop.hero import GemValues, Hero
from companion.dungeon_drop.outlines import checked_outline
from companion.dungeon_drop.pieces import Kind, Size
from companion.dungeon_drop.rooms import find_rooms
from companion.dungeon_drop.table import Cube, Table
from companion.errors import BadData
from vision.pictures import Floats
from vision.pieces import Kind as SeenKind
from vision.pieces import Size as SeenSize

# Somebody at the start of a game, with the gem values that a form starts with.
HERO = Hero(hit_points=8, gem_values=GemValues(clear=1, blue=2, pink=3))

Trio = tuple[int, int, int]


def score_kept(match: Match) -> float | None:
    """Return which share of the best room's score a player keeps who trusts a scan.

    The room advised from what was seen is played with the true cubes: with a pillar that is none, or in a
    room that is not allowed, nothing is gained. There is no answer where the true places are not known or no
    room is worth anything.
    """
    if not all(cube.footprint_mm is not None for cube in match.truth):
        return None
    true = _advice((n, cube.kind, cube.size, cube.footprint_mm) for n, cube in enumerate(match.truth))
    best = _best(true)
    if best is None or true.effects.gain[best] <= 0:
        return None
    seen = _advice((n, cube.kind, cube.size, cube.footprint_mm) for n, cube in enumerate(match.found))
    advised = _best(seen)
    back = {j: i for i, j in match.pairs}
    pillars = [back.get(j) for j in _trio(seen, advised)] if advised is not None else []
    return _gain(true, pillars) / float(true.effects.gain[best])


def _advice(cubes: Iterable[tuple[int, SeenKind, SeenSize, Floats | None]]) -> Advice:
    table = Table.put(cube for one in cubes if (cube := _cube(*one)))
    return advise(find_rooms(table, 0.0), HERO, 0.0)


def _cube(id: int, kind: SeenKind, size: SeenSize, footprint_mm: Floats | None) -> Cube | None:
    """Return a cube as the rules know it; none if its footprint is no outline a room can be built from."""
    if footprint_mm is None:
        return None
    try:
        outline = checked_outline([(float(x), float(y)) for x, y in footprint_mm])
    except BadData:
        return None
    return Cube(id, Kind(kind), Size(size), outline)


def _best(advice: Advice) -> int | None:
    """Return the place of the first allowed room that gains most.

    Of equal rooms the first by its pillars counts and not the safest, so that the figure is the same as
    everybody's who only compares gains.
    """
    gains = np.where(advice.effects.allowed, advice.effects.gain, -1.0)
    return int(gains.argmax()) if advice.effects.allowed.any() else None


def _trio(advice: Advice, place: int) -> Trio:
    i, j, k = (advice.rooms.table.ids[pillar] for pillar in advice.rooms.trios.pillars[place])
    return i, j, k


def _gain(true: Advice, pillars: list[int | None]) -> float:
    """Return what the true room between these cubes gains; nothing if there is no such room."""
    wanted = set(pillars)
    for place in np.flatnonzero(true.effects.allowed).tolist():
        if set(_trio(true, place)) == wanted:
            return float(true.effects.gain[place])
    return 0.0
