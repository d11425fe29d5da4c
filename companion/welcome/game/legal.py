"""What can happen next, so that pages draw only buttons that work."""

from __future__ import annotations

from companion.welcome.delve import choices, is_over, to_name
from companion.welcome.game.dungeon import cards_left, nameable
from companion.welcome.game.events import (
    AdventurerChosen,
    BiddingSkipped,
    CardsNoted,
    ChoiceEvent,
    DelveEnded,
    Event,
    HitTaken,
    KindNamed,
    MonsterAdded,
    MonsterSetAside,
    MonsterSwapped,
    MonsterTurned,
    PlayerPassed,
    TileLost,
    TilesRecalled,
    TileUsed,
    TileWritten,
)
from companion.welcome.game.rules import may_pass, must_add
from companion.welcome.game.state import GameState, Phase
from companion.welcome.kit import Course, What


def legal_events(state: GameState, seat: int) -> tuple[Event, ...]:
    """Return the events *seat* may report now.

    Events that carry what a player types (tiles, notes, counts) appear once, with what is possible.
    """
    match state.phase:
        case Phase.CHOOSING:
            return (*_tile_events(state), *(AdventurerChosen(hero) for hero in state.heroes))
        case Phase.BIDDING:
            return (*_tile_events(state), *_bidding_events(state), *_note_events(state, seat))
        case Phase.DELVING:
            return (*_delve_events(state), *_note_events(state, seat))
        case _:
            return ()


def _tile_events(state: GameState) -> tuple[Event, ...]:
    tile = next(iter(state.tiles.values()))
    return TileWritten(tile), TilesRecalled((tile,))


def _note_events(state: GameState, seat: int) -> tuple[Event, ...]:
    notes = state.notes[seat]
    return (CardsNoted(seat, notes.dungeon, notes.aside),)


def _bidding_events(state: GameState) -> list[Event]:
    assert state.bids is not None
    seat, bids = state.turn, state.bids
    events: list[Event] = [BiddingSkipped(seat, bids.left, bids.in_dungeon)]
    if may_pass(state):
        events.append(PlayerPassed(seat))
    if state.pile:
        events.append(MonsterAdded(seat))
        events += [MonsterSetAside(seat, tile) for tile in bids.left if not must_add(state)]
    return events


def _delve_events(state: GameState) -> list[Event]:
    delve, tiles = state.delve, state.tiles
    assert delve is not None
    if delve.facing is not None:
        ways = choices(delve, tiles, pile=state.pile > 0)
        return [event for course in ways for event in choice_events(state, course)]
    naming = to_name(delve, tiles)
    if naming:
        return [
            KindNamed(tile, kind)
            for tile in naming[:1]
            for kind in nameable(state)
            if tiles[tile].may_name(kind)
        ]
    events: list[Event] = [DelveEnded()]
    if not is_over(delve, tiles):
        events += [MonsterTurned(card) for card, count in cards_left(state).items() if count]
    return events


def choice_events(state: GameState, course: Course) -> tuple[ChoiceEvent, ...]:
    """Return the events that take a course; for a swap, one for each card that can come."""
    tile = course.tile or ""
    match course.what:
        case What.USED:
            return (TileUsed(tile, course.other),)
        case What.LOST:
            return (TileLost(tile),)
        case What.SWAPPED:
            return tuple(MonsterSwapped(tile, card) for card, count in cards_left(state).items() if count)
        case _:
            return (HitTaken(),)
