"""Outlines of one picture are all seen too far out, or all too far in: how far, and taken out again.

Blur, glare and drawn edges make all cubes of a picture swell or shrink together, by a few hundredths; a
large cube is only a quarter larger than a small one. Where marker cards tell the scale, the cubes tell the
swelling, each of the size it is taken for at first: the middle one of all is right though a few sizes are
wrong. Where there are no cards, the scale was told by the cubes and holds it already.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import pi

import numpy as np

from vision.boxes import Boxes
from vision.pictures import Indices
from vision.plane import TablePlane
from vision.sightings import Sightings
from vision.support import support


@dataclass(frozen=True, slots=True, kw_only=True)
class SwellingSettings:
    """What is usual, measured on 26 test pictures with cards.

    Attributes:
        usual: how much pictures swell, a logarithm, as a standard deviation around nothing.
        single: how much a single cube does so for its own reasons, around what its picture does.
    """

    usual: float = 0.02
    single: float = 0.037


def swelling(
    seen: Sightings,
    plane: TablePlane,
    boxes: Boxes,
    which: Indices,
    sizes: Indices,
    settings: SwellingSettings | None = None,
) -> float:
    """Return how many times as far out as they are outlines are seen.

    Some boxes tell it, each as one size.
    """
    settings = settings or SwellingSettings()
    if not len(which):
        return 1.0
    corners = boxes.corners_px(plane, which, sizes) - seen.centre_px[which, None]
    grown = np.log(seen.support_px[which].mean(axis=1) / support(corners).mean(axis=1))
    # The middle one, which a few wrong sizes hardly move; the fewer tell it, the less of it is believed.
    unsure = pi / 2 * settings.single**2 / len(which)
    believed = settings.usual**2 / (settings.usual**2 + unsure)
    return float(np.exp(believed * np.median(grown)))


def without_swelling(seen: Sightings, times: float) -> Sightings:
    """Return sightings whose outlines were seen so many times as far out as they are, as they are."""
    return replace(seen, support_px=seen.support_px / times)
