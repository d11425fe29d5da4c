"""What a placement would mean for a player, from what everybody at the table can see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from companion.guilds.cards import STRENGTHS
from companion.guilds.events import AdventurerPlaced, AdventurerPushed, PlacingEvent
from companion.guilds.placing import BANK_FEE, fees, placing_events
from companion.guilds.resolving import defence_of, split, treasure_of
from companion.guilds.state import TO_PLACE, GameState, Piece


class Hope(StrEnum):
    """Whether a room can be won with who is in it."""

    SURE = "sure"
    OPEN = "open"
    LOST = "lost"  # unless somebody is pushed out


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing a player can do with an adventurer.

    Attributes:
        fee: what it costs now.
        needed: the strength that is lacking afterwards, at least and at most; that of the partner, if one is
            still to come.
        gain: what the player would get if the room is won, at worst and at best; None if it cannot be won.
        wound: what healing this adventurer costs if the room fails, or one above it.
    """

    event: PlacingEvent
    fee: int
    needed: tuple[int, int]
    hope: Hope
    gain: tuple[int, int] | None
    wound: int


def offers(state: GameState, seat: int, strength: int) -> tuple[Offer, ...]:
    """Return everything a player can do with one adventurer, from the top of the dungeon."""
    return tuple(_offer(state, event) for event in placing_events(state, seat, strength))


def lacking(state: GameState, place: int, pieces: tuple[Piece, ...]) -> tuple[int, int]:
    """Return the strength that a room lacks with some adventurers in it, at least and at most."""
    room, strength = state.places[place].room, sum(piece.strength for piece in pieces)
    low, high = (defence_of(state, place, printed) for printed in (room.defence_low, room.defence_high))
    return max(0, low - strength), max(0, high - strength)


def hope_of(state: GameState, place: int, pieces: tuple[Piece, ...]) -> Hope:
    """Return whether a room can be won with some adventurers in it, and one more if there is a space."""
    low, high = lacking(state, place, pieces)
    free = TO_PLACE - len(pieces)
    if high == 0:
        return Hope.SURE
    return Hope.LOST if low > free * max(STRENGTHS) else Hope.OPEN


def _offer(state: GameState, event: PlacingEvent) -> Offer:
    mine, place = Piece(event.player, event.strength), state.places[event.place]
    match event:
        case AdventurerPlaced():
            partners, fee = place.pieces, 0
        case AdventurerPushed():
            partners, fee = _without(place.pieces, event.pushed), sum(fees(place, event.pushed))
        case _:
            partners, fee = _without(place.pieces, Piece(event.player, event.replaced)), BANK_FEE
    pieces = (*partners, mine)
    return Offer(
        event=event,
        fee=fee,
        needed=lacking(state, event.place, pieces),
        hope=hope_of(state, event.place, pieces),
        gain=_gain(state, event.place, mine, partners),
        wound=state.healing_of(event.strength),
    )


def _without(pieces: tuple[Piece, ...], out: Piece) -> tuple[Piece, ...]:
    where = pieces.index(out)
    return (*pieces[:where], *pieces[where + 1 :])


def _gain(state: GameState, place: int, mine: Piece, partners: tuple[Piece, ...]) -> tuple[int, int] | None:
    """Return the least and the most that an adventurer can bring home with any partner that may win."""
    low, _ = lacking(state, place, (mine, *partners))
    if partners:
        possible = list(partners) if low == 0 else []
    else:
        possible = [partner for partner in _partners(state, mine) if partner.strength >= low]
    if not possible:
        return None
    room = state.places[place].room
    sums = [
        _share(state, place, printed, mine, partner)
        for printed in (room.treasure_low, room.treasure_high)
        for partner in possible
    ]
    return min(sums), max(sums)


def _partners(state: GameState, mine: Piece) -> Iterator[Piece]:
    """List who may still come: anybody else's adventurer, or an own one if there is another to place."""
    assert mine.owner is not None
    others = {
        strength
        for seat in range(len(state.players))
        if seat != mine.owner
        for strength in (*state.available(seat), *state.placed(seat))
    }
    yield from (Piece((mine.owner + 1) % len(state.players), strength) for strength in sorted(others))
    if len(state.placed(mine.owner)) + 1 < TO_PLACE:
        own = (strength for strength in state.available(mine.owner) if strength != mine.strength)
        yield from (Piece(mine.owner, strength) for strength in own)


def _share(state: GameState, place: int, printed: int, mine: Piece, partner: Piece) -> int:
    equal = mine.strength == partner.strength
    treasure = treasure_of(state, place, printed, equal=equal)
    shares = split(treasure, (mine, partner))
    return sum(shares) if partner.owner == mine.owner else shares[0]
