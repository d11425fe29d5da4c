"""The one SQLite file: what was acknowledged stays, what is not ours is left alone."""

import os
import sqlite3
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import CompanionError, StaleVersion, StoreTrouble, UnknownGame
from companion.results import PlayerResult, Result
from companion.schema import APPLICATION_ID, MIGRATIONS, VERSION, check_ownership
from companion.store import FILE_NAME, Store
from tests.companion.builders import WHEN, a_row, an_entry, at_once

RESULT = Result("apprentis", "Donjon", WHEN, 42, True, (PlayerResult("Zoë", 39, 1, True, "", True),))


# Games and events


def test_a_game_is_found_as_it_was_written(store):
    store.add_game(a_row(host="phone", result=RESULT))

    row = store.game("abc")

    assert row == a_row(host="phone", result=RESULT, options={"mode": "full", "piles": [0, 2, 2, 2, 2]})


def test_what_was_appended_is_there_after_reopening(open_store):
    first = open_store()
    first.add_game(a_row())
    first.append("abc", an_entry(1, type="turn_ended", player=1), None)
    first.append("abc", an_entry(2, at="2026-01-31T21:00:00+00:00", type="é", value=[1, None]), RESULT)
    first.close()

    again = open_store()

    assert list(again.entries("abc")) == [
        an_entry(1, type="turn_ended", player=1),
        an_entry(2, at="2026-01-31T21:00:00+00:00", type="é", value=[1, None]),
    ]
    assert again.game("abc").touched == "2026-01-31T21:00:00+00:00"
    assert again.game("abc").result == RESULT


def test_what_was_appended_is_there_although_the_file_was_never_closed(open_store):
    writer = open_store()
    writer.add_game(a_row())
    writer.append("abc", an_entry(), None)

    assert list(open_store().entries("abc")) == [an_entry()]


def test_an_imported_log_is_written_with_its_game(store):
    store.add_game(a_row(), (an_entry(1), an_entry(2)))

    assert [kept.seq for kept in store.entries("abc")] == [1, 2]


def test_an_imported_log_is_written_completely_or_not_at_all(store):
    with pytest.raises((CompanionError, sqlite3.IntegrityError)):
        store.add_game(a_row(), (an_entry(1), an_entry(1, action="other")))

    with pytest.raises(UnknownGame):
        store.game("abc")


def test_entries_belong_to_their_game(store):
    for code in ("abc", "xyz"):
        store.add_game(a_row(code))
        store.append(code, an_entry(1, type=code), None)

    assert [kept.body["type"] for kept in store.entries("xyz")] == ["xyz"]


def test_entries_come_in_order_of_their_number(store):
    store.add_game(a_row(), tuple(an_entry(seq) for seq in (10, 9, 2, 1)))

    assert [kept.seq for kept in store.entries("abc")] == [1, 2, 9, 10]


@pytest.mark.parametrize("code", ["", "abd", "ABC", "abc' OR '1'='1"])
def test_an_unknown_code_opens_nothing(store, code):
    store.add_game(a_row())

    with pytest.raises(UnknownGame, match="There is no such table"):
        store.game(code)


# Two at once


@pytest.mark.parametrize(
    "late",
    [
        pytest.param(an_entry(1, action="other"), id="same place in the log"),
        pytest.param(an_entry(2, action="tap-1"), id="same action"),
    ],
)
def test_a_second_process_cannot_take_the_same_place(open_store, late):
    one, other = open_store(), open_store()
    one.add_game(a_row())
    one.append("abc", an_entry(1), None)

    with pytest.raises(StaleVersion, match="The table has changed in the meantime"):
        other.append("abc", replace(late, at="2030-01-01T00:00:00+00:00"), RESULT)

    assert list(other.entries("abc")) == [an_entry(1)]
    assert (other.game("abc").touched, other.game("abc").result) == (WHEN, None)


