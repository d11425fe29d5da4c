"""Teamwork mode: where to put my pawn so that the active player's room most likely holds it.

A pawn inside or on the edge of the looted room gives its owner a point. Every allowed room is as attractive
as its expected gain says; the heat of a point is the share of attraction of the rooms that would hold a
pawn there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import distance_transform_edt
from scipy.spatial import ConvexHull

from companion.dungeon_drop.advice import Advice
from companion.dungeon_drop.arrays import Flags, Floats, Indexes
from companion.dungeon_drop.footprints import Point, following
from companion.dungeon_drop.rooms import room_corners
from companion.dungeon_drop.separation import points_to_segments

# A map has at most so many steps each way: on a wider table they are longer.
MOST_STEPS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PawnSettings:
    """How pawns and players are taken to be.

    Attributes:
        radius_mm: of a pawn's base; no source prints it, ours is an estimate.
        step_mm: between the points looked at: half a small cube.
        good_rooms: how many of the best rooms a player would think of.
        indifference: points of expected gain that make a room 2.7 times as attractive as another; a guess.
        apart_mm: between the best points, so that they are different ideas.
    """

    radius_mm: float = 6.0
    step_mm: float = 4.0
    good_rooms: int = 40
    indifference: float = 2.0
    apart_mm: float = 30.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A good point for a pawn.

    Attributes:
        chance: share of the attraction of all good rooms that would hold it.
        rooms: how many of the good rooms would.
        room_to_spare_mm: how far the pawn may be off without losing any of them.
    """

    at_mm: Point
    chance: float
    rooms: int
    room_to_spare_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class HeatMap:
    """The heat of every point of a grid over the dungeon.

    Attributes:
        corner_mm: where heat[0, 0] is; rows go up in y, columns in x.
        heat: shape (rows, columns), from 0 to 1; what is not free is 0.
        rooms: shape (rows, columns), how many good rooms would hold a pawn there.
        free: shape (rows, columns), whether a pawn can stand there beside the cubes.
    """

    corner_mm: Point
    step_mm: float
    heat: Floats
    rooms: Indexes
    free: Flags


def attraction(advice: Advice, settings: PawnSettings) -> tuple[Indexes, Floats]:
    """Return the active player's good rooms and how likely each is taken; adds up to 1."""
    places = advice.order[: settings.good_rooms]
    places = places[advice.effects.allowed[places]]
    expected = advice.risks(places).outlook.expected_gain
    weights = np.exp((expected - expected.max(initial=-np.inf)) / settings.indifference)
    return places, weights / weights.sum()


def heat_map(advice: Advice, settings: PawnSettings | None = None) -> HeatMap:
    """Work out the heat of every point of the dungeon, given the *advice* for the active player."""
    settings = settings or PawnSettings()
    table = advice.rooms.table
    # Rooms reach no further than the pillars: a cube that rolled away must not stretch the map.
    corners = table.footprints.corners[: table.pillar_count].reshape(-1, 2)
    low = corners.min(axis=0) - settings.radius_mm if len(corners) else np.zeros(2)
    high = corners.max(axis=0) + settings.radius_mm if len(corners) else np.zeros(2)
    step = max(settings.step_mm, float((high - low).max()) / MOST_STEPS)
    columns, rows = (int(count) for count in np.ceil((high - low) / step) + 1)
    x, y = low[0] + step * np.arange(columns), low[1] + step * np.arange(rows)
    points = np.stack(np.meshgrid(x, y), axis=2).reshape(-1, 2)
    free = np.ones(len(points), np.bool_)
    for corners in table.footprints.corners:
        free &= ~_touched(corners, points, settings.radius_mm)
    heat, count = np.zeros(len(points)), np.zeros(len(points), np.intp)
    places, weights = attraction(advice, settings)
    for place, weight in zip(places, weights, strict=True):
        held = _touched(room_corners(table, advice.rooms.trios.pillars[place]), points, settings.radius_mm)
        heat += weight * held
        count += held
    corner = low + table.origin_mm
    shape = (rows, columns)
    return HeatMap(
        (float(corner[0]), float(corner[1])),
        step,
        (heat * free).reshape(shape),
        (count * free).reshape(shape),
        free.reshape(shape),
    )


def _touched(corners: Floats, points: Floats, radius_mm: float) -> Flags:
    """Tell where a pawn's base is inside the convex outline of a room or a cube, or touches it."""
    lines = ConvexHull(corners).equations
    beyond = (points @ lines[:, :2].T + lines[:, 2]).max(axis=1)
    touched: Flags = beyond <= 0
    edge = np.flatnonzero(~touched & (beyond <= radius_mm))
    starts = np.broadcast_to(corners, (len(edge), *corners.shape))
    gaps = points_to_segments(points[edge][:, None], starts, following(starts))
    touched[edge] = gaps <= radius_mm
    return touched


def best_spots(heat: HeatMap, count: int = 3, settings: PawnSettings | None = None) -> tuple[Spot, ...]:
    """Return the best points for a pawn, hottest first, each amid equally hot surroundings."""
    settings = settings or PawnSettings()
    left = heat.heat.copy()
    spots: list[Spot] = []
    while len(spots) < count and left.max(initial=0.0) > 0:
        hottest = left >= left.max() - 1e-9
        # The map's border counts as cold: nothing is known beyond it.
        spare = distance_transform_edt(np.pad(hottest, 1))[1:-1, 1:-1] * heat.step_mm
        row, column = np.unravel_index(int(spare.argmax()), spare.shape)
        x, y = heat.corner_mm[0] + column * heat.step_mm, heat.corner_mm[1] + row * heat.step_mm
        chance, rooms = float(heat.heat[row, column]), int(heat.rooms[row, column])
        spots.append(Spot((float(x), float(y)), chance, rooms, float(spare[row, column])))
        rows, columns = np.indices(left.shape)
        near = np.hypot(rows - row, columns - column) * heat.step_mm < settings.apart_mm
        left[near] = 0.0
    return tuple(spots)
