"""Cameras: only the newest picture counts, a pulled cable is survived, and stopping never hangs."""

import time
from threading import Event

import cv2
import numpy as np
import pytest

from vision.capture import (
    Camera,
    CaptureSettings,
    NoPicture,
    Phase,
    Photos,
    Reason,
    Video,
    open_camera,
)

pytestmark = pytest.mark.alone

QUICK = CaptureSettings(first_pause_s=0.001, longest_pause_s=0.004, photos_per_s=500, stop_s=0.1)


def grey(value, width=40, height=30):
    return np.full((height, width, 3), value, np.uint8)


class Script:
    """A device that plays what it is told: a picture, None, an error to raise, or an event to hang on."""

    every_s = 0.0
    skipped = ()

    def __init__(self, *plays, then=None):
        self.plays = list(plays)
        self.then = then or Event()
        self.released = False

    def read(self):
        play = self.plays.pop(0) if self.plays else self.then
        if isinstance(play, Event):
            play.wait(5)
            return None
        if isinstance(play, Exception):
            raise play
        return play

    def release(self):
        self.released = True


def in_turn(*devices):
    """Return what connects to one device after the other; an exception is raised instead."""
    coming = list(devices)

    def connect():
        device = coming.pop(0) if len(coming) > 1 else coming[0]
        if isinstance(device, Exception):
            raise device
        return device

    return connect


def until(holds, limit_s=3.0):
    end = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.002)


@pytest.fixture
def cameras():
    """Make cameras that are stopped afterwards, with what they hang on."""
    made = []

    def make(connect, settings=QUICK, **options):
        camera = Camera(connect, settings, **options)
        made.append(camera)
        return camera

    yield make
    for camera in made:
        camera.stop()


def test_only_the_newest_picture_is_kept(cameras):
    hang = Event()
    camera = cameras(in_turn(Script(*(grey(value) for value in range(50)), then=hang)))
    until(lambda: (taken := camera.newest()) is not None and taken.number == 50)

    taken = camera.newest()

    assert taken.frame[0, 0, 0] == 49
    assert camera.newest(after=50) is None
    assert camera.newest(after=49) is taken
    assert camera.state.phase is Phase.LIVE
    hang.set()


def test_a_new_picture_is_waited_for(cameras):
    hang = Event()
    camera = cameras(in_turn(Script(hang, grey(7), then=hang)))

    assert camera.newest(timeout_s=0.01) is None
    hang.set()

    assert camera.newest(timeout_s=3).frame[0, 0, 0] == 7


def test_a_camera_pulled_out_comes_back(cameras):
    hang = Event()
    pulled = Script(grey(1), grey(2))
    pulled.plays += [None] * 6
    camera = cameras(
        in_turn(pulled, NoPicture(Reason.NOT_FOUND), cv2.error("gone"), Script(grey(3), then=hang))
    )

    until(lambda: camera.newest(after=2) is not None)

    assert camera.newest().frame[0, 0, 0] == 3
    assert camera.newest().number == 3
    assert camera.state.phase is Phase.LIVE
    assert camera.state.attempts == 0
    assert pulled.released
    hang.set()


@pytest.mark.parametrize(
    ("device", "reason"),
    [
        pytest.param(NoPicture(Reason.NOT_FOUND), Reason.NOT_FOUND, id="not plugged in"),
        pytest.param(OSError("no such device"), Reason.NOT_FOUND, id="an error of the driver"),
        pytest.param(Script(*[None] * 1000), Reason.STOPPED, id="no pictures"),
        pytest.param(Script(then=cv2.error("read")), Reason.STOPPED, id="an error while reading"),
    ],
)
def test_a_lost_camera_says_why(cameras, device, reason):
    hold = Event()
    camera = cameras(in_turn(device), pause=lambda _: hold.wait(5))

    until(lambda: camera.state.phase is Phase.LOST)

    assert camera.state.reason is reason
    assert camera.state.attempts == 1
    camera._stopping.set()
    hold.set()


