"""The table as a plane in the picture, and what is expected of the camera above it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.lens import bend, straighten
from vision.pictures import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaneSettings:
    """What is expected before any corner is seen; spreads are standard deviations.

    Attributes:
        corner_px: how well a corner is seen: 0.03 to 0.15 px on drawn and rendered cards.
        focal: of the longer side of the picture: phones and webcams see 50 to 75 degrees.
        focal_spread: of its logarithm.
        known_focal_spread: the same if the photograph says its focal length: it is rounded to a millimetre of
            26, and not all cameras mean the diagonal by it.
        middle_spread: how far off the picture's middle the lens may look, as a share of the longer side.
        bend_spread: how much lenses bend; phones and webcams stay within a few per cent.
        bent_card_px: a card whose corners miss by more than this does not lie flat.
    """

    corner_px: float = 0.1
    focal: float = 0.87
    focal_spread: float = 0.25
    known_focal_spread: float = 0.05
    middle_spread: float = 0.01
    bend_spread: float = 0.03
    bent_card_px: float = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """Where the table is in a picture, and the camera above it.

    Attributes:
        to_picture: shape (3, 3), from millimetres on the table to pixels of a straight picture.
        camera_mm: shape (3,), where the camera is: x, y on the table and how high above it.
        focal_px: focal length.
        size_px: width and height of the picture.
        bend: the first radial term of the lens.
        markers: the cards it was solved from.
        off_px: root mean square of how far their corners are from where they should be.
        bent: cards that do not lie flat.
    """

    to_picture: Floats
    camera_mm: Floats
    focal_px: float
    size_px: tuple[int, int]
    bend: float
    markers: tuple[int, ...]
    off_px: float
    bent: tuple[int, ...]

    def to_pixels(self, points_mm: Floats, height_mm: float | Floats = 0.0) -> Floats:
        """Return where points (N, 2), so high above the table, are in the picture; heights may be (N, 1)."""
        away = self.camera_mm[2] / (self.camera_mm[2] - height_mm)
        fallen = self.camera_mm[:2] + (points_mm - self.camera_mm[:2]) * away
        return bend(through(self.to_picture, fallen), self.size_px, self.bend)

    def to_mm(self, points_px: Floats, height_mm: float | Floats = 0.0) -> Floats:
        """Return which points, shape (N, 2), so high above the table are seen at these pixels."""
        flat = through(
            np.asarray(np.linalg.inv(self.to_picture), np.float64),
            straighten(points_px, self.size_px, self.bend),
        )
        lifted: Floats = flat + (self.camera_mm[:2] - flat) * (height_mm / self.camera_mm[2])
        return lifted

    def scaled(self, factor: float) -> TablePlane:
        """Return the same view of a table on which everything is so many times as large."""
        return replace(
            self,
            to_picture=self.to_picture @ np.diag((1 / factor, 1 / factor, 1.0)),
            camera_mm=self.camera_mm * factor,
        )

    def px_per_mm(self, at_mm: Floats) -> float:
        """Return the scale at a point of the table: the root of how much an area grows."""
        steps = at_mm + np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
        start, right, up = self.to_pixels(steps)
        (a, b), (c, d) = right - start, up - start
        return float(np.sqrt(abs(a * d - b * c)))


def through(homography: Floats, points: Floats) -> Floats:
    """Map points, shape (N, 2), through a homography."""
    mapped = points @ homography[:, :2].T + homography[:, 2]
    found: Floats = mapped[:, :2] / mapped[:, 2:]
    return found
