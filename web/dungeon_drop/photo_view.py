"""The photo of a table on a phone: which part of it, what is drawn over it, the best rooms for who looks."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

import numpy as np
from flask import current_app, request

from companion.dungeon_drop.game.state import GameState, Phase
from companion.dungeon_drop.game.view import TableView
from companion.message import Message, say
from web.at_table import Visit, the_eye, the_looks, the_watching
from web.dungeon_drop.badges import badges
from web.dungeon_drop.close_up import CloseUp, close_up
from web.dungeon_drop.look import Look, LookCube, Status
from web.dungeon_drop.looks import NO_CAMERA
from web.dungeon_drop.marks import MARKS, Mark
from web.dungeon_drop.own_room import NoRoom, picked_pillars, where_a_tap_leads, why_no_room
from web.dungeon_drop.photo_routes import remaining
from web.dungeon_drop.room_choice import RoomChoice, best_rooms, pawn_spots, room_between, trio_of
from web.dungeon_drop.scan_words import ACTIVITY_WORDS, SURE, WHY_REFUSED, what_to_do
from web.dungeon_drop.since import Since, counted, what_is_strange

# A photo taller than so many times its width would not leave room for the answer.
TALLEST = 1.25


@dataclass(frozen=True, slots=True)
class DrawnCube:
    """A cube of the photo as it is drawn over it."""

    cube: LookCube
    mark: Mark
    points: str
    x: float
    y: float
    unsure: bool
    picked: bool
    query: dict[str, object]


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of a photo that is shown: all cubes, and a little table around them.

    Attributes:
        unit: a hundredth of its width, so that lines are as thick on every photo.
    """

    x: float
    y: float
    width: float
    height: float

    @property
    def unit(self) -> float:
        """How long something is that looks the same on every photo."""
        return round(self.width / 100, 2)


def what_is_seen(visit: Visit, state: GameState, view: TableView) -> dict[str, Any]:
    """Return the photo, what is drawn over it, and the best rooms for the seat that looks."""
    served = current_app.extensions["served_at"]
    if served.http:
        the_looks().warm_up()
    look: Look | None = the_looks().current(visit.guest.code)
    shown: dict[str, Any] = {
        "look": look,
        "eye": the_eye(),
        "activity": the_watching().activity(visit.guest.code),
        "ACTIVITY_WORDS": ACTIVITY_WORDS,
        "https": next(iter(served.https), None),
        "rooms": (),
        "room": None,
        "cube": None,
        "drawn": (),
    }
    if look is None:
        return shown
    if look.status is Status.REFUSED:
        return {**shown, "refused": _refusal(look)}
    if look.status is not Status.READ:
        return shown
    left = remaining(state, look)
    flicked = _asked_flick(left)
    if flicked is not None:
        left = left.with_moved(*flicked)
    id = request.args.get("cube", type=int)
    cube = None if id is None else left.cube(id)
    rooms: tuple[RoomChoice, ...] = ()
    room, no_room = None, None
    if view.seat is not None and state.phase is Phase.PLAYING:
        hero = state.hero(view.seat)
        rooms = best_rooms(left, hero)
        room = _asked_room(left, state, view.seat)
        no_room = None if room else _asked_for_nothing(left)
        if room is None and no_room is None:
            room = next((best for best in rooms if best.allowed), None)
    picked = picked_pillars(left, request.args.get("pick", "")) if view.seat is not None else ()
    named = "-".join(map(str, room.pillars)) if room else None
    chosen = {id, *picked, *(no_room.blocked_by if no_room else ())}
    return {
        **shown,
        "rooms": rooms,
        "room": room,
        "no_room": no_room,
        "pillars_left": 3 - len(picked) if picked else 0,
        "badges": badges(rooms, left, frame_of(look).unit),
        "room_number": next(
            (n for n, best in enumerate(rooms, 1) if room and best.pillars == room.pillars), None
        ),
        "cube": cube,
        "close": _asked_close_up(left, room),
        "adding": _asked_place(look) if flicked is None else None,
        "flicked": flicked,
        "pawn_places": _pawns(left, state, view),
        "frame": frame_of(look),
        "drawn": tuple(_drawn(each, chosen, where_a_tap_leads(each, picked, named)) for each in left.cubes),
        "unsure": sum(each.confidence < SURE and not each.fixed for each in left.cubes),
        "warnings": tuple(what_to_do(warning) for warning in look.warnings),
        "since": _since(visit, state, look),
    }


