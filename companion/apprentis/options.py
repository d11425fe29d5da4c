"""What a table decides before a game of Les Apprentis Gardiens."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.apprentis.board import DEFAULT_PILES, MAX_PILES, ROOM_PLACES, Kind, place_name
from companion.apprentis.objectives import COLOURS, of_colour
from companion.apprentis.state import GameState, new_game
from companion.message import Message, say
from companion.rules import MODE, Choice, Numbers, Option, Setup

DRAW_PLAIN = "draw-plain"
DRAW_EXPERT = "draw-expert"

COLOUR_LABELS: dict[Kind, Message] = {
    Kind.SPIDER: say("Spider objective"),
    Kind.BROU: say("Brou objective"),
    Kind.VAMPIRE: say("Vampire objective"),
    Kind.DRAGON: say("Dragon objective"),
}


def _objective_choice(colour: Kind) -> Choice:
    sides = tuple((objective.key, objective.label) for objective in of_colour(colour))
    draw = (
        (DRAW_PLAIN, say("Draw one without a star")),
        (DRAW_EXPERT, say("Draw one of all (expert)")),
    )
    note = say("Which tiles carry a star is our reading of the rulebook: compare with yours.")
    last = colour is COLOURS[-1]
    return Choice(str(colour), COLOUR_LABELS[colour], (*draw, *sides), DRAW_PLAIN, note if last else None)


PILES = Numbers(
    "piles",
    say("Gold piles printed in the rooms"),
    tuple(place_name(place) for place in ROOM_PLACES),
    0,
    MAX_PILES,
    DEFAULT_PILES,
    say("Compare with your dungeon board and correct if it differs."),
)

OPTIONS: tuple[Option, ...] = (MODE, *(_objective_choice(colour) for colour in COLOURS), PILES)


def settle(options: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Draw the objectives that were left to chance: a tile of each colour, then its side."""
    settled = dict(options)
    for colour in COLOURS:
        if settled[colour] in (DRAW_PLAIN, DRAW_EXPERT):
            starless = settled[colour] == DRAW_PLAIN
            pool = [side.key for side in of_colour(colour) if not (starless and side.starred)]
            settled[colour] = rng.choice(pool)
    return settled


def start(setup: Setup) -> GameState:
    """Lay the table as the set-up says; undrawn objectives count as the first side."""
    chosen = tuple(
        key if key in {side.key for side in of_colour(colour)} else of_colour(colour)[0].key
        for colour, key in ((colour, setup.options[colour]) for colour in COLOURS)
    )
    return new_game(
        setup.players,
        chosen,
        first=setup.first,
        piles=tuple(setup.options["piles"]),
        tracked=setup.options["mode"] == "full",
    )
