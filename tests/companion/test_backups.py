"""Copies of the record: complete or not there, made while games go on, put back without losing what was."""

import os
import sqlite3
import subprocess
import sys
import threading
from datetime import date, timedelta

import pytest

from companion import backups
from companion.backups import (
    FILE_NAME,
    FOLDER,
    KEPT,
    back_up,
    back_up_today,
    contents_of,
    daily_copies,
    restore,
)
from companion.errors import BadData, StoreTrouble
from companion.in_use import alone, in_use
from companion.store import Store
from companion.tables import Tables

ENTERED = {"type": "group_entered", "player": 0}
TODAY = date(2026, 11, 16)


def play(folder, taps=3):
    """Play a new game in a record; return its code."""
    store = Store(folder)
    tables = Tables(store)
    code = tables.create("apprentis", ("Ana", "Ben"), {})
    for number in range(taps):
        tables.act(code, 0, ENTERED, seen=number, action=f"tap-{number}")
    store.close()
    return code


def codes(folder):
    store = Store(folder)
    found = {row.code for row in store.games_for(None)}
    store.close()
    return found


def spoil(path):
    """Overwrite the middle of a file, as a failing card does."""
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[4096 : middle + 4096] = os.urandom(middle)
    path.write_bytes(bytes(data))


def test_a_copy_holds_what_the_record_holds(tmp_path):
    code = play(tmp_path)

    contents = back_up(tmp_path / FILE_NAME, tmp_path / "copy.sqlite3")

    assert (contents.games, contents.events) == (1, 3)
    (tmp_path / "other").mkdir()
    (tmp_path / "copy.sqlite3").rename(tmp_path / "other" / FILE_NAME)
    assert codes(tmp_path / "other") == {code}


def test_a_copy_that_is_made_while_somebody_plays_is_whole(tmp_path):
    store = Store(tmp_path)
    tables = Tables(store)
    code = tables.create("apprentis", ("Ana", "Ben"), {})
    done = threading.Event()

    def tap_on():
        number = 0
        while not done.is_set() and number < 500:
            tables.act(
                code,
                0,
                ENTERED if number % 2 == 0 else {"type": "group_removed", "player": 0, "room": 1},
                seen=number,
                action=f"tap-{number}",
            )
            number += 1

    playing = threading.Thread(target=tap_on)
    playing.start()
    counts = []
    for number in range(8):
        back_up(store.path, tmp_path / f"{number}.sqlite3")
        with sqlite3.connect(tmp_path / f"{number}.sqlite3") as copy:
            seqs = [row[0] for row in copy.execute("SELECT seq FROM events ORDER BY seq")]
        copy.close()
        assert seqs == list(range(1, len(seqs) + 1))
        counts.append(len(seqs))
    done.set()
    playing.join()
    store.close()
    assert counts == sorted(counts) and counts[-1] > 0


def test_each_day_of_play_has_one_copy_and_a_day_without_play_none(tmp_path):
    assert back_up_today_of(tmp_path, 0) is None  # nothing was ever played
    play(tmp_path)
    assert back_up_today_of(tmp_path, 0) is not None
    assert back_up_today_of(tmp_path, 0) is None  # nothing new
    assert back_up_today_of(tmp_path, 1) is None
    play(tmp_path)
    assert back_up_today_of(tmp_path, 2) is not None
    play(tmp_path)
    assert back_up_today_of(tmp_path, 2) is not None  # the same day again: renewed

    assert [copy.name for copy in daily_copies(tmp_path)] == [
        "companion-2026-11-18.sqlite3",
        "companion-2026-11-16.sqlite3",
    ]
    assert contents_of(daily_copies(tmp_path)[0]).games == 3


def back_up_today_of(folder, days):
    if not (folder / FILE_NAME).exists():
        Store(folder).close()
    return back_up_today(folder, TODAY + timedelta(days=days))


def test_a_month_of_copies_is_kept_and_nothing_else_is_touched(tmp_path):
    play(tmp_path)
    own = tmp_path / FOLDER / "before the party.sqlite3"
    own.parent.mkdir()
    own.write_text("mine")
    for day in range(KEPT + 4):
        play(tmp_path, taps=0)
        back_up_today_of(tmp_path, day)

    kept = daily_copies(tmp_path)
    assert len(kept) == KEPT
    assert kept[-1].name == f"companion-{TODAY + timedelta(days=4)}.sqlite3"
    assert own.read_text() == "mine"


def test_a_damaged_copy_does_not_keep_a_new_one_from_being_made(tmp_path):
    play(tmp_path)
    copy = back_up_today_of(tmp_path, 0)
    copy.write_bytes(b"SQLite format 3\0 and then nothing")

    assert back_up_today_of(tmp_path, 0) == copy
    assert contents_of(copy).games == 1


