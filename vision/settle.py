"""The table's plane settled by edges: where no marker card is, camera and cubes are moved together.

The judge sees outlines to about a twentieth of a cube, and the plane that they tell is off by a millimetre or
two at the rim of a picture. Edges of cubes are seen in the picture to a fraction of a pixel (`vision.edges`).
How a cube's outline is shaped tells how the camera stands, wherever the cube itself may be: so the places of
all cubes are fitted along with the camera, and taken out of what is solved.

Cubes have rounded rims, which are seen a little inside of where they would meet, and shadows at their feet.
How far inside is fitted too, for edges of tops, of bases and between them: or all cubes would look small.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log

import numpy as np

from vision.boxes import Boxes, corners_px
from vision.cube_camera import AXES, BEND, FOCAL, plane_of, values_of
from vision.edges import MeetSettings, Outlines, judge_unsure, outlines_of, pose_slopes, seen_off
from vision.pictures import Floats, FrameBGR, Indices
from vision.pieces import SIDE_MM, SIZES
from vision.plane import TablePlane

# What is fitted of a camera, and how far inside edges are seen: of bases, upright ones, of tops.
_CAMERA = len(AXES)
_INSETS = 3
# The first corner of a top among the eight of a cube.
_TOP = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleSettings:
    """How camera and cubes are moved.

    Attributes:
        tilt_spread: how well outlines tell the tilt, a standard deviation in radians: 2 to 7 degrees.
        level_spread: people hold cameras level, along the table's edge or across it: of its two tilts the
            lesser is about 0, in radians.
        askew: as far from level as this it was not held so: on an arm above a corner, or from there.
        scale_spread: how well they tell the scale, a logarithm: edges tell it worse, for they are inside.
        focal_spread: how well they tell the focal length, a logarithm.
        known_focal_spread: the same if the photograph says it.
        bend_spread: how much lenses bend; phones and webcams stay within a few per cent.
        inset_mm: how far inside edges are seen, a standard deviation: 0.2 and less on rendered pictures.
        edges: how edges are looked for, from four points on each: six tell the camera hardly better.
        steps: how often everything is moved and looked at again; with 3 places get 4 % better.
        fewest: three cubes and fewer tell less than is fitted.
        wrong_together: points of one edge are not wrong independently of each other, so that each counts
            as so many times as unsure.
        huber: misses beyond this many times the noise count less. The usual value.
    """

    tilt_spread: float = 0.1
    level_spread: float = 0.03
    askew: float = 0.1
    scale_spread: float = 0.01
    focal_spread: float = 0.25
    known_focal_spread: float = 0.05
    bend_spread: float = 0.03
    inset_mm: float = 0.3
    edges: MeetSettings = field(default_factory=lambda: MeetSettings(points=4))
    steps: int = 2
    fewest: int = 4
    wrong_together: float = 2.5
    huber: float = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """What P points on the edges of M cubes show.

    Attributes:
        outlines: of the cubes, with the points.
        off: shape (P,), how much further out than expected they are seen, in pixels.
        trust: shape (P,), one by the square of how surely.
        own: shape (P, 3), how far out they go by the cube's own place and turn.
        shared: shape (P, 8), the same by the camera and the insets.
    """

    outlines: Outlines
    off: Floats
    trust: Floats
    own: Floats
    shared: Floats


def settled(
    frame: FrameBGR,
    plane: TablePlane,
    boxes: Boxes,
    which: Indices,
    sizes: Indices,
    focal_px: float | None = None,
    settings: SettleSettings | None = None,
) -> TablePlane:
    """Return the plane that the edges of some boxes tell, each as one size.

    Args:
        plane: as `vision.cube_plane` told it.
        focal_px: what the photograph says of its focal length, if it does.
    """
    settings = settings or SettleSettings()
    if len(which) < settings.fewest:
        return plane
    camera = values_of(plane)
    expected = np.concatenate((camera, np.zeros(_INSETS)))
    focal_spread = settings.known_focal_spread if focal_px else settings.focal_spread
    spreads = np.array(
        [
            settings.tilt_spread,
            settings.tilt_spread,
            settings.scale_spread,
            focal_spread,
            settings.bend_spread,
            *[settings.inset_mm] * _INSETS,
        ]
    )
    # Outlines hardly tell a bend, and most lenses have next to none.
    expected[BEND] = 0.0
    if focal_px:
        expected[FOCAL] = log(focal_px)
    lesser = int(np.abs(camera[:2]).argmin())
    # Tukey's weight: the farther from level outlines tell it to be, the less it was held so.
    level = max(0.0, 1.0 - (camera[lesser] / settings.askew) ** 2) / settings.level_spread
    spreads[lesser] = (settings.tilt_spread**-2 + level**2) ** -0.5
    expected[lesser] *= (spreads[lesser] / settings.tilt_spread) ** 2
    values = np.concatenate((camera, np.zeros(_INSETS)))
    side = np.array([SIDE_MM[SIZES[size]] for size in sizes])
    pose = np.column_stack((boxes.centre_mm[which, sizes], boxes.yaw[which, sizes]))
    for _ in range(settings.steps):
        seen = _looked(frame, plane, values, pose, side, settings)
        pull = (expected - values) / spreads**2
        change, moved = _solved(seen, seen.trust, pull, spreads)
        misses = np.abs(seen.off - seen.shared @ change - (seen.own * moved[seen.outlines.cube]).sum(axis=1))
        unsure = np.sqrt(1 / np.maximum(seen.trust, 1e-12)) / settings.wrong_together
        heeded = settings.huber / np.maximum(misses / unsure, settings.huber)
        change, moved = _solved(seen, seen.trust * heeded, pull, spreads)
        # What is linear only nearby is not followed far.
        values, pose = values + np.clip(change, -0.1, 0.1), pose + moved
    if not (np.isfinite(values).all() and np.isfinite(pose).all()):
        return plane
    return plane_of(values[:_CAMERA], plane.size_px, plane.off_px)


def _looked(
    frame: FrameBGR, plane: TablePlane, values: Floats, pose: Floats, side: Floats, settings: SettleSettings
) -> _Seen:
    """Look for the edges of cubes that stand so, seen by a camera with such insets (8,)."""
    tiny = 1e-4
    camera, insets = values[:_CAMERA], values[_CAMERA:]
    now = plane_of(camera, plane.size_px, plane.off_px)
    outlines = outlines_of(now, pose, side, settings.edges)
    inside = _insides(now, pose, side, outlines)
    unsure = judge_unsure(outlines, settings.edges)
    off, trust = seen_off(frame, outlines, unsure, settings.edges, inside @ insets)
    moved = (plane_of(camera + tiny * axis, plane.size_px, plane.off_px) for axis in AXES)
    by_camera = np.stack([outlines.outward(corners_px(other, pose, side)) / tiny for other in moved], axis=1)
    return _Seen(
        outlines,
        off,
        trust / settings.wrong_together**2,
        pose_slopes(now, pose, side, outlines),
        np.concatenate((by_camera, inside), axis=1),
    )


def _insides(plane: TablePlane, pose: Floats, side: Floats, outlines: Outlines) -> Floats:
    """Return how far out, in pixels, points go per millimetre of each inset, shape (P, 3): inwards."""
    per_mm = np.max(
        [
            np.linalg.norm(corners_px(plane, pose + step, side) - outlines.corners, axis=2).mean(axis=1)
            for step in np.eye(3)[:2]
        ],
        axis=0,
    )
    tops = (outlines.start >= _TOP).astype(np.intp) + (outlines.end >= _TOP)
    return np.asarray(-per_mm[outlines.cube, None] * np.eye(_INSETS)[tops], np.float64)


def _solved(seen: _Seen, weight: Floats, pull: Floats, spreads: Floats) -> tuple[Floats, Floats]:
    """Return how to change camera and insets (8,), and the cubes' places and turns (M, 3).

    Those concern one cube each, so they are taken out before the others are solved for.
    """
    summed = seen.outlines.summed
    own, shared = seen.own * weight[:, None], seen.shared * weight[:, None]
    # A cube of which no edge is seen stays where it is.
    block = summed(own[:, :, None] * seen.own[:, None]) + 1e-6 * np.eye(3)
    own_pull = summed(own * seen.off[:, None])
    both = summed(own[:, :, None] * seen.shared[:, None])
    inner = np.linalg.solve(block, np.concatenate((both, own_pull[:, :, None]), axis=2))
    by_shared, by_pull = inner[:, :, :-1], inner[:, :, -1]
    normal = shared.T @ seen.shared + np.diag(spreads**-2) - np.einsum("mij,mik->jk", both, by_shared)
    change = np.linalg.solve(normal, shared.T @ seen.off + pull - np.einsum("mij,mi->j", both, by_pull))
    return change, by_pull - by_shared @ change
