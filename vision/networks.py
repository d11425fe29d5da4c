"""The networks of the scanner that OpenCV runs, read once: spotter and judge.

They were taught on simulated tables by `python -m calibration.training`; docs/training.md says how.
"""

from __future__ import annotations

from importlib.resources import files

import cv2
import numpy as np
import numpy.typing as npt

Floats32 = npt.NDArray[np.float32]


class Network:
    """A network that may be used by one thread at a time."""

    def __init__(self, name: str) -> None:
        data = files("vision").joinpath("weights", f"{name}.onnx").read_bytes()
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))

    def __call__(self, pictures: npt.NDArray[np.uint8]) -> Floats32:
        """Return what it says of pictures, shape (N, H, W, 3)."""
        blob = np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), np.float32)
        blob *= np.float32(1 / 255)
        self._net.setInput(blob)
        return np.asarray(self._net.forward(), np.float32)
