"""Tables of Dungeon Guilds for tests."""

from dataclasses import replace

from companion.guilds import RULES
from companion.guilds.cards import PROMOS, Front, Room
from companion.guilds.events import (
    AdventurerPlaced,
    AdventurerPushed,
    AdventurersDisabled,
    RoomRevealed,
    RoomsDealt,
    RoundEnded,
)
from companion.guilds.money import Reason
from companion.guilds.state import Phase, Piece, new_game
from companion.rules import make_setup

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")


def a_start(players=3, *, first=0, **options):
    """Return a table as its options say."""
    return RULES.start(make_setup(RULES, NAMES[:players], options, first=first))


def after(state, *events):
    """Return the table after some events."""
    for event in events:
        state = RULES.apply(state, event)
    return state


def a_room(level=1, defence=(0, 20), treasure=(0, 40)):
    """Make the back of a room; without ranges it is never closed and its front can say anything."""
    return Room(level, *defence, *treasure)


def backs(state, levels):
    """Make as many rooms as the dungeon has; the last level again and again."""
    levels = (*levels, *levels[-1:] * state.rooms_to_deal)[: state.rooms_to_deal]
    return tuple(a_room(level) for level in levels)


def dealt(state, *rooms, levels=(1, 2, 3), master=None):
    """Return the table with a dungeon."""
    return after(state, RoomsDealt(rooms or backs(state, levels), master))


def chosen(state, *pairs):
    """Return the table after everybody chose two adventurers to disable; 1 and 2 without *pairs*."""
    pairs = pairs or ((1, 2),) * len(state.players)
    return after(state, *(AdventurersDisabled(seat, pair) for seat, pair in enumerate(pairs)))


def a_table(players=3, *rooms, levels=(1, 2, 3), disabled=(), money=None, first=0, **facts):
    """Return a table in its first placement; everybody has 3, 4, 5 and $4, or as said."""
    state = new_game(NAMES[:players], masters=False, first=first, **facts)
    state = chosen(dealt(state, *rooms, levels=levels), *disabled)
    return state if money is None else with_money(state, *money)


def with_money(state, *amounts):
    """Return the table with these amounts of money."""
    books = state.books
    for seat, amount in enumerate(amounts):
        books = books.paid(seat, amount - books.of(seat), Reason.OTHER)
    return replace(state, books=books)


def a_dungeon(
    *rooms, levels=(1, 2, 3), master=None, money=None, healing=None, disabled=(), players=3, **facts
):
    """Return a table before the first room is revealed.

    Each room holds two adventurers: (0, 3) is the 3 of the first player, (None, 1) a ghost.
    """
    ghost = any(owner is None for room in rooms for owner, _ in room)
    state = new_game(NAMES[:players], ghost=ghost, promos=master in PROMOS, masters=bool(master), **facts)
    state = dealt(state, levels=levels, master=master)
    if state.phase is Phase.DISABLING:
        state = chosen(state, *disabled)
    places = tuple(
        replace(place, pieces=tuple(Piece(*who) for who in room))
        for place, room in zip(state.places, rooms, strict=True)
    )
    state = with_money(state, *(money or (10,) * players))
    healing = healing or state.healing
    return replace(state, phase=Phase.RESOLVING, turn=None, step=0, places=places, healing=healing)


def revealed(state, *fronts):
    """Return the table after the next rooms were turned over: (defence, treasure) each."""
    for defence, treasure in fronts:
        number = next(n for n, place in enumerate(state.places) if place.held is None)
        state = after(state, RoomRevealed(state.places[number].room, Front(defence, treasure)))
    return state


def last_round(*rooms, fronts=None, **facts):
    """Return a game after its last round; if *fronts* are not given, nothing is won or lost in it."""
    table = a_dungeon(*rooms, **facts)
    table = replace(table, round=len(table.players))
    return after(revealed(table, *(fronts or [(0, 0)] * len(rooms))), RoundEnded())


def winners(state):
    """Return who won."""
    return {placing.seat for placing in RULES.outcome(state).placings if placing.winner}


def all_placed(state):
    """Return the table after everybody placed two adventurers, room after room."""
    while state.phase is Phase.PLACING:
        number = next(n for n, place in enumerate(state.places) if not place.is_full)
        strength = state.available(state.turn)[0]
        state = after(state, AdventurerPlaced(state.turn, strength, number))
    return state


def a_round(state, *, master=None, front=(0, 0)):
    """Return the table after a whole round in which all rooms have the same front."""
    state = dealt(state, master=master)
    if state.phase is Phase.DISABLING:
        state = chosen(state)
    state = all_placed(state)
    while state.phase is Phase.RESOLVING:
        state = revealed(state, front)
    return after(state, RoundEnded())


def money_of(state):
    """Return what everybody has."""
    return tuple(state.books.of(seat) for seat in range(len(state.players)))


def inside(state, number):
    """Return who is in a room."""
    return {(piece.owner, piece.strength) for piece in state.places[number].pieces}


def push(player, strength, place, owner, old):
    """Make the event of a push; without an owner it is the ghost who is pushed out."""
    return AdventurerPushed(player, strength, place, Piece(owner, old))
