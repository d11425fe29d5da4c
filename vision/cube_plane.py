"""The table as a plane in the picture where no marker card is: from the cubes' own known sizes.

How wide a cube is seen in eight directions tells its scale, how it is turned and how much of its sides shows.
All cubes stand on one table, so that scale and sides of all of them together tell how the camera stands above
it. Only widths are used: where a cube stands does not enter them, and a centre seen wrong does no harm. Which
size a cube has is open; its kind says which are possible, and all are kept with how well they fit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, isfinite, log, pi

import numpy as np

from vision.cube_camera import AXES, SCALE, plane_of, turns, usual
from vision.pictures import Floats
from vision.pieces import COUNTS, KINDS, SIDE_MM, SIZES
from vision.plane import PlaneSettings, TablePlane
from vision.sightings import Sightings
from vision.support import DIRECTION_COUNT, DIRECTIONS

_HALF = DIRECTION_COUNT // 2
_SIDES = np.array([SIDE_MM[size] for size in SIZES])
_BOX = np.array([[COUNTS.get((kind, size), 0) for size in SIZES] for kind in KINDS], np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class CubePlaneSettings:
    """What is expected before any cube is seen, and how far the search goes.

    The search was tried on 100 drawn piles each of 3 to 12 and of 30 to 75 cubes, with tilts up to 55 degrees
    and noise as below: no scale was wrong. With two thirds of the starts one of a small pile was.

    Attributes:
        camera: what cameras are usually like.
        tilt_spread: people hold cameras up to about 55 degrees off; a standard deviation in radians.
        least_presence: what is less likely a cube is not used.
        fewest: how many cubes are needed; two are three unknowns short.
        noise_px: how well half a width is seen at least, however small the cube and however sure the judge.
        wrong_together: opposite reaches are not wrong independently of each other: on simulated tables half
            the widths miss by 1.2 times what independent ones would.
        huber: misses beyond this many times the noise count less. The usual value.
        wrong_kind: share of kinds that are wrong, so that every size stays possible: 5 in 100.
        no_cube: share of sightings that are no cube standing on the table, and
        no_cube_surprise: how badly a cube has to fit to be one of them; one that fits has about 4.
        start_tilts: tilts in radians to start from, in `start_directions` directions; level is one more.
        start_yaws: how many angles of a quarter turn are tried for each cube; 24 tell the table no better.
        start_cubes: how many cubes choose among the starts.
        start_spread: how well a start tells the logarithm of sizes; from one to the next it is 0.2.
        followed: how many of the starts are followed; with 4 all test pictures have the same plane.
        loosened: by how much the noise is taken larger at each step, so that sizes may still change.
        size_steps: how many are taken as each of three sizes, and
        last_steps: how many more as the best of them.
        fitting_share: of the cubes, how many must fit, or there is no plane.
    """

    camera: PlaneSettings = field(default_factory=PlaneSettings)
    tilt_spread: float = 0.6
    least_presence: float = 0.5
    fewest: int = 3
    noise_px: float = 0.15
    wrong_together: float = 1.2
    huber: float = 1.5
    wrong_kind: float = 0.05
    no_cube: float = 0.03
    no_cube_surprise: float = 25.0
    start_tilts: tuple[float, ...] = (0.3, 0.65, 0.95)
    start_directions: int = 8
    start_yaws: int = 8
    start_cubes: int = 30
    start_spread: float = 0.06
    followed: int = 3
    loosened: tuple[float, ...] = (4.0, 3.0, 2.0, 1.5, 1.0, 1.0)
    size_steps: int = 2
    last_steps: int = 2
    fitting_share: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """What is seen of N cubes, and what is expected.

    Attributes:
        noise: shape (N, 8), how well half the widths are seen, in px.
        seen: shape (N, 8), half the widths by the noise.
        sizes: shape (N, 3), how likely each size is by the kind.
        expected, spreads: shape (5,), of what is fitted; nothing is expected of the scale.
    """

    centre_px: Floats
    noise: Floats
    seen: Floats
    sizes: Floats
    size_px: tuple[int, int]
    expected: Floats
    spreads: Floats
    settings: CubePlaneSettings


def plane_from_cubes(
    sightings: Sightings,
    size_px: tuple[int, int],
    focal_px: float | None = None,
    settings: CubePlaneSettings | None = None,
) -> TablePlane | None:
    """Fit the plane to cubes, or return None if they do not tell it; its origin is the picture's middle.

    Args:
        focal_px: what the photograph says of its focal length, if it does.
    """
    settings = settings or CubePlaneSettings()
    usable = (sightings.presence >= settings.least_presence) & np.isfinite(sightings.centre_px).all(axis=1)
    # The sum is infinite or no number if one of them is.
    usable &= np.isfinite(sightings.support_px.sum(axis=1)) & (sightings.support_px.sum(axis=1) > 0)
    if usable.sum() < settings.fewest:
        return None
    cubes = sightings.picked(usable)
    task = _task(cubes, size_px, focal_px, settings)
    every = -(-len(cubes) // settings.start_cubes)
    values = _starts(_task(cubes.picked(np.arange(0, len(cubes), every)), size_px, focal_px, settings))
    yaw = _yaws(task, values)[0]
    for loosened in settings.loosened:
        values, yaw = _step(task, values, yaw, loosened)
    # All cubes may have been taken for one size smaller or larger.
    larger = np.log(_SIDES[[1, 0, 1]] / _SIDES[[1, 1, 0]])
    values = values[_judged(task, values, yaw)[0].argmin()] + np.outer(larger, AXES[SCALE])
    yaw = _yaws(task, values)[0]
    for _ in range(settings.size_steps):
        values, yaw = _step(task, values, yaw)
    size = _judged(task, values, yaw)[0].argmin()
    values, yaw = values[size, None], yaw[size, None]
    for _ in range(settings.last_steps):
        values, yaw = _step(task, values, yaw)
    surprise, fitting, off_px = (float(told[0]) for told in _judged(task, values, yaw))
    enough = max(settings.fewest, settings.fitting_share * len(cubes))
    if not isfinite(surprise) or fitting < enough:
        return None
    return plane_of(values[0], size_px, off_px)


def plane_assumed(
    sightings: Sightings, size_px: tuple[int, int], focal_px: float | None = None
) -> TablePlane:
    """Return what is left if nothing tells the plane: a camera that looks straight down.

    The scale is that of the cubes if there are any, or else what a camera half a metre or so away has.
    """
    focal = focal_px or PlaneSettings().focal * max(size_px)
    per_mm = 2.0
    if len(sightings):
        # A mean reach is the way round by that of a circle: four sides and, off the middle, two more.
        away = np.linalg.norm(sightings.centre_px - (np.array(size_px) - 1) / 2, axis=1) / focal
        side = sightings.support_px.mean(axis=1) * (2 * pi / (4 + 2 * away))
        per_mm = max(float(np.median(side / (_size_shares(sightings.kinds, 0.0) @ _SIDES))), 0.01)
    return plane_of(np.array([0.0, 0.0, log(per_mm), log(focal), 0.0]), size_px, 0.0)


def _size_shares(kinds: Floats, wrong: float) -> Floats:
    """Return how likely each size is, shape (N, 3), by how many of each kind are in the box."""
    shares = kinds @ (_BOX / _BOX.sum(axis=1, keepdims=True)) * (1 - wrong)
    return np.asarray(shares + wrong * _BOX.sum(axis=0) / _BOX.sum(), np.float64)


def _task(
    cubes: Sightings, size_px: tuple[int, int], focal_px: float | None, settings: CubePlaneSettings
) -> _Task:
    half = (cubes.support_px[:, :_HALF] + cubes.support_px[:, _HALF:]) / 2
    unsure = np.hypot(cubes.unsure_px[:, :_HALF], cubes.unsure_px[:, _HALF:]) / 2
    noise = np.hypot(settings.noise_px, settings.wrong_together * unsure)
    expected, spreads = usual(size_px, focal_px, settings.tilt_spread, settings.camera)
    sizes = _size_shares(cubes.kinds, settings.wrong_kind)
    return _Task(cubes.centre_px, noise, half / noise, sizes, size_px, expected, spreads, settings)


def _views(task: _Task, values: Floats) -> tuple[Floats, Floats]:
    """Return how cameras, shape (B, 5), see cubes where they are.

    Returns:
        How far x, y and up reach in each direction, shape (B, N, 3, 8), seen from the front at one pixel per
        millimetre; and how many there are to a millimetre, shape (B, N, 3), by how high the middle of each
        size is.
    """
    turned, focal, bend = turns(values)[:, None], np.exp(values[:, 3, None, None]), values[:, 4, None, None]
    unit = max(task.size_px) / 2
    bent = (task.centre_px - (np.array(task.size_px) - 1) / 2) / unit
    bent_away2 = (bent**2).sum(axis=1, keepdims=True)
    outwards = np.ones((len(values), len(bent), 1))
    for _ in range(4):
        outwards = 1 + bend * bent_away2 / outwards**2
    straight = bent / outwards
    ahead = straight * unit / focal
    # The table's x, y and up in the picture, a row each.
    flat = turned[..., :2, :].swapaxes(2, 3) - ahead[..., None, :] * turned[..., 2, :, None]
    # A lens that bends stretches everything, and once more away from the middle.
    outside = (straight[..., None, :] * flat).sum(axis=3, keepdims=True)
    away = 2 * bend[..., None] * straight[..., None, :] * outside
    near = -(ahead @ turned[:, 0, :2, 2:] + turned[:, :, 2, 2:])
    height = focal * np.exp(-values[:, SCALE, None, None])
    # Nothing is seen beyond the horizon, but a step may try.
    scale = focal * np.maximum(near, 0.02) / np.maximum(height - _SIDES / 2, 1.0)
    seen = (outwards[..., None] * flat + away).reshape(-1, 2) @ DIRECTIONS[:_HALF].T
    return seen.reshape(*flat.shape[:3], _HALF), scale


def _halves(reaches: Floats, yaw: Floats) -> Floats:
    """Return half the widths of cubes of one unit so turned, shape (..., 8)."""
    along, across, up = _along_sides(reaches, yaw)
    half: Floats = (np.abs(along) + np.abs(across) + np.abs(up)) / 2
    return half


def _turnings(reaches: Floats, yaw: Floats) -> Floats:
    """Return the slopes of half the widths by the turn."""
    along, across, _ = _along_sides(reaches, yaw)
    slopes: Floats = (np.sign(along) * across - np.sign(across) * along) / 2
    return slopes


def _along_sides(reaches: Floats, yaw: Floats) -> tuple[Floats, Floats, Floats]:
    cosine, sine = np.cos(yaw)[..., None], np.sin(yaw)[..., None]
    x, y, up = (reaches[..., axis, :] for axis in range(3))
    return x * cosine + y * sine, y * cosine - x * sine, up


def _as_sizes(task: _Task, scale: Floats, half: Floats) -> Floats:
    """Return half the widths of cubes of one unit, (B, N, 8), as those of each size, by the noise."""
    sized: Floats = (scale * _SIDES)[..., None] * (half / task.noise)[:, :, None]
    return sized


def _yaws(task: _Task, values: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the best yaws of cubes of any size, shape (B, N), their costs, and how large they are in px."""
    yaws = np.linspace(0.0, pi / 2, task.settings.start_yaws, endpoint=False, dtype=np.float64)
    half = _halves(_views(task, values)[0][:, :, None], yaws) / task.noise[:, None]
    size = (half * task.seen[:, None]).sum(axis=3) / (half**2).sum(axis=3)
    cost, _ = _robust(task, task.seen[:, None] - size[..., None] * half)
    best = cost.argmin(axis=2)[:, :, None]
    cost, size = (np.take_along_axis(each, best, axis=2)[:, :, 0] for each in (cost, size))
    return yaws[best[:, :, 0]], cost, size


