"""The advice on all rooms of a table as plain JSON values: what ``dungeon rooms --json`` prints."""

from __future__ import annotations

from typing import Any

from companion.dungeon_drop.advice import Advice, RoomAdvice

SCHEMA = 1
# Gaps are good to far less than this; more digits would only be noise.
DIGITS = 9


def report(advice: Advice, top: int | None = None, *, readings: bool = False) -> dict[str, Any]:
    """Return the contract's object with the best *top* rooms, or all.

    Args:
        readings: also say what the doubtful cubes can change: worst, best and expected gain.
    """
    return {
        "schema": SCHEMA,
        "legal_rooms": len(advice),
        "outside_limits": sorted(advice.rooms.outside_limits),
        "rooms": [_room(room, readings) for room in advice.top(top)],
    }


def _room(room: RoomAdvice, readings: bool) -> dict[str, Any]:
    values: dict[str, Any] = {
        "pillars": list(room.pillars),
        "cubes": list(room.cubes),
        "gain": room.gain,
        "damage": room.damage,
        "hp_left": room.hp_left,
        "shields_used": room.shields_used,
        "potions_used": room.potions_used,
        "weight": room.weight,
        "allowed": room.allowed,
        "safe": room.safe,
        "doubtful": [{"id": cube.id, "gap_mm": _rounded(cube.gap_mm)} for cube in room.doubtful],
    }
    if readings:
        values |= {"worst": room.worst, "best": room.best, "expected_gain": _rounded(room.expected_gain)}
    return values


def _rounded(value: float) -> float:
    return round(value, DIGITS) + 0.0  # never -0.0
