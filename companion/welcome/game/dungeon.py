"""The dungeon phase of a table: cards are turned one by one, and choices made."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import assert_never

from companion.errors import IllegalEvent
from companion.message import say
from companion.welcome.delve import Delve, choices, choose, name_kind, swap, turn
from companion.welcome.game.events import (
    ChoiceEvent,
    HitTaken,
    KindNamed,
    MonsterSwapped,
    MonsterTurned,
    TileLost,
    TileUsed,
)
from companion.welcome.game.state import GameState
from companion.welcome.kit import Course, What
from companion.welcome.monsters import NAMEABLE, Monster, deck


def explore(state: GameState, event: KindNamed | MonsterTurned | ChoiceEvent) -> GameState:
    """Return the table after something happened in the dungeon.

    Raises:
        IllegalEvent: the message is one a player can read.
    """
    delve, tiles = state.delve, state.tiles
    assert delve is not None
    match event:
        case KindNamed():
            if event.kind not in nameable(state):
                raise IllegalEvent(say("This monster cannot be named for that tile."))
            return replace(state, delve=name_kind(delve, event.tile, event.kind, tiles))
        case MonsterTurned():
            _check_card(state, event.card)
            after = turn(delve, event.card, tiles, pile=state.pile > 0)
            return replace(_with_room(state, after), delve=after)
        case MonsterSwapped():
            course = _chosen(state, What.SWAPPED, event.tile)
            _check_card(state, event.card)
            return replace(state, delve=swap(delve, course, event.card, tiles))
        case TileUsed():
            return replace(
                state, delve=choose(delve, _chosen(state, What.USED, event.tile, event.other), tiles)
            )
        case TileLost():
            return replace(state, delve=choose(delve, _chosen(state, What.LOST, event.tile), tiles))
        case HitTaken():
            return replace(state, delve=choose(delve, _chosen(state, What.HIT), tiles))
        case _:
            assert_never(event)


def nameable(state: GameState) -> tuple[Monster, ...]:
    """Return the kinds that can be named at this table."""
    return tuple(monster for monster in NAMEABLE if monster in deck(state.specials))


def cards_left(state: GameState) -> dict[Monster, int]:
    """Return how many cards of each kind nobody has seen in this dungeon yet."""
    left = Counter(deck(state.specials))
    if state.delve is not None:
        left.subtract((*state.delve.turned, *state.delve.swapped_in))
    return dict(left)


def _check_card(state: GameState, card: Monster) -> None:
    if cards_left(state).get(card, 0) < 1:
        raise IllegalEvent(say("All cards of this monster have been seen."))


def _with_room(state: GameState, delve: Delve) -> GameState:
    """Return the table with as many cards in the dungeon as were turned, if it was counted wrongly."""
    assert state.bids is not None
    count = max(state.bids.in_dungeon, delve.position)
    return replace(state, bids=replace(state.bids, in_dungeon=count))


def _chosen(state: GameState, what: What, tile: str | None = None, other: str | None = None) -> Course:
    assert state.delve is not None
    for course in choices(state.delve, state.tiles, pile=state.pile > 0):
        if (course.what, course.tile, course.other) == (what, tile, other):
            return course
    raise IllegalEvent(say("This cannot be done now."))
