"""What a table decides before a game: boxes, the first adventurer, special monsters, the variant."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.errors import BadData
from companion.message import Message, say
from companion.rules import Choice, Option, Setup
from companion.welcome.game.state import GameState, new_game
from companion.welcome.monsters import SPECIAL, Monster
from companion.welcome.names import MONSTER_NAMES
from companion.welcome.tiles import heroes

DRAW, CHOOSE, NONE = "draw", "choose", "none"
SPECIAL_PLACES = ("special_1", "special_2")


def options_of(box: str) -> tuple[Option, ...]:
    """Return what can be decided when the game is started from a box."""
    boxes = Choice(
        "boxes",
        say("Adventurers"),
        ((box, say("Those of this box")), ("both", say("Those of both boxes"))),
        box,
    )
    first = Choice(
        "hero",
        say("The first adventurer"),
        (
            (DRAW, say("Draw one for us")),
            (CHOOSE, say("The first player chooses")),
            *((hero.id, hero.name) for hero in heroes().values()),
        ),
        DRAW,
    )
    opening = Choice(
        "opening",
        say("First turn of the bidding"),
        (("free", say("As always")), ("add", say("Variant: everybody must add a monster"))),
        "free",
    )
    return boxes, first, *_specials(DRAW if box == "welcome-back" else NONE), opening


def _specials(default: str) -> tuple[Choice, ...]:
    choices: tuple[tuple[str, Message], ...] = (
        (NONE, say("None")),
        (DRAW, say("Draw one for us")),
        *((str(monster), MONSTER_NAMES[monster]) for monster in SPECIAL),
    )
    labels = (say("First special monster"), say("Second special monster"))
    return tuple(
        Choice(key, label, choices, default) for key, label in zip(SPECIAL_PLACES, labels, strict=True)
    )


def settle(options: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Draw what was left to chance.

    Raises:
        BadData: the same special monster was chosen twice, or an adventurer of the other box.
    """
    settled = dict(options)
    in_play = heroes_of(str(options["boxes"]))
    if settled["hero"] == DRAW:
        settled["hero"] = rng.choice(in_play)
    elif settled["hero"] != CHOOSE and settled["hero"] not in in_play:
        raise BadData(say("This adventurer is in the other box."))
    chosen = [settled[place] for place in SPECIAL_PLACES if settled[place] not in (DRAW, NONE)]
    if len(set(chosen)) < len(chosen):
        raise BadData(say("There is only one of each special monster."))
    for place in SPECIAL_PLACES:
        if settled[place] == DRAW:
            settled[place] = str(rng.choice([monster for monster in SPECIAL if str(monster) not in chosen]))
            chosen.append(settled[place])
    return settled


def heroes_of(boxes: str) -> tuple[str, ...]:
    """Return the adventurers of a box, or of both."""
    return tuple(hero.id for hero in heroes().values() if boxes in ("both", hero.box))


def start(setup: Setup) -> GameState:
    """Lay the table as the set-up says.

    Raises:
        BadData: a special monster is there twice, or the adventurer is in no box in play.
    """
    options = setup.options
    specials = tuple(
        Monster(options[place]) for place in SPECIAL_PLACES if options[place] not in (DRAW, NONE)
    )
    in_play = heroes_of(str(options["boxes"]))
    hero = str(options["hero"])
    if len(set(specials)) < len(specials):
        raise BadData(say("There is only one of each special monster."))
    if hero not in (*in_play, DRAW, CHOOSE):
        raise BadData(say("This adventurer is in the other box."))
    return new_game(
        setup.players,
        first=setup.first,
        heroes=in_play,
        hero=hero if hero in in_play else None,
        specials=specials,
        must_add_first=options["opening"] == "add",
    )
