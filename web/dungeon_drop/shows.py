"""What the templates of Dungeon Drop show."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from flask import request

from companion.codec import event_name
from companion.dungeon_drop.game.legal import USUAL_CARD
from companion.dungeon_drop.game.memory import Card, heroes_typed, quests_typed
from companion.dungeon_drop.game.scoring import score
from companion.dungeon_drop.game.state import GameState, Phase, Step
from companion.dungeon_drop.game.view import TableView, view_for
from companion.dungeon_drop.game.words import COUNTED
from companion.dungeon_drop.holdings import ONLY_SIZE, Held, Reserve
from companion.dungeon_drop.pieces import COLLECTED, IN_THE_BOX, KINDS, SOLO_KINDS, Kind, Size
from companion.dungeon_drop.quests import What, When
from companion.errors import BadData
from companion.message import say
from companion.score_sheet import Sheet
from web.at_table import Visit, the_eye, the_looks, the_tables
from web.dungeon_drop.forms import BONUS_LINES, piece_name
from web.dungeon_drop.marks import CORNERS, MARKS
from web.dungeon_drop.photo_routes import GAME
from web.dungeon_drop.photo_view import what_is_seen
from web.dungeon_drop.scan_words import SIZE_NAMES

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
STEP_WORDS = {Step.EXPLORE: say("explore"), Step.ABILITY: say("ability"), Step.LOOT: say("loot")}


def table(visit: Visit) -> dict[str, Any]:
    """Return what the page of one seat shows."""
    state: GameState = visit.journal.state
    view = view_for(state, visit.guest.seat)
    can = {event_name(type(event)) for event in view.legal}
    return {
        "view": view,
        "can": can,
        "mine": view.mine,
        **_words(state),
        **_remembered(state, view),
        **what_is_seen(visit, state, view),
    }


def tv(visit: Visit) -> dict[str, Any]:
    """Return what everybody may see, for a big screen."""
    state: GameState = visit.journal.state
    view = view_for(state, None)
    return {"view": view, "can": set(), "mine": None, **_words(state), **what_is_seen(visit, state, view)}


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


def _remembered(state: GameState, view: TableView) -> dict[str, Any]:
    """Return the cards typed in earlier games, and those that were asked for to fill the forms with.

    All games are searched for them, so only while somebody may want them.
    """
    store, gathering = the_tables().store, state.phase is Phase.GATHERING
    without_quest = view.mine is not None and view.mine.quest is None
    heroes = heroes_typed(store.recorded(GAME, type="hero_chosen")) if gathering else ()
    quests = (
        quests_typed(store.recorded(GAME, type="quest_written", finished=True))
        if gathering or without_quest
        else ()
    )
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
            the_looks().take_frame(code, eye.look, solo=the_tables().open(code).state.solo)


def _words(state: GameState) -> dict[str, Any]:
    return {
        "MARKS": MARKS,
        "CORNERS": CORNERS,
        "KINDS": KINDS,
        "COLLECTED": COLLECTED,
        "PIECES": tuple((kind, size) for kind, size in IN_THE_BOX if state.solo or kind not in SOLO_KINDS),
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
