"""Chest dice that the companion rolls."""

from __future__ import annotations

import random

from flask import Blueprint, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from companion.dungeon_drop.game.sheets import DIE
from companion.dungeon_drop.game.state import GameState
from companion.errors import BadData
from companion.message import say
from web.at_table import acting_seat, the_tables, welcome
from web.dungeon_drop.photo_routes import GAME, answered

bp = Blueprint("drop", __name__, url_prefix="/t/<code>")

_DICE = random.SystemRandom()


@bp.post("/roll")
def roll(code: str) -> ResponseReturnValue:
    """Roll a chest for each pair of a key and a chest; the roll is an event, so it stays what it was."""
    visit = welcome(code)
    if visit.guest.game != GAME:
        raise NotFound
    seat = acting_seat(visit.guest)
    state: GameState = visit.journal.state
    seen = request.form.get("seen", type=int)
    if seen is None:
        raise BadData(say("The field '%(field)s' is missing.", field="seen"))
    dice = [_DICE.choice(DIE) for _ in range(state.adventurers[seat].pairs)]
    event = {"type": "chests_rolled", "player": seat, "dice": dice}
    the_tables().act(code, seat, event, seen=seen, action=request.form.get("tap", ""))
    return answered(code, seat)
