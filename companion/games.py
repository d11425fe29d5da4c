"""The games the companion knows, by the key that logs and addresses use."""

from __future__ import annotations

from typing import Any

from companion import apprentis, guilds
from companion.dungeon_drop import game as dungeon_drop
from companion.errors import BadData
from companion.message import quoted, say
from companion.rules import GameRules
from companion.welcome import game as welcome

GAMES: dict[str, GameRules[Any, Any]] = {
    rules.key: rules
    for rules in (
        dungeon_drop.RULES,
        welcome.WELCOME,
        welcome.WELCOME_BACK,
        apprentis.RULES,
        guilds.RULES,
    )
}


def find_rules(key: object) -> GameRules[Any, Any]:
    """Return the rules of the game called *key*.

    Raises:
        BadData: there is no such game.
    """
    if isinstance(key, str) and key in GAMES:
        return GAMES[key]
    raise BadData(say("The game '%(game)s' is not known.", game=quoted(key)))
