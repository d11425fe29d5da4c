"""Following a table: with the server's camera, or with a phone's that sends one picture after the other."""

from __future__ import annotations

from math import prod
from threading import BoundedSemaphore
from typing import Final

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.dungeon_drop.game.state import Phase
from companion.errors import BadData, UnknownGame
from companion.message import say
from companion.tables import Tables
from vision.photo import BadPicture, picture_size, read_photo
from web.at_table import acting_seat, the_eye, the_watching
from web.dungeon_drop.photo_routes import answered, sent_photo, visit_of
from web.dungeon_drop.scan_words import WHY_REFUSED

MOST_PX: Final = 5_000_000
_DECODING = BoundedSemaphore(2)

bp = Blueprint("watching", __name__, url_prefix="/t/<code>")


@bp.post("/watch")
def watch(code: str) -> ResponseReturnValue:
    """Begin or end to follow the table."""
    visit = visit_of(code)
    seat = acting_seat(visit.guest)
    eye = the_eye()
    if request.form.get("follow") != "yes":
        the_watching().end(code)
    elif eye is None or eye.pictures is None:
        raise BadData(say("The companion has no camera of its own: take a photo with a phone."))
    else:
        the_watching().begin(code, eye.pictures, solo=visit.journal.state.solo)
    return answered(code, seat)


@bp.post("/frame")
def frame(code: str) -> ResponseReturnValue:
    """Take in the next picture of a phone that is held over the table."""
    visit = visit_of(code)
    acting_seat(visit.guest)
    data = sent_photo()
    try:
        # Phones film at the size of a screen; more would only take memory.
        if prod(picture_size(data)) > MOST_PX:
            raise BadData(say("The picture is too large to be filmed."))
        with _DECODING:
            picture = read_photo(data)
    except BadPicture as error:
        raise BadData(WHY_REFUSED[error.why]) from error
    first = request.form.get("first") == "yes"
    activity = the_watching().put(code, picture, first=first, solo=visit.journal.state.solo)
    return {"ok": True, "followed": activity is not None}


def is_played(tables: Tables, code: str) -> bool:
    """Tell whether a table is still played at, so that following it makes sense."""
    try:
        tables.store.game(code)
        return bool(tables.open(code).state.phase is Phase.PLAYING)
    except UnknownGame:
        return False
