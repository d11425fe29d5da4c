"""Photos of a table: taking one, showing it, correcting what was seen, looting a room on it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from flask import Blueprint, Response, redirect, request, send_file, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from companion.dungeon_drop.game.state import GameState
from companion.dungeon_drop.pieces import Sides
from companion.dungeon_drop.table import square
from companion.errors import BadData
from companion.message import say
from web.at_table import (
    Visit,
    acting_seat,
    the_eye,
    the_learning,
    the_looks,
    the_tables,
    the_watching,
    turn_came_to,
    turn_of,
    welcome,
)
from web.dungeon_drop.carry import resized
from web.dungeon_drop.forms import pawns_of, piece_of
from web.dungeon_drop.look import ADDED_FROM, TAPPED_ACCURACY_MM, Look, LookCube
from web.dungeon_drop.room_choice import RoomChoice, Trio, room_between, trio_of
from web.going_back import back_to, wants_live
from web.live import stamp_of, the_hub

bp = Blueprint("photos", __name__, url_prefix="/t/<code>")

GAME = "dungeon-drop"


@bp.post("/photo")
def take(code: str) -> ResponseReturnValue:
    """Accept a photo of the table from any phone that sits at it."""
    visit = visit_of(code)
    seat = acting_seat(visit.guest)
    data = sent_photo()
    the_watching().end(code)  # somebody wants to show something else
    the_looks().take(code, data, solo=visit.journal.state.solo)
    return answered(code, seat)


@bp.post("/snap")
def snap(code: str) -> ResponseReturnValue:
    """Let the server's own camera look."""
    visit = visit_of(code)
    seat = acting_seat(visit.guest)
    eye = the_eye()
    if eye is None:
        raise BadData(say("The companion has no camera of its own: take a photo with a phone."))
    the_watching().end(code)
    the_looks().take_frame(code, eye.look, solo=visit.journal.state.solo)
    return answered(code, seat)


@bp.get("/photo/<int:number>.jpg")
def show(code: str, number: int) -> ResponseReturnValue:
    """Show a photo as it was looked at."""
    visit_of(code)
    file = the_looks().photo(code, number)
    if file is None:
        raise NotFound
    answer = send_file(file, mimetype="image/jpeg", max_age=86400)
    answer.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return answer


