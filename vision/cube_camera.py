"""A camera above a table in five numbers, as it is fitted where no marker card tells it.

Tilt about the picture's x and y in radians; scale, the logarithm of focal length in pixels by height in
millimetres; the logarithm of the focal length; the bend of the lens. The table's origin is in the middle of
the picture, and its axes are turned as the picture is: cubes do not tell more.
"""

from __future__ import annotations

from math import exp, log

import cv2
import numpy as np
from scipy.spatial.transform import Rotation

from vision.pictures import Floats
from vision.plane import PlaneSettings, TablePlane

SCALE = 2
FOCAL = 3
BEND = 4
AXES = np.eye(5)
# A table seen from above: the picture's y goes down, and up is towards the camera.
_LEVEL = np.diag([1.0, -1.0, -1.0])


def turns(values: Floats) -> Floats:
    """Return the table's x, y and up as cameras (B, 5) see them, (B, 3, 3); theirs is y down and z ahead."""
    tilts = np.column_stack((values[:, :2], np.zeros(len(values))))
    return np.asarray(Rotation.from_rotvec(tilts).as_matrix() @ _LEVEL, np.float64)


def plane_of(values: Floats, size_px: tuple[int, int], off_px: float) -> TablePlane:
    """Return the plane that a camera (5,) sees; cubes fit it by so many pixels."""
    focal, turn = exp(values[FOCAL]), turns(values[None])[0]
    lens = np.array([(focal, 0.0, (size_px[0] - 1) / 2), (0.0, focal, (size_px[1] - 1) / 2), (0.0, 0.0, 1.0)])
    place = np.array([0.0, 0.0, focal * exp(-values[SCALE]) / -turn[2, 2]])
    to_picture = lens @ np.column_stack((turn[:, :2], place))
    return TablePlane(to_picture, -turn.T @ place, focal, size_px, float(values[BEND]), (), off_px, ())


def values_of(plane: TablePlane) -> Floats:
    """Return the numbers (5,) of a plane that `plane_of` made, possibly scaled since."""
    focal = plane.focal_px
    lens = np.array(
        [
            (focal, 0.0, (plane.size_px[0] - 1) / 2),
            (0.0, focal, (plane.size_px[1] - 1) / 2),
            (0.0, 0.0, 1.0),
        ]
    )
    x, y = (np.linalg.inv(lens) @ plane.to_picture)[:, :2].T
    x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
    turn = np.column_stack((x, y, np.cross(x, y))) @ _LEVEL
    tilt = cv2.Rodrigues(turn)[0][:2, 0]
    return np.array([*tilt, log(focal / plane.camera_mm[2]), log(focal), plane.bend])


def usual(
    size_px: tuple[int, int], focal_px: float | None, tilt_spread: float, camera: PlaneSettings
) -> tuple[Floats, Floats]:
    """Return what is expected of the five numbers and its spreads; nothing is expected of the scale.

    Args:
        focal_px: what the photograph says of its focal length, if it does.
    """
    focal = log(focal_px or camera.focal * max(size_px))
    focal_spread = camera.known_focal_spread if focal_px else camera.focal_spread
    spreads = np.array([tilt_spread, tilt_spread, np.inf, focal_spread, camera.bend_spread])
    return AXES[FOCAL] * focal, spreads