def test_pauses_grow_and_begin_anew_after_a_picture(cameras):
    pauses, enough = [], Event()

    def pause(seconds):
        pauses.append(seconds)
        if len(pauses) >= 9:
            enough.set()
            time.sleep(0.01)

    gone = NoPicture(Reason.NOT_FOUND)
    worked = Script(grey(1), *[None] * 6)
    camera = cameras(in_turn(*[gone] * 6, worked, gone), CaptureSettings(stop_s=0.5), pause=pause)

    assert enough.wait(3)
    camera.stop()
    assert pauses[:9] == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 0.5, 1.0, 2.0]


def test_a_missing_picture_now_and_then_is_no_loss(cameras):
    hang = Event()
    device = Script(grey(1), None, None, grey(2), None, grey(3), then=hang)
    camera = cameras(in_turn(device))

    until(lambda: camera.newest(after=2) is not None)

    assert camera.state.phase is Phase.LIVE
    assert not device.released
    hang.set()


def test_a_camera_that_hangs_is_told_and_can_be_stopped(cameras):
    now = [100.0]
    hang = Event()
    camera = cameras(in_turn(Script(grey(1), then=hang)), clock=lambda: now[0])
    until(lambda: camera.newest() is not None and camera.state.phase is Phase.LIVE)

    now[0] += 2.9
    assert camera.state.phase is Phase.LIVE
    now[0] += 0.2
    assert (camera.state.phase, camera.state.reason) == (Phase.LOST, Reason.SILENT)

    begun = time.monotonic()
    assert camera.stop() is False
    assert time.monotonic() - begun < 1
    hang.set()
    until(lambda: not camera._thread.is_alive())
    assert camera.newest().number == 1


def test_a_camera_that_hangs_while_connecting_can_be_stopped(cameras):
    hang = Event()

    def connect():
        hang.wait(5)
        raise NoPicture(Reason.NOT_FOUND)

    camera = cameras(connect)

    assert camera.state.phase is Phase.CONNECTING
    assert camera.stop() is False
    hang.set()


def test_stopping_lets_go_of_the_camera_and_of_who_waits(cameras):
    device = Script(*[grey(1)] * 3, then=None)
    device.read = lambda: grey(1)
    with Camera(in_turn(device), QUICK) as camera:
        until(lambda: camera.newest() is not None)

    assert device.released
    assert camera.state.phase is Phase.ENDED
    assert camera.newest(after=10**9, timeout_s=5) is None


def test_pictures_may_change_their_size(cameras):
    hang = Event()
    camera = cameras(in_turn(Script(grey(1), grey(2, 64, 48), then=hang)))

    until(lambda: camera.newest(after=1) is not None)

    assert camera.newest().frame.shape == (48, 64, 3)
    hang.set()


class FakeCapture:
    """Stands in for cv2.VideoCapture."""

    def __init__(self, *arguments, opened=True, reads=()):
        self.arguments, self.opened, self.reads = arguments, opened, list(reads)
        self.asked, self.released = {}, False

    def isOpened(self):
        return self.opened

    def set(self, name, value):
        self.asked[name] = value
        return True

    def get(self, name):
        return 50.0

    def read(self):
        return self.reads.pop(0)

    def release(self):
        self.released = True


def test_a_webcam_is_asked_for_large_fresh_pictures():
    video = Video(0, CaptureSettings(), FakeCapture)

    asked = video._capture.asked
    assert (asked[cv2.CAP_PROP_FRAME_WIDTH], asked[cv2.CAP_PROP_FRAME_HEIGHT]) == (1920, 1080)
    assert asked[cv2.CAP_PROP_BUFFERSIZE] == 1
    video.release()
    assert video._capture.released


def test_a_stream_may_not_hang():
    video = Video("rtsp://table/1", CaptureSettings(), FakeCapture)

    source, backend, limits = video._capture.arguments
    assert (source, backend) == ("rtsp://table/1", cv2.CAP_FFMPEG)
    assert limits == [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 5000]