def _since(visit: Visit, state: GameState, look: Look) -> Since:
    """Compare with the photo before, until something is looted on this one."""
    if look.number != state.look and look.names_as(state.look):
        left = (cube for cube in look.cubes if cube.id in state.taken)
        return Since(still_there=counted(cube.kind for cube in left))
    before = the_looks().previous(visit.guest.code)
    if before is None or state.look not in (0, before.number):
        return Since()
    return what_is_strange(before, state.taken if state.look == before.number else (), look)


def frame_of(look: Look) -> Frame:
    """Return the part of the photo with the cubes, not narrower than a phone is tall."""
    width, height = look.size_px
    points = np.array([point for cube in look.cubes for point in cube.outline_px]).reshape(-1, 2)
    if not len(points):
        return Frame(0, 0, width, height)
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.08 * float((high - low).max()) + 8
    left, top = np.maximum(low - margin, 0)
    right, bottom = np.minimum(high + margin, (width, height))
    tallest = TALLEST * (right - left)
    if bottom - top > tallest:
        more = (bottom - top) / TALLEST - (right - left)
        left, right = max(0.0, left - more / 2), min(float(width), right + more / 2)
    return Frame(*(round(float(value), 1) for value in (left, top, right - left, bottom - top)))


def _refusal(look: Look) -> Message:
    if look.why == NO_CAMERA:
        return say("The camera gives no picture: is it plugged in?")
    return next(words for why, words in WHY_REFUSED.items() if str(why) == look.why)


def _asked_room(look: Look, state: GameState, seat: int) -> RoomChoice | None:
    pillars = trio_of(request.args.get("room", ""))
    return None if pillars is None else room_between(look, state.hero(seat), pillars)


def _asked_for_nothing(look: Look) -> NoRoom | None:
    """Return why the three pillars that were chosen make no room."""
    pillars = trio_of(request.args.get("room", ""))
    return None if pillars is None else why_no_room(look, pillars)


def _asked_close_up(look: Look, room: RoomChoice | None) -> CloseUp | None:
    id = request.args.get("doubt", type=int)
    return None if id is None or room is None else close_up(look, room, id)


def _asked_flick(look: Look) -> tuple[int, tuple[float, float]] | None:
    """Return which cube is thought to be flicked where."""
    id, place = request.args.get("flick", type=int), _asked_place(look)
    if id is None or place is None or look.cube(id) is None:
        return None
    return id, (float(place[0]), float(place[1]))


def _pawns(look: Look, state: GameState, view: TableView) -> tuple[tuple[str, float, float], ...]:
    """Return where the own pawn would best stand, on the phones of those who wait for the active player."""
    turn = state.turn
    if not state.teamwork or turn is None or view.seat is None or view.seat == turn:
        return ()
    spots = pawn_spots(look, state.rival(turn))
    return tuple((letter, x, y) for letter, (x, y) in zip(ascii_lowercase, spots, strict=False))


def _asked_place(look: Look) -> tuple[int, int] | None:
    x, y = request.args.get("x", type=int), request.args.get("y", type=int)
    if x is None or y is None or not (0 <= x < look.size_px[0] and 0 <= y < look.size_px[1]):
        return None
    return x, y


def _drawn(cube: LookCube, chosen: set[int | None], query: dict[str, object]) -> DrawnCube:
    xs, ys = zip(*cube.outline_px, strict=True)
    return DrawnCube(
        cube=cube,
        mark=MARKS[cube.kind],
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in cube.outline_px),
        x=round((min(xs) + max(xs)) / 2, 1),
        y=round((min(ys) + max(ys)) / 2, 1),
        unsure=cube.confidence < SURE and not cube.fixed,
        picked=cube.id in chosen,
        query=query,
    )