def test_a_disk_that_is_full_leaves_the_old_copy_and_no_half_one(tmp_path, monkeypatch):
    play(tmp_path)
    copy = back_up_today_of(tmp_path, 0)
    before = copy.read_bytes()
    play(tmp_path)

    def full(path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups, "_force_to_disk", full)
    with pytest.raises(StoreTrouble, match="No space left"):
        back_up_today_of(tmp_path, 0)
    assert copy.read_bytes() == before


# Putting back


def test_a_copy_is_put_back_and_what_was_there_is_kept(tmp_path):
    first = play(tmp_path)
    copy = back_up_today_of(tmp_path, 0)
    second = play(tmp_path)

    contents, kept = restore(tmp_path, copy)

    assert contents.games == 1
    assert codes(tmp_path) == {first}
    (tmp_path / "old").mkdir()
    kept.rename(tmp_path / "old" / FILE_NAME)
    assert codes(tmp_path / "old") == {first, second}


def test_what_was_not_yet_moved_into_the_file_is_kept_too(tmp_path):
    play(tmp_path)
    copy = back_up_today_of(tmp_path, 0)
    script = (
        "import sys, os; from pathlib import Path; from tests.companion.test_backups import ENTERED\n"
        "from companion.store import Store; from companion.tables import Tables\n"
        "tables = Tables(Store(Path(sys.argv[1]))); print(tables.create('apprentis', ('Ana', 'Ben'), {}))\n"
        "sys.stdout.flush(); os._exit(9)"
    )
    killed = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, timeout=60
    )
    assert (tmp_path / f"{FILE_NAME}-wal").exists()

    _, kept = restore(tmp_path, copy)

    (tmp_path / "old").mkdir()
    for ending in ("", "-wal", "-shm"):
        kept.with_name(kept.name + ending).rename(tmp_path / "old" / (FILE_NAME + ending))
    assert killed.stdout.strip() in codes(tmp_path / "old")


@pytest.mark.parametrize("wrong", ["missing", "text", "damaged", "foreign"])
def test_what_is_no_whole_copy_is_refused_and_nothing_is_changed(tmp_path, wrong):
    code = play(tmp_path)
    copy = tmp_path / "copy.sqlite3"
    if wrong == "text":
        copy.write_text("games")
    elif wrong == "damaged":
        for _ in range(30):
            play(tmp_path)
        back_up(tmp_path / FILE_NAME, copy)
        spoil(copy)
    elif wrong == "foreign":
        with sqlite3.connect(copy) as db:
            db.execute("CREATE TABLE recipes (name)")
        db.close()
    before = codes(tmp_path)

    with pytest.raises(StoreTrouble):
        restore(tmp_path, copy)

    assert codes(tmp_path) == before and code in before


def test_nothing_is_put_back_while_a_companion_runs(tmp_path):
    play(tmp_path)
    copy = back_up_today_of(tmp_path, 0)

    with in_use(tmp_path), in_use(tmp_path), pytest.raises(BadData, match="stop it first"):
        restore(tmp_path, copy)
    restore(tmp_path, copy)


def test_the_mark_of_a_killed_companion_is_gone(tmp_path):
    script = (
        "import sys, os; from pathlib import Path; from companion.in_use import in_use\n"
        "mark = in_use(Path(sys.argv[1])); mark.__enter__(); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", script, str(tmp_path)], timeout=60).returncode == 9

    with alone(tmp_path):
        pass


# A damaged record


def test_a_damaged_record_is_named_with_the_newest_copy_and_left_as_it_is(tmp_path):
    for _ in range(30):
        play(tmp_path)
    copy = back_up_today_of(tmp_path, 0)
    spoil(tmp_path / FILE_NAME)
    damaged = (tmp_path / FILE_NAME).read_bytes()

    with pytest.raises(StoreTrouble) as caught:
        Store(tmp_path)

    assert str(copy) in str(caught.value)
    assert "dungeon restore" in str(caught.value)
    assert (tmp_path / FILE_NAME).read_bytes() == damaged
    restore(tmp_path, copy)
    assert len(codes(tmp_path)) == 30


def test_a_damaged_record_without_a_copy_is_named_and_left_as_it_is(tmp_path):
    for _ in range(30):
        play(tmp_path)
    spoil(tmp_path / FILE_NAME)

    with pytest.raises(StoreTrouble, match="cannot be opened") as caught:
        Store(tmp_path)
    assert "copy" not in str(caught.value)
    assert [path.name for path in tmp_path.glob("*.sqlite3")] == [FILE_NAME]


def test_a_record_that_another_program_holds_locked_is_not_copied_and_nobody_waits_for_ever(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(backups, "PATIENCE_S", 0.5)
    play(tmp_path)
    back_up_today_of(tmp_path, 0)
    holder = sqlite3.connect(tmp_path / FILE_NAME)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")

    with pytest.raises(StoreTrouble, match="locked"):
        back_up(tmp_path / FILE_NAME, tmp_path / "copy.sqlite3")
    holder.close()