def test_nothing_answers():
    with pytest.raises(NoPicture, match="no camera answers"):
        Video(9, CaptureSettings(), lambda *_: FakeCapture(opened=False))


@pytest.mark.parametrize(
    ("read", "shape"),
    [
        ((True, grey(1)), (30, 40, 3)),
        ((True, np.zeros((30, 40), np.uint8)), (30, 40, 3)),
        ((True, np.zeros((30, 40, 4), np.uint8)), (30, 40, 3)),
        ((False, None), None),
        ((True, None), None),
        ((True, np.zeros((0, 0, 3), np.uint8)), None),
        ((True, np.zeros((30, 40, 3), np.uint16)), None),
    ],
)
def test_what_a_camera_gives_is_a_coloured_picture_or_none(read, shape):
    video = Video(0, CaptureSettings(), lambda *_: FakeCapture(reads=[read]))

    frame = video.read()

    assert (None if frame is None else frame.shape) == shape


@pytest.mark.parametrize("loops", [True, False])
def test_a_film_is_played_at_its_speed_and_again_if_wanted(tmp_path, loops):
    film = tmp_path / "table.avi"
    film.write_bytes(b"")
    made = FakeCapture(reads=[(True, grey(1)), (False, None)])
    video = Video(str(film), CaptureSettings(loops=loops), lambda *_: made)

    assert video.every_s == 0.02
    assert video.read() is not None
    if loops:
        assert video.read() is None
        assert made.asked[cv2.CAP_PROP_POS_FRAMES] == 0
    else:
        with pytest.raises(NoPicture, match="been played"):
            video.read()


def a_folder(place, **pictures):
    for name, value in pictures.items():
        cv2.imwrite(str(place / f"{name}.png"), grey(value))
    return place


def test_photographs_are_played_in_the_order_of_their_names(tmp_path):
    photos = Photos(a_folder(tmp_path, c=3, a=1, b=2), CaptureSettings(photos_per_s=4))
    (tmp_path / "notes.txt").write_text("no picture")

    assert photos.every_s == 0.25
    assert [int(photos.read()[0, 0, 0]) for _ in range(7)] == [1, 2, 3, 1, 2, 3, 1]


def test_a_broken_photograph_is_skipped_and_told(tmp_path, cameras):
    a_folder(tmp_path, a=1, c=3)
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8 cut off")
    settings = CaptureSettings(photos_per_s=500, loops=False, stop_s=0.5)
    camera = cameras(lambda: Photos(tmp_path, settings), settings)

    until(lambda: camera.state.phase is Phase.ENDED)

    assert camera.newest().number == 2
    assert camera.newest().frame[0, 0, 0] == 3
    assert camera.state.reason is Reason.PLAYED
    assert camera.state.skipped == ("b.jpg",)


@pytest.mark.parametrize("content", [None, b"junk"])
def test_a_folder_without_a_photograph_is_told_and_may_get_one(tmp_path, cameras, content):
    if content:
        (tmp_path / "a.jpg").write_bytes(content)
    camera = cameras(lambda: Photos(tmp_path, QUICK))
    until(lambda: camera.state.reason is Reason.NO_PICTURES)

    a_folder(tmp_path, b=9)

    until(lambda: camera.newest() is not None)
    assert camera.newest().frame[0, 0, 0] == 9


@pytest.mark.parametrize("single", [True, False])
def test_a_folder_or_a_photograph_is_opened_as_a_camera(tmp_path, single):
    a_folder(tmp_path, a=5)

    with open_camera(str(tmp_path / "a.png" if single else tmp_path), QUICK) as camera:
        taken = camera.newest(timeout_s=3)
        again = camera.newest(after=taken.number, timeout_s=3)

    assert taken.frame[0, 0, 0] == again.frame[0, 0, 0] == 5


@pytest.mark.parametrize("source", ["", "  ", "/nowhere/at/all", "-1", "²"])
def test_what_is_no_camera_is_refused_in_words(source):
    with pytest.raises(ValueError, match="is no number of a webcam"):
        open_camera(source)
