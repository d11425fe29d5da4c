"""The start page: games to resume, new games, finished ones, and the way in for other phones."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, current_app, render_template
from flask.typing import ResponseReturnValue

from companion.games import GAMES
from companion.results import Result
from web.at_table import may_manage, the_tables, this_device

bp = Blueprint("home", __name__)

SHOWN_FINISHED = 20


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game on the start page; who hosts it stays on the server."""

    code: str
    game: str
    title: str
    players: tuple[str, ...]
    touched: str
    result: Result | None
    may_delete: bool


@bp.get("/")
def start() -> ResponseReturnValue:
    """Show what this phone can go on with or begin."""
    rows = the_tables().store.games_for(this_device())
    games = [
        ListedGame(
            row.code, row.game, GAMES[row.game].title, row.players, row.touched, row.result, may_manage(row)
        )
        for row in rows
    ]
    return render_template(
        "home.html",
        games=tuple(GAMES.values()),
        running=[game for game in games if not game.result],
        finished=[game for game in games if game.result][:SHOWN_FINISHED],
        secure_address=next(iter(current_app.extensions["served_at"].https), None),
    )
