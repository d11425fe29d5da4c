"""Live updates: the stream of stamps, its limits and its end, over real connections where it matters."""

import http.client
import threading
import time

import pytest
from cheroot import wsgi

from tests.web.phone import Phone, group_entered
from web import live

pytestmark = pytest.mark.alone

SOON_S = 1.0


@pytest.fixture
def code(phone):
    code = phone.create()
    phone.sit(code, 0)
    return code


@pytest.fixture
def server(app):
    """The app on a real port."""
    server = wsgi.Server(("127.0.0.1", 0), app, numthreads=8, shutdown_timeout=1)
    server.expiration_interval = 0.05  # stops sooner
    server.prepare()
    thread = threading.Thread(target=server.serve)
    thread.start()
    yield server.bind_addr
    app.extensions["hub"].close()
    server.stop()
    thread.join()


class Listener:
    """A phone that follows a table over a real connection; every read must answer soon."""

    def __init__(self, address, code):
        self.connection = http.client.HTTPConnection(*address, timeout=SOON_S)
        self.connection.request("GET", f"/t/{code}/live")
        self.answer = self.connection.getresponse()

    def next_data(self):
        """Return the next stamp, or None when the stream ends."""
        while line := self.answer.readline():
            if line.startswith(b"data: "):
                return line[6:].decode().strip()
        return None

    def close(self):
        self.answer.close()
        self.connection.close()


@pytest.fixture
def listen(server):
    """Open streams that are closed after the test."""
    opened = []

    def follow(code):
        opened.append(Listener(server, code))
        return opened[-1]

    yield follow
    for listener in opened:
        listener.close()


def stamp(phone, code):
    return phone.get(f"/t/{code}/stamp").json["stamp"]


# What the stream says


def test_the_first_word_of_the_stream_is_the_stamp_of_the_page(phone, code, listen):
    listener = listen(code)

    first = listener.next_data()

    assert listener.answer.status == 200
    assert listener.answer.getheader("Content-Type").startswith("text/event-stream")
    assert listener.answer.getheader("Cache-Control") == "no-store"
    assert first == stamp(phone, code)
    assert f'data-stamp="{first}"' in phone.get(f"/t/{code}/").text


def test_a_tap_on_one_phone_reaches_the_others_within_a_second(app, phone, code, listen):
    other = Phone(app).sit(code, 1)
    listener = listen(code)
    before = listener.next_data()

    start = time.monotonic()
    other.must(code, group_entered(1), seat=1)
    after = listener.next_data()

    assert time.monotonic() - start < SOON_S
    assert after != before
    assert after == stamp(phone, code)


def test_every_phone_at_the_table_hears_of_it(phone, code, listen):
    listeners = [listen(code) for _ in range(3)]
    for listener in listeners:
        listener.next_data()

    phone.must(code, group_entered(0))

    assert {listener.next_data() for listener in listeners} == {stamp(phone, code)}


@pytest.mark.parametrize("change", ["undo", "redo", "rewind", "take", "take-free", "leave"])
def test_whatever_changes_the_page_is_told(app, phone, code, listen, change):
    phone.must(code, group_entered(0), group_entered(0))
    if change == "redo":
        phone.steer(code, "undo", target=2)
    other, listener = Phone(app), listen(code)
    before = listener.next_data()

    match change:
        case "undo":
            phone.steer(code, "undo", target=2)
        case "redo":
            phone.steer(code, "redo", seen=3)
        case "rewind":
            phone.steer(code, "rewind", to=1, seen=2)
        case "take":
            other.sit(code, 1)
        case "take-free":
            other.sit_everywhere(code)
        case "leave":
            phone.post(f"/t/{code}/seats/0/free")

    after = listener.next_data()
    assert after != before
    assert after == stamp(phone, code)


def test_the_stamp_is_the_same_while_nothing_changes(app, phone, code):
    before = stamp(phone, code)

    phone.page(f"/t/{code}/")
    Phone(app).page(f"/t/{code}/?watch=1")
    phone.act(code, {"type": "turn_ended", "player": 1})

    assert stamp(phone, code) == before


