"""Sightings of cubes on a table as a camera that is known exactly sees them, or nearly so."""

import json
from dataclasses import dataclass, replace
from math import cos, radians, sin
from pathlib import Path

import cv2
import numpy as np

from vision.pieces import COUNTS, KINDS, SIDE_MM, SIZES
from vision.plane import TablePlane
from vision.sightings import Sightings
from vision.support import support

RENDERED = Path(__file__).parents[2].parent / "shared" / "photos" / "rendered"
SIZE_PX = (1920, 1080)
SIDES = np.array([SIDE_MM[size] for size in SIZES])
SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True)
class Pile:
    """Cubes that stand on a table: kinds and sizes as numbers, places in mm, and how they are turned."""

    kinds: np.ndarray
    sizes: np.ndarray
    centre_mm: np.ndarray
    yaw: np.ndarray

    def __len__(self):
        return len(self.yaw)

    def corners(self):
        """Return the corners of the bases, shape (N, 4, 2)."""
        turn = np.array([(np.cos(self.yaw), -np.sin(self.yaw)), (np.sin(self.yaw), np.cos(self.yaw))])
        return self.centre_mm[:, None] + SIDES[self.sizes][:, None, None] * np.einsum(
            "ijn,kj->nki", turn, SQUARE
        )


def a_plane(tilt_deg=30.0, height_mm=600.0, turned_deg=20.0, focal=0.87, lens=0.0, size_px=SIZE_PX):
    """Return the plane of a camera so high above the table that looks at its middle."""
    tilt, turned = radians(tilt_deg), radians(turned_deg)
    focal_px = focal * max(size_px)
    matrix = np.array([(focal_px, 0, (size_px[0] - 1) / 2), (0, focal_px, (size_px[1] - 1) / 2), (0, 0, 1)])
    around = np.array([(cos(turned), -sin(turned), 0), (sin(turned), cos(turned), 0), (0, 0, 1)])
    down = np.array([(1, 0, 0), (0, -cos(tilt), -sin(tilt)), (0, sin(tilt), -cos(tilt))])
    pose, place = down @ around, np.array((0.0, 0.0, height_mm / cos(tilt)))
    to_picture = matrix @ np.column_stack((pose[:, :2], place))
    return TablePlane(to_picture, -pose.T @ place, focal_px, size_px, lens, (), 0.0, ())


def a_pile(rng, count, plane, edge=0.06):
    """Take cubes out of the box and put them where the camera sees them."""
    box = [key for key, many in COUNTS.items() for _ in range(many)]
    chosen = [box[number] for number in rng.permutation(len(box))[:count]]
    width, height = plane.size_px
    seen_px = rng.uniform(edge, 1 - edge, (40 * count, 2)) * (width, height)
    places = plane.to_mm(seen_px)
    # As far as dice roll, and not into each other.
    places = places[np.hypot(*places.T) < 220]
    apart = [places[0]]
    for place in places[1:]:
        if len(apart) < count and np.hypot(*(np.array(apart) - place).T).min() > 14:
            apart.append(place)
    chosen = chosen[: len(apart)]
    return Pile(
        np.array([KINDS.index(kind) for kind, _ in chosen]),
        np.array([SIZES.index(size) for _, size in chosen]),
        np.array(apart),
        rng.uniform(0, np.pi / 2, len(chosen)),
    )


def sighted(plane, pile):
    """Return exactly what the camera sees of the pile."""
    sides = SIDES[pile.sizes][:, None]
    base = pile.corners().reshape(-1, 2)
    top = plane.to_pixels(base, np.repeat(sides, 4, axis=0))
    corners = np.concatenate((plane.to_pixels(base).reshape(-1, 4, 2), top.reshape(-1, 4, 2)), axis=1)
    return outlined(plane.to_pixels(pile.centre_mm, sides / 2), corners, pile.kinds)


def outlined(centre_px, outlines, kinds):
    """Return sightings of outlines, each (K, 2), whose kinds are sure."""
    reach = np.array([support(outline - centre) for centre, outline in zip(centre_px, outlines, strict=True)])
    return Sightings(
        np.asarray(centre_px), reach, usually_unsure(reach), np.eye(len(KINDS))[kinds], np.ones(len(reach))
    )


def nothing_seen():
    """Return no sightings."""
    return Sightings(*(np.zeros((0, count)) for count in (2, 16, 16, 14)), np.zeros(0))


