"""Where live pictures come from: a webcam, a stream, a film, or photographs that stand in for a camera.

Looking takes longer than a camera takes for a picture, and a queue of old pictures would show the table as it
was seconds ago. So a thread reads all the time and keeps only the newest picture. Cables are pulled and
streams end; the thread then tries again, with growing pauses, and says what is the matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from threading import Condition, Event, Thread
from types import TracebackType
from typing import Any, Protocol

import cv2
import numpy as np

from vision.photo import BadPicture, load_photo
from vision.pictures import FrameBGR

PHOTOS = {".jpg", ".jpeg", ".png"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureSettings:
    """How a camera is read; times in seconds.

    Attributes:
        size_px: asked of a webcam, which gives what it can: a small cube needs some 20 pixels.
        photos_per_s: how fast photographs of a folder are played.
        loops: photographs and films begin again at their end.
        first_pause_s: before the first new attempt to connect: a cable pushed back is noticed at once.
        longest_pause_s: pauses double up to this, so that a camera that is gone costs nothing.
        bad_reads: pictures in a row that may be missing, as they are when a webcam wakes up.
        silent_s: a camera that gives no picture for so long is lost, even if it never says so.
        timeout_s: how long a stream may take to connect or to give a picture.
        stop_s: how long stopping waits for a camera that hangs.
    """

    size_px: tuple[int, int] = (1920, 1080)
    photos_per_s: float = 2.0
    loops: bool = True
    first_pause_s: float = 0.5
    longest_pause_s: float = 10.0
    bad_reads: int = 5
    silent_s: float = 3.0
    timeout_s: float = 5.0
    stop_s: float = 0.8


class Phase(StrEnum):
    """How a camera is."""

    CONNECTING = "connecting"
    LIVE = "live"
    LOST = "lost"
    ENDED = "ended"


class Reason(StrEnum):
    """Why there are no pictures."""

    NOT_FOUND = "no camera answers there"
    STOPPED = "the camera stopped sending pictures"
    SILENT = "the camera does not answer"
    NO_PICTURES = "there are no pictures to read in the folder"
    PLAYED = "all pictures have been played"


class NoPicture(Exception):
    """A camera gives no pictures; *reason* says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


@dataclass(frozen=True, slots=True)
class CameraState:
    """How a camera is, and why; *attempts* to connect since its last picture; *skipped*, the broken files."""

    phase: Phase
    reason: Reason | None = None
    attempts: int = 0
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A picture from a camera, counted from 1, and when it came by the camera's clock."""

    number: int
    time_s: float
    frame: FrameBGR


class Device(Protocol):
    """Something that gives one picture after another; *every_s* apart if it would give them faster."""

    every_s: float
    skipped: tuple[str, ...]

    def read(self) -> FrameBGR | None:
        """Give the next picture, or None if it did not come; raise NoPicture if none will."""

    def release(self) -> None:
        """Let go of the camera."""


class Video:
    """A webcam, a stream or a film, through OpenCV."""

    skipped: tuple[str, ...] = ()

    def __init__(
        self,
        source: int | str,
        settings: CaptureSettings,
        open_capture: Callable[..., Any] = cv2.VideoCapture,
    ) -> None:
        """Connect; may take as long as the camera likes.

        Raises:
            NoPicture: nothing answers.
        """
        self.every_s = 0.0
        self._loops = settings.loops
        if isinstance(source, str) and "://" in source:
            wait = int(1000 * settings.timeout_s)
            limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait]
            self._capture = open_capture(source, cv2.CAP_FFMPEG, limits)
        else:
            self._capture = open_capture(source)
        if not self._capture.isOpened():
            self._capture.release()
            raise NoPicture(Reason.NOT_FOUND)
        if isinstance(source, int):
            # Uncompressed pictures of this size do not fit through USB 2 more than five times a second.
            self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, settings.size_px[0])
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, settings.size_px[1])
            self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        elif "://" not in source and Path(source).is_file():
            rate = float(self._capture.get(cv2.CAP_PROP_FPS))
            self.every_s = 1 / rate if 1 <= rate <= 240 else 1 / 25

    def read(self) -> FrameBGR | None:
        """Give the next picture in colour."""
        came, frame = self._capture.read()
        if not came or frame is None or not frame.size or frame.dtype != np.uint8:
            if self.every_s and not self._loops:
                raise NoPicture(Reason.PLAYED)
            if self.every_s:
                self._capture.set(cv2.CAP_PROP_POS_FRAMES, 0)
            return None
        if frame.ndim == 2 or frame.shape[2] == 1:
            frame = cv2.cvtColor(frame, cv2.COLOR_GRAY2BGR)
        return np.asarray(frame[..., :3], np.uint8)

    def release(self) -> None:
        """Let go of the camera."""
        self._capture.release()


