"""How far from their true places cubes were seen, whatever origin and axes a scan counts from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.accuracy.matching import Match
from vision.pictures import Floats

# With fewer cubes the best fit swallows most of the error.
LEAST_PAIRS: Final = 6


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """How well the places of a scan fit.

    Attributes:
        errors_mm: shape (P,), how far each pair is apart after the best fit.
        scale_error: how much larger or smaller the scan's millimetres are than true ones; 0 is right.
    """

    errors_mm: Floats
    scale_error: float


def positions_of(match: Match) -> Positions | None:
    """Return how well the places fit; nothing where too few true places are known."""
    known = [(true.centre_mm, seen.centre_mm) for true, seen in match.both if true.centre_mm is not None]
    if len(known) < LEAST_PAIRS:
        return None
    true, seen = (np.array(side, np.float64) for side in zip(*known, strict=True))
    return fit(seen, true)


def fit(seen_mm: Floats, true_mm: Floats) -> Positions:
    """Turn, shift and scale what was seen onto the truth, and measure what is left.

    A scan may count its axes as seen from above or from below the table: the better of both counts.
    """
    seen, true = (points @ np.array([1.0, 1.0j]) for points in (seen_mm, true_mm))
    seen, true = seen - seen.mean(), true - true.mean()
    fits = []
    for turned in (seen, seen.conj()):
        # Turning and scaling a plane is multiplying by one complex number: least squares gives it at once.
        factor = np.vdot(turned, true) / max(np.vdot(turned, turned).real, 1e-12)
        fits.append(Positions(np.abs(true - factor * turned), abs(abs(factor) - 1.0)))
    return min(fits, key=lambda one: float(one.errors_mm.sum()))
