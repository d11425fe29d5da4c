"""``dungeon backup`` and ``restore``, and the copies a server makes by itself."""

import re
import sqlite3
import time
from datetime import date

import pytest

from companion.backups import FILE_NAME, FOLDER, contents_of, daily_copies
from companion.logfile import read_log
from companion.store import Store
from companion.tables import Tables
from tests.companion.test_backups import codes, play, spoil
from tests.companion.test_logfile import GAMES
from tests.running import HttpPhone, Server
from tests.web.test_commands import error_of, run
from web.daily_copies import DailyCopies

MANY = 1000
# What a thousand games may add to the start of a server; reading their file takes 20 ms.
LONGEST_MORE_S = 0.5


def test_the_copy_of_today_is_made_and_listed(tmp_path):
    play(tmp_path)

    made = run("backup", "--data", tmp_path)
    listed = run("backup", "--list", "--data", tmp_path)

    assert made.exit_code == 0
    assert f"companion-{date.today()}.sqlite3" in made.stdout
    assert "1 games, 3 taps, the last tap 20" in made.stdout
    assert listed.stdout == made.stdout


def test_a_copy_goes_where_it_is_wanted_but_over_no_other_file(tmp_path):
    play(tmp_path / "data")
    target = tmp_path / "stick" / "games.sqlite3"

    assert run("backup", target, "--data", tmp_path / "data").exit_code == 0
    assert contents_of(target).games == 1
    assert "this file exists" in error_of(run("backup", target, "--data", tmp_path / "data"))


def test_without_games_there_is_nothing_to_copy_or_to_put_back(tmp_path):
    assert "no file companion.sqlite3 there" in error_of(run("backup", "--data", tmp_path))
    assert "there is no copy in" in error_of(run("restore", "--yes", "--data", tmp_path))
    assert run("backup", "--list", "--data", tmp_path).stderr == "No copies yet.\n"


def test_the_newest_copy_is_put_back_after_a_question(tmp_path):
    first = play(tmp_path)
    run("backup", "--data", tmp_path)
    second = play(tmp_path)

    refused = run("restore", "--data", tmp_path, input="n\n")
    assert refused.exit_code == 130
    assert codes(tmp_path) == {first, second}
    restored = run("restore", "--data", tmp_path, input="y\n")
    assert restored.exit_code == 0
    assert "Put back: 1 games, 3 taps" in restored.stdout
    assert codes(tmp_path) == {first}
    kept = re.search(r"is kept as (.*)\.$", restored.stdout, re.MULTILINE)[1]
    assert contents_of(tmp_path / FOLDER / kept.rsplit("/", 1)[-1]).games == 2


def test_a_broken_copy_is_one_line(tmp_path):
    play(tmp_path)
    (tmp_path / "broken").write_text("no")

    line = error_of(run("restore", tmp_path / "broken", "--yes", "--data", tmp_path))
    assert "cannot be opened" in line and len(codes(tmp_path)) == 1


# A running server


def test_a_server_copies_what_was_played_and_its_record_cannot_be_replaced_meanwhile(tmp_path):
    server = Server(tmp_path / "data").start()
    phone = HttpPhone(server)
    code = phone.create("Ana", "Ben")
    phone.act(code, {"type": "group_entered", "player": 0}, seen=0, tap="one")
    run("backup", tmp_path / "copy.sqlite3", "--data", tmp_path / "data")

    refused = run("restore", tmp_path / "copy.sqlite3", "--yes", "--data", tmp_path / "data")
    assert error_of(refused) == "A companion is using this record: stop it first."
    assert server.stop() == 0
    (copy,) = daily_copies(tmp_path / "data")
    assert contents_of(copy).events == 1
    assert run("restore", "--yes", "--data", tmp_path / "data").exit_code == 0


def test_a_copy_is_made_again_and_again_and_trouble_does_not_stop_it(tmp_path, caplog):
    copies = DailyCopies(tmp_path, every_s=0.02)  # there is no record yet
    end = time.monotonic() + 5
    while "no copy of today's games" not in caplog.text and time.monotonic() < end:
        time.sleep(0.02)
    play(tmp_path)
    while not daily_copies(tmp_path) and time.monotonic() < end:
        time.sleep(0.02)
    copies.close()

    assert "no copy of today's games" in caplog.text
    assert contents_of(daily_copies(tmp_path)[0]).games == 1


@pytest.mark.parametrize("wrong", ["damaged", "newer", "foreign"])
def test_a_server_refuses_a_record_it_cannot_trust_with_one_line_and_leaves_it(tmp_path, wrong):
    for _ in range(20):
        play(tmp_path)
    record = tmp_path / FILE_NAME
    if wrong == "damaged":
        spoil(record)
    else:
        with sqlite3.connect(record) as db:
            db.execute("PRAGMA user_version = 99" if wrong == "newer" else "PRAGMA application_id = 1")
        db.close()
    before = record.read_bytes()

    line = error_of(run("serve", "--data", tmp_path))

    assert {
        "damaged": "cannot be opened",
        "newer": "was written by a newer companion",
        "foreign": "does not belong to the companion",
    }[wrong] in line
    assert record.read_bytes() == before


@pytest.mark.alone
def test_a_thousand_games_do_not_slow_the_start(tmp_path):
    store = Store(tmp_path / "data")
    tables = Tables(store)
    logs = [read_log(path.read_text("utf-8").splitlines()) for path in GAMES]
    for number in range(MANY):
        tables.adopt(*logs[number % len(logs)])
    store.close()

    many, none = (min(start_of(tmp_path / name) for _ in range(2)) for name in ("data", "empty"))

    assert many < none + LONGEST_MORE_S


def start_of(folder):
    """Return how long a server takes until it can be used, in seconds."""
    start = time.monotonic()
    server = Server(folder).start()
    taken = time.monotonic() - start
    assert server.get("/")
    server.kill()
    return taken