def _starts(task: _Task) -> Floats:
    """Try many tilts and for each many scales; return the most likely cameras, shape (B, 5)."""
    settings = task.settings
    around = np.arange(settings.start_directions) * (2 * pi / settings.start_directions)
    tilts = [(tilt * np.cos(at), tilt * np.sin(at)) for tilt in settings.start_tilts for at in around]
    values = np.tile(task.expected, (len(tilts) + 1, 1))
    values[1:, :2] = tilts
    _, cost, size = _yaws(task, values)
    # At a scale of one, where the height of the cubes' middles hardly matters.
    sides = np.log(size / _views(task, values)[1][:, :, 0])
    scales = np.linspace(-log(_SIDES[-1]) - 0.15, -log(_SIDES[0]) + 0.15, 24)
    tried = np.median(sides, axis=1)[:, None] + scales
    off = (sides[:, None, :, None] - tried[..., None, None] - np.log(_SIDES)) / settings.start_spread
    surprise = _surprise(task, off**2 / 2).sum(axis=2)
    values[:, SCALE] = tried[np.arange(len(tried)), surprise.argmin(axis=1)]
    total = surprise.min(axis=1) + cost.sum(axis=1) / settings.loosened[0] + _unusual(task, values)
    return values[np.argsort(total)[: settings.followed]]


