"""Sample games for people who want to look around first."""

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


HEROES = ("Alix", "Basile")

DROP_EVENTS: tuple[tuple[int, dict[str, Any]], ...] = (
    (0, {"type": "hero_chosen", "player": 0, "card": {"initiative": 4, "hit_points": 8, "race": "Elf"}}),
    (1, {"type": "hero_chosen", "player": 1, "card": {"initiative": 9, "hit_points": 9, "race": "Orc"}}),
    (0, {"type": "quest_written", "player": 0, "quest": {"gems": {"clear": 1, "blue": 3, "pink": 2}}}),
    (1, {"type": "quest_written", "player": 1, "quest": {"gems": {"clear": 2, "blue": 1, "pink": 3}}}),
    (0, {"type": "game_begun"}),
    (0, {"type": "cubes_dropped", "player": 0}),
    (0, {"type": "ability_used", "player": 0, "which": "none"}),
)


WELCOME_OPTIONS = {"hero": "barbarian", "special_1": "none", "special_2": "none"}

WELCOME_EVENTS: tuple[tuple[int, dict[str, Any]], ...] = (
    (0, {"type": "monster_added", "player": 0, "card": "dragon"}),
    (1, {"type": "monster_added", "player": 1, "card": "goblin"}),
    (2, {"type": "monster_set_aside", "player": 2, "tile": "leather-shield", "card": "orc"}),
    (0, {"type": "monster_added", "player": 0, "card": "vampire"}),
    (1, {"type": "player_passed", "player": 1}),
    (2, {"type": "monster_added", "player": 2, "card": "lich"}),
    (0, {"type": "monster_set_aside", "player": 0, "tile": "torch", "card": "skeleton"}),
)


BACK = ("defence_low", "defence_high", "treasure_low", "treasure_high")

GUILD_EVENTS: tuple[tuple[int, dict[str, Any]], ...] = (
    (
        0,
        {
            "type": "rooms_dealt",
            "rooms": [
                {"level": level, **dict(zip(BACK, numbers, strict=True))}
                for level, *numbers in ((1, 3, 5, 2, 4), (2, 5, 8, 4, 7), (3, 7, 10, 6, 9))
            ],
            "master": "lich-king",
        },
    ),
    (0, {"type": "adventurers_disabled", "player": 0, "strengths": [1, 2]}),
    (1, {"type": "adventurers_disabled", "player": 1, "strengths": [2, 3]}),
    (2, {"type": "adventurers_disabled", "player": 2, "strengths": [1, 5]}),
    (0, {"type": "adventurer_placed", "player": 0, "strength": 3, "place": 1}),
    (1, {"type": "adventurer_placed", "player": 1, "strength": 5, "place": 2}),
    (2, {"type": "adventurer_placed", "player": 2, "strength": 3, "place": 1}),
)


def add_sample(tables: Tables) -> str | None:
    """Add games that are under way, unless there are games already; return the one to take a photo of."""
    if tables.store.games_for(None):
        return None
    _play(tables, tables.create("apprentis", PLAYERS, {}), EVENTS)
    _play(tables, tables.create("welcome", PLAYERS, WELCOME_OPTIONS), WELCOME_EVENTS)
    _play(tables, tables.create("guilds", PLAYERS, {}), GUILD_EVENTS)
    # Some of the sample tables have relics on them.
    code = tables.create("dungeon-drop", HEROES, {"solo": "yes"})
    _play(tables, code, DROP_EVENTS)
    return code


def _play(tables: Tables, code: str, events: tuple[tuple[int, dict[str, Any]], ...]) -> None:
    for number, (seat, body) in enumerate(events):
        tables.act(code, seat, body, seen=number, action=f"sample-{number}")
