"""Reading a photograph that a stranger sent: upright, or refused before it can do harm."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import cv2
import numpy as np

from vision.pictures import FrameBGR

# The largest phones take 50-megapixel photographs of some 25 MB; more is a mistake or an attack.
MOST_BYTES = 64_000_000
MOST_PIXELS = 64_000_000
# One that grows sharper while it loads is kept whole, as numbers of twice the size, until its end: a gigabyte
# at 64 megapixels. Only messengers and websites write such, far smaller.
MOST_GROWING_PIXELS = 24_000_000

PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8"
# Markers of a JPEG: start of a frame (the picture's size) of any coding, start of the scan, end of the image.
FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
GROWING = {0xC2, 0xC6, 0xCA, 0xCE}
SCAN, END = 0xDA, b"\xff\xd9"
# Each scan of a JPEG takes as long as the whole picture; phones write ten at most.
SCAN_BYTES, MOST_SCANS = b"\xff\xda", 100
# The chunk of a PNG with several pictures, each of which takes the memory of one.
MOVING = b"acTL"
ALONE = {0x01, *range(0xD0, 0xD9)}  # markers without a length


class Why(StrEnum):
    """Why a file is no photograph to look at."""

    TOO_LARGE = "the file is larger than 64 MB"
    TOO_MANY_PIXELS = "the picture has more than 64 million pixels"
    TOO_MANY_GROWING = "the picture is a progressive JPEG of more than 24 million pixels"
    NOT_A_PICTURE = "this is not a JPEG or PNG picture"
    CUT_OFF = "the picture is cut off: the end of the file is missing"
    BROKEN = "the picture is damaged and cannot be read"


class BadPicture(Exception):
    """A file that cannot be looked at; *why* says it in words."""

    def __init__(self, why: Why) -> None:
        super().__init__(str(why))
        self.why = why


def load_photo(file: Path) -> FrameBGR:
    """Read a photograph from a file.

    Raises:
        BadPicture: with the reason.
        OSError: the file cannot be read at all.
    """
    with file.open("rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    return read_photo(data)


def read_photo(data: bytes) -> FrameBGR:
    """Read a photograph, turned as the camera was held.

    The size is read from the header first: a small file can claim, and take, gigabytes.

    Raises:
        BadPicture: with the reason.
    """
    if len(data) > MOST_BYTES:
        raise BadPicture(Why.TOO_LARGE)
    width, height = picture_size(data)
    if width * height > MOST_PIXELS:
        raise BadPicture(Why.TOO_MANY_PIXELS)
    try:
        frame = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise BadPicture(Why.BROKEN) from error
    if frame is None or not frame.size:
        raise BadPicture(Why.BROKEN)
    return np.asarray(frame, np.uint8)


def picture_size(data: bytes) -> tuple[int, int]:
    """Return width and height as the file's header says, before any pixel is read.

    Raises:
        BadPicture: it is no JPEG or PNG, its end is missing, or its parts are longer than the file.
    """
    if data.startswith(PNG):
        if len(data) < 24 or b"IEND" not in data[-64:]:
            raise BadPicture(Why.CUT_OFF)
        if not _chunks_fit(data):
            raise BadPicture(Why.BROKEN)
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    if data.startswith(JPEG):
        return _jpeg_size(data)
    raise BadPicture(Why.NOT_A_PICTURE)


def _chunks_fit(data: bytes) -> bool:
    """Tell whether all chunks of a PNG are in the file and make one picture.

    Decoders take the memory that a chunk claims to need.
    """
    place = len(PNG)
    while place + 8 <= len(data):
        length, kind = int.from_bytes(data[place : place + 4]), data[place + 4 : place + 8]
        place += 12 + length
        if kind == MOVING:
            return False
        if kind == b"IEND":
            return place <= len(data)
    return False


def _jpeg_size(data: bytes) -> tuple[int, int]:
    size = None
    for marker, start, stop in _segments(data):
        if marker in FRAMES and stop - start >= 5:
            size = int.from_bytes(data[start + 3 : start + 5]), int.from_bytes(data[start + 1 : start + 3])
            if marker in GROWING and size[0] * size[1] > MOST_GROWING_PIXELS:
                raise BadPicture(Why.TOO_MANY_GROWING)
        elif marker == SCAN:
            # Inside a scan this pair of bytes means nothing else; a thumbnail's end comes before it.
            if data.rfind(END) < stop:
                raise BadPicture(Why.CUT_OFF)
            if size is None or data.count(SCAN_BYTES) > MOST_SCANS:
                raise BadPicture(Why.BROKEN)
            return size
    raise BadPicture(Why.CUT_OFF)


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Give the marker of each segment of a JPEG, up to the first scan, and where its content is."""
    place = 2
    while place + 4 <= len(data):
        if data[place] != 0xFF:
            raise BadPicture(Why.BROKEN)
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
        elif marker in ALONE:
            place += 2
        else:
            length = int.from_bytes(data[place + 2 : place + 4])
            yield marker, place + 4, place + 2 + length
            place += 2 + max(length, 2)
