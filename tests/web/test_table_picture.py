"""``dungeon rooms --picture``: the table, its best rooms and good places for pawns, as SVG and as PNG."""

import json
import random
import re
from itertools import pairwise
from math import dist
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.dungeon_drop.pieces import Kind
from web.command_line import dungeon
from web.dungeon_drop.marks import MARKS

SVG = "{http://www.w3.org/2000/svg}"
GOLD_BGR = tuple(int(MARKS[Kind.GOLD].colour[at : at + 2], 16) for at in (5, 3, 1))


def a_cube(id, kind, x, y, *, yaw=0.0, size="small"):
    return {"id": id, "type": str(kind), "size": size, "centre_mm": [x, y], "yaw_deg": yaw}


def a_table(*cubes):
    return {"cubes": list(cubes)}


def three_pillars(width=100):
    return [
        a_cube(0, "pillar", 0, 0),
        a_cube(1, "pillar", width, 0),
        a_cube(2, "pillar", 0, width),
    ]


def one_of_each():
    """Return cubes of every kind in a row, 20 mm apart."""
    return [a_cube(id, kind, id * 20, id % 2 * 30, yaw=id * 10) for id, kind in enumerate(Kind)]


def random_table(seed, pillars=8, others=20):
    """Drop pillars and treasure anywhere: no number in the picture is then a monster's."""
    rng = random.Random(seed)
    kinds = ["pillar"] * pillars + rng.choices(["gold", "gold", "key", "chest", "relic"], k=others)
    return a_table(
        *(
            a_cube(id, kind, rng.gauss(0, 60), rng.gauss(0, 60), yaw=rng.uniform(0, 90))
            for id, kind in enumerate(kinds)
        )
    )


def run(table, *options):
    arguments = ["rooms", "-", *map(str, options)]
    return CliRunner().invoke(dungeon, arguments, input=json.dumps(table), catch_exceptions=False)


def error_of(result):
    """Return the one line of a failed command."""
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("dungeon: ")
    return line.removeprefix("dungeon: ")


class Picture:
    """What is drawn in an SVG file."""

    def __init__(self, text):
        assert not re.search(r"\b(nan|inf|none,|e[+-]\d)", text)
        root = ElementTree.fromstring(text)
        assert root.tag == f"{SVG}svg"
        self.width, self.height = int(root.get("width")), int(root.get("height"))
        self.polygons = root.findall(f"{SVG}polygon")
        self.discs = root.findall(f"{SVG}circle")
        self.texts = [text.text for text in root.findall(f"{SVG}text")]
        self.places = [(float(text.get("x")), float(text.get("y"))) for text in root.findall(f"{SVG}text")]

    @property
    def cubes(self):
        """The outlines of all cubes: filled, with a line around them."""
        return [
            polygon
            for polygon in self.polygons
            if polygon.get("stroke") and polygon.get("fill") != "none" and not polygon.get("fill-opacity")
        ]

    def cubes_of(self, kind):
        """Return the corners of the cubes that have the colour of a kind."""
        colour = MARKS[kind].colour
        return [
            corners_of(polygon)
            for polygon in self.cubes
            if colour in (polygon.get("fill"), polygon.get("stroke"))
        ]

    @property
    def rooms(self):
        """The corners of the rooms: cubes can be seen through them."""
        return [corners_of(polygon) for polygon in self.polygons if polygon.get("fill-opacity")]

    @property
    def dashed(self):
        """The corners of what is only outlined."""
        return [corners_of(polygon) for polygon in self.polygons if polygon.get("fill") == "none"]

    def holds(self, points):
        return all(0 <= x <= self.width and 0 <= y <= self.height for x, y in points)


def corners_of(polygon):
    return [tuple(map(float, point.split(","))) for point in polygon.get("points").split()]


def beside_letter(outline, share=0.5):
    """Return points of a cube between the letter in the middle and the middle of each edge."""
    x, y = middle(outline)
    edges = [middle((outline[place - 1], corner)) for place, corner in enumerate(outline)]
    return [(x + share * (u - x), y + share * (v - y)) for u, v in edges]


def is_gold(pixels, spot):
    """Tell whether a pixel has the colour of gold."""
    colour = pixels[round(spot[1]), round(spot[0])].astype(int)
    return np.abs(colour - GOLD_BGR).max() < 15


def middle(points):
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))


