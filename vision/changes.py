"""What changed on the table between two scans: which cube is which, and what is gone, moved, new or retyped.

Two scans need not share their millimetres: the origin is the largest card seen, and a hand may cover that
card, or an elbow may push the camera. So the older scan is first brought into the newer one's millimetres by
what most cubes say, and only then is each cube looked for near where it stood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from vision.pictures import Floats
from vision.pieces import Kind, Size
from vision.plane import TablePlane
from vision.seen import Scan, SeenCube


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSettings:
    """How far cubes may be from where they stood; lengths in millimetres.

    Attributes:
        stays_mm: a cube this near is the one that stood there: more than scans err by (1.5 mm in 95 of 100),
            less than the distance of two small cubes that touch (8 mm).
        shifts_mm: how far all cubes together may seem to move before others than their neighbours match.
        moved_mm: a cube farther from its place than this was moved: twice what scans err by.
        pushed_mm: as far as a cube may be pushed between two scans, a hand's length; beyond that one was
            taken and another one of its kind put down.
        other_kind_mm: a cube of another kind counts as this much farther away: of two cubes near one place
            the one of its kind stays.
        other_size_mm: the same for another size, which scans confuse more easily.
        fewest: cubes that must agree before they tell how the table shifted; two always agree.
        majority: share of the cubes that must agree.
        scale_off: how much the scale of two scans may differ.
    """

    stays_mm: float = 5.0
    shifts_mm: float = 9.0
    moved_mm: float = 3.0
    pushed_mm: float = 180.0
    other_kind_mm: float = 2.5
    other_size_mm: float = 1.0
    fewest: int = 4
    majority: float = 0.5
    scale_off: float = 0.05


@dataclass(frozen=True, slots=True)
class Moved:
    """A cube that was moved; both places in the newer scan's millimetres."""

    id: int
    from_mm: tuple[float, float]
    to_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Retyped:
    """A cube that is now taken for another kind or size, or was exchanged for one."""

    id: int
    before: tuple[Kind, Size]
    after: tuple[Kind, Size]


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed between two scans, by the ids of the cubes."""

    gone: tuple[int, ...] = ()
    moved: tuple[Moved, ...] = ()
    new: tuple[int, ...] = ()
    retyped: tuple[Retyped, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.gone or self.moved or self.new or self.retyped)


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """Which cubes of two scans are the same.

    Attributes:
        pairs: places in the older and the newer scan's cubes.
        where_mm: shape (N, 2), where each older cube stood, in the newer scan's millimetres.
        camera_moved: the pictures do not show the table from the same place.
    """

    pairs: tuple[tuple[int, int], ...]
    where_mm: Floats
    camera_moved: bool


def match(before: Scan, after: Scan, settings: ChangeSettings | None = None) -> Matching:
    """Find for each cube of the older scan the one it is in the newer."""
    settings = settings or ChangeSettings()
    where, camera_moved = _where_now(before, after, settings)
    far = _distances(where, _centres(after.cubes))
    other_kind = _differ([cube.kind for cube in before.cubes], [cube.kind for cube in after.cubes])
    other_size = _differ([cube.size for cube in before.cubes], [cube.size for cube in after.cubes])
    unlike = settings.other_kind_mm * other_kind + settings.other_size_mm * other_size
    stayed = _assigned(far + unlike, far <= settings.stays_mm)
    # What is left over at both ends and looks the same was pushed.
    free = np.ones_like(other_kind)
    for old, new in stayed:
        free[old, :] = free[:, new] = False
    pushed = _assigned(far, free & ~other_kind & ~other_size & (far <= settings.pushed_mm))
    return Matching(tuple(sorted(stayed + pushed)), where, camera_moved)


def with_stable_ids(
    before: Scan, after: Scan, next_id: int, settings: ChangeSettings | None = None
) -> tuple[Scan, int]:
    """Give the newer scan's cubes the ids they had, and new cubes ids from *next_id*; return the next one."""
    ids = {new: before.cubes[old].id for old, new in match(before, after, settings).pairs}
    for place in range(len(after.cubes)):
        if place not in ids:
            ids[place] = next_id
            next_id += 1
    named = (replace(cube, id=ids[place]) for place, cube in enumerate(after.cubes))
    return replace(after, cubes=tuple(sorted(named, key=lambda cube: cube.id))), next_id


def what_changed(before: Scan, after: Scan, settings: ChangeSettings | None = None) -> Changes:
    """Tell what changed between two scans whose ids are stable."""
    settings = settings or ChangeSettings()
    old, new = ({cube.id: cube for cube in scan.cubes} for scan in (before, after))
    both = sorted(old.keys() & new.keys())
    there = _centres([new[id] for id in both])
    where = _settled(_centres([old[id] for id in both]), there, settings)
    far = np.hypot(*(where - there).T)
    moved = [
        Moved(id, (float(a[0]), float(a[1])), (float(b[0]), float(b[1])))
        for id, a, b, away in zip(both, where, there, far, strict=True)
        if away > settings.moved_mm
    ]
    labels = ((id, (old[id].kind, old[id].size), (new[id].kind, new[id].size)) for id in both)
    return Changes(
        gone=tuple(sorted(old.keys() - new.keys())),
        moved=tuple(moved),
        new=tuple(sorted(new.keys() - old.keys())),
        retyped=tuple(Retyped(id, one, other) for id, one, other in labels if one != other),
    )


