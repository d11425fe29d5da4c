"""Setting up a new game: players, who begins, the game's own options."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import NotFound

from companion.errors import BadData
from companion.games import GAMES
from companion.rules import GameRules, Numbers
from web.at_table import the_tables, this_device
from web.game_pages import GAME_PAGES
from web.language import in_words

bp = Blueprint("setup", __name__)


@bp.get("/new/<game>")
def ask(game: str) -> ResponseReturnValue:
    """Ask for players and options; ``?again=CODE`` starts with the people of that table."""
    rules, form = _rules(game), MultiDict[str, str]()
    if "again" in request.args:
        row = the_tables().store.game(request.args["again"])
        form.setlist("player", list(row.players))
    return render_template("setup.html", rules=rules, form=form, listed=_listed(), error=None)


@bp.post("/new/<game>")
def create(game: str) -> ResponseReturnValue:
    """Create the game; the phone that does so is its host."""
    rules = _rules(game)
    try:
        code = the_tables().create(
            game,
            _players(),
            _options(rules),
            first=_first(),
            host=this_device(),
            listed="listed" in request.form,
        )
    except BadData as error:
        page = render_template(
            "setup.html", rules=rules, form=request.form, listed=_listed(), error=in_words(error.message)
        )
        return page, 400
    GAME_PAGES[game].created(code)
    return redirect(url_for("seats.choose", code=code), 303)


def _rules(game: str) -> GameRules[Any, Any]:
    if game not in GAMES:
        raise NotFound
    return GAMES[game]


def _listed() -> bool:
    listed: bool = current_app.extensions["served_at"].list_games
    return listed


def _players() -> tuple[str, ...]:
    return tuple(name for name in request.form.getlist("player") if name.strip())


def _first() -> int:
    # The row that was ticked, counted among the rows that have a name.
    ticked = request.form.get("first", 0, type=int)
    names = request.form.getlist("player")
    if not 0 <= ticked < len(names) or not names[ticked].strip():
        return 0
    return sum(bool(name.strip()) for name in names[:ticked])


def _options(rules: GameRules[Any, Any]) -> dict[str, object]:
    chosen: dict[str, object] = {}
    for option in rules.options:
        values = request.form.getlist(f"option-{option.key}")
        if isinstance(option, Numbers):
            if values:
                chosen[option.key] = [
                    int(v) if v.strip().isdecimal() and len(v) < 6 else None for v in values
                ]
        elif values:
            chosen[option.key] = values[0]
    return chosen
