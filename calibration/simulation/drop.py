"""Dropping cubes: a physics engine says where and how they come to lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from vision.pictures import Floats
from vision.pieces import COUNTS, SIDE_MM, Kind, Size

# The engine likes things about one unit big: it works in centimetres.
MM_PER_UNIT: Final = 10.0
STEP_S: Final = 0.002
LONGEST_FALL_S: Final = 2.5
STILL_UNITS_PER_S: Final = 0.05
# Kinds of which a box holds few are seen too rarely to learn from: a balanced drop holds these instead.
BALANCED: Final[dict[Kind, tuple[int, int]]] = {
    Kind.POTION: (2, 5),
    Kind.SHIELD: (2, 5),
    Kind.DRAGON: (1, 4),
    Kind.RELIC: (1, 4),
    Kind.STAIRS: (1, 3),
    Kind.CHEST: (3, 6),
    Kind.KEY: (3, 6),
    Kind.TROLL: (2, 5),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A cube to drop."""

    kind: Kind
    size: Size

    @property
    def side_mm(self) -> float:
        return SIDE_MM[self.size]


@dataclass(frozen=True, slots=True, eq=False)
class Dropped:
    """Where cubes came to lie: *centres_mm* (N, 3), *turns* (N, 3, 3) from a cube's axes to the table's."""

    pieces: tuple[Piece, ...]
    centres_mm: Floats
    turns: Floats


def choose_pieces(rng: np.random.Generator, balanced: bool) -> tuple[Piece, ...]:
    """Choose what is dropped: a part of the box as in a game, or a mixture with more of the rare kinds."""
    bag: list[Piece] = []
    # Half of the balanced drops hold what the box holds after all: it tells what to expect of a table.
    balanced = balanced and rng.random() < 0.5
    for (kind, size), count in COUNTS.items():
        if balanced and kind in BALANCED:
            low, high = BALANCED[kind]
            bag += [Piece(kind, size)] * int(rng.integers(low, high + 1))
        elif kind in (Kind.RELIC, Kind.STAIRS):
            # Only solo games use these.
            bag += [Piece(kind, size)] * (count if rng.random() < 0.1 else 0)
        else:
            bag += [Piece(kind, size)] * count
    share = rng.uniform(0.3, 0.85) if rng.random() < 0.8 else rng.uniform(0.05, 0.3)
    chosen = rng.permutation(len(bag))[: max(3, int(share * len(bag)))]
    return tuple(bag[index] for index in chosen)


def drop(pieces: tuple[Piece, ...], spread_mm: float, rng: np.random.Generator) -> Dropped:
    """Let cubes fall from a cupped hand of about *spread_mm* across, until they lie still."""
    data, model = _falling(pieces, spread_mm / MM_PER_UNIT, rng)
    for step in range(int(LONGEST_FALL_S / STEP_S)):
        mujoco.mj_step(model, data)
        if step > 200 and step % 50 == 0 and np.abs(data.qvel).max() < STILL_UNITS_PER_S:
            break
    poses = np.array(data.qpos).reshape(-1, 7)
    turns = np.stack([_turn(pose[3:]) for pose in poses])
    return Dropped(pieces, poses[:, :3] * MM_PER_UNIT, turns)


def _falling(
    pieces: tuple[Piece, ...], spread: float, rng: np.random.Generator
) -> tuple[mujoco.MjData, mujoco.MjModel]:
    """Return the cubes in the air above the table, at random turns and in no one's way."""
    places: list[npt.NDArray[np.float64]] = []
    for _ in pieces:
        for attempt in range(1000):
            reach = spread * 0.5 * np.sqrt(rng.random())
            angle = rng.random() * 2 * np.pi
            high = 1.5 + rng.random() * (4.0 + attempt * 0.02)
            place = np.array([reach * np.cos(angle), reach * np.sin(angle), high])
            if all(np.abs(place - other).max() > 1.9 for other in places):
                break
        places.append(place)
    bodies = "".join(
        f'<body pos="{x} {y} {z}"><freejoint/><geom type="box" size="{half} {half} {half}" density="1.2" '
        f'friction="{rng.uniform(0.25, 0.6)} 0.005 0.0005"/></body>'
        for (x, y, z), half in zip(places, (p.side_mm / 2 / MM_PER_UNIT for p in pieces), strict=True)
    )
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{STEP_S}" gravity="0 0 -981" cone="elliptic"/>'
        f'<worldbody><geom type="plane" size="200 200 1" friction="0.4 0.005 0.0005"/>'
        f"{bodies}</worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    poses = np.array(data.qpos).reshape(-1, 7)
    speeds = np.zeros((len(pieces), 6))
    for index in range(len(pieces)):
        quaternion = rng.normal(size=4)
        poses[index, 3:] = quaternion / np.linalg.norm(quaternion)
    speeds[:, :2] = rng.normal(0, 6, size=(len(pieces), 2))
    speeds[:, 3:] = rng.normal(0, 8, size=(len(pieces), 3))
    data.qpos[:] = poses.ravel()
    data.qvel[:] = speeds.ravel()
    return data, model


def _turn(quaternion: Floats) -> Floats:
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, quaternion)
    return matrix.reshape(3, 3)
