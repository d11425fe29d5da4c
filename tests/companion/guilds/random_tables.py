"""Random games of Dungeon Guilds, played beside the slow referee."""

import random
from dataclasses import replace
from itertools import product

from companion.errors import IllegalEvent
from companion.guilds import RULES
from companion.guilds.cards import Front, Room
from companion.guilds.events import (
    AdventurerPlaced,
    AdventurerPushed,
    AdventurerReplaced,
    AdventurersDisabled,
    HealingWritten,
    MoneyWritten,
    RoomCorrected,
    RoomRevealed,
    RoomsDealt,
    RoundEnded,
)
from companion.guilds.money import Reason
from companion.guilds.state import Piece
from companion.rules import make_setup
from tests.companion.guilds.slow_guilds import Referee

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")
PLACING = (AdventurerPlaced, AdventurerPushed, AdventurerReplaced)
LONGEST = 700
RARELY = {HealingWritten: 0.01, MoneyWritten: 0.01, RoomCorrected: 0.02}
AMOUNTS = (-9, -3, -2, -1, 1, 2, 3)
REASONS = tuple(reason for reason in Reason if reason is not Reason.START)


def a_setup(rng):
    """Decide about a game: its set-up, and the referee of the same game."""
    count = rng.choice((3, 3, 3, 4, 4, 4, 5, 5, 6))  # games of six take four times as long as games of three
    teams = rng.choice({4: ("none", "two"), 6: ("none", "two", "three", "three")}.get(count, ("none",)))
    ghost = rng.choice(("no", "yes")) if count < 6 else "no"
    masters = rng.choice(("box", "promos", "promos", "counters"))
    first = rng.randrange(count)
    options = {"teams": teams, "ghost": ghost, "masters": masters}
    referee = Referee(
        count,
        first=first,
        teams={"none": 0, "two": 2, "three": 3}[teams],
        ghost=ghost == "yes",
        masters=masters,
    )
    return make_setup(RULES, NAMES[:count], options, first=first), referee


def a_room(rng, level):
    """Make up a back: some rooms are closed soon, others never."""
    low = rng.randint(0, 3 + level)
    treasure = rng.randint(0, 4 * level)
    return Room(level, low, low + rng.randint(0, 9), treasure, treasure + rng.randint(0, 5))


def filled_in(rng, state, event):
    """Return an event with something else that could have been typed."""
    match event:
        case RoomsDealt():
            levels = [rng.choice((1, 1, 2, 2, 3)) for _ in event.rooms]
            return replace(event, rooms=tuple(a_room(rng, level) for level in levels))
        case HealingWritten():
            return HealingWritten(tuple(rng.randint(0, 4) for _ in event.costs))
        case MoneyWritten():
            return replace(event, amount=rng.choice(AMOUNTS), reason=rng.choice(REASONS))
        case RoomCorrected():
            number = rng.randrange(event.place, len(state.places))
            return RoomCorrected(number, a_room(rng, state.places[number].room.level))
        case RoomRevealed():
            room = event.room
            most = rng.choice((room.defence_low, min(8, room.defence_high), room.defence_high))
            defence = rng.randint(room.defence_low, max(room.defence_low, most))
            treasure = rng.randint(room.treasure_low, room.treasure_high)
            return replace(event, front=Front(defence, treasure, "Rat"))
    return event


def told(referee, event):
    """Tell the referee what happened; return whether it can be."""
    match event:
        case RoomsDealt():
            referee.deal(event.rooms, event.master)
        case HealingWritten():
            referee.write_healing(event.costs)
        case MoneyWritten():
            return referee.write(event.player, event.amount, healing=event.reason is Reason.HEALING)
        case RoomCorrected():
            referee.correct(event.place, event.room)
        case AdventurersDisabled():
            referee.disable(event.player, event.strengths)
        case RoomRevealed():
            referee.reveal(event.front.defence, event.front.treasure)
        case RoundEnded():
            referee.end_round()
        case _:
            referee.act(event)
    return True


def picked(rng, possible, pushing):
    """Pick an event; pushes and replacements come first as often as *pushing* says."""
    fights = [event for event in possible if isinstance(event, AdventurerPushed | AdventurerReplaced)]
    if fights and rng.random() < pushing:
        return rng.choice(fights)
    return rng.choices(possible, [RARELY.get(type(event), 1) for event in possible])[0]


def crowd(pieces):
    """Return who is in a room, in an order that does not matter."""
    return sorted([(-1 if owner is None else owner, strength) for owner, strength in pieces])


def compare(state, referee):
    """Check that the table is as the referee says, and that no money appeared or vanished."""
    seats = range(len(state.players))
    money = [state.books.of(seat) for seat in seats]
    assert (money, state.books.bank) == (referee.money, referee.bank)
    assert sum(money) + state.books.bank == 0 and min(money) >= 0
    now = str(state.phase), state.turn, state.round, state.first
    assert now == (referee.phase, referee.turn(), referee.round, referee.first)
    if referee.phase == "finished":
        return
    assert state.master == referee.master
    assert [place.room.level for place in state.places] == [chamber.level for chamber in referee.rooms]
    assert [place.held for place in state.places] == [chamber.won for chamber in referee.rooms]
    for place, chamber in zip(state.places, referee.rooms, strict=True):
        assert crowd([(piece.owner, piece.strength) for piece in place.pieces]) == crowd(chamber.who)
        assert place.is_closed == chamber.closed()
    if referee.phase == "placing":
        assert [list(state.available(seat)) for seat in seats] == [referee.in_hand(seat) for seat in seats]


def all_placements(state):
    """List everything somebody could try in a placement, however wrong."""
    seats, strengths = range(len(state.players)), range(7)
    for seat, strength, place in product(seats, strengths, range(-1, len(state.places) + 1)):
        yield AdventurerPlaced(seat, strength, place)
        for old in range(1, 6):
            yield AdventurerReplaced(seat, strength, place, old)
            yield AdventurerPushed(seat, strength, place, Piece(None, old))
            for other in seats:
                yield AdventurerPushed(seat, strength, place, Piece(other, old))


def accepted(state, events):
    """Return those of some events that the rules let through."""
    found = set()
    for event in events:
        try:
            RULES.apply(state, event)
        except IllegalEvent:
            continue
        found.add(event)
    return found


def check_legal(state, referee, possible):
    """Check what is offered against what the referee allows."""
    placements = [event for event in possible if isinstance(event, PLACING)]
    assert set(placements) == referee.allowed()
    dealt = [event.master for event in possible if isinstance(event, RoomsDealt)]
    assert dealt == ((referee.pile or [None]) if referee.phase == "dealing" else [])


def play(seed):
    """Play a whole random game beside the referee; return its set-up, its events and how it ended."""
    rng = random.Random(seed)
    setup, referee = a_setup(rng)
    pushing = rng.choice((0.1, 0.5, 0.95))
    state, events = RULES.start(setup), []
    compare(state, referee)
    while RULES.outcome(state) is None:
        possible = RULES.legal(state, rng.randrange(len(setup.players)))
        check_legal(state, referee, possible)
        event = filled_in(rng, state, picked(rng, possible, pushing))
        if not told(referee, event):
            assert accepted(state, [event]) == set()
            continue
        before, state = state, RULES.apply(state, event)
        compare(state, referee)
        if seed % 4 == 0:
            assert all(str(sentence) for sentence in RULES.tell(before, event, state))
        events.append(event)
        assert len(events) < LONGEST
    winners = {placing.seat for placing in RULES.outcome(state).placings if placing.winner}
    assert winners == referee.winners()
    assert referee.round == len(setup.players)
    return setup, events, state
