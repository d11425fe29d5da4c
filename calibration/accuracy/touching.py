"""Pairs and clusters of three that touch: whether a scan sees every one of their cubes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from scipy.sparse.csgraph import connected_components

from calibration.accuracy.figures import Row
from calibration.accuracy.truths import TrueCube
from vision.pictures import Floats

# Cubes nearer than this touch: a truth is written with as many digits.
TOUCHING_MM: Final = 0.2
# Larger clusters are nobody's target: in the middle of one is no edge to tell a cube by.
GROUPS: Final = (2, 3)


def told_apart(rows: Sequence[Row]) -> float | None:
    """Return the share of pairs and threes of which every cube was found; nothing if there are none."""
    split = [whole for row in rows for whole in _split(row)]
    return sum(split) / len(split) if split else None


def _split(row: Row) -> list[bool]:
    found = {i for i, _ in row.match.pairs}
    return [found.issuperset(group) for group in touching_groups(row.match.truth)]


def touching_groups(cubes: Sequence[TrueCube]) -> list[tuple[int, ...]]:
    """Return which cubes touch each other and nobody else, two or three at a time."""
    known = [n for n, cube in enumerate(cubes) if cube.footprint_mm is not None]
    bases = [_swollen(base) for cube in cubes if (base := cube.footprint_mm) is not None]
    touch = np.zeros((len(known), len(known)), bool)
    for one, other in combinations(range(len(known)), 2):
        touch[one, other] = cv2.intersectConvexConvex(bases[one], bases[other])[0] > 0
    count, member_of = connected_components(touch, directed=False)
    groups = [tuple(known[n] for n in np.flatnonzero(member_of == group)) for group in range(count)]
    return [group for group in groups if len(group) in GROUPS]


def _swollen(footprint: Floats) -> cv2.typing.MatLike:
    """Return a base that reaches over its sides by half of what still is touching."""
    middle = footprint.mean(axis=0)
    side = np.linalg.norm(footprint - np.roll(footprint, 1, axis=0), axis=1).mean()
    return np.asarray(middle + (footprint - middle) * (1 + TOUCHING_MM / side), np.float32)
