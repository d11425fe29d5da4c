"""Pictures of one sort together: by table, tilt, light and marker cards, to see where it is hard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from calibration.accuracy.figures import Figures, Row, pooled
from calibration.accuracy.truths import Circumstances

NOT_TOLD: Final = "not told"
# From which tilt in degrees each band begins.
TILTS: Final = ((45.0, "45 and more"), (30.0, "30 to 45"), (15.0, "15 to 30"), (0.0, "0 to 15"))
# Light bulbs are below 3300 K, daylight above 5300 K (EN 12464-1).
COLOURS: Final = ((5300.0, "cold"), (3300.0, "neutral"), (0.0, "warm"))
# A third of a stop to either side is what cameras do not agree on.
EXPOSURES: Final = ((1.26, "bright"), (0.79, "normal"), (0.0, "dark"))


@dataclass(frozen=True, slots=True)
class Group:
    """Pictures that have something in common, and their figures."""

    name: str
    figures: Figures


@dataclass(frozen=True, slots=True)
class Grouping:
    """All groups of one sort; every picture is in one."""

    name: str
    groups: tuple[Group, ...]


def _band(value: float | None, bands: Sequence[tuple[float, str]]) -> str:
    if value is None:
        return NOT_TOLD
    return next((name for start, name in bands if value >= start), bands[-1][1])


def _lamps(taken: Circumstances) -> str:
    if taken.lamps is None:
        return NOT_TOLD
    return "1 lamp" if taken.lamps == 1 else f"{taken.lamps} lamps"


def _markers(taken: Circumstances) -> str:
    if taken.markers is None:
        return NOT_TOLD
    return "with cards" if taken.markers else "no cards"


SORTS: Final[dict[str, Callable[[Circumstances], str]]] = {
    "table": lambda taken: taken.table or NOT_TOLD,
    "tilt in degrees": lambda taken: _band(taken.tilt_deg, TILTS),
    "lamps": _lamps,
    "colour of light": lambda taken: _band(taken.lamp_kelvin, COLOURS),
    "exposure": lambda taken: _band(taken.exposure, EXPOSURES),
    "marker cards": _markers,
}


def groupings(rows: Sequence[Row]) -> tuple[Grouping, ...]:
    """Return the groups of every sort that was told of at least one picture."""
    found = []
    for name, sort in SORTS.items():
        sorted_rows: dict[str, list[Row]] = {}
        for row in rows:
            sorted_rows.setdefault(sort(row.picture.taken), []).append(row)
        if set(sorted_rows) - {NOT_TOLD}:
            groups = tuple(Group(group, pooled(sorted_rows[group])) for group in sorted(sorted_rows))
            found.append(Grouping(name, groups))
    return tuple(found)
