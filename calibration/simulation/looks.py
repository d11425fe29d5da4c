"""What the pieces are made of: for each kind one of the materials that real print runs could have."""

from __future__ import annotations

from typing import Any, Final

import cv2
import mitsuba as mi
import numpy as np

from calibration.simulation.noise import cloudy, folded
from vision.pictures import Floats
from vision.pieces import Kind

Look = dict[str, Any]

# Linear colours of matte kinds, by eye from photographs.
MATTE: dict[Kind, tuple[float, float, float]] = {
    Kind.KEY: (0.66, 0.13, 0.07),
    Kind.GOBLIN: (0.10, 0.35, 0.11),
    Kind.TROLL: (0.42, 0.36, 0.05),
    Kind.DRAGON: (0.55, 0.035, 0.05),
    Kind.STAIRS: (0.012, 0.012, 0.013),
}
# Pale, plain, deep and rose gold: a metal's colour depends on its alloy, and print runs differ.
GOLDS = ((0.97, 0.76, 0.42), (0.97, 0.72, 0.36), (0.95, 0.66, 0.27), (0.95, 0.62, 0.42))
# Deep, plain and pale violet: thin coats let the bright plastic below show.
VIOLETS = ((0.34, 0.13, 0.62), (0.42, 0.22, 0.64), (0.56, 0.40, 0.70))
MIRRORS = (Kind.GOLD, Kind.POTION)
GLASS: dict[Kind, tuple[float, float, float]] = {
    Kind.GEM_CLEAR: (0.95, 0.96, 0.96),
    Kind.GEM_BLUE: (0.12, 0.28, 0.85),
    Kind.GEM_PINK: (0.85, 0.10, 0.27),
    Kind.SHIELD: (0.38, 0.72, 0.92),
    Kind.RELIC: (0.12, 0.70, 0.25),
}
# Gems whose sides may gather light; shields are full of glitter.
LIT: Final = (Kind.GEM_CLEAR, Kind.GEM_BLUE, Kind.GEM_PINK, Kind.RELIC)


def look_of(kind: Kind, rng: np.random.Generator, glossy: bool = False, lit: bool = False) -> Look:
    """Return a material for all pieces of one kind on one table.

    Args:
        glossy: matte ones are varnished.
        lit: gems have sides that light gathers in; needs cubes whose texture knows which side is up.
    """
    if lit and kind in LIT:
        return _lit(_near(GLASS[kind], 0.10, rng), rng)
    if kind in MATTE:
        colour = _near(MATTE[kind], 0.14, rng)
        return _varnished(rgb(colour), rng) if glossy else _matte(colour, rng)
    if kind in GLASS:
        return _glass(kind, _near(GLASS[kind], 0.10, rng), rng)
    if kind is Kind.GOLD:
        return _mirror(_near(GOLDS[rng.integers(len(GOLDS))], 0.08, rng), rng)
    if kind is Kind.POTION:
        return _mirror(_near(VIOLETS[rng.integers(len(VIOLETS))], 0.12, rng), rng)
    if kind is Kind.CHEST:
        faces = die_faces(rng)
        return _varnished(picture(faces), rng) if glossy else _printed(faces, rng)
    return PILLARS[rng.choice(len(PILLARS), p=PILLAR_SHARES)](rng)


def glitter(rng: np.random.Generator) -> Look:
    """Return what the flakes inside a shield are made of."""
    colour = [float(value) for value in rng.uniform(0.7, 1.0, size=3)]
    return {
        "type": "twosided",
        "bsdf": {"type": "roughconductor", "alpha": 0.15, "specular_reflectance": rgb(colour)},
    }


def rgb(colour: Floats | list[float]) -> dict[str, Any]:
    """Return the renderer's words for a colour."""
    return {"type": "rgb", "value": [float(np.clip(value, 0.0, 0.99)) for value in colour]}


