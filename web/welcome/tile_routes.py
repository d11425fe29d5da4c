"""Learning the game: every tile and monster in a line, and a way to correct a tile."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from companion.welcome.explain import tile_rule
from companion.welcome.game.state import GameState, Phase
from companion.welcome.monsters import ORDINARY, STRENGTH, copies, deck
from companion.welcome.names import MONSTER_NAMES, monster_rule
from companion.welcome.tiles import Revival, Use, heroes, printed_tiles
from web.at_table import Visit, welcome
from web.play import undo_words
from web.welcome.look import GAMES

bp = Blueprint("tiles", __name__, url_prefix="/t/<code>/tiles")


def _at(code: str) -> tuple[Visit, GameState]:
    visit = welcome(code)
    if visit.guest.game not in GAMES:
        raise NotFound
    return visit, visit.journal.state


@bp.get("/")
def learn(code: str) -> ResponseReturnValue:
    """Explain every adventurer, tile and monster of this table."""
    visit, state = _at(code)
    return render_template(
        "welcome/learn.html",
        guest=visit.guest,
        heroes=[heroes()[hero] for hero in state.heroes],
        tiles=state.tiles,
        printed=printed_tiles(),
        monsters=deck(state.specials),
        may_write=visit.guest.seat is not None and state.phase not in (Phase.DELVING, Phase.FINISHED),
        **_words(),
        **undo_words(visit),
    )


@bp.get("/<tile>")
def edit(code: str, tile: str) -> ResponseReturnValue:
    """Ask what a tile says; ``?printed=1`` starts with what the companion knew at first."""
    visit, state = _at(code)
    known = printed_tiles() if "printed" in request.args else state.tiles
    if tile not in known:
        raise NotFound
    return render_template(
        "welcome/tile.html",
        guest=visit.guest,
        tile=known[tile],
        USES=tuple(Use),
        REVIVALS=tuple(Revival),
        ORDINARY=ORDINARY,
        corrected=state.tiles[tile] != printed_tiles()[tile],
        **_words(),
        **undo_words(visit),
    )


def _words() -> dict[str, Any]:
    return {
        "NAMES": MONSTER_NAMES,
        "STRENGTH": STRENGTH,
        "tile_rule": tile_rule,
        "monster_rule": lambda card: monster_rule(card, STRENGTH.get(card), copies(card)),
    }
