"""The light in the room: lamps and windows one by one, and everything around the table as one more."""

from __future__ import annotations

from typing import Any, Final

import cv2
import mitsuba as mi
import numpy as np

from calibration.simulation.noise import cloudy
from vision.pictures import Floats

ROOM_SHAPE: Final = (64, 128)
# How often the room has the same brightness all around: white walls, an overcast sky, a lamp shade all over
# the table. Mirrors then show no room, only its colour.
EVEN: Final = 0.2
# How often it is dark overhead and bright all around: windows by day, a ceiling that no lamp lights. Mirrors
# and glass then have a bright rim, where their edges are round, and a dark middle.
RIMMED: Final = 0.35


def room(rng: np.random.Generator, rimmed: float = RIMMED) -> dict[str, Any]:
    """Return the surroundings as a picture of all directions: ceiling, walls, windows, furniture, people.

    Args:
        rimmed: how often it is dark overhead and bright all around.
    """
    height, width = ROOM_SHAPE
    image = np.empty((height, width, 3), np.float32)
    ceiling, wall, floor = (
        np.exp(rng.uniform(*np.log(span))) for span in ((0.04, 1.3), (0.05, 1.0), (0.04, 0.5))
    )
    if rng.random() < rimmed:
        ceiling, wall = rng.uniform(0.02, 0.15), rng.uniform(0.6, 2.0)
    for row in range(height):
        up = 1 - 2 * (row + 0.5) / height
        image[row] = ceiling if up > 0.45 else wall if up > -0.2 else floor
    image *= np.exp(cloudy(ROOM_SHAPE, 20, rng) * 0.15)[:, :, None]
    for _ in range(int(rng.integers(3, 16))):
        x, y = int(rng.uniform(0, width)), int(rng.uniform(1, 40))
        w, h = int(rng.uniform(4, 26)), int(rng.uniform(4, 20))
        bright = rng.uniform(0.02, 0.5) if rng.random() < 0.75 else rng.uniform(1.5, 6.0)
        colour = (bright * (1 + rng.normal(0, 0.15, 3))).clip(0.01).tolist()
        cv2.rectangle(image, (x, y), (x + w, y + h), colour, -1)
    if rng.random() < 0.35:
        # Who takes the picture leans over the table, and mirrors show them.
        image[: int(rng.integers(4, 14))] *= np.float32(rng.uniform(0.05, 0.4))
    if rng.random() < EVEN:
        image = image.mean() * (image / image.mean()) ** np.float32(rng.uniform(0.0, 0.25))
    soft = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 2.0)))
    return {
        "type": "envmap",
        "bitmap": mi.Bitmap(np.ascontiguousarray(soft / soft.mean())),
        # The picture's up is y; the table's is z.
        "to_world": mi.ScalarTransform4f()
        .rotate([0, 0, 1], float(rng.uniform(0, 360)))
        .rotate([1, 0, 0], 90),
    }


def lamp(rng: np.random.Generator) -> dict[str, Any]:
    """Return a lamp over or beside the table, or a window: white, and as bright as the room on average."""
    if rng.random() < 0.7:
        at = np.array([*rng.normal(0, 450, 2), rng.uniform(600, 1900)])
        size = float(rng.choice([40, 80, 150, 250, 400]))
    else:
        angle = rng.uniform(0, 2 * np.pi)
        far = rng.uniform(900, 2200)
        at = np.array([far * np.cos(angle), far * np.sin(angle), rng.uniform(350, 1400)])
        size = float(rng.uniform(300, 700))
    return _shining(at, size)


def glare(camera_mm: Floats, rng: np.random.Generator) -> dict[str, Any]:
    """Return a lamp that tops of cubes mirror into the camera: what is glossy is then white on top.

    Who sits across from a hanging lamp sees the table like this, or stands right under it.
    """
    across = camera_mm * np.array([-1.0, -1.0, 1.0])
    at = across * (rng.uniform(600, 1900) / across[2])
    at[:2] += rng.normal(0, 0.12 * at[2], 2)
    return _shining(at, float(rng.choice([40, 80, 150, 250])))


def _shining(at: Floats, size: float) -> dict[str, Any]:
    distance2 = float((at**2).sum())
    tilt = max(0.15, at[2] / np.sqrt(distance2))
    # The table's middle gets the same light as from a room of brightness 1.
    power = np.pi * distance2 / (4 * size * size * tilt)
    return {
        "type": "rectangle",
        "to_world": mi.ScalarTransform4f()
        .look_at(origin=at.tolist(), target=[0, 0, 0], up=[0.01, 1, 0.02])
        .scale([size, size, 1]),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": [float(power)] * 3}},
    }
