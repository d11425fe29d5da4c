"""Upright cubes fitted to seen outlines: for every sighting and every size, where it would stand.

A cube on the table has three unknowns: two for its place and one for how it is turned. Its eight corners are
put through the camera, and how far they reach in each direction is compared with how far the sighting does.
Every sighting is tried as every size, because which one fits is what tells the size.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import cv2
import numpy as np

from vision.hiding import hidden
from vision.pictures import Floats, Indices, Mask
from vision.pieces import SIDE_MM, SIZES
from vision.plane import TablePlane
from vision.sightings import Sightings
from vision.support import DIRECTION_COUNT, DIRECTIONS, support

_SIDES = np.array([SIDE_MM[size] for size in SIZES])
# The base counterclockwise on the table, then the top above it; x, y from the middle and height, of one side.
_CORNERS = np.array(
    [(x, y, z) for z in (0.0, 1.0) for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
)
# A square turned by this looks the same.
_QUARTER = np.pi / 2
_UNKNOWNS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxSettings:
    """How boxes are fitted.

    Attributes:
        yaw_starts: how many angles of a quarter turn are tried first: with 6 no exact outline was missed.
        kept_starts: how many of them are followed: with one, some exact outlines were missed by 0.1 px.
        first_steps: how many are taken before the best start is chosen.
        last_steps: how many more with that one; then exact outlines are met within 0.01 px.
        noise_px: how well a reach is seen at least, however small the cube and however sure the judge.
        wrong_together: the sixteen reaches of an outline are not wrong independently of each other: with
            cards, errors of places were 2.25 times what independent reaches would explain.
        huber: misses beyond this many times the noise count less: a hidden side. The usual value.
        hidden_noise: how many times as badly a reach is seen whose end is behind another cube. On simulated
            tables those of cubes of which less than half is seen are off by three times as much, and not at
            random: so they hardly speak for a size. From 5 to 30 it makes little difference.
    """

    yaw_starts: int = 6
    kept_starts: int = 2
    first_steps: int = 2
    last_steps: int = 4
    noise_px: float = 0.2
    wrong_together: float = 2.25
    huber: float = 1.5
    hidden_noise: float = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Cubes as they would stand, N sightings by 3 sizes in the order of vision.pieces.SIZES.

    Attributes:
        centre_mm: shape (N, 3, 2), the middle of the base on the table.
        yaw: shape (N, 3), how it is turned, in radians from 0 to a quarter turn.
        misfit_px: shape (N, 3), root mean square over the directions of how much the outline is missed.
        misfit_share: shape (N, 3), the same as a share of the seen mean reach.
        surprise: shape (N, 3), half the sum of squared misses by the noise, large ones counting less:
            the negative logarithm of how likely such an outline is, for the choice of a size.
        accuracy_mm: shape (N, 3, 2), standard deviation of x and y, from how well the outline fits.
    """

    centre_mm: Floats
    yaw: Floats
    misfit_px: Floats
    misfit_share: Floats
    surprise: Floats
    accuracy_mm: Floats

    def __len__(self) -> int:
        return len(self.yaw)

    def picked(self, which: Indices | Mask) -> Boxes:
        """Return the boxes of some sightings, by index or by mask."""
        return Boxes(
            self.centre_mm[which],
            self.yaw[which],
            self.misfit_px[which],
            self.misfit_share[which],
            self.surprise[which],
            self.accuracy_mm[which],
        )

    def with_rows(self, which: Indices, others: Boxes) -> Boxes:
        """Return the boxes with others in the place of some."""
        changed = {field.name: getattr(self, field.name).copy() for field in fields(self)}
        for name, values in changed.items():
            values[which] = getattr(others, name)
        return Boxes(**changed)

    def footprint_mm(self) -> Floats:
        """Return the corners of all bases, shape (N, 3, 4, 2), counterclockwise on the table."""
        pose = np.concatenate((self.centre_mm, self.yaw[..., None]), axis=2)
        return pose[:, :, None, :2] + _offsets(pose, _SIDES)[:, :, :4]

    def outlines_px(self, plane: TablePlane, which: Indices, sizes: Indices) -> list[Floats]:
        """Return the outlines in the picture of some sightings, each as one size: corners (K, 2) of hulls."""
        corners = self.corners_px(plane, which, sizes).astype(np.float32)
        return [np.asarray(cv2.convexHull(eight)[:, 0], np.float64) for eight in corners]

    def corners_px(self, plane: TablePlane, which: Indices, sizes: Indices) -> Floats:
        """Return the corners in the picture of some sightings, each as one size, shape (M, 8, 2)."""
        pose = np.column_stack((self.centre_mm[which, sizes], self.yaw[which, sizes]))
        return corners_px(plane, pose, _SIDES[sizes])


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """What is to be fitted; M fits, one row each.

    Attributes:
        seen, noise: shape (M, 16), how far the outline reaches and how well that is seen.
        slope: shape (M, 16, 3), how much further a point reaches in each direction per millimetre in x, y, z.
    """

    plane: TablePlane
    side: Floats
    centre_px: Floats
    seen: Floats
    noise: Floats
    slope: Floats
    huber: float

    def picked(self, rows: Indices) -> _Task:
        """Return some of the fits, possibly several times."""
        return _Task(
            self.plane,
            self.side[rows],
            self.centre_px[rows],
            self.seen[rows],
            self.noise[rows],
            self.slope[rows],
            self.huber,
        )


