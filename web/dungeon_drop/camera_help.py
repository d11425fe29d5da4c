"""A page that helps to place the camera and the marker cards: a checklist of the newest photo."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from calibration.marker_cards import Paper, draw_cards
from companion.message import Message, say, say_many
from vision.seen import Advice, Source
from web.at_table import the_eye, the_learning, the_looks, welcome
from web.dungeon_drop.look import Look, Status
from web.dungeon_drop.photo_routes import GAME
from web.dungeon_drop.scan_words import what_to_do
from web.play import undo_words

bp = Blueprint("camera", __name__)

# What each line of the list is about; the first advice of it that a photo got is shown.
_LINES: tuple[tuple[Message, tuple[Advice, ...]], ...] = (
    (
        say("Marker cards lie flat beside the cubes"),
        (Advice.NO_MARKERS, Advice.MARKER_BENT, Advice.MARKER_HIDDEN),
    ),
    (say("There is enough light, and not too much"), (Advice.TOO_DARK, Advice.TOO_BRIGHT)),
    (say("The photo is sharp"), (Advice.BLURRED,)),
    (say("The camera is near enough, and far enough"), (Advice.COME_CLOSER, Advice.TOO_CLOSE)),
    (say("All cubes are in the photo, and nothing else"), (Advice.NO_CUBES, Advice.CUT_OFF, Advice.TOO_MANY)),
)


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the list: whether it is as it should be, and if not, what to do."""

    what: Message
    good: bool
    todo: Message | None = None


def checklist(look: Look) -> tuple[Check, ...]:
    """Return what is good about a photo and what a person could do better."""
    checks = []
    for what, advices in _LINES:
        todo = next((what_to_do(warning) for warning in look.warnings if warning.advice in advices), None)
        checks.append(Check(what, todo is None, todo))
    return tuple(checks)


@bp.get("/t/<code>/camera")
def help_page(code: str) -> ResponseReturnValue:
    """Show how the newest photo was, and what would make the next one better."""
    visit = welcome(code)
    if visit.guest.game != GAME:
        raise NotFound
    look = the_looks().current(code)
    read = look is not None and look.status is Status.READ
    profile = the_learning().profile
    return render_template(
        "dungeon_drop/camera.html",
        guest=visit.guest,
        look=look,
        eye=the_eye(),
        checks=checklist(look) if look is not None and read else (),
        seen=say_many("%(count)d cube", "%(count)d cubes", len(look.cubes)) if look and read else None,
        cards=look.plane.markers if look and look.plane and look.source is Source.MARKERS else (),
        samples=len(profile) if profile else 0,
        **undo_words(visit),
    )


@bp.get("/cards.svg")
def cards() -> ResponseReturnValue:
    """Give the marker cards as a file to print; never shown here, because it has a style of its own."""
    paper = Paper.LETTER if request.args.get("paper") == "letter" else Paper.A4
    answer = Response(draw_cards(paper), mimetype="image/svg+xml")
    answer.headers["Content-Disposition"] = f'attachment; filename="marker-cards-{paper}.svg"'
    return answer
