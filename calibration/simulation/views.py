"""The simulated camera: where it is, and where it sees points of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mitsuba as mi
import numpy as np

from vision.pictures import Floats


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A camera without a lens: *at_mm*, *look_mm* and *up* (3,), focal length and picture size in pixels."""

    at_mm: Floats
    look_mm: Floats
    up: Floats
    focal_px: float
    size_px: tuple[int, int]

    def to_pixels(self, points_mm: Floats) -> Floats:
        """Return where points (N, 3) are seen, in pixels whose first is at (0, 0) in its middle."""
        forward = self.look_mm - self.at_mm
        forward = forward / np.linalg.norm(forward)
        right = np.cross(forward, self.up)
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        away = points_mm - self.at_mm
        depth = away @ forward
        width, height = self.size_px
        x = self.focal_px * (away @ right) / depth + (width - 1) / 2
        y = self.focal_px * (away @ down) / depth + (height - 1) / 2
        return np.stack((x, y), axis=1)

    def sensor(self, samples: int, seed: int) -> dict[str, Any]:
        """Return the renderer's words for it."""
        width, height = self.size_px
        return {
            "type": "perspective",
            "fov": float(np.degrees(2 * np.arctan(width / 2 / self.focal_px))),
            "fov_axis": "x",
            "near_clip": 10.0,
            "far_clip": 10000.0,
            "to_world": mi.ScalarTransform4f().look_at(
                origin=self.at_mm.tolist(), target=self.look_mm.tolist(), up=self.up.tolist()
            ),
            "film": {
                "type": "hdrfilm",
                "width": width,
                "height": height,
                "pixel_format": "rgb",
                # Pixels that share no light paths: then noise can be told from what is there.
                "rfilter": {"type": "box"},
            },
            "sampler": {"type": "independent", "sample_count": samples, "seed": seed},
        }


def random_view(size_px: tuple[int, int], px_per_mm: float, rng: np.random.Generator) -> View:
    """Return a camera 40 to 120 cm away, tilted 0 to 55 degrees; the table's middle has this scale."""
    away = rng.uniform(400, 1200)
    tilt = np.radians(rng.uniform(0, 55) if rng.random() < 0.8 else rng.uniform(0, 10))
    around = rng.uniform(0, 2 * np.pi)
    look = np.array([*rng.normal(0, 10, 2), 0.0])
    beside = np.array([np.cos(around), np.sin(around), 0.0])
    at = look + away * (np.sin(tilt) * beside + np.cos(tilt) * np.array([0, 0, 1.0]))
    return View(at, look, -beside + np.array([0, 0, 0.05]), px_per_mm * away, size_px)