@pytest.fixture
def draw(tmp_path):
    """Draw a table; return what is in the SVG."""

    def draw(table, *options):
        file = tmp_path / "table.svg"
        result = run(table, "--picture", file, *options)
        assert (result.exit_code, result.stderr) == (0, "")
        return Picture(file.read_text("utf-8"))

    return draw


@pytest.fixture
def paint(tmp_path):
    """Paint a table; return the pixels of the PNG."""

    def paint(table, *options):
        file = tmp_path / "table.png"
        result = run(table, "--picture", file, *options)
        assert (result.exit_code, result.stderr) == (0, "")
        assert file.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
        return cv2.imread(str(file), cv2.IMREAD_COLOR)

    return paint


# SVG


def test_every_cube_and_every_room_asked_for_is_one_shape(draw):
    table = random_table(1)

    picture = draw(table, "--doubt", 0, "--top", 4)

    assert len(picture.rooms) == 4
    assert len(picture.cubes) == len(table["cubes"])
    for kind in ("pillar", "gold", "key", "chest", "relic"):
        of_kind = [cube for cube in table["cubes"] if cube["type"] == kind]
        assert len(picture.cubes_of(kind)) == len(of_kind) > 0


def test_every_kind_has_its_own_letter_and_colour(draw):
    picture = draw(a_table(*one_of_each()))

    letters = [mark.letter for mark in MARKS.values()]
    assert len(set(letters)) == len(set(Kind)) == len({mark.colour for mark in MARKS.values()})
    assert set(letters) <= set(picture.texts)
    for kind in Kind:
        at = picture.places[picture.texts.index(MARKS[kind].letter)]
        (outline,) = picture.cubes_of(kind)
        assert dist(at, middle(outline)) < 0.1 * dist(outline[0], outline[2])


def test_the_kinds_on_the_table_are_explained_below_it(draw):
    everything, little = draw(a_table(*one_of_each())), draw(a_table(*three_pillars()))

    names = {str(mark.name) for mark in MARKS.values()}
    assert names <= set(everything.texts)
    assert names & set(little.texts) == {"pillar"}


@pytest.mark.parametrize("top", [1, 3, 5])
def test_rooms_are_numbered_on_the_table_and_below_it(draw, top):
    picture = draw(random_table(2), "--top", top)

    numbers = [text for text in picture.texts if text.isdigit()]
    assert sorted(numbers) == sorted([*map(str, range(1, top + 1))] * 2)
    assert len([text for text in picture.texts if text.startswith("gain ")]) == top


def test_three_rooms_are_drawn_if_nobody_asks_for_a_number(draw):
    assert len(draw(random_table(2)).rooms) == 3


def test_the_best_room_is_drawn_around_its_pillars(draw):
    picture = draw(a_table(*three_pillars(), a_cube(5, "gold", 20, 20)))

    (room,) = picture.rooms
    pillars = [point for outline in picture.cubes_of(Kind.PILLAR) for point in outline]
    assert len(room) >= 5
    assert all(any(dist(corner, point) < 0.2 for point in pillars) for corner in room)
    assert {min(x for x, _ in room), max(x for x, _ in room)} == {
        min(x for x, _ in pillars),
        max(x for x, _ in pillars),
    }


def test_the_picture_keeps_shapes_and_has_y_upwards(draw):
    places = [(0, 0), (60, 0), (0, 100)]
    picture = draw(a_table(*(a_cube(id, "gold", x, y) for id, (x, y) in enumerate(places))))

    corner, right, above = sorted(
        map(middle, picture.cubes_of(Kind.GOLD)), key=lambda spot: (-spot[1], spot[0])
    )

    assert right[0] > corner[0] and right[1] == pytest.approx(corner[1], abs=0.2)
    assert above[1] < corner[1] and above[0] == pytest.approx(corner[0], abs=0.2)
    assert dist(corner, above) / dist(corner, right) == pytest.approx(100 / 60, rel=0.01)


def test_what_is_too_close_to_call_is_outlined(draw):
    table = a_table(*three_pillars(), a_cube(5, "gold", 50, -8.5), a_cube(6, "key", 20, 20))

    picture = draw(table)

    (outline,) = picture.dashed
    (gold,) = picture.cubes_of(Kind.GOLD)
    assert dist(middle(outline), middle(gold)) < 0.5
    assert any(text.startswith("too close to call: gold 5") for text in picture.texts)
    assert not draw(table, "--doubt", 0.4).dashed


