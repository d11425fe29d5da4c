"""Tables without any cube: bare, littered, or under a hand. Who saw only games would see one in each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.simulation.develop import CameraSettings, Light, develop
from calibration.simulation.noise import cloudy, streaky
from calibration.training.patches import FAINT, Patches
from vision.judge import NO_CUBE
from vision.networks import Network
from vision.patches import cut_patches
from vision.pictures import Floats, FrameBGR
from vision.spotter import spot
from vision.support import DIRECTION_COUNT

Mask = npt.NDArray[np.uint8]

SHAPE: Final = (288, 384)
# Patches are cut from a picture this many times the one the spotter sees, as the scanner does it.
CLOSER: Final = 2
MOST: Final = 40
SKINS: Final = ((0.75, 0.45, 0.33), (0.55, 0.29, 0.19), (0.28, 0.13, 0.08), (0.11, 0.05, 0.03))


def cut_bare(spotter: Network, variants: int, rng: np.random.Generator) -> Patches:
    """Return patches of what the spotter takes for cubes on a table that has none."""
    light = bare_light(rng)
    return Patches.joined(
        [_patches(develop(light, 1.0, rng, CameraSettings()), spotter, rng) for _ in range(variants)]
    )


def bare_light(rng: np.random.Generator) -> Light:
    """Draw a table without cubes, in linear light, shape (2, H, W, 3)."""
    image = _top(rng)
    for _ in range(int(rng.choice([0, 3, 8, 20]))):
        draw = _THINGS[int(rng.integers(len(_THINGS)))]
        _put(image, draw(rng), rng)
    if rng.random() < 0.3:
        _put(image, _hand(rng), rng, SKINS[int(rng.integers(len(SKINS)))])
    shade = np.exp(cloudy(image.shape[:2], 400, rng, 1) * rng.uniform(0, 0.5))[:, :, None]
    lit = np.stack((image, image * shade))
    return np.asarray(np.clip(lit, 0.002, 1.5), np.float32)


def _patches(frame: FrameBGR, spotter: Network, rng: np.random.Generator) -> Patches:
    height, width = frame.shape[:2]
    small = cv2.resize(frame, (width // CLOSER, height // CLOSER), interpolation=cv2.INTER_AREA)
    spots = spot(np.asarray(small, np.uint8), spotter, FAINT)
    centres = (spots.centres_px + 0.5) * CLOSER - 0.5
    anywhere = rng.uniform((0, 0), (width, height), (MOST // 4, 2))
    places = np.concatenate((centres, anywhere))[:MOST]
    reach = np.concatenate((spots.reach_px * CLOSER, rng.uniform(8, 22, len(anywhere))))[:MOST]
    return Patches(
        cut_patches(frame, places, reach),
        np.full(len(places), NO_CUBE),
        np.zeros((len(places), DIRECTION_COUNT), np.float32),
        np.zeros(len(places), np.int64),
    )


def _colour(rng: np.random.Generator) -> Floats:
    tint = rng.uniform(0, 1, 3) ** 1.5
    vivid = rng.uniform(0, 1)
    colour: Floats = np.exp(rng.uniform(np.log(0.01), np.log(0.9))) * (1 - vivid + vivid * tint / tint.max())
    return colour


def _top(rng: np.random.Generator) -> Floats:
    kind = rng.integers(4)
    shade: Floats
    if kind == 0:
        shade = cloudy(SHAPE, rng.uniform(3, 12), rng)[:, :, None] * rng.uniform(0.02, 0.4)
    elif kind == 1:
        shade = streaky(SHAPE, rng.uniform(3, 30), 500, rng)[:, :, None] * rng.uniform(0.02, 0.3)
    elif kind == 2:
        # Blotches of all colours, as large as cubes.
        size = rng.uniform(15, 80)
        shade = np.stack([cloudy(SHAPE, size, rng, 2) for _ in range(3)], axis=2) * rng.uniform(0.1, 0.8)
    else:
        y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
        across, down = rng.uniform(8, 60, 2)
        squares = ((x // across + y // down) % 2 - 0.5)[:, :, None]
        shade = squares * rng.uniform(-1, 1, 3)
    top: Floats = _colour(rng) * np.exp(shade)
    return top


def _put(
    image: Floats, drawn: Mask, rng: np.random.Generator, colour: tuple[float, float, float] | None = None
) -> None:
    """Lay a thing on the table: its shadow, then itself, a little rounded by the light."""
    mask = drawn / 255.0
    shadow = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1.5, 7)))
    moved = np.roll(shadow, rng.integers(-5, 6, 2), (0, 1))[:, :, None]
    image *= 1 - moved * rng.uniform(0.1, 0.7)
    own = np.array(colour) * np.exp(rng.normal(0, 0.15, 3)) if colour else _colour(rng)
    deep = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(3, 14)))
    lit = own * (1 - rng.uniform(0, 0.6) + rng.uniform(0.2, 0.8) * deep[:, :, None])
    image += (lit - image) * cv2.GaussianBlur(mask, (0, 0), 0.6)[:, :, None]


def _at(rng: np.random.Generator) -> tuple[float, float]:
    x, y = rng.uniform((0, 0), SHAPE[::-1])
    return float(x), float(y)


def _empty() -> Mask:
    return np.zeros(SHAPE, np.uint8)


def _slip(rng: np.random.Generator) -> Mask:
    """Paper, cards, boxes: a turned rectangle, at times only its rim; larger than a cube."""
    mask, long = _empty(), float(rng.uniform(45, 160))
    corners = cv2.boxPoints(
        (_at(rng), (long, long * float(rng.uniform(0.15, 1))), float(rng.uniform(0, 180)))
    )
    if rng.random() < 0.25:
        cv2.polylines(mask, [corners.round().astype(np.int32)], True, 255, int(rng.integers(1, 5)))
    else:
        cv2.fillConvexPoly(mask, corners.round().astype(np.int32), 255)
    return mask


def _stick(rng: np.random.Generator) -> Mask:
    mask, start = _empty(), np.array(_at(rng))
    end = start + rng.normal(0, 90, 2)
    cv2.line(mask, tuple(start.astype(int)), tuple(end.astype(int)), 255, int(rng.integers(2, 22)))
    return mask


def _disc(rng: np.random.Generator) -> Mask:
    mask, (x, y) = _empty(), _at(rng)
    axes = tuple(int(v) for v in rng.uniform(5, 34) * rng.uniform(0.6, 1, 2))
    thick = -1 if rng.random() < 0.75 else int(rng.integers(1, 6))
    cv2.ellipse(mask, (int(x), int(y)), axes, float(rng.uniform(0, 180)), 0, 360, 255, thick)
    return mask


def _writing(rng: np.random.Generator) -> Mask:
    mask, (x, y) = _empty(), _at(rng)
    letters = "".join(chr(int(code)) for code in rng.integers(48, 123, int(rng.integers(3, 20))))
    cv2.putText(mask, letters, (int(x) - 60, int(y)), int(rng.integers(0, 8)), rng.uniform(0.3, 1.6), 255, 1)
    return mask


def _hand(rng: np.random.Generator) -> Mask:
    """A palm and fingers from an edge of the picture."""
    mask = _empty()
    palm = np.array(_at(rng))
    toward = np.array(SHAPE[::-1]) / 2 - palm
    angle = np.arctan2(toward[1], toward[0])
    wide = int(rng.uniform(16, 34))
    cv2.circle(mask, tuple(palm.astype(int)), int(wide * 1.8), 255, -1)
    for finger in np.linspace(-0.7, 0.7, 5) + rng.normal(0, 0.08, 5):
        reach = wide * rng.uniform(3, 5)
        tip = palm + reach * np.array([np.cos(angle + finger), np.sin(angle + finger)])
        cv2.line(mask, tuple(palm.astype(int)), tuple(tip.astype(int)), 255, wide)
    return mask


_THINGS: Final[tuple[Callable[[np.random.Generator], Mask], ...]] = (_slip, _stick, _disc, _writing)
