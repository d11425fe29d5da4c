"""The start page: games to resume, new games, finished ones, and the way in for other phones."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template
from flask.typing import ResponseReturnValue

from companion.games import GAMES
from web.at_table import the_tables, this_device

bp = Blueprint("home", __name__)

SHOWN_FINISHED = 20


@bp.get("/")
def start() -> ResponseReturnValue:
    """Show what this phone can go on with or begin."""
    device = this_device()
    rows = the_tables().store.games_for(device)
    finished = [row for row in rows if row.result]
    return render_template(
        "home.html",
        games=tuple(GAMES.values()),
        GAMES=GAMES,
        running=[row for row in rows if not row.result],
        finished=finished[:SHOWN_FINISHED],
        device=device,
        secure_address=next(iter(current_app.extensions["served_at"].https), None),
    )