def test_of_two_processes_writing_at_the_same_moment_one_wins(open_store):
    one, other = open_store(), open_store()
    one.add_game(a_row())

    for seq in range(1, 31):
        answers = at_once(
            lambda seq=seq: one.append("abc", an_entry(seq, action=f"one-{seq}"), None),
            lambda seq=seq: other.append("abc", an_entry(seq, action=f"other-{seq}"), None),
        )
        assert sorted(type(answer).__name__ for answer in answers) == ["NoneType", "StaleVersion"]

    assert [kept.seq for kept in one.entries("abc")] == list(range(1, 31))


def test_a_refused_entry_does_not_block_the_next_one(open_store):
    one, other = open_store(), open_store()
    one.add_game(a_row())
    one.append("abc", an_entry(1), None)
    with pytest.raises(StaleVersion):
        other.append("abc", an_entry(1, action="other"), None)

    other.append("abc", an_entry(2), None)
    one.append("abc", an_entry(3), None)

    assert [kept.seq for kept in one.entries("abc")] == [1, 2, 3]


# The start page


def test_a_phone_finds_listed_games_its_own_and_those_it_visited(store):
    for code, host, listed in (("open", None, True), ("mine", "ana", False), ("hidden", "ben", False)):
        store.add_game(a_row(code, host=host, listed=listed))
    store.add_game(a_row("visited", host="ben", listed=False))
    store.note_visit("visited", "ana")
    store.note_visit("visited", "ana")

    assert {row.code for row in store.games_for("ana")} == {"open", "mine", "visited"}
    assert {row.code for row in store.games_for("cleo")} == {"open"}
    assert {row.code for row in store.games_for(None)} == {"open", "mine", "hidden", "visited"}


def test_games_are_listed_newest_first(store):
    for code, hour in (("b", 9), ("a", 9), ("c", 11)):
        store.add_game(a_row(code, touched=f"2026-01-31T{hour:02}:00:00+00:00"))
    store.append("b", an_entry(at="2026-01-31T12:00:00+00:00"), None)

    assert [row.code for row in store.games_for(None)] == ["b", "c", "a"]


def test_a_deleted_game_is_hidden_and_can_be_restored(store):
    store.add_game(a_row(), (an_entry(1),))

    store.set_deleted("abc", WHEN)

    assert store.games_for(None) == []
    assert store.deleted_game("abc").deleted == WHEN
    with pytest.raises(UnknownGame):
        store.game("abc")

    store.set_deleted("abc", None)

    assert store.game("abc").deleted is None
    assert list(store.entries("abc")) == [an_entry(1)]
    with pytest.raises(UnknownGame):
        store.deleted_game("abc")


# Seats


def test_a_seat_is_taken_once(store):
    store.add_game(a_row())

    assert store.take_seat("abc", 0, "ana")
    assert not store.take_seat("abc", 0, "ben")
    assert store.take_seat("abc", 1, "ben")
    assert store.seats("abc") == {0: "ana", 1: "ben"}


def test_taking_the_own_seat_again_changes_nothing(store):
    store.add_game(a_row())
    store.take_seat("abc", 0, "ana")

    assert store.take_seat("abc", 0, "ana")
    assert store.game("abc").seating == 1


def test_a_freed_seat_can_be_taken_by_another_phone(store):
    store.add_game(a_row())
    store.take_seat("abc", 0, "ana")

    store.free_seat("abc", 0)

    assert store.seats("abc") == {}
    assert store.take_seat("abc", 0, "ben")


def test_every_change_of_seats_is_noticed(store):
    store.add_game(a_row())

    seen = [store.game("abc").seating]
    for change in (
        lambda: store.take_seat("abc", 0, "ana"),
        lambda: store.take_seat("abc", 0, "ben"),
        lambda: store.free_seat("abc", 0),
        lambda: store.free_seat("abc", 0),
        lambda: store.take_seat("abc", 1, "ben"),
    ):
        change()
        seen.append(store.game("abc").seating)

    assert seen == [0, 1, 1, 2, 2, 3]