def fit_boxes(
    plane: TablePlane,
    sightings: Sightings,
    settings: BoxSettings | None = None,
    unseen: Mask | None = None,
) -> Boxes:
    """Fit a cube of each size, standing on the table, to every sighting.

    Args:
        unseen: which reaches end behind another cube, shape (N, 16): little heed is paid to them.
    """
    settings = settings or BoxSettings()
    count, sizes = len(sightings), len(SIZES)
    fits = count * sizes
    if not count:
        flat = np.zeros((0, sizes))
        return Boxes(np.zeros((0, sizes, 2)), flat, flat, flat, flat, np.zeros((0, sizes, 2)))
    task, start = _task(plane, sightings, settings, unseen)
    rows, pose = _starts(task, start, settings)
    pose, cost = _descend(task.picked(rows), pose, settings.first_steps)
    best = cost.reshape(fits, -1).argmin(axis=1) + np.arange(fits) * (len(rows) // fits)
    return _told(task, _descend(task, pose[best], settings.last_steps)[0], settings)


def fit_again(
    plane: TablePlane,
    sightings: Sightings,
    boxes: Boxes,
    settings: BoxSettings | None = None,
    unseen: Mask | None = None,
) -> Boxes:
    """Fit boxes to much the same sightings on much the same plane, in half the time.

    Cubes of the size that fits end where a fit from the start would put them; others may stay turned.

    Args:
        unseen: as for `fit_boxes`.
    """
    settings = settings or BoxSettings()
    if not len(boxes):
        return boxes
    task, _ = _task(plane, sightings, settings, unseen)
    start = np.column_stack((boxes.centre_mm.reshape(-1, 2), boxes.yaw.ravel()))
    return _told(task, _descend(task, start, settings.last_steps)[0], settings)


def fit_hidden(
    plane: TablePlane, sightings: Sightings, boxes: Boxes, unseen: Mask, settings: BoxSettings | None = None
) -> Boxes:
    """Fit those boxes again that stand behind others, to what is seen of them: that tells place and size.

    How far the rest reaches the judge guesses, and rather as far as most cubes do.
    """
    again = np.flatnonzero(unseen.any(axis=1))
    if not len(again):
        return boxes
    return boxes.with_rows(again, fit_boxes(plane, sightings.picked(again), settings, unseen[again]))


def unseen_reaches(plane: TablePlane, boxes: Boxes) -> Mask:
    """Tell which reaches end behind a box that stands nearer, shape (N, 16), each at its likeliest size."""
    rows, sizes = np.arange(len(boxes)), boxes.surprise.argmin(axis=1)
    corners = boxes.corners_px(plane, rows, sizes)
    ends = np.take_along_axis(corners, (corners @ DIRECTIONS.T).argmax(axis=1)[:, :, None], axis=1)
    far = np.linalg.norm(boxes.centre_mm[rows, sizes] - plane.camera_mm[:2], axis=1)
    owner = np.repeat(rows, DIRECTION_COUNT)
    return hidden(ends.reshape(-1, 2), owner, corners, far).reshape(-1, DIRECTION_COUNT)


def _told(task: _Task, pose: Floats, settings: BoxSettings) -> Boxes:
    """Return boxes that stand so, each sighting as all sizes, and how well they fit."""
    shape = (-1, len(SIZES))
    miss, slope = _misses(task, pose)
    cost, weight = _robust(task, miss)
    misfit = np.sqrt((miss**2).mean(axis=1))
    return Boxes(
        pose[:, :2].reshape(*shape, 2),
        np.mod(pose[:, 2], _QUARTER).reshape(shape),
        misfit.reshape(shape),
        (misfit / np.maximum(task.seen.mean(axis=1), 1e-6)).reshape(shape),
        cost.reshape(shape),
        settings.wrong_together * _accuracy(task, miss, slope, weight).reshape(*shape, 2),
    )


def _task(
    plane: TablePlane, sightings: Sightings, settings: BoxSettings, unseen: Mask | None = None
) -> tuple[_Task, Floats]:
    """Return what is to be fitted, every sighting as every size, and where they stand at first."""
    count, sizes = len(sightings), len(SIZES)
    side = np.tile(_SIDES, count)
    centre = np.repeat(sightings.centre_px, sizes, axis=0)
    seen = np.repeat(sightings.support_px, sizes, axis=0)
    noise = np.hypot(settings.noise_px, np.repeat(sightings.unsure_px, sizes, axis=0))
    if unseen is not None:
        noise = noise * np.where(np.repeat(unseen, sizes, axis=0), settings.hidden_noise, 1.0)
    start = plane.to_mm(centre, side[:, None] / 2)
    # A camera is all but linear over a millimetre.
    steps = np.concatenate((np.eye(3), -np.eye(3))) / 2
    around = plane.to_pixels(
        (start[:, None] + steps[:, :2]).reshape(-1, 2), (side[:, None] / 2 + steps[:, 2]).reshape(-1, 1)
    ).reshape(-1, 2, 3, 2)
    slope = DIRECTIONS @ (around[:, 0] - around[:, 1]).transpose(0, 2, 1)
    return _Task(plane, side, centre, seen, noise, slope, settings.huber), start


def _starts(task: _Task, start: Floats, settings: BoxSettings) -> tuple[Indices, Floats]:
    """Try some angles for each fit; return which fit each kept one belongs to, and its pose."""
    angles = np.arange(settings.yaw_starts) * (_QUARTER / settings.yaw_starts)
    rows = np.repeat(np.arange(len(start)), len(angles))
    yaw = np.tile(angles, len(start))
    tried = task.picked(rows)
    # To begin with the cube is seen from so far away that its outline is symmetric.
    along, across = _edges(tried, yaw)
    reach = np.abs(along) + np.abs(across) + np.abs(tried.slope[:, :, 2])
    miss = tried.seen - tried.side[:, None] / 2 * reach
    # The middle of a cube that is half hidden may be seen wrong: take out what moving the outline explains.
    sure = tried.noise**-2
    normal = (DIRECTIONS * sure[:, :, None]).transpose(0, 2, 1) @ DIRECTIONS
    moved = np.linalg.solve(normal, ((miss * sure) @ DIRECTIONS)[:, :, None])[:, :, 0]
    cost, _ = _robust(tried, miss - moved @ DIRECTIONS.T)
    # The slopes to the right and down in the picture, directions 0 and a quarter of the circle on.
    by_px = np.linalg.inv(task.slope[:, (0, DIRECTION_COUNT // 4), :2])
    place = start[rows] + (by_px[rows] @ moved[:, :, None])[:, :, 0]
    kept = np.argsort(cost.reshape(len(start), -1), axis=1)[:, : settings.kept_starts]
    chosen = (kept + np.arange(len(start))[:, None] * len(angles)).ravel()
    return rows[chosen], np.column_stack((place[chosen], yaw[chosen]))


def _descend(task: _Task, pose: Floats, steps: int) -> tuple[Floats, Floats]:
    """Follow the misses downhill by Levenberg's method; return poses and their costs."""
    miss, slope = _misses(task, pose)
    cost, weight = _robust(task, miss)
    damping = np.full(len(pose), 1e-3)
    diagonal = np.arange(_UNKNOWNS)
    for _ in range(steps):
        weighted = (slope * (weight / task.noise**2)[:, :, None]).transpose(0, 2, 1)
        normal = weighted @ slope
        normal[:, diagonal, diagonal] *= 1.0 + damping[:, None]
        normal[:, diagonal, diagonal] += 1e-9
        trial = pose + np.linalg.solve(normal, weighted @ miss[:, :, None])[:, :, 0]
        trial_miss, trial_slope = _misses(task, trial)
        trial_cost, trial_weight = _robust(task, trial_miss)
        better = trial_cost < cost
        pose = np.where(better[:, None], trial, pose)
        miss = np.where(better[:, None], trial_miss, miss)
        weight = np.where(better[:, None], trial_weight, weight)
        slope = np.where(better[:, None, None], trial_slope, slope)
        cost = np.where(better, trial_cost, cost)
        damping *= np.where(better, 0.1, 10.0)
    return pose, cost


def corners_px(plane: TablePlane, pose: Floats, side: Floats) -> Floats:
    """Return where the corners of cubes are in the picture, shape (M, 8, 2): the base, then the top above it.

    Args:
        pose: shape (M, 3), the middle of the base in millimetres, and how it is turned.
        side: shape (M,), in millimetres.
    """
    standing = (pose[:, None, :2] + _offsets(pose, side)).reshape(-1, 2)
    heights = (side[:, None] * _CORNERS[:, 2]).reshape(-1, 1)
    return plane.to_pixels(standing, heights).reshape(-1, 8, 2)


def _offsets(pose: Floats, side: Floats) -> Floats:
    """Return the corners' x and y from the middle of the base, shape (..., 8, 2)."""
    along = (side * np.cos(pose[..., 2]))[..., None]
    across = (side * np.sin(pose[..., 2]))[..., None]
    x, y = _CORNERS[:, 0], _CORNERS[:, 1]
    return np.stack((along * x - across * y, across * x + along * y), axis=-1)


def _misses(task: _Task, pose: Floats) -> tuple[Floats, Floats]:
    """Return how much further the outlines are seen to reach, shape (M, 16), and the slopes (M, 16, 3)."""
    corners = corners_px(task.plane, pose, task.side) - task.centre_px[:, None]
    slope = np.empty((*task.seen.shape, _UNKNOWNS))
    slope[:, :, :2] = task.slope[:, :, :2]
    along, across = _edges(task, pose[:, 2])
    # Only the corner that reaches furthest moves an outline: the one ahead along both edges of the base.
    slope[:, :, 2] = task.side[:, None] / 2 * (np.sign(along) * across - np.sign(across) * along)
    return task.seen - support(corners), slope


def _edges(task: _Task, yaw: Floats) -> tuple[Floats, Floats]:
    """Return how many pixels a millimetre along each edge of the base reaches, shape (M, 16) both."""
    cosine, sine = np.cos(yaw)[:, None], np.sin(yaw)[:, None]
    x, y = task.slope[:, :, 0], task.slope[:, :, 1]
    return x * cosine + y * sine, y * cosine - x * sine


def _robust(task: _Task, miss: Floats) -> tuple[Floats, Floats]:
    """Return Huber's cost of each fit, and what each direction weighs."""
    size = np.abs(miss) / task.noise
    inside = np.minimum(size, task.huber)
    cost: Floats = (inside * (size - inside / 2)).sum(axis=1)
    return cost, task.huber / np.maximum(size, task.huber)


def _accuracy(task: _Task, miss: Floats, slope: Floats, weight: Floats) -> Floats:
    """Return the standard deviations of x and y, shape (M, 2), if reaches are wrong independently."""
    # A handful of misses that happen to be small do not make it better than the noise that is usual.
    squares = (weight * (miss / task.noise) ** 2).sum(axis=1) / (DIRECTION_COUNT - _UNKNOWNS)
    spread = np.maximum(squares, 0.25)
    normal = (slope * (weight / task.noise**2)[:, :, None]).transpose(0, 2, 1) @ slope
    normal[:, np.arange(_UNKNOWNS), np.arange(_UNKNOWNS)] += 1e-9
    spreads = np.linalg.inv(normal)[:, (0, 1), (0, 1)] * spread[:, None]
    return np.asarray(np.sqrt(np.maximum(spreads, 0.0)), np.float64)
