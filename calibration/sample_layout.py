"""One photo of pieces laid out in a known order: rows read like text, so that every piece is labelled.

Nobody lays rows exactly straight, and the photo may be taken from any side. The rows get shorter towards the
end, so only one way of reading them gives rows of the right lengths with a gap between each two.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from vision.pictures import Floats
from vision.pieces import KINDS, Kind, Size
from vision.seen import Scan
from vision.support import support

Piece = tuple[Kind, Size]
Row = tuple[Piece, ...]

_SMALL, _LARGE, _HUGE = Size
# Every kind and size; two pieces of each kind where the box has two, because a profile is measured by naming
# each sample from the others of its kind.
LAYOUT: Final[tuple[Row, ...]] = (
    tuple((Kind.GOLD, size) for size in (_LARGE, _LARGE, _SMALL, _SMALL))
    + tuple((Kind.KEY, size) for size in (_LARGE, _SMALL, _SMALL)),
    tuple((gem, size) for gem in (Kind.GEM_CLEAR, Kind.GEM_BLUE, Kind.GEM_PINK) for size in (_LARGE, _SMALL)),
    ((Kind.CHEST, _LARGE),) * 2 + ((Kind.SHIELD, _LARGE),) * 2 + ((Kind.POTION, _SMALL),) * 2,
    ((Kind.GOBLIN, _SMALL),) * 2 + ((Kind.TROLL, _LARGE),) * 2 + ((Kind.DRAGON, _HUGE),),
    tuple((Kind.PILLAR, size) for size in (_LARGE, _LARGE, _SMALL, _SMALL)),
)
# For those who play alone; it may be left out.
SOLO_ROW: Final[Row] = ((Kind.RELIC, _SMALL), (Kind.RELIC, _SMALL), (Kind.STAIRS, _SMALL))

COUNTS: Final = (sum(map(len, LAYOUT)), sum(map(len, LAYOUT)) + len(SOLO_ROW))

MOST_PX: Final = 100_000  # no camera's picture is wider


class Why(StrEnum):
    """Why a photo is not the layout."""

    COUNT = "another number of cubes than the layout has"
    ROWS = "the rows cannot be told apart"
    ORDER = "the cubes look like another order"


class NotTheLayout(ValueError):
    """A photo that is not of the layout; *why* says the reason, *found* how many cubes there are."""

    def __init__(self, why: Why, found: int) -> None:
        super().__init__(str(why))
        self.why = why
        self.found = found


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutSettings:
    """How orderly a layout must be.

    Attributes:
        step_deg: rows are looked for at every such angle; in one degree a row of six rises by 0.1 pitches.
        least_gap: the narrowest gap between middles of two rows, as a share of the usual distance of rows.
            Of 100 tables of cubes lying anyhow the most orderly had 0.34; rows in which every piece is up to
            0.3 of their distance out of line have 0.40 and more.
        least_agreement: the share of cubes that must look to the network as their place says. One that knows
            nothing of this light still names half; a wrong order agrees with hardly any.
    """

    step_deg: float = 1.0
    least_gap: float = 0.37
    least_agreement: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class LabelledCubes:
    """Cubes of a photo of that width and height: middles (N, 2), mean reaches (N,), and what they are."""

    size_px: tuple[int, int]
    centres_px: Floats
    reach_px: Floats
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """Cubes in the order they are read at an angle, and the narrowest gap between rows there."""

    order: npt.NDArray[np.intp]
    gap: float


def laid_out(seen: Scan) -> LabelledCubes:
    """Label the cubes of a scan of the layout by their places on the table.

    Raises:
        NotTheLayout: with the reason.
    """
    opinion = np.zeros((len(seen.cubes), len(KINDS)))
    for row, cube in zip(opinion, seen.cubes, strict=True):
        row[:] = (1 - cube.confidence) / (len(KINDS) - 1)
        row[KINDS.index(cube.kind)] = cube.confidence
    pixels = np.array([cube.centre_px for cube in seen.cubes]).reshape(-1, 2)
    mm = np.array([cube.centre_mm for cube in seen.cubes]).reshape(-1, 2)
    pieces = match_layout(_as_in_the_photo(mm, pixels), opinion)
    reaches = np.array([reach(cube.outline_px, cube.centre_px) for cube in seen.cubes])
    return LabelledCubes(seen.size_px, pixels, reaches, tuple(kind for kind, _ in pieces))


def corrected(values: Any) -> LabelledCubes:
    """Label cubes by what ``dungeon scan --json`` printed, after somebody put its types right.

    Raises:
        ValueError: it is something else.
    """
    try:
        size_px = int(values["image"]["width"]), int(values["image"]["height"])
        cubes = [(_points(cube["outline_px"]), _points([cube["centre_px"]])[0]) for cube in values["cubes"]]
        kinds = tuple(Kind(cube["type"]) for cube in values["cubes"])
    except (TypeError, KeyError, OverflowError) as error:
        raise ValueError("not a scan") from error
    reaches = np.array([reach(outline, centre) for outline, centre in cubes])
    if not cubes or reaches.min() < 1.0:
        raise ValueError("no cubes, or cubes of no size")
    return LabelledCubes(size_px, np.array([centre for _, centre in cubes]), reaches, kinds)


def reach(outline_px: Floats, centre_px: Floats) -> float:
    """Return how far an outline, shape (N, 2), reaches from its middle, on average over all directions."""
    return float(support(outline_px - centre_px).mean())


def match_layout(
    centres: Floats, opinion: Floats | None = None, settings: LayoutSettings | None = None
) -> tuple[Piece, ...]:
    """Return which piece each cube is, by its place.

    Args:
        centres: shape (N, 2), in pixels, or on the table with y towards the bottom of the photo.
        opinion: shape (N, 14), how likely each is of each kind by its looks; it decides where the top is.
        settings: how orderly it must be.

    Raises:
        NotTheLayout: with the reason.
    """
    settings = settings or LayoutSettings()
    if len(centres) not in COUNTS or not np.isfinite(centres).all():
        raise NotTheLayout(Why.COUNT, len(centres))
    rows = LAYOUT if len(centres) == COUNTS[0] else (*LAYOUT, SOLO_ROW)
    pieces = [piece for row in rows for piece in row]
    readings = [found for found in _four_turns(centres, rows, settings) if found.gap >= settings.least_gap]
    if not readings:
        raise NotTheLayout(Why.ROWS, len(centres))
    kinds = np.array([KINDS.index(kind) for kind, _ in pieces])
    if opinion is None:
        best = max(readings, key=lambda found: found.gap)
    else:
        best = max(readings, key=lambda found: float(opinion[found.order, kinds].sum()))
        agreed = opinion[best.order].argmax(axis=1) == kinds
        if agreed.mean() < settings.least_agreement:
            raise NotTheLayout(Why.ORDER, len(centres))
    labels: list[Piece] = list(pieces)
    for piece, cube in zip(pieces, best.order, strict=True):
        labels[cube] = piece
    return tuple(labels)


def _points(values: Any) -> Floats:
    points = np.array(values, np.float64)
    if points.ndim != 2 or points.shape[1] != 2 or not (np.abs(points) < MOST_PX).all():
        raise ValueError("not points of a picture")
    return points


def _as_in_the_photo(mm: Floats, pixels: Floats) -> Floats:
    """Return places on the table as seen from above: the axes of a scan's millimetres may be mirrored."""
    if len(mm) < 3:
        return mm
    to_picture = np.linalg.lstsq(mm - mm.mean(axis=0), pixels - pixels.mean(axis=0), rcond=None)[0]
    turned: Floats = mm * np.array([1.0, -1.0 if np.linalg.det(to_picture) < 0 else 1.0])
    return turned