def picture(values: Floats, raw: bool = True) -> dict[str, Any]:
    """Return the renderer's words for a texture of linear values, shape (H, W, 3) or (H, W, 1)."""
    return {
        "type": "bitmap",
        "bitmap": mi.Bitmap(np.ascontiguousarray(values, dtype=np.float32)),
        "raw": raw,
        "wrap_mode": "mirror",
    }


def _near(colour: tuple[float, float, float], spread: float, rng: np.random.Generator) -> Floats:
    off = rng.normal(0, spread, size=3) + rng.normal(0, spread)
    near: Floats = np.clip(np.array(colour) * np.exp(off), 0, 0.98)
    return near


def _matte(colour: Floats, rng: np.random.Generator) -> Look:
    if rng.random() < 0.4:
        return {"type": "diffuse", "reflectance": rgb(colour)}
    return _plastic(rgb(colour), rng.uniform(0.25, 0.8), rng.uniform(0.1, 0.6))


def _varnished(colour: Look, rng: np.random.Generator) -> Look:
    """Return glossy plastic or varnished wood: a lamp that is mirrored in it is brighter than its colour."""
    return _plastic(colour, np.exp(rng.uniform(np.log(0.15), np.log(0.55))), rng.uniform(0.3, 0.7))


def _plastic(colour: Look, rough: float, shine: float) -> Look:
    return {"type": "principled", "base_color": colour, "roughness": float(rough), "specular": float(shine)}


def _mirror(colour: Floats, rng: np.random.Generator) -> Look:
    # From a vacuum-coated mirror, in which the room is seen, to a brushed one.
    alpha = float(np.exp(rng.uniform(np.log(0.004), np.log(0.15))))
    return {"type": "roughconductor", "alpha": alpha, "material": "none", "specular_reflectance": rgb(colour)}


def _warmth(rng: np.random.Generator) -> float:
    """Return how far a pillar is from bluish (below 0) to cream: photographed ones have about 0.14."""
    return float(rng.uniform(-0.06, 0.24) if rng.random() < 0.85 else rng.uniform(0.15, 0.3))


def _swirl(rng: np.random.Generator) -> Floats:
    """Return how much brighter a pillar's places are than the whole: clouds, creases of mother-of-pearl."""
    shape = (128, 192)
    clouds = rng.uniform(0, 0.2) if rng.random() < 0.5 else 0.0
    swirl = clouds * cloudy(shape, 24, rng)
    for _ in range(int(rng.integers(0, 4))):
        sharp = float(np.exp(rng.uniform(np.log(0.03), np.log(0.6))))
        swirl = swirl + rng.uniform(0.03, 0.2) * folded(shape, rng.uniform(30, 90), sharp, rng)
    brighter: Floats = (1.0 + swirl)[:, :, None]
    return brighter


def _pearl_colour(grey: float, rng: np.random.Generator) -> Floats:
    """Return a pillar's linear colour as a texture: white to cream, even or with a swirl."""
    warm = _warmth(rng)
    tint = np.array([1.0 + warm / 3, 1.0, 1.0 - warm]) + rng.normal(0, 0.025, size=3)
    colour: Floats = np.clip(grey * tint * _swirl(rng), 0.02, 0.97)
    return colour


def _pearl(rng: np.random.Generator) -> Look:
    """Return a pillar of painted or moulded plastic: nearly matte to pearly."""
    return {
        "type": "principled",
        "base_color": picture(_pearl_colour(rng.uniform(0.42, 0.92), rng)),
        "metallic": float(rng.uniform(0.0, 0.6)),
        "roughness": float(rng.uniform(0.15, 0.55)),
        "specular": float(rng.uniform(0.3, 0.8)),
        "clearcoat": float(rng.uniform(0, 1)),
        "clearcoat_gloss": float(rng.uniform(0.5, 0.95)),
    }


