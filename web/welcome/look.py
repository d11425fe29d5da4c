"""What the templates of Welcome (Back) to the Dungeon show."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import request

from companion.codec import encode
from companion.message import Message, say
from companion.score_sheet import Sheet
from companion.welcome.advice import choice_odds, notes_fit, options, outlook
from companion.welcome.delve import choices, is_over, survived, total_hp
from companion.welcome.explain import encounter, tile_rule
from companion.welcome.game.events import CODEC
from companion.welcome.game.legal import choice_events
from companion.welcome.game.memory import tiles_written
from companion.welcome.game.scoring import sheet_of
from companion.welcome.game.state import GameState, Phase
from companion.welcome.game.view import TableView, view_for
from companion.welcome.kit import Course, What
from companion.welcome.monsters import STRENGTH, Monster, copies, deck
from companion.welcome.names import MONSTER_NAMES, monster_rule
from companion.welcome.odds.kits import Choice
from companion.welcome.tiles import heroes
from web.at_table import Visit, the_tables

TAGLINE = say("Bidding, hit points, tiles, and how likely you would survive.")
TAGLINE_BACK = say("The same with four other adventurers and special monsters.")
PLAYERS = say("2 to 4 players")

GAMES = ("welcome", "welcome-back")


@dataclass(frozen=True, slots=True)
class Answer:
    """A button for one choice about the monster that waits."""

    event: Mapping[str, Any] | None
    course: Course
    odds: float | None
    best: bool


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player on the result page."""

    name: str
    sheet: Sheet


def table(visit: Visit) -> dict[str, Any]:
    """Return what the page of one seat shows."""
    state: GameState = visit.journal.state
    view = view_for(state, visit.guest.seat)
    drawn = _drawn(view)
    seated = view.seat is not None
    return {
        **_common(state, view),
        "outlook": outlook(view) if seated else None,
        "drawn": drawn,
        "turn_stamp": turn_stamp(view),
        "options": options(view, drawn) if drawn is not None else (),
        "answers": _answers(state, view),
        "notes_fit": notes_fit(view),
        "lot": secrets.choice(view.heroes),
        "told": _last_told(visit),
    }


def tv(visit: Visit) -> dict[str, Any]:
    """Return what everybody may see, for a big screen; no odds, they are somebody's own."""
    state: GameState = visit.journal.state
    return {**_common(state, view_for(state, None)), "told": _last_told(visit)}


def ranked(visit: Visit) -> tuple[Ranked, ...]:
    """Return all players with their cards, best first."""
    state: GameState = visit.journal.state
    outcome = visit.journal.outcome
    seats = [placing.seat for placing in outcome.placings] if outcome else []
    return tuple(Ranked(state.players[seat], sheet_of(state, seat)) for seat in seats)


def created(code: str) -> None:
    """Give a new table the tiles that were corrected at earlier ones."""
    tables = the_tables()
    tiles = tiles_written(tables.store.recorded(*GAMES, type="tile_written"))
    if tiles:
        event = {"type": "tiles_recalled", "tiles": [encode(tile) for tile in tiles]}
        tables.act(code, 0, event, seen=0, action=secrets.token_urlsafe(12))


def _common(state: GameState, view: TableView) -> dict[str, Any]:
    return {
        "view": view,
        "HEROES": heroes(),
        "MONSTERS": tuple(deck(view.specials)),
        "NAMES": MONSTER_NAMES,
        "STRENGTH": STRENGTH,
        "monster_rule": lambda card: monster_rule(card, STRENGTH.get(card), copies(card)),
        "tile_rule": tile_rule,
        "hero_hp": total_hp(view.bids.hero, view.bids.left, view.tiles) if view.bids else 0,
        "over": view.delve is not None and is_over(view.delve, view.tiles),
        "alive": view.delve is not None and survived(view.delve, view.tiles),
        "track": _track(view),
        "met_words": lambda met: encounter(met, view.tiles),
    }


def _track(view: TableView) -> range:
    """Return the hit points that the track shows."""
    if view.delve is None:
        return range(0)
    return range(max(view.delve.entered_with, view.delve.hp, *(met.hp for met in view.delve.met), 0) + 1)


def _drawn(view: TableView) -> Monster | None:
    """Return the card that the one whose turn it is says to have drawn; it is only in the address."""
    asked = request.args.get("drew", "")
    mine = view.phase is Phase.BIDDING and view.seat == view.turn and view.pile > 0
    if not mine or asked not in deck(view.specials) or request.args.get("in") != turn_stamp(view):
        return None
    card = Monster(asked)
    held = (*view.notes.dungeon, *view.notes.aside).count(card)
    return card if held < copies(card) else None


def turn_stamp(view: TableView) -> str:
    """Return what tells one turn of the bidding from all others: an old address is not read as new."""
    turns = view.bids.turns[view.turn] if view.bids else 0
    return f"{view.round}-{turns}"


def _answers(state: GameState, view: TableView) -> tuple[Answer, ...]:
    if view.delve is None or view.delve.facing is None:
        return ()
    odds = choice_odds(view) if view.seat is not None else {}
    best = max(odds.values(), default=None)
    found = []
    for course in choices(view.delve, view.tiles, pile=view.pile > 0):
        event = None if course.what is What.SWAPPED else CODEC.write(choice_events(state, course)[0])
        value = odds.get(_choice(course))
        found.append(Answer(event, course, value, value is not None and value == best))
    return tuple(found)


def _choice(course: Course) -> Choice:
    return course.what, course.tile, course.other


def _last_told(visit: Visit) -> tuple[Message, ...]:
    steps = visit.journal.steps
    told = visit.journal.words(len(steps) - 1) if steps else ()
    # Somebody's notes are nobody else's news.
    return () if steps and steps[-1].entry.body.get("type") == "cards_noted" else told