def test_many_phones_reaching_for_one_seat(open_store):
    stores = [open_store(), open_store()]
    stores[0].add_game(a_row())

    for seat in range(10):
        answers = at_once(
            *(
                lambda phone=phone, seat=seat: stores[phone % 2].take_seat("abc", seat, f"phone-{phone}")
                for phone in range(4)
            )
        )
        assert sorted(answers) == [False, False, False, True]
        assert stores[1].seats("abc")[seat] == f"phone-{answers.index(True)}"


# Opening the file


def read_all(path):
    """Return everything a database holds, as SQL."""
    db = sqlite3.connect(path)
    try:
        return list(db.iterdump()), db.execute("PRAGMA user_version").fetchone()
    finally:
        db.close()


def foreign_file(folder):
    db = sqlite3.connect(folder / FILE_NAME)
    db.executescript("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup');")
    db.close()


def newer_file(folder):
    Store(folder).close()
    db = sqlite3.connect(folder / FILE_NAME)
    db.executescript(f"CREATE TABLE dice (eyes INTEGER); PRAGMA user_version = {VERSION + 1};")
    db.close()


def text_file(folder):
    (folder / FILE_NAME).write_bytes(b"My shopping list: eggs, milk, dragons.\n" * 200)


FOREIGN = pytest.param(foreign_file, "This database file does not belong to the companion.", id="foreign")
NEWER = pytest.param(newer_file, "This database file was written by a newer companion.", id="newer")
NO_DATABASE = pytest.param(text_file, "file is not a database", id="not a database")


@pytest.mark.parametrize(("make", "message"), [FOREIGN, NEWER, NO_DATABASE])
def test_a_file_that_is_not_ours_is_refused_and_left_byte_for_byte(tmp_path, make, message):
    make(tmp_path)
    before = (tmp_path / FILE_NAME).read_bytes()

    with pytest.raises(StoreTrouble) as caught:
        Store(tmp_path)

    assert message in str(caught.value)
    assert (tmp_path / FILE_NAME).read_bytes() == before


@pytest.mark.parametrize(("make", "message"), [FOREIGN, NEWER])
def test_the_tables_of_another_program_are_untouched(tmp_path, make, message):
    make(tmp_path)
    before = read_all(tmp_path / FILE_NAME)

    with pytest.raises(StoreTrouble, match=message):
        Store(tmp_path)

    assert read_all(tmp_path / FILE_NAME) == before


def open_files():
    """Return the files this process holds open."""
    found = []
    for link in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the listing itself is open only while it is made
            found.append(Path(os.readlink(link)))
    return found


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs a list of the open files")
@pytest.mark.parametrize(("make", "message"), [FOREIGN, NEWER, NO_DATABASE])
def test_a_file_that_is_not_ours_is_let_go(tmp_path, make, message):
    """An open connection blocks the file on Windows and is a warning on newer Pythons."""
    make(tmp_path)

    with pytest.raises(StoreTrouble) as caught:
        Store(tmp_path)

    assert message in str(caught.value)
    assert [path for path in open_files() if path.parent == tmp_path] == []


def test_an_empty_file_becomes_a_current_one(tmp_path, open_store):
    (tmp_path / FILE_NAME).touch()

    store = open_store()
    store.add_game(a_row())

    db = sqlite3.connect(tmp_path / FILE_NAME)
    assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    db.close()
    assert VERSION == len(MIGRATIONS) >= 1


def test_the_mark_of_our_files_never_changes():
    """Another mark would turn every record people have into somebody else's file."""
    assert APPLICATION_ID.to_bytes(4) == b"DuCo"


def test_a_missing_folder_is_made(tmp_path, open_store):
    store = open_store(tmp_path / "data" / "companion")

    store.add_game(a_row())

    assert (tmp_path / "data" / "companion" / FILE_NAME).exists()


def test_a_commit_is_forced_to_the_disk(store):
    """Only FULL (2) in WAL mode survives a power cut after the answer was sent."""
    assert store._db.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert store._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_processes_may_start_on_an_empty_folder_at_once(tmp_path):
    def start(folder):
        try:
            Store(folder).close()
        except StoreTrouble as error:
            return str(error)

    for number in range(8):
        troubles = at_once(*[lambda folder=tmp_path / str(number): start(folder)] * 3)

        assert troubles == [None, None, None]