def test_other_tables_are_not_woken(app, phone, code):
    elsewhere = phone.create()
    phone.sit(elsewhere, 0)
    hub = app.extensions["hub"]

    phone.must(elsewhere, group_entered(0))

    assert hub.count(code) == 1  # somebody sat down
    assert hub.count(elsewhere) == 2


def test_a_quiet_stream_repeats_the_stamp_so_that_both_sides_know_the_other_is_there(
    phone, code, monkeypatch
):
    monkeypatch.setattr(live, "HEARTBEAT_S", 0.02)

    with phone.get(f"/t/{code}/live") as answer:
        words = iter(answer.response)
        heard = [next(words) for _ in range(4)]

    assert heard[0].startswith(b"retry: ")
    assert heard[1:] == [f"data: {stamp(phone, code)}\n\n".encode()] * 3


def test_a_stream_tells_that_its_table_was_deleted_and_ends(phone, code, listen):
    listener = listen(code)
    listener.next_data()

    phone.post(f"/t/{code}/delete/")

    assert listener.answer.readline() == b"\n"
    assert listener.answer.readline() == b"event: gone\n"
    assert listener.next_data() == "gone"
    assert listener.next_data() is None


def test_a_stream_ends_by_itself_so_that_nothing_is_held_for_ever(phone, code, monkeypatch):
    monkeypatch.setattr(live, "HEARTBEAT_S", 0.01)
    monkeypatch.setattr(live, "STREAM_LIFE_S", 0.05)

    with phone.get(f"/t/{code}/live") as answer:
        words = list(answer.response)

    assert words[1].startswith(b"data: ")
    assert len(words) < 10


@pytest.mark.parametrize("path", ["live", "stamp"])
def test_an_unknown_table_cannot_be_followed(phone, path):
    assert phone.get(f"/t/unknown/{path}").status_code == 404


# Places


@pytest.fixture
def one_place(app):
    app.extensions["hub"].max_streams = 1


def test_when_all_places_are_taken_a_phone_is_sent_to_slow_polling(one_place, phone, code):
    with phone.get(f"/t/{code}/live") as first:
        second = phone.get(f"/t/{code}/live")
        polled = phone.get(f"/t/{code}/stamp")

    assert (first.status_code, second.status_code) == (200, 503)
    assert polled.status_code == 200
    assert polled.json == {"stamp": stamp(phone, code)}


def test_a_phone_that_leaves_frees_its_place(one_place, phone, code):
    for _ in range(3):
        with phone.get(f"/t/{code}/live") as answer:
            assert answer.status_code == 200
            next(iter(answer.response))


def test_a_connection_that_breaks_frees_its_place(one_place, phone, code, listen):
    lost = listen(code)
    lost.next_data()
    lost.close()

    end, status = time.monotonic() + 5, 503
    while status == 503 and time.monotonic() < end:
        phone.must(code, group_entered(0), {"type": "group_removed", "player": 0, "room": 1})
        status = listen(code).answer.status

    assert status == 200


def test_asking_only_for_the_headers_takes_no_place(one_place, phone, code):
    phone.client.head(f"/t/{code}/live")
    phone.client.head(f"/t/{code}/live")

    with phone.get(f"/t/{code}/live") as answer:
        assert answer.status_code == 200


def test_an_unknown_table_takes_no_place(one_place, phone, code):
    phone.get("/t/unknown/live")

    with phone.get(f"/t/{code}/live") as answer:
        assert answer.status_code == 200


# The end


def test_stopping_the_server_ends_the_streams_at_once(app, code, listen):
    listeners = [listen(code) for _ in range(2)]
    for listener in listeners:
        listener.next_data()

    start = time.monotonic()
    app.extensions["hub"].close()
    ends = [listener.next_data() for listener in listeners]

    assert ends == [None, None]
    assert time.monotonic() - start < SOON_S


def test_a_stopping_server_takes_no_new_streams(app, phone, code):
    app.extensions["hub"].close()

    assert phone.get(f"/t/{code}/live").status_code == 503
