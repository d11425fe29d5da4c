"""How cubes too close to call may fall, how likely each way is, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from companion.dungeon_drop.arrays import Floats, Indexes, joined, picked
from companion.dungeon_drop.contacts import TOUCHING_MM
from companion.dungeon_drop.hero import Hero
from companion.dungeon_drop.holdings import Counts
from companion.dungeon_drop.trios import NearEdge
from companion.dungeon_drop.worth import judge

# An accuracy of so many mm means that 95 of 100 positions are better than that: 1.96 standard deviations.
DEVIATIONS = 1.96
# Of each room, so many doubtful cubes are thought through in all ways (2 to the power of it); the surest of a
# longer list keep the reading they have.
THOUGHT_THROUGH = 10
# Readings held at once.
BLOCK = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class Doubts:
    """What is doubtful about some rooms, ordered by room and piece; all shape (K,).

    Attributes:
        room: which of the rooms.
        piece: index in the table; pillars come first.
        gap_mm: as measured.
        likely_in: probability that it touches the room.
    """

    room: Indexes
    piece: Indexes
    gap_mm: Floats
    likely_in: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """What may come of rooms over all readings of their doubtful cubes, all shape (R,).

    Attributes:
        worst, best: the least and most any reading gains; a forbidden room gains nothing, the turn is lost.
        expected_gain: the mean over all readings, each weighted by its probability.
    """

    worst: Floats
    best: Floats
    expected_gain: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """Ways in which the doubtful cubes of rooms may fall.

    Attributes:
        room: shape (S,), place of the room each reading is of.
        loots: shape (S, columns), what looting gives in that reading.
        probability: shape (S,); they add up to 1 for each room.
    """

    room: Indexes
    loots: Counts
    probability: Floats


def find_doubts(near: NearEdge, accuracy_mm: float) -> Doubts:
    """Return what is nearer to the edge of a room than the accuracy of the scan."""
    kept = np.flatnonzero(np.abs(near.gap_mm) < accuracy_mm)
    gap = near.gap_mm[kept]
    spread = accuracy_mm / DEVIATIONS if accuracy_mm else 1.0
    return Doubts(near.room[kept], near.cube[kept], gap, ndtr(-gap / spread))


def with_all_doubtful(loots: Counts, doubts: Doubts, gives: Counts) -> tuple[Indexes, Counts]:
    """Return the rooms with something doubtful outside, and their loots with all of it inside.

    Args:
        loots: shape (R, columns), of the rooms as measured.
        gives: shape (pieces, columns), what each piece of the table adds to a loot; nothing for pillars.
    """
    outside = np.flatnonzero(doubts.gap_mm > TOUCHING_MM)
    room = doubts.room[outside]
    first = np.flatnonzero(np.diff(room, prepend=-1))
    if not first.size:
        return room, loots[:0]
    rooms = room[first]
    return rooms, loots[rooms] + np.add.reduceat(gives[doubts.piece[outside]], first, axis=0)


def look_ahead(
    kept: Floats, loots: Counts, doubts: Doubts, gives: Counts, pillars: int, hero: Hero
) -> Outlook:
    """Think the doubtful cubes of rooms through.

    Args:
        kept: shape (R,), what each room gains as measured, nothing where it is forbidden.
        loots, doubts, gives: as for `with_all_doubtful`.
        pillars: how many of the table's first pieces are pillars.
    """
    outlook = Outlook(kept.copy(), kept.copy(), kept.copy())
    is_cube = doubts.piece >= pillars
    for readings in _all_readings(loots, picked(doubts, np.flatnonzero(is_cube)), gives):
        judged = judge(readings.loots, hero)
        gained = np.where(judged.allowed, judged.gain, 0.0)
        outlook.worst[readings.room], outlook.best[readings.room] = np.inf, -np.inf
        np.minimum.at(outlook.worst, readings.room, gained)
        np.maximum.at(outlook.best, readings.room, gained)
        outlook.expected_gain[readings.room] = 0.0
        np.add.at(outlook.expected_gain, readings.room, gained * readings.probability)
    # A pillar that may touch the room may forbid it: then it gains nothing.
    posts = picked(doubts, np.flatnonzero(~is_cube))
    outlook.worst[posts.room] = np.minimum(outlook.worst[posts.room], 0.0)
    outlook.best[posts.room] = np.maximum(outlook.best[posts.room], 0.0)
    np.multiply.at(outlook.expected_gain, posts.room, 1.0 - posts.likely_in)
    return outlook


def _all_readings(loots: Counts, cubes: Doubts, gives: Counts) -> list[Readings]:
    """List all readings of rooms with doubtful *cubes*, in blocks of whole rooms."""
    # Within a room the least sure come first, so that a long list is cut at its surest.
    cubes = picked(cubes, np.lexsort((np.abs(cubes.gap_mm), cubes.room)))
    room, first, many = np.unique(cubes.room, return_index=True, return_counts=True)
    many = np.minimum(many, THOUGHT_THROUGH)
    blocks: list[list[Readings]] = [[]]
    for thought in np.unique(many):
        these = np.flatnonzero(many == thought)
        step = max(1, BLOCK >> thought)
        for start in range(0, len(these), step):
            block = these[start : start + step]
            listed = first[block][:, None] + np.arange(thought)
            if sum(len(part.room) for part in blocks[-1]) > BLOCK:
                blocks.append([])
            blocks[-1].append(_subsets(loots, cubes, room[block], listed, gives))
    return [joined(block) for block in blocks if block]


def _subsets(loots: Counts, doubts: Doubts, room: Indexes, listed: Indexes, gives: Counts) -> Readings:
    """List all ways for rooms with equally many doubtful cubes; *listed* has shape (rooms, cubes)."""
    many = listed.shape[1]
    taken = ((np.arange(2**many)[:, None] >> np.arange(many)) & 1).astype(np.float64)
    chances = doubts.likely_in[listed][:, None]
    probability = (taken * chances + (1.0 - taken) * (1.0 - chances)).prod(axis=2)
    adds = gives[doubts.piece[listed]]
    inside = doubts.gap_mm[listed] <= TOUCHING_MM
    without = loots[room] - (adds * inside[..., None]).sum(axis=1)
    ways = without[:, None] + taken @ adds
    return Readings(np.repeat(room, 2**many), ways.reshape(-1, loots.shape[1]), probability.reshape(-1))
