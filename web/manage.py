"""Deleting a game, after asking, and bringing it back."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from companion.errors import NotYourSeat
from companion.message import say
from companion.store import GameRow
from companion.tables import now
from web.at_table import may_manage, the_tables, the_watching, welcome
from web.live import the_hub

bp = Blueprint("manage", __name__, url_prefix="/t/<code>/delete")


@bp.get("/")
def ask(code: str) -> ResponseReturnValue:
    """Ask whether the game shall really go."""
    return render_template("delete.html", guest=welcome(code).guest)


@bp.post("/")
def delete(code: str) -> ResponseReturnValue:
    """Put the game in the bin and offer to take it out again."""
    store = the_tables().store
    row = store.game(code)
    _check_host(row)
    store.set_deleted(code, now())
    the_watching().end(code)
    the_hub().publish(code)
    return redirect(url_for("manage.deleted", code=code), 303)


@bp.get("/done")
def deleted(code: str) -> ResponseReturnValue:
    """Say that the game is gone, with the way to bring it back."""
    row = the_tables().store.deleted_game(code)
    return render_template("deleted.html", code=code, players=row.players, is_host=may_manage(row))


@bp.post("/restore")
def restore(code: str) -> ResponseReturnValue:
    """Take the game out of the bin."""
    store = the_tables().store
    _check_host(store.deleted_game(code))
    store.set_deleted(code, None)
    return redirect(url_for("seats.choose", code=code), 303)


def _check_host(row: GameRow) -> None:
    if not may_manage(row):
        raise NotYourSeat(say("Only the phone that set up the game can delete it."))
