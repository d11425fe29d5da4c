"""What looks at the table when no phone does: the server's own camera, or sample tables in its place."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from itertools import cycle
from pathlib import Path
from threading import Lock
from typing import Protocol

from companion.errors import BadData
from companion.message import say
from vision.capture import Camera
from vision.photo import read_photo
from vision.pictures import FrameBGR

PATIENCE_S = 4.0


class Eye(Protocol):
    """Something that can look at the table at any moment."""

    # Whether it looks by itself after cubes were dropped: nobody holds a hand before it.
    by_itself: bool

    @property
    def pictures(self) -> Camera | None:
        """The pictures with which a table can be followed, if there are any."""

    def look(self) -> FrameBGR:
        """Return the table as it is now.

        Raises:
            BadData: there is no picture, with the reason.
        """


class CameraEye:
    """A camera above the table."""

    by_itself = False

    def __init__(self, camera: Camera) -> None:
        self._camera = camera

    @property
    def pictures(self) -> Camera:
        """All that the camera shows."""
        return self._camera

    def look(self) -> FrameBGR:
        """Return the camera's newest picture."""
        taken = self._camera.newest(timeout_s=PATIENCE_S)
        if taken is None:
            raise BadData(say("The camera gives no picture: is it plugged in?"))
        return taken.frame


class SampleEye:
    """Sample tables, one after the other, for people who want to try it without a camera."""

    by_itself = True
    pictures = None

    def __init__(self, pictures: tuple[Callable[[], bytes], ...] | None = None) -> None:
        self._next = cycle(pictures or sample_pictures())
        self._lock = Lock()

    def look(self) -> FrameBGR:
        """Return the next sample table."""
        with self._lock:
            read = next(self._next)
        return read_photo(read())


def sample_pictures() -> tuple[Callable[[], bytes], ...]:
    """Return what reads each of the sample tables that come with the companion."""
    folder = files("web") / "samples"
    found = sorted(
        (file for file in folder.iterdir() if Path(file.name).suffix == ".jpg"), key=lambda f: f.name
    )
    return tuple(file.read_bytes for file in found)
