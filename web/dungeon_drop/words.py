"""Rooms in a line of plain words, for a terminal and for the caption of a picture."""

from __future__ import annotations

from collections import Counter

from companion.dungeon_drop.advice import RoomAdvice
from companion.dungeon_drop.pieces import KINDS, Kind
from companion.dungeon_drop.table import Table
from web.dungeon_drop.marks import MARKS

NO_PLURAL = (Kind.GOLD, Kind.STAIRS)


def number(value: float) -> str:
    """Return a number without needless decimals."""
    return f"{value:.1f}".removesuffix(".0")


def room_in_words(room: RoomAdvice) -> str:
    """Return what a room gives and costs."""
    parts = [f"gain {number(room.gain)}{_range(room)}", f"damage {room.damage}", f"{room.hp_left} hp left"]
    if room.shields_used:
        parts.append(f"uses {room.shields_used} shield{'s' if room.shields_used > 1 else ''}")
    if room.potions_used:
        parts.append(f"drinks {room.potions_used} potion{'s' if room.potions_used > 1 else ''}")
    parts.append(f"weight {room.weight}")
    if not room.safe:
        parts.append("NOT SAFE" if room.allowed else "NOT ALLOWED")
    return ", ".join(parts)


def _range(room: RoomAdvice) -> str:
    if not room.allowed or room.worst == room.best:
        return ""
    return f" ({number(room.worst)} to {number(room.best)}, mean {number(room.expected_gain)})"


def contents_in_words(table: Table, ids: tuple[int, ...]) -> str:
    """Return what is in a room, by kind."""
    kinds = Counter(table.cubes[table.index(id)].kind for id in ids)
    words = [
        f"{count} {MARKS[kind].name}{'s' if count > 1 and kind not in NO_PLURAL else ''}"
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
