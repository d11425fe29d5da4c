"""Tables in the middle of a game: played at random by the rules' own hints, or read from golden games."""

import random
from itertools import count
from pathlib import Path

from hypothesis import strategies as st

from companion.errors import CompanionError
from companion.games import GAMES
from companion.rules import Choice

NAMES = ("Ana", "Ben", "Caro", "Dora", "Emil", "Fanny")
GOLDEN = sorted((Path(__file__).parents[1] / "companion" / "games").glob("*.jsonl"))

# These end a game or a part of it: picked seldom, so that games get deep.
SELDOM = {"ScoringOpened": 0.05, "CountingEnded": 0.1, "BiddingSkipped": 0.2, "DelveEnded": 0.5}

_taps = count(1)


def new_table(case, tables, game=None, *, most_events=60):
    """Set up a table and play at random; return its code."""
    rules = GAMES[game or case.draw(st.sampled_from(sorted(GAMES)))]
    names = NAMES[: case.draw(st.integers(rules.min_players, rules.max_players))]
    options = {
        option.key: case.draw(st.sampled_from([key for key, _ in option.choices]))
        for option in rules.options
        if isinstance(option, Choice) and case.chance(2)
    }
    first = case.draw(st.integers(0, len(names) - 1))
    try:
        code = tables.create(rules.key, names, options, first=first)
    except CompanionError:  # some options do not go together
        options = {}
        code = tables.create(rules.key, names, options, first=first)
    events = play(
        tables, code, case.draw(st.integers(0, most_events)), random.Random(case.draw(st.integers(0, 2**32)))
    )
    options = dict(tables.open(code).setup.options)
    case.do(f"code = played(world.tables, {rules.key!r}, {names!r}, {options!r}, {first}, {events!r})")
    return code


def play(tables, code, steps, rng):
    """Let random things happen; return them as (seat, event)."""
    events = []
    for _ in range(steps):
        journal = tables.open(code)
        seat = rng.randrange(len(journal.setup.players))
        legal = journal.rules.legal(journal.state, seat)
        if not legal:
            continue
        kinds = list(dict.fromkeys(map(type, legal)))
        kind = rng.choices(kinds, [SELDOM.get(kind.__name__, 1) for kind in kinds])[0]
        event = rng.choice([event for event in legal if type(event) is kind])
        owner = journal.rules.owner(event)
        events.append((seat if owner is None else owner, journal.rules.codec.write(event)))
        record(tables, code, *events[-1])
    return events


def record(tables, code, seat, event):
    """Record an event that the rules allow."""
    tables.act(code, seat, event, seen=tables.open(code).version, action=f"play-{next(_taps)}")


def played(tables, game, players, options, first, events):
    """Set up a table again that a case has printed; return its code."""
    code = tables.create(game, players, options, first=first)
    for seat, event in events:
        record(tables, code, seat, event)
    return code