class Photos:
    """Photographs played in the order of their names; broken ones are skipped and told."""

    def __init__(self, place: Path, settings: CaptureSettings) -> None:
        """Take a folder, or a single photograph."""
        self.every_s = 1 / settings.photos_per_s
        self.skipped: tuple[str, ...] = ()
        self._place = place
        self._loops = settings.loops
        self._coming: list[Path] = []
        self._begun = False

    def read(self) -> FrameBGR:
        """Give the next photograph that can be read."""
        if self._begun and not self._coming and not self._loops:
            raise NoPicture(Reason.PLAYED)
        if not self._coming:
            # Listed anew each time round, so that photographs may be added.
            self._coming, self._begun, self.skipped = self._listed(), True, ()
        while self._coming:
            file = self._coming.pop(0)
            try:
                return load_photo(file)
            except (BadPicture, OSError):
                self.skipped = (*self.skipped, file.name)
        raise NoPicture(Reason.NO_PICTURES)

    def release(self) -> None:
        """There is nothing to let go of."""

    def _listed(self) -> list[Path]:
        if self._place.is_file():
            return [self._place]
        return sorted(file for file in self._place.glob("*") if file.suffix.lower() in PHOTOS)


class Camera:
    """The newest picture of a device that is read all the time by a thread of its own."""

    def __init__(
        self,
        connect: Callable[[], Device],
        settings: CaptureSettings | None = None,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        """Begin to connect and read.

        Args:
            connect: gives the device, or raises NoPicture; called again whenever it is lost.
            clock: tells the time in seconds.
            pause: waits so many seconds, or less if the camera is stopped.
        """
        self._connect = connect
        self._settings = settings or CaptureSettings()
        self._clock = clock
        self._stopping = Event()
        self._pause = pause or self._stopping.wait
        self._changed = Condition()
        self._newest: Taken | None = None
        self._heard_s = clock()
        self._every_s = 0.0
        self._state = CameraState(Phase.CONNECTING)
        # A read that hangs cannot be interrupted; as a daemon it does not keep the program alive.
        self._thread = Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    @property
    def state(self) -> CameraState:
        """How the camera is now; one that hangs cannot say so itself."""
        with self._changed:
            silent = self._clock() - self._heard_s > self._settings.silent_s + self._every_s
            if silent and self._state.phase in (Phase.LIVE, Phase.CONNECTING):
                return replace(self._state, phase=Phase.LOST, reason=Reason.SILENT)
            return self._state

    def newest(self, after: int = 0, timeout_s: float = 0.0) -> Taken | None:
        """Return the newest picture if its number is above *after*, waiting for it if need be."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._stopping.is_set() or self._number() > after, timeout_s if timeout_s > 0 else 0
            )
            return self._newest if self._number() > after else None

    def stop(self) -> bool:
        """Stop reading; return whether the device was let go of, and not left to a read that hangs."""
        self._stopping.set()
        with self._changed:
            self._changed.notify_all()
        self._thread.join(self._settings.stop_s)
        return not self._thread.is_alive()

    def __enter__(self) -> Camera:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _number(self) -> int:
        return 0 if self._newest is None else self._newest.number

    def _run(self) -> None:
        pause_s = self._settings.first_pause_s
        while not self._stopping.is_set():
            number = self._number()
            reason = self._session()
            if reason is None or reason is Reason.PLAYED:
                self._become(replace(self._state, phase=Phase.ENDED, reason=reason))
                return
            if self._number() > number:
                pause_s = self._settings.first_pause_s
            self._become(replace(self._state, phase=Phase.LOST, reason=reason))
            self._pause(pause_s)
            pause_s = min(2 * pause_s, self._settings.longest_pause_s)

    def _session(self) -> Reason | None:
        """Connect once and read until it ends; return why it did, or None when stopped."""
        attempts = self._state.attempts + 1
        self._become(CameraState(Phase.CONNECTING, None, attempts, self._state.skipped))
        device = None
        try:
            device = self._connect()
            return self._read_on(device)
        except NoPicture as error:
            return error.reason
        except (cv2.error, OSError, RuntimeError):
            # Drivers report a pulled cable in any of these ways.
            return Reason.NOT_FOUND if device is None else Reason.STOPPED
        finally:
            if device is not None:
                device.release()

    def _read_on(self, device: Device) -> Reason | None:
        missing = 0
        self._every_s = device.every_s
        while not self._stopping.is_set():
            frame = device.read()
            if self._stopping.is_set():
                break
            if frame is None:
                missing += 1
                if missing > self._settings.bad_reads:
                    return Reason.STOPPED
                continue
            missing = 0
            with self._changed:
                self._newest = Taken(self._number() + 1, self._clock(), frame)
            self._become(CameraState(Phase.LIVE, None, 0, device.skipped))
            if device.every_s:
                self._pause(device.every_s)
        return None

    def _become(self, state: CameraState) -> None:
        with self._changed:
            self._state = state
            self._heard_s = self._clock()
            self._changed.notify_all()


def open_camera(source: str, settings: CaptureSettings | None = None) -> Camera:
    """Open a webcam by its number, a stream by its address, or a folder or file to stand in for one.

    Connecting goes on in the background: a webcam that is not plugged in yet is no error.

    Raises:
        ValueError: *source* is none of these.
    """
    settings = settings or CaptureSettings()
    named = source.strip()
    place = Path(named)
    if named.isdecimal() and named.isascii():
        return Camera(lambda: Video(int(named), settings), settings)
    if "://" in named:
        return Camera(lambda: Video(named, settings), settings)
    if named and (place.is_dir() or (place.is_file() and place.suffix.lower() in PHOTOS)):
        return Camera(lambda: Photos(place, settings), settings)
    if named and place.exists():
        return Camera(lambda: Video(named, settings), settings)
    raise ValueError(f"{source!r} is no number of a webcam, no address of a stream, no folder and no file")
