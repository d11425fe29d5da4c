"""Patches for the judge: what the spotter aims at, cubes not quite in the middle, and where there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.training.photographs import LEAST_VISIBLE, Photograph
from vision.judge import NO_CUBE
from vision.networks import Network
from vision.patches import PATCH_PX, REACH_PX
from vision.pictures import Floats
from vision.spotter import Spots, SpotSettings, spot
from vision.support import DIRECTION_COUNT, support
from vision.zoom import ZoomSettings

# How far off a second look may aim, in reaches along each axis and as a logarithm of the size.
OFF_CENTRE: Final = 0.11
OFF_SIZE: Final = 0.11
# The spotter's own aims are shaken a little more, so that no two photographs of a table have the same.
SHAKEN: Final = 0.04
# A spot nearer than this to a cube, in its reaches, is on it: often it is only its top or its front, and the
# judge has to see the whole cube from there, or it would be counted twice.
NEAR: Final = 0.65
# How often a cube that was spotted is cut once more as a second look would.
TWICE: Final = 0.5
# What is farther from all cubes, in their reaches, shows none: nearer, even its front is a part of a cube.
FAR: Final = 0.8
# Spots that the scanner would not even look at are good enough to learn from.
FAINT: Final = SpotSettings(least_heat=0.05)


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """Patches of photographs.

    Attributes:
        pictures: shape (N, 48, 48, 3).
        classes: shape (N,), what they show: 0 is no cube, else the kind + 1.
        reaches: shape (N, 16), in pixels of the patch.
        photos: shape (N,), the photograph each is from, counted from 0; those of one table follow each other.
    """

    pictures: npt.NDArray[np.uint8]
    classes: npt.NDArray[np.int64]
    reaches: npt.NDArray[np.float32]
    photos: npt.NDArray[np.int64]

    @classmethod
    def joined(cls, parts: list[Patches]) -> Patches:
        """Return all patches in one, the photographs counted on, and empty the list.

        Those of a whole lesson fill half of a usual memory: each part goes as soon as it is copied.
        """
        ends = np.cumsum([len(part.classes) for part in parts])
        pictures = np.empty((int(ends[-1]), PATCH_PX, PATCH_PX, 3), np.uint8)
        before = np.cumsum([0, *(int(part.photos.max(initial=-1)) + 1 for part in parts)])
        classes = np.concatenate([part.classes for part in parts])
        reaches = np.concatenate([part.reaches for part in parts])
        photos = np.concatenate([part.photos + n for part, n in zip(parts, before, strict=False)])
        # From the last on: what was allocated last is what the system gets back at once.
        while parts:
            part = parts.pop()
            end = int(ends[len(parts)])
            pictures[end - len(part.classes) : end] = part.pictures
        return cls(pictures, classes, reaches, photos)


def cut_patches(photo: Photograph, spotter: Network, rng: np.random.Generator) -> Patches:
    """Cut patches of every cube, and a third as many where there is none.

    Args:
        spotter: what it aims at is what the judge will be shown; what it takes for cubes and is none teaches
            most.
    """
    around = photo.outlines - photo.centres[:, None]
    reach = support(around).mean(axis=1)
    spots = _spots(photo, reach, spotter)
    pictures, classes, reaches = [], [], []
    for n, place, size in _aims(photo, reach, spots, rng):
        affine = _affine(place, REACH_PX / size, rng)
        pictures.append(_cut(photo, affine))
        corners = photo.outlines[n] @ affine[:, :2].T + affine[:, 2] - (PATCH_PX - 1) / 2
        classes.append(int(photo.kinds[n]) + 1)
        reaches.append(support(corners))
    for place, size in _empty_places(photo, reach, spots, rng):
        pictures.append(_cut(photo, _affine(place, REACH_PX / size, rng)))
        classes.append(NO_CUBE)
        reaches.append(np.zeros(DIRECTION_COUNT))
    return Patches(
        np.stack(pictures),
        np.array(classes),
        np.stack(reaches).astype(np.float32),
        np.zeros(len(classes), np.int64),
    )


def _aims(
    photo: Photograph, reach: Floats, spots: Spots, rng: np.random.Generator
) -> list[tuple[int, Floats, float]]:
    """Return which cube to cut, around which place and how large: as spotted, and as a second look would."""
    clear = photo.visible >= LEAST_VISIBLE
    found: list[tuple[int, Floats, float]] = []
    away = _away(spots.centres_px, photo, reach)
    nearest = away.argmin(axis=1)
    for spot_number, n in enumerate(nearest):
        if clear[n] and away[spot_number, n] < NEAR:
            place = spots.centres_px[spot_number] + rng.normal(0, SHAKEN, 2) * reach[n]
            found.append((int(n), place, spots.reach_px[spot_number] * np.exp(rng.normal(0, SHAKEN))))
    spotted = {n for n, _, _ in found}
    for n in np.flatnonzero(clear):
        if n not in spotted or rng.random() < TWICE:
            place = photo.centres[n] + rng.normal(0, OFF_CENTRE, 2) * reach[n]
            found.append((int(n), place, reach[n] * np.exp(rng.normal(0, OFF_SIZE))))
    return found


def _away(places: Floats, photo: Photograph, reach: Floats) -> Floats:
    """Return how far places (N, 2) are from all cubes, in the cubes' reaches, shape (N, cubes)."""
    return np.asarray(np.linalg.norm(places[:, None] - photo.centres[None], axis=2) / reach, np.float64)


