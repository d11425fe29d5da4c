"""A table's own page and everything that is tapped there."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import BadData
from companion.journal import Journal
from companion.message import say
from web.at_table import Guest, Visit, acting_seat, the_looks, the_tables, turn_came_to, turn_of, welcome
from web.game_pages import GAME_PAGES
from web.going_back import back_to, wants_live
from web.live import stamp_of, the_hub

bp = Blueprint("play", __name__, url_prefix="/t/<code>")

MAX_EVENT = 10_000


@bp.get("/")
def table(code: str) -> ResponseReturnValue:
    """Show the table to a seat, or the result once there is one.

    A phone that is new here is asked to sit down first.
    """
    visit = welcome(code)
    guest = visit.guest
    if guest.seat is None and "watch" not in request.args:
        return redirect(url_for("seats.choose", code=code), 303)
    # Asking for one place of the score sheet is how it is corrected after the end.
    if visit.row.result is not None and "place" not in request.args:
        return redirect(url_for("results.result", code=code, seat=guest.seat), 303)
    pages = GAME_PAGES[guest.game]
    return render_template(pages.table_template, guest=guest, **undo_words(visit), **pages.table(visit))


@bp.get("/tv")
def tv(code: str) -> ResponseReturnValue:
    """Show what all may know, huge, without controls."""
    visit = welcome(code)
    pages = GAME_PAGES[visit.guest.game]
    outcome = visit.journal.outcome
    return render_template(pages.tv_template, guest=visit.guest, outcome=outcome, **pages.tv(visit))


def undo_words(visit: Visit) -> dict[str, Any]:
    """Return what undo would take back for this seat, and whether redo is possible."""
    seat, journal = visit.guest.seat, visit.journal
    step = None if seat is None else journal.undo_target(seat)
    undo = step and {
        "seq": step.entry.seq,
        "who": visit.row.players[step.entry.by],
        "words": journal.words(journal.steps.index(step)),
    }
    return {"undo": undo, "redo": seat is not None and bool(journal.undone)}


@bp.post("/act")
def act(code: str) -> ResponseReturnValue:
    """Record one event for a seat this phone holds."""
    visit = welcome(code)
    guest, before = visit.guest, turn_of(visit.journal)
    seat = acting_seat(guest)
    event = _event(guest, seat)
    journal = the_tables().act(code, seat, event, seen=_number("seen"), action=_action())
    GAME_PAGES[guest.game].happened(code, event)
    return _done(journal, code, seat, turn_came_to(guest, before, journal))


@bp.post("/undo")
def undo(code: str) -> ResponseReturnValue:
    """Take back what the undo button named."""
    seat = acting_seat(welcome(code).guest)
    journal = the_tables().undo(code, seat, _number("target"), action=_action())
    return _done(journal, code, seat)


@bp.post("/redo")
def redo(code: str) -> ResponseReturnValue:
    """Bring back what was undone last."""
    seat = acting_seat(welcome(code).guest)
    journal = the_tables().redo(code, seat, seen=_number("seen"), action=_action())
    return _done(journal, code, seat)


@bp.post("/rewind")
def rewind(code: str) -> ResponseReturnValue:
    """Go back to an earlier moment of the history."""
    seat = acting_seat(welcome(code).guest)
    journal = the_tables().rewind(code, seat, _number("to"), seen=_number("seen"), action=_action())
    return _done(journal, code, seat)


def _done(journal: Journal, code: str, seat: int, turn: int | None = None) -> ResponseReturnValue:
    the_hub().publish(code)
    go = None if turn is None else url_for("play.table", code=code, seat=turn)
    if wants_live():
        answer = {"ok": True, "version": journal.version, "stamp": stamp_of(the_tables(), the_looks(), code)}
        return answer if go is None else {**answer, "go": go}
    return redirect(go or back_to(url_for("play.table", code=code, seat=seat)), 303)


def _event(guest: Guest, seat: int) -> dict[str, Any]:
    text = request.form.get("event")
    if text is None:
        return GAME_PAGES[guest.game].read_form(request.form, seat)
    try:
        if len(text) > MAX_EVENT:
            raise ValueError
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadData(say("This is not JSON.")) from error
    if not isinstance(data, dict):
        raise BadData(say("An event must be a JSON object."))
    return data


def _number(field: str) -> int:
    number = request.form.get(field, type=int)
    if number is None:
        raise BadData(say("The field '%(field)s' is missing.", field=field))
    return number


def _action() -> str:
    return request.form.get("tap", "")