@bp.get("/photo/<int:number>/<int:left>-<int:top>-<int:right>-<int:bottom>.jpg")
def close(code: str, number: int, left: int, top: int, right: int, bottom: int) -> ResponseReturnValue:
    """Show a part of the newest photo as sharp as it was taken."""
    visit_of(code)
    part = the_looks().close_up(code, number, (left, top, right, bottom))
    if part is None:
        raise NotFound
    answer = Response(part, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return answer


@bp.post("/fix")
def fix(code: str) -> ResponseReturnValue:
    """Say what a cube is, that there is none, or that one was missed."""
    seat = acting_seat(visit_of(code).guest)
    form = request.form
    what = form.get("piece", "")
    id = _number("cube")

    def fixed(look: Look) -> Look:
        cube = look.cube(id)
        if what == "none":
            return look.with_removed(id)
        kind, size = piece_of(what)
        if size is None:
            raise BadData(say("There is no such cube."))
        if cube is None:
            return look.with_cube(_added(look, _number("x"), _number("y"), what))
        footprint = cube.footprint_mm if cube.size is size else resized(cube, size)
        return look.with_cube(replace(cube, kind=kind, size=size, footprint_mm=footprint, fixed=True))

    look = the_looks().change(code, _number("look"), fixed)
    cube = look.cube(id)
    if cube is not None:
        the_learning().learn(the_looks().photo(code, look.number), look, cube)
    return answered(code, seat)


@bp.post("/call")
def call(code: str) -> ResponseReturnValue:
    """Decide whether a cube that is too close to call is in a room."""
    seat = acting_seat(visit_of(code).guest)
    room, cube, inside = _room(), _number("cube"), request.form.get("inside") == "yes"
    the_looks().change(code, _number("look"), lambda look: look.with_call(room, cube, inside))
    return answered(code, seat)


@bp.post("/loot")
def take_room(code: str) -> ResponseReturnValue:
    """Take a room that was chosen on the photo."""
    visit = visit_of(code)
    seat = acting_seat(visit.guest)
    look = the_looks().current(code)
    if look is None or look.number != _number("look"):
        raise BadData(say("There is a newer photo of this table."))
    chosen = choice_on(visit, look, seat, _room())
    if chosen is None or chosen.forbidden:
        raise BadData(say("A pillar touches the wall: this is no room."))
    before = turn_of(visit.journal)
    journal = the_tables().act(
        code,
        seat,
        _looted(chosen, look, visit.journal.state, seat),
        seen=_number("seen"),
        action=request.form.get("tap", ""),
    )
    return answered(code, seat, turn_came_to(visit.guest, before, journal))


def choice_on(visit: Visit, look: Look, seat: int, pillars: Trio) -> RoomChoice | None:
    """Return a room of the photo for one seat, without the cubes that were looted since."""
    state: GameState = visit.journal.state
    return room_between(remaining(state, look), state.hero(seat), pillars)


def remaining(state: GameState, look: Look) -> Look:
    """Return the look without cubes that were looted since the photo was taken."""
    if not look.names_as(state.look) or not state.taken:
        return look
    return _without(look, state.taken)


@lru_cache(maxsize=32)
def _without(look: Look, taken: tuple[int, ...]) -> Look:
    # The same look for all phones, so that its rooms are worked out once.
    return look.without_cubes(taken)


def _looted(chosen: RoomChoice, look: Look, state: GameState, seat: int) -> dict[str, Any]:
    # On a table that is followed, cubes looted on an earlier look have the same numbers and are gone as well.
    earlier = state.taken if look.number != state.look and look.names_as(state.look) else ()
    return {
        "type": "room_looted",
        "player": seat,
        "loot": [
            {"kind": str(held.kind), "count": held.count, "size": str(held.size)} for held in chosen.held
        ],
        "shields": chosen.shields_used,
        "potions": chosen.potions_used,
        "pawns": pawns_of(request.form),
        "look": look.number,
        "cubes": [*earlier, *chosen.cubes],
    }


def sent_photo() -> bytes:
    """Return the file that a form sends.

    Raises:
        BadData: none was chosen.
    """
    sent = request.files.get("photo")
    data = sent.read() if sent else b""
    if not data:
        raise BadData(say("Choose a photo first."))
    return data


def visit_of(code: str) -> Visit:
    """Welcome a phone at a table of this game, and only of this."""
    visit = welcome(code)
    if visit.guest.game != GAME:
        raise NotFound
    return visit


def _number(field: str) -> int:
    number = request.form.get(field, type=int)
    if number is None:
        raise BadData(say("The field '%(field)s' is missing.", field=field))
    return number


def _room() -> Trio:
    pillars = trio_of(request.form.get("room", ""))
    if pillars is None:
        raise BadData(say("There is no such room."))
    return pillars


def _added(look: Look, x: int, y: int, piece: str) -> LookCube:
    """Return a cube where a finger pointed."""
    kind, size = piece_of(piece)
    width, height = look.size_px
    if look.plane is None or size is None or not (0 <= x < width and 0 <= y < height):
        raise BadData(say("There is no such cube."))
    side = Sides().of(size)
    at = look.plane.to_mm(np.array([(float(x), float(y))]), side / 2)[0]
    footprint = square((float(at[0]), float(at[1])), 0.0, side)
    base, top = (look.plane.to_pixels(np.array(footprint), height_mm) for height_mm in (0.0, side))
    outline = tuple((float(u), float(v)) for u, v in np.concatenate((base, top)))
    id = max((cube.id + 1 for cube in look.cubes if cube.id >= ADDED_FROM), default=ADDED_FROM)
    return LookCube(id, kind, size, 1.0, outline, footprint, TAPPED_ACCURACY_MM, True)


def answered(code: str, seat: int, turn: int | None = None) -> ResponseReturnValue:
    """Tell all phones that something changed, and the one that asked where to go on.

    Args:
        turn: the seat that the turn came to, if this phone has to show it now.
    """
    the_hub().publish(code)
    go = None if turn is None else url_for("play.table", code=code, seat=turn)
    if wants_live():
        answer = {"ok": True, "stamp": stamp_of(the_tables(), the_looks(), code)}
        return answer if go is None else {**answer, "go": go}
    return redirect(go or back_to(url_for("play.table", code=code, seat=seat)), 303)
