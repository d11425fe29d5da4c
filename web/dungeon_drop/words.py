"""Rooms in a line of plain words, for a terminal and for the caption of a picture."""

from __future__ import annotations

from collections import Counter

from companion.dungeon_drop.advice import RoomAdvice
from companion.dungeon_drop.pawns import Spot
from companion.dungeon_drop.pieces import KINDS, Kind
from companion.dungeon_drop.table import Table
from web.dungeon_drop.marks import MARKS

NO_PLURAL = (Kind.GOLD, Kind.STAIRS)


def number(value: float) -> str:
    """Return a number without needless decimals."""
    return f"{value:.1f}".removesuffix(".0")


def room_in_words(room: RoomAdvice) -> str:
    """Return what a room gives and costs."""
    parts = [f"gain {number(room.gain)}{_range(room)}", f"damage {room.damage}"]
    if not room.allowed:
        return ", ".join([*parts, "NOT ALLOWED"])
    parts.append(f"{room.hp_left} hp left")
    if room.shields_used:
        parts.append(f"uses {counted(room.shields_used, 'shield')}")
    if room.potions_used:
        parts.append(f"drinks {counted(room.potions_used, 'potion')}")
    parts.append(f"{room.weight} to carry")
    if not room.safe:
        parts.append("NOT SAFE")
    return ", ".join(parts)


def counted(count: int, what: str) -> str:
    """Return a number of things."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def _range(room: RoomAdvice) -> str:
    if not room.allowed or room.worst == room.best:
        return ""
    return f" ({number(room.worst)} to {number(room.best)}, mean {number(room.expected_gain)})"


def contents_in_words(table: Table, ids: tuple[int, ...]) -> str:
    """Return what is in a room, by kind."""
    kinds = Counter(table.cubes[table.index(id)].kind for id in ids)
    words = [
        f"{count} {MARKS[kind].name}" if kind in NO_PLURAL else counted(count, str(MARKS[kind].name))
        for kind in KINDS
        if (count := kinds[kind])
    ]
    return ", ".join(words) or "empty"


def doubts_in_words(table: Table, room: RoomAdvice) -> str:
    """Return which cubes are too close to call, and by how much."""
    words = [
        f"{MARKS[table.cubes[table.index(cube.id)].kind].name} {cube.id} "
        f"({abs(cube.gap_mm):.1f} mm {'in' if cube.gap_mm <= 0 else 'out'}, {cube.likely_in:.0%} in)"
        for cube in room.doubtful
    ]
    return "too close to call: " + ", ".join(words)


def spot_in_words(spot: Spot) -> str:
    """Return how good a point for a pawn is."""
    return f"{spot.chance:.0%} of what attracts, {counted(spot.rooms, 'good room')}"
