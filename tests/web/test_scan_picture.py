"""What a scan saw, drawn on the photo."""

import cv2
import numpy as np
import pytest

from companion.dungeon_drop.pieces import Kind
from tests.web.scans import SIZE_PX, a_plane, a_scan, a_seen_cube, one_room
from vision.seen import Source
from web.dungeon_drop.marks import MARKS
from web.dungeon_drop.scan_picture import LONGEST_PX, draw_scan, write_picture


def a_photo(size_px=SIZE_PX, grey=127):
    width, height = size_px
    return np.full((height, width, 3), grey, np.uint8)


def bgr(colour):
    return [int(colour[at : at + 2], 16) for at in (5, 3, 1)]


def has_colour(picture, colour):
    return (np.abs(picture.astype(int) - bgr(colour)).max(axis=2) < 12).any()


def around(picture, cube, margin=8):
    """Return the part of a picture in which a cube is drawn."""
    (left, top), (right, bottom) = cube.outline_px.min(axis=0), cube.outline_px.max(axis=0)
    return picture[int(top) - margin : int(bottom) + margin, int(left) - margin : int(right) + margin]


def changed(picture, photo):
    return (picture != photo).any(axis=2)


def rows_of_the_legend(picture, photo):
    """Return which rows of pixels are dimmed from the left edge to the right."""
    return np.flatnonzero(changed(picture, photo).mean(axis=1) > 0.95)


# Cubes


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("grey", [0, 127, 255], ids=["black table", "grey table", "white table"])
def test_every_kind_is_drawn_in_its_colour_and_set_off_from_any_table(kind, grey):
    cube, photo = a_seen_cube(0, kind, 0, 0), a_photo(grey=grey)

    part = around(draw_scan(photo, a_scan(cube)), cube)

    assert has_colour(part, MARKS[kind].colour)
    brightness = part.mean(axis=2)
    assert brightness.max() - brightness.min() > 80


def test_the_photo_is_untouched_where_nothing_is_drawn():
    photo = np.random.default_rng(1).integers(0, 256, (480, 640, 3), np.uint8)
    before = photo.copy()

    picture = draw_scan(photo, a_scan(a_seen_cube(0, "gold", 0, 0)))

    assert picture.shape == photo.shape and picture.dtype == np.uint8
    assert (photo == before).all()
    assert not changed(picture, photo)[100:180].any()
    assert not changed(picture, photo)[100:380, :280].any()
    assert changed(picture, photo)[225:255, 305:335].any()


def test_an_outline_runs_along_the_edge_of_the_cube():
    cube, photo = a_seen_cube(0, "gold", 10, 20, size="huge"), a_photo()

    picture = draw_scan(photo, a_scan(cube))

    for corner, following in zip(cube.outline_px, np.roll(cube.outline_px, -1, axis=0), strict=True):
        x, y = np.round(corner + 0.3 * (following - corner)).astype(int)
        assert has_colour(picture[y - 2 : y + 3, x - 2 : x + 3], MARKS[Kind.GOLD].colour)


def test_a_doubtful_cube_is_dashed():
    def coloured(confidence):
        cube = a_seen_cube(0, "key", 0, 0, size="huge", confidence=confidence)
        picture = draw_scan(a_photo(), a_scan(cube))
        near = np.abs(picture[200:280, 280:360].astype(int) - bgr(MARKS[Kind.KEY].colour)).max(axis=2)
        return (near < 12).sum()

    assert coloured(0.79) < 0.85 * coloured(0.81)


def test_cubes_half_outside_the_photo_and_neighbours_do_no_harm():
    cubes = [
        a_seen_cube(id, "gold", x, y) for id, (x, y) in enumerate([(-107, 0), (107, 0), (0, 80), (0, -81)])
    ]
    cubes += [a_seen_cube(9, "pillar", 500, 500), a_seen_cube(10, "key", 0, 0), a_seen_cube(11, "key", 2, 2)]

    assert draw_scan(a_photo(), a_scan(*cubes)).shape == (480, 640, 3)


@pytest.mark.parametrize("source", Source)
@pytest.mark.parametrize("size_px", [(640, 480), (480, 640), (90, 60), (1, 1)], ids=str)
def test_any_size_of_photo_can_be_drawn_on(source, size_px):
    scan = a_scan(*one_room(), source=source, size_px=size_px)

    assert draw_scan(a_photo(size_px), scan).shape == (*size_px[::-1], 3)


def test_a_huge_photo_is_shrunk_together_with_what_is_drawn():
    size_px = (2 * LONGEST_PX, 300)
    cube = a_seen_cube(0, "gem_blue", 500, 0, size="huge", plane=a_plane(size_px=size_px))

    picture = draw_scan(a_photo(size_px), a_scan(cube, size_px=size_px))

    assert picture.shape == (150, LONGEST_PX, 3)
    x, y = (cube.centre_px / 2).astype(int)
    assert has_colour(picture[y - 12 : y + 12, x - 12 : x + 12], MARKS[Kind.GEM_BLUE].colour)


# The legend


def test_the_legend_lies_at_the_edge_where_fewer_cubes_are():
    photo = a_photo()
    low, high = a_seen_cube(0, "gold", 0, -74), a_seen_cube(0, "gold", 0, 74)

    below = rows_of_the_legend(draw_scan(photo, a_scan(high)), photo)
    above = rows_of_the_legend(draw_scan(photo, a_scan(low)), photo)

    assert below.min() > 400 and below.max() == 479
    assert above.min() == 0 and above.max() < 80


def test_the_legend_leaves_most_of_the_photo_free():
    photo = a_photo((1920, 1080))
    cubes = [a_seen_cube(id, kind, 0, 0) for id, kind in enumerate(Kind)]

    picture = draw_scan(photo, a_scan(*cubes, size_px=(1920, 1080)))

    assert len(rows_of_the_legend(picture, photo)) < 0.12 * 1080


def test_a_photo_without_cubes_still_says_so():
    photo = a_photo()

    assert len(rows_of_the_legend(draw_scan(photo, a_scan()), photo)) > 0


# Files


@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".jpg", b"\xff\xd8")])
def test_a_picture_is_written_as_png_or_jpeg(suffix, start):
    picture = draw_scan(a_photo(), a_scan(*one_room()))

    data = write_picture(picture, suffix)

    assert data.startswith(start)
    read = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert np.abs(read.astype(int) - picture).mean() < 2
