"""The bend of a lens: straight lines that come out curved, about the middle of the picture."""

from __future__ import annotations

import numpy as np

from vision.pictures import Floats

# Each doubles the digits; lenses bend by a few per cent.
NEWTON_STEPS = 6


def _middle_and_reach(size_px: tuple[int, int]) -> tuple[Floats, float]:
    """Return the middle of the picture and half its longer side: the unit the bend is told in."""
    width, height = size_px
    return np.array([(width - 1) / 2, (height - 1) / 2]), max(width, height) / 2


def bend(straight_px: Floats, size_px: tuple[int, int], amount: float) -> Floats:
    """Return where the lens puts points, shape (N, 2), of a straight picture."""
    middle, reach = _middle_and_reach(size_px)
    away = (straight_px - middle) / reach
    # Sums of two are several times as fast written out.
    squared = away[:, :1] ** 2 + away[:, 1:] ** 2
    bent: Floats = middle + reach * away * (1.0 + amount * squared)
    return bent


def bend_slopes(straight_px: Floats, size_px: tuple[int, int], amount: float) -> tuple[Floats, Floats]:
    """Return how points come out elsewhere if they were elsewhere (N, 2, 2), and with the amount (N, 2)."""
    middle, reach = _middle_and_reach(size_px)
    away = (straight_px - middle) / reach
    squared = (away**2).sum(axis=1, keepdims=True)
    outward = away[:, :, None] * away[:, None, :]
    return (1.0 + amount * squared)[:, :, None] * np.eye(2) + 2.0 * amount * outward, reach * away * squared


def straighten(bent_px: Floats, size_px: tuple[int, int], amount: float) -> Floats:
    """Undo `bend`, by Newton's method on how far points are from the middle."""
    middle, reach = _middle_and_reach(size_px)
    away = (bent_px - middle) / reach
    bent = np.hypot(away[:, :1], away[:, 1:])
    radius = bent.copy()
    for _ in range(NEWTON_STEPS):
        radius -= (radius * (1.0 + amount * radius**2) - bent) / (1.0 + 3.0 * amount * radius**2)
    straight: Floats = middle + reach * away * np.divide(radius, bent, out=np.ones_like(bent), where=bent > 0)
    return straight
