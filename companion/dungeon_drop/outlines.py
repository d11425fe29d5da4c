"""Checking the outline of one footprint that came from outside: whole, simple, not flat, convex."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import atan2, dist, pi

import numpy as np
from scipy.spatial import ConvexHull

from companion.dungeon_drop.footprints import Point
from companion.errors import BadData
from companion.message import say

# A leaning cube has at most eight corners; a camera may see a few more.
MOST_CORNERS = 16
# A metre is a big table; a kilometre is a mistake.
FARTHEST_MM = 1_000_000.0
# Around all edges; a scan without a scale measures in units of about a cube.
SMALLEST_MM = 1e-3
# A square has an area of 1/16 of its perimeter squared; below this share it is a line.
FLAT = 1e-5
# A turn to the wrong side by less than this share is rounding.
STRAIGHT = 1e-9
# A dented outline may lose so much of its hull's area: more is no cube.
DENTED = 0.1


def checked_outline(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return the corners of a convex footprint, without repeated ones.

    Raises:
        BadData: with the reason.
    """
    # Not a number is nowhere near.
    if not all(abs(number) <= FARTHEST_MM for point in points for number in point):
        raise BadData(say("the footprint is more than a kilometre away"))
    corners = [point for place, point in enumerate(points) if point != points[place - 1] or len(points) == 1]
    if not 3 <= len(corners) <= MOST_CORNERS:
        raise BadData(say("the footprint needs 3 to %(most)d corners", most=MOST_CORNERS))
    if _perimeter(corners) < SMALLEST_MM:
        raise BadData(say("the footprint is too small to be a cube"))
    if abs(_area(corners)) < FLAT * _perimeter(corners) ** 2 and not _crosses_itself(corners):
        raise BadData(say("the footprint is flat"))
    if _is_convex(corners):
        return tuple(corners)
    if _crosses_itself(corners):
        raise BadData(say("the footprint crosses itself"))
    hull = [corners[place] for place in ConvexHull(np.array(corners)).vertices]
    if abs(_area(corners)) < (1 - DENTED) * abs(_area(hull)):
        raise BadData(say("the footprint is not convex"))
    return tuple(hull)


def _area(corners: Sequence[Point]) -> float:
    """Return the area, negative for a clockwise outline."""
    x, y = corners[0]
    return (
        sum(
            (a[0] - x) * (b[1] - y) - (b[0] - x) * (a[1] - y)
            for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)
        )
        / 2
    )


def _perimeter(corners: Sequence[Point]) -> float:
    return sum(dist(corners[place - 1], corner) for place, corner in enumerate(corners))


def _is_convex(corners: Sequence[Point]) -> bool:
    """Tell whether all turns go the same way and once around."""
    edges = [
        (corner[0] - corners[place - 1][0], corner[1] - corners[place - 1][1])
        for place, corner in enumerate(corners)
    ]
    turns = []
    for place, (x, y) in enumerate(edges):
        before = edges[place - 1]
        across, along = before[0] * y - before[1] * x, before[0] * x + before[1] * y
        turns.append(atan2(across, along))
    one_way = min(turns) > -STRAIGHT or max(turns) < STRAIGHT
    return one_way and abs(abs(sum(turns)) - 2 * pi) < 1e-3


def _crosses_itself(corners: Sequence[Point]) -> bool:
    edges = [(corners[place - 1], corner) for place, corner in enumerate(corners)]
    return any(_cross(first, second) for first, second in combinations(edges, 2))


def _cross(first: tuple[Point, Point], second: tuple[Point, Point]) -> bool:
    """Tell whether two edges cross at a point inside both."""
    sides = [_side(first, point) for point in second] + [_side(second, point) for point in first]
    return sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0


def _side(edge: tuple[Point, Point], point: Point) -> float:
    (x, y), (to_x, to_y) = edge
    across = (to_x - x) * (point[1] - y) - (to_y - y) * (point[0] - x)
    return across if abs(across) > STRAIGHT * dist(*edge) * dist(edge[0], point) else 0.0
