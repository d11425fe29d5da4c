"""A sample game for people who want to look around first."""

from __future__ import annotations

from typing import Any

from companion.tables import Tables

PLAYERS = ("Alix", "Basile", "Chloé")

EVENTS: tuple[tuple[int, dict[str, Any]], ...] = (
    (0, {"type": "threat_revealed", "effect": "new", "icon": True}),
    (0, {"type": "turn_ended", "player": 0}),
    (1, {"type": "threat_revealed", "effect": "advance", "steps": 2}),
    (1, {"type": "group_removed", "player": 1, "room": 1}),
    (1, {"type": "turn_ended", "player": 1}),
    (2, {"type": "threat_revealed", "effect": "advance", "steps": 2, "icon": True}),
    (2, {"type": "guardian_revealed", "player": 2}),
    (2, {"type": "power_used", "player": 2, "power": 2}),
    (2, {"type": "turn_ended", "player": 2}),
)


def add_sample(tables: Tables) -> str | None:
    """Add a game that is under way, unless there are games already; return its code."""
    if tables.store.games_for(None):
        return None
    code = tables.create("apprentis", PLAYERS, {})
    for number, (seat, body) in enumerate(EVENTS):
        tables.act(code, seat, body, seen=number, action=f"sample-{number}")
    return code
