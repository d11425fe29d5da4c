"""Photos of a table: read in the background, kept, corrected, and never the reason that something breaks."""

from __future__ import annotations

import threading
import time

import cv2
import numpy as np
import pytest

from companion.dungeon_drop.hero import Hero
from companion.dungeon_drop.holdings import Held, Reserve
from companion.dungeon_drop.pieces import Kind, Size
from companion.errors import BadData
from tests.web.scans import RoomScanner, a_scan, a_seen_cube, one_room
from web.dungeon_drop.look import Look, Status, look_of, read_look, write_look
from web.dungeon_drop.looks import MOST_WAITING, Looks
from web.dungeon_drop.room_choice import best_rooms, room_between
from web.dungeon_drop.since import what_is_strange

CODE = "abcdefghjkmnpqrstuvw"


class Eye(RoomScanner):
    """A scanner that sees one room in every photo, when it is let."""

    def __init__(self):
        self.open = threading.Event()
        self.open.set()
        self.seen = []

    def scan(self, frame, *, focal_px=None, profile=None, solo=True):
        assert self.open.wait(5)
        self.seen.append((frame.shape, focal_px))
        if frame[0, 0, 0] == 13:
            raise RuntimeError("something nobody thought of")
        return super().scan(frame)

    def cubes(self, frame):
        return one_room()


def photo(size=(640, 480), grey=90):
    return cv2.imencode(".png", np.full((size[1], size[0], 3), grey, np.uint8))[1].tobytes()


@pytest.fixture
def eye():
    return Eye()


@pytest.fixture
def changes():
    return []


@pytest.fixture
def looks(tmp_path, eye, changes):
    made = Looks(tmp_path / "photos", lambda: eye, changes.append)
    yield made
    made.close()


def wait_for(looks, *statuses, code=CODE):
    end = time.monotonic() + 5
    while time.monotonic() < end:
        look = looks.current(code)
        if look is not None and look.status in (statuses or (Status.READ, Status.REFUSED)):
            return look
        time.sleep(0.005)
    raise AssertionError(look)


def test_a_photo_is_read_in_the_background(looks, eye, changes):
    eye.open.clear()
    assert looks.take(CODE, photo()).status is Status.WAITING
    wait_for(looks, Status.READING)
    eye.open.set()
    look = wait_for(looks)
    assert (look.number, look.status, len(look.cubes)) == (1, Status.READ, 6)
    assert len(changes) == 3


def test_stamps_only_grow(looks, eye):
    stamps = [looks.stamp(CODE)]
    for _ in range(2):
        eye.open.clear()
        looks.take(CODE, photo())
        stamps.append(looks.stamp(CODE))
        wait_for(looks, Status.READING)
        stamps.append(looks.stamp(CODE))
        eye.open.set()
        look = wait_for(looks)
        stamps.append(looks.stamp(CODE))
        looks.change(CODE, look.number, lambda look: look.without_cubes((3,)))
        stamps.append(looks.stamp(CODE))
    assert stamps == sorted(stamps)
    assert len(set(stamps)) >= len(stamps) - 2  # a photo may be taken up before anybody looks


def test_photos_of_two_phones_wait_for_each_other(looks, eye):
    eye.open.clear()
    looks.take(CODE, photo())
    looks.take("other", photo())
    eye.open.set()
    assert wait_for(looks).status is wait_for(looks, code="other").status is Status.READ


def test_too_many_photos_are_refused_in_words(looks, eye):
    eye.open.clear()
    for _ in range(MOST_WAITING):
        looks.take(CODE, photo())
    with pytest.raises(BadData, match="Too many photos"):
        looks.take(CODE, photo())
    eye.open.set()
    wait_for(looks)


@pytest.mark.parametrize("data", [b"", b"a text", photo()[:-40]])
def test_what_is_no_photo_is_refused_with_the_reason(looks, data):
    looks.take(CODE, data)
    look = wait_for(looks)
    assert look.status is Status.REFUSED
    assert look.why


def test_whatever_goes_wrong_the_next_photo_is_read(looks):
    looks.take(CODE, photo(grey=13))
    assert wait_for(looks).status is Status.REFUSED
    looks.take(CODE, photo())
    end = time.monotonic() + 5
    while looks.current(CODE).status is not Status.READ:
        assert time.monotonic() < end


def test_a_restart_loses_nothing(looks, tmp_path, eye):
    looks.take(CODE, photo())
    wait_for(looks)
    looks.change(CODE, 1, lambda look: look.with_call((0, 1, 2), 4, True))
    before = looks.current(CODE)
    again = Looks(tmp_path / "photos", lambda: eye, lambda code: None)
    assert write_look(again.current(CODE)) == write_look(before)
    assert again.photo(CODE, 1).is_file()
    again.close()


