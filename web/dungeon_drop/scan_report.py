"""What a scan found: as plain values for programs, and as lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from vision.pictures import Floats
from vision.pieces import KINDS, SIZES, Kind
from vision.seen import Scan, SeenCube
from web.dungeon_drop.scan_words import (
    SIZE_NAMES,
    SURE,
    cubes_counted,
    doubt_in_words,
    mark_of,
    scale_in_words,
    what_to_do,
)

# Decimals: finer than anything a camera can tell, so that rounding changes no room.
PX, MM, SCALE, SHARE = 2, 3, 4, 3


def report(scan: Scan) -> dict[str, Any]:
    """Return a scan as JSON values; as they are, they are a table for ``dungeon rooms``."""
    width, height = scan.size_px
    return {
        "schema": 1,
        "image": {"width": width, "height": height},
        "plane": {
            "source": str(scan.source),
            "markers": list(scan.plane.markers),
            "px_per_mm": round(float(scan.px_per_mm), SCALE),
        },
        "cubes": [_cube(cube) for cube in scan.cubes],
        "warnings": [str(what_to_do(warning)) for warning in scan.warnings],
    }


def summary(scan: Scan) -> Iterator[str]:
    """Give a scan as lines: how many cubes, how many of each, the scale, what to look at and what to do."""
    yield f"{cubes_counted(scan)}. {scale_in_words(scan)}"
    if scan.cubes:
        yield ""
        yield from _counts(scan)
    doubtful = [cube for cube in scan.cubes if cube.confidence < SURE]
    if doubtful:
        yield ""
    for cube in doubtful:
        yield str(doubt_in_words(cube, scan.size_px))
    if scan.warnings:
        yield ""
    for warning in scan.warnings:
        yield str(what_to_do(warning))


def _cube(cube: SeenCube) -> dict[str, Any]:
    return {
        "id": cube.id,
        "type": str(cube.kind),
        "size": str(cube.size),
        "confidence": round(float(cube.confidence), SHARE),
        "outline_px": _rounded(cube.outline_px, PX),
        "centre_px": _rounded(cube.centre_px, PX),
        "centre_mm": _rounded(cube.centre_mm, MM),
        "footprint_mm": _rounded(cube.footprint_mm, MM),
        "accuracy_mm": round(float(cube.accuracy_mm), MM),
    }


def _rounded(values: Floats, decimals: int) -> Any:
    # Adding zero turns a minus zero into a plain one.
    return (np.round(values, decimals) + 0.0).tolist()


def _counts(scan: Scan) -> Iterator[str]:
    """Give a table of how many there are of each kind and size, only of those that were seen."""
    seen = Counter((cube.kind, cube.size) for cube in scan.cubes)
    names: dict[Kind, str] = {cube.kind: str(mark_of(cube).name) for cube in scan.cubes}
    sizes = [size for size in SIZES if any(size == cube.size for cube in scan.cubes)]
    headings = [str(SIZE_NAMES[size]) for size in sizes]
    wide = max(map(len, names.values()))
    yield f"  {'':<{wide}}" + "".join(f"  {heading}" for heading in headings)
    for kind in KINDS:
        if kind in names:
            cells = [str(seen[kind, size] or "-") for size in sizes]
            row = (f"  {cell:>{len(heading)}}" for cell, heading in zip(cells, headings, strict=True))
            yield f"  {names[kind]:<{wide}}" + "".join(row)
