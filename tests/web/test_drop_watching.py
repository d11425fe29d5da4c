"""A table that is followed: pictures of a camera become looks, with cubes that keep their numbers."""

from __future__ import annotations

import io
import time
from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.dungeon_drop.pieces import Kind, Sides, Size
from companion.errors import BadData
from tests.vision.rendered import TABLES, picture, scanner
from tests.vision.test_motion import taken, with_hand
from tests.web.scans import RoomScanner, a_plane, a_scan, a_seen_cube, one_room
from tests.web.test_drop_looks import CODE, photo
from tests.web.test_drop_pages import begun, form_to, state
from vision.capture import CaptureSettings, Taken, open_camera
from web.dungeon_drop.carry import carried_on
from web.dungeon_drop.eyes import CameraEye
from web.dungeon_drop.look import ADDED_FROM, look_of
from web.dungeon_drop.looks import Looks
from web.dungeon_drop.watching import LOST, MOST_WATCHED, SentPictures, Watching

PATIENCE_S = 30


def wait_until(happened, what=""):
    end = time.monotonic() + PATIENCE_S
    while not (answer := happened()):
        assert time.monotonic() < end, what
        time.sleep(0.02)
    return answer


class Filmed:
    """A folder of pictures that stands in for a camera; what it shows can be changed."""

    def __init__(self, folder):
        self.folder, self.files = folder, [folder / f"{n}.jpg" for n in range(3)]
        folder.mkdir()

    def show(self, frame):
        for seed, file in enumerate(self.files):
            part = file.with_suffix(".part")
            part.write_bytes(
                cv2.imencode(".jpg", taken(frame, seed, noise=2.0), [cv2.IMWRITE_JPEG_QUALITY, 92])[
                    1
                ].tobytes()
            )
            part.replace(file)


def without(frame, outline):
    """Return a picture from which one cube was taken away."""
    mask = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.array(outline).round().astype(np.int32), 255)
    return cv2.inpaint(frame, cv2.dilate(mask, np.ones((15, 15))), 5, cv2.INPAINT_TELEA)


def distance_to_others(cube, cubes):
    middle = np.array(cube.outline_px).mean(axis=0)
    return min(
        np.hypot(*(np.array(other.outline_px).mean(axis=0) - middle)) for other in cubes if other is not cube
    )


def kinds(look):
    return {cube.id: (cube.kind, cube.size) for cube in look.cubes}


def test_a_filmed_table_freezes_under_a_hand_and_keeps_the_numbers_of_its_cubes(tmp_path):
    """With the real scanner: nothing flickers, a hand changes nothing, what it took is gone afterwards."""
    frame, _ = picture(TABLES[6])
    film = Filmed(tmp_path / "film")
    film.show(frame)
    told = []
    looks = Looks(tmp_path / "photos", scanner, lambda code: None)
    watching = Watching(looks, scanner, told.append)
    with open_camera(str(film.folder), CaptureSettings(photos_per_s=10)) as camera:
        watching.begin(CODE, camera)
        first = wait_until(lambda: looks.current(CODE), "no look")
        wait_until(lambda: watching.activity(CODE) == "watching")
        film.show(with_hand(frame, 300))
        wait_until(lambda: watching.activity(CODE) == "hand", "the hand was not noticed")
        time.sleep(1.0)
        assert kinds(looks.current(CODE)) == kinds(first)
        lonely = max(first.cubes, key=lambda cube: distance_to_others(cube, first.cubes))
        film.show(without(frame, lonely.outline_px))
        after = wait_until(
            lambda: (now := looks.current(CODE)).cube(lonely.id) is None and now, "still there"
        )
        time.sleep(1.5)  # all scans that vote
        settled = looks.current(CODE)
        watching.close()
    looks.close()
    sure = {cube.id for cube in first.cubes if cube.confidence > 0.9 and cube is not lonely}
    assert len(sure) > 0.8 * len(first.cubes)
    for look in (after, settled):
        assert {id: kind for id, kind in kinds(look).items() if id in sure} == {
            id: kind for id, kind in kinds(first).items() if id in sure
        }
    assert (first.ids_from, after.ids_from) == (first.number, first.number)
    assert len(told) >= 3
    assert watching.activity(CODE) is None


@pytest.fixture
def watching(tmp_path):
    looks = Looks(tmp_path / "photos", RoomScanner, lambda code: None)
    made = Watching(looks, RoomScanner, lambda code: None)
    yield SimpleNamespace(looks=looks, watching=made)
    made.close()
    looks.close()


def still(grey=90):
    return np.full((480, 640, 3), grey, np.uint8)


def test_only_so_many_tables_are_followed(watching):
    for number in range(MOST_WATCHED):
        watching.watching.begin(f"table {number}", SentPictures())
    watching.watching.begin("table 0", SentPictures())
    with pytest.raises(BadData, match="Too many"):
        watching.watching.begin("one more", SentPictures())
    watching.watching.end("table 0")
    watching.watching.begin("one more", SentPictures())


