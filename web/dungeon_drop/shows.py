"""What the templates of Dungeon Drop show."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from flask import request

from companion.codec import event_name
from companion.dungeon_drop.game.legal import USUAL_CARD
from companion.dungeon_drop.game.memory import Card, heroes_typed, quests_typed
from companion.dungeon_drop.game.scoring import score
from companion.dungeon_drop.game.state import GameState, Phase, Step
from companion.dungeon_drop.game.view import TableView, view_for
from companion.dungeon_drop.game.words import COUNTED
from companion.dungeon_drop.holdings import ONLY_SIZE, Held, Reserve
from companion.dungeon_drop.pieces import COLLECTED, IN_THE_BOX, KINDS, Kind, Size
from companion.dungeon_drop.quests import What, When
from companion.errors import BadData
from companion.message import Message, say
from companion.score_sheet import Sheet
from web.at_table import Visit, the_eye, the_looks, the_tables
from web.dungeon_drop.forms import BONUS_LINES, piece_name
from web.dungeon_drop.look import Look, LookCube, Status
from web.dungeon_drop.looks import NO_CAMERA
from web.dungeon_drop.marks import CORNERS, MARKS, Mark
from web.dungeon_drop.photo_routes import GAME, remaining
from web.dungeon_drop.room_choice import RoomChoice, best_rooms, pawn_spots, room_between
from web.dungeon_drop.scan_words import SIZE_NAMES, SURE, WHY_REFUSED, what_to_do
from web.dungeon_drop.since import Since, what_is_strange

TAGLINE = say("Snap the table, see the best rooms for your hero, keep the score.")
PLAYERS = say("1 to 4 players")

WHATS = {
    What.CUBES: say("cubes"),
    What.SETS: say("sets of different cubes"),
    What.DAMAGE: say("damage"),
    What.HIT_POINTS: say("hit points left"),
    What.TYPED: say("a number typed at the end"),
}
WHENS = {
    When.EACH: say("for each"),
    When.AT_LEAST: say("for at least"),
    When.MOST: say("for the most"),
    When.FEWEST: say("for the fewest"),
}
# A photo taller than so many times its width would not leave room for the answer.
TALLEST = 1.25
STEP_WORDS = {Step.EXPLORE: say("explore"), Step.ABILITY: say("ability"), Step.LOOT: say("loot")}


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


def table(visit: Visit) -> dict[str, Any]:
    """Return what the page of one seat shows."""
    state: GameState = visit.journal.state
    view = view_for(state, visit.guest.seat)
    can = {event_name(type(event)) for event in view.legal}
    return {
        "view": view,
        "can": can,
        "mine": view.mine,
        **_words(),
        **_remembered(state),
        **_seen(visit, state, view),
    }


def tv(visit: Visit) -> dict[str, Any]:
    """Return what everybody may see, for a big screen."""
    state: GameState = visit.journal.state
    view = view_for(state, None)
    return {"view": view, "can": set(), "mine": None, **_words(), **_seen(visit, state, view)}


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player on the result page."""

    name: str
    sheet: Sheet


def ranked(visit: Visit) -> tuple[Ranked, ...]:
    """Return all players with their score sheets, best first; nothing before quests are revealed."""
    state: GameState = visit.journal.state
    outcome = visit.journal.outcome
    seats = [placing.seat for placing in outcome.placings] if outcome else []
    return tuple(Ranked(state.players[seat], score(state, seat)) for seat in seats)


def _remembered(state: GameState) -> dict[str, Any]:
    """Return the cards typed in earlier games, and those that were asked for to fill the forms with."""
    store = the_tables().store
    heroes = heroes_typed(store.recorded(GAME, "hero_chosen")) if state.phase is Phase.GATHERING else ()
    quests = quests_typed(store.recorded(GAME, "quest_written", finished=True))
    return {
        "heroes": heroes,
        "quests": quests,
        "offered_hero": _asked_for(heroes, "hero"),
        "offered_quest": _asked_for(quests, "quest"),
    }


def _asked_for(cards: tuple[Card, ...], field: str) -> Card | None:
    place = request.args.get(field, type=int)
    return cards[place] if place is not None and 0 <= place < len(cards) else None


def happened(code: str, event: Mapping[str, Any]) -> None:
    """Look at the table by itself after cubes were dropped, where nobody's hand can be in the way."""
    eye = the_eye()
    if event.get("type") == "cubes_dropped" and eye is not None and eye.by_itself:
        with suppress(BadData):  # too many photos wait: somebody will look later
            the_looks().take_frame(code, eye.look)


