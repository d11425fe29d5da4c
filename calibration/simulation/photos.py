"""Whole photographs of simulated tables, with a lens that bends, as test pictures with their truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.simulation.develop import CameraSettings, develop
from calibration.simulation.tables import Rendered
from calibration.simulation.truth import truth_of
from vision.lens import bend, straighten
from vision.pictures import Floats

BEND_SPREAD: Final = 0.02
# Test pictures are what people would keep: not as bad as what networks are taught with.
ORDINARY: Final = CameraSettings(
    cast=0.06,
    balances=(0.8, 0.1, 0.03, 0.07),
    mean_light=(0.12, 0.3),
    white_light=(0.5, 1.1),
    saturation=(0.85, 1.2),
    contrast=(0.0, 0.3),
    blur_px=(0.3, 1.0),
    photons=(1500.0, 9000.0),
    jpeg=(75, 94),
)


def write_photo(rendered: Rendered, path: Path, seed: int) -> None:
    """Write a photograph and beside it its truth, the truth last: a picture with truth is complete."""
    rng = np.random.default_rng((seed, 77))
    amount = float(rng.normal(0, BEND_SPREAD))
    size = rendered.view.size_px
    layers = np.stack([_bent(layer, size, amount) for layer in rendered.lights.calm])
    frame = develop(layers, 1.0, rng, ORDINARY)
    _, packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 90])
    path.with_suffix(".jpg").write_bytes(packed.tobytes())
    truth = {"image": f"{path.stem}.jpg", "bend": amount, **_bent_truth(truth_of(rendered), size, amount)}
    path.with_suffix(".json").write_text(json.dumps(truth))


def _bent(layer: Any, size: tuple[int, int], amount: float) -> Any:
    width, height = size
    y, x = np.mgrid[:height, :width].astype(np.float64)
    points = np.stack((x.ravel(), y.ravel()), axis=1)
    straight = straighten(points, size, amount).astype(np.float32).reshape(height, width, 2)
    across, down = straight[:, :, 0], straight[:, :, 1]
    bent = cv2.remap(layer, across, down, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT_101)
    return np.maximum(bent, 0.0)


def _bent_truth(truth: dict[str, Any], size: tuple[int, int], amount: float) -> dict[str, Any]:
    cubes = []
    for cube in truth["cubes"]:
        outline: Floats = bend(np.array(cube["outline_px"]), size, amount)
        centre: Floats = bend(np.array([cube["centre_px"]]), size, amount)[0]
        cubes.append({**cube, "outline_px": outline.round(2).tolist(), "centre_px": centre.round(2).tolist()})
    return {**truth, "cubes": cubes}