def test_a_camera_that_falls_silent_is_told(watching, monkeypatch):
    monkeypatch.setattr("web.dungeon_drop.watching.LOST_S", 0.1)
    watching.watching.begin(CODE, SentPictures())
    wait_until(lambda: watching.watching.activity(CODE) == LOST)


def test_a_phone_that_stops_sending_is_forgotten(watching, monkeypatch):
    monkeypatch.setattr("web.dungeon_drop.watching.FORGOTTEN_S", 0.1)
    assert watching.watching.put(CODE, still(), first=True) is not None
    wait_until(lambda: watching.watching.activity(CODE) is None)
    # What it sends afterwards begins nothing.
    assert watching.watching.put(CODE, still(), first=False) is None
    assert watching.watching.activity(CODE) is None


def test_a_table_that_is_no_longer_played_at_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("web.dungeon_drop.watching.ASKED_S", 0.05)
    played = [True]
    looks = Looks(tmp_path / "photos", RoomScanner, lambda code: None)
    watching = Watching(looks, RoomScanner, lambda code: None, goes_on=lambda code: played[0])
    watching.begin(CODE, SentPictures())
    time.sleep(0.2)
    assert watching.activity(CODE) is not None
    played[0] = False
    wait_until(lambda: watching.activity(CODE) is None)
    looks.close()


def test_a_photo_between_two_live_looks_has_numbers_of_its_own(watching):
    looks, seen = watching.looks, RoomScanner().scan(still())
    first = looks.show(CODE, seen, still())
    second = looks.show(CODE, seen, still(), first.ids_from)
    assert (second.ids_from, second.names_as(first.number)) == (first.number, True)
    looks.take(CODE, photo())
    wait_until(lambda: looks.current(CODE).status == "read")
    third = looks.show(CODE, seen, still(), first.ids_from)
    assert third.ids_from == third.number
    assert not third.names_as(second.number)


def test_what_is_not_wanted_any_more_is_not_shown(watching):
    assert watching.looks.show(CODE, RoomScanner().scan(still()), still(), wanted=lambda: False) is None
    assert watching.looks.current(CODE) is None


def test_a_camera_that_breaks_ends_the_following_and_nothing_else(watching, caplog):
    def broken(after, timeout_s):
        raise RuntimeError("something nobody thought of")

    watching.watching.begin(CODE, SimpleNamespace(newest=broken))
    wait_until(lambda: watching.watching.activity(CODE) is None)
    assert "could not be followed" in caplog.text


def test_the_newest_picture_is_enough(watching):
    sent = SentPictures(clock=lambda: 7.0)
    assert sent.newest() is None
    for _ in range(3):
        sent.put(still())
    newest = sent.newest(2)
    assert isinstance(newest, Taken)
    assert (newest.number, newest.time_s) == (3, 7.0)
    assert sent.newest(3) is None


# On the pages


def follow(phone, code, follow="yes"):
    return phone.post(f"/t/{code}/watch", {"seat": "0", "follow": follow})


@pytest.fixture
def filmed(phone_with, tmp_path):
    film = Filmed(tmp_path / "film")
    film.show(still())
    with open_camera(str(film.folder), CaptureSettings(photos_per_s=20)) as camera:
        phone = phone_with(CameraEye(camera))
        yield SimpleNamespace(phone=phone, film=film, app=phone.app)
        phone.app.extensions["watching"].close()


def test_the_servers_camera_follows_a_table_until_somebody_stops_it(filmed):
    phone = filmed.phone
    code = begun(phone)
    assert "With the companion's camera" in phone.page(f"/t/{code}/?seat=0").text
    assert follow(phone, code).status_code == 303
    looks = filmed.app.extensions["looks"]
    look = wait_until(lambda: looks.current(code))
    page = phone.page(f"/t/{code}/?seat=0").text
    assert "follows the table" in page or "looks at the table" in page
    assert "With the companion's camera" not in page
    assert len(look.cubes) == 7
    assert follow(phone, code, "no").status_code == 303
    assert "With the companion's camera" in phone.page(f"/t/{code}/?seat=0").text


def test_what_was_looted_stays_looted_on_the_next_live_look(filmed):
    phone = filmed.phone
    code = begun(phone)
    phone.act(code, {"type": "cubes_dropped", "player": 0}, seat=0)
    follow(phone, code)
    looks = filmed.app.extensions["looks"]
    wait_until(lambda: looks.current(code))
    wait_until(lambda: filmed.app.extensions["watching"].activity(code) == "watching")
    phone.submit(form_to(phone.page(f"/t/{code}/?seat=0"), "/loot"))
    gone = state(phone, code).taken
    assert gone
    before = looks.current(code).number
    looks.show(code, RoomScanner().scan(still()), still(), looks.current(code).ids_from)
    assert looks.current(code).number > before
    page = phone.page(f"/t/{code}/?seat=0").text
    assert "Looted, but still on the table" in page
    assert f'data-cube="{gone[0]}"' not in page
    # The next player's loot does not bring them back.
    phone.act(code, {"type": "cubes_dropped", "player": 1}, seat=1)
    phone.submit(form_to(phone.page(f"/t/{code}/?seat=1"), "/loot"))
    assert set(state(phone, code).taken) >= set(gone)


