"""What looks at the table without a phone: a camera of the server's own, or sample tables."""

from __future__ import annotations

import time
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.errors import BadData
from tests.web.test_drop_pages import act, begun
from vision.capture import open_camera
from web.dungeon_drop.eyes import CameraEye, SampleEye


def seen(phone, code):
    """Return the newest look, once it was read."""
    end = time.monotonic() + 5
    while True:
        look = phone.app.extensions["looks"].current(code)
        if look is not None and look.status in ("read", "refused"):
            return look
        assert time.monotonic() < end
        time.sleep(0.005)


def test_sample_tables_come_one_after_the_other_and_begin_again():
    eye = SampleEye()
    first, second, third, fourth, again = (eye.look() for _ in range(5))
    assert first.shape[2] == 3
    assert not np.array_equal(first, second)
    assert np.array_equal(first, again)
    assert len({frame.tobytes() for frame in (first, second, third, fourth)}) == 4


def test_a_folder_of_photos_stands_in_for_a_camera(tmp_path):
    picture = np.full((48, 64, 3), 77, np.uint8)
    (tmp_path / "a.png").write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    with open_camera(str(tmp_path)) as camera:
        assert np.array_equal(CameraEye(camera).look(), picture)


def test_a_camera_without_a_picture_says_so():
    silent = SimpleNamespace(newest=lambda timeout_s: None)
    with pytest.raises(BadData, match="plugged in"):
        CameraEye(silent).look()


def test_the_demo_looks_by_itself_after_each_drop(phone_with):
    phone = phone_with(SampleEye())
    code = begun(phone)
    act(phone, code, event={"type": "cubes_dropped", "player": 0})
    assert seen(phone, code).number == 1


def test_a_camera_looks_when_it_is_asked(phone_with):
    frame = np.full((480, 640, 3), 90, np.uint8)
    phone = phone_with(SimpleNamespace(by_itself=False, pictures=None, look=lambda: frame))
    code = begun(phone)
    act(phone, code, event={"type": "cubes_dropped", "player": 0})
    assert phone.app.extensions["looks"].current(code) is None
    assert "Look with the camera" in phone.page(f"/t/{code}/?seat=0").text
    assert phone.post(f"/t/{code}/snap", {"seat": "0"}).status_code == 303
    assert len(seen(phone, code).cubes) == 7


def test_a_camera_that_is_unplugged_is_told_on_the_page(phone_with):
    phone = phone_with(CameraEye(SimpleNamespace(newest=lambda timeout_s: None)))
    code = begun(phone)
    phone.post(f"/t/{code}/snap", {"seat": "0"})
    assert seen(phone, code).status == "refused"
    assert "is it plugged in?" in phone.page(f"/t/{code}/?seat=0").text


def test_without_a_camera_there_is_no_such_button(phone_with):
    phone = phone_with(None)
    code = begun(phone)
    assert "Look with the camera" not in phone.page(f"/t/{code}/?seat=0").text
    assert phone.post(f"/t/{code}/snap", {"seat": "0"}).status_code == 400
