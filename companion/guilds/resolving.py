"""The resolution: rooms are revealed from the top, treasure is split, wounds are healed."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import BadData, IllegalEvent
from companion.guilds.cards import Front, check_front
from companion.guilds.events import RoomRevealed
from companion.guilds.money import Reason
from companion.guilds.state import GameState, Phase, Piece, Place
from companion.message import say


def next_place(state: GameState) -> int | None:
    """Return the number of the room that is revealed next."""
    return next((number for number, place in enumerate(state.places) if place.held is None), None)


def defence_of(state: GameState, number: int, printed: int) -> int:
    """Return a room's defence with what the master makes of it."""
    return max(0, printed + state.bonus(number)[0])


def treasure_of(state: GameState, number: int, printed: int, *, equal: bool) -> int:
    """Return a room's treasure with what the master makes of it.

    Args:
        equal: whether its two adventurers are equally strong.
    """
    more = state.effect.equals if equal else 0
    return max(0, printed + state.bonus(number)[1] + more)


def split(treasure: int, pieces: tuple[Piece, Piece]) -> tuple[int, int]:
    """Return what each of two adventurers brings home.

    Both get the same and the stronger one the remainder, unless they belong to the same player.
    """
    one, other = pieces
    half, rest = divmod(treasure, 2)
    if one.owner == other.owner:
        return treasure, 0
    if one.strength == other.strength:
        return half, half
    return (half + rest, half) if one.strength > other.strength else (half, half + rest)


def reveal(state: GameState, event: RoomRevealed) -> GameState:
    """Return the table after the next room was turned over.

    Raises:
        IllegalEvent: the message is one a player can read.
    """
    number = next_place(state)
    if state.phase is not Phase.RESOLVING or number is None:
        raise IllegalEvent(say("No room is revealed now."))
    place = state.places[number]
    if event.room != place.room:
        raise IllegalEvent(say("Another room is revealed first."))
    try:
        check_front(place.room, event.front)
    except BadData as error:
        raise IllegalEvent(error.message) from error
    if place.strength < defence_of(state, number, event.front.defence):
        return _failed(state, number, event.front)
    return _won(state, number, event.front)


def _won(state: GameState, number: int, front: Front) -> GameState:
    place = state.places[number]
    one, other = place.pieces
    treasure = treasure_of(state, number, front.treasure, equal=one.strength == other.strength)
    shares = split(treasure, (one, other))
    books = state.books
    for piece, share in zip(place.pieces, shares, strict=True):
        if piece.owner is not None:
            books = books.paid(piece.owner, share, Reason.TREASURE)
    after = state.with_place(number, replace(place, front=front, held=True, shares=shares))
    last = number == len(state.places) - 1
    return replace(after, books=books, phase=Phase.CLEANUP if last else state.phase)


def _failed(state: GameState, number: int, front: Front) -> GameState:
    places: list[Place] = list(state.places)
    for below in range(number, len(places)):
        places[below] = replace(places[below], held=False)
    places[number] = replace(places[number], front=front)
    return replace(state, places=tuple(places), phase=Phase.CLEANUP)


def bills(state: GameState) -> tuple[int, ...]:
    """Return what healing costs everybody, whether they have it or not."""
    costs = [0] * len(state.players)
    for place in state.places:
        for piece in place.pieces if place.held is False else ():
            if piece.owner is not None:
                costs[piece.owner] += state.healing_of(piece.strength)
    return tuple(costs)


def clean_up(state: GameState) -> GameState:
    """Return the table after healing: the next round, or the end of the game.

    Raises:
        IllegalEvent: there is nothing to clean up yet.
    """
    if state.phase is not Phase.CLEANUP:
        raise IllegalEvent(say("The round is not over yet."))
    books = state.books
    for seat, cost in enumerate(bills(state)):
        books = books.paid(seat, -min(cost, books.of(seat)), Reason.HEALING)
    tired = tuple(tuple(sorted(state.placed(seat))) for seat in range(len(state.players)))
    over = state.round == len(state.players)
    return replace(
        state,
        books=books,
        disabled=tired,
        phase=Phase.FINISHED if over else Phase.DEALING,
        round=state.round if over else state.round + 1,
        first=state.first if over else (state.first + 1) % len(state.players),
        turn=None,
        step=0,
        used=(*state.used, state.master) if state.master else state.used,
        master=state.master if over else None,
        # What lay there at the end is still looked at when the game is over.
        places=state.places if over else (),
    )
