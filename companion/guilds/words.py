"""What happened at the table, in sentences that all may read."""

from __future__ import annotations

from companion.guilds.cards import MASTER_NAMES, MASTER_RULES
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
from companion.guilds.money import REASON_NAMES, Reason
from companion.guilds.placing import ghost_goes_to
from companion.guilds.resolving import bills, defence_of, next_place
from companion.guilds.state import GameState, Phase, Piece
from companion.message import Message, say


def tell(before: GameState, event: Event, after: GameState) -> tuple[Message, ...]:
    """Tell what an event did; never what a player chose before all have."""
    name = before.players[event.player] if hasattr(event, "player") else ""
    match event:
        case HealingWritten():
            costs = ", ".join(map(str, event.costs))
            return (say("Healing costs %(costs)s for strength 1 to 5.", costs=costs),)
        case RoomsDealt():
            return (*_dealt(after), *_revealed_choices(before, after))
        case RoomCorrected():
            return (say("Room %(number)d is corrected.", number=event.place + 1),)
        case AdventurersDisabled():
            chosen = say("%(player)s has chosen two adventurers to disable.", player=name)
            return (chosen, *_revealed_choices(before, after))
        case AdventurerPlaced():
            placed = say(
                "%(player)s places %(strength)d in room %(number)d.",
                player=name,
                strength=event.strength,
                number=event.place + 1,
            )
            return (placed, *_closed(after, event.place), *_alms(before, after))
        case AdventurerPushed():
            closed = _closed(after, event.place)
            return (_pushed(before, event), *closed, *_haunted(before, event, after), *_alms(before, after))
        case AdventurerReplaced():
            replaced = say(
                "%(player)s replaces the own %(old)d in room %(number)d by %(strength)d for $1.",
                player=name,
                old=event.replaced,
                number=event.place + 1,
                strength=event.strength,
            )
            return (replaced, *_closed(after, event.place), *_alms(before, after))
        case RoomRevealed():
            return _revealed(before, event, after)
        case RoundEnded():
            return _ended(before, after)
        case MoneyWritten():
            return (_money(before, event, after),)
        case CountingEnded():
            return (say("The game is over."),)


def _dealt(after: GameState) -> tuple[Message, ...]:
    dealt = say("The dungeon of round %(round)d lies there.", round=after.round)
    if after.master is None:
        return (dealt,)
    return dealt, say(
        "%(master)s: %(rule)s", master=MASTER_NAMES[after.master], rule=MASTER_RULES[after.master]
    )


def _revealed_choices(before: GameState, after: GameState) -> tuple[Message, ...]:
    if after.phase is not Phase.PLACING or before.round > 1:
        return ()
    return tuple(
        say(
            "%(player)s disables %(one)d and %(other)d and gets $%(money)d.",
            player=name,
            one=after.disabled[seat][0],
            other=after.disabled[seat][1],
            money=after.books.sum_of(seat, Reason.DISABLED) - before.books.sum_of(seat, Reason.DISABLED),
        )
        for seat, name in enumerate(after.players)
    )


def _pushed(before: GameState, event: AdventurerPushed) -> Message:
    name, room = before.players[event.player], before.places[event.place].room
    if event.pushed.owner is None:
        return say(
            "%(player)s pushes the ghost out of room %(number)d with %(strength)d for $1.",
            player=name,
            number=event.place + 1,
            strength=event.strength,
        )
    return say(
        "%(player)s pushes %(other)s's %(old)d out of room %(number)d with %(strength)d: %(fee)s",
        player=name,
        other=before.players[event.pushed.owner],
        old=event.pushed.strength,
        number=event.place + 1,
        strength=event.strength,
        fee={
            1: say("$1 to the bank."),
            2: say("$1 to the bank and $1 to the owner."),
            3: say("$1 to the bank and $2 to the owner."),
        }[room.level],
    )


def _haunted(before: GameState, event: AdventurerPushed, after: GameState) -> tuple[Message, ...]:
    """Tell where a ghost goes that was pushed out."""
    if event.pushed.owner is not None:
        return ()
    place = ghost_goes_to(before, event.place)
    return say("The ghost moves to room %(number)d.", number=place + 1), *_closed(after, place)


def _closed(after: GameState, place: int) -> tuple[Message, ...]:
    return (say("Room %(number)d is closed.", number=place + 1),) if after.places[place].is_closed else ()


def _alms(before: GameState, after: GameState) -> tuple[Message, ...]:
    if after.phase is not Phase.RESOLVING:
        return ()
    gifts = tuple(
        say("%(player)s placed the least strength and gets $%(money)d.", player=name, money=after.effect.alms)
        for seat, name in enumerate(after.players)
        if after.books.sum_of(seat, Reason.MASTER) > before.books.sum_of(seat, Reason.MASTER)
    )
    return (say("Everybody has placed two adventurers."), *gifts)


def _revealed(before: GameState, event: RoomRevealed, after: GameState) -> tuple[Message, ...]:
    number = next_place(before)
    assert number is not None
    place = after.places[number]
    defence = defence_of(before, number, event.front.defence)
    if not place.held:
        lost = say(
            "Room %(number)d fails: strength %(strength)d against defence %(defence)d.",
            number=number + 1,
            strength=place.strength,
            defence=defence,
        )
        below = number < len(after.places) - 1
        return (lost, say("All rooms below have failed too.")) if below else (lost,)
    won = say(
        "Room %(number)d is won: strength %(strength)d against defence %(defence)d.",
        number=number + 1,
        strength=place.strength,
        defence=defence,
    )
    if place.pieces[0].owner == place.pieces[1].owner:
        return won, _share(after, place.pieces[0], sum(place.shares))
    shares = zip(place.pieces, place.shares, strict=True)
    return won, *(_share(after, piece, share) for piece, share in shares)


def _share(state: GameState, piece: Piece, share: int) -> Message:
    if piece.owner is None:
        return say("The ghost's share, $%(money)d, goes to the bank.", money=share)
    return say("%(player)s gets $%(money)d.", player=state.players[piece.owner], money=share)


def _ended(before: GameState, after: GameState) -> tuple[Message, ...]:
    healed = tuple(
        say("%(player)s pays $%(money)d for healing.", player=name, money=min(cost, before.books.of(seat)))
        for seat, (name, cost) in enumerate(zip(before.players, bills(before), strict=True))
        if cost
    )
    if after.phase is Phase.FINISHED:
        return (*healed, say("The game is over."))
    begins = say(
        "Round %(round)d begins with %(player)s.", round=after.round, player=after.players[after.first]
    )
    return (*healed, begins)


def _money(before: GameState, event: MoneyWritten, after: GameState) -> Message:
    change = after.books.of(event.player) - before.books.of(event.player)
    what: str | Message = event.note or REASON_NAMES[event.reason]
    name = before.players[event.player]
    if event.amount > 0:
        return say("%(player)s gets $%(money)d: %(what)s.", player=name, money=change, what=what)
    return say("%(player)s pays $%(money)d: %(what)s.", player=name, money=-change, what=what)
