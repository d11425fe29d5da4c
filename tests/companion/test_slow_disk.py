"""A disk that takes its time over one table's tap keeps nobody from looking, there or elsewhere."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.apprentis.board import Monsters, Place
from companion.apprentis.events import CODEC, PlaceFilled

PATIENCE_S = 30.0  # only ends a test that hangs: a busy machine may stand still for seconds


def tap_of(seat):
    return CODEC.write(PlaceFilled(seat, Place.ROOM_1, Monsters(brou=1)))


@pytest.fixture
def slow_disk(tables, monkeypatch):
    """Let the disk write only when the test says so; return the two events: it has begun, it may go on."""
    began, may = threading.Event(), threading.Event()
    really = tables.store.append

    def append(*what):
        began.set()
        assert may.wait(PATIENCE_S)
        really(*what)

    monkeypatch.setattr(tables.store, "append", append)
    yield began, may
    may.set()


@pytest.fixture
def threads():
    with ThreadPoolExecutor(4) as pool:
        yield pool


def test_a_table_can_be_looked_at_while_a_tap_there_is_written(tables, slow_disk, threads):
    began, may = slow_disk
    code, other = (tables.create("apprentis", ("Ana", "Ben"), {"mode": "score"}) for _ in range(2))
    tap = threads.submit(tables.act, code, 0, tap_of(0), seen=0, action="a-tap-of-ana")
    assert began.wait(PATIENCE_S)
    # What is not on disk has not happened yet.
    assert threads.submit(tables.open, code).result(PATIENCE_S).version == 0
    assert threads.submit(tables.open, other).result(PATIENCE_S).version == 0
    may.set()
    assert tap.result(PATIENCE_S).version == 1
    assert tables.open(code).version == 1


def test_two_taps_at_one_table_are_still_written_one_after_the_other(tables, slow_disk, threads):
    began, may = slow_disk
    code = tables.create("apprentis", ("Ana", "Ben"), {"mode": "score"})
    taps = [
        threads.submit(tables.act, code, seat, tap_of(seat), seen=0, action=f"a-tap-of-{seat}")
        for seat in (0, 1)
    ]
    assert began.wait(PATIENCE_S)
    may.set()
    assert sorted(tap.result(PATIENCE_S).version for tap in taps) == [1, 2]


def test_the_same_tap_sent_twice_at_once_counts_once(tables, slow_disk, threads):
    began, may = slow_disk
    code = tables.create("apprentis", ("Ana", "Ben"), {"mode": "score"})
    taps = [threads.submit(tables.act, code, 0, tap_of(0), seen=0, action="a-tap-of-ana") for _ in range(3)]
    assert began.wait(PATIENCE_S)
    may.set()
    assert [tap.result(PATIENCE_S).version for tap in taps] == [1, 1, 1]


def test_the_record_is_read_while_something_is_being_written(tables, threads):
    code = tables.create("apprentis", ("Ana", "Ben"), {"mode": "score"})
    store = tables.store
    with store._writing() as db:
        db.execute("UPDATE games SET listed = 0 WHERE code = ?", (code,))
        assert threads.submit(store.game, code).result(PATIENCE_S).listed
    assert not store.game(code).listed
