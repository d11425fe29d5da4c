"""Who takes the picture, as mirrors on the table show them: a phone, hands that hold it, head and chest."""

from __future__ import annotations

from typing import Any, Final

import mitsuba as mi
import numpy as np

from calibration.simulation.looks import rgb
from calibration.simulation.views import View
from vision.pictures import Floats

# Nobody leans nearer to the table's middle; who would be in the picture stands back by so much at a time.
LEAST_AWAY_MM: Final = 400.0
BACK_MM: Final = 40.0


def onlooker(view: View, rng: np.random.Generator) -> dict[str, Any]:
    """Return somebody behind the camera, on the side that is down in the picture; dark clothes more often."""
    back = view.at_mm - view.look_mm
    back = back / np.linalg.norm(back)
    towards = -np.array([*view.up[:2], 0.0])
    towards /= np.linalg.norm(towards)
    across = np.cross(back, towards)
    across /= np.linalg.norm(across)
    clothes = np.exp(rng.uniform(np.log(0.02), np.log(0.4))) * np.exp(rng.normal(0, 0.2, 3))
    skin = np.array([0.5, 0.3, 0.22]) * np.exp(rng.uniform(-1.6, 0.3))
    shoulders = float(view.at_mm[2] + rng.uniform(-150, 120))
    broad = float(rng.uniform(130, 190))
    # The camera is held before the chest.
    away = max(LEAST_AWAY_MM, float(view.at_mm @ towards) + broad + rng.uniform(60, 250))
    while _in_picture(view, towards * (away - broad), across * broad, shoulders):
        away += BACK_MM
    chest = towards * away
    head = view.at_mm + back * rng.uniform(130, 320) + towards * rng.uniform(20, 260)
    person = {
        "chest": _limb(chest, chest + np.array([0, 0, shoulders]), broad, clothes),
        "head": _ball(head, rng.uniform(85, 120), skin),
    }
    # Webcams stand on their own.
    if rng.random() < 0.75:
        phone = view.at_mm + back * 8.0
        person["phone"] = _phone(view, phone, float(rng.uniform(33, 42)), float(rng.uniform(68, 84)), rng)
        for side, name in ((-1.0, "left"), (1.0, "right")):
            hand = phone + back * 25 + across * side * rng.uniform(50, 90)
            shoulder = chest + across * side * 170 + np.array([0, 0, shoulders])
            person[name] = _limb(hand, shoulder, rng.uniform(30, 50), clothes)
    return person


def _in_picture(view: View, front: Floats, aside: Floats, top: float) -> bool:
    """Tell whether a chest is seen whose front stands there, so broad to either side and so high."""
    spots = np.array(
        [front + side * aside + [0, 0, up] for side in (-1, 0, 1) for up in np.linspace(0, top, 8)]
    )
    before = (spots - view.at_mm) @ (view.look_mm - view.at_mm) > 0
    places = view.to_pixels(spots[before])
    return bool(((places > 0) & (places < np.array(view.size_px))).all(axis=1).any())


def _phone(view: View, at: Floats, half: float, half_long: float, rng: np.random.Generator) -> dict[str, Any]:
    to_world = mi.ScalarTransform4f().look_at(
        origin=at.tolist(), target=view.look_mm.tolist(), up=view.up.tolist()
    )
    sides = [half_long, half, 4.0] if rng.random() < 0.5 else [half, half_long, 4.0]
    return {
        "type": "cube",
        "to_world": to_world.scale(sides),
        "bsdf": _cloth(np.full(3, np.exp(rng.uniform(np.log(0.01), np.log(0.5))))),
    }


def _ball(at: Floats, radius: float, colour: Floats) -> dict[str, Any]:
    return {"type": "sphere", "center": at.tolist(), "radius": float(radius), "bsdf": _cloth(colour)}


def _limb(start: Floats, end: Floats, radius: float, colour: Floats) -> dict[str, Any]:
    return {
        "type": "cylinder",
        "p0": start.tolist(),
        "p1": end.tolist(),
        "radius": float(radius),
        "bsdf": {"type": "twosided", "bsdf": _cloth(colour)},
    }


def _cloth(colour: Floats) -> dict[str, Any]:
    return {"type": "diffuse", "reflectance": rgb(colour)}
