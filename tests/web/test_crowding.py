"""Slow and very many connections from one address: everybody else goes on playing."""

import socket
import time

import pytest

from tests.running import HttpPhone, Server
from web.crowding import MOST_AT_ONCE, Places

STRANGER = "127.0.0.2"
# More than the server has threads.
CROWD = 300


@pytest.fixture
def server(tmp_path):
    running = Server(tmp_path / "data").start()
    yield running
    running.kill()


def connect(server, count):
    """Open connections from another address that begin a request and never end it."""
    found = []
    for _ in range(count):
        try:
            line = socket.create_connection(
                ("127.0.0.1", server.port), timeout=5, source_address=(STRANGER, 0)
            )
        except OSError:
            pytest.skip("this system has no second address of its own")
        line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        found.append(line)
    return found


def is_closed(line):
    line.setblocking(False)
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_hundreds_of_slow_requests_of_one_address_do_not_stop_the_others(server):
    phone = HttpPhone(server)
    code = phone.create("Ana", "Ben")
    crowd = connect(server, CROWD)
    time.sleep(0.5)

    taken = []
    for number in range(10):
        start = time.monotonic()
        answer = phone.act(code, {"type": "group_entered", "player": 0}, seen=number, tap=f"tap-{number}")
        taken.append(time.monotonic() - start)
        assert answer["version"] == number + 1
    assert sorted(taken)[5] < 1

    open_lines = sum(not is_closed(line) for line in crowd)
    assert 0 < open_lines <= MOST_AT_ONCE
    for line in crowd:
        line.close()


def test_an_address_that_let_go_is_served_again(server):
    for line in connect(server, MOST_AT_ONCE + 10):
        line.close()
    end = time.monotonic() + 10
    while time.monotonic() < end:
        with socket.create_connection(
            ("127.0.0.1", server.port), timeout=5, source_address=(STRANGER, 0)
        ) as line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            line.settimeout(5)
            if line.recv(12) == b"HTTP/1.1 200":
                return
        time.sleep(0.1)
    raise AssertionError("the address was never served again")


def test_places_are_counted_for_each_address():
    places = Places()
    assert all(places.enter("a") for _ in range(MOST_AT_ONCE))

    assert not places.enter("a")
    assert places.enter("b")
    places.leave("a")
    assert places.enter("a")
    for _ in range(MOST_AT_ONCE):
        places.leave("a")
    places.leave("b")
    assert places._taken == {}
