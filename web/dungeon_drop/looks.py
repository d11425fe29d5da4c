"""The newest look at every table: photos are read one after the other in the background and kept on disk.

A photo is kept as it is shown: upright, not larger than a screen needs, and without anything that a phone
writes beside it, such as where it was taken.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, Protocol, TypeVar
from uuid import uuid4

import cv2
import numpy as np

from companion.errors import BadData, StoreTrouble
from companion.message import say
from vision.focal import told_focal_px
from vision.photo import BadPicture, Why, read_photo
from vision.pictures import FrameBGR
from vision.profile import Profile
from vision.seen import Scan
from web.dungeon_drop.carry import carried_on
from web.dungeon_drop.look import Look, Status, look_of, read_look, write_look

# What a phone shows; the scan is made of the whole photo.
# Larger numbers are nobody's: no file has such a name, no photo such an edge.
MOST_PHOTOS = 10**9
LONGEST_EDGE_PX = 10**6
LONGEST_SHOWN_PX: Final = 1920
JPEG_QUALITY: Final = 86
# Photos of all tables that wait at once: more is a mistake or mischief.
MOST_WAITING: Final = 12
# Looks of a table that are kept, the newest: what changed since is told from the one before.
KEPT: Final = 2

_FAR: Final = {Status.WAITING: 0, Status.READING: 1, Status.READ: 2, Status.REFUSED: 2}

# Why there is no look if the server's camera gives no picture.
NO_CAMERA: Final = "no camera"

# What the whole photo is called beside the one for phones.
_LARGE: Final = "large"

Box = tuple[int, int, int, int]
_Answer = TypeVar("_Answer")
_Load = Callable[[], tuple[FrameBGR, float | None]]
_LOG = logging.getLogger(__name__)


class Sees(Protocol):
    """What reads photos: the scanner, or something quicker in tests."""

    def scan(
        self,
        frame: FrameBGR,
        *,
        focal_px: float | None = None,
        profile: Profile | None = None,
        solo: bool = True,
    ) -> Scan:
        """Find all cubes in a picture; those for who plays alone only if there are any."""


class Looks:
    """The looks at all tables; safe to use from many threads."""

    def __init__(
        self,
        folder: Path,
        scanner: Callable[[], Sees],
        changed: Callable[[str], None],
        profile: Callable[[], Profile | None] = lambda: None,
    ) -> None:
        """Keep looks in *folder*.

        Args:
            scanner: makes what reads photos, at the first one: it takes a second to load.
            changed: told the code of a table whenever its look has changed.
            profile: gives what is known of this owner's pieces.
        """
        self._folder = folder
        self._make_scanner = scanner
        self._scanner: Sees | None = None
        self._changed = changed
        self._profile = profile
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="photos")
        self._lock = threading.RLock()
        self._current: dict[str, Look | None] = {}
        self._waiting = 0
        self._warm = False
        # A large photo takes a hundred megabytes while a part is cut out: one after the other.
        self._decoding = threading.Lock()

    def current(self, code: str) -> Look | None:
        """Return the newest look at a table."""
        with self._lock:
            if code not in self._current:
                self._current[code] = self._newest(code)
            return self._current[code]

    def previous(self, code: str) -> Look | None:
        """Return the look before the newest, if it was read and is still kept."""
        look = self.current(code)
        before = None if look is None else self._load(code, look.number - 1)
        return before if before is not None and before.status is Status.READ else None

    def stamp(self, code: str) -> int:
        """Return a number that grows with every look, with how far it is read, and with every correction."""
        look = self.current(code)
        return 1_000_000 * look.number + 100_000 * _FAR[look.status] + look.edits if look else 0

    def take(self, code: str, data: bytes, *, solo: bool = True) -> Look:
        """Accept a photo that a phone sent; it is read in the background.

        Args:
            solo: whether the cubes for those who play alone may be on the table.

        Raises:
            BadData: too many photos wait already.
        """
        return self._queue(code, lambda: (read_photo(data), told_focal_px(data)), solo)

    def take_frame(self, code: str, look: Callable[[], FrameBGR], *, solo: bool = True) -> Look:
        """Let the server's own camera look; also in the background.

        Raises:
            BadData: too many photos wait already.
        """
        return self._queue(code, lambda: (look(), None), solo)

    def _queue(self, code: str, load: _Load, solo: bool) -> Look:
        with self._lock:
            if self._waiting >= MOST_WAITING:
                raise BadData(say("Too many photos are waiting to be read. Try again in a moment."))
            self._waiting += 1
            before = self.current(code)
            look = Look(number=before.number + 1 if before else 1)
            self._current[code] = look
        self._worker.submit(self._read, code, look.number, load, solo)
        self._changed(code)
        return look

    def warm_up(self) -> None:
        """Make the scanner ready while nobody waits for it: the first photo is not slower than the others."""
        if self._scanner is None and not self._warm:
            self._warm = True
            self._worker.submit(self._the_scanner)

    def ask(self, question: Callable[[Sees], _Answer]) -> _Answer:
        """Let the scanner answer a question between two photos, and wait for it.

        Raises:
            BadData: too many photos wait.
        """
        with self._lock:
            if self._waiting >= MOST_WAITING:
                raise BadData(say("Too many photos are waiting to be read. Try again in a moment."))
            self._waiting += 1

        def answer() -> _Answer:
            try:
                return question(self._the_scanner())
            finally:
                with self._lock:
                    self._waiting -= 1

        return self._worker.submit(answer).result()

    def show(
        self,
        code: str,
        scan: Scan,
        frame: FrameBGR,
        ids_from: int | None = None,
        wanted: Callable[[], bool] = lambda: True,
    ) -> Look | None:
        """Accept what somebody saw who follows the table.

        Args:
            ids_from: the first look that numbers the cubes like this; ignored if the one before does not.
            wanted: asked at the last moment, when nobody else can put a photo in between.
        """
        with self._lock:
            if not wanted():
                return None
            before = self.current(code)
            number = before.number + 1 if before else 1
            look = replace(look_of(number, scan), ids_from=number)
            if before is not None and before.ids_from == ids_from:
                look = carried_on(before, replace(look, ids_from=before.ids_from))
            try:
                # Kept before anybody is told of it: phones ask for its picture at once.
                self._keep(code, look, frame)
            except StoreTrouble:
                _LOG.warning("a photo could not be kept")
            self._current[code] = look
        self._changed(code)
        return look

    def change(self, code: str, number: int, how: Callable[[Look], Look]) -> Look:
        """Correct the look that a phone has seen.

        Raises:
            BadData: there is a newer one, or none.
            StoreTrouble: the correction could not be kept.
        """
        with self._lock:
            look = self.current(code)
            if look is None or not look.names_as(number) or look.status is not Status.READ:
                raise BadData(say("There is a newer photo of this table."))
            after = how(look)
            self._keep(code, after)
            self._current[code] = after
        self._changed(code)
        return after

    def photo(self, code: str, number: int) -> Path | None:
        """Return the file of a photo as it is shown, if it is still there."""
        if number > MOST_PHOTOS:
            return None
        file = self._place(code) / f"{number}.jpg"
        return file if file.is_file() else None

    def close_up(self, code: str, number: int, box: Box) -> bytes | None:
        """Return a part of a photo, left, top, right and bottom in its pixels, as sharp as it was taken."""
        look = self.current(code)
        if look is None or look.number != number or not look.size_px[0] or max(box) > LONGEST_EDGE_PX:
            return None
        files = (self._place(code) / f"{number}{kind}.jpg" for kind in (f"-{_LARGE}", ""))
        file = next((file for file in files if file.is_file()), None)
        with self._decoding:
            frame = None if file is None else cv2.imread(str(file), cv2.IMREAD_COLOR)
        if frame is None:
            return None
        scale = frame.shape[1] / look.size_px[0]
        left, top, right, bottom = (round(edge * scale) for edge in box)
        part = frame[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
        return _packed(np.asarray(part, np.uint8)) if part.size else None

    def close(self) -> None:
        """Stop reading; what waits is dropped."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _place(self, code: str) -> Path:
        return self._folder / code

    def _read(self, code: str, number: int, load: _Load, solo: bool) -> None:
        frame: FrameBGR | None = None
        try:
            self._now(code, Look(number=number, status=Status.READING))
            look, frame = self._looked(code, number, load, solo)
        except Exception:
            # Whatever goes wrong with one photo, the next one must be read.
            _LOG.exception("a photo could not be read")
            look = Look(number=number, status=Status.REFUSED, why=str(Why.BROKEN))
        with suppress(StoreTrouble):
            if look.status is Status.REFUSED:
                self._keep(code, look)  # so that numbers go on after a restart
        with self._lock:
            self._waiting -= 1
        self._now(code, look)
        if frame is not None and max(frame.shape) > LONGEST_SHOWN_PX:
            # Only for close-ups, so nobody waits for it.
            with suppress(OSError):
                _write(self._place(code) / f"{number}-{_LARGE}.jpg", _packed(frame))

    def _looked(self, code: str, number: int, load: _Load, solo: bool) -> tuple[Look, FrameBGR | None]:
        try:
            frame, focal_px = load()
        except BadPicture as error:
            return Look(number=number, status=Status.REFUSED, why=str(error.why)), None
        except BadData:
            return Look(number=number, status=Status.REFUSED, why=NO_CAMERA), None
        seen = self._the_scanner().scan(frame, focal_px=focal_px, profile=self._profile(), solo=solo)
        look = look_of(number, seen)
        try:
            self._keep(code, look, frame)
        except StoreTrouble:
            _LOG.warning("a photo could not be kept")
        return look, frame

    def _the_scanner(self) -> Sees:
        if self._scanner is None:
            self._scanner = self._make_scanner()
        return self._scanner

    def _now(self, code: str, look: Look) -> None:
        with self._lock:
            newest = self._current.get(code)
            if newest is not None and newest.number > look.number:
                return
            self._current[code] = look
        self._changed(code)

    def _keep(self, code: str, look: Look, frame: FrameBGR | None = None) -> None:
        place = self._place(code)
        try:
            place.mkdir(parents=True, exist_ok=True)
            if frame is not None:
                _write(place / f"{look.number}.jpg", _shown(frame))
            _write(place / f"{look.number}.json", json.dumps(write_look(look)).encode())
            for file in place.iterdir():
                number = file.stem.removesuffix(f"-{_LARGE}")
                if number.isdecimal() and int(number) <= look.number - KEPT:
                    file.unlink(missing_ok=True)
        except OSError as error:
            raise StoreTrouble(say("The photo could not be kept: is the disk full?")) from error

    def _newest(self, code: str) -> Look | None:
        numbers = (int(file.stem) for file in self._place(code).glob("*.json") if file.stem.isdecimal())
        looks = (self._load(code, number) for number in sorted(numbers, reverse=True))
        return next((look for look in looks if look is not None), None)

    def _load(self, code: str, number: int) -> Look | None:
        file = self._place(code) / f"{number}.json"
        if not file.is_file():
            return None
        try:
            return read_look(json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError):
            _LOG.warning("a look could not be read again")
            return None


def _shown(frame: FrameBGR) -> bytes:
    """Return a photo as phones get it."""
    height, width = frame.shape[:2]
    scale = min(1.0, LONGEST_SHOWN_PX / max(height, width))
    if scale < 1:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        frame = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
    return _packed(frame)


def _packed(frame: FrameBGR) -> bytes:
    _, packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return packed.tobytes()


def _write(file: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    part = file.with_suffix(f"{file.suffix}.{uuid4().hex}.part")
    try:
        part.write_bytes(content)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
