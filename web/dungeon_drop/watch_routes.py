"""Following a table: with the server's camera, or with a phone's that sends one picture after the other."""

from __future__ import annotations

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.errors import BadData
from companion.message import say
from vision.photo import BadPicture, read_photo
from web.at_table import acting_seat, the_eye, the_watching
from web.dungeon_drop.photo_routes import answered, visit_of
from web.dungeon_drop.scan_words import WHY_REFUSED

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
    sent = request.files.get("photo")
    try:
        picture = read_photo(sent.read() if sent else b"")
    except BadPicture as error:
        raise BadData(WHY_REFUSED[error.why]) from error
    return {"ok": True, "activity": the_watching().put(code, picture, solo=visit.journal.state.solo)}