def carried(cubes: Sequence[SeenCube], held: TablePlane, plane: TablePlane) -> tuple[SeenCube, ...]:
    """Return cubes in the millimetres of another plane seen by the same camera, through its picture."""
    if held is plane or not cubes:
        return tuple(cubes)
    points = np.concatenate([np.vstack((cube.centre_mm, cube.footprint_mm)) for cube in cubes])
    there = plane.to_mm(held.to_pixels(points))
    ends = np.cumsum([1 + len(cube.footprint_mm) for cube in cubes])[:-1]
    return tuple(
        replace(cube, centre_mm=part[0], footprint_mm=part[1:])
        for cube, part in zip(cubes, np.split(there, ends), strict=True)
    )


def _where_now(before: Scan, after: Scan, settings: ChangeSettings) -> tuple[Floats, bool]:
    """Return where the older cubes would be now had none moved, and whether the camera did."""
    stood, stand = _centres(before.cubes), _centres(after.cubes)
    alike = ~_differ(_labels(before), _labels(after))
    enough = max(settings.fewest, settings.majority * min(len(stood), len(stand)))
    # A camera that did not move sees each place at the same pixels; cards that did not move give each place
    # the same millimetres; and if both moved, only the pattern of the cubes themselves is left.
    still = stood
    if before.size_px == after.size_px and before.plane is not after.plane and len(stood):
        still = after.plane.to_mm(before.plane.to_pixels(stood))
    best, most = still, -1.0
    for place, guess in enumerate((still, stood)):
        old, new = np.nonzero(alike & (_distances(guess, stand) <= settings.shifts_mm))
        found = _moved_together(guess, guess[old], stand[new], settings)
        agreeing = _agreeing(found, stand, alike, settings)
        if agreeing > most:
            best, most = found, agreeing
            camera_moved = place > 0
        if agreeing >= enough:
            return best, camera_moved
    old, new = np.nonzero(alike)
    found = _moved_together(stood, stood[old], stand[new], settings)
    if _agreeing(found, stand, alike, settings) >= max(enough, most + 1):
        return found, True
    return best, camera_moved


def _settled(where: Floats, there: Floats, settings: ChangeSettings) -> Floats:
    """Bring known cubes to where they are now, as most of them moved, unless most of them stayed anyway."""
    if not len(where) or np.median(np.hypot(*(where - there).T)) <= settings.moved_mm / 2:
        return where
    return _moved_together(where, where, there, settings)


def _moved_together(points: Floats, old: Floats, new: Floats, settings: ChangeSettings) -> Floats:
    """Move points, shape (N, 2), as the largest group of pairs says that moved alike; or leave them."""
    if len(old) < settings.fewest:
        return points
    found, inside = cv2.estimateAffinePartial2D(
        old, new, method=cv2.RANSAC, ransacReprojThreshold=settings.moved_mm, maxIters=5000, confidence=0.999
    )
    if found is None or np.count_nonzero(inside) < settings.fewest:
        return points
    scale = float(np.hypot(found[0, 0], found[1, 0]))
    if abs(scale - 1) > settings.scale_off:
        return points
    return np.asarray(points @ found[:, :2].T + found[:, 2], np.float64)


def _agreeing(where: Floats, stand: Floats, alike: npt.NDArray[np.bool_], settings: ChangeSettings) -> float:
    """Count the older cubes that have one like them in their place."""
    near = alike & (_distances(where, stand) <= settings.moved_mm)
    return float(min(near.any(axis=1).sum(), near.any(axis=0).sum()))


def _assigned(cost: Floats, allowed: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Pair rows with columns: as many as allowed, and of those the nearest together."""
    # Far more than all real costs together, so that a forbidden pair is never preferred to an allowed one.
    forbidden = 1.0 + float(cost[allowed].sum()) if allowed.any() else 1.0
    rows, columns = linear_sum_assignment(np.where(allowed, cost, forbidden))
    return [
        (int(row), int(column)) for row, column in zip(rows, columns, strict=True) if allowed[row, column]
    ]


def _centres(cubes: Sequence[SeenCube]) -> Floats:
    return np.array([cube.centre_mm for cube in cubes], np.float64).reshape(-1, 2)


def _labels(scan: Scan) -> list[tuple[Kind, Size]]:
    return [(cube.kind, cube.size) for cube in scan.cubes]


def _differ(before: Sequence[object], after: Sequence[object]) -> npt.NDArray[np.bool_]:
    found = [[one != other for other in after] for one in before]
    return np.array(found, np.bool_).reshape(len(before), len(after))


def _distances(one: Floats, other: Floats) -> Floats:
    away = one[:, None, :] - other[None, :, :]
    return np.asarray(np.hypot(away[..., 0], away[..., 1]), np.float64)
