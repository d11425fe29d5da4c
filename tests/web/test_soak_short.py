"""A small house for a few seconds: nobody waits, nothing is lost; ``make soak`` does the same for long."""

import asyncio
import math
import random
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from companion.games import GAMES
from companion.store import Store
from companion.tables import Tables
from tests.soak.load import compare, growth, house, run, spread, targets
from tests.soak.tables import NAMES, SEATINGS, LiveTable, Measures, next_move

SECONDS, EVERY = 8, 0.5
TABLES, PHONES = 6, 4


@pytest.fixture(scope="module")
def found():
    return elsewhere(run, house, tables=TABLES, phones=PHONES, seconds=SECONDS, every=EVERY, share=0.1)


def elsewhere(function, *values, **settings):
    """Call a function in a thread of its own: browser tests leave a running loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(function, *values, **settings).result()


@pytest.mark.alone
def test_every_action_is_accepted_and_reaches_every_phone_of_its_table(found):
    assert found["failures"] == []
    assert found["acknowledged"] == TABLES * SECONDS / EVERY
    assert found["seen"]["count"] == found["acknowledged"] * (PHONES - 1)
    assert found["fresh"]["count"] > 0


@pytest.mark.alone
def test_what_was_acknowledged_is_in_the_logs_once(found):
    assert found["logs"] == {"lost": 0, "not_sent": 0, "recorded": found["acknowledged"]}


@pytest.mark.alone
def test_the_other_phones_are_told_within_a_second(found):
    assert found["seen"]["p95"] < 1000


def test_all_games_are_played_and_no_random_game_ends(tmp_path):
    assert {game for game, _players, _options in SEATINGS} == set(GAMES)
    store = Store(tmp_path)
    tables = Tables(store)
    for number, (game, players, options) in enumerate(SEATINGS):
        rng, kinds = random.Random(number), set()
        journal = tables.open(tables.create(game, NAMES[:players], options))
        for _ in range(300):
            move, journal = next_move(journal, range(players), rng)
            kinds.add(move.path)
            assert journal.outcome is None
        assert kinds == {"act", "undo", "redo", "rewind"}
    store.close()


def test_an_action_that_is_lost_doubled_or_strange_is_noticed(tmp_path):
    store = Store(tmp_path)
    tables = Tables(store)
    code = tables.create("apprentis", NAMES, {})
    table = SimpleNamespace(code=code, game="apprentis", journal=tables.open(code))
    entered = {"type": "group_entered", "player": 0}
    recorded = tables.act(code, 0, entered, seen=0, action="tap-1")

    never_sent = Measures()
    assert compare(tmp_path, [table], never_sent) == {"lost": 0, "not_sent": 1, "recorded": 1}
    table.journal, fine = recorded, Measures()
    assert compare(tmp_path, [table], fine) == {"lost": 0, "not_sent": 0, "recorded": 1}
    table.journal, lost = next_move(recorded, range(4), random.Random(1))[1], Measures()
    assert compare(tmp_path, [table], lost) == {"lost": 1, "not_sent": 0, "recorded": 1}
    store.close()

    assert [len(measures.failures) for measures in (never_sent, fine, lost)] == [1, 0, 1]


def test_a_phone_that_is_never_told_is_a_failure():
    measures = Measures()
    table = LiveTable(0, 0, 3, measures, share=0)
    for number in range(3):
        table.heard(number, "0.3.0")  # what a stream says first
    table.sent[1] = (0.0, {1, 2})
    table.heard(1, "1.3.0")
    elsewhere(lambda: asyncio.run(table.until_seen(patience_s=0)))

    assert len(measures.seen) == 1
    assert len(measures.failures) == 1
    assert measures.failures[0].startswith("1 phones")


def test_memory_that_grows_is_told_from_memory_that_has_peaks():
    minutes = [n / 6 for n in range(60)]

    assert growth(minutes, [100 + 2 * minute for minute in minutes]) == pytest.approx(2)
    assert growth(minutes, [100 + 50 * (n % 5 == 0) for n in range(60)]) == 0
    assert math.isnan(growth([], []))


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        pytest.param({}, [True, True, True], id="all is well"),
        pytest.param({"failed": 1}, [False, True, True], id="a failure"),
        pytest.param({"acknowledged": 0}, [False, True, True], id="nothing done"),
        pytest.param({"seen": {"p95": 301}}, [True, False, True], id="slow"),
        pytest.param({"memory_growth_mb_per_minute": 1.1}, [True, True, False], id="leaking"),
    ],
)
def test_a_target_that_is_missed_is_told(change, kept):
    good = {"failed": 0, "acknowledged": 9, "seen": {"p95": 299}, "memory_growth_mb_per_minute": 0.9}

    assert list(targets({**good, **change}, minutes=10).values()) == kept


def test_a_percentile_is_one_of_the_times():
    times = [n / 1000 for n in range(1, 101)]

    assert spread(times) == {"count": 100, "p50": 50, "p95": 95, "max": 100}