def test_a_broken_file_is_as_if_there_was_none(looks, tmp_path, eye):
    place = tmp_path / "photos" / CODE
    place.mkdir(parents=True)
    (place / "7.json").write_text("{")
    assert looks.current(CODE) is None


def test_only_the_newest_photos_are_kept_and_small_enough_for_a_phone(looks):
    for number in range(1, 5):
        looks.take(CODE, photo((2100, 1500)))
        while looks.current(CODE).number != number or looks.current(CODE).status is not Status.READ:
            time.sleep(0.005)
    assert looks.photo(CODE, 2) is None
    shown = cv2.imread(str(looks.photo(CODE, 4)))
    assert max(shown.shape) == 1920


def test_a_correction_of_an_older_photo_is_refused(looks):
    looks.take(CODE, photo())
    wait_for(looks)
    for number in (0, 2):
        with pytest.raises(BadData, match="newer photo"):
            looks.change(CODE, number, lambda look: look)


def test_a_look_is_written_and_read_the_same():
    look = look_of(3, a_scan(*one_room())).with_call((0, 1, 2), 4, False)
    assert write_look(read_look(write_look(look))) == write_look(look)


# Rooms of a look


def a_look(*more) -> Look:
    return look_of(1, a_scan(*one_room(), *more))


def test_the_best_room_is_for_this_hero():
    (room,) = best_rooms(a_look(), Hero(hit_points=8))
    assert (room.pillars, room.cubes) == ((0, 1, 2), (3, 4))
    assert set(room.held) == {Held(Kind.GOLD, 1, Size.LARGE), Held(Kind.GOBLIN, 1, Size.SMALL)}
    assert (room.gain, room.damage, room.hp_left, room.allowed) == (1.0, 1, 7, True)
    assert not best_rooms(a_look(), Hero(hit_points=8, damage=7))[0].allowed


def test_what_players_decide_is_counted_with():
    doubtful = a_seen_cube(6, "gold", 0, -47.8, size="small")
    look = a_look(doubtful)
    (room,) = best_rooms(look, Hero())
    assert [(doubt.id, doubt.decided) for doubt in room.doubtful] == [(6, False)]
    for inside, gain in ((True, 2.0), (False, 1.0)):
        (room,) = best_rooms(look.with_call((0, 1, 2), 6, inside), Hero())
        assert (room.gain, 6 in room.cubes, room.doubtful[0].decided) == (gain, inside, True)


def test_rooms_that_hold_the_same_are_one_line_of_the_list():
    # A pillar above the room: with either of the lower ones it makes an empty room.
    look = a_look(a_seen_cube(7, "pillar", 0, 75))
    rooms = best_rooms(look, Hero(hit_points=8))
    assert [(room.pillars, room.held != (), room.twins) for room in rooms] == [
        ((0, 1, 2), True, 0),
        ((0, 2, 7), False, 1),
    ]


def test_a_pillar_that_players_say_touches_forbids_the_room():
    look = a_look(a_seen_cube(6, "pillar", 0, -48.8))
    room = room_between(look, Hero(), (0, 1, 2))
    assert room is not None
    assert not room.forbidden
    said = room_between(look.with_call((0, 1, 2), 6, True), Hero(), (0, 1, 2))
    assert said.forbidden
    assert not said.allowed


def test_pillars_that_make_no_room_give_none():
    assert room_between(a_look(), Hero(reserve=Reserve()), (0, 1, 5)) is None


# Two photos


def seen_again(*cubes):
    return look_of(2, a_scan(*cubes))


def test_what_was_looted_and_still_lies_there_is_pointed_out():
    strange = what_is_strange(a_look(), (3, 4), seen_again(*(c for c in one_room() if c.id != 4)))
    assert strange.still_there == ((Kind.GOLD, 1),)
    assert strange.vanished == ()


def test_what_vanished_without_a_loot_is_pointed_out():
    strange = what_is_strange(a_look(), (3,), seen_again(*(c for c in one_room() if c.id not in (3, 5))))
    assert strange.vanished == ((Kind.GEM_PINK, 1),)


def test_new_cubes_are_nothing_strange():
    assert not what_is_strange(a_look(), (), seen_again(*one_room(), a_seen_cube(9, "key", 40, 40)))


def test_another_table_is_not_compared():
    other = [a_seen_cube(n, "goblin", 20 * n, 9) for n in range(6)]
    assert not what_is_strange(a_look(), (), seen_again(*other))


def test_numbers_go_on_after_a_restart(looks, tmp_path, eye):
    looks.take(CODE, b"no picture")
    wait_for(looks)
    stamp = looks.stamp(CODE)
    again = Looks(tmp_path / "photos", lambda: eye, lambda code: None)
    again.take(CODE, photo())
    assert again.stamp(CODE) > stamp
    again.close()
