"""Dungeon Guilds: one pure ``apply`` for dealing, placement, resolution and money."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from companion.errors import BadData, IllegalEvent
from companion.guilds.cards import MASTERS, PROMOS, STRENGTHS, Master, check_healing, check_room
from companion.guilds.events import (
    AdventurerPlaced,
    AdventurerPushed,
    AdventurerReplaced,
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
from companion.guilds.money import Reason
from companion.guilds.placing import begin_placing, place
from companion.guilds.resolving import clean_up, reveal
from companion.guilds.state import GHOSTS, GameState, Phase, Piece, Place
from companion.message import say

TO_DISABLE = 2
MOST_MONEY = 999
MAX_NOTE = 40


def apply(state: GameState, event: Event) -> GameState:
    """Return the state after *event*; never change *state*.

    Raises:
        IllegalEvent: the message is one a player can read.
    """
    player = getattr(event, "player", None)
    if player is not None and not 0 <= player < len(state.players):
        raise IllegalEvent(say("There is no such player."))
    if state.phase is Phase.FINISHED:
        raise IllegalEvent(say("The game is over."))
    match event:
        case HealingWritten():
            return _write_healing(state, event)
        case RoomsDealt():
            return _deal(state, event)
        case RoomCorrected():
            return _correct(state, event)
        case AdventurersDisabled():
            return _disable(state, event)
        case AdventurerPlaced() | AdventurerPushed() | AdventurerReplaced():
            return place(state, event)
        case RoomRevealed():
            return reveal(state, event)
        case RoundEnded():
            return clean_up(state)
        case MoneyWritten():
            return _write_money(state, event)
        case CountingEnded():
            return _end_counting(state, event)
        case _:
            assert_never(event)


def masters_left(state: GameState) -> tuple[Master, ...]:
    """Return the masters that can still come."""
    box = (*MASTERS, *PROMOS) if state.promos else MASTERS
    return tuple(master for master in box if master not in state.used) if state.with_masters else ()


def _write_healing(state: GameState, event: HealingWritten) -> GameState:
    try:
        check_healing(event.costs)
    except BadData as error:
        raise IllegalEvent(error.message) from error
    if state.phase is Phase.COUNTING:
        raise IllegalEvent(say("In this game only the money is kept."))
    return replace(_refunded(state, event.costs), healing=event.costs, healing_checked=True)


def _refunded(state: GameState, costs: tuple[int, ...]) -> GameState:
    """Correct what everybody got for the disabled adventurers: at the table it was what the cards say."""
    books = state.books
    if state.round == 1 and state.phase in (Phase.DEALING, Phase.DISABLING):
        return state
    for seat, choice in enumerate(state.chosen):
        more = sum(costs[strength - 1] - state.healing[strength - 1] for strength in choice or ())
        books = books.paid(seat, max(more, -books.of(seat)), Reason.DISABLED)
    return replace(state, books=books)


def _deal(state: GameState, event: RoomsDealt) -> GameState:
    if state.phase is not Phase.DEALING:
        raise IllegalEvent(say("The rooms of this round have been dealt."))
    if len(event.rooms) != state.rooms_to_deal:
        raise IllegalEvent(say("This dungeon has %(count)d rooms.", count=state.rooms_to_deal))
    try:
        for room in event.rooms:
            check_room(room)
    except BadData as error:
        raise IllegalEvent(error.message) from error
    if event.master is None and state.with_masters:
        raise IllegalEvent(say("A dungeon master belongs to this dungeon."))
    if event.master is not None and event.master not in masters_left(state):
        raise IllegalEvent(say("This dungeon master is not in the pile."))
    rooms = sorted(event.rooms, key=lambda room: room.level)
    places = tuple(
        Place(room, (Piece(None, room.level),) if state.ghost and number < GHOSTS else ())
        for number, room in enumerate(rooms)
    )
    state = replace(state, places=places, master=event.master)
    count, forced = len(state.players), state.effect.disables
    if state.round > 1:
        return begin_placing(replace(state, disabled=(forced,) * count) if forced else state)
    if forced:
        return _all_chosen(replace(state, chosen=(forced,) * count))
    return replace(state, phase=Phase.DISABLING)


def _correct(state: GameState, event: RoomCorrected) -> GameState:
    if not 0 <= event.place < len(state.places):
        raise IllegalEvent(say("There is no such room."))
    old = state.places[event.place]
    if state.phase is Phase.CLEANUP or old.held is not None:
        raise IllegalEvent(say("This room has been revealed."))
    if event.room.level != old.room.level:
        raise IllegalEvent(say("The level of a room stays; undo back to the dealing to change it."))
    try:
        check_room(event.room)
    except BadData as error:
        raise IllegalEvent(error.message) from error
    return state.with_place(event.place, replace(old, room=event.room))


def _disable(state: GameState, event: AdventurersDisabled) -> GameState:
    if state.phase is not Phase.DISABLING:
        raise IllegalEvent(say("Adventurers are disabled once, when the first dungeon lies there."))
    if len(event.strengths) != TO_DISABLE or len(set(event.strengths) & set(STRENGTHS)) != TO_DISABLE:
        raise IllegalEvent(say("Two different adventurers are disabled."))
    chosen = list(state.chosen)
    chosen[event.player] = tuple(sorted(event.strengths))
    state = replace(state, chosen=tuple(chosen))
    return state if None in chosen else _all_chosen(state)


def _all_chosen(state: GameState) -> GameState:
    """Reveal what everybody disabled; each gets what healing those two would cost on their cards."""
    books, disabled = state.books, tuple(choice or () for choice in state.chosen)
    for seat, choice in enumerate(disabled):
        books = books.paid(seat, sum(state.healing[strength - 1] for strength in choice), Reason.DISABLED)
    return begin_placing(replace(state, books=books, disabled=disabled))


def _write_money(state: GameState, event: MoneyWritten) -> GameState:
    have = state.books.of(event.player)
    if event.reason is Reason.START:
        raise IllegalEvent(say("Everybody starts once."))
    if not 0 < abs(event.amount) <= MOST_MONEY:
        raise IllegalEvent(say("An amount is from 1 to %(most)d.", most=MOST_MONEY))
    if len(event.note) > MAX_NOTE or not (event.note.isprintable() or not event.note):
        raise IllegalEvent(say("A note can have at most %(count)d letters.", count=MAX_NOTE))
    amount = event.amount
    if have + amount < 0:
        if event.reason is not Reason.HEALING:
            raise IllegalEvent(say("Nobody has less than $0."))
        amount = -have  # who cannot pay the whole healing pays what there is
    if have + amount > MOST_MONEY:
        raise IllegalEvent(say("Nobody can have so much money."))
    return replace(state, books=state.books.paid(event.player, amount, event.reason))


def _end_counting(state: GameState, event: CountingEnded) -> GameState:
    if state.phase is not Phase.COUNTING:
        raise IllegalEvent(say("This game ends with its last round."))
    unplaced = event.unplaced or (0,) * len(state.players)
    if len(unplaced) != len(state.players) or not all(0 <= one <= max(STRENGTHS) for one in unplaced):
        raise IllegalEvent(say("There is one strongest adventurer for each player, 1 to 5."))
    return replace(state, phase=Phase.FINISHED, unplaced=unplaced)
