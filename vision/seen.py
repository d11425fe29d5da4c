"""What a scan says: the cubes on the table, where they stand, and what a person could do better."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vision.pictures import Floats
from vision.pieces import Kind, Size
from vision.plane import TablePlane


class Source(StrEnum):
    """What told the scale and tilt of the table."""

    MARKERS = "markers"
    CUBES = "cubes"
    NONE = "none"


class Advice(StrEnum):
    """What a person could do about a photograph; each is one sentence to show."""

    TOO_DARK = "too dark"
    TOO_BRIGHT = "too bright"
    BLURRED = "blurred"
    COME_CLOSER = "come closer"
    TOO_CLOSE = "too close"
    MARKER_BENT = "marker bent"
    MARKER_HIDDEN = "marker hidden"
    NO_MARKERS = "no markers"
    NO_CUBES = "no cubes"
    TOO_MANY = "too many"
    CUT_OFF = "cut off"
    EMPTY_DIFFERS = "empty differs"


@dataclass(frozen=True, slots=True)
class Warning:
    """One thing to do better; *marker* and *count* where the advice speaks of one."""

    advice: Advice
    marker: int | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SeenCube:
    """One cube that was seen.

    Attributes:
        id: its number in this scan, from 0.
        confidence: how likely kind and size are right, 0 to 1.
        outline_px: shape (N, 2), the visible cube, top and sides.
        centre_px: shape (2,), the middle of its body in the picture.
        centre_mm: shape (2,), the middle of its base on the table.
        footprint_mm: shape (N, 2), its base on the table.
        accuracy_mm: how far off centre_mm may be, as a standard deviation.
    """

    id: int
    kind: Kind
    size: Size
    confidence: float
    outline_px: Floats
    centre_px: Floats
    centre_mm: Floats
    footprint_mm: Floats
    accuracy_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """Everything a scan of one picture says.

    Attributes:
        size_px: width and height of the picture.
        source: what told the plane.
        plane: the table in the picture.
        px_per_mm: the scale in the middle of the cubes, or of the picture if there are none.
        cubes: what was seen, by id.
        warnings: what a person could do better, most important first.
    """

    size_px: tuple[int, int]
    source: Source
    plane: TablePlane
    px_per_mm: float
    cubes: tuple[SeenCube, ...]
    warnings: tuple[Warning, ...]
