"""From rendered light to a photograph: lamps mixed, exposed, balanced and spoiled as cameras do it.

Light adds up, so every mixture of the layers is what the table would have looked like under those lamps: one
rendered table gives as many different photographs as are wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from vision.pictures import Floats, FrameBGR

Light = np.ndarray[Any, np.dtype[np.float32]]
# How red and blue black bodies of some temperatures are against green, 6500 K being white.
_KELVINS: Final = (2500, 2700, 3000, 3500, 4000, 5000, 6500, 8000)
_REDS: Final = (2.48, 2.23, 1.95, 1.64, 1.43, 1.19, 1.0, 0.90)
_BLUES: Final = (0.17, 0.22, 0.30, 0.43, 0.55, 0.75, 1.0, 1.19)
# What a camera takes for white, in the order of CameraSettings.balances.
TOGETHER, ONE_LIGHT, DAYLIGHT, MEAN = range(4)


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSettings:
    """How different cameras are; every pair is the range something is drawn from.

    The ranges hold what phones and webcams of the last ten years do, and a little more, because a network
    that has seen worse is at ease. *blown* is the share of photographs that are far too bright, *balances*
    how often a camera takes for white what all lights make together, one of them alone, daylight, or the
    mean of the picture: under a warm lamp by a window everything is then blue or orange, and may be so
    bright in one colour that others are lost. *warm_left* is how much of the light's own colour stays when
    all lights together are taken for white. *mean_light* and *white_light* begin where black cloth stays as
    black as on photographs that were exposed for what lies on it; *black* is what cameras cut off below.
    *one_lost* is the share of photographs so bright that the table's strongest colour is lost, and the others
    are not: on green felt white and green things are then told apart by their sides alone. The strongest
    reaches *lost_light* there, 1 being all that a camera keeps, unless the weakest would pass *kept_light*.
    *bulbs* is the share of lamps that are the warm ones most homes have.
    *calmed* is the share of photographs whose camera wipes its noise away, and with it what is fine on faces,
    but not their edges.
    """

    lamp_kelvin: tuple[float, float] = (2500.0, 6700.0)
    bulb_kelvin: tuple[float, float] = (2500.0, 3200.0)
    bulbs: float = 0.4
    room_kelvin: tuple[float, float] = (3200.0, 8000.0)
    cast: float = 0.08
    warm_left: tuple[float, float] = (0.0, 0.5)
    mean_light: tuple[float, float] = (0.05, 0.65)
    white_light: tuple[float, float] = (0.28, 1.4)
    blown: float = 0.28
    one_lost: float = 0.1
    lost_light: tuple[float, float] = (0.8, 2.0)
    kept_light: tuple[float, float] = (0.15, 0.5)
    balances: tuple[float, float, float, float] = (0.48, 0.36, 0.06, 0.10)
    saturation: tuple[float, float] = (0.8, 1.3)
    contrast: tuple[float, float] = (-0.15, 0.4)
    black: tuple[float, float] = (0.0, 0.06)
    vignette: tuple[float, float] = (0.0, 0.35)
    blur_px: tuple[float, float] = (0.0, 0.85)
    calmed: float = 0.35
    photons: tuple[float, float] = (1200.0, 12000.0)
    read_noise: tuple[float, float] = (0.001, 0.009)
    jpeg: tuple[int, int] = (65, 96)


def develop(layers: Light, scale: float, rng: np.random.Generator, settings: CameraSettings) -> FrameBGR:
    """Take one photograph of rendered light, (L, H, W, 3), made smaller by *scale* first."""
    light = _exposed(_mixed(layers, rng, settings), rng, settings)
    height, width = light.shape[:2]
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    light = cv2.resize(light, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC).clip(0)
    light = _through_lens(light, rng, settings)
    return _compressed(_toned(_noisy(light, rng, settings), rng, settings), rng, settings)


def _mixed(layers: Light, rng: np.random.Generator, settings: CameraSettings) -> Light:
    strengths = np.array([rng.uniform(0.15, 1.0), *rng.uniform(0.1, 1.6, len(layers) - 1)])
    if rng.random() < 0.15:
        strengths[1:] *= 0.05
    if rng.random() < 0.1:
        strengths[0] *= 0.15
    kelvins = [rng.uniform(*settings.room_kelvin), *lamp_kelvins(len(layers) - 1, rng, settings)]
    colours = np.stack([warmth(kelvin) for kelvin in kelvins])
    weights = colours * (strengths / strengths.sum())[:, None]
    mixed: Light = np.einsum("lhwc,lc->hwc", layers.astype(np.float32), weights.astype(np.float32))
    white = _taken_for_white(mixed, colours, strengths, rng, settings).astype(np.float32)
    return np.asarray(mixed / white, np.float32)


def lamp_kelvins(count: int, rng: np.random.Generator, settings: CameraSettings) -> Floats:
    """Return how warm lamps are: many are the same warm bulbs, the others anything."""
    bulbs = rng.random(count) < settings.bulbs
    kelvins: Floats = np.where(
        bulbs, rng.uniform(*settings.bulb_kelvin, count), rng.uniform(*settings.lamp_kelvin, count)
    )
    return kelvins


def _taken_for_white(
    mixed: Light, colours: Floats, strengths: Floats, rng: np.random.Generator, settings: CameraSettings
) -> Floats:
    """Return what the camera guesses the colour of the light to be, green being about 1."""
    together: Floats = strengths @ colours / strengths.sum()
    way = rng.choice(4, p=settings.balances)
    if way == ONE_LIGHT:
        # Not always the brightest: what the picture's middle shows decides.
        guess = colours[rng.integers(len(colours))]
    elif way == DAYLIGHT:
        guess = np.ones(3)
    elif way == MEAN:
        mean = np.minimum(mixed, 2.0).mean(axis=(0, 1)) + 1e-3
        guess = together * (mean / mean[1] / together) ** rng.uniform(0.2, 0.8)
    else:
        # Phones leave some of a warm lamp's colour, because people expect it.
        guess = together ** (1.0 - rng.uniform(*settings.warm_left))
    guessed: Floats = guess * np.exp(rng.normal(0, settings.cast, 3))
    return guessed


def _exposed(light: Light, rng: np.random.Generator, settings: CameraSettings) -> Light:
    """Expose for the mean of the picture, for the light as it is, or between: black cloth may end grey."""
    target = np.exp(rng.uniform(*np.log(settings.mean_light)))
    for_mean = np.log(target / max(float(light.mean()), 1e-4))
    for_light = rng.uniform(*np.log(settings.white_light))
    share = float(np.clip(rng.uniform(-1.0, 1.5), 0, 1))
    exposure = share * for_mean + (1 - share) * for_light
    if rng.random() < settings.blown:
        exposure += rng.uniform(0.3, 1.6)
    lost, reached, kept = rng.random(), rng.uniform(*settings.lost_light), rng.uniform(*settings.kept_light)
    if lost < settings.one_lost:
        weakest, _, strongest = np.sort(np.median(light, axis=(0, 1)))
        exposure = np.log(min(reached / max(strongest, 1e-4), kept / max(weakest, 1e-4)))
    return light * np.float32(np.exp(exposure))


def _through_lens(light: Light, rng: np.random.Generator, settings: CameraSettings) -> Light:
    height, width = light.shape[:2]
    blur = rng.uniform(*settings.blur_px)
    if rng.random() < 0.1:
        blur += rng.uniform(0, 1.0)
    if blur > 0.2:
        light = _blurred(light, blur)
    if rng.random() < 0.08:
        light = _shaken(light, rng)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    middle = rng.uniform(0.3, 0.7, 2) * (width, height)
    away = ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / max(width, height) ** 2 * 4
    dimmed: Light = light * (1 - np.float32(rng.uniform(*settings.vignette)) * away).clip(0.3)[:, :, None]
    return dimmed


def _blurred(light: Light, width_px: float) -> Light:
    return np.asarray(cv2.GaussianBlur(light, (0, 0), width_px), np.float32)


def _shaken(light: Light, rng: np.random.Generator) -> Light:
    length = int(rng.integers(2, 6))
    stroke = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = length * 0.5 * np.array([np.cos(angle), np.sin(angle)])
    middle = np.array([length, length])
    start, end = (tuple(int(v) for v in (middle + s * reach).round()) for s in (-1, 1))
    cv2.line(stroke, start, end, 1.0, 1)
    return np.asarray(cv2.filter2D(light, -1, stroke / stroke.sum()), np.float32)


def _noisy(light: Light, rng: np.random.Generator, settings: CameraSettings) -> Light:
    photons = np.exp(rng.uniform(*np.log(settings.photons)))
    read = rng.uniform(*settings.read_noise)
    spread = np.sqrt(light.clip(0) / photons + read**2)
    grain = np.asarray(rng.standard_normal(light.shape, np.float32))
    if rng.random() < 0.5:
        # Phones smooth their noise: what is left is coarser.
        grain = _blurred(grain, 0.8) * np.float32(1.6)
    noisy: Light = (light + grain * spread).astype(np.float32)
    return noisy


def _toned(light: Light, rng: np.random.Generator, settings: CameraSettings) -> Light:
    grey = light @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    vivid = grey[:, :, None] + (light - grey[:, :, None]) * np.float32(rng.uniform(*settings.saturation))
    if rng.random() < 0.3:
        # Film-like shoulders keep some colour in what is too bright.
        vivid = 1 - np.exp(-vivid.clip(0) * np.float32(1.3))
    toned = vivid.clip(0, 1) ** np.float32(1 / rng.uniform(1.9, 2.5))
    amount = np.float32(rng.uniform(*settings.contrast))
    curve: Light = toned + amount * toned * (1 - toned) * (2 * toned - 1)
    if rng.random() < 0.5:
        # Many cameras call everything black that is dark enough.
        black = np.float32(rng.uniform(*settings.black))
        curve = (curve - black) / (1 - black)
    if rng.random() < 0.3:
        sharp = curve - _blurred(curve, 1.2)
        curve = curve + sharp * np.float32(rng.uniform(0.2, 0.9))
    return curve


def _compressed(toned: Light, rng: np.random.Generator, settings: CameraSettings) -> FrameBGR:
    frame = (toned.clip(0, 1)[:, :, ::-1] * 255).round().astype(np.uint8)
    if rng.random() < settings.calmed:
        alike, near = float(rng.uniform(10, 45)), float(rng.uniform(0.8, 2.5))
        frame = np.asarray(cv2.bilateralFilter(frame, 5, alike, near), np.uint8)
    quality = int(rng.integers(*settings.jpeg))
    _, packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def warmth(kelvin: float) -> Floats:
    """Return the linear colour of a lamp of this temperature, green and all of daylight being 1."""
    red, blue = (np.interp(np.log(kelvin), np.log(_KELVINS), values) for values in (_REDS, _BLUES))
    return np.array([red, 1.0, blue])
