"""What a photograph says of its own lens: phones write the focal length beside the picture.

Without marker cards a small cube under a wide lens looks much like a large one farther away under a longer
lens; knowing the lens tells them apart.
"""

from __future__ import annotations

from io import BytesIO
from math import hypot
from pathlib import Path
from typing import Final

from PIL import ExifTags, Image

# The diagonal of a 36 x 24 mm frame, which focal lengths "in 35 mm film" are told for.
FILM_MM: Final = hypot(36, 24)
# From the widest lenses of phones to ten times zoomed in; anything else, like the 0 of unknown, is no lens.
LENSES_MM: Final = (8, 300)
# Longer by shorter side of photographs as cameras take them. What was cut out of one does not say so, but it
# seldom has one of these shapes.
SHAPES: Final = (4 / 3, 3 / 2, 16 / 9, 1.0)
SAME_SHAPE: Final = 0.01


def told_focal_px(photo: Path | bytes) -> float | None:
    """Return the focal length in pixels that a photograph tells, or None if it does not, or not credibly."""
    try:
        with Image.open(BytesIO(photo) if isinstance(photo, bytes) else photo) as picture:
            width, height = picture.size
            film_mm = picture.getexif().get_ifd(ExifTags.IFD.Exif).get(ExifTags.Base.FocalLengthIn35mmFilm)
    except Exception:
        # Strangers send these bytes, and a photograph is worth looking at whatever is written beside it.
        return None
    if not isinstance(film_mm, int) or not LENSES_MM[0] <= film_mm <= LENSES_MM[1]:
        return None
    shape = max(width, height) / min(width, height)
    if all(abs(shape / usual - 1) > SAME_SHAPE for usual in SHAPES):
        return None
    return film_mm * hypot(width, height) / FILM_MM
