"""What the templates of Les Apprentis Gardiens show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import request

from companion.apprentis.board import (
    CORRIDOR_PLACES,
    FIGURES,
    KIND_NAMES,
    KINDS,
    ROOM_PLACES,
    ROOMS,
    Kind,
    Place,
    place_name,
)
from companion.apprentis.objectives import OBJECTIVES, of_colour
from companion.apprentis.options import COLOUR_LABELS
from companion.apprentis.scoring import counting_kinds
from companion.apprentis.view import DungeonView, TableView, view_for
from companion.codec import event_name
from companion.message import Message, say
from web.at_table import Visit

TAGLINE = say("Groups, malus tiles and the whole final scoring.")
PLAYERS = say("2 to 4 players")

GROUPS, MALUS = "groups", "malus"


@dataclass(frozen=True, slots=True)
class Stop:
    """One thing a score sheet asks for, in the order it asks."""

    key: str
    name: Message
    counts: bool


def stops(view: TableView) -> tuple[Stop, ...]:
    """Return every place of the score sheet; what cannot change the score is marked."""
    places = (*ROOM_PLACES, *CORRIDOR_PLACES, Place.ENTRANCE)
    asked = tuple(
        Stop(str(place), place_name(place), bool(counting_kinds(view.objectives, place))) for place in places
    )
    return (*asked, Stop(GROUPS, say("Adventurers"), True), Stop(MALUS, say("Malus tiles"), True))


def table(visit: Visit) -> dict[str, Any]:
    """Return what the table page shows to the phone's seat."""
    view = view_for(visit.journal.state, visit.guest.seat)
    sheet_stops = stops(view)
    asked = request.args.get("place", "")
    stop = next((s for s in sheet_stops if s.key == asked), sheet_stops[0])
    later = sheet_stops[sheet_stops.index(stop) + 1 :]
    return {
        **_common(view),
        "stops": {s.key: s for s in sheet_stops},
        "stop": stop,
        "next_stop": next((s for s in later if s.counts), None),
        "counting": _counting(view, stop),
        "next_seat": next(
            (s for s in visit.guest.held if s != visit.guest.seat and not view.dungeons[s].dungeon.signed),
            None,
        ),
        "can": frozenset(event_name(type(event)) for event in view.legal),
        "powers": frozenset(event.power for event in view.legal if hasattr(event, "power")),
    }


def tv(visit: Visit) -> dict[str, Any]:
    """Return what everybody may see."""
    return _common(view_for(visit.journal.state, None))


def ranked(visit: Visit) -> tuple[DungeonView, ...]:
    """Return every player's score sheet, best player first."""
    view = view_for(visit.journal.state, None)
    outcome = visit.journal.outcome
    order = [placing.seat for placing in outcome.placings] if outcome else range(len(view.dungeons))
    return tuple(view.dungeons[seat] for seat in order)


def _common(view: TableView) -> dict[str, Any]:
    return {
        "view": view,
        "KINDS": KINDS,
        "FIGURES": FIGURES,
        "KIND_NAMES": KIND_NAMES,
        "ROOMS": ROOMS,
        "ROOM_PLACES": ROOM_PLACES,
        "CORRIDOR_PLACES": CORRIDOR_PLACES,
        "ENTRANCE": Place.ENTRANCE,
        "objectives": tuple(OBJECTIVES[key] for key in view.objectives),
        "colour_labels": COLOUR_LABELS,
        "of_colour": of_colour,
    }


def _counting(view: TableView, stop: Stop) -> tuple[Kind, ...]:
    if stop.key in (GROUPS, MALUS):
        return ()
    return counting_kinds(view.objectives, Place(stop.key))
