"""How a game ended: a ranked table, every line, a picture to share, CSV and BG Stats."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from companion.bgstats import play_link
from companion.results import to_csv
from web.at_table import the_tables, this_device, welcome
from web.game_pages import GAME_PAGES
from web.play import undo_words

bp = Blueprint("results", __name__)


@bp.get("/t/<code>/result")
def result(code: str) -> ResponseReturnValue:
    """Show who won and why; while a game is being played, its table instead."""
    visit = welcome(code)
    if visit.row.result is None:
        return redirect(url_for("play.table", code=code, watch=1), 303)
    pages = GAME_PAGES[visit.guest.game]
    return render_template(
        "result.html",
        guest=visit.guest,
        result=visit.row.result,
        outcome=visit.journal.outcome,
        bgstats=play_link(visit.row.result, code),
        ranked=pages.ranked(visit),
        **undo_words(visit),
    )


@bp.get("/t/<code>/result.svg")
def picture(code: str) -> ResponseReturnValue:
    """Draw the result as a picture to share."""
    visit = welcome(code)
    if visit.row.result is None:
        return redirect(url_for("play.table", code=code, watch=1), 303)
    drawn = render_template(
        "result.svg",
        guest=visit.guest,
        result=visit.row.result,
        outcome=visit.journal.outcome,
        ranked=GAME_PAGES[visit.guest.game].ranked(visit),
    )
    return Response(drawn, mimetype="image/svg+xml")


@bp.get("/t/<code>/result.csv")
def table_csv(code: str) -> ResponseReturnValue:
    """Hand out one finished game as CSV."""
    row = welcome(code).row
    return _csv(to_csv([row.result] if row.result else []), f"dungeon-{row.game}.csv")


@bp.get("/results.csv")
def all_csv() -> ResponseReturnValue:
    """Hand out all finished games this phone can see as CSV."""
    rows = the_tables().store.games_for(this_device())
    return _csv(to_csv(row.result for row in rows if row.result), "dungeon-results.csv")


def _csv(text: str, name: str) -> Response:
    # The mark tells spreadsheets that accents are UTF-8.
    response = Response("\ufeff" + text, mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
