"""What a table decides before a game of Dungeon Drop."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.dungeon_drop.game.state import GameState, new_game
from companion.message import say
from companion.rules import MODE, Choice, Option, Setup

TEAMWORK = Choice(
    "teamwork",
    say("Teamwork mode"),
    (
        ("no", say("Without pawns")),
        ("yes", say("With pawns: a point for standing in another's room")),
    ),
    "no",
)
SOLO = Choice(
    "solo",
    say("Solo cubes"),
    (
        ("no", say("Without them")),
        ("yes", say("With the two relics and the stairs")),
    ),
    "no",
    earlier="yes",
)
OPTIONS: tuple[Option, ...] = (MODE, TEAMWORK, SOLO)


def settle(options: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return the options as they are: nothing is left to chance before the game."""
    return dict(options)


def start(setup: Setup) -> GameState:
    """Lay the table as the set-up says."""
    return new_game(
        setup.players,
        teamwork=setup.options["teamwork"] == "yes",
        tracked=setup.options["mode"] == "full",
        solo=setup.options["solo"] == "yes",
    )
