"""Scans for tests: a camera straight above a table, so that every position can be told by hand."""

import numpy as np

from vision.pieces import SIDE_MM, Kind, Size
from vision.plane import TablePlane
from vision.seen import Scan, SeenCube, Source

PX_PER_MM = 3.0
SIZE_PX = (640, 480)
CORNERS = np.array([(-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)])


def a_plane(markers=(0, 1, 3), size_px=SIZE_PX, px_per_mm=PX_PER_MM):
    x, y = (side / 2 for side in size_px)
    to_picture = np.array([(px_per_mm, 0.0, x), (0.0, -px_per_mm, y), (0.0, 0.0, 1.0)])
    return TablePlane(to_picture, np.array([0.0, 0.0, 500.0]), 1500.0, size_px, 0.0, markers, 0.1, ())


def a_seen_cube(id, kind, x, y, *, size="small", confidence=0.97, plane=None):
    """See a cube whose base is at (x, y) mm; the middle of the table is in the middle of the picture."""
    plane, half = plane or a_plane(), SIDE_MM[Size(size)] * CORNERS
    base = np.array([x, y]) + half
    return SeenCube(
        id=id,
        kind=Kind(kind),
        size=Size(size),
        confidence=confidence,
        outline_px=plane.to_pixels(base, SIDE_MM[Size(size)]),
        centre_px=plane.to_pixels(np.array([(x, y)]), SIDE_MM[Size(size)] / 2)[0],
        centre_mm=np.array([x, y], float),
        footprint_mm=base,
        accuracy_mm=0.4567,
    )


def a_scan(*cubes, source=Source.MARKERS, size_px=SIZE_PX, markers=(0, 1, 3), warnings=()):
    plane = a_plane(markers, size_px)
    return Scan(size_px, source, plane, PX_PER_MM, tuple(cubes), tuple(warnings))


def one_room():
    """Return three pillars around a gold and a goblin, and a gem outside."""
    return (
        a_seen_cube(0, "pillar", -60, -40),
        a_seen_cube(1, "pillar", 60, -40, size="large"),
        a_seen_cube(2, "pillar", 0, 60),
        a_seen_cube(3, "gold", 0, 0, size="large"),
        a_seen_cube(4, "goblin", 15.1234, -5.4321, confidence=0.6154),
        a_seen_cube(5, "gem_pink", -80, 60),
    )


class RoomScanner:
    """Sees one room with a cube too close to call in every photo, as large as the photo is."""

    def scan(self, frame, *, focal_px=None, profile=None, solo=True):
        return a_scan(*self.cubes(frame), size_px=(frame.shape[1], frame.shape[0]))

    def cubes(self, frame):
        return (*one_room(), a_seen_cube(6, "gold", 0, -47.8))
