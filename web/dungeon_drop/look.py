"""One look at a table: a photo, the cubes seen in it, what players corrected; kept as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import numpy as np

from companion.dungeon_drop.footprints import Point
from companion.dungeon_drop.pieces import Kind, Size
from companion.dungeon_drop.table import Cube, Table
from vision.plane import TablePlane
from vision.seen import Advice, Scan, SeenCube, Source, Warning

# Where a cube that a player added stands, nobody measured: as well as a finger points, a guess.
TAPPED_ACCURACY_MM = 2.0
# Cubes that players added are numbered from here: a table that is followed never gets so far.
ADDED_FROM = 90_000


class Status(StrEnum):
    """How far the reading of a photo has come."""

    WAITING = "waiting"
    READING = "reading"
    READ = "read"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class LookCube:
    """A cube in a photo.

    Attributes:
        fixed: whether a player said what it is.
    """

    id: int
    kind: Kind
    size: Size
    confidence: float
    outline_px: tuple[Point, ...]
    footprint_mm: tuple[Point, ...]
    accuracy_mm: float
    fixed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A photo of a table and what is known of it.

    Attributes:
        number: counts the looks at one table, from 1.
        why: the reason why a photo was refused.
        edits: how often players corrected it; with the number it tells two states apart.
        calls: cubes too close to call that players decided: of which room, which one, whether it is in.
        ids_from: the first look whose cubes have the same numbers; looks of a table that is followed share
            them, all others name only their own.
        removed: what players said is no cube.
    """

    number: int
    status: Status = Status.WAITING
    why: str = ""
    size_px: tuple[int, int] = (0, 0)
    source: Source = Source.NONE
    plane: TablePlane | None = None
    cubes: tuple[LookCube, ...] = ()
    warnings: tuple[Warning, ...] = ()
    edits: int = 0
    calls: Mapping[tuple[tuple[int, int, int], int], bool] = field(default_factory=dict)
    ids_from: int = 0
    removed: tuple[int, ...] = ()

    def names_as(self, number: int) -> bool:
        """Tell whether the look of this number, not a newer one, calls the same cubes by the same numbers."""
        return (self.ids_from or self.number) <= number <= self.number

    def table(self) -> Table:
        """Return the cubes as the rules see them."""
        return Table.put(Cube(cube.id, cube.kind, cube.size, cube.footprint_mm) for cube in self.cubes)

    def cube(self, id: int) -> LookCube | None:
        """Return the cube with this number."""
        return next((cube for cube in self.cubes if cube.id == id), None)

    def with_cube(self, changed: LookCube) -> Look:
        """Return the look with a cube replaced, or added if there is none of its number."""
        others = tuple(cube for cube in self.cubes if cube.id != changed.id)
        ordered = tuple(sorted((*others, changed), key=lambda cube: cube.id))
        return replace(self, cubes=ordered, edits=self.edits + 1)

    def without_cubes(self, ids: Iterable[int]) -> Look:
        """Return the look without some cubes: taken away, or never there."""
        gone = set(ids)
        return replace(
            self, cubes=tuple(cube for cube in self.cubes if cube.id not in gone), edits=self.edits + 1
        )

    def with_removed(self, id: int) -> Look:
        """Return the look after players said that something is no cube."""
        return replace(self.without_cubes((id,)), removed=(*self.removed, id))

    def with_moved(self, id: int, to_px: Point) -> Look:
        """Return the look as if a cube stood elsewhere in the photo: what a flick would do."""
        cube = self.cube(id)
        if cube is None or self.plane is None:
            return self
        outline, footprint = np.array(cube.outline_px), np.array(cube.footprint_mm)
        middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
        here, there = self.plane.to_mm(np.array([middle, to_px]))
        moved = replace(
            cube,
            outline_px=_points(np.round(outline - middle + np.array(to_px), 2)),
            footprint_mm=_points(np.round(footprint - here + there, 3)),
        )
        return self.with_cube(moved)

    def with_call(self, pillars: tuple[int, int, int], cube: int, inside: bool) -> Look:
        """Return the look after players decided whether a cube is in a room."""
        return replace(self, calls={**self.calls, (pillars, cube): inside}, edits=self.edits + 1)

    @property
    def accuracy_mm(self) -> float:
        """How near to a wall a cube is too close to call: 1.96 standard deviations of the usual cube."""
        if not self.cubes:
            return 0.0
        return float(1.96 * np.median([cube.accuracy_mm for cube in self.cubes]))


