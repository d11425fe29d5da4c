"""The networks of the scanner that OpenCV runs, read once: spotter and judge.

They were taught on simulated tables by `python -m calibration.training`; docs/training.md says how.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Floats32 = npt.NDArray[np.float32]
# So many patches at once stay in a processor's cache: 16 take 0.7 ms each, 40 or 62 take 0.8 to 1.0.
AT_ONCE: Final = 16


class Network:
    """A network that may be used by one thread at a time."""

    def __init__(self, name: str, folder: Path | None = None) -> None:
        """Read a network of the scanner, or one that was taught into another *folder*."""
        place = folder or files("vision").joinpath("weights")
        data = place.joinpath(f"{name}.onnx").read_bytes()
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))

    def __call__(self, pictures: npt.NDArray[np.uint8]) -> Floats32:
        """Return what it says of pictures, shape (N, H, W, 3)."""
        blob = np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), np.float32)
        blob *= np.float32(1 / 255)
        said = []
        for start in range(0, len(blob), AT_ONCE):
            self._net.setInput(blob[start : start + AT_ONCE])
            said.append(np.array(self._net.forward(), np.float32))
        return np.concatenate(said)
