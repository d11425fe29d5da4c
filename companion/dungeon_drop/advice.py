"""The rooms of a table, best for this hero first, with what each gives, costs and risks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.dungeon_drop.arrays import Flags, Indexes, joined, picked
from companion.dungeon_drop.hero import Hero
from companion.dungeon_drop.holdings import Counts, cube_rows
from companion.dungeon_drop.readings import Doubts, Outlook, find_doubts, look_ahead, with_all_doubtful
from companion.dungeon_drop.rooms import Rooms
from companion.dungeon_drop.worth import Effects, columns_needed, judge


@dataclass(frozen=True, slots=True)
class DoubtfulCube:
    """A cube, or a pillar that is not the room's, too close to the edge to call."""

    id: int
    gap_mm: float
    likely_in: float


@dataclass(frozen=True, slots=True)
class RoomAdvice:
    """One room for one hero.

    Attributes:
        place: of the room among all rooms of the table.
        cubes: the reading at gap <= 0.
        gain: expected final score gained in that reading.
        safe: allowed whichever way the doubtful cubes fall.
        worst, best: the least and most any reading of the doubtful cubes gains; forbidden ones gain nothing.
        expected_gain: the mean over all readings, each weighted by its probability.
    """

    place: int
    pillars: tuple[int, int, int]
    cubes: tuple[int, ...]
    gain: float
    damage: int
    hp_left: int
    shields_used: int
    potions_used: int
    weight: int
    allowed: bool
    safe: bool
    doubtful: tuple[DoubtfulCube, ...]
    worst: float
    best: float
    expected_gain: float


@dataclass(frozen=True, eq=False)
class Advice:
    """All rooms, best first: allowed ones, then by gain, less damage, fewer shields and potions, pillar ids.

    Attributes:
        gives: shape (cubes of the table, columns), what each adds to a loot.
        effects: of each room as measured, by place.
        safe: shape (R,), by place.
        order: shape (R,), places of the rooms, best first.
    """

    rooms: Rooms
    hero: Hero
    accuracy_mm: float
    doubts: Doubts
    gives: Counts
    effects: Effects
    safe: Flags
    order: Indexes

    def __len__(self) -> int:
        return len(self.order)

    def top(self, count: int | None = None) -> tuple[RoomAdvice, ...]:
        """Return the best *count* rooms, or all."""
        places = self.order[:count]
        outlook = self.outlook(places)
        return tuple(self._room(int(place), outlook, at) for at, place in enumerate(places))

    def room(self, place: int) -> RoomAdvice:
        """Return the advice on the room at *place* of the table of rooms."""
        return self._room(place, self.outlook(np.array([place])), 0)

    def outlook(self, places: Indexes) -> Outlook:
        """Return what may come of the rooms at *places* over all readings of their doubtful cubes."""
        starts, stops = self._doubts_from[places], self._doubts_from[places + 1]
        at = np.repeat(np.arange(len(places)), stops - starts)
        entries = np.arange(len(at)) + (starts - np.cumsum(stops - starts) + (stops - starts))[at]
        loots = self.rooms.inside_at(places) @ self.gives[self.rooms.table.pillar_count :]
        kept = np.where(self.effects.allowed, self.effects.gain, 0.0)[places]
        doubts = picked(self.doubts, entries)
        return look_ahead(kept, loots, doubts, at, self.gives, self.rooms.table.pillar_count, self.hero)

    def _room(self, place: int, outlook: Outlook, at: int) -> RoomAdvice:
        effects, ids, first_cube = self.effects, self.rooms.table.ids, self.rooms.table.pillar_count
        i, j, k = self.rooms.trios.pillars[place]
        return RoomAdvice(
            place=place,
            pillars=(ids[i], ids[j], ids[k]),
            cubes=tuple(ids[first_cube + cube] for cube in self.rooms.taken(place)),
            gain=float(effects.gain[place]),
            damage=int(effects.damage[place]),
            hp_left=int(effects.hp_left[place]),
            shields_used=int(effects.shields_used[place]),
            potions_used=int(effects.potions_used[place]),
            weight=int(effects.weight[place]),
            allowed=bool(effects.allowed[place]),
            safe=bool(self.safe[place]),
            doubtful=self._doubtful(place),
            worst=float(outlook.worst[at]),
            best=float(outlook.best[at]),
            expected_gain=float(outlook.expected_gain[at]),
        )

    def _doubtful(self, place: int) -> tuple[DoubtfulCube, ...]:
        ids, doubts = self.rooms.table.ids, self.doubts
        start, stop = self._doubts_from[place : place + 2]
        return tuple(
            DoubtfulCube(ids[doubts.piece[at]], float(doubts.gap_mm[at]), float(doubts.likely_in[at]))
            for at in range(start, stop)
        )

    @cached_property
    def _doubts_from(self) -> Indexes:
        return np.searchsorted(self.doubts.room, np.arange(len(self) + 1))


def advise(rooms: Rooms, hero: Hero, accuracy_mm: float) -> Advice:
    """Rank all *rooms* for *hero*.

    Args:
        accuracy_mm: how well the scan knows positions; what is nearer to an edge is doubtful.

    Raises:
        ValueError: the rooms were not measured as far as that.
    """
    doubts = find_doubts(rooms, accuracy_mm)
    gives = cube_rows(rooms.table.codes)[:, : columns_needed(hero)]
    blocks = [_judge_block(rooms, hero, doubts, gives, block) for block in rooms.blocks()]
    effects = joined([block[0] for block in blocks])
    safe = np.concatenate([block[1] for block in blocks])
    return Advice(rooms, hero, accuracy_mm, doubts, gives, effects, safe, best_first(effects))


def best_first(effects: Effects) -> Indexes:
    """Return the places of rooms, given by pillar ids, in the order of `Advice`."""
    used = effects.shields_used + effects.potions_used
    return np.lexsort((used, effects.damage, -effects.gain, ~effects.allowed))


def _judge_block(
    rooms: Rooms, hero: Hero, doubts: Doubts, gives: Counts, block: slice
) -> tuple[Effects, Flags]:
    """Judge a block of rooms as measured; and which are allowed even if all that is doubtful is inside."""
    pillars = rooms.table.pillar_count
    loots = rooms.inside_of(block) @ gives[pillars:]
    here = picked(doubts, slice(*np.searchsorted(doubts.room, (block.start, block.stop))))
    doubtful, full = with_all_doubtful(loots, here, here.room - block.start, gives)
    judged = judge(np.concatenate((loots, full)), hero)
    effects = picked(judged, slice(0, len(loots)))
    safe = effects.allowed.copy()
    safe[doubtful] = judged.allowed[len(loots) :]
    safe[here.room[here.piece < pillars] - block.start] = False
    return effects, safe
