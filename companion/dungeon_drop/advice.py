"""The rooms of a table, best for this hero first, with what each gives, costs and risks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.dungeon_drop.arrays import Flags, Indexes, joined, picked
from companion.dungeon_drop.hero import Hero
from companion.dungeon_drop.holdings import Counts, cube_rows
from companion.dungeon_drop.readings import Doubts, Outlook, find_doubts, look_ahead, with_all_doubtful
from companion.dungeon_drop.rooms import Rooms
from companion.dungeon_drop.worth import Effects, columns_needed, judge

# Rooms whose risks are worked out at once.
BLOCK = 10_000


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


@dataclass(frozen=True, slots=True, eq=False)
class Risks:
    """What is doubtful about R rooms, and what hangs on it.

    Attributes:
        safe: shape (R,), allowed whichever way the doubtful cubes fall.
    """

    doubts: Doubts
    safe: Flags
    outlook: Outlook


@dataclass(frozen=True, eq=False)
class Advice:
    """All rooms, best first: allowed ones, then by gain, less damage, fewer shields and potions, pillar ids.

    The order is worked out for all rooms, the risks only for those asked for.

    Attributes:
        gives: shape (cubes of the table, columns), what each adds to a loot.
        effects: of each room as measured, by place.
        order: shape (R,), places of the rooms, best first.
    """

    rooms: Rooms
    hero: Hero
    accuracy_mm: float
    gives: Counts
    effects: Effects
    order: Indexes

    def __len__(self) -> int:
        return len(self.order)

    def top(self, count: int | None = None) -> tuple[RoomAdvice, ...]:
        """Return the best *count* rooms, or all."""
        places = self.order[:count]
        return tuple(
            room for at in range(0, len(places), BLOCK) for room in self._rooms(places[at : at + BLOCK])
        )

    def room(self, place: int) -> RoomAdvice:
        """Return the advice on the room at *place* of the table of rooms."""
        return next(self._rooms(np.array([place])))

    def risks(self, places: Indexes) -> Risks:
        """Return what hangs on the doubtful cubes of the rooms at *places*, in that order."""
        pillars = self.rooms.table.pillar_count
        doubts = find_doubts(self.rooms.near_at(places), self.accuracy_mm)
        loots = self.rooms.inside_at(places) @ self.gives[pillars:]
        safe = self.effects.allowed[places]
        kept = np.where(safe, self.effects.gain[places], 0.0)
        doubtful, full = with_all_doubtful(loots, doubts, self.gives)
        safe[doubtful] = judge(full, self.hero).allowed
        safe[doubts.room[doubts.piece < pillars]] = False
        return Risks(doubts, safe, look_ahead(kept, loots, doubts, self.gives, pillars, self.hero))

    def _rooms(self, places: Indexes) -> Iterator[RoomAdvice]:
        effects, risks = picked(self.effects, places), self.risks(places)
        ids, first_cube = self.rooms.table.ids, self.rooms.table.pillar_count
        first_doubts = np.searchsorted(risks.doubts.room, np.arange(len(places) + 1))
        doubtful = [
            DoubtfulCube(ids[piece], gap, likely)
            for piece, gap, likely in zip(
                risks.doubts.piece, risks.doubts.gap_mm.tolist(), risks.doubts.likely_in.tolist(), strict=True
            )
        ]
        for at, place in enumerate(places.tolist()):
            i, j, k = self.rooms.trios.pillars[place]
            yield RoomAdvice(
                place=place,
                pillars=(ids[i], ids[j], ids[k]),
                cubes=tuple(ids[first_cube + cube] for cube in self.rooms.taken(place)),
                gain=float(effects.gain[at]),
                damage=int(effects.damage[at]),
                hp_left=int(effects.hp_left[at]),
                shields_used=int(effects.shields_used[at]),
                potions_used=int(effects.potions_used[at]),
                weight=int(effects.weight[at]),
                allowed=bool(effects.allowed[at]),
                safe=bool(risks.safe[at]),
                doubtful=tuple(doubtful[first_doubts[at] : first_doubts[at + 1]]),
                worst=float(risks.outlook.worst[at]),
                best=float(risks.outlook.best[at]),
                expected_gain=float(risks.outlook.expected_gain[at]),
            )


def advise(rooms: Rooms, hero: Hero, accuracy_mm: float) -> Advice:
    """Rank all *rooms* for *hero*.

    Args:
        accuracy_mm: how well the scan knows positions; what is nearer to an edge is doubtful.

    Raises:
        ValueError: the rooms were not measured as far as that.
    """
    if accuracy_mm > rooms.survey.near_mm:
        raise ValueError(f"measured up to {rooms.survey.near_mm} mm, asked for {accuracy_mm} mm")
    gives = cube_rows(rooms.table.codes)[:, : columns_needed(hero)]
    cubes = gives[rooms.table.pillar_count :]
    effects = joined([judge(rooms.inside_of(block) @ cubes, hero) for block in rooms.blocks()])
    return Advice(rooms, hero, accuracy_mm, gives, effects, best_first(effects))


def best_first(effects: Effects) -> Indexes:
    """Return the places of rooms, given by pillar ids, in the order of `Advice`."""
    used = effects.shields_used + effects.potions_used
    return np.lexsort((used, effects.damage, -effects.gain, ~effects.allowed))
