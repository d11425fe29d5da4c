"""Things on a table that are no cubes: coins, beads, pencils, paper, and on littered tables pawns and blocks.

The end of a pencil is as wide as a cube, straight on three sides and of one colour. Only what is around it
tells that it is none, and only a network that was shown many of them looks there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import mitsuba as mi
import numpy as np

from calibration.simulation import looks
from vision.pictures import Floats

Thing = dict[str, Any]
# The shapes of a thing that lies here, (2,), beside cubes whose middles are there (N, 2); none if it would be
# in their way.
Draw = Callable[[Floats, Floats, np.random.Generator], list[Thing] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Litter:
    """How much lies around: *things* from so many to less than so many, *within_mm* of the middle to each
    side, their middles *apart_mm* from those of cubes at least; *kinds* of them, in the order of `_KINDS`."""

    things: tuple[int, int]
    within_mm: float
    apart_mm: float
    kinds: int


USUAL: Final = Litter(things=(2, 14), within_mm=170.0, apart_mm=16.0, kinds=4)
# As wide as what networks are shown of a table.
LITTERED: Final = Litter(things=(24, 56), within_mm=125.0, apart_mm=14.0, kinds=7)


def clutter(cubes_mm: Floats, litter: Litter, rng: np.random.Generator) -> dict[str, Thing]:
    """Return things beside cubes whose middles are here (N, 2)."""
    found: dict[str, Thing] = {}
    for n in range(int(rng.integers(*litter.things))):
        place = rng.uniform(-litter.within_mm, litter.within_mm, 2)
        if _nearest(cubes_mm, place) < litter.apart_mm:
            continue
        colour = looks.rgb(rng.uniform(0.02, 0.9, 3))
        look: Thing = {"type": "diffuse", "reflectance": colour}
        if rng.random() < 0.3:
            look = {"type": "roughconductor", "alpha": 0.15, "specular_reflectance": colour}
        drawn = _KINDS[int(rng.integers(litter.kinds))](place, cubes_mm, rng)
        for part, shape in enumerate(drawn or ()):
            found[f"thing{n}_{part}"] = {**shape, "bsdf": {"type": "twosided", "bsdf": look}}
    return found


def _nearest(cubes_mm: Floats, place: Floats) -> float:
    return float(np.linalg.norm(cubes_mm - place, axis=1).min())


def _at(place: Floats, high: float = 0.0) -> Any:
    return mi.ScalarTransform4f().translate([*place.tolist(), high])


def _bead(place: Floats, cubes_mm: Floats, rng: np.random.Generator) -> list[Thing]:
    radius = float(rng.uniform(2, 9))
    return [{"type": "sphere", "center": [*place.tolist(), radius], "radius": radius}]


def _coin(place: Floats, cubes_mm: Floats, rng: np.random.Generator) -> list[Thing]:
    radius, high = float(rng.uniform(4, 14)), float(rng.uniform(0.8, 3))
    return [{"type": "disk", "to_world": _at(place, high).scale([radius, radius, 1])}]


def _pencil(place: Floats, cubes_mm: Floats, rng: np.random.Generator) -> list[Thing] | None:
    angle, long = rng.uniform(0, np.pi), rng.uniform(30, 130)
    end = place + long * np.array([np.cos(angle), np.sin(angle)])
    radius = float(rng.uniform(1, 5))
    return [_rod(place, end, radius)] if _nearest(cubes_mm, end) >= 20 else None


def _paper(place: Floats, cubes_mm: Floats, rng: np.random.Generator) -> list[Thing]:
    wide, high = rng.uniform(4, 40, 2)
    turned = _at(place, 0.4).rotate([0, 0, 1], float(rng.uniform(0, 360)))
    return [{"type": "rectangle", "to_world": turned.scale([float(wide) / 2, float(high) / 2, 1])}]


def _marker(place: Floats, cubes_mm: Floats, rng: np.random.Generator) -> list[Thing] | None:
    """A pen as thick as a cube, with closed ends."""
    angle, long = rng.uniform(0, 2 * np.pi), rng.uniform(22, 90)
    ahead = np.array([np.cos(angle), np.sin(angle)])
    radius = float(rng.uniform(3, 6.5))
    along = place + np.linspace(0, long, 12)[:, None] * ahead
    if min(_nearest(cubes_mm, point) for point in along) < radius + 9:
        return None
    end = along[-1]
    caps = [
        {
            "type": "disk",
            "to_world": mi.ScalarTransform4f().look_at(
                [*at.tolist(), radius], [*(at + way).tolist(), radius], [0, 0, 1]
            )
            @ mi.ScalarTransform4f().scale([radius, radius, 1]),
        }
        for at, way in ((place, -ahead), (end, ahead))
    ]
    return [_rod(place, end, radius), *caps]


def _pawn(place: Floats, cubes_mm: Floats, rng: np.random.Generator) -> list[Thing]:
    radius, high = float(rng.uniform(3, 7)), float(rng.uniform(5, 16))
    foot, top = [*place.tolist(), 0.0], [*place.tolist(), high]
    parts = [
        {"type": "cylinder", "p0": foot, "p1": top, "radius": radius},
        {"type": "disk", "to_world": _at(place, high).scale([radius, radius, 1])},
    ]
    if rng.random() < 0.5:
        head = radius * float(rng.uniform(0.6, 1.0))
        parts.append({"type": "sphere", "center": [*place.tolist(), high + head * 0.7], "radius": head})
    return parts


def _block(place: Floats, cubes_mm: Floats, rng: np.random.Generator) -> list[Thing] | None:
    """A domino, an eraser, a match box: much longer than wide."""
    wide, high = rng.uniform(4, 14, 2)
    long = wide * rng.uniform(1.8, 4)
    if _nearest(cubes_mm, place) < long / 2 + 9:
        return None
    turned = _at(place, float(high) / 2).rotate([0, 0, 1], float(rng.uniform(0, 360)))
    return [{"type": "cube", "to_world": turned.scale([float(long) / 2, float(wide) / 2, float(high) / 2])}]


def _rod(start: Floats, end: Floats, radius: float) -> Thing:
    return {
        "type": "cylinder",
        "p0": [*start.tolist(), radius],
        "p1": [*end.tolist(), radius],
        "radius": radius,
    }


_KINDS: Final[tuple[Draw, ...]] = (_bead, _coin, _pencil, _paper, _marker, _pawn, _block)
