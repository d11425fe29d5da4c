"""The numbers of the best rooms on the photo."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.pictures import Floats
from web.dungeon_drop.look import Look
from web.dungeon_drop.room_choice import RoomChoice, Trio

# So many of the best rooms have their numbers on the photo, so far apart in hundredths of its width.
BADGES = 4
BADGE_UNITS = 6.0
BADGE_SHARES = (0.5, 0.4, 0.6, 0.3, 0.7)  # of a wall's length


@dataclass(frozen=True, slots=True)
class Badge:
    """The number of a room, and where in the photo it is drawn."""

    number: int
    x: float
    y: float
    pillars: Trio


def badges(rooms: tuple[RoomChoice, ...], look: Look, unit: float) -> tuple[Badge, ...]:
    """Return a number for each of the best rooms, on a wall, apart from the others and from cubes.

    Args:
        unit: a hundredth of the width that is shown.
    """
    cubes = np.array([np.array(cube.outline_px).mean(axis=0) for cube in look.cubes]).reshape(-1, 2)
    apart = BADGE_UNITS * unit
    placed: list[Badge] = []
    for number, room in enumerate(rooms[:BADGES], 1):
        corners = np.array(room.outline_px)
        if not room.allowed or not len(corners):
            continue
        along = np.roll(corners, -1, axis=0) - corners
        longest = np.argsort(-np.hypot(*along.T))[:3]
        places = np.concatenate([corners[longest] + share * along[longest] for share in BADGE_SHARES])
        taken = np.array([(badge.x, badge.y) for badge in placed]).reshape(-1, 2)
        # The farthest from everything, but for places that are all far enough: of those the first.
        room_left = np.minimum(_nearest(places, taken), 2 * _nearest(places, cubes)).clip(max=apart)
        x, y = places[int(room_left.argmax())].round(1).tolist()
        placed.append(Badge(number, x, y, room.pillars))
    return tuple(placed)


def _nearest(places: Floats, others: Floats) -> Floats:
    """Return how far the nearest of some points is from each place."""
    far = np.linalg.norm(places[:, None] - others[None], axis=2)
    nearest: Floats = far.min(axis=1, initial=np.inf)
    return nearest
