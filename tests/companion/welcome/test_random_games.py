"""Two thousand random games of both boxes through ``legal_events``, and what holds in every one of them."""

import random

import pytest

from companion.errors import IllegalEvent
from companion.games import GAMES
from companion.journal import Journal
from companion.logfile import read_log, write_log
from companion.rules import make_setup
from companion.welcome.game.events import (
    CODEC,
    BiddingSkipped,
    CardsNoted,
    DelveEnded,
    MonsterTurned,
    PlayerPassed,
    TilesRecalled,
    TileWritten,
)
from companion.welcome.game.legal import legal_events
from companion.welcome.game.rules import apply
from companion.welcome.game.state import Aid, Phase
from companion.welcome.game.view import view_for
from companion.welcome.game.words import tell
from companion.welcome.tiles import heroes
from tests.companion.builders import entry
from tests.companion.welcome.tables import NAMES

GAMES_OF_EACH_SLICE = 250
SLICES = 8
LONGEST = 2000
# How often a kind of event is picked when it is possible.
RARE = {TileWritten: 0.02, TilesRecalled: 0.02, CardsNoted: 0.05, BiddingSkipped: 0.1, PlayerPassed: 0.6}


def a_setup(rng):
    rules = GAMES[rng.choice(("welcome", "welcome-back"))]
    options = {
        "boxes": rng.choice((rules.key, "both")),
        "opening": rng.choice(("free", "add")),
        "hero": rng.choice(("draw", "choose")),
        "special_1": rng.choice(("draw", "none")),
        "special_2": rng.choice(("draw", "none")),
    }
    players = NAMES[: rng.randint(2, 4)]
    checked = make_setup(rules, players, options, first=rng.randrange(len(players)))
    return rules, make_setup(rules, players, rules.settle(checked.options, rng), first=checked.first)


def weight(state, event):
    if isinstance(event, DelveEnded):
        whole = state.delve.fallen or state.delve.position >= state.bids.in_dungeon
        return 100 if whole else 0.01
    if isinstance(event, MonsterTurned) and state.delve.position >= state.bids.in_dungeon:
        return 0.01
    return RARE.get(type(event), 1)


def check(state):
    """Check what holds at every moment of every game."""
    if state.bids is not None:
        drawn = len(state.delve.swapped_in) if state.delve else 0
        assert state.bids.in_dungeon + state.bids.set_aside + state.pile + drawn == state.deck_size
        assert set(state.bids.left) <= set(heroes()[state.bids.hero].tiles)
    if state.delve is not None:
        assert state.delve.position <= state.bids.in_dungeon
        assert (state.delve.hp == 0) == state.delve.fallen
        assert all(count >= 0 for count in view_for(state, None).unseen.values())
    assert all(0 <= count <= 2 for count in state.successes)
    assert state.phase is Phase.FINISHED or state.aids[state.turn] is not Aid.OUT


def play(rng):
    """Return the rules, the set-up and all events of a random game, and how it ended."""
    rules, setup = a_setup(rng)
    state, events = rules.start(setup), []
    while rules.outcome(state) is None:
        seat = rng.randrange(len(setup.players))
        possible = legal_events(state, seat)
        event = rng.choices(possible, [weight(state, event) for event in possible])[0]
        later = apply(state, event)
        assert all(str(sentence) for sentence in tell(state, event, later))
        state = later
        events.append(event)
        check(state)
        assert len(events) < LONGEST
    return rules, setup, events, state


@pytest.mark.parametrize("part", range(SLICES))
def test_random_games_end_conserve_cards_and_replay_to_the_same_state(part):
    met = set()
    for seed in range(part * GAMES_OF_EACH_SLICE, (part + 1) * GAMES_OF_EACH_SLICE):
        rules, setup, events, state = play(random.Random(seed))
        again = rules.start(setup)
        for event in events:
            again = apply(again, CODEC.read(CODEC.write(event)))
        assert again == state
        outcome = rules.outcome(state)
        assert sum(placing.winner for placing in outcome.placings) == 1
        assert outcome.placings[0].winner
        met |= {type(event) for event in events}

    assert met == set(CODEC.kinds.values())


def test_a_random_game_is_the_same_after_it_was_saved_and_opened():
    for seed in range(20):
        rules, setup, events, state = play(random.Random(seed))
        journal = Journal.begin(rules, setup)
        for event in events:
            journal = journal.follow(entry(journal, getattr(event, "player", 0), CODEC.write(event)))
        lines = list(write_log(journal, created="2026-01-31T20:15:00+00:00"))

        opened, _ = read_log(lines)

        assert opened.state == journal.state == state


def test_what_is_not_offered_is_refused():
    """Everything that was possible in some state of a game is tried in another one."""
    rng = random.Random(7)
    for _ in range(30):
        rules, setup, events, _state = play(rng)
        state = rules.start(setup)
        for event in events[: rng.randrange(len(events))]:
            state = apply(state, event)
        stray = rng.choice(events)
        offered = {e for seat in range(len(setup.players)) for e in legal_events(state, seat)}
        typed = TileWritten | TilesRecalled | CardsNoted | BiddingSkipped
        if stray not in offered and not isinstance(stray, typed):
            with pytest.raises(IllegalEvent):
                apply(state, stray)