def _four_turns(centres: Floats, rows: tuple[Row, ...], settings: LayoutSettings) -> list[_Reading]:
    """Return the best reading around each of four directions, a quarter turn apart."""
    angles = np.arange(0.0, 360.0, settings.step_deg)
    readings = [_read(centres, rows, float(np.radians(angle))) for angle in angles]
    best = angles[int(np.argmax([found.gap for found in readings]))]
    four = []
    for quarter in range(4):
        apart = np.abs((angles - best - 90.0 * quarter + 180.0) % 360.0 - 180.0)
        four.append(max((readings[n] for n in np.flatnonzero(apart < 45.0)), key=lambda found: found.gap))
    return four


def _read(centres: Floats, rows: tuple[Row, ...], angle: float) -> _Reading:
    """Read cubes as lines of text that rises by an angle."""
    along = np.array([np.cos(angle), np.sin(angle)])
    across, down = centres @ along, centres @ np.array([-along[1], along[0]])
    ends = list(accumulate(map(len, rows), initial=0))
    by_height = np.argsort(down, kind="stable")
    lines = [by_height[start:stop] for start, stop in pairwise(ends)]
    order = np.concatenate([line[np.argsort(across[line], kind="stable")] for line in lines])
    heights = [down[line] for line in lines]
    pitch = (np.median(heights[-1]) - np.median(heights[0])) / (len(lines) - 1)
    gap = min(float(lower.min() - upper.max()) for upper, lower in pairwise(heights))
    return _Reading(order, gap / max(float(pitch), 1e-9))
