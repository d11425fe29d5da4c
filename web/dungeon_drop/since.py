"""What is strange about a new photo: cubes that were looted and still lie there, cubes that vanished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from companion.dungeon_drop.pieces import KINDS, Kind
from vision.changes import ChangeSettings, match
from vision.pieces import Kind as SeenKind
from vision.pieces import Size as SeenSize
from vision.seen import Scan, SeenCube
from web.dungeon_drop.look import Look, LookCube

# With fewer cubes in common the two photos are of different tables, or of one that was dropped anew; a guess.
LEAST_COMMON = 0.4


@dataclass(frozen=True, slots=True)
class Since:
    """What does not fit to the photo before, by kind."""

    still_there: tuple[tuple[Kind, int], ...] = ()
    vanished: tuple[tuple[Kind, int], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.still_there or self.vanished)


def what_is_strange(before: Look, taken: Iterable[int], after: Look) -> Since:
    """Compare two photos of a table.

    Args:
        taken: the cubes of the older photo that were looted since.
    """
    if before.plane is None or after.plane is None or not before.cubes or not after.cubes:
        return Since()
    pairs = match(_scan(before), _scan(after), ChangeSettings()).pairs
    same = {old: new for old, new in pairs}
    gone = set(taken)
    left = [place for place, cube in enumerate(before.cubes) if cube.id not in gone]
    if sum(place in same for place in left) < LEAST_COMMON * max(1, len(left)):
        return Since()
    still = [
        cube.kind
        for place, cube in enumerate(before.cubes)
        if cube.id in gone and place in same and _stands_there(cube, after.cubes[same[place]])
    ]
    vanished = [before.cubes[place].kind for place in left if place not in same]
    return Since(counted(still), counted(vanished))


def _stands_there(before: LookCube, after: LookCube) -> bool:
    """Tell whether it is the same cube and not one of its kind that was dropped since."""
    return before.kind is after.kind and before.size is after.size


def counted(kinds: Iterable[Kind]) -> tuple[tuple[Kind, int], ...]:
    """Return how often each kind is among some."""
    counts = Counter(kinds)
    return tuple((kind, counts[kind]) for kind in KINDS if counts[kind])


def _scan(look: Look) -> Scan:
    assert look.plane is not None
    return Scan(look.size_px, look.source, look.plane, 1.0, tuple(map(_seen, look.cubes)), ())


def _seen(cube: LookCube) -> SeenCube:
    outline, footprint = np.array(cube.outline_px), np.array(cube.footprint_mm)
    return SeenCube(
        cube.id,
        SeenKind(str(cube.kind)),
        SeenSize(str(cube.size)),
        cube.confidence,
        outline,
        outline.mean(axis=0),
        footprint.mean(axis=0),
        footprint,
        cube.accuracy_mm,
    )
