"""Teaching the companion the colours of one's own pieces: a laid-out photo, its effect, and only then yes."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

import numpy as np
from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from calibration.profiles import with_samples
from calibration.sample_layout import LAYOUT, SOLO_ROW, LabelledCubes, NotTheLayout, laid_out
from companion.dungeon_drop.pieces import Kind
from companion.errors import BadData
from companion.message import say
from vision.focal import told_focal_px
from vision.photo import BadPicture, load_photo, read_photo
from vision.profile import Profile
from vision.seen import Scan
from web.at_table import Visit, acting_seat, the_learning, the_looks
from web.dungeon_drop.layout_words import why_not_the_layout
from web.dungeon_drop.learning import NAME
from web.dungeon_drop.look import Look, LookCube, Status, look_of
from web.dungeon_drop.looks import Sees
from web.dungeon_drop.marks import CORNERS, MARKS, Mark
from web.dungeon_drop.photo_routes import sent_photo, visit_of
from web.dungeon_drop.photo_view import frame_of
from web.dungeon_drop.scan_words import WHY_REFUSED
from web.going_back import wants_live
from web.play import undo_words

bp = Blueprint("colours", __name__, url_prefix="/t/<code>/colours")

# Lessons that wait for a yes or no; the oldest are forgotten.
MOST_LESSONS: Final = 8
# A cube of two readings of one photo is the same if their middles are as near as this, in its own reaches.
SAME_PLACE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Changed:
    """A cube of the newest photo that would be read differently."""

    points: str
    x: float
    y: float
    before: Mark
    after: Mark


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """What a laid-out photo teaches.

    Attributes:
        samples: what it adds to what is known when it is kept.
        look: the photo on which the effect is shown; None if the table has none yet.
        compared: how many cubes of it were read again.
    """

    samples: Profile
    look: Look | None
    compared: int
    changes: tuple[Changed, ...]


class Lessons:
    """Lessons that wait for a yes or no, by a token that only the phone knows that took the photo."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: OrderedDict[str, Lesson] = OrderedDict()

    def put(self, lesson: Lesson) -> str:
        """Keep a lesson; return its token."""
        token = secrets.token_urlsafe(9)
        with self._lock:
            self._waiting[token] = lesson
            while len(self._waiting) > MOST_LESSONS:
                self._waiting.popitem(last=False)
        return token

    def get(self, token: str) -> Lesson | None:
        """Return a lesson that waits."""
        with self._lock:
            return self._waiting.get(token)

    def drop(self, token: str) -> None:
        """Forget a lesson."""
        with self._lock:
            self._waiting.pop(token, None)


def _lessons() -> Lessons:
    lessons: Lessons = current_app.extensions["lessons"]
    return lessons


@bp.get("")
def page(code: str) -> ResponseReturnValue:
    """Show the order of the pieces, and what the last photo of them would change."""
    visit = visit_of(code)
    token = request.args.get("lesson", "")
    lesson = _lessons().get(token)
    profile = the_learning().profile
    return render_template(
        "dungeon_drop/colours.html",
        guest=visit.guest,
        rows=(*LAYOUT, SOLO_ROW),
        MARKS={kind: MARKS[Kind(str(kind))] for row in (*LAYOUT, SOLO_ROW) for kind, _ in row},
        CORNERS=CORNERS,
        lesson=lesson,
        lesson_token=token,
        frame=frame_of(lesson.look) if lesson and lesson.look else None,
        samples=len(profile) if profile else 0,
        **undo_words(visit),
    )


@bp.post("")
def take(code: str) -> ResponseReturnValue:
    """Read a photo of the laid-out pieces and work out what it would change."""
    visit = visit_of(code)
    seat = acting_seat(visit.guest)
    token = _lessons().put(the_looks().ask(_reading(visit, sent_photo())))
    return _answered(code, seat, lesson=token)