def _satin(rng: np.random.Generator) -> Look:
    """Return a pillar like satin metal: its top shows the lamp's glow, its sides the dark of the table.

    A fold of light runs across its uneven faces. Photographed pieces are of this kind most of all.
    """
    return {
        "type": "principled",
        "base_color": picture(_pearl_colour(rng.uniform(0.55, 0.97), rng)),
        "metallic": float(rng.uniform(0.7, 1.0)),
        "roughness": float(np.exp(rng.uniform(np.log(0.12), np.log(0.5)))),
        "specular": 0.5,
        "clearcoat": float(rng.uniform(0, 0.6)),
        "clearcoat_gloss": float(rng.uniform(0.7, 0.98)),
    }


def _alabaster(rng: np.random.Generator) -> Look:
    """Return a pillar that light goes into: its lit top is white, its sides are as dark as the table."""
    warm = _warmth(rng)
    colour = rng.uniform(0.5, 0.9) * (
        np.array([1.0 + warm / 3, 1.0, 1.0 - warm]) + rng.normal(0, 0.03, size=3)
    )
    milky = rng.uniform(0.3, 0.8) * _swirl(rng)
    clear = {
        "type": "roughdielectric",
        "int_ior": float(rng.uniform(1.42, 1.58)),
        "alpha": float(rng.uniform(0.03, 0.3)),
        "specular_transmittance": rgb(np.sqrt(colour)),
    }
    return _milky(clear, np.clip(milky, 0.05, 0.95)[:, :, 0], colour)


def _glass(kind: Kind, colour: Floats, rng: np.random.Generator) -> Look:
    # Light goes in and out, so each surface takes the root of the tint.
    tint = np.sqrt(colour)
    bend = float(rng.uniform(1.42, 1.58))
    clear: Look = {"type": "dielectric", "int_ior": bend, "specular_transmittance": rgb(tint)}
    frosted = 0.4 if kind in (Kind.SHIELD, Kind.RELIC) else 0.1
    if rng.random() < frosted:
        clear |= {"type": "roughdielectric", "alpha": float(rng.uniform(0.03, 0.25))}
    return _cast(clear, kind, colour, rng) if rng.random() < 0.8 else clear


def _cast(clear: Look, kind: Kind, colour: Floats, rng: np.random.Generator) -> Look:
    """Make cast resin of clear glass: a little milky and worn at its edges, so that black cloth shows it."""
    # Clear gems stay dark in the middle on black cloth: photographed ones are no milkier than this.
    least, most = (0.003, 0.04) if kind is Kind.GEM_CLEAR else (0.02, 0.3)
    haze = np.exp(rng.uniform(np.log(least), np.log(most)))
    tile = 64
    face = np.full((tile, tile), haze)
    if rng.random() < 0.8:
        worn = int(tile * rng.uniform(0.04, 0.17))
        face[:worn] = face[-worn:] = face[:, :worn] = face[:, -worn:] = rng.uniform(0.2, 0.95)
    return _milky(clear, np.tile(face, (2, 3)), colour ** rng.uniform(0.5, 1.0))


def _lit(colour: Floats, rng: np.random.Generator) -> Look:
    """Make a gem of clear glass whose sides gather light: a dark top in a bright frame as broad as they look.

    On black cloth photographed gems are like this, from hardly brighter than the cloth to white. Seen through
    the top the sides are its frame, seen from beside they are bright as a whole.
    """
    tile = 64
    top, sides = (np.exp(rng.uniform(*np.log(span))) for span in ((0.003, 0.08), (0.05, 0.9)))
    sheet = np.full((2 * tile, 3 * tile), sides)
    sheet[:, :tile] = top
    # Light gathers towards edges.
    across = np.abs(np.linspace(-1, 1, tile))
    edge = np.maximum(across[:, None], across[None]) ** rng.uniform(2, 12)
    sheet += rng.uniform(0, 0.6) * np.tile(edge, (2, 3))
    clear: Look = {
        "type": "dielectric",
        "int_ior": float(rng.uniform(1.42, 1.58)),
        "specular_transmittance": rgb(np.sqrt(colour)),
    }
    return _milky(clear, sheet.clip(0.0, 0.95), colour ** rng.uniform(0.4, 1.0))