def _robust(task: _Task, misses: Floats) -> tuple[Floats, Floats]:
    """Return Huber's cost of misses, shape (..., 8), by the noise, and what each weighs."""
    size = np.abs(misses)
    inside = np.minimum(size, task.settings.huber)
    cost: Floats = (inside * (size - inside / 2)).sum(axis=-1)
    return cost, task.settings.huber / np.maximum(size, task.settings.huber)


def _surprise(task: _Task, cost: Floats) -> Floats:
    """Return how surprising each cube is, whatever its size, from its costs as each size, (..., N, 3)."""
    no_cube = task.settings.no_cube * exp(-task.settings.no_cube_surprise)
    return np.asarray(-np.log((task.sizes * np.exp(-cost)).sum(axis=-1) + no_cube), np.float64)


def _unusual(task: _Task, values: Floats) -> Floats:
    """Return how surprising cameras are, shape (B,)."""
    return np.asarray((((values - task.expected) / task.spreads) ** 2).sum(axis=1) / 2, np.float64)


def _judged(task: _Task, values: Floats, yaw: Floats) -> tuple[Floats, Floats, Floats]:
    """Return how surprising all is, how many cubes fit, and by how many px those miss, shape (B,) each."""
    reaches, scale = _views(task, values)
    misses = task.seen[:, None] - _as_sizes(task, scale, _halves(reaches, yaw))
    cost, _ = _robust(task, misses)
    best = (cost - np.log(task.sizes)).argmin(axis=2)[:, :, None]
    fitting = np.take_along_axis(cost, best, axis=2)[:, :, 0] < task.settings.no_cube_surprise
    squares = (np.take_along_axis(misses, best[..., None], axis=2)[:, :, 0] * task.noise) ** 2
    count = fitting.sum(axis=1).astype(np.float64)
    off_px = np.sqrt((squares.mean(axis=2) * fitting).sum(axis=1) / np.maximum(count, 1.0))
    return _surprise(task, cost).sum(axis=1) + _unusual(task, values), count, off_px