def test_captions_say_what_a_room_holds(draw):
    picture = draw(a_table(*three_pillars(), a_cube(5, "goblin", 20, 20), a_cube(6, "goblin", 40, 20)))

    assert "gain 0, damage 2, 6 hp left, 0 to carry" in picture.texts
    assert "2 goblins" in picture.texts


def test_captions_stand_below_each_other_inside_the_picture(draw):
    picture = draw(random_table(3), "--top", 7, "--pawns")

    captions = [
        place
        for place, text in zip(picture.places, picture.texts, strict=True)
        if text.startswith(("gain ", "pawn"))
    ]
    assert len(captions) == 7 + 3
    assert picture.holds(picture.places)
    assert all(lower[1] - upper[1] > 20 for upper, lower in pairwise(captions))


def test_a_long_list_of_doubtful_cubes_is_not_cut_off_at_the_edge(paint):
    doubtful = [a_cube(10 + place, "gold", 9 + 9 * place, -8.5) for place in range(9)]

    pixels = paint(a_table(*three_pillars(), *doubtful))

    background = pixels[0, 0]
    assert (pixels[:, -5:] == background).all()


def test_no_allowed_room_is_said_in_words(draw):
    goblins = [a_cube(10 + place, "goblin", 10 + 9 * place, 20) for place in range(4)]

    picture = draw(a_table(*three_pillars(), *goblins), "--hp", 3)

    assert picture.rooms == []
    assert "No room is allowed for this hero." in picture.texts
    assert len(picture.cubes) == 7


def test_pawns_and_where_they_stand_well_are_drawn(draw):
    table = a_table(*three_pillars(), a_cube(5, "gold", 20, 20))
    plain = draw(table)

    picture = draw(table, "--pawns")

    letters = [text for text in picture.texts if text in ("a", "b", "c")]
    captions = [text for text in picture.texts if text.startswith("pawn: ")]
    assert len(picture.polygons) > len(plain.polygons) + 10
    assert sorted(letters) == sorted(["a", "b", "c"][: len(captions)] * 2)
    assert captions
    assert "pawn" not in " ".join(plain.texts)


# PNG


@pytest.mark.parametrize("seed", range(2))
def test_both_kinds_of_pictures_show_the_same(draw, paint, seed):
    table = random_table(seed)

    drawn, pixels = draw(table), paint(table)

    assert pixels.shape == (drawn.height, drawn.width, 3)
    # A badge or another cube may lie above one.
    seen = [any(is_gold(pixels, spot) for spot in beside_letter(cube)) for cube in drawn.cubes_of(Kind.GOLD)]
    assert sum(seen) >= 3
    assert seen.count(False) <= 2


def test_a_gold_cube_is_painted_gold_at_its_place(draw, paint):
    table = a_table(*three_pillars(), a_cube(5, "gold", 20, 50))

    (outline,), pixels = draw(table).cubes_of(Kind.GOLD), paint(table)

    assert all(is_gold(pixels, spot) for spot in beside_letter(outline))
    assert not any(is_gold(pixels, spot) for spot in beside_letter(outline, 1.4))


def test_letters_are_painted_on_cubes(draw, paint):
    table = a_table(*three_pillars(), a_cube(5, "gold", 20, 50))
    (outline,), pixels = draw(table).cubes_of(Kind.GOLD), paint(table)

    (left, top), (right, bottom) = np.min(outline, axis=0), np.max(outline, axis=0)
    quarter = round((right - left) / 4)
    heart = pixels[
        round(top) + quarter : round(bottom) - quarter, round(left) + quarter : round(right) - quarter
    ]

    dark = (heart.max(axis=2) < 100).mean()
    assert 0.05 < dark < 0.6


def test_pawn_heat_is_brighter_where_more_rooms_are(paint):
    table = a_table(*three_pillars(), a_cube(5, "gold", 20, 20))

    plain, heated = paint(table).astype(int), paint(table, "--pawns").astype(int)

    height = min(len(plain), len(heated))
    changed = np.abs(plain[: height - 150] - heated[: height - 150]).max(axis=2) > 30
    assert changed.mean() > 0.05


# Odd tables

