"""Photographs are read upright; what is none is refused in words, quickly and in bounded memory."""

import struct
import tracemalloc
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.photo import MOST_BYTES, BadPicture, Why, load_photo, picture_size, read_photo


def a_picture(width=120, height=80):
    """Return a picture that is red at the top left, green at the top right, blue below."""
    picture = np.zeros((height, width, 3), np.uint8)
    picture[: height // 2, : width // 2] = (0, 0, 255)
    picture[: height // 2, width // 2 :] = (0, 255, 0)
    picture[height // 2 :] = (255, 0, 0)
    return picture


def encoded(kind, picture=None, *options):
    return cv2.imencode(kind, a_picture() if picture is None else picture, options)[1].tobytes()


def with_orientation(jpeg, orientation):
    """Return a JPEG that says how the camera was held."""
    tiff = b"II*\x00\x08\x00\x00\x00\x01\x00" + struct.pack("<HHIHHI", 0x0112, 3, 1, orientation, 0, 0)
    exif = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def a_bomb(width, height):
    """Return a small PNG that claims to be huge."""

    def chunk(kind, content):
        checked = kind + content
        return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\x00" * min((3 * width + 1) * height, 3_000_000), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def a_growing_jpeg(width, height):
    """Return a small progressive JPEG that claims to be large."""
    data = encoded(".jpg", None, cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
    at = data.index(b"\xff\xc2") + 5
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]


def why(data):
    with pytest.raises(BadPicture) as caught:
        read_photo(data)
    return caught.value.why


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(encoded(".png"), id="PNG"),
        pytest.param(encoded(".jpg", None, cv2.IMWRITE_JPEG_QUALITY, 95), id="JPEG"),
        pytest.param(encoded(".jpg", None, cv2.IMWRITE_JPEG_PROGRESSIVE, 1), id="progressive JPEG"),
        pytest.param(
            encoded(".png", np.dstack((a_picture(), np.full((80, 120), 9, np.uint8)))), id="see-through"
        ),
        pytest.param(encoded(".png", a_picture().astype(np.uint16) * 257), id="16 bits"),
        pytest.param(encoded(".jpg") + b"what a phone adds", id="JPEG with something behind it"),
    ],
)
def test_a_picture_is_read_in_colour(data):
    frame = read_photo(data)

    assert frame.shape == (80, 120, 3)
    assert frame.dtype == np.uint8
    assert frame[10, 10].tolist() == pytest.approx([0, 0, 255], abs=12)
    assert frame[10, 110].tolist() == pytest.approx([0, 255, 0], abs=12)
    assert frame[70, 60].tolist() == pytest.approx([255, 0, 0], abs=12)


def test_a_grey_picture_becomes_a_coloured_one():
    assert read_photo(encoded(".png", np.full((5, 7), 40, np.uint8))).tolist() == [[[40] * 3] * 7] * 5


def test_one_pixel_is_a_picture():
    assert read_photo(encoded(".png", np.zeros((1, 1, 3), np.uint8))).shape == (1, 1, 3)


@pytest.mark.parametrize(
    ("orientation", "red_at"), [(1, (10, 10)), (3, (70, 110)), (6, (10, 70)), (8, (110, 10))]
)
def test_a_photograph_is_turned_as_the_camera_was_held(orientation, red_at):
    frame = read_photo(with_orientation(encoded(".jpg"), orientation))

    assert frame.shape[:2] == ((80, 120) if orientation in (1, 3) else (120, 80))
    assert frame[red_at].tolist() == pytest.approx([0, 0, 255], abs=30)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(b"", Why.NOT_A_PICTURE, id="nothing"),
        pytest.param(b"hello, I am a text", Why.NOT_A_PICTURE, id="a text"),
        pytest.param(b"GIF89a" + bytes(50), Why.NOT_A_PICTURE, id="a GIF"),
        pytest.param(encoded(".jpg")[:2], Why.CUT_OFF, id="the beginning of a JPEG"),
        pytest.param(encoded(".jpg")[:-300], Why.CUT_OFF, id="a JPEG without its end"),
        pytest.param(encoded(".png")[:-30], Why.CUT_OFF, id="a PNG without its end"),
        pytest.param(encoded(".png")[:10], Why.CUT_OFF, id="the beginning of a PNG"),
        pytest.param(b"\xff\xd8" + bytes(range(200)), Why.BROKEN, id="junk that begins as a JPEG"),
        pytest.param(a_bomb(12_000, 9_000), Why.TOO_MANY_PIXELS, id="a PNG of 108 megapixels"),
        pytest.param(a_bomb(2**31 - 1, 2**31 - 1), Why.TOO_MANY_PIXELS, id="a PNG larger than any"),
        pytest.param(a_growing_jpeg(6_000, 4_001), Why.TOO_MANY_GROWING, id="a large progressive JPEG"),
        pytest.param(a_bomb(0, 5), Why.BROKEN, id="a PNG without pixels"),
        pytest.param(bytes(MOST_BYTES + 1), Why.TOO_LARGE, id="a file of 64 MB"),
    ],
)
def test_what_is_no_photograph_is_refused_with_the_reason(data, reason):
    assert why(data) == reason


def test_a_progressive_photograph_as_messengers_send_them_is_read():
    assert picture_size(a_growing_jpeg(6_000, 4_000)) == (6_000, 4_000)


def test_a_bomb_is_refused_before_it_takes_memory():
    data = a_bomb(12_000, 9_000)
    tracemalloc.start()

    assert why(data) == Why.TOO_MANY_PIXELS

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


def test_the_thumbnail_of_a_cut_off_photograph_is_not_taken_for_its_end():
    jpeg, thumbnail = encoded(".jpg"), encoded(".jpg", a_picture(16, 12))
    held = b"Exif\x00\x00" + thumbnail
    data = jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(held) + 2) + held + jpeg[2:]
    assert picture_size(data) == (120, 80)

    assert why(data[:-200]) == Why.CUT_OFF


@given(
    st.binary(max_size=300), st.sampled_from([b"", b"\xff\xd8", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n"])
)
def test_any_bytes_are_read_or_refused(junk, beginning):
    try:
        frame = read_photo(beginning + junk)
    except BadPicture:
        return

    assert frame.ndim == 3


@given(st.sampled_from([".jpg", ".png"]), st.integers(2, 3000), st.integers(0, 255))
def test_a_picture_with_a_wrong_byte_is_read_or_refused(kind, place, value):
    data = bytearray(encoded(kind))
    data[place % len(data)] = value

    try:
        frame = read_photo(bytes(data))
    except BadPicture:
        return

    assert frame.ndim == 3


def test_a_chunk_that_claims_half_a_gigabyte_takes_no_memory():
    data = bytearray(encoded(".png"))
    data[33] = 31  # the first byte of the length of the second chunk
    with pytest.raises(BadPicture) as caught:
        picture_size(bytes(data))
    assert caught.value.why is Why.BROKEN


def test_a_file_is_read_whatever_it_is_called(tmp_path):
    (tmp_path / "Tür é.jpg").write_bytes(encoded(".png"))

    assert load_photo(tmp_path / "Tür é.jpg").shape == (80, 120, 3)


def test_a_huge_file_is_not_read_to_its_end(tmp_path):
    with (tmp_path / "huge.jpg").open("wb") as stream:
        stream.truncate(2_000_000_000)

    with pytest.raises(BadPicture, match="larger than 64 MB"):
        load_photo(tmp_path / "huge.jpg")


def test_a_missing_file_is_told_by_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_photo(tmp_path / "nothing.jpg")
