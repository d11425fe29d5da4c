"""The kinds of pictures and arrays the stages pass to each other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# Colour as OpenCV reads it, shape (H, W, 3); grey, shape (H, W).
FrameBGR = npt.NDArray[np.uint8]
FrameGray = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
