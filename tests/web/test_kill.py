"""Pulling the plug: whatever a phone was told is recorded is there afterwards, once."""

import http.client
import os
import random
import sqlite3
import threading
import time
import urllib.error
from contextlib import closing
from functools import partial
from itertools import cycle

from companion.backups import FILE_NAME
from tests.running import HttpPhone, Server

KILLS = int(os.environ.get("KILLS", "12"))
ACTIONS = max(200, 10 * KILLS)

BROKEN = (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError)


GAME_LENGTH = 40  # then the next game, of another kind

QUESTS = [{"gems": {"clear": 1, "blue": 3, "pink": 2}}, {"gems": {"clear": 2, "blue": 1, "pink": 3}}]
TILES = [{"id": "torch", "en": "Torch", "fr": "Torche", "hp": hp} for hp in (0, 1)]
# Of every game, two events that can follow each other for ever.
ENDLESS = {
    "apprentis": ({"type": "group_removed", "player": 0, "room": 1}, {"type": "group_entered", "player": 0}),
    "welcome": tuple({"type": "tile_written", "tile": tile} for tile in TILES),
    "guilds": tuple({"type": "money_written", "player": 0, "amount": amount} for amount in (1, -1)),
    "dungeon-drop": tuple({"type": "quest_written", "player": 0, "quest": quest} for quest in QUESTS),
    "welcome-back": tuple({"type": "tile_written", "tile": tile} for tile in TILES),
}


def test_kill_minus_nine_loses_nothing_acknowledged_and_applies_nothing_twice(tmp_path):
    rng = random.Random(7)
    server = Server(tmp_path / "data").start()
    phone = HttpPhone(server)
    kills = total = 0
    for game in cycle(ENDLESS):
        if kills >= KILLS and total >= ACTIONS:
            break
        code, acknowledged = phone.create("Ana", "Ben", "Caro", game=game), []
        # What a new table begins with, from earlier ones, was not tapped.
        start = len(recorded(tmp_path / "data", code))
        while len(acknowledged) < GAME_LENGTH and (kills < KILLS or total < ACTIONS):
            tap = partial(act, phone, code, ENDLESS[game], start, acknowledged)
            done = act_until_killed(server, tap, acknowledged, after_s=rng.uniform(0.0, 0.25))
            kills += 1
            server.start()

            # The phone does not know whether its last tap arrived: it sends it again.
            total += done + 1
            tap()
            assert recorded(tmp_path / "data", code)[start:] == acknowledged
    assert server.stop() == 0
    print(f"{kills} kills, {total} acknowledged actions, {kills} sent again, none lost, none twice")


def recorded(folder, code):
    """Return the ids of all actions of a game as they are on the disk."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as db:
        return [
            row[0] for row in db.execute("SELECT action FROM events WHERE game = ? ORDER BY seq", (code,))
        ]


def act(phone, code, events, start, acknowledged):
    number = len(acknowledged)
    answer = phone.act(code, events[number % 2], seen=start + number, tap=f"tap-{number}")
    assert answer["ok"], answer
    acknowledged.append(f"tap-{number}")
    assert answer["version"] == start + len(acknowledged)


def act_until_killed(server, tap, acknowledged, *, after_s):
    before = len(acknowledged)
    killer = threading.Timer(after_s, server.kill)
    killer.start()
    while True:
        try:
            tap()
        except BROKEN:
            killer.join()
            return len(acknowledged) - before


def test_a_restarted_server_knows_the_phones_their_seats_and_the_game(tmp_path):
    server = Server(tmp_path / "data").start()
    phone = HttpPhone(server)
    code = phone.create("Ana", "Ben")
    phone.act(code, {"type": "group_entered", "player": 0}, seen=0, tap="one")

    server.kill()
    start = time.monotonic()
    server.start()
    startup = time.monotonic() - start

    answer = phone.act(code, {"type": "group_entered", "player": 0}, seen=1, tap="two")
    assert answer["version"] == 2
    assert startup < 5
    server.stop()


def test_stopping_with_an_open_stream_is_quick_and_clean(tmp_path):
    server = Server(tmp_path / "data").start()
    phone = HttpPhone(server)
    code = phone.create("Ana", "Ben")
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", f"/t/{code}/live")
    stream = connection.getresponse()
    assert stream.status == 200

    start = time.monotonic()
    status = server.stop()

    assert status == 0
    assert time.monotonic() - start < 5
    connection.close()
