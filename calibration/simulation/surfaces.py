"""Table tops: wood, felt, cloth, paper, stone, prints and dark ones, drawn anew for every table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np

from calibration.simulation.looks import picture
from calibration.simulation.noise import cloudy, streaky
from vision.pictures import Floats

# The drawn piece of the table, repeated in mirror image beyond.
TILE_MM: Final = 480.0
TILE_PX: Final = 1200
SHAPE: Final = (TILE_PX, TILE_PX)
# Felt of card tables and playing mats: green most of all, blue, wine red, purple.
MATS: Final = np.array(
    [
        (0.02, 0.28, 0.12),
        (0.03, 0.20, 0.06),
        (0.05, 0.30, 0.25),
        (0.03, 0.08, 0.35),
        (0.35, 0.03, 0.05),
        (0.15, 0.04, 0.25),
    ]
)


def surface(name: str, rng: np.random.Generator) -> dict[str, Any]:
    """Return the renderer's words for a table top of a named kind."""
    colours = np.clip(DRAWN[name](rng), 0.002, 0.95)
    texture = picture(colours)
    shine = {"wood": 0.5, "stone": 0.5, "print": 0.3, "plain": 0.3, "dark": 0.2}.get(name, 0.0)
    if rng.random() < shine:
        return {
            "type": "principled",
            "base_color": texture,
            "roughness": float(rng.uniform(0.2, 0.6)),
            "specular": float(rng.uniform(0.2, 0.6)),
        }
    return {"type": "diffuse", "reflectance": texture}


def _colour(rng: np.random.Generator, low: float, high: float, vivid: float) -> Floats:
    """Return a linear colour of this brightness; *vivid* 0 is grey."""
    tint = rng.uniform(0, 1, size=3) ** 1.5
    tint = tint / max(tint.max(), 1e-6)
    colour: Floats = rng.uniform(low, high) * (1 - vivid + vivid * tint)
    return colour


def _wood(rng: np.random.Generator) -> Floats:
    browns = np.array(
        [(0.62, 0.42, 0.22), (0.45, 0.26, 0.12), (0.75, 0.58, 0.36), (0.20, 0.10, 0.05), (0.55, 0.5, 0.44)]
    )
    base = browns[rng.integers(len(browns))] * np.exp(rng.normal(0, 0.15, size=3))
    rings = cloudy(SHAPE, rng.uniform(200, 600), rng, 2) + streaky(SHAPE, rng.uniform(20, 90), 900, rng)
    grain = np.sin(rings * rng.uniform(2, 7)) * rng.uniform(0.03, 0.16)
    fine = streaky(SHAPE, 2.5, 160, rng) * rng.uniform(0.01, 0.07)
    shade = np.exp(grain + fine)
    planks = int(rng.integers(0, 5))
    for edge in np.linspace(0, TILE_PX, planks + 2)[1:-1]:
        y = int(edge + rng.normal(0, 10))
        shade[y:] *= np.exp(rng.normal(0, 0.08))
        shade[y : y + int(rng.integers(1, 5))] *= rng.uniform(0.25, 0.7)
    wood: Floats = base * shade[:, :, None]
    return wood if rng.random() < 0.5 else wood.transpose(1, 0, 2)


def _felt(rng: np.random.Generator) -> Floats:
    colour = _colour(rng, 0.04, 0.6, rng.uniform(0, 1))
    if rng.random() < 0.5:
        colour = MATS[rng.integers(len(MATS))] * np.exp(rng.normal(0, 0.3, size=3))
    fuzz = cloudy(SHAPE, rng.uniform(3, 8), rng) * rng.uniform(0.04, 0.2)
    wide = cloudy(SHAPE, 300, rng) * rng.uniform(0.0, 0.08)
    felt: Floats = colour * np.exp(fuzz + wide)[:, :, None]
    return felt