def _milky(clear: Look, weight: Floats, colour: Floats) -> Look:
    """Return glass of which a part, (H, W) over its faces, is milk of a colour."""
    return {
        "type": "blendbsdf",
        "weight": picture(weight[:, :, None]),
        "clear": clear,
        "milk": {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": rgb(colour)}},
    }


def _printed(faces: Floats, rng: np.random.Generator) -> Look:
    return _plastic(picture(faces), rng.uniform(0.25, 0.7), rng.uniform(0.1, 0.5))


def die_faces(rng: np.random.Generator) -> Floats:
    """Draw the six faces of a chest: dark red in a gold frame, gold pips, a chest instead of the one."""
    tile = 96
    red = _near((0.30, 0.012, 0.015), 0.3, rng)
    gold = _near((0.72, 0.42, 0.13), 0.15, rng)
    pips = gold if rng.random() < 0.6 else _near((0.8, 0.7, 0.45), 0.1, rng)
    frame = int(tile * rng.uniform(0.06, 0.13))
    radius = int(tile * rng.uniform(0.06, 0.1))
    spots = {
        2: [(0.27, 0.27), (0.73, 0.73)],
        3: [(0.25, 0.25), (0.5, 0.5), (0.75, 0.75)],
        4: [(0.28, 0.28), (0.72, 0.28), (0.28, 0.72), (0.72, 0.72)],
        5: [(0.26, 0.26), (0.74, 0.26), (0.26, 0.74), (0.74, 0.74), (0.5, 0.5)],
        6: [(0.28, 0.24), (0.28, 0.5), (0.28, 0.76), (0.72, 0.24), (0.72, 0.5), (0.72, 0.76)],
    }
    sheet = np.zeros((2 * tile, 3 * tile, 3), np.float32)
    for face in range(6):
        image = np.empty((tile, tile, 3), np.float32)
        image[:] = gold
        cv2.rectangle(image, (frame, frame), (tile - frame, tile - frame), red.tolist(), -1)
        if face == 0:
            _draw_chest(image, tile, frame, gold.tolist(), red.tolist(), rng)
        for x, y in spots.get(face + 1, []):
            inset = 0.5 + (np.array([x, y]) - 0.5) * (1 - 2 * frame / tile)
            cv2.circle(image, tuple(int(c) for c in inset * tile), radius, pips.tolist(), -1, cv2.LINE_AA)
        row, column = divmod(face, 3)
        sheet[row * tile : (row + 1) * tile, column * tile : (column + 1) * tile] = image
    return sheet.astype(np.float64)


def _draw_chest(
    image: np.ndarray[Any, Any],
    tile: int,
    frame: int,
    gold: list[float],
    red: list[float],
    rng: np.random.Generator,
) -> None:
    """A lid, a band and a lock: two gold strokes across and a spot between them."""
    lid = int(tile * rng.uniform(0.36, 0.46))
    thick = int(tile * rng.uniform(0.05, 0.1))
    cv2.line(image, (frame, lid), (tile - frame, lid), gold, thick)
    if rng.random() < 0.5:
        for x in (0.3, 0.7):
            cv2.line(image, (int(tile * x), frame), (int(tile * x), tile - frame), gold, max(2, thick // 2))
    cv2.rectangle(image, (int(tile * 0.42), lid), (int(tile * 0.58), lid + int(tile * 0.18)), gold, -1)
    cv2.circle(image, (tile // 2, lid + int(tile * 0.09)), int(tile * 0.03), red, -1)


PILLARS: Final = (_satin, _pearl, _alabaster)
PILLAR_SHARES: Final = (0.4, 0.35, 0.25)
