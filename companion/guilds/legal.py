"""What can happen next, so that pages draw only buttons that work."""

from __future__ import annotations

from itertools import combinations

from companion.guilds.cards import STRENGTHS, Front, Room
from companion.guilds.events import (
    AdventurersDisabled,
    CountingEnded,
    Event,
    HealingWritten,
    MoneyWritten,
    RoomCorrected,
    RoomRevealed,
    RoomsDealt,
    RoundEnded,
)
from companion.guilds.placing import placing_events
from companion.guilds.resolving import next_place
from companion.guilds.rules import MOST_MONEY, TO_DISABLE, masters_left
from companion.guilds.state import GameState, Phase

# What is typed appears once, with something possible.
SOME_ROOM = Room(1, 3, 5, 2, 4)


def legal_events(state: GameState, seat: int) -> tuple[Event, ...]:
    """Return the events *seat* may report now.

    Events that carry what a player types (rooms, money, costs) appear once, with what is possible.
    """
    match state.phase:
        case Phase.FINISHED:
            return ()
        case Phase.COUNTING:
            return (*_money(state, seat), CountingEnded())
        case _:
            return (*_typed(state, seat), *_own(state, seat))


def _typed(state: GameState, seat: int) -> list[Event]:
    events: list[Event] = [HealingWritten(state.healing), *_money(state, seat)]
    number = next_place(state)
    if number is not None and state.phase is not Phase.CLEANUP:
        events.append(RoomCorrected(number, state.places[number].room))
    return events


def _money(state: GameState, seat: int) -> list[Event]:
    return [MoneyWritten(seat, 1)] if state.books.of(seat) < MOST_MONEY else []


def _own(state: GameState, seat: int) -> list[Event]:
    match state.phase:
        case Phase.DEALING:
            rooms = (SOME_ROOM,) * state.rooms_to_deal
            return [RoomsDealt(rooms, master) for master in masters_left(state) or (None,)]
        case Phase.DISABLING:
            return [AdventurersDisabled(seat, pair) for pair in combinations(STRENGTHS, TO_DISABLE)]
        case Phase.PLACING:
            assert state.turn is not None
            turn = state.turn
            return [event for s in state.available(turn) for event in placing_events(state, turn, s)]
        case Phase.RESOLVING:
            number = next_place(state)
            assert number is not None
            room = state.places[number].room
            return [
                RoomRevealed(room, Front(defence, treasure))
                for defence in sorted({room.defence_low, room.defence_high})
                for treasure in sorted({room.treasure_low, room.treasure_high})
            ]
        case _:
            return [RoundEnded()]
