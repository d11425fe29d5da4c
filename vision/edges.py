"""Cubes moved to the edges that the picture shows.

The judge sees outlines to about a twentieth of a cube. Where a cube stands out from the table, its edges are
in the picture itself, to a fraction of a pixel: from points along each edge of the outline the steepest
change of colour is looked for, a little inwards and outwards, and the cube is moved and turned to meet them.
Where nothing is to be seen, as with glass or behind another cube, the judge's word stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.boxes import Boxes, corners_px
from vision.hiding import hidden
from vision.pictures import Floats, FrameBGR, Indices, Mask
from vision.pieces import SIDE_MM, SIZES
from vision.plane import TablePlane
from vision.silhouettes import ENDS, STARTS, on_outline, outward


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetSettings:
    """How edges are looked for.

    Attributes:
        points: looked from on each edge, its ends left out: they are rounded.
        outward: how many places are looked at on either side.
        judge_share: how far off the judge usually is, as a share of the reach; edges are looked for within
            two and a half times that.
        judge_px: the same at least.
        contrast: a change of colour from one place to the next, of 255, that is believed by half.
        least_px: how well an edge can be met at best.
        steps: how often the cube is moved and looked at again.
    """

    points: int = 6
    outward: int = 5
    judge_share: float = 0.06
    judge_px: float = 0.4
    contrast: float = 6.0
    least_px: float = 0.35
    steps: int = 2


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """Outlines of standing cubes in the picture, and points on their edges.

    Attributes:
        corners: shape (M, 8, 2), of the cubes.
        cube, start, end: shape (P,), whose each point is, cube by cube, and between which two corners.
        along: shape (P,), how far from start to end.
        normals: shape (P, 2), directions out of the outlines.
        hidden: shape (P,), whether each is behind a cube that stands nearer to the camera.
    """

    corners: Floats
    cube: Indices
    start: Indices
    end: Indices
    along: Floats
    normals: Floats
    hidden: Mask

    def places(self, corners: Floats) -> Floats:
        """Return where the points are, shape (P, 2), if the corners are here (M, 8, 2)."""
        return _between(corners, self.cube, self.start, self.end, self.along)

    def outward(self, corners: Floats) -> Floats:
        """Return how far out the points go, in pixels (P,), if the corners move here (M, 8, 2)."""
        return np.asarray((self.places(corners - self.corners) * self.normals).sum(axis=1), np.float64)

    def summed(self, rows: Floats) -> Floats:
        """Return rows (P, ...) added up for each cube, shape (M, ...)."""
        first = np.flatnonzero(np.diff(self.cube, prepend=-1))
        return np.asarray(np.add.reduceat(rows, first, axis=0), np.float64)


def met(
    frame: FrameBGR,
    plane: TablePlane,
    boxes: Boxes,
    which: Indices,
    sizes: Indices,
    settings: MeetSettings | None = None,
) -> Boxes:
    """Return the boxes with some of them, each as one size, moved to where their edges are seen."""
    settings = settings or MeetSettings()
    if not len(which):
        return boxes
    side = np.array([SIDE_MM[SIZES[size]] for size in sizes])
    first = np.column_stack((boxes.centre_mm[which, sizes], boxes.yaw[which, sizes]))
    pose = first
    outlines = outlines_of(plane, pose, side, settings)
    unsure = judge_unsure(outlines, settings)
    known = _known(plane, first, side, unsure)
    for step in range(settings.steps):
        if step:
            outlines = outlines_of(plane, pose, side, settings)
        off, trust = seen_off(frame, outlines, unsure, settings)
        pose = _moved(pose, first, outlines, pose_slopes(plane, pose, side, outlines), off, trust, known)
    centre, yaw = boxes.centre_mm.copy(), boxes.yaw.copy()
    centre[which, sizes], yaw[which, sizes] = pose[:, :2], np.mod(pose[:, 2], np.pi / 2)
    return replace(boxes, centre_mm=centre, yaw=yaw)


def outlines_of(plane: TablePlane, pose: Floats, side: Floats, settings: MeetSettings) -> Outlines:
    """Return the outlines of cubes that stand so (M, 3), their sides so long (M,)."""
    corners = corners_px(plane, pose, side)
    cube, edge = (np.repeat(each, settings.points) for each in np.nonzero(on_outline(corners)))
    first, last, normals = STARTS[edge], ENDS[edge], outward(corners)[cube, edge]
    along = np.tile(
        (np.arange(settings.points) + 1.0) / (settings.points + 1.0), len(cube) // settings.points
    )
    far = np.linalg.norm(pose[:, :2] - plane.camera_mm[:2], axis=1)
    behind = hidden(_between(corners, cube, first, last, along), cube, corners, far)
    return Outlines(corners, cube, first, last, along, normals, behind)


def judge_unsure(outlines: Outlines, settings: MeetSettings) -> Floats:
    """Return how far off the judge usually is, in pixels, of each cube (M,)."""
    reach = np.ptp(outlines.corners, axis=1).mean(axis=1) / 2
    return np.asarray(np.hypot(settings.judge_px, settings.judge_share * reach), np.float64)


def pose_slopes(plane: TablePlane, pose: Floats, side: Floats, outlines: Outlines) -> Floats:
    """Return how far out points go, in pixels, per millimetre of x and y and per radian, shape (P, 3)."""
    small = np.diag((0.05, 0.05, 0.005))
    return np.stack(
        [outlines.outward(corners_px(plane, pose + step, side)) / step.sum() for step in small], axis=1
    )


def seen_off(
    frame: FrameBGR,
    outlines: Outlines,
    unsure: Floats,
    settings: MeetSettings,
    outward: Floats | float = 0.0,
) -> tuple[Floats, Floats]:
    """Return how far out the edges are seen, in pixels (P,), and one by the square of how surely (P,).

    Args:
        outward: how much further out than the outlines they are expected (P,).
    """
    unsure = unsure[outlines.cube]
    place = outlines.places(outlines.corners) + outlines.normals * np.reshape(outward, (-1, 1))
    steps = np.arange(-settings.outward, settings.outward + 1) * (2.5 / settings.outward)
    out = unsure[:, None] * steps
    where = place[:, None] + outlines.normals[:, None] * out[:, :, None]
    x, y = where.astype(np.float32).transpose(2, 0, 1)
    colours = np.asarray(cv2.remap(frame, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    # Whole numbers of two bytes hold every difference, in a quarter of the memory.
    blue, green, red = np.moveaxis(
        np.abs(np.diff(colours.reshape(*out.shape, 3).astype(np.int16), axis=1)), 2, 0
    )
    change = (blue + green + red).astype(np.float64)
    between = (out[:, 1:] + out[:, :-1]) / 2
    heed = change**2 * np.exp(-0.5 * (between / unsure[:, None]) ** 2)
    total = heed.sum(axis=1) + 1e-6
    off = (heed * between).sum(axis=1) / total
    spread = (heed * (between - off[:, None]) ** 2).sum(axis=1) / total
    steep = change.max(axis=1)
    believed = steep**2 / (steep**2 + (3 * settings.contrast) ** 2)
    return off, believed * ~outlines.hidden / (spread + settings.least_px**2)


def _between(corners: Floats, cube: Indices, first: Indices, last: Indices, share: Floats) -> Floats:
    """Return the points, shape (P, 2), that are so far (P,) from one corner of their cube to another."""
    start, end = corners[cube, first], corners[cube, last]
    return np.asarray(start + (end - start) * share[:, None], np.float64)


def _known(plane: TablePlane, pose: Floats, side: Floats, unsure: Floats) -> Floats:
    """Return how surely the judge knows poses, shape (M, 3, 3): one by the squares of what it may be off."""
    corners = corners_px(plane, pose, side)
    across = np.stack(
        [
            np.linalg.norm(corners_px(plane, pose + step, side) - corners, axis=2).mean(axis=1)
            for step in np.eye(3) * (1.0, 1.0, 0.1)
        ],
        axis=1,
    ) / (1.0, 1.0, 0.1)
    # Sixteen reaches tell of three unknowns, but they are wrong together.
    sure = (across / unsure[:, None]) ** 2 * 2.0
    return np.asarray(sure[:, :, None] * np.eye(3), np.float64)


def _moved(
    pose: Floats, first: Floats, outlines: Outlines, slopes: Floats, off: Floats, trust: Floats, known: Floats
) -> Floats:
    """Return poses that meet what was seen, without going far from where the judge saw them."""
    normal, pull = known.copy(), np.einsum("mij,mj->mi", known, first - pose)
    normal += outlines.summed(trust[:, None, None] * slopes[:, :, None] * slopes[:, None, :])
    pull += outlines.summed((trust * off)[:, None] * slopes)
    return np.asarray(pose + np.linalg.solve(normal, pull[:, :, None])[:, :, 0], np.float64)
