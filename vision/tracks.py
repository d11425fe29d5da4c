"""One cube through several scans: what they say together about whether it is there, what it is and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.changes import carried
from vision.pictures import Floats
from vision.pieces import COUNTS, Kind, Size
from vision.plane import TablePlane
from vision.seen import SeenCube


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """One cube through several scans.

    Attributes:
        cube: what the votes say it is, with its stable id.
        sightings: what each scan since the last change around it saw of it, newest last; None if nothing.
            More of them are kept than vote on where it is: see `decided`.
        shown: it is on the table.
    """

    cube: SeenCube
    sightings: tuple[SeenCube | None, ...]
    shown: bool


def decided(track: Track, surest: float, votes: int) -> Track:
    """Count the votes: whether the cube is there, what it is and where; none is believed more than *surest*.

    Whether and where is told by the last *votes* scans. What it is is told by all that are remembered: where
    nothing changed no cube became another, and a few scans that can hardly tell its size must not undo what
    earlier ones saw clearly.

    To appear or to go takes more than two thirds of the scans; else it stays as it was: what one half of the
    scans sees and the other half does not must not flicker.
    """
    recent = track.sightings[-votes:]
    seen = [cube for cube in recent if cube is not None]
    thrice, scans = 3 * len(seen), len(recent)
    shown = thrice > scans if track.shown else thrice > 2 * scans
    if not seen:
        return replace(track, shown=shown)
    remembered = [cube for cube in track.sightings if cube is not None]
    (kind, size), confidence = _label(remembered, surest)
    middle_mm = np.median([cube.centre_mm for cube in seen], axis=0)
    middle_px = np.median([cube.centre_px for cube in seen], axis=0)
    # Outline and footprint are those of the scan nearest to the middle that saw what the vote says.
    like = [cube for cube in remembered if (cube.kind, cube.size) == (kind, size)]
    nearest = min(like, key=lambda cube: float(np.hypot(*(cube.centre_mm - middle_mm))))
    cube = replace(
        _displaced(nearest, middle_mm - nearest.centre_mm, middle_px - nearest.centre_px),
        id=track.cube.id,
        confidence=confidence,
        accuracy_mm=float(np.median([cube.accuracy_mm for cube in seen])),
    )
    return replace(track, cube=cube, shown=shown)


def _label(seen: Sequence[SeenCube], surest: float) -> tuple[tuple[Kind, Size], float]:
    """Return what is most likely after all sightings, and how likely they make it on average.

    On average, not together: scans of one picture err together, and five of them prove little more than one.
    """
    labels = sorted({(cube.kind, cube.size) for cube in seen})
    likely = np.empty((len(labels), len(seen)))
    for place, cube in enumerate(seen):
        sure = min(max(cube.confidence, 1 - surest), surest)
        likely[:, place] = [_likely(label, cube, sure) for label in labels]
    best = int(np.log(likely).sum(axis=1).argmax())
    return labels[best], float(likely[best].mean())


def _likely(label: tuple[Kind, Size], cube: SeenCube, sure: float) -> float:
    """Return how likely a scan that saw a cube this surely makes it that it is of some kind and size.

    What it is not sure of is half the size and half the kind.
    """
    if label == (cube.kind, cube.size):
        return sure
    alike = [other for other in COUNTS if other[0] is cube.kind and other[1] is not cube.size]
    doubt = (1 - sure) / 2
    if label in alike:
        return doubt / len(alike)
    others = len(COUNTS) - 1 - len(alike)
    return (doubt if alike else 2 * doubt) / others


def begun_anew(track: Track, where_mm: Floats, held: TablePlane, plane: TablePlane) -> Track:
    """Return a track as the moved camera should see it, until it does."""
    stood_mm = track.cube.centre_mm
    by_px = plane.to_pixels(where_mm[None])[0] - held.to_pixels(stood_mm[None])[0]
    cube = _displaced(track.cube, where_mm - stood_mm, by_px)
    return replace(track, cube=cube, sightings=(cube if track.shown else None,))


def carried_along(track: Track, held: TablePlane, plane: TablePlane) -> Track:
    """Return a track in the millimetres of a better plane."""
    seen = [cube for cube in track.sightings if cube is not None]
    cube, *others = carried([track.cube, *seen], held, plane)
    following = iter(others)
    sightings = tuple(None if one is None else next(following) for one in track.sightings)
    return replace(track, cube=cube, sightings=sightings)


def _displaced(cube: SeenCube, by_mm: Floats, by_px: Floats) -> SeenCube:
    return replace(
        cube,
        outline_px=cube.outline_px + by_px,
        centre_px=cube.centre_px + by_px,
        centre_mm=cube.centre_mm + by_mm,
        footprint_mm=cube.footprint_mm + by_mm,
    )
