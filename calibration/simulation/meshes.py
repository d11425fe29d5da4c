"""Shapes of the pieces: cubes with rounded edges, all of one kind in one mesh, and glitter."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import mitsuba as mi
import numpy as np
import numpy.typing as npt

from vision.pictures import Floats

Faces = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """Points, normals and texture places (N, 3), (N, 3), (N, 2), and triangles (M, 3)."""

    points: Floats
    normals: Floats
    places: Floats
    faces: Faces


def rounded_cube(side_mm: float, radius_mm: float, warp: Floats | None = None) -> Shape:
    """Return a cube about (0, 0, 0) with rounded edges; each face is one sixth of the texture.

    Args:
        warp: shape (6, 3), how uneven each face is: hollow (below 0) or bulging, and leaning along its two
            edges, all as slopes. A mirror shows it, an outline does not: only the normals change.
    """
    half = side_mm / 2
    inner = half - radius_mm
    outer = inner + radius_mm * np.tan(np.pi / 8)
    steps = np.array([-half, -outer, -inner, inner, outer, half])
    u, v = (grid.ravel() for grid in np.meshgrid(steps, steps))
    points, places, faces = [], [], []
    for face in range(6):
        axis, sign = face // 2, 1.0 if face % 2 else -1.0
        corners = np.zeros((36, 3))
        corners[:, axis] = sign * half
        corners[:, (axis + 1) % 3] = u * sign
        corners[:, (axis + 2) % 3] = v
        points.append(corners)
        tile = np.stack(((u / side_mm + 0.5 + face % 3) / 3, (v / side_mm + 0.5 + face // 3) / 2), axis=1)
        places.append(tile)
        row, column = np.divmod(np.arange(25), 5)
        start = face * 36 + row * 6 + column
        faces += [np.stack((start, start + 1, start + 7), 1), np.stack((start, start + 7, start + 6), 1)]
    surface = np.concatenate(points)
    core = np.clip(surface, -inner, inner)
    away = surface - core
    normals = away / np.linalg.norm(away, axis=1, keepdims=True)
    bent = normals if warp is None else _bent(normals, core / inner, warp)
    return Shape(
        core + normals * radius_mm, bent, np.concatenate(places), np.concatenate(faces).astype(np.uint32)
    )


def _bent(normals: Floats, places: Floats, warp: Floats) -> Floats:
    """Return the normals of a cube, 36 a face, with uneven faces; *places* (N, 3) are -1 to 1 on a face."""
    bent = normals.copy()
    for face, (bulge, *lean) in enumerate(warp):
        axis, rows = face // 2, slice(face * 36, face * 36 + 36)
        for edge, slope in zip(((axis + 1) % 3, (axis + 2) % 3), lean, strict=True):
            # Less where the rounding begins to turn away, so that neighbours still meet there.
            bent[rows, edge] += (bulge * places[rows, edge] + slope) * normals[rows, axis] ** 2
    unit: Floats = bent / np.linalg.norm(bent, axis=1, keepdims=True)
    return unit


def upright(cube: Shape, turn: Floats) -> Shape:
    """Return a rounded cube that is to be turned so, its texture shared out anew by how it will stand.

    Top and bottom have the first column of the texture, whichever faces they are; the sides have the others.
    """
    up = int(np.abs(turn[2]).argmax())
    tiles = np.floor(cube.places.reshape(6, 36, 2).mean(axis=1) * (3, 2))
    within = cube.places.reshape(6, 36, 2) * (3, 2) - tiles[:, None]
    columns = (np.arange(6) // 2 - up) % 3
    rows = np.arange(6) % 2
    placed = (within + np.stack((columns, rows), axis=1)[:, None]) / (3, 2)
    return replace(cube, places=placed.reshape(-1, 2))


def flakes(side_mm: float, count: int, rng: np.random.Generator) -> Shape:
    """Return glitter: tiny squares at random turns inside a cube."""
    middles = rng.uniform(-0.42, 0.42, size=(count, 3)) * side_mm
    first = rng.normal(size=(count, 3))
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(first, rng.normal(size=(count, 3)))
    second /= np.linalg.norm(second, axis=1, keepdims=True)
    half = rng.uniform(0.2, 0.55, size=(count, 1))
    corners = np.stack(
        [middles + half * (a * first + b * second) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))], axis=1
    )
    normals = np.repeat(np.cross(first, second)[:, None], 4, axis=1)
    start = np.arange(count)[:, None] * 4
    faces = np.concatenate((start + np.array([0, 1, 2]), start + np.array([0, 2, 3]))).astype(np.uint32)
    return Shape(corners.reshape(-1, 3), normals.reshape(-1, 3), np.zeros((count * 4, 2)), faces)


def moved(shape: Shape, turn: Floats, place_mm: Floats) -> Shape:
    """Return the shape turned and then put somewhere."""
    return Shape(shape.points @ turn.T + place_mm, shape.normals @ turn.T, shape.places, shape.faces)


def joined(shapes: list[Shape]) -> Shape:
    """Return many shapes as one."""
    starts = np.cumsum([0, *(len(shape.points) for shape in shapes[:-1])])
    return Shape(
        np.concatenate([shape.points for shape in shapes]),
        np.concatenate([shape.normals for shape in shapes]),
        np.concatenate([shape.places for shape in shapes]),
        np.concatenate([shape.faces + start for shape, start in zip(shapes, starts, strict=True)]).astype(
            np.uint32
        ),
    )


def as_mesh(shape: Shape, look: dict[str, Any], folder: Path, name: str) -> dict[str, Any]:
    """Write the shape to a file of *folder* and return the renderer's description of it."""
    mesh = mi.Mesh(
        name, len(shape.points), len(shape.faces), has_vertex_normals=True, has_vertex_texcoords=True
    )
    values = mi.traverse(mesh)
    values["vertex_positions"] = shape.points.astype(np.float32).ravel()
    values["vertex_normals"] = shape.normals.astype(np.float32).ravel()
    values["vertex_texcoords"] = shape.places.astype(np.float32).ravel()
    values["faces"] = shape.faces.ravel()
    values.update()
    path = folder / f"{name}.ply"
    mesh.write_ply(str(path))
    return {"type": "ply", "filename": str(path), "bsdf": look}
