"""Laying cubes out by hand: pairs and clusters that touch, to measure whether a scan tells them apart."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.simulation.drop import Dropped, Piece
from vision.pictures import Floats
from vision.pieces import COUNTS

# Groups stand on a grid this wide, so that no two of them touch.
GRID_MM: Final = 46.0
# How exactly touching is found.
CLOSE_MM: Final = 0.01


def touching_groups(group: int, rng: np.random.Generator) -> Dropped:
    """Return groups of two or three cubes of any kinds that touch, each turned its own way."""
    bag = [Piece(kind, size) for (kind, size), count in COUNTS.items() for _ in range(count)]
    order = rng.permutation(len(bag))
    spots = [(x, y) for x in range(-2, 3) for y in range(-2, 3)]
    pieces: list[Piece] = []
    squares: list[Floats] = []
    for place, (column, row) in enumerate(spots):
        chosen = [bag[n] for n in order[place * group : (place + 1) * group]]
        middle = np.array([column, row]) * GRID_MM + rng.normal(0, 2.0, 2)
        squares += _touching([piece.side_mm for piece in chosen], middle, rng)
        pieces += chosen
    centres = np.stack([square.mean(axis=0) for square in squares])
    heights = np.array([piece.side_mm / 2 for piece in pieces])
    return Dropped(
        tuple(pieces), np.column_stack((centres, heights)), np.stack([_turned(s) for s in squares])
    )


def _touching(sides: list[float], middle: Floats, rng: np.random.Generator) -> list[Floats]:
    """Return squares around a place, each pushed towards it until it touches one that is there."""
    squares: list[Floats] = []
    for side in sides:
        turn = rng.uniform(0, np.pi / 2)
        axis = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ axis * side / 2
        angle = rng.uniform(0, 2 * np.pi)
        push = np.array([np.cos(angle), np.sin(angle)])
        near, far = 0.0, 40.0
        while squares and far - near > CLOSE_MM:
            half = (near + far) / 2
            if any(_overlap(square + middle + push * half, other) for other in squares):
                near = half
            else:
                far = half
        squares.append(square + middle + push * (far if squares else 0.0))
    return squares


def _overlap(one: Floats, other: Floats) -> bool:
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return bool(area > 1e-4)


def _turned(square: Floats) -> Floats:
    across = (square[1] - square[0]) / np.linalg.norm(square[1] - square[0])
    return np.array([(across[0], -across[1], 0.0), (across[1], across[0], 0.0), (0.0, 0.0, 1.0)])