def look_of(number: int, scan: Scan) -> Look:
    """Return what a scan says as a look."""
    return Look(
        number=number,
        status=Status.READ,
        size_px=scan.size_px,
        source=scan.source,
        plane=scan.plane,
        cubes=tuple(_cube(cube) for cube in scan.cubes),
        warnings=scan.warnings,
    )


def _cube(seen: SeenCube) -> LookCube:
    return LookCube(
        seen.id,
        Kind(seen.kind),
        Size(seen.size),
        float(seen.confidence),
        _points(np.round(seen.outline_px, 2)),
        _points(np.round(seen.footprint_mm, 3)),
        float(seen.accuracy_mm),
    )


def _points(values: Any) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in values)


def write_look(look: Look) -> dict[str, Any]:
    """Return a look as JSON values."""
    plane = look.plane
    return {
        "number": look.number,
        "status": str(look.status),
        "why": look.why,
        "size_px": list(look.size_px),
        "source": str(look.source),
        "edits": look.edits,
        "ids_from": look.ids_from,
        "removed": list(look.removed),
        "plane": plane
        and {
            "to_picture": plane.to_picture.tolist(),
            "camera_mm": plane.camera_mm.tolist(),
            "focal_px": plane.focal_px,
            "bend": plane.bend,
            "markers": list(plane.markers),
            "off_px": plane.off_px,
            "bent": list(plane.bent),
        },
        "cubes": [
            {
                "id": cube.id,
                "kind": str(cube.kind),
                "size": str(cube.size),
                "confidence": round(cube.confidence, 3),
                "outline_px": [list(point) for point in cube.outline_px],
                "footprint_mm": [list(point) for point in cube.footprint_mm],
                "accuracy_mm": round(cube.accuracy_mm, 3),
                "fixed": cube.fixed,
            }
            for cube in look.cubes
        ],
        "warnings": [
            {"advice": str(warning.advice), "marker": warning.marker, "count": warning.count}
            for warning in look.warnings
        ],
        "calls": [[*pillars, cube, inside] for (pillars, cube), inside in look.calls.items()],
    }


def read_look(data: Mapping[str, Any]) -> Look:
    """Build a look from what `write_look` wrote.

    Raises:
        KeyError, TypeError, ValueError: it was not written by this version of the companion.
    """
    size_px = (int(data["size_px"][0]), int(data["size_px"][1]))
    return Look(
        number=int(data["number"]),
        status=Status(data["status"]),
        why=str(data["why"]),
        size_px=size_px,
        source=Source(data["source"]),
        plane=_read_plane(data["plane"], size_px) if data["plane"] else None,
        cubes=tuple(
            LookCube(
                int(cube["id"]),
                Kind(cube["kind"]),
                Size(cube["size"]),
                float(cube["confidence"]),
                _points(cube["outline_px"]),
                _points(cube["footprint_mm"]),
                float(cube["accuracy_mm"]),
                bool(cube["fixed"]),
            )
            for cube in data["cubes"]
        ),
        warnings=tuple(
            Warning(Advice(warning["advice"]), warning["marker"], warning["count"])
            for warning in data["warnings"]
        ),
        edits=int(data["edits"]),
        calls={((i, j, k), cube): bool(inside) for i, j, k, cube, inside in data["calls"]},
        ids_from=int(data.get("ids_from", 0)),
        removed=tuple(int(id) for id in data.get("removed", ())),
    )


def _read_plane(data: Mapping[str, Any], size_px: tuple[int, int]) -> TablePlane:
    return TablePlane(
        np.array(data["to_picture"], float),
        np.array(data["camera_mm"], float),
        float(data["focal_px"]),
        size_px,
        float(data["bend"]),
        tuple(data["markers"]),
        float(data["off_px"]),
        tuple(data["bent"]),
    )
