"""What a placement would mean: held against revealing the room with every front and every partner."""

import random
from dataclasses import replace
from itertools import product

import pytest

from companion.guilds import RULES
from companion.guilds.advice import Hope, hope_of, lacking, offers
from companion.guilds.cards import Front, Master, Room
from companion.guilds.events import AdventurerPlaced, AdventurerPushed, AdventurersDisabled, RoomsDealt
from companion.guilds.money import Reason
from companion.guilds.resolving import reveal
from companion.guilds.state import Phase, Piece, new_game
from tests.companion.guilds.tables import NAMES, a_table, after

RoomRevealed = RULES.codec.kinds["room_revealed"]


def every_end(state, place, seat):
    """Reveal a full room with each front its back allows; return what the player gets, None for a failure."""
    above = tuple(replace(p, held=True) if n < place else p for n, p in enumerate(state.places))
    ready = replace(state, phase=Phase.RESOLVING, places=above)
    room = state.places[place].room
    defences = range(room.defence_low, room.defence_high + 1)
    treasures = range(room.treasure_low, room.treasure_high + 1)
    for defence, treasure in product(defences, treasures):
        end = reveal(ready, RoomRevealed(room, Front(defence, treasure)))
        won = end.places[place].held
        gained = end.books.sum_of(seat, Reason.TREASURE) - state.books.sum_of(seat, Reason.TREASURE)
        yield gained if won else None


def partners(state, seat, mine):
    """List everybody who could still take the other space: others' adventurers, or an own second one."""
    for other in range(len(state.players)):
        if other != seat:
            yield from (Piece(other, s) for s in (*state.available(other), *state.placed(other)))
    if len(state.placed(seat)) == 0:
        yield from (Piece(seat, s) for s in state.available(seat) if s != mine)


def ends_of(state, offer):
    """Return all that can come of an offer."""
    event = offer.event
    seat, place = event.player, event.place
    pieces = list(state.places[place].pieces)
    mine = Piece(seat, event.strength)
    if isinstance(event, AdventurerPlaced):
        pieces.append(mine)
    else:
        out = event.pushed if isinstance(event, AdventurerPushed) else Piece(seat, event.replaced)
        pieces[pieces.index(out)] = mine
    rooms = [pieces] if len(pieces) == 2 else [[*pieces, p] for p in partners(state, seat, mine.strength)]
    ends = []
    for full in rooms:
        there = replace(state.places[place], pieces=tuple(full))
        ends += every_end(state.with_place(place, there), place, seat)
    return ends, len(pieces) == 2


def a_random_placement(rng):
    """Play into a random moment of a placement."""
    players = rng.randint(3, 5)
    state = new_game(NAMES[:players], ghost=rng.random() < 0.5, promos=True)
    rooms = []
    for _ in range(state.rooms_to_deal):
        level = rng.randint(1, 3)
        low, least = rng.randint(level, level * 3), rng.randint(0, level * 3)
        rooms.append(Room(level, low, low + rng.randint(0, 3), least, least + rng.randint(0, 3)))
    state = after(state, RoomsDealt(tuple(rooms), rng.choice(tuple(Master))))
    if state.phase is Phase.DISABLING:
        pairs = (tuple(rng.sample(range(1, 6), 2)) for _ in range(players))
        state = after(state, *(AdventurersDisabled(seat, pair) for seat, pair in enumerate(pairs)))
    for _ in range(rng.randint(0, 2 * players - 1)):
        moves = [event for event in RULES.legal(state, 0) if hasattr(event, "strength")]
        pushing = [event for event in moves if not isinstance(event, AdventurerPlaced)]
        state = after(state, rng.choice(pushing if pushing and rng.random() < 0.5 else moves))
        if state.phase is not Phase.PLACING:
            return a_random_placement(rng)
    return state


@pytest.mark.parametrize("seed", range(4))
def test_gain_and_hope_are_what_revealing_the_room_can_bring(seed):
    rng = random.Random(seed)
    seen = {Hope.SURE: 0, Hope.OPEN: 0, Hope.LOST: 0}
    for _ in range(60):
        state = a_random_placement(rng)
        for strength in state.available(state.turn):
            for offer in offers(state, state.turn, strength):
                ends, full = ends_of(state, offer)
                won = [end for end in ends if end is not None]
                assert offer.gain == ((min(won), max(won)) if won else None), offer
                if offer.hope is Hope.SURE:
                    assert None not in ends
                elif full:
                    assert None in ends
                assert (offer.hope is Hope.LOST) <= (not won)
                seen[offer.hope] += 1
    assert min(seen.values()) > 20


def test_an_offer_tells_fee_need_gain_and_wound():
    state = a_table(3, Room(1, 3, 5, 2, 4), Room(2, 5, 8, 4, 7), Room(3, 7, 10, 6, 9))
    state = after(state, AdventurerPlaced(0, 3, 1), AdventurerPlaced(1, 3, 1))

    top, push_ana, push_ben, bottom = offers(state, 2, 5)

    assert (top.fee, top.needed, top.hope, top.gain, top.wound) == (0, (0, 0), Hope.SURE, (1, 4), 3)
    assert (push_ana.fee, push_ana.needed, push_ana.hope) == (2, (0, 0), Hope.SURE)
    assert push_ana.gain == (2, 4)  # 4 to 7 with a weaker partner: half, and the odd one
    assert push_ben.event.pushed == Piece(1, 3)
    assert (bottom.fee, bottom.needed, bottom.hope, bottom.gain) == (0, (2, 5), Hope.OPEN, (3, 9))


def test_what_a_room_lacks_counts_what_the_master_changes():
    state = new_game(NAMES[:3])
    rooms = (Room(1, 3, 5, 2, 4), Room(2, 5, 8, 4, 7), Room(3, 7, 10, 6, 9))
    state = after(state, RoomsDealt(rooms, Master.LICH_KING))

    assert lacking(state, 1, ()) == (7, 10)
    assert lacking(state, 1, (Piece(0, 5),)) == (2, 5)
    assert hope_of(state, 1, (Piece(0, 5), Piece(1, 5))) is Hope.SURE
    assert hope_of(state, 1, (Piece(0, 1), Piece(1, 5))) is Hope.LOST
