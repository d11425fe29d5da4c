"""The placement: whose turn it is, what may be placed where, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from companion.errors import IllegalEvent
from companion.guilds.events import AdventurerPlaced, AdventurerPushed, AdventurerReplaced, PlacingEvent
from companion.guilds.money import Reason
from companion.guilds.state import TO_PLACE, GameState, Phase, Piece, Place
from companion.message import say

BANK_FEE: Final = 1
MOST_UPCOMING: Final = 4
# What the player gets who is pushed out of a room, by its level.
OWNER_FEES: Final = {1: 0, 2: 1, 3: 2}


def seat_at(state: GameState, step: int) -> int:
    """Return who has a turn of the snake order: 1-2-3-3-2-1-1-2-3 from the first player on."""
    count = len(state.players)
    lap, place = divmod(step, count)
    return (state.first + (count - 1 - place if lap % 2 else place)) % count


def is_done(state: GameState, seat: int) -> bool:
    """Whether a player has placed all adventurers and must pass."""
    return len(state.placed(seat)) == TO_PLACE


def upcoming(state: GameState) -> tuple[int, ...]:
    """Return who acts after the present turn as things stand, some turns ahead."""
    if state.turn is None:
        return ()
    missing = [TO_PLACE - len(state.placed(seat)) for seat in range(len(state.players))]
    missing[state.turn] -= 1
    found: list[int] = []
    step = state.step
    while sum(missing) and len(found) < MOST_UPCOMING:
        step += 1
        seat = seat_at(state, step)
        if missing[seat]:
            missing[seat] -= 1
            found.append(seat)
    return tuple(found)


def begin_placing(state: GameState) -> GameState:
    """Return the table at the first turn of a placement."""
    return replace(state, phase=Phase.PLACING, step=0, turn=seat_at(state, 0))


def place(state: GameState, event: PlacingEvent) -> GameState:
    """Return the table after an adventurer came into the dungeon; the next turn or the resolution follows.

    Raises:
        IllegalEvent: the message is one a player can read.
    """
    _check_adventurer(state, event)
    match event:
        case AdventurerPlaced():
            state = _with_piece(state, event)
        case AdventurerPushed():
            state = _pushed(state, event)
        case AdventurerReplaced():
            state = _replaced(state, event)
    return _next_turn(state)


def fees(place: Place, pushed: Piece) -> tuple[int, int]:
    """Return what pushing an adventurer out costs: for the bank, and for its owner."""
    return BANK_FEE, 0 if pushed.owner is None else OWNER_FEES[place.room.level]


def placing_events(state: GameState, seat: int, strength: int) -> Iterator[PlacingEvent]:
    """List what a player can do with one adventurer, from the top of the dungeon."""
    money = state.books.of(seat)
    for number, place in enumerate(state.places):
        if not place.is_full:
            yield AdventurerPlaced(seat, strength, number)
            continue
        for piece in dict.fromkeys(place.pieces) if not place.is_closed else ():
            if piece.strength >= strength or money < _cost(place, piece, seat):
                continue
            if piece.owner == seat:
                yield AdventurerReplaced(seat, strength, number, piece.strength)
            else:
                yield AdventurerPushed(seat, strength, number, piece)


def _cost(place: Place, piece: Piece, seat: int) -> int:
    return BANK_FEE if piece.owner == seat else sum(fees(place, piece))


def _check_adventurer(state: GameState, event: PlacingEvent) -> None:
    if state.phase is not Phase.PLACING:
        raise IllegalEvent(say("Adventurers are not being placed now."))
    if event.player != state.turn:
        assert state.turn is not None
        raise IllegalEvent(say("It is %(player)s's turn.", player=state.players[state.turn]))
    if not 0 <= event.place < len(state.places):
        raise IllegalEvent(say("There is no such room."))
    if event.strength in state.effect.banned:
        raise IllegalEvent(say("The dungeon master does not let this adventurer in."))
    if event.strength not in state.available(event.player):
        raise IllegalEvent(say("This adventurer is not available."))


def _with_piece(state: GameState, event: PlacingEvent) -> GameState:
    room = state.places[event.place]
    if room.is_full:
        raise IllegalEvent(say("Both spaces of this room are taken."))
    piece = Piece(event.player, event.strength)
    return state.with_place(event.place, replace(room, pieces=(*room.pieces, piece)))


def _pushed(state: GameState, event: AdventurerPushed) -> GameState:
    piece, seat, room = event.pushed, event.player, state.places[event.place]
    if piece.owner == seat:
        raise IllegalEvent(say("Your own adventurer is replaced, not pushed out."))
    bank, compensation = fees(room, piece)
    state = _exchange(state, event, piece, bank + compensation)
    books = state.books.paid(seat, -bank, Reason.FEES)
    if piece.owner is None:
        return replace(_ghost_moved(state, event.place), books=books)
    return replace(state, books=books.passed_on(seat, piece.owner, compensation))


def _replaced(state: GameState, event: AdventurerReplaced) -> GameState:
    state = _exchange(state, event, Piece(event.player, event.replaced), BANK_FEE)
    return replace(state, books=state.books.paid(event.player, -BANK_FEE, Reason.FEES))


def _exchange(state: GameState, event: PlacingEvent, out: Piece, cost: int) -> GameState:
    """Return the table with one adventurer in the place of another; its money is not paid yet."""
    room = state.places[event.place]
    if out not in room.pieces:
        raise IllegalEvent(say("This adventurer is not in this room."))
    if not room.is_full:
        raise IllegalEvent(say("This room has a free space: nobody is pushed out of it."))
    if room.is_closed:
        raise IllegalEvent(say("This room is closed: its adventurers stay."))
    if out.strength >= event.strength:
        raise IllegalEvent(say("Only a stronger adventurer can take this place."))
    if state.books.of(event.player) < cost:
        raise IllegalEvent(say("That costs $%(cost)d.", cost=cost))
    where = room.pieces.index(out)
    new = Piece(event.player, event.strength)
    pieces = (*room.pieces[:where], new, *room.pieces[where + 1 :])
    return state.with_place(event.place, replace(room, pieces=pieces))


def ghost_goes_to(state: GameState, place: int) -> int:
    """Return the next room below that has a free space for a ghost; if there is none, the next above."""
    order: list[int] = [*range(place + 1, len(state.places)), *range(place - 1, -1, -1)]
    return next(number for number in order if not state.places[number].is_full)


def _ghost_moved(state: GameState, place: int) -> GameState:
    """Move a ghost to the next room that has a free space."""
    number = ghost_goes_to(state, place)
    target = state.places[number]
    pieces = (*target.pieces, Piece(None, target.room.level))
    return state.with_place(number, replace(target, pieces=pieces))


def _next_turn(state: GameState) -> GameState:
    """Go on in snake order to somebody who has to act; when nobody has, the rooms are revealed."""
    if all(is_done(state, seat) for seat in range(len(state.players))):
        return _begin_resolving(state)
    step = state.step + 1
    while is_done(state, seat_at(state, step)):
        step += 1
    return replace(state, step=step, turn=seat_at(state, step))


def _begin_resolving(state: GameState) -> GameState:
    """Return the table before the first room is revealed, alms for the weakest given."""
    books, totals = state.books, [sum(state.placed(seat)) for seat in range(len(state.players))]
    for seat, total in enumerate(totals) if state.effect.alms else ():
        if total == min(totals):
            books = books.paid(seat, state.effect.alms, Reason.MASTER)
    return replace(state, phase=Phase.RESOLVING, turn=None, books=books)
