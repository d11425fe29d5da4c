"""What holds for any treasure, and for anything that any phone could send."""

import json
import random
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadData, IllegalEvent
from companion.guilds import RULES
from companion.guilds.cards import Master
from companion.guilds.events import CODEC
from companion.guilds.money import Reason
from companion.guilds.resolving import split
from companion.guilds.state import Piece
from companion.guilds.view import view_for
from tests.companion.guilds.random_tables import play
from tests.companion.guilds.tables import a_start

GAMES = 12

# Splitting

owners = st.one_of(st.none(), st.integers(0, 5))
pieces = st.builds(Piece, owners, st.integers(1, 5))
treasures = st.integers(0, 60)


@given(treasures, pieces, pieces)
@settings(max_examples=300, deadline=None)
def test_at_most_the_remainder_of_a_treasure_is_lost_and_only_between_equals(treasure, one, other):
    shares = split(treasure, (one, other))

    assert min(shares) >= 0
    lost = treasure - sum(shares)
    equals = one.strength == other.strength and one.owner != other.owner
    assert lost == (treasure % 2 if equals else 0)


@given(treasures, pieces, pieces)
@settings(max_examples=300, deadline=None)
def test_two_owners_get_the_same_but_for_one_and_the_stronger_never_less(treasure, one, other):
    mine, yours = split(treasure, (one, other))

    if one.owner == other.owner:
        assert mine + yours == treasure
        return
    assert abs(mine - yours) <= 1
    assert one.strength <= other.strength or mine >= yours
    assert one.strength >= other.strength or yours >= mine
    assert split(treasure, (other, one)) == (yours, mine)


# Anything that could be sent

small = st.one_of(st.integers(0, 6), st.integers(-3, 45))
junk = st.one_of(
    st.none(), st.booleans(), st.floats(0, 4), st.text(max_size=3), st.lists(small, max_size=3), st.just({})
)


def mostly(values):
    """Sometimes take something of another kind."""
    return st.integers(0, 40).flatmap(lambda n: junk if n == 0 else values)


def record(**fields):
    """Make JSON objects, of which some have a field too few or too many."""
    whole = st.fixed_dictionaries({name: mostly(values) for name, values in fields.items()})
    fewer = whole.map(lambda data: dict(list(data.items())[1:]))
    more = whole.map(lambda data: {**data, "luck": 7})
    return st.integers(0, 30).flatmap(lambda n: {0: fewer, 1: more}.get(n, whole))


seats, strengths, places = st.integers(-1, 6), st.integers(0, 6), st.integers(-1, 6)
rooms = record(
    level=st.integers(1, 3),
    defence_low=st.integers(0, 6),
    defence_high=st.integers(4, 21),
    treasure_low=st.integers(0, 5),
    treasure_high=st.integers(3, 41),
)
fronts = record(defence=small, treasure=small, monster=st.text(max_size=4))
someone = record(owner=st.one_of(st.none(), seats), strength=strengths)
FIELDS = {
    "healing_written": {"costs": st.lists(small, min_size=4, max_size=6)},
    "rooms_dealt": {
        "rooms": st.lists(rooms, min_size=3, max_size=7),
        "master": st.sampled_from((None, *map(str, Master))),
    },
    "room_corrected": {"place": places, "room": rooms},
    "adventurers_disabled": {"player": seats, "strengths": st.lists(strengths, min_size=1, max_size=3)},
    "adventurer_placed": {"player": seats, "strength": strengths, "place": places},
    "adventurer_pushed": {"player": seats, "strength": strengths, "place": places, "pushed": someone},
    "adventurer_replaced": {"player": seats, "strength": strengths, "place": places, "replaced": strengths},
    "room_revealed": {"room": rooms, "front": fronts},
    "round_ended": {},
    "money_written": {
        "player": seats,
        "amount": small,
        "reason": st.sampled_from([str(reason) for reason in Reason]),
        "note": st.text(max_size=4),
    },
    "counting_ended": {"unplaced": st.lists(strengths, max_size=6)},
}


def events_of(kind):
    """Make events of one kind as a phone sends them."""
    return record(**FIELDS[kind]).map(lambda data: {"type": kind, **data})


sent = st.sampled_from(sorted(FIELDS)).flatmap(events_of)


@cache
def reachable():
    """Return tables of all phases and both modes that random games came through."""
    found = [a_start(mode="score"), a_start(4, mode="score", teams="two")]
    for seed in range(GAMES):
        setup, events, _ = play(seed)
        state, rng = RULES.start(setup), random.Random(seed)
        for event in events:
            if rng.random() < 0.3:
                found.append(state)
            state = RULES.apply(state, event)
        found.append(state)
    return found


states = st.builds(lambda n: reachable()[n % len(reachable())], st.integers(0, 5000))


def money(state):
    """Return what everybody has, and the bank."""
    return [*(state.books.of(seat) for seat in range(len(state.players))), state.books.bank]


def test_every_kind_of_event_is_tried():
    assert set(FIELDS) == set(CODEC.kinds)
    assert {str(state.phase) for state in reachable()} == {
        "dealing",
        "disabling",
        "placing",
        "resolving",
        "cleanup",
        "counting",
        "finished",
    }


def nearly_legal(data, state):
    """Make an event that was possible, perhaps with one field changed."""
    legal = RULES.legal(state, data.draw(st.integers(0, len(state.players) - 1)))
    body = CODEC.write(data.draw(st.sampled_from(legal)))
    if len(body) > 1 and data.draw(st.booleans()):
        name = data.draw(st.sampled_from(sorted(set(body) - {"type"})))
        body[name] = data.draw(mostly(FIELDS[body["type"]][name]))
    return body


@given(states, st.data())
@settings(max_examples=300, deadline=None)
def test_whatever_is_sent_is_refused_in_words_or_leaves_a_whole_table(state, data):
    for _ in range(5):
        over = RULES.outcome(state) is not None
        body = data.draw(sent) if over or data.draw(st.booleans()) else nearly_legal(data, state)
        before = state
        try:
            event = CODEC.read(json.loads(json.dumps(body)))
            state = RULES.apply(state, event)
        except (BadData, IllegalEvent) as error:
            assert str(error)
            continue
        assert not over
        assert sum(money(state)) == 0 and min(money(state)[:-1]) >= 0
        assert all(str(sentence) for sentence in RULES.tell(before, event, state))
        assert view_for(state, 0).players and view_for(state, None).seat is None
        assert CODEC.read(CODEC.write(event)) == event


@given(states, st.data())
@settings(max_examples=150, deadline=None)
def test_whatever_is_offered_conserves_money(state, data):
    for _ in range(6):
        offered = RULES.legal(state, data.draw(st.integers(0, len(state.players) - 1)))
        if not offered:
            assert RULES.outcome(state) is not None
            return
        state = RULES.apply(state, data.draw(st.sampled_from(offered)))
        assert sum(money(state)) == 0 and min(money(state)[:-1]) >= 0