def _cloth(rng: np.random.Generator) -> Floats:
    colour = _colour(rng, 0.03, 0.75, rng.uniform(0, 0.8))
    period = rng.uniform(3, 9)
    y, x = np.mgrid[:TILE_PX, :TILE_PX]
    weave = np.sin(x * 2 * np.pi / period) * np.sin(y * 2 * np.pi / period) * rng.uniform(0.05, 0.25)
    folds = cloudy(SHAPE, rng.uniform(150, 500), rng) * rng.uniform(0.0, 0.12)
    cloth: Floats = colour * np.exp(weave + folds + rng.normal(0, 0.03, SHAPE))[:, :, None]
    return cloth


def _plain(rng: np.random.Generator) -> Floats:
    colour = _colour(rng, 0.35, 0.92, rng.uniform(0, 0.35))
    clouds = cloudy(SHAPE, 200, rng) * rng.uniform(0, 0.03) + rng.normal(0, 0.012, SHAPE)
    plain: Floats = colour * np.exp(clouds)[:, :, None]
    return plain


def _dark(rng: np.random.Generator) -> Floats:
    # Black velvet gives back a hundredth of what a white cube does, dark slate a tenth.
    bright = np.exp(rng.uniform(np.log(0.004), np.log(0.05)))
    colour = _colour(rng, bright, bright, rng.uniform(0, 0.6))
    fuzz = cloudy(SHAPE, rng.uniform(3, 30), rng) * rng.uniform(0.05, 0.3)
    dark: Floats = colour * np.exp(fuzz)[:, :, None]
    for _ in range(int(rng.integers(0, 40))):
        # Lint shows on black cloth.
        start = rng.uniform(0, TILE_PX, 2)
        end = start + rng.normal(0, 12, 2)
        cv2.line(dark, tuple(start.astype(int)), tuple(end.astype(int)), (0.2,) * 3, 1, cv2.LINE_AA)
    return dark


def _stone(rng: np.random.Generator) -> Floats:
    colour = _colour(rng, 0.05, 0.8, rng.uniform(0, 0.3))
    clouds = cloudy(SHAPE, rng.uniform(60, 300), rng, 5) * rng.uniform(0.05, 0.3)
    veins = -np.exp(-((cloudy(SHAPE, 300, rng, 4) / 0.04) ** 2)) * rng.uniform(-0.5, 0.5)
    speckle = (cloudy(SHAPE, 4, rng, 2) > rng.uniform(1.2, 2.2)) * rng.uniform(-1.0, 0.8)
    stone: Floats = colour * np.exp(clouds + veins + speckle)[:, :, None]
    return stone


def _print(rng: np.random.Generator) -> Floats:
    """A table cloth or a game mat: checks, stripes or shapes in a few colours."""
    palette = np.stack([_colour(rng, 0.03, 0.85, rng.uniform(0, 1)) for _ in range(4)])
    image = np.empty((*SHAPE, 3))
    image[:] = palette[0]
    kind = rng.integers(3)
    period = int(rng.uniform(25, 160))
    y, x = np.mgrid[:TILE_PX, :TILE_PX]
    if kind == 0:
        image = palette[((x // period) % 2 + (y // period) % 2)]
    elif kind == 1:
        image = palette[(x // period + (y // (period * 2)) * int(rng.integers(0, 2))) % 3]
    else:
        for _ in range(int(rng.integers(20, 120))):
            centre = tuple(int(v) for v in rng.uniform(0, TILE_PX, 2))
            colour = palette[rng.integers(4)].tolist()
            axes = tuple(int(v) for v in rng.uniform(6, 70, 2))
            thick = -1 if rng.random() < 0.6 else int(rng.integers(1, 6))
            cv2.ellipse(image, centre, axes, rng.uniform(0, 180), 0, 360, colour, thick, cv2.LINE_AA)
    soft = np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), np.float64)
    grainy: Floats = soft * np.exp(rng.normal(0, 0.02, SHAPE))[:, :, None]
    return grainy


DRAWN: Final[dict[str, Callable[[np.random.Generator], Floats]]] = {
    "wood": _wood,
    "felt": _felt,
    "cloth": _cloth,
    "plain": _plain,
    "dark": _dark,
    "stone": _stone,
    "print": _print,
}
