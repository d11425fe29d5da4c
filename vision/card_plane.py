"""The table's plane from marker cards lying anywhere on it, all solved together.

Each card is a square of known size at an unknown place and angle. The camera (where it is, how it looks, its
lens) and the places and angles of all cards are fitted at once to all corners, so that no card has to lie
anywhere in particular and every corner helps. What the corners cannot tell, such as the focal length of a
camera that looks straight down, is taken from what cameras are usually like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Final

import cv2
import numpy as np
from scipy.optimize import least_squares

from vision.lens import bend, bend_slopes
from vision.markers import MARKER_MM, Marker
from vision.pictures import Floats
from vision.plane import PlaneSettings, TablePlane, through

# A square card, clockwise from the top left as markers are, y upwards on the table.
CARD: Final = np.array([(-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)]) * MARKER_MM
# What is fitted before the cards' places: focal length, middle, bend, turn and place of the table.
CAMERA_VALUES: Final = 10


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """What a plane is fitted to: corners as *seen* (cards, 4, 2), and the camera as it is expected to be."""

    seen: Floats
    size_px: tuple[int, int]
    expected: Floats
    spreads: Floats
    corner_px: float


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
    view = _View(seen, size_px, expected, spreads, settings.corner_px)
    fitted = least_squares(
        _misses, start, _slopes, x_scale="jac", method="lm", ftol=1e-6, xtol=1e-6, args=(view,)
    ).x
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
        there = through(to_table, card.corners_px)
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


def _corners_mm(values: Floats) -> tuple[Floats, Floats]:
    """Return where all corners are on the table, and seen from the middles of their cards, (cards, 4, 2)."""
    # The first card is the origin.
    poses = np.concatenate((np.zeros((1, 3)), values[CAMERA_VALUES:].reshape(-1, 3)))
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    turns = np.stack((np.stack((cos, sin), axis=1), np.stack((-sin, cos), axis=1)), axis=1)
    around = CARD @ turns
    return around + poses[:, None, :2], around


def _corner_misses(values: Floats, seen: Floats, size_px: tuple[int, int]) -> Floats:
    """Return how far each corner is seen from where it should be, shape (cards, 4, 2)."""
    corners, _ = _corners_mm(values)
    straight = through(_camera(values)[0], corners.reshape(-1, 2))
    return bend(straight, size_px, float(values[3])).reshape(seen.shape) - seen


def _misses(values: Floats, view: _View) -> Floats:
    """Return all misses in units of what is to be expected: of corners, and of the camera's own values."""
    corners = _corner_misses(values, view.seen, view.size_px).ravel() / view.corner_px
    return np.concatenate((corners, (values[:4] - view.expected) / view.spreads))


def _slopes(values: Floats, view: _View) -> Floats:
    """Return how all misses change with all values: told, they take a tenth of the time that trying does."""
    corners, around = _corners_mm(values)
    flat = corners.reshape(-1, 2)
    turn, turn_slopes = (np.asarray(part, np.float64) for part in cv2.Rodrigues(values[4:7]))
    focal, place = np.exp(values[0]), values[7:10]
    away = flat @ turn[:, :2].T + place
    seen = away[:, :2] / away[:, 2:]
    to_pixels = np.zeros((len(flat), 2, 3))
    to_pixels[:, (0, 1), (0, 1)] = 1.0
    to_pixels[:, :, 2] = -seen
    to_pixels *= focal / away[:, 2:, None]
    slopes = np.zeros((len(flat), 2, len(values)))
    slopes[:, :, 0] = focal * seen
    slopes[:, (0, 1), (1, 2)] = 1.0
    turned = np.einsum("nc,kjc->njk", flat, turn_slopes.reshape(3, 3, 3)[:, :, :2])
    slopes[:, :, 4:7] = to_pixels @ turned
    slopes[:, :, 7:10] = to_pixels
    by_corner = to_pixels @ turn[:, :2]
    for card in range(1, len(corners)):
        rows, first = slice(4 * card, 4 * card + 4), CAMERA_VALUES + 3 * (card - 1)
        slopes[rows, :, first : first + 2] = by_corner[rows]
        about = np.column_stack((-around[card, :, 1], around[card, :, 0]))
        slopes[rows, :, first + 2] = (by_corner[rows] @ about[:, :, None])[:, :, 0]
    by_place, by_amount = bend_slopes(focal * seen + values[1:3], view.size_px, float(values[3]))
    slopes = by_place @ slopes
    slopes[:, :, 3] = by_amount
    own = np.zeros((4, len(values)))
    own[:, :4] = np.diag(1 / view.spreads)
    return np.concatenate((slopes.reshape(-1, len(values)) / view.corner_px, own))
