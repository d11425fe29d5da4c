"""What the templates of Dungeon Guilds show."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import request

from companion.guilds.advice import Hope, Offer, hope_of, lacking, offers
from companion.guilds.cards import (
    LEVELS,
    MASTER_NAMES,
    MASTER_RULES,
    MOST_DEFENCE,
    MOST_TREASURE,
    STRENGTHS,
    Front,
    Master,
    Room,
)
from companion.guilds.events import CODEC, RoomRevealed
from companion.guilds.library import Library, cards_seen, healing_seen
from companion.guilds.money import REASON_NAMES, Reason
from companion.guilds.scoring import sheet_of
from companion.guilds.state import GameState, Phase
from companion.guilds.view import TableView, view_for
from companion.message import Message, say
from companion.score_sheet import Sheet
from web.at_table import Visit, the_tables
from web.guilds.drafts import Draft, draft_of, written

TAGLINE = say("Whose turn it is, what a place costs and brings, everybody's money.")
PLAYERS = say("3 to 6 players")

GAME = "guilds"
# What can be written down by hand; nobody starts again.
HAND_REASONS = tuple(reason for reason in Reason if reason is not Reason.START)
# Ranges so short are tapped, longer ones typed.
MOST_TAPPED = 12


@dataclass(frozen=True, slots=True)
class Button:
    """One thing that can be done with the chosen adventurer, and what it would mean."""

    event: Mapping[str, Any]
    offer: Offer


@dataclass(frozen=True, slots=True)
class Prospect:
    """How a room stands for everybody: what strength is lacking, and whether it can be won.

    Attributes:
        look: what it is drawn as: its hope, or how it ended.
    """

    lacking: tuple[int, int]
    hope: Hope
    look: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player on the result page."""

    name: str
    sheet: Sheet


def table(visit: Visit) -> dict[str, Any]:
    """Return what the page of one seat shows."""
    state: GameState = visit.journal.state
    view = view_for(state, visit.guest.seat)
    chosen = _chosen(state, view)
    library = _library() if view.phase in (Phase.DEALING, Phase.RESOLVING) else Library((), {})
    draft = draft_of(request.args, view.rooms_to_deal) if view.phase is Phase.DEALING else Draft()
    return {
        **_common(state, view),
        "acting": view.seat is not None and (view.seat == view.turn or "for" in request.args),
        "chosen": chosen,
        "buttons": _buttons(state, chosen),
        "draft": draft,
        "backs": _backs(library, draft.rooms),
        "fronts": _fronts(library, view),
        "written": written,
        "lot": secrets.choice(view.masters_left) if view.masters_left else None,
        "told": _last_told(visit),
        "REASONS": HAND_REASONS,
        "REASON_NAMES": REASON_NAMES,
        "LEVELS": LEVELS,
        "MOST_DEFENCE": MOST_DEFENCE,
        "MOST_TREASURE": MOST_TREASURE,
        "MOST_TAPPED": MOST_TAPPED,
        "tied": _tied(view),
    }


def tv(visit: Visit) -> dict[str, Any]:
    """Return what everybody may see, for a big screen."""
    state: GameState = visit.journal.state
    return {**_common(state, view_for(state, None)), "told": _last_told(visit)}


def ranked(visit: Visit) -> tuple[Ranked, ...]:
    """Return all players with their money, best first."""
    state: GameState = visit.journal.state
    outcome = visit.journal.outcome
    seats = [placing.seat for placing in outcome.placings] if outcome else []
    return tuple(Ranked(state.players[seat], sheet_of(state, seat)) for seat in seats)


def created(code: str) -> None:
    """Give a new table the healing costs that were checked at an earlier one."""
    tables = the_tables()
    costs = healing_seen(tables.store.recorded(GAME, type="healing_written"))
    if costs is not None and tables.open(code).state.phase is Phase.DEALING:
        event = {"type": "healing_written", "costs": list(costs)}
        tables.act(code, 0, event, seen=0, action=secrets.token_urlsafe(12))


def _common(state: GameState, view: TableView) -> dict[str, Any]:
    return {
        "view": view,
        "MASTER_NAMES": MASTER_NAMES,
        "MASTER_RULES": MASTER_RULES,
        "STRENGTHS": STRENGTHS,
        "prospects": _prospects(state),
        "master_words": _master_words(view.master),
        "healing_of": state.healing_of,
    }


def _master_words(master: Master | None) -> tuple[Message, Message] | None:
    return None if master is None else (MASTER_NAMES[master], MASTER_RULES[master])


def _prospects(state: GameState) -> tuple[Prospect, ...]:
    found = []
    for number, place in enumerate(state.places):
        hope = hope_of(state, number, place.pieces)
        look = str(hope) if place.held is None else "won" if place.held else "failed"
        found.append(Prospect(lacking(state, number, place.pieces), hope, look))
    return tuple(found)


def _chosen(state: GameState, view: TableView) -> int | None:
    """Return the adventurer that is about to be placed: the one in the address, else the strongest."""
    if view.phase is not Phase.PLACING or view.turn is None:
        return None
    available = state.available(view.turn)
    asked = request.args.get("with", type=int)
    return asked if asked in available else max(available)


def _buttons(state: GameState, chosen: int | None) -> Mapping[int, tuple[Button, ...]]:
    """Return what can be done with the chosen adventurer, by room."""
    if chosen is None or state.turn is None:
        return {}
    found: dict[int, tuple[Button, ...]] = {}
    for offer in offers(state, state.turn, chosen):
        place = offer.event.place
        found[place] = (*found.get(place, ()), Button(CODEC.write(offer.event), offer))
    return found


def _library() -> Library:
    store = the_tables().store
    return cards_seen(store.recorded(GAME, type="rooms_dealt"), store.recorded(GAME, type="room_revealed"))


def _backs(library: Library, draft: tuple[Room, ...]) -> tuple[Room, ...]:
    """Return the backs to tap: those of earlier games and those that were just typed."""
    return tuple(sorted(dict.fromkeys((*library.backs, *draft)), key=lambda room: room.level))


def _fronts(library: Library, view: TableView) -> tuple[Mapping[str, Any], ...]:
    """Return the fronts that were seen behind the back of the next room, as events."""
    if view.revealing is None:
        return ()
    room = view.places[view.revealing].place.room
    return tuple(_revealed(room, front) for front in library.fronts.get(room, ()))


def _revealed(room: Room, front: Front) -> Mapping[str, Any]:

    return CODEC.write(RoomRevealed(room, front))


def _tied(view: TableView) -> bool:
    """Whether somebody shares the first place, so that the tie-break is asked for."""
    sums = sorted({player.team: player.team_money for player in view.players}.values())
    return len(sums) > 1 and sums[-1] == sums[-2]


def _last_told(visit: Visit) -> tuple[Message, ...]:
    steps = visit.journal.steps
    return visit.journal.words(len(steps) - 1) if steps else ()
