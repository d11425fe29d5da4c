"""The table as a plane in the picture: from marker cards lying anywhere on it, all solved together.

Each card is a square of known size at an unknown place and angle. The plane's homography, the places and
angles of all cards and the lens' bend are fitted at once to all corners, so that no card has to lie anywhere
in particular and every corner helps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from scipy.optimize import least_squares

from vision.lens import bend, straighten
from vision.markers import MARKER_MM, Marker
from vision.pictures import Floats

# A square card, clockwise from the top left as markers are, y upwards on the table.
CARD = np.array([(-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)]) * MARKER_MM


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaneSettings:
    """How the plane is fitted.

    Attributes:
        corner_px: how well a corner is seen: 0.03 to 0.15 px on drawn and rendered cards.
        bend: how much lenses bend, as a standard deviation of the first radial term; phones and webcams stay
            within a few per cent. It is only solved for with two cards or more: one cannot tell it from tilt.
        bent_card_px: a card whose corners miss by more than this does not lie flat.
    """

    corner_px: float = 0.1
    bend: float = 0.03
    bent_card_px: float = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """Where the table is in a picture.

    Attributes:
        to_picture: shape (3, 3), from millimetres on the table to pixels of a straight picture.
        size_px: width and height of the picture.
        bend: the first radial term of the lens.
        markers: the cards it was solved from.
        off_px: root mean square of how far their corners are from where they should be.
        bent: cards that do not lie flat.
    """

    to_picture: Floats
    size_px: tuple[int, int]
    bend: float
    markers: tuple[int, ...]
    off_px: float
    bent: tuple[int, ...]

    def to_pixels(self, points_mm: Floats) -> Floats:
        """Return where points of the table, shape (N, 2), are in the picture."""
        return bend(_through(self.to_picture, points_mm), self.size_px, self.bend)

    def to_mm(self, points_px: Floats) -> Floats:
        """Return which points of the table, shape (N, 2), are seen at these pixels."""
        return _through(_inverse(self.to_picture), straighten(points_px, self.size_px, self.bend))

    def px_per_mm(self, at_mm: Floats) -> float:
        """Return the scale at a point of the table: the root of how much an area grows."""
        steps = at_mm + np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
        start, right, up = self.to_pixels(steps)
        (a, b), (c, d) = right - start, up - start
        return float(np.sqrt(abs(a * d - b * c)))


def solve_plane(
    markers: Sequence[Marker], size_px: tuple[int, int], settings: PlaneSettings | None = None
) -> TablePlane:
    """Fit the plane to at least one marker card; the largest card is the origin of the table's millimetres.

    Raises:
        ValueError: there is no marker.
    """
    if not markers:
        raise ValueError("a plane needs at least one marker")
    settings = settings or PlaneSettings()
    first, *others = sorted(markers, key=lambda marker: -marker.side_px)
    seen = np.stack([marker.corners_px for marker in (first, *others)])
    start = _guess(first, others)
    fitted = least_squares(_misses, start, x_scale="jac", args=(seen, size_px, settings))
    to_picture, _, lens = _unpacked(fitted.x)
    misses = _corner_misses(fitted.x, seen, size_px)
    per_card = np.sqrt((misses**2).sum(axis=2).mean(axis=1))
    ids = [marker.id for marker in (first, *others)]
    bent = tuple(sorted(id for id, off in zip(ids, per_card, strict=True) if off > settings.bent_card_px))
    off_px = float(np.sqrt((misses**2).sum(axis=2).mean()))
    return TablePlane(to_picture, size_px, lens, tuple(sorted(ids)), off_px, bent)


def _guess(first: Marker, others: Sequence[Marker]) -> Floats:
    """Start from the first card alone, and put the others where it sees them."""
    to_picture = np.asarray(cv2.findHomography(CARD, first.corners_px)[0], np.float64)
    to_table = _inverse(to_picture)
    poses = []
    for marker in others:
        corners = _through(to_table, marker.corners_px)
        right = corners[1] - corners[0] + corners[2] - corners[3]
        poses += [*corners.mean(axis=0), np.arctan2(right[1], right[0])]
    return np.array([*(to_picture / to_picture[2, 2]).ravel()[:8], 0.0, *poses])


def _unpacked(values: Floats) -> tuple[Floats, Floats, float]:
    """Return the homography, the cards' places and angles (the first at the origin), and the lens' bend."""
    poses = np.concatenate((np.zeros((1, 3)), values[9:].reshape(-1, 3)))
    return np.append(values[:8], 1.0).reshape(3, 3), poses, float(values[8])


def _corner_misses(values: Floats, seen: Floats, size_px: tuple[int, int]) -> Floats:
    """Return how far each corner is seen from where it should be, shape (cards, 4, 2)."""
    to_picture, poses, lens = _unpacked(values)
    turn = np.stack((np.cos(poses[:, 2]), np.sin(poses[:, 2])), axis=1)
    x = turn[:, :1] * CARD[:, 0] - turn[:, 1:] * CARD[:, 1] + poses[:, :1]
    y = turn[:, 1:] * CARD[:, 0] + turn[:, :1] * CARD[:, 1] + poses[:, 1:2]
    corners = np.stack((x, y), axis=2).reshape(-1, 2)
    return bend(_through(to_picture, corners), size_px, lens).reshape(seen.shape) - seen


def _misses(values: Floats, seen: Floats, size_px: tuple[int, int], settings: PlaneSettings) -> Floats:
    """Return all misses in units of what is to be expected, the lens among them."""
    corners = _corner_misses(values, seen, size_px).ravel() / settings.corner_px
    # One card has as many unknowns as corners: a strong wish for a straight lens decides.
    spread = settings.bend if len(seen) > 1 else settings.bend / 1000
    return np.append(corners, values[8] / spread)


def _inverse(homography: Floats) -> Floats:
    return np.asarray(np.linalg.inv(homography), np.float64)


def _through(homography: Floats, points: Floats) -> Floats:
    """Map points, shape (N, 2), through a homography."""
    mapped = points @ homography[:, :2].T + homography[:, 2]
    found: Floats = mapped[:, :2] / mapped[:, 2:]
    return found
