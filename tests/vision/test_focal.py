"""What photographs say of their lens, and that nothing written beside one does harm."""

from __future__ import annotations

from io import BytesIO

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ExifTags, Image

from vision.focal import told_focal_px


def photograph(size: tuple[int, int] = (400, 300), film_mm: object = 26) -> bytes:
    """A JPEG whose camera says it has a lens of so many millimetres."""
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm] = film_mm
    stream = BytesIO()
    Image.new("RGB", size, "white").save(stream, "JPEG", exif=exif)
    return stream.getvalue()


def test_a_phone_tells_its_lens() -> None:
    """Photographs of a 26 mm lens show 79.5 degrees across their diagonal."""
    told = told_focal_px(photograph((4000, 3000), 26))
    assert told is not None
    assert np.degrees(2 * np.arctan(2500 / told)) == pytest.approx(79.5, abs=0.1)


def test_upright_photographs_have_the_same_lens() -> None:
    assert told_focal_px(photograph((300, 400))) == told_focal_px(photograph((400, 300)))


def test_it_is_read_from_a_file_as_well(tmp_path) -> None:
    file = tmp_path / "é.jpg"
    file.write_bytes(photograph())
    assert told_focal_px(file) == told_focal_px(photograph())


@pytest.mark.parametrize("film_mm", [0, 1, 5000, 65535])
def test_what_no_lens_has_is_not_believed(film_mm: int) -> None:
    assert told_focal_px(photograph(film_mm=film_mm)) is None


def test_a_photograph_that_was_cut_is_not_believed() -> None:
    assert told_focal_px(photograph((400, 250))) is None


def test_a_picture_without_a_camera_tells_nothing() -> None:
    _, packed = cv2.imencode(".jpg", np.zeros((30, 40, 3), np.uint8))
    assert told_focal_px(packed.tobytes()) is None


@pytest.mark.parametrize(
    "data", [b"", b"text", b"\xff\xd8\xff\xe1\xff\xff", b"\x89PNG\r\n\x1a\n" + bytes(40)]
)
def test_what_is_no_picture_tells_nothing(data: bytes) -> None:
    assert told_focal_px(data) is None


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), min_size=1, max_size=12))
def test_damaged_words_do_no_harm(changes: list[tuple[int, int]]) -> None:
    data = bytearray(photograph())
    for place, value in changes:
        data[place % len(data)] = value
    told = told_focal_px(bytes(data))
    assert told is None or told > 0
