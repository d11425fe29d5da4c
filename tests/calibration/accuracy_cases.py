"""Pictures, scans and mistakes for the tests of the accuracy report."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from calibration.accuracy.truths import Circumstances, TrueCube, TruePicture
from tests.web.scans import a_scan
from vision.pieces import KINDS, SIZES, Kind, Size
from vision.seen import SeenCube

CORNERS = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


def a_true_cube(kind, x, y, *, size="small", judged=True, metric=True):
    """Put a cube of 20 pixels and 10 mm at (x, y) pixels; a millimetre is two pixels."""
    middle = np.array([x, y], float)
    return TrueCube(
        Kind(kind),
        Size(size),
        middle + 10 * CORNERS,
        middle / 2 if metric else None,
        middle / 2 + 5 * CORNERS if metric else None,
        judged,
    )


def a_true_picture(*cubes, photo="table.jpg", **taken):
    return TruePicture(Path(photo), cubes, Circumstances(**taken))


def as_seen(cube, id=0, *, kind=None, size=None, moved_px=(0, 0)):
    """See a true cube, perhaps as something else and elsewhere; what is not known in mm is anywhere."""
    moved = np.array(moved_px, float)
    known = cube.footprint_mm is not None
    return SeenCube(
        id,
        Kind(kind or cube.kind),
        Size(size or cube.size),
        0.9,
        cube.outline_px + moved,
        cube.outline_px.mean(axis=0) + moved,
        cube.centre_mm + moved / 2 if known else np.zeros(2),
        cube.footprint_mm + moved / 2 if known else 4 * CORNERS,
        0.5,
    )


def a_perfect_scan(picture):
    return a_scan(*(as_seen(cube, id) for id, cube in enumerate(picture.cubes) if cube.judged))


def a_room():
    """Return three pillars around two gold, and a pink gem outside."""
    return (
        a_true_cube("pillar", 100, 100),
        a_true_cube("pillar", 400, 100),
        a_true_cube("pillar", 250, 400),
        a_true_cube("gold", 250, 180),
        a_true_cube("gold", 230, 230, size="large"),
        a_true_cube("gem_pink", 500, 400),
    )


def spoiled(picture, rng, *, share=0.12):
    """Scan a picture badly: cubes missed, invented, of another kind or size, in other axes, a little off."""
    judged = [cube for cube in picture.cubes if cube.judged] or list(picture.cubes)
    others = [cube for cube in picture.cubes if not cube.judged]
    turn = rng.uniform(0, 2 * np.pi)
    axes = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))]) * rng.uniform(0.95, 1.05)
    axes = axes @ np.diag([1.0, rng.choice([-1.0, 1.0])])
    away = rng.uniform(-200, 200, 2)
    seen = []
    for cube in (*judged, *others):
        if rng.random() < share / 2:
            continue
        extent = np.ptp(cube.outline_px, axis=0).max()
        far = 0.8 if rng.random() < share / 2 else 0.06
        found = as_seen(cube, moved_px=rng.normal(0, far * extent, 2))
        if cube.centre_mm is not None:
            slip = rng.normal(0, 0.4, 2)
            found = replace(
                found,
                centre_mm=(cube.centre_mm + slip) @ axes.T + away,
                footprint_mm=(cube.footprint_mm + slip) @ axes.T + away,
            )
        if rng.random() < share:
            found = replace(found, kind=KINDS[rng.integers(len(KINDS))])
        if rng.random() < share:
            found = replace(found, size=SIZES[rng.integers(len(SIZES))])
        seen.append(found)
        if rng.random() < share / 3:
            shift = rng.uniform(-3, 3, 2) * extent
            seen.append(replace(found, outline_px=found.outline_px + shift, kind=Kind.PILLAR))
    order = rng.permutation(len(seen))
    return a_scan(*(replace(seen[n], id=id) for id, n in enumerate(order)))