def test_a_file_that_another_process_makes_while_we_look_is_not_foreign(tmp_path):
    looking = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    looking.execute("PRAGMA journal_mode = WAL")
    made = []

    def make_it_meanwhile(statement):
        if "sqlite_master" in statement and not made:
            made.append(True)
            Store(tmp_path).close()

    looking.set_trace_callback(make_it_meanwhile)
    try:
        assert check_ownership(looking) in (0, VERSION)
    finally:
        looking.close()

    assert made


def test_a_process_that_starts_while_another_makes_the_tables_waits_for_it(tmp_path):
    maker = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None, check_same_thread=False)
    maker.execute("PRAGMA journal_mode = WAL")
    maker.executescript(
        f"BEGIN IMMEDIATE; {';'.join(statement for step in MIGRATIONS for statement in step)};"
        f"PRAGMA user_version = {VERSION}; PRAGMA application_id = {APPLICATION_ID};"
    )
    finish = threading.Timer(0.3, lambda: maker.execute("COMMIT"))
    finish.start()

    try:
        Store(tmp_path).close()
    finally:
        finish.join()
        maker.close()


# A disk that fails


def test_a_data_path_that_is_a_file_is_trouble_in_words(tmp_path):
    (tmp_path / "data").write_text("not a folder")

    with pytest.raises(StoreTrouble, match=r"The record .*companion\.sqlite3 cannot be opened"):
        Store(tmp_path / "data")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not stop root")
def test_a_read_only_folder_is_trouble_in_words(tmp_path):
    tmp_path.chmod(0o500)

    try:
        with pytest.raises(StoreTrouble, match="cannot be opened"):
            Store(tmp_path)
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder in which not even root can write")
@pytest.mark.parametrize("folder", ["/proc/self", "/proc/nowhere/data"])
def test_a_folder_in_which_nobody_can_write_is_trouble_in_words(folder):
    with pytest.raises(StoreTrouble, match="cannot be opened"):
        Store(Path(folder))


def test_a_disk_that_is_full_refuses_the_entry_and_keeps_the_rest(store):
    store.add_game(a_row())
    store.append("abc", an_entry(1), None)
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    fat = an_entry(2, type="x" * 100_000)

    with pytest.raises(StoreTrouble) as caught:
        store.append("abc", fat, RESULT)

    assert (
        str(caught.value) == "This could not be written down (database or disk is full). Nothing was changed."
    )
    assert list(store.entries("abc")) == [an_entry(1)]
    assert store.game("abc").result is None

    store._db.execute("PRAGMA max_page_count = 1000000")
    store.append("abc", fat, RESULT)

    assert store.game("abc").result == RESULT


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_log_the_system_refuses_to_let_grow_is_trouble_and_passes(tmp_path, store):
    import resource

    store.add_game(a_row())
    store.append("abc", an_entry(1), None)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # Python ignores the signal, so that writing further fails like on a broken disk.
    resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / f"{FILE_NAME}-wal").stat().st_size, hard))
    try:
        with pytest.raises(StoreTrouble, match="Nothing was changed"):
            store.append("abc", an_entry(2), None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    store.append("abc", an_entry(2), None)

    assert [kept.seq for kept in store.entries("abc")] == [1, 2]


def test_a_closed_record_is_trouble_in_words(open_store):
    store = open_store()
    store.add_game(a_row())
    store.close()

    with pytest.raises(StoreTrouble):
        store.game("abc")
    with pytest.raises(StoreTrouble):
        store.append("abc", an_entry(), None)


def test_a_record_that_another_program_holds_locked_is_trouble_after_a_while(tmp_path, store):
    store.add_game(a_row())
    store._db.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreTrouble, match="database is locked"):
        store.append("abc", an_entry(), None)

    other.execute("ROLLBACK")
    other.close()
    store.append("abc", an_entry(), None)
    assert list(store.entries("abc")) == [an_entry()]