def test_a_phone_can_film_the_table(phone_with):
    phone = phone_with(None)
    code = begun(phone)
    assert film(phone, code)["followed"] is False  # nobody has begun
    assert film(phone, code, first="yes") == {"ok": True, "followed": True}
    wait_until(lambda: film(phone, code)["followed"] and phone.app.extensions["looks"].current(code))
    assert len(phone.app.extensions["looks"].current(code).cubes) == 7
    # Whoever stops it, stops it for the phone that films as well.
    follow(phone, code, "no")
    assert film(phone, code)["followed"] is False


def film(phone, code, **fields):
    sent = {"seat": "0", "photo": (io.BytesIO(photo()), "table.jpg"), **fields}
    time.sleep(0.05)
    return phone.post(f"/t/{code}/frame", sent, live=True).json


def test_a_huge_picture_is_no_film(phone_with):
    phone = phone_with(None)
    code = begun(phone)
    sent = {"seat": "0", "first": "yes", "photo": (io.BytesIO(photo((2600, 2000))), "table.jpg")}
    answer = phone.post(f"/t/{code}/frame", sent, live=True)
    assert (answer.status_code, "too large" in answer.text) == (400, True)


@pytest.mark.parametrize("end", ["photo", "snap", "delete", "scoring"])
def test_following_ends_with_a_photo_and_with_the_game(filmed, monkeypatch, end):
    monkeypatch.setattr("web.dungeon_drop.watching.ASKED_S", 0.05)
    phone, watching = filmed.phone, filmed.app.extensions["watching"]
    code = begun(phone)
    follow(phone, code)
    assert watching.activity(code) is not None
    if end == "photo":
        phone.post(f"/t/{code}/photo", {"seat": "0", "photo": (io.BytesIO(photo()), "table.jpg")})
    elif end == "snap":
        phone.post(f"/t/{code}/snap", {"seat": "0"})
    elif end == "delete":
        phone.post(f"/t/{code}/delete/", {})
    else:
        phone.act(code, {"type": "scoring_opened"}, seat=0)
    wait_until(lambda: watching.activity(code) is None)


def test_what_is_no_picture_is_refused_in_words(phone_with):
    phone = phone_with(None)
    code = begun(phone)
    sent = {"seat": "0", "photo": (io.BytesIO(b"a text"), "table.jpg")}
    answer = phone.post(f"/t/{code}/frame", sent, live=True)
    assert (answer.status_code, "JPEG" in answer.text) == (400, True)
    assert phone.app.extensions["watching"].activity(code) is None


def test_without_a_camera_nothing_can_be_followed(phone_with):
    phone = phone_with(None)
    code = begun(phone)
    answer = phone.post(f"/t/{code}/watch", {"seat": "0", "follow": "yes"}, live=True)
    assert (answer.status_code, "no camera" in answer.text) == (400, True)


# What players said


def live_look(number, *more):
    return replace(look_of(number, a_scan(*one_room(), *more)), ids_from=1)


def test_what_players_said_of_a_cube_holds_for_the_next_look():
    before = live_look(1)
    fixed = before.with_cube(replace(before.cube(5), kind=Kind.KEY, size=Size.LARGE, fixed=True))
    after = carried_on(fixed, live_look(2))
    assert (after.cube(5).kind, after.cube(5).fixed, after.cube(4).fixed) == (Kind.KEY, True, False)
    sides = [np.ptp(np.array(look.cube(5).footprint_mm), axis=0)[0] for look in (before, after)]
    assert sides[1] == pytest.approx(sides[0] * Sides().of(Size.LARGE) / Sides().of(Size.SMALL))


def test_what_players_said_is_no_cube_stays_away():
    after = carried_on(live_look(1).with_removed(5), live_look(2))
    assert after.cube(5) is None
    assert carried_on(after, live_look(3)).cube(5) is None


def test_an_added_cube_stays_until_the_camera_sees_it_itself():
    added = look_of(9, a_scan(a_seen_cube(ADDED_FROM, "gold", 30, 30))).cubes[0]
    before = live_look(1).with_cube(added)
    assert carried_on(before, live_look(2)).cube(ADDED_FROM) is not None
    assert carried_on(before, live_look(2, a_seen_cube(8, "gold", 31, 30))).cube(ADDED_FROM) is None


def test_what_was_said_in_millimetres_ends_when_the_camera_is_pushed():
    added = look_of(9, a_scan(a_seen_cube(ADDED_FROM, "gold", 30, 30))).cubes[0]
    before = live_look(1).with_cube(added).with_call((0, 1, 2), 4, True)
    pushed = replace(live_look(2), plane=a_plane(px_per_mm=3.1))
    after = carried_on(before, pushed)
    assert (after.cube(ADDED_FROM), after.calls) == (None, {})


def test_a_decision_holds_until_something_of_it_moves():
    before = live_look(1).with_call((0, 1, 2), 4, True)
    assert carried_on(before, live_look(2)).calls == before.calls
    moved = look_of(2, a_scan(*(c for c in one_room() if c.id != 4), a_seen_cube(4, "goblin", 30, -5)))
    assert carried_on(before, moved).calls == {}
