"""The table as a plane in the picture: from marker cards lying anywhere on it, all solved together.

Each card is a square of known size at an unknown place and angle. The camera (where it is, how it looks, its
lens) and the places and angles of all cards are fitted at once to all corners, so that no card has to lie
anywhere in particular and every corner helps. What the corners cannot tell, such as the focal length of a
camera that looks straight down, is taken from what cameras are usually like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

import cv2
import numpy as np
from scipy.optimize import least_squares

from vision.lens import bend, straighten
from vision.markers import MARKER_MM, Marker
from vision.pictures import Floats

# A square card, clockwise from the top left as markers are, y upwards on the table.
CARD = np.array([(-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)]) * MARKER_MM
# What is fitted before the cards' places: focal length, middle, bend, turn and place of the table.
CAMERA_VALUES = 10


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
        return bend(_through(self.to_picture, fallen), self.size_px, self.bend)

    def to_mm(self, points_px: Floats, height_mm: float | Floats = 0.0) -> Floats:
        """Return which points, shape (N, 2), so high above the table are seen at these pixels."""
        flat = _through(
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


def solve_plane(
    markers: Sequence[Marker],
    size_px: tuple[int, int],
    focal_px: float | None = None,
    settings: PlaneSettings | None = None,
) -> TablePlane:
    """Fit the plane to at least one marker card; the largest card is the origin of the table's millimetres.

    Args:
        focal_px: what the photograph says of its focal length, if it does.

    Raises:
        ValueError: there is no marker.
    """
    if not markers:
        raise ValueError("a plane needs at least one marker")
    settings = settings or PlaneSettings()
    cards = sorted(markers, key=lambda marker: -marker.side_px)
    seen = np.stack([marker.corners_px for marker in cards])
    expected, spreads = _expected(size_px, focal_px, settings)
    start = _guess(cards, expected)
    told = (seen, size_px, expected, spreads, settings.corner_px)
    fitted = least_squares(_misses, start, x_scale="jac", method="lm", ftol=1e-6, xtol=1e-6, args=told).x
    misses = _corner_misses(fitted, seen, size_px)
    to_picture, camera = _camera(fitted)
    per_card = np.sqrt((misses**2).sum(axis=2).mean(axis=1))
    bent = [card.id for card, off in zip(cards, per_card, strict=True) if off > settings.bent_card_px]
    return TablePlane(
        to_picture,
        camera,
        float(np.exp(fitted[0])),
        size_px,
        float(fitted[3]),
        tuple(sorted(card.id for card in cards)),
        float(np.sqrt((misses**2).sum(axis=2).mean())),
        tuple(sorted(bent)),
    )


def _expected(
    size_px: tuple[int, int], focal_px: float | None, settings: PlaneSettings
) -> tuple[Floats, Floats]:
    """Return what the camera's own values are expected to be, and their spreads: focal, middle, bend."""
    width, height = size_px
    longer = max(size_px)
    focal = log(focal_px or settings.focal * longer)
    focal_spread = settings.known_focal_spread if focal_px else settings.focal_spread
    middle = settings.middle_spread * longer
    return (
        np.array([focal, (width - 1) / 2, (height - 1) / 2, 0.0]),
        np.array([focal_spread, middle, middle, settings.bend_spread]),
    )


def _guess(cards: Sequence[Marker], expected: Floats) -> Floats:
    """Start from the first card alone, seen by an ordinary camera, and put the others where it sees them."""
    focal, x, y, _ = np.exp(expected[0]), *expected[1:]
    lens = np.array([(focal, 0.0, x), (0.0, focal, y), (0.0, 0.0, 1.0)])
    corners = np.column_stack((CARD, np.zeros(4)))
    first = cards[0].corners_px
    _, turn, place = cv2.solvePnP(corners, first, lens, np.zeros(4), flags=cv2.SOLVEPNP_IPPE)
    if not np.isfinite(turn).all():
        # A card seen exactly from the front has no direction in which it leans.
        _, turn, place = cv2.solvePnP(corners, first, lens, np.zeros(4), flags=cv2.SOLVEPNP_ITERATIVE)
    values = np.array([*expected, *np.ravel(turn), *np.ravel(place)])
    to_table = np.asarray(np.linalg.inv(_camera(values)[0]), np.float64)
    poses = []
    for card in cards[1:]:
        there = _through(to_table, card.corners_px)
        right = there[1] - there[0] + there[2] - there[3]
        poses += [*there.mean(axis=0), np.arctan2(right[1], right[0])]
    return np.array([*values, *poses])


def _camera(values: Floats) -> tuple[Floats, Floats]:
    """Return the homography from the table to the picture, and where the camera is."""
    focal, x, y = np.exp(values[0]), values[1], values[2]
    lens = np.array([(focal, 0.0, x), (0.0, focal, y), (0.0, 0.0, 1.0)])
    turn = np.asarray(cv2.Rodrigues(values[4:7])[0], np.float64)
    place = values[7:10]
    to_picture = lens @ np.column_stack((turn[:, 0], turn[:, 1], place))
    return to_picture, np.asarray(-turn.T @ place, np.float64)


def _corner_misses(values: Floats, seen: Floats, size_px: tuple[int, int]) -> Floats:
    """Return how far each corner is seen from where it should be, shape (cards, 4, 2)."""
    # The first card is the origin.
    poses = np.concatenate((np.zeros((1, 3)), values[CAMERA_VALUES:].reshape(-1, 3)))
    turn = np.stack((np.cos(poses[:, 2]), np.sin(poses[:, 2])), axis=1)
    x = turn[:, :1] * CARD[:, 0] - turn[:, 1:] * CARD[:, 1] + poses[:, :1]
    y = turn[:, 1:] * CARD[:, 0] + turn[:, :1] * CARD[:, 1] + poses[:, 1:2]
    corners = np.stack((x, y), axis=2).reshape(-1, 2)
    straight = _through(_camera(values)[0], corners)
    return bend(straight, size_px, float(values[3])).reshape(seen.shape) - seen


def _misses(
    values: Floats,
    seen: Floats,
    size_px: tuple[int, int],
    expected: Floats,
    spreads: Floats,
    corner_px: float,
) -> Floats:
    """Return all misses in units of what is to be expected: of corners, and of the camera's own values."""
    corners = _corner_misses(values, seen, size_px).ravel() / corner_px
    return np.concatenate((corners, (values[:4] - expected) / spreads))


def _through(homography: Floats, points: Floats) -> Floats:
    """Map points, shape (N, 2), through a homography."""
    mapped = points @ homography[:, :2].T + homography[:, 2]
    found: Floats = mapped[:, :2] / mapped[:, 2:]
    return found
