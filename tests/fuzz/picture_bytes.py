"""Pictures that lie: about their size, their scans, their parts, and what is written beside them."""

import io
import struct
import zlib
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

RENDERED = sorted((Path(__file__).parents[1] / "pictures" / "rendered").glob("*.jpg"))
FORMATS = ("JPEG", "JPEG", "progressive", "CMYK", "grey", "PNG", "PNG")
FOREIGN = ("GIF", "WEBP", "TIFF", "BMP", "PPM", "ICO")
ORIENTATION, FOCAL = 0x0112, 0xA405
PNG_HEAD = 33  # signature and IHDR


@cache
def a_picture(number, width, form):
    """Return a rendered table so many pixels wide, in another form."""
    with Image.open(RENDERED[number]) as table:
        table = table.resize((width, max(1, width * table.height // table.width)))
    return _written(table, form)


def flat(width, height, form="PNG"):
    """Return a picture of one colour."""
    return _written(Image.new("RGB", (width, height), (90, 80, 70)), form)


def noise(width, height, seed):
    """Return a picture of nothing but edges."""
    dots = np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)
    return _written(Image.fromarray(dots), "JPEG")


def _written(picture, form):
    out = io.BytesIO()
    if form in ("CMYK", "grey"):
        picture.convert("CMYK" if form == "CMYK" else "L").save(out, "JPEG")
    elif form == "progressive":
        picture.save(out, "JPEG", progressive=True)
    else:
        picture.save(out, form)
    return out.getvalue()


def with_size(data, width, height):
    """Return a picture that claims another size."""
    if data.startswith(b"\x89PNG"):
        head = struct.pack(">II", width % 2**32, height % 2**32) + data[24:29]
        return data[:8] + _chunk(b"IHDR", head) + data[PNG_HEAD:]
    for start in (b"\xff\xc0", b"\xff\xc2"):
        at = data.find(start)
        if at >= 0:
            return data[: at + 5] + struct.pack(">HH", height % 2**16, width % 2**16) + data[at + 9 :]
    return data


def with_scans(data, count):
    """Return a progressive JPEG with so many more scans, all of them empty."""
    empty = b"\xff\xda" + struct.pack(">H", 8) + bytes((1, 1, 0, 1, 63, 0))
    return data.removesuffix(b"\xff\xd9") + empty * count + b"\xff\xd9"


def with_exif(data, orientation, focal):
    """Return a JPEG that says how the camera was held, and through which lens."""
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    exif.get_ifd(0x8769)[FOCAL] = focal
    content = exif.tobytes()
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(content) + 2) + content + data[2:]


def with_chunk(data, kind, content, *, length=None):
    """Return a PNG with one more part after its header; *length* is what it claims."""
    return data[:PNG_HEAD] + _chunk(kind, content, length) + data[PNG_HEAD:]


def bomb(size):
    """Return a text part that is a thousand times as long once it is unpacked."""
    return b"Comment\x00\x00" + zlib.compress(bytes(size), 9)


ANIMATION = {
    b"acTL": struct.pack(">II", 2, 0),
    b"fcTL": struct.pack(">IIIIIHHBB", 0, 2**31 - 1, 2**31 - 1, 0, 0, 1, 10, 0, 0),
}


def animated(width, height):
    """Return a PNG of 16 bits that claims to move."""
    row = zlib.compressobj(9)
    packed = b"".join(row.compress(bytes(1 + 8 * width)) for _ in range(height)) + row.flush()
    head = struct.pack(">IIBBBBB", width, height, 16, 6, 0, 0, 0)
    frame = struct.pack(">IIIIIHHBB", 0, width, height, 0, 0, 1, 10, 0, 0)
    moves = ((b"acTL", ANIMATION[b"acTL"]), (b"fcTL", frame))
    parts = ((b"IHDR", head), *moves, (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(kind, content, length=None):
    claimed = len(content) if length is None else length % 2**32
    return struct.pack(">I", claimed) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
