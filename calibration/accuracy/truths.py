"""Reading what is true of pictures: a folder of NAME.jpg with NAME.json beside each.

Three makers write these files: our own simulation, the rendered pictures handed to us, and people who
outlined the cubes of real photographs (pixels only). They agree on the cubes and differ in
what else they tell.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from vision.pictures import Floats
from vision.pieces import Kind, Size

Word = TypeVar("Word", bound=StrEnum)


class BadTruth(ValueError):
    """A folder or file that tells no truth; the message names it and says why."""


@dataclass(frozen=True, slots=True, eq=False)
class TrueCube:
    """One cube that is on the table.

    Attributes:
        outline_px: shape (N, 2), the visible cube, top and sides.
        centre_mm: shape (2,), the middle of its base, where somebody knows it.
        footprint_mm: shape (N, 2), its base on the table, where somebody knows it.
        judged: whether a scanner can be asked for it: in view, not cut off, and surely what it is said to be.
    """

    kind: Kind
    size: Size
    outline_px: Floats
    centre_mm: Floats | None
    footprint_mm: Floats | None
    judged: bool


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How a picture was taken, as far as its maker told.

    Attributes:
        markers: how many marker cards lie on the table.
        lamps: how many lamps and windows there are.
        lamp_kelvin: the colour of their light, each lamp counted as strongly as it lights the table.
        exposure: 1 is a well exposed picture.
    """

    table: str | None = None
    tilt_deg: float | None = None
    markers: int | None = None
    lamps: int | None = None
    lamp_kelvin: float | None = None
    exposure: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TruePicture:
    """One picture and all that is true of it."""

    photo: Path
    cubes: tuple[TrueCube, ...]
    taken: Circumstances

    @property
    def name(self) -> str:
        """The picture's name without its folder."""
        return self.photo.stem


def read_folder(folder: Path) -> tuple[TruePicture, ...]:
    """Read all pictures of a folder, by name; photos without a truth are not looked at.

    Raises:
        BadTruth: there are no pairs, a photo is missing, or a truth cannot be read.
    """
    if not folder.is_dir():
        raise BadTruth(f"{folder}: there is no such folder")
    files = sorted(folder.glob("*.json"))
    if not files:
        raise BadTruth(f"{folder}: no pair of NAME.jpg and NAME.json is here")
    return tuple(_read_pair(file) for file in files)


def read_truth(data: object, photo: Path) -> TruePicture:
    """Read the truth of a photo from JSON values.

    Raises:
        ValueError: with the reason and the cube it is about.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("cubes"), list):
        raise ValueError("the truth must be a JSON object with a list of cubes")
    cubes = []
    for place, entry in enumerate(data["cubes"]):
        try:
            cubes.append(_cube(entry))
        except (KeyError, TypeError, ValueError) as error:
            why = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
            raise ValueError(f"cube {place}: {why}") from error
    try:
        return TruePicture(photo, tuple(cubes), _circumstances(data))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError("how the picture was taken is told in a way that cannot be read") from error


def _read_pair(file: Path) -> TruePicture:
    photo = file.with_suffix(".jpg")
    if not photo.is_file():
        raise BadTruth(f"{photo}: this picture is missing, its truth is there")
    try:
        return read_truth(json.loads(file.read_text("utf-8")), photo)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadTruth(f"{file}: this is not JSON") from error
    except ValueError as error:
        raise BadTruth(f"{file}: {error}") from error
    except OSError as error:
        raise BadTruth(f"{file}: {error.strerror}") from error


def _cube(entry: object) -> TrueCube:
    if not isinstance(entry, Mapping):
        raise ValueError("this is not a JSON object")
    centre, footprint = entry.get("centre_mm"), entry.get("footprint_mm")
    return TrueCube(
        _word(Kind, entry["type"]),
        _word(Size, entry["size"]),
        _points(entry["outline_px"], "outline_px", least=3),
        _points([centre], "centre_mm")[0] if centre else None,
        _points(footprint, "footprint_mm", least=3) if footprint else None,
        bool(entry.get("in_view", True) and not entry.get("cut", False) and entry.get("sure", True)),
    )


def _word(words: type[Word], value: object) -> Word:
    try:
        return words(str(value))
    except ValueError as error:
        raise ValueError(f"{value!r:.40} is not a known {words.__name__.lower()}") from error


def _points(values: object, field: str, least: int = 1) -> Floats:
    try:
        points = np.array(values, np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{field} must hold numbers") from error
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < least or not np.isfinite(points).all():
        raise ValueError(f"{field} must be {least} or more points of two numbers")
    return points


def _circumstances(data: Mapping[str, Any]) -> Circumstances:
    # The rendered pictures handed to us keep all of this in a part of its own.
    told = {**data, **data.get("spec", {})}
    table, markers, lamps = told.get("table", told.get("surface")), told.get("markers"), told.get("lamps")
    tilt, exposure = told.get("camera", {}).get("tilt"), told.get("exposure")
    return Circumstances(
        str(table) if table is not None else None,
        float(tilt) if tilt is not None else None,
        len(markers) if markers is not None else None,
        len(lamps) if lamps is not None else None,
        _lamp_kelvin(lamps) if lamps else None,
        float(exposure) if exposure is not None else None,
    )


def _lamp_kelvin(lamps: list[dict[str, Any]]) -> float:
    at = np.array([lamp["at"] for lamp in lamps], np.float64)
    sent = np.array([float(lamp["power"]) * float(lamp["size"]) ** 2 for lamp in lamps])
    return float(np.average([float(lamp["k"]) for lamp in lamps], weights=sent / (at**2).sum(axis=1)))
