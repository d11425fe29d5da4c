"""Pulling the plug: whatever a phone was told is recorded is there afterwards, once."""

import http.client
import os
import random
import threading
import time
import urllib.error

from tests.running import HttpPhone, Server

KILLS = int(os.environ.get("KILLS", "20"))
ACTIONS = max(200, 10 * KILLS)

BROKEN = (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError)


GAME_LENGTH = 1000  # then the next game: a log does not grow for ever


def test_kill_minus_nine_loses_nothing_acknowledged_and_applies_nothing_twice(tmp_path):
    rng = random.Random(7)
    server = Server(tmp_path / "data").start()
    phone = HttpPhone(server)
    kills = total = 0
    while kills < KILLS or total < ACTIONS:
        code, acknowledged = phone.create("Ana", "Ben"), []
        while len(acknowledged) < GAME_LENGTH and (kills < KILLS or total < ACTIONS):
            done = act_until_killed(server, phone, code, acknowledged, after_s=rng.uniform(0.0, 0.25))
            kills += 1
            server.start()

            # The phone does not know whether its last tap arrived: it sends it again.
            total += done + 1
            act(phone, code, acknowledged)
            assert [entry["action"] for entry in phone.log(code)] == acknowledged
    assert server.stop() == 0
    print(f"{kills} kills, {total} acknowledged actions, {kills} sent again, none lost, none twice")


def act(phone, code, acknowledged):
    number = len(acknowledged)
    event = {"type": "group_entered", "player": 0}
    if number % 2 == 0:
        event = {"type": "group_removed", "player": 0, "room": 1}
    answer = phone.act(code, event, seen=number, tap=f"tap-{number}")
    assert answer["ok"], answer
    acknowledged.append(f"tap-{number}")
    assert answer["version"] == len(acknowledged)


def act_until_killed(server, phone, code, acknowledged, *, after_s):
    before = len(acknowledged)
    killer = threading.Timer(after_s, server.kill)
    killer.start()
    while True:
        try:
            act(phone, code, acknowledged)
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
