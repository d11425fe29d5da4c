"""Two thousand random games of Dungeon Guilds, each step judged by the slow referee."""

import json
import random

import pytest

from companion.guilds import RULES
from companion.guilds.events import CODEC, CountingEnded, MoneyWritten
from companion.guilds.money import Reason
from companion.journal import Journal
from companion.logfile import read_log, write_log
from companion.rules import make_setup
from tests.companion.builders import entry
from tests.companion.guilds.random_tables import (
    AMOUNTS,
    NAMES,
    PLACING,
    REASONS,
    accepted,
    all_placements,
    play,
    told,
)
from tests.companion.guilds.slow_guilds import Referee

GAMES_OF_EACH_SLICE = 200
SLICES = 10
IN_FULL_GAMES = set(CODEC.kinds.values()) - {CountingEnded}


@pytest.mark.parametrize("part", range(SLICES))
def test_random_games_go_as_the_referee_says_and_replay_to_the_same_state(part):
    met = []
    for seed in range(part * GAMES_OF_EACH_SLICE, (part + 1) * GAMES_OF_EACH_SLICE):
        setup, events, state = play(seed)
        met += [type(event) for event in events]
        if seed % 8 == 0:
            again = RULES.start(setup)
            for event in events:
                again = RULES.apply(again, CODEC.read(json.loads(json.dumps(CODEC.write(event)))))
            assert again == state

    assert set(met) == IN_FULL_GAMES
    pushed = sum(met.count(kind) for kind in PLACING[1:])
    assert pushed > 8 * GAMES_OF_EACH_SLICE


def test_a_random_game_is_the_same_after_it_was_saved_and_opened():
    for seed in range(0, 200, 10):
        setup, events, state = play(seed)
        journal = Journal.begin(RULES, setup)
        for event in events:
            by = RULES.owner(event) or 0
            journal = journal.follow(entry(journal, by, CODEC.write(event)))
        lines = list(write_log(journal, created="2026-01-31T20:15:00+00:00"))

        opened, _ = read_log(lines)

        assert opened.state == journal.state == state
        assert opened.outcome == RULES.outcome(state)


def states_of(seed):
    """Play a random game again; return all its tables with the referee at each, one after another."""
    setup, events, _ = play(seed)
    options = setup.options
    referee = Referee(
        len(setup.players),
        first=setup.first,
        teams={"none": 0, "two": 2, "three": 3}[options["teams"]],
        ghost=options["ghost"] == "yes",
        masters=options["masters"],
    )
    state = RULES.start(setup)
    for event in events:
        yield state, referee
        told(referee, event)
        state = RULES.apply(state, event)
    yield state, referee


@pytest.mark.parametrize("seed", range(12))
def test_every_other_placement_that_could_be_tried_is_refused(seed):
    rng = random.Random(seed)
    for state, referee in states_of(seed):
        if rng.random() < (0.05 if referee.phase == "placing" else 0.01):
            assert accepted(state, all_placements(state)) == referee.allowed()


@pytest.mark.parametrize("seed", range(12))
def test_everything_that_is_offered_is_accepted(seed):
    for state, _ in states_of(seed):
        for seat in range(len(state.players)):
            offered = RULES.legal(state, seat)
            assert accepted(state, offered) == set(offered)
            assert RULES.outcome(state) is not None or offered


def test_whatever_came_in_a_game_is_refused_after_its_end():
    for seed in range(20):
        _, events, state = play(seed)
        assert accepted(state, events) == set()
        assert all(RULES.legal(state, seat) == () for seat in range(len(state.players)))


@pytest.mark.parametrize("part", range(2))
def test_random_games_of_only_money_go_as_the_referee_says(part):
    for seed in range(part * 200, (part + 1) * 200):
        rng = random.Random(seed)
        count = rng.randint(3, 6)
        teams = rng.choice({4: ("none", "two"), 6: ("none", "two", "three")}.get(count, ("none",)))
        setup = make_setup(RULES, NAMES[:count], {"mode": "score", "teams": teams})
        referee = Referee(count, teams={"none": 0, "two": 2, "three": 3}[teams])
        state = RULES.start(setup)
        for _ in range(rng.randint(0, 15)):
            event = MoneyWritten(rng.randrange(count), rng.choice(AMOUNTS), rng.choice(REASONS))
            if referee.write(event.player, event.amount, healing=event.reason is Reason.HEALING):
                state = RULES.apply(state, event)
            else:
                assert accepted(state, [event]) == set()
            assert [state.books.of(seat) for seat in range(count)] == referee.money
            assert state.books.bank == referee.bank == -sum(referee.money)
        unplaced = tuple(rng.randint(3, 5) for _ in range(count))
        referee.last_placed = [set(range(strongest + 1, 6)) for strongest in unplaced]

        state = RULES.apply(state, CountingEnded(unplaced))

        assert {placing.seat for placing in RULES.outcome(state).placings if placing.winner} == (
            referee.winners()
        )
