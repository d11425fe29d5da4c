"""The best rooms of a look for one hero, with what players decided about cubes too close to call."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

import numpy as np

from companion.dungeon_drop.advice import Advice, RoomAdvice, advise
from companion.dungeon_drop.deny import wanted_by
from companion.dungeon_drop.footprints import Point
from companion.dungeon_drop.hero import Hero, Rival
from companion.dungeon_drop.holdings import Held, cube_rows
from companion.dungeon_drop.pawns import best_spots, heat_map
from companion.dungeon_drop.pieces import COLLECTED, Kind, Size
from companion.dungeon_drop.rooms import Rooms, find_rooms
from companion.dungeon_drop.worth import columns_needed, judge
from web.dungeon_drop.look import Look

SHOWN = 8
# So many of the best are looked at for rooms that hold the same: on a full table most have such twins.
SEARCHED = 40
# Nearer to a wall than the first a cube is always doubtful, farther than the second never; both are guesses.
LEAST_DOUBT_MM = 0.5
MOST_DOUBT_MM = 3.0

Trio = tuple[int, int, int]


def trio_of(text: str) -> Trio | None:
    """Return the pillars that an address or a form names, such as ``3-7-12``."""
    parts = text.split("-")
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 6 for part in parts):
        return None
    i, j, k = map(int, parts)
    return i, j, k


@dataclass(frozen=True, slots=True)
class Doubt:
    """A cube too close to call.

    Attributes:
        gap_mm: how far it is from the wall; negative where it overlaps.
        inside: what is counted with: the measurement, or what players decided.
        decided: whether players did.
    """

    id: int
    kind: Kind
    gap_mm: float
    inside: bool
    decided: bool


@dataclass(frozen=True, slots=True)
class RoomChoice:
    """A room as a phone shows it.

    Attributes:
        cubes: what is in it, decided cubes included.
        held: the same by kind and size, as a reserve takes it.
        outline_px: its walls in the photo.
        forbidden: a pillar touches it: it may not be looted by anybody.
        twins: how many others among the best hold and cost the same; the one with the fewest doubts is shown.
    """

    pillars: Trio
    cubes: tuple[int, ...]
    held: tuple[Held, ...]
    gain: float
    damage: int
    hp_left: int
    shields_used: int
    potions_used: int
    weight: int
    allowed: bool
    safe: bool
    forbidden: bool
    doubtful: tuple[Doubt, ...]
    outline_px: tuple[Point, ...]
    twins: int = 0

    @property
    def open_doubts(self) -> int:
        """How many cubes too close to call nobody has decided."""
        return sum(not doubt.decided for doubt in self.doubtful)


@lru_cache(maxsize=32)
def rooms_of(look: Look) -> Rooms:
    """Return all legal rooms of a look; worked out once for all phones."""
    return find_rooms(look.table(), doubt_mm(look))


def doubt_mm(look: Look) -> float:
    """Return how near to a wall a cube is too close to call."""
    return min(MOST_DOUBT_MM, max(LEAST_DOUBT_MM, look.accuracy_mm))


def best_rooms(look: Look, hero: Hero, count: int = SHOWN) -> tuple[RoomChoice, ...]:
    """Return the best rooms for a hero, best first; of those that hold the same, one."""
    advice = _advice(look, hero)
    found = [_choice(look, advice, room) for room in advice.top(max(count, SEARCHED))]
    found.sort(key=lambda room: (not room.allowed, -room.gain, room.damage, room.open_doubts))
    twins: dict[tuple[object, ...], list[RoomChoice]] = {}
    for room in found:
        same = (frozenset(room.held), room.gain, room.damage, room.weight, room.allowed, room.forbidden)
        twins.setdefault(same, []).append(room)
    folded = (replace(first, twins=len(others)) for first, *others in twins.values())
    return tuple(islice(folded, count))


def room_between(look: Look, hero: Hero, pillars: Trio) -> RoomChoice | None:
    """Return the room between three pillars, or None if they make no legal one."""
    advice, ids = _advice(look, hero), look.table().ids
    wanted = set(pillars)
    for place, trio in enumerate(advice.rooms.trios.pillars):
        if {ids[index] for index in trio} == wanted:
            return _choice(look, advice, advice.room(place))
    return None


def pawn_spots(look: Look, player: Rival, count: int = 3) -> tuple[Point, ...]:
    """Return where in the photo a pawn would best stand while *player* is about to loot."""
    if look.plane is None or not len(rooms_of(look)):
        return ()
    theirs = wanted_by(rooms_of(look), player, doubt_mm(look))
    spots = best_spots(heat_map(theirs), count)
    return tuple(in_photo(look, tuple(spot.at_mm for spot in spots))) if spots else ()


def _advice(look: Look, hero: Hero) -> Advice:
    return advise(rooms_of(look), hero, doubt_mm(look))


def _choice(look: Look, advice: Advice, room: RoomAdvice) -> RoomChoice:
    table = advice.rooms.table
    kinds = {cube.id: cube.kind for cube in table.cubes}
    inside = set(room.cubes)
    doubtful, forbidden = [], False
    for cube in room.doubtful:
        measured = cube.gap_mm <= 0
        said = look.calls.get((room.pillars, cube.id))
        is_in = measured if said is None else said
        doubtful.append(Doubt(cube.id, kinds[cube.id], cube.gap_mm, is_in, said is not None))
        if kinds[cube.id] is Kind.PILLAR:
            forbidden = forbidden or is_in
        elif is_in:
            inside.add(cube.id)
        else:
            inside.discard(cube.id)
    taken = tuple(sorted(inside))
    where = [table.index(id) for id in taken]
    loot = cube_rows(table.codes[where])[:, : columns_needed(advice.hero)].sum(axis=0, keepdims=True)
    effects = judge(loot, advice.hero)
    open_doubt = any(not doubt.decided for doubt in doubtful)
    allowed = bool(effects.allowed[0]) and not forbidden
    return RoomChoice(
        pillars=room.pillars,
        cubes=taken,
        held=_held([(table.cubes[index].kind, table.cubes[index].size) for index in where]),
        gain=float(effects.gain[0]),
        damage=int(effects.damage[0]),
        hp_left=int(effects.hp_left[0]),
        shields_used=int(effects.shields_used[0]),
        potions_used=int(effects.potions_used[0]),
        weight=int(effects.weight[0]),
        allowed=allowed,
        safe=room.safe if open_doubt else allowed,
        forbidden=forbidden,
        doubtful=tuple(doubtful),
        outline_px=in_photo(look, advice.rooms.outline(room.place)),
    )


def _held(pieces: list[tuple[Kind, Size]]) -> tuple[Held, ...]:
    counts = Counter(piece for piece in pieces if piece[0] in COLLECTED)
    return tuple(Held(kind, count, size) for (kind, size), count in counts.items())


def in_photo(look: Look, outline_mm: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return points of the table where the photo shows them."""
    if look.plane is None:
        return ()
    seen = look.plane.to_pixels(np.array(outline_mm))
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in seen)
