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


def test_kill_minus_nine_loses_nothing_acknowledged_and_applies_nothing_twice(tmp_path):
    rng = random.Random(7)
    server = Server(tmp_path / "data").start()
    phone = HttpPhone(server)
    code = phone.create("Ana", "Ben")
    acknowledged, resent, kills, number = [], 0, 0, 0
    while kills < KILLS or len(acknowledged) < ACTIONS:
        killer = threading.Timer(rng.uniform(0.0, 0.25), server.kill)
        killer.start()
        while True:
            tap = f"tap-{number}"
            event = {"type": "group_entered" if number % 2 else "group_removed", "player": 0}
            if not number % 2:
                event["room"] = 1
            try:
                answer = phone.act(code, event, seen=len(acknowledged), tap=tap)
            except BROKEN:
                break
            assert answer["ok"], answer
            acknowledged.append(tap)
            assert answer["version"] == len(acknowledged)
            number += 1
        killer.join()
        kills += 1
        server.start()

        # The phone does not know whether its last tap arrived: it sends it again.
        answer = phone.act(code, event, seen=len(acknowledged), tap=tap)
        assert answer["ok"], answer
        resent += 1
        acknowledged.append(tap)
        number += 1
        assert [entry["action"] for entry in phone.log(code)] == acknowledged
    assert server.stop() == 0
    print(f"{kills} kills, {len(acknowledged)} acknowledged actions, {resent} resent, none lost, none twice")


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