ODD_TABLES = [
    pytest.param(a_table(), id="empty"),
    pytest.param(a_table(a_cube(3, "gold", 500, -500, yaw=30)), id="one cube"),
    pytest.param(a_table(a_cube(3, "pillar", 0, 0)), id="one pillar"),
    pytest.param(a_table(*three_pillars()), id="only pillars"),
    pytest.param(a_table(*three_pillars(990), a_cube(5, "gold", 100, 100)), id="1000 mm wide"),
    pytest.param(a_table(*three_pillars(2), a_cube(5, "gold", 1, 1)), id="10 mm wide"),
    pytest.param(a_table(*three_pillars(1_999), a_cube(5, "dragon", 1e5, 3, size="huge")), id="100 m wide"),
    pytest.param(a_table(*[a_cube(id, "pillar", 0, 0) for id in range(3)]), id="all on one spot"),
    pytest.param(a_table(*[a_cube(id, "gold", id * 40, 0) for id in range(20)]), id="a row"),
    pytest.param(a_table(*[a_cube(id, "gold", 0, id * 40) for id in range(20)]), id="a column"),
]


@pytest.mark.parametrize("table", ODD_TABLES)
@pytest.mark.parametrize("options", [[], ["--pawns"]], ids=["plain", "pawns"])
def test_an_odd_table_is_drawn_inside_a_picture_of_usual_size(draw, table, options):
    picture = draw(table, *options)

    assert 400 <= picture.width <= 2000
    assert 50 <= picture.height <= 2000
    assert len(picture.cubes) == len(table["cubes"])
    assert all(picture.holds(corners_of(cube)) for cube in picture.cubes)
    assert all(picture.holds(room) for room in picture.rooms)
    assert picture.holds(picture.places)


@pytest.mark.parametrize("table", ODD_TABLES)
def test_an_odd_table_is_painted(draw, paint, table):
    pixels = paint(table)

    picture = draw(table)
    assert pixels.shape == (picture.height, picture.width, 3)
    assert (pixels != pixels[0, 0]).any()


def test_a_cube_on_a_wide_table_can_still_be_seen(draw, paint):
    table = a_table(*three_pillars(990), a_cube(5, "gold", 500, 700))

    (outline,), pixels = draw(table).cubes_of(Kind.GOLD), paint(table)

    assert dist(outline[0], outline[2]) > 8
    x, y = middle(outline)
    around = pixels[round(y) - 5 : round(y) + 6, round(x) - 5 : round(x) + 6].astype(int)
    assert (np.abs(around - GOLD_BGR).max(axis=2) < 15).any()


# Files


@pytest.mark.parametrize(
    "name", ["table.svg", "table.png", "TABLE.PNG", "Table.Svg", "a table.svg", "été.png"]
)
def test_the_name_says_which_kind_of_picture_it_is(tmp_path, name):
    file = tmp_path / name

    assert run(a_table(*three_pillars()), "--picture", file).exit_code == 0

    start = file.read_bytes()[:4]
    assert start == (b"<svg" if name.lower().endswith("svg") else b"\x89PNG")


def test_a_picture_replaces_the_one_before(tmp_path):
    file = tmp_path / "table.svg"
    file.write_text("x" * 1_000_000)

    run(a_table(*three_pillars()), "--picture", file)

    Picture(file.read_text("utf-8"))


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_picture_does_not_change_what_is_said(tmp_path, options):
    table = random_table(4)

    result = run(table, "--picture", tmp_path / "table.svg", *options)

    assert result.stdout == run(table, *options).stdout


@pytest.mark.parametrize("name", ["missing/table.png", "missing/table.svg", "file/table.png", "folder.png"])
def test_a_picture_that_cannot_be_written_is_one_line(tmp_path, name):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.png").mkdir()

    line = error_of(run(a_table(*three_pillars()), "--picture", tmp_path / name))

    assert str(tmp_path / name) in line


@pytest.mark.parametrize("name", ["table", "table.jpg", "table.pdf", "svg"])
def test_another_kind_of_picture_is_refused_in_one_line(tmp_path, name):
    assert ".png or .svg" in error_of(run(a_table(), "--picture", tmp_path / name))
    assert list(tmp_path.iterdir()) == []


def test_of_a_bad_table_there_is_no_picture(tmp_path):
    error_of(run(a_table(a_cube(0, "ghost", 0, 0)), "--picture", tmp_path / "table.svg"))

    assert list(tmp_path.iterdir()) == []


def test_more_rooms_than_can_be_told_apart_are_not_drawn(draw):
    picture = draw(random_table(3), "--top", 20)

    assert sum(text.startswith("gain ") for text in picture.texts) == 7
