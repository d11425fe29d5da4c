"""A simulated table: everything random about it is chosen from one seed, and rendered light by light."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import mitsuba as mi
import numpy as np

from calibration.simulation import lights, looks, meshes, surfaces
from calibration.simulation.arrange import touching_groups
from calibration.simulation.clutter import LITTERED, USUAL, clutter
from calibration.simulation.drop import Dropped, choose_pieces, drop
from calibration.simulation.onlooker import onlooker
from calibration.simulation.rendering import Lights, render_lights
from calibration.simulation.views import View, random_view
from vision.markers import CARD_MM, DICTIONARY, MARKER_MM
from vision.pictures import Floats
from vision.pieces import KINDS, Kind

CARD_HEIGHT_MM: Final = 0.3
TABLE_MM: Final = 2400.0
# How far the slopes of moulded faces spread: from flat to hollow enough to show half the room.
UNEVEN: Final = (0.01, 0.2)
# Gold and potions on photographed black cloth are seldom flat: what they mirror is a blot in a bright frame.
UNEVEN_MIRRORS: Final = (0.03, 0.3)
# What black cloth is among the table tops, and how often it is then dark overhead and bright all around.
BLACK: Final = ("dark",)
CLOTH_RIMMED: Final = 0.6
# How often other things lie on an ordinary table.
CLUTTERED: Final = 0.55


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What kind of tables are wanted.

    Attributes:
        size_px: width and height of the picture.
        px_per_mm: the scale in its middle; None: as a person would hold a phone, all cubes in view.
        samples: light paths a pixel and light.
        balanced: more of the rare pieces than the box holds.
        touching: cubes lie in groups of so many that touch, instead of being dropped; 0: dropped.
        glare: a lamp is where the tops of cubes mirror it into the camera, and all of them are glossy.
        cloth: the table is black, often dark overhead and bright all around, uneven mirrors show who takes
            the picture, and gems have sides that light gathers in, as on photographs of real pieces.
        littered: many things that are no cubes lie between them.
        surfaces: kinds of table tops to choose from; the usual ones more than once.
    """

    size_px: tuple[int, int] = (512, 400)
    px_per_mm: float | None = 2.1
    samples: int = 16
    balanced: bool = True
    touching: int = 0
    glare: bool = False
    cloth: bool = False
    littered: bool = False
    surfaces: tuple[str, ...] = (*surfaces.DRAWN, "wood", "felt", "dark", "dark")


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """A table as seen: its *lights*, the room's first and then one lamp each."""

    lights: Lights
    dropped: Dropped
    view: View
    surface: str
    cards: tuple[tuple[int, float, float, float], ...]


def render_table(seed: int, plan: Plan) -> Rendered:
    """Choose, drop and render one table; the same seed and plan give the same table."""
    rng = np.random.default_rng(seed)
    if plan.touching:
        dropped = touching_groups(plan.touching, rng)
    else:
        dropped = drop(choose_pieces(rng, plan.balanced), float(rng.uniform(110, 330)), rng)
    scale = plan.px_per_mm or float(plan.size_px[1] / rng.uniform(330, 470))
    view = random_view(plan.size_px, scale, rng)
    top = str(rng.choice(BLACK if plan.cloth else plan.surfaces))
    lamps = int(rng.choice([1, 1, 2]))
    with tempfile.TemporaryDirectory() as folder:
        things, cards = _things(dropped, top, plan, Path(folder), rng)
        around = lights.room(rng, CLOTH_RIMMED) if plan.cloth else lights.room(rng)
        if plan.cloth:
            things |= onlooker(view, rng)
        emitters = [around, *(lights.lamp(rng) for _ in range(lamps))]
        if plan.glare:
            emitters[1] = lights.glare(view.at_mm, rng)
        light = render_lights(things, emitters, view, plan.samples, seed)
    return Rendered(light, dropped, view, top, cards)


def _things(
    dropped: Dropped, top: str, plan: Plan, folder: Path, rng: np.random.Generator
) -> tuple[dict[str, Any], tuple[tuple[int, float, float, float], ...]]:
    """Return everything on the table, and the marker cards among it (id, x, y, turn)."""
    things: dict[str, Any] = {"table": _table(top, rng)}
    for kind in KINDS:
        which = [n for n, piece in enumerate(dropped.pieces) if piece.kind is kind]
        if which:
            things |= _cubes(kind, which, dropped, plan, folder, rng)
    cards = _cards(dropped, rng)
    for id, x, y, turn in cards:
        things[f"card{id}"] = _card(id, x, y, turn, folder)
    cluttered = rng.random() < CLUTTERED
    if plan.littered or cluttered:
        things |= clutter(dropped.centres_mm[:, :2], LITTERED if plan.littered else USUAL, rng)
    return things, cards


