"""Taking a seat: names as big buttons, taken ones greyed, or just watching; the host can free a seat."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from companion.errors import BadData, IllegalEvent, NotYourSeat
from companion.message import say
from web.at_table import Guest, the_tables, welcome
from web.going_back import wants_live
from web.live import the_hub
from web.shown import best_address

bp = Blueprint("seats", __name__, url_prefix="/t/<code>/seats")


@bp.get("/")
def choose(code: str) -> ResponseReturnValue:
    """Show the seats and the code that brings others to this table."""
    return render_template("seats.html", guest=welcome(code).guest, address=_address(code))


@bp.post("/<int:seat>/take")
def take(code: str, seat: int) -> ResponseReturnValue:
    """Sit down on a free seat."""
    visit = welcome(code)
    _check(visit.guest, seat)
    if not the_tables().store.take_seat(code, seat, visit.device):
        raise IllegalEvent(say("Somebody else has just taken this seat."))
    the_hub().publish(code)
    return _go(url_for("play.table", code=code, seat=seat))


@bp.post("/take-free")
def take_all(code: str) -> ResponseReturnValue:
    """Sit down on every free seat: one phone for several players."""
    visit = welcome(code)
    for seat in range(len(visit.row.players)):
        if seat not in visit.guest.taken:
            the_tables().store.take_seat(code, seat, visit.device)
    the_hub().publish(code)
    return _go(url_for("play.table", code=code))


@bp.post("/<int:seat>/free")
def free(code: str, seat: int) -> ResponseReturnValue:
    """Leave the own seat, or free another one as the host."""
    guest = welcome(code).guest
    _check(guest, seat)
    if seat not in guest.held and not guest.is_host:
        raise NotYourSeat(say("Only the phone that set up the game can free this seat."))
    the_tables().store.free_seat(code, seat)
    the_hub().publish(code)
    return _go(url_for("seats.choose", code=code))


def _check(guest: Guest, seat: int) -> None:
    if not 0 <= seat < len(guest.players):
        raise BadData(say("There is no such seat."))


def _go(address: str) -> ResponseReturnValue:
    return {"ok": True, "go": address} if wants_live() else redirect(address, 303)


def _address(code: str) -> str:
    return best_address().rstrip("/") + url_for("play.table", code=code)
