"""A room of one's own choice: three taps on pillars, and the reason why some are none."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from companion.dungeon_drop.hero import Hero
from tests.web.scans import RoomScanner, a_scan, a_seen_cube, one_room
from tests.web.test_drop_pages import begun, snap
from web.dungeon_drop.badges import BADGE_UNITS, BADGES, badges
from web.dungeon_drop.look import look_of
from web.dungeon_drop.own_room import picked_pillars, why_no_room
from web.dungeon_drop.photo_view import frame_of
from web.dungeon_drop.room_choice import best_rooms

# A pillar that stands in the room of the other three, and one far away.
INSIDE, AWAY = a_seen_cube(7, "pillar", 5, 10), a_seen_cube(8, "pillar", 90, 60)


def a_look(*more):
    return look_of(1, a_scan(*one_room(), *more))


def test_pillars_that_touch_a_room_are_named():
    refused = why_no_room(a_look(INSIDE, AWAY), (0, 1, 2))
    assert refused.blocked_by == (7,)
    assert len(refused.outline_px) >= 3


def test_a_room_that_is_one_is_not_refused():
    assert why_no_room(a_look(AWAY), (0, 1, 2)) is None


@pytest.mark.parametrize("pillars", [(0, 1, 3), (0, 0, 1), (0, 1, 99)])
def test_what_is_not_three_pillars_has_no_reason(pillars):
    assert why_no_room(a_look(INSIDE), pillars) is None


@pytest.mark.parametrize(
    ("text", "picked"),
    [("0", (0,)), ("0-2", (0, 2)), ("0-0", ()), ("3", ()), ("0-1-2", ()), ("", ()), ("x", ()), ("9" * 9, ())],
)
def test_only_pillars_are_corners(text, picked):
    assert picked_pillars(a_look(), text) == picked


def test_the_best_rooms_have_their_numbers_on_the_photo_apart_from_each_other():
    look = a_look(AWAY, a_seen_cube(9, "pillar", -90, 70), a_seen_cube(10, "pillar", 90, -70))
    rooms = best_rooms(look, Hero())
    drawn = badges(rooms, look, frame_of(look).unit)
    assert [badge.number for badge in drawn] == list(range(1, 1 + min(BADGES, len(rooms))))
    apart = BADGE_UNITS * frame_of(look).unit
    for one, other in pairwise(drawn):
        assert np.hypot(one.x - other.x, one.y - other.y) > apart


def links(phone, address):
    return [
        dict(tag)["href"] for name, tag in phone.page(address).tags if name == "a" and "href" in dict(tag)
    ]


def test_three_taps_choose_a_room(phone_with):
    phone = phone_with(None)
    code = begun(phone)
    snap(phone, code)
    table = f"/t/{code}/?seat=0"
    assert any("pick=0" in link for link in links(phone, f"{table}&cube=0"))
    assert not any("pick=" in link for link in links(phone, f"{table}&cube=3"))
    page = phone.page(f"{table}&pick=0")
    assert "Tap 2 more pillars" in page.text
    assert any("pick=0-1" in link for link in links(phone, f"{table}&pick=0"))
    assert any("room=0-1-2" in link for link in links(phone, f"{table}&pick=0-1"))


def test_three_pillars_that_make_no_room_are_refused_with_the_reason(phone_with, monkeypatch):
    phone = phone_with(None)
    monkeypatch.setattr(RoomScanner, "cubes", lambda self, frame: (*one_room(), INSIDE, AWAY))
    code = begun(phone)
    phone.act(code, {"type": "cubes_dropped", "player": 0}, seat=0)
    look = snap(phone, code)
    page = phone.page(f"/t/{code}/?seat=0&room=0-1-2")
    assert "another pillar touches it" in page.text
    assert "Loot this room" not in page.text
    fields = {"seat": "0", "look": str(look.number), "room": "0-1-2", "seen": "4", "tap": "t-1234567"}
    answer = phone.post(f"/t/{code}/loot", fields, live=True)
    assert (answer.status_code, "A pillar touches the wall" in answer.text) == (400, True)