def _words() -> dict[str, Any]:
    return {
        "MARKS": MARKS,
        "CORNERS": CORNERS,
        "KINDS": KINDS,
        "COLLECTED": COLLECTED,
        "PIECES": tuple(IN_THE_BOX),
        "IN_THE_BOX": IN_THE_BOX,
        "ONLY_SIZE": ONLY_SIZE,
        "SIZE_NAMES": {Size(str(size)): name for size, name in SIZE_NAMES.items()},
        "COUNTED": COUNTED,
        "WHATS": WHATS,
        "WHENS": WHENS,
        "STEP_WORDS": STEP_WORDS,
        "BONUS_LINES": BONUS_LINES,
        "USUAL_CARD": USUAL_CARD,
        "piece_name": piece_name,
        "chips": chips,
        "held_count": held_count,
    }


def chips(reserve: Reserve) -> tuple[tuple[Kind, int], ...]:
    """Return how many cubes of each kind a reserve holds."""
    return tuple((kind, count) for kind in COLLECTED if (count := reserve.count(kind)))


def held_count(held: tuple[Held, ...], kind: Kind, size: Size) -> int:
    """Return how many cubes of a kind and size are among some; of unknown size count as the first."""
    usual = next(other for (which, other) in IN_THE_BOX if which is kind)
    return sum(
        part.count
        for part in held
        if part.kind is kind and (part.size is size or (part.size is None and size is usual))
    )


def _seen(visit: Visit, state: GameState, view: TableView) -> dict[str, Any]:
    """Return the photo, what is drawn over it, and the best rooms for the seat that looks."""
    look: Look | None = the_looks().current(visit.guest.code)
    shown: dict[str, Any] = {
        "look": look,
        "eye": the_eye(),
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
    room = None
    if view.seat is not None and state.phase is Phase.PLAYING:
        hero = state.hero(view.seat)
        rooms = best_rooms(left, hero)
        room = _asked_room(left, state, view.seat) or next((best for best in rooms if best.allowed), None)
    inside = set(room.cubes) if room else set()
    doubtful = {doubt.id for doubt in room.doubtful} if room else set()
    return {
        **shown,
        "rooms": rooms,
        "room": room,
        "room_number": 1 + rooms.index(room) if room in rooms else None,
        "cube": cube,
        "adding": _asked_place(look) if flicked is None else None,
        "flicked": flicked,
        "pawn_places": _pawns(left, state, view),
        "frame": frame_of(look),
        "drawn": tuple(_drawn(each, inside, doubtful, id) for each in left.cubes),
        "unsure": sum(each.confidence < SURE and not each.fixed for each in left.cubes),
        "warnings": tuple(what_to_do(warning) for warning in look.warnings),
        "since": _since(visit, state, look),
    }


def _since(visit: Visit, state: GameState, look: Look) -> Since:
    """Compare with the photo before, until something is looted on this one."""
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
    parts = request.args.get("room", "").split("-")
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 6 for part in parts):
        return None
    i, j, k = map(int, parts)
    return room_between(look, state.hero(seat), (i, j, k))


def _asked_flick(look: Look) -> tuple[int, tuple[float, float]] | None:
    """Return which cube is thought to be flicked where."""
    id, place = request.args.get("flick", type=int), _asked_place(look)
    if id is None or place is None or look.cube(id) is None:
        return None
    return id, (float(place[0]), float(place[1]))


def _pawns(look: Look, state: GameState, view: TableView) -> tuple[tuple[float, float], ...]:
    """Return where the own pawn would best stand, on the phones of those who wait for the active player."""
    turn = state.turn
    if not state.teamwork or turn is None or view.seat is None or view.seat == turn:
        return ()
    return pawn_spots(look, state.rival(turn))


def _asked_place(look: Look) -> tuple[int, int] | None:
    x, y = request.args.get("x", type=int), request.args.get("y", type=int)
    if x is None or y is None or not (0 <= x < look.size_px[0] and 0 <= y < look.size_px[1]):
        return None
    return x, y


def _drawn(cube: LookCube, inside: set[int], doubtful: set[int], picked: int | None) -> DrawnCube:
    xs, ys = zip(*cube.outline_px, strict=True)
    return DrawnCube(
        cube=cube,
        mark=MARKS[cube.kind],
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in cube.outline_px),
        x=round((min(xs) + max(xs)) / 2, 1),
        y=round((min(ys) + max(ys)) / 2, 1),
        unsure=cube.confidence < SURE and not cube.fixed,
        picked=cube.id == picked,
    )
