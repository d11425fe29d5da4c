"""What phones send as a photo, over real connections: none of it stops the others."""

from __future__ import annotations

import re
import statistics
import struct
import threading
import time
import zlib

import cv2
import numpy as np
import pytest

from tests.running import HttpPhone, Server
from tests.vision.rendered import TABLES
from tests.web.drop_journey import HERO
from web.app import MAX_UPLOAD

pytestmark = pytest.mark.alone

PHOTO = TABLES[6].with_suffix(".jpg").read_bytes()
# Longer than any other phone may wait for a page while photos are read, on two busy cores.
SLOWEST_S = 3.0


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("uploads") / "data").start()
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="module")
def phone(server):
    return HttpPhone(server)


@pytest.fixture(scope="module")
def code(phone):
    code = phone.create("Ana", "Ben", game="dungeon-drop")
    events = [{"type": "hero_chosen", "player": seat, "card": HERO} for seat in (0, 1)]
    for seen, event in enumerate([*events, {"type": "game_begun"}]):
        assert phone.act(code, event, seen=seen, tap=f"tap {seen}", seat=event.get("player", 0))["ok"]
    return code


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def bomb():
    """A PNG of 100 megapixels in a few kilobytes."""
    rows = zlib.compress(bytes(10_001 * 10_000), 9)
    head = struct.pack(">IIBBBBB", 10_000, 10_000, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def animated_gif():
    """Two frames of one pixel."""
    frame = (
        b"\x21\xf9\x04\x00\x0a\x00\x00\x00\x2c"
        + struct.pack("<HHHH", 0, 0, 1, 1)
        + b"\x00\x02\x02\x44\x01\x00"
    )
    return b"GIF89a" + struct.pack("<HH", 1, 1) + b"\x80\x00\x00\x00\x00\x00\xff\xff\xff" + frame * 2 + b";"


def busy(phone, code):
    """Tell whether a photo of the table waits or is being read."""
    text, _ = phone.open(f"/t/{code}/?seat=0")
    return "being read" in text or "waits for another" in text


def read(phone, code):
    """Return the page once the newest photo was read."""
    end = time.monotonic() + 60
    while busy(phone, code):
        assert time.monotonic() < end, "a photo was never read"
        time.sleep(0.05)
    return phone.open(f"/t/{code}/?seat=0")[0]


@pytest.mark.parametrize(
    ("made", "words"),
    [
        pytest.param(lambda: b"this is a text", "not a JPEG or PNG", id="text"),
        pytest.param(animated_gif, "not a JPEG or PNG", id="animated"),
        pytest.param(lambda: PHOTO[: len(PHOTO) // 2], "cut off", id="truncated"),
        pytest.param(bomb, "more than 64 million pixels", id="bomb"),
    ],
)
def test_what_is_no_photo_is_told_and_the_next_one_is_read(phone, code, made, words):
    status, answer = phone.send(code, made())
    assert (status, answer["ok"]) == (200, True)
    assert words in read(phone, code)


def test_an_upload_that_is_too_large_is_refused_in_words(phone, code):
    status, answer = phone.send(code, bytes(MAX_UPLOAD + 1))
    assert status == 413
    assert answer["error"]


def test_fifty_photos_at_once_are_queued_or_refused_and_others_go_on(server, phone, code):
    """Fifty phones send at the same moment; another table's page is asked for all the while."""
    other = HttpPhone(server)
    elsewhere = other.create("Zoë", "Max")
    answers, waited = [], []

    def send():
        answers.append(phone.send(code, PHOTO))

    senders = [threading.Thread(target=send) for _ in range(50)]
    for sender in senders:
        sender.start()
    while any(sender.is_alive() for sender in senders) or busy(phone, code):
        start = time.monotonic()
        text, _ = other.open(f"/t/{elsewhere}/")
        waited.append(time.monotonic() - start)
        assert "Zoë" in text
    taken = [answer for status, answer in answers if status == 200]
    refused = [answer for status, answer in answers if status != 200]
    assert len(taken) + len(refused) == 50
    assert taken
    assert all("Try again in a moment" in answer["error"] for answer in refused)
    print(
        f"{len(taken)} taken, {len(refused)} refused; other pages: median {statistics.median(waited):.2f} s, "
        f"slowest {max(waited):.2f} s of {len(waited)}"
    )
    assert max(waited) < SLOWEST_S
    assert "overlay" in read(phone, code)


def test_a_photo_of_twelve_megapixels_is_read_within_three_seconds(phone, code):
    frame = cv2.imdecode(np.frombuffer(PHOTO, np.uint8), cv2.IMREAD_COLOR)
    large = cv2.resize(frame, (4000, 3000), interpolation=cv2.INTER_CUBIC)
    # As grainy as a phone's, so that the file is as large.
    large = cv2.add(large, np.random.default_rng(1).integers(0, 12, large.shape, np.uint8))
    data = cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
    read(phone, code)
    start = time.monotonic()
    assert phone.send(code, data)[0] == 200
    text = read(phone, code)
    took = time.monotonic() - start
    print(f"12 megapixels, {len(data) / 1e6:.1f} MB: {took:.2f} s from sending to the page")
    assert re.search(r'class="overlay" viewBox', text)
    assert took < 3
