"""What a table decides before a game of Dungeon Guilds."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.errors import BadData
from companion.guilds.state import MOST_WITH_GHOST, GameState, new_game
from companion.message import say
from companion.rules import Choice, Option, Setup

MODE = Choice(
    "mode",
    say("What the companion does"),
    (("full", say("Follow the game")), ("score", say("Only keep the money"))),
    "full",
)
MASTERS = Choice(
    "masters",
    say("Dungeon masters"),
    (
        ("box", say("Those of the box")),
        ("promos", say("Also the promotional ones")),
        ("counters", say("Only to count the rounds (first games)")),
    ),
    "box",
)
TEAMS = Choice(
    "teams",
    say("Teams"),
    (
        ("none", say("Everybody for themselves")),
        ("two", say("Two teams (4 or 6 players)")),
        ("three", say("Three teams of two (6 players)")),
    ),
    "none",
    help=say("Members of a team sit opposite each other."),
)
GHOST = Choice(
    "ghost",
    say("The ghost (3 to 5 players)"),
    (("no", say("Without")), ("yes", say("One more room and two ghosts"))),
    "no",
)
OPTIONS: tuple[Option, ...] = (MODE, MASTERS, TEAMS, GHOST)

TEAM_COUNTS = {"none": 0, "two": 2, "three": 3}


def settle(options: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Leave everything as it was decided: masters are drawn when a dungeon is dealt."""
    return dict(options)


def start(setup: Setup) -> GameState:
    """Lay the table as the set-up says.

    Raises:
        BadData: so many players cannot form these teams, or cannot play with the ghost.
    """
    options, count = setup.options, len(setup.players)
    if options["teams"] == "two" and count not in (4, 6):
        raise BadData(say("Two teams need 4 or 6 players."))
    if options["teams"] == "three" and count != 6:
        raise BadData(say("Three teams need 6 players."))
    ghost = options["ghost"] == "yes"
    if ghost and count > MOST_WITH_GHOST:
        raise BadData(say("The ghost plays with 3 to 5 players."))
    return new_game(
        setup.players,
        first=setup.first,
        teams=TEAM_COUNTS[options["teams"]],
        ghost=ghost,
        masters=options["masters"] != "counters",
        promos=options["masters"] == "promos",
        only_money=options["mode"] == "score",
    )