@bp.post("/keep")
def keep(code: str) -> ResponseReturnValue:
    """Keep what the photo taught, or forget it."""
    seat = acting_seat(visit_of(code).guest)
    token = request.form.get("lesson", "")
    lesson = _lessons().get(token)
    if lesson is None:
        raise BadData(say("This photo was forgotten meanwhile: take it again."))
    if request.form.get("keep") == "yes":
        the_learning().add(lesson.samples)
    _lessons().drop(token)
    return _answered(code, seat)


@bp.post("/forget")
def forget(code: str) -> ResponseReturnValue:
    """Forget everything that was learned of the owner's pieces."""
    seat = acting_seat(visit_of(code).guest)
    the_learning().forget()
    return _answered(code, seat)


def _answered(code: str, seat: int, **query: Any) -> ResponseReturnValue:
    address = url_for("colours.page", code=code, seat=seat, **query)
    return {"ok": True, "go": address} if wants_live() else redirect(address, 303)


def _reading(visit: Visit, data: bytes) -> Callable[[Sees], Lesson]:
    """Return what the scanner is asked: to learn from a photo, and to read the newest one with it."""
    learning, looks, code = the_learning(), the_looks(), visit.guest.code
    solo = visit.journal.state.solo

    def read(scanner: Sees) -> Lesson:
        try:
            frame = read_photo(data)
        except BadPicture as error:
            raise BadData(WHY_REFUSED[error.why]) from error
        cubes = _labelled(scanner.scan(frame, focal_px=told_focal_px(data)))
        samples = with_samples(Profile.empty(NAME), frame, cubes.centres_px, cubes.reach_px, cubes.kinds)
        look = looks.current(code)
        photo = looks.photo(code, look.number) if look and look.status is Status.READ else None
        try:
            shown = None if photo is None else load_photo(photo)
        except (BadPicture, OSError):
            shown = None  # it was the oldest, and is gone
        if look is None or shown is None:
            return Lesson(samples, None, 0, ())
        # The same picture twice, so that only what was learned makes a difference.
        before, after = (
            look_of(look.number, scanner.scan(shown, profile=profile, solo=solo))
            for profile in (learning.profile, learning.would_be(samples))
        )
        return Lesson(samples, look, *_effect(before, after, look.size_px[0] / shown.shape[1]))

    return read


def _labelled(scan: Scan) -> LabelledCubes:
    try:
        return laid_out(scan)
    except NotTheLayout as error:
        order = say("Most cubes do not look like what should be in their places: compare the order above.")
        raise BadData(why_not_the_layout(error, order)) from error


def _effect(before: Look, after: Look, scale: float) -> tuple[int, tuple[Changed, ...]]:
    """Return how many cubes both readings of a photo have, and those that are something else in the second.

    Args:
        scale: by which the photo was made smaller to be kept; changes are told in pixels of the whole.
    """
    places = np.array([_middle(cube) for cube in after.cubes]).reshape(-1, 2)
    compared, changes = 0, []
    for cube in before.cubes:
        away = np.hypot(*(places - _middle(cube)).T)
        reach = np.ptp(np.array(cube.outline_px), axis=0).max() / 2
        if not len(away) or away.min() > SAME_PLACE * reach:
            continue
        compared += 1
        now = after.cubes[int(away.argmin())]
        if now.kind is not cube.kind:
            x, y = (_middle(cube) * scale).round(1).tolist()
            points = " ".join(f"{u * scale:.1f},{v * scale:.1f}" for u, v in cube.outline_px)
            changes.append(Changed(points, x, y, MARKS[cube.kind], MARKS[now.kind]))
    return compared, tuple(changes)


def _middle(cube: LookCube) -> np.ndarray[Any, np.dtype[np.float64]]:
    outline = np.array(cube.outline_px)
    middle: np.ndarray[Any, np.dtype[np.float64]] = (outline.min(axis=0) + outline.max(axis=0)) / 2
    return middle