def _table(top: str, rng: np.random.Generator) -> dict[str, Any]:
    repeats = TABLE_MM / surfaces.TILE_MM
    look = surfaces.surface(top, rng)
    texture = look.get("base_color") or look["reflectance"]
    texture["to_uv"] = mi.ScalarTransform4f().scale([repeats, repeats, 1])
    return {
        "type": "rectangle",
        "to_world": mi.ScalarTransform4f().rotate([0, 0, 1], float(rng.uniform(0, 360))).scale(TABLE_MM / 2),
        "bsdf": look,
    }


def _cubes(
    kind: Kind, which: list[int], dropped: Dropped, plan: Plan, folder: Path, rng: np.random.Generator
) -> dict[str, Any]:
    # Glass and mirrors are polished after they are cut, which takes more off their edges; they shine on dark
    # tables.
    polished = kind in looks.GLASS or kind in looks.MIRRORS
    round_mm = float(rng.uniform(0.25, 1.5 if polished else 1.0))
    slopes = UNEVEN_MIRRORS if plan.cloth and kind in looks.MIRRORS else UNEVEN
    uneven = 0.0 if kind in looks.GLASS else float(np.exp(rng.uniform(*np.log(slopes))))
    shapes, glitter = [], []
    for n in which:
        side = dropped.pieces[n].side_mm
        cube = meshes.rounded_cube(side, round_mm, rng.normal(0, (1.0, 0.4, 0.4), (6, 3)) * uneven)
        if plan.cloth and kind in looks.LIT:
            cube = meshes.upright(cube, dropped.turns[n])
        shapes.append(meshes.moved(cube, dropped.turns[n], dropped.centres_mm[n]))
        if kind is Kind.SHIELD:
            bits = meshes.flakes(side - 1.5, int(rng.integers(15, 90)), rng)
            glitter.append(meshes.moved(bits, dropped.turns[n], dropped.centres_mm[n]))
    look = looks.look_of(kind, rng, plan.glare, plan.cloth)
    found = {kind.value: meshes.as_mesh(meshes.joined(shapes), look, folder, kind.value)}
    if glitter:
        found["glitter"] = meshes.as_mesh(meshes.joined(glitter), looks.glitter(rng), folder, "glitter")
    return found


def _cards(dropped: Dropped, rng: np.random.Generator) -> tuple[tuple[int, float, float, float], ...]:
    """Put up to four cards around the cubes, where none lies on them."""
    cards: list[tuple[int, float, float, float]] = []
    if rng.random() < 1 / 3:
        return ()
    taken = dropped.centres_mm[:, :2]
    for id in range(4):
        for _ in range(60):
            angle = rng.uniform(0, 2 * np.pi)
            place = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(50, 230)
            free = np.linalg.norm(taken - place, axis=1).min() > 48
            apart = all(np.hypot(place[0] - x, place[1] - y) > 85 for _, x, y, _ in cards)
            if free and apart:
                cards.append((id, float(place[0]), float(place[1]), float(rng.uniform(0, 360))))
                break
    return tuple(cards)


def _card(id: int, x: float, y: float, turn: float, folder: Path) -> dict[str, Any]:
    cells = 8
    card = np.full((int(CARD_MM) * cells,) * 2, 0.82, np.float32)
    edge = int((CARD_MM - MARKER_MM) / 2 * cells)
    black = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(DICTIONARY), id, int(MARKER_MM) * cells
    )
    card[edge:-edge, edge:-edge] = np.where(black > 0, 0.82, 0.03)
    # Pictures start at the top, textures at the bottom: unturned, the card would be a mirror image.
    texture = looks.picture(np.repeat(card[::-1, :, None], 3, axis=2).astype(np.float64))
    texture["filter_type"] = "bilinear"
    return {
        "type": "rectangle",
        "to_world": mi.ScalarTransform4f()
        .translate([x, y, CARD_HEIGHT_MM])
        .rotate([0, 0, 1], turn)
        .scale([CARD_MM / 2, CARD_MM / 2, 1]),
        "bsdf": {"type": "diffuse", "reflectance": texture},
    }


def corners_of(dropped: Dropped) -> Floats:
    """Return the eight corners of every cube, shape (N, 8, 3)."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    halves = np.array([piece.side_mm / 2 for piece in dropped.pieces])
    corners: Floats = np.einsum("nij,kj->nki", dropped.turns, signs) * halves[:, None, None]
    return corners + dropped.centres_mm[:, None]
