"""A close-up of a cube that is too close to call, like a referee's replay: in or out?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from web.dungeon_drop.look import Look
from web.dungeon_drop.looks import Box
from web.dungeon_drop.room_choice import Doubt, RoomChoice

# How many times as wide as the cube: enough of the wall to see where it runs.
TIMES_AS_WIDE = 2.6


@dataclass(frozen=True, slots=True)
class CloseUp:
    """What is shown of a doubtful cube.

    Attributes:
        box: left, top, right and bottom in the photo's pixels.
        stands: where the cube touches the table, as an SVG writes points; its sides hide a part of it.
    """

    doubt: Doubt
    box: Box
    stands: str

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in the photo's pixels."""
        left, top, right, bottom = self.box
        return right - left, bottom - top

    @property
    def unit(self) -> float:
        """How long something is that looks the same in every close-up."""
        return round(self.size[0] / 100, 3)


def close_up(look: Look, room: RoomChoice, id: int) -> CloseUp | None:
    """Return a close-up of a cube, if it is one of those too close to call in this room."""
    doubt = next((doubt for doubt in room.doubtful if doubt.id == id), None)
    cube = look.cube(id)
    if doubt is None or cube is None or look.plane is None:
        return None
    outline = np.array(cube.outline_px)
    low, high = outline.min(axis=0), outline.max(axis=0)
    half = max(TIMES_AS_WIDE * float((high - low).max()) / 2, 1.0)
    width, height = look.size_px
    (x, y), stands = (low + high) / 2, look.plane.to_pixels(np.array(cube.footprint_mm))
    box = (
        max(0, int(x - half)),
        max(0, int(y - half)),
        min(width, int(x + half) + 1),
        min(height, int(y + half) + 1),
    )
    return CloseUp(doubt, box, " ".join(f"{u:.2f},{v:.2f}" for u, v in stands))
