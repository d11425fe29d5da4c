"""From a scene to light: every lamp on its own, once as few light paths show it and once without their noise.

Few light paths leave speckles, in glass and pearl most. Real pieces have none, so a network that only sees
speckles learns to tell kinds by them; renderings by others have some, so it has to know them too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import mitsuba as mi
import mitsuba_oidn
import numpy as np

from calibration.simulation.develop import Light
from calibration.simulation.views import View

# Enough to see through two glass cubes standing behind each other.
BOUNCES: Final = 9
# Colours and slopes of what is seen first, by which the denoiser knows edges, are nearly free of noise.
GUIDE_SAMPLES: Final = 8
# Single paths that found a lamp through a gem are far brighter than anything a camera keeps.
BRIGHTEST: Final = 60.0


@dataclass(frozen=True, slots=True, eq=False)
class Lights:
    """Linear light of every emitter, shape (L, H, W, 3): without noise, and what the noise adds to it."""

    calm: Light
    speckles: Light


def render_lights(
    things: dict[str, Any], emitters: list[dict[str, Any]], view: View, samples: int, seed: int
) -> Lights:
    """Render everything on the table under one emitter after the other.

    Args:
        things: the renderer's words for shapes and what they are made of.
        samples: light paths for each pixel and emitter.
    """
    guide = _rendered(
        {"type": "aov", "aovs": "colour:albedo,slope:sh_normal"},
        {"light": emitters[0], **things},
        view,
        GUIDE_SAMPLES,
        seed,
    )
    colour, slope = (np.ascontiguousarray(guide[:, :, part]) for part in (slice(-6, -3), slice(-3, None)))
    paths = {"type": "path", "max_depth": BOUNCES, "rr_depth": 5}
    calm, speckles = [], []
    for number, emitter in enumerate(emitters):
        noisy = _rendered(paths, {"light": emitter, **things}, view, samples, seed + 7919 * number)
        noisy = noisy.clip(0.0, BRIGHTEST)
        clean = mitsuba_oidn.denoise(noisy, albedo=colour.clip(0, 1), normal=slope.clip(-1, 1), hdr=True)
        calm.append(np.asarray(clean, np.float32))
        speckles.append(noisy - calm[-1])
    return Lights(np.stack(calm), np.stack(speckles))


def _rendered(
    integrator: dict[str, Any], things: dict[str, Any], view: View, samples: int, seed: int
) -> np.ndarray[Any, np.dtype[np.float32]]:
    seed %= 2**31
    scene = mi.load_dict(
        {"type": "scene", "integrator": integrator, "sensor": view.sensor(samples, seed), **things}
    )
    return np.nan_to_num(np.array(mi.render(scene, seed=seed), np.float32))
