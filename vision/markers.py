"""Finding the marker cards in a picture, with their corners to a fraction of a pixel."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np

from vision.marker_edges import EdgeSettings, refine_corners
from vision.pictures import Floats, FrameGray

# Fixed, so that printed cards keep working: four squares of this dictionary, 40 mm, on white cards of 56 mm.
DICTIONARY = cv2.aruco.DICT_4X4_50
IDS = (0, 1, 2, 3)
MARKER_MM = 40.0
CARD_MM = 56.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerSettings:
    """How markers are looked for.

    Attributes:
        smallest_share: of the picture's longer side, the least perimeter of a marker: OpenCV's own value,
            where a 40 mm square seen by a webcam from two metres still has three times that.
        longest_px: they are looked for in a picture whose longer side is made no longer than this, and
            measured in the whole one.
        edges: how their edges are measured.
    """

    smallest_share: float = 0.03
    longest_px: int = 4096
    edges: EdgeSettings = field(default_factory=EdgeSettings)


@dataclass(frozen=True, slots=True, eq=False)
class Marker:
    """A marker card that was seen; *corners_px* has shape (4, 2), clockwise from the marker's top left."""

    id: int
    corners_px: Floats

    @property
    def side_px(self) -> float:
        """The mean length of its sides."""
        sides = self.corners_px - np.roll(self.corners_px, 1, axis=0)
        return float(np.hypot(sides[:, 0], sides[:, 1]).mean())


@cache
def _detector(settings: MarkerSettings) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    parameters.minMarkerPerimeterRate = settings.smallest_share
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters)


def find_markers(frame: FrameGray, settings: MarkerSettings | None = None) -> tuple[Marker, ...]:
    """Find the marker cards, ordered by id; of two with one id (a reflection) the larger is kept.

    Raises:
        ValueError: *frame* is not a grey picture.
    """
    if frame.ndim != 2 or frame.dtype != np.uint8:
        raise ValueError(f"expected a grey picture of bytes, got {frame.dtype} of shape {frame.shape}")
    settings = settings or MarkerSettings()
    if min(frame.shape) < 16:
        return ()
    small, scale = _shrunk(frame, settings.longest_px)
    corners, ids, _ = _detector(settings).detectMarkers(small)
    found: dict[int, Marker] = {}
    for name, quad in zip(() if ids is None else ids.ravel(), corners, strict=True):
        id = int(name)
        there = (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) * scale - 0.5
        marker = Marker(id, refine_corners(frame, there, settings.edges))
        if id in IDS and (id not in found or found[id].side_px < marker.side_px):
            found[id] = marker
    return tuple(found[id] for id in sorted(found))


def _shrunk(frame: FrameGray, longest_px: int) -> tuple[FrameGray, Floats]:
    """Return the picture no longer than this, and how many times as wide and high the whole one is."""
    height, width = frame.shape
    share = longest_px / max(height, width)
    if share >= 1.0:
        return frame, np.ones(2)
    size = (max(16, round(width * share)), max(16, round(height * share)))
    small = cv2.resize(frame, size, interpolation=cv2.INTER_AREA if share < 0.5 else cv2.INTER_LINEAR)
    return np.asarray(small, np.uint8), np.array([width / size[0], height / size[1]])