def _step(task: _Task, values: Floats, yaw: Floats, loosened: float = 1.0) -> tuple[Floats, Floats]:
    """Take a step of Gauss and Newton for cameras and yaws together, each size as likely as it fits."""
    tiny, batch, count = 1e-5, len(values), len(AXES)
    # As they are and moved a little along each axis, all in one go.
    moved = (values[:, None] + tiny * np.vstack((np.zeros(count), AXES))).reshape(-1, count)
    reaches, scale = _views(task, moved)
    half = _halves(reaches, np.repeat(yaw, 1 + count, axis=0))
    fitted = _as_sizes(task, scale, half).reshape(batch, 1 + count, -1)
    slope = (fitted[:, 1:] - fitted[:, :1]) / tiny
    unmoved = slice(None, None, 1 + count)
    turning = _as_sizes(task, scale[unmoved], _turnings(reaches[unmoved], yaw))
    misses = task.seen[:, None] - fitted[:, 0].reshape(turning.shape)
    cost, weight = _robust(task, misses / loosened)
    share = task.sizes * np.exp(_surprise(task, cost)[..., None] - cost)
    weight *= share[..., None] / loosened**2
    # The yaws concern one cube each, so they are taken out before the cameras are solved for.
    shape = (batch, count, yaw.shape[1], -1)
    own = (weight * turning**2).sum(axis=(2, 3)) + 1e-6
    own_pull = (weight * turning * misses).sum(axis=(2, 3))
    both = (slope * (weight * turning).reshape(batch, 1, -1)).reshape(shape).sum(axis=3)
    weighted = slope * weight.reshape(batch, 1, -1)
    normal = weighted @ slope.transpose(0, 2, 1) - (both / own[:, None]) @ both.transpose(0, 2, 1)
    pull = weighted @ misses.reshape(batch, -1, 1) - both @ (own_pull / own)[..., None]
    pull += ((task.expected - values) / task.spreads**2)[..., None]
    change = np.linalg.solve(normal + np.diag(task.spreads**-2) + 1e-6 * AXES, pull)
    turn = (own_pull - (both.transpose(0, 2, 1) @ change)[..., 0]) / own
    # What is linear only nearby is not followed far.
    return values + np.clip(change[..., 0], -0.3, 0.3), yaw + np.clip(turn, -0.3, 0.3)