def _affine(place: Floats, scale: float, rng: np.random.Generator) -> Floats:
    """Return the map from the photograph to a patch around *place*, at a random turn and maybe mirrored."""
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))]) * scale
    if rng.random() < 0.5:
        turn[:, 0] *= -1
    shift = (PATCH_PX - 1) / 2 - turn @ place
    return np.column_stack((turn, shift))


def _cut(photo: Photograph, affine: Floats) -> npt.NDArray[np.uint8]:
    return np.asarray(
        cv2.warpAffine(photo.frame, affine, (PATCH_PX, PATCH_PX), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _empty_places(
    photo: Photograph, reach: Floats, spots: Spots, rng: np.random.Generator
) -> list[tuple[Floats, float]]:
    """Return places without a cube: false spots first, then between cubes, at striking corners, anywhere."""
    height, width = photo.frame.shape[:2]
    wanted = max(6, len(reach) // 3)
    beside = rng.integers(len(reach), size=wanted)
    angle = rng.uniform(0, 2 * np.pi, wanted)
    away = reach[beside] * rng.uniform(1.0, 2.4, wanted)
    near = photo.centres[beside] + np.stack((np.cos(angle), np.sin(angle)), 1) * away[:, None]
    anywhere = rng.uniform((0, 0), (width, height), (wanted, 2))
    grey = cv2.cvtColor(photo.frame, cv2.COLOR_BGR2GRAY)
    striking = cv2.goodFeaturesToTrack(grey, 60, 0.01, 6)
    corners = np.zeros((0, 2)) if striking is None else striking[:, 0].astype(np.float64)
    others = np.concatenate((near, anywhere, corners))
    others = others[rng.permutation(len(others))]
    sizes = rng.choice(reach, len(others)) * np.exp(rng.normal(0, OFF_SIZE, len(others)))
    places = np.concatenate((spots.centres_px, others))
    sizes = np.concatenate((spots.reach_px, sizes))
    free = np.flatnonzero(_away(places, photo, reach).min(axis=1) > FAR)[:wanted]
    return list(zip(places[free], sizes[free].tolist(), strict=True))


def _spots(photo: Photograph, reach: Floats, spotter: Network) -> Spots:
    """Return what the spotter sees in a photograph, in its pixels."""
    scale = ZoomSettings().spot_reach_px / float(np.median(reach))
    height, width = photo.frame.shape[:2]
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    small = np.asarray(cv2.resize(photo.frame, size, interpolation=cv2.INTER_AREA), np.uint8)
    spots = spot(small, spotter, FAINT)
    real = np.array([size[0] / width, size[1] / height])
    return Spots((spots.centres_px + 0.5) / real - 0.5, spots.reach_px / real[0], spots.heat)