def usually_unsure(reach):
    """Return how unsure a judge is of reaches (N, 16) that it sees well: 0.4 px on cubes 20 px wide."""
    return np.broadcast_to(0.04 * reach.mean(axis=1, keepdims=True), reach.shape)


def noisy(rng, sightings, share=0.02, outliers=0.03, wrong_kinds=0.05):
    """Return what a network would say: reaches missed by 0.4 px in 20, some of them far, some kinds wrong."""
    extent = 2 * sightings.support_px.mean(axis=1, keepdims=True)
    reach = sightings.support_px + rng.normal(0, 1, sightings.support_px.shape) * share * extent
    far = rng.random(reach.shape) < outliers
    reach = np.where(far, reach + rng.uniform(-0.3, 0.3, reach.shape) * extent, reach)
    kinds = sightings.kinds * 0.9 + 0.1 / len(KINDS)
    mixed = rng.random(len(sightings)) < wrong_kinds
    kinds[mixed] = rng.permuted(kinds[mixed], axis=1)
    return replace(sightings, support_px=reach, kinds=kinds)


def rendered_scenes():
    """Yield name, sightings by the truth, its cubes and the camera of each rendered picture."""
    for path in sorted(RENDERED.glob("*.json")):
        known = json.loads(path.read_text())
        cubes = [cube for cube in known["cubes"] if cube["in_view"]]
        # The truth counts from the edge of the first pixel, we from its middle.
        centres = [np.array(cube["centre_px"]) - 0.5 for cube in cubes]
        outlines = [np.array(cube["outline_px"]) - 0.5 for cube in cubes]
        kinds = [KINDS.index(cube["type"]) for cube in cubes]
        yield path.stem, outlined(centres, outlines, kinds), cubes, known["spec"]["camera"]


def rendered_plane(camera):
    """Return the plane of a rendered picture's camera, but for the second term of its lens."""
    width, height = camera["size"]
    focal_px = width / 2 / np.tan(radians(camera["fov"]) / 2)
    at, up = np.array(camera["at"]), np.array(camera["up"])
    ahead = np.array(camera["look"]) - at
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, up)
    right /= np.linalg.norm(right)
    pose = np.stack((right, np.cross(ahead, right), ahead))
    matrix = np.array([(focal_px, 0, (width - 1) / 2), (0, focal_px, (height - 1) / 2), (0, 0, 1)])
    # Its unit is the focal length, ours half the longer side.
    lens = camera["k1"] * (max(width, height) / 2 / focal_px) ** 2
    to_picture = matrix @ np.column_stack((pose[:, :2], -pose @ at))
    return TablePlane(to_picture, at, focal_px, (width, height), lens, (), 0.0, ())


def off_mm(measured, true):
    """Return how far points are off after the best turn, move and scale, and the scale itself."""
    fits = []
    for mirror in (1.0, -1.0):
        ours, theirs = (measured - measured.mean(axis=0)) * (1.0, mirror), true - true.mean(axis=0)
        left, strengths, right = np.linalg.svd(theirs.T @ ours)
        sign = np.diag([1.0, np.sign(np.linalg.det(left @ right))])
        scale = np.trace(np.diag(strengths) @ sign) / (ours**2).sum()
        off = theirs - scale * ours @ (left @ sign @ right).T
        fits.append((np.hypot(off[:, 0], off[:, 1]), scale))
    return min(fits, key=lambda fit: fit[0].sum())


def soft_picture(corners, size_px, *, fine, table=60, cube=(40, 90, 200)):
    """Draw the outlines of cubes from their corners (M, 8, 2), soft and a little noisy as a lens makes them.

    Args:
        fine: they are drawn so many times as large and made small.
        cube: the colour of all, or of each (M, 3); later ones are drawn over earlier ones.
    """
    picture = np.full((size_px[1] * fine, size_px[0] * fine, 3), table, np.uint8)
    for eight, colour in zip(corners, np.broadcast_to(cube, (len(corners), 3)).tolist(), strict=True):
        hull = cv2.convexHull(((eight + 0.5) * fine - 0.5).astype(np.float32))
        cv2.fillConvexPoly(picture, (hull * 16).round().astype(np.int32), colour, cv2.LINE_AA, 4)
    whole = cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(1).normal(0, 2, whole.shape)
    return np.clip(cv2.GaussianBlur(whole, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)
