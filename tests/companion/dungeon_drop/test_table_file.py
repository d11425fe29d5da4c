"""Reading a table: which outlines are footprints, which values are cubes, and what is said of others."""

import json
import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.dungeon_drop.outlines import checked_outline
from companion.dungeon_drop.pieces import Kind, Sides, Size
from companion.dungeon_drop.table_file import parse_table, read_table
from companion.errors import BadData

SQUARE = ((0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0))


def a_cube(**changes):
    """Return a good cube as JSON values; None takes a field away."""
    cube = {"id": 7, "type": "gold", "size": "small", "centre_mm": [20, 20], "yaw_deg": 30, **changes}
    return {field: value for field, value in cube.items() if value is not None}


def refusal(call, *arguments):
    """Return what is said of something that is refused."""
    with pytest.raises(BadData) as error:
        call(*arguments)
    assert "\n" not in str(error.value)
    return str(error.value)


def read(*cubes):
    """Return the cubes of a table as they were read."""
    return read_table({"cubes": list(cubes)}).cubes


def area(points):
    return shapely.Polygon(points).area


# Outlines that are footprints

angles = st.floats(0, 360)
sides = st.floats(0.5, 200)
places = st.tuples(st.floats(-5000, 5000), st.floats(-5000, 5000))


def turned(points, degrees, scale=1.0, to=(0.0, 0.0)):
    """Return points turned around the origin, scaled and moved."""
    turn = math.radians(degrees)
    cos, sin = scale * math.cos(turn), scale * math.sin(turn)
    return [(to[0] + x * cos - y * sin, to[1] + x * sin + y * cos) for x, y in points]


@st.composite
def ellipses(draw, least=3, most=8):
    """Draw a convex polygon: points on an ellipse, at least 10 degrees apart, turning either way."""
    many = draw(st.integers(least, most))
    steps = draw(st.lists(st.integers(10, 60), min_size=many, max_size=many))
    total = sum(steps)
    # No gap may take up half of the round, else the middle is outside.
    assume(max(steps) / total < 0.49)
    at, round_angles = 0.0, []
    for step in steps:
        round_angles.append(2 * math.pi * at / total)
        at += step
    long, wide = draw(st.floats(1, 20)), draw(st.floats(1, 20))
    points = [(long * math.cos(angle), wide * math.sin(angle)) for angle in round_angles]
    points = turned(points, draw(angles), 1.0, draw(places))
    return points if draw(st.booleans()) else points[::-1]


@st.composite
def with_repeats(draw, outlines):
    """Draw an outline some of whose corners are given several times, the first perhaps again at the end."""
    points = draw(outlines)
    times = draw(st.lists(st.integers(1, 3), min_size=len(points), max_size=len(points)))
    repeated = [point for point, many in zip(points, times, strict=True) for _ in range(many)]
    return [*repeated, repeated[0]] if draw(st.booleans()) else repeated


@settings(max_examples=200, deadline=None)
@given(angles, sides, places, st.integers(0, 3), st.booleans())
def test_any_square_is_a_footprint(degrees, side, place, start, clockwise):
    points = turned(SQUARE, degrees, side / 8, place)
    points = points[start:] + points[:start]
    points = points[::-1] if clockwise else points

    corners = checked_outline(points)

    assert len(corners) == 4
    assert set(corners) == set(points)
    assert area(corners) == pytest.approx(side * side, rel=1e-6)


@settings(max_examples=200, deadline=None)
@given(ellipses())
def test_any_convex_polygon_is_a_footprint(points):
    corners = checked_outline(points)

    assert set(corners) == set(points)
    assert area(corners) == pytest.approx(area(points), rel=1e-9)


@settings(max_examples=200, deadline=None)
@given(with_repeats(ellipses()))
def test_repeated_corners_do_not_matter(points):
    corners = checked_outline(points)

    assert len(corners) == len(set(corners)) == len(set(points))
    assert area(corners) == pytest.approx(area(points), rel=1e-9)


@settings(max_examples=200, deadline=None)
@given(ellipses(most=7), st.data())
def test_corners_on_an_edge_do_not_matter(points, data):
    place, share = data.draw(st.integers(0, len(points) - 1)), data.draw(st.floats(0.1, 0.9))
    (x, y), (to_x, to_y) = points[place - 1], points[place]
    on_edge = (x + share * (to_x - x), y + share * (to_y - y))

    corners = checked_outline([*points[:place], on_edge, *points[place:]])

    assert area(corners) == pytest.approx(area(points), rel=1e-6)
    assert shapely.Polygon(corners).is_simple


@settings(max_examples=200, deadline=None)
@given(ellipses(), st.data())
def test_rounding_does_not_matter(points, data):
    off = st.floats(-1e-9, 1e-9)
    shaken = [(x + data.draw(off), y + data.draw(off)) for x, y in points]

    corners = checked_outline(shaken)

    assert area(corners) == pytest.approx(area(points), rel=1e-6)


@pytest.mark.parametrize("dent", [1e-12, 1e-9, 1e-6, 1e-3, 0.1])
@pytest.mark.parametrize("degrees", [0, 17, 45])
def test_a_slight_dent_is_smoothed_out(degrees, dent):
    dented = turned([*SQUARE[:2], (8 - dent, 4.0), *SQUARE[2:]], degrees)

    corners = checked_outline(dented)

    assert area(corners) == pytest.approx(64, abs=0.001 + 4 * dent)
    assert area(corners) >= 64 - 1e-6
    assert shapely.Polygon(corners).convex_hull.area == pytest.approx(area(corners), rel=1e-9)


@pytest.mark.parametrize("off", [1e-13, 1e-11, 1e-9])
def test_a_corner_seen_twice_but_for_rounding_does_not_matter(off):
    near = (SQUARE[2][0] + off, SQUARE[2][1] - off / 2)
    before, after = [*SQUARE[:3], near, SQUARE[3]], [*SQUARE[:2], near, *SQUARE[2:]]

    assert area(checked_outline(before)) == pytest.approx(64, rel=1e-6)
    assert area(checked_outline(after)) == pytest.approx(64, rel=1e-6)


def test_a_footprint_may_be_a_kilometre_away_but_no_further():
    assert checked_outline([(1e6, 0), (1e6 - 8, 0), (1e6, 8)])
    assert "kilometre" in refusal(checked_outline, [(1e6 + 1, 0), (1e6 - 8, 0), (1e6, 8)])


# Outlines that are none


@settings(max_examples=200, deadline=None)
@given(ellipses(least=4), st.data())
def test_an_outline_that_crosses_itself_is_refused(points, data):
    place = data.draw(st.integers(0, len(points) - 1))
    crossed = list(points)
    crossed[place - 1], crossed[place] = crossed[place], crossed[place - 1]

    assert refusal(checked_outline, crossed) == "the footprint crosses itself"


@pytest.mark.parametrize(
    ("places", "step"), [(5, 2), (7, 2), (7, 3), (8, 3), (9, 4), (10, 3), (11, 2), (16, 7)]
)
def test_a_star_is_refused(places, step):
    angle = 2 * math.pi * step / places
    star = [(9 * math.cos(angle * turn), 9 * math.sin(angle * turn)) for turn in range(places)]

    assert refusal(checked_outline, star) == "the footprint crosses itself"


@pytest.mark.parametrize(
    ("points", "why"),
    [
        pytest.param([], "3 to 16 corners", id="none"),
        pytest.param([(1, 1)], "3 to 16 corners", id="one"),
        pytest.param([(1, 1), (2, 2)], "3 to 16 corners", id="two"),
        pytest.param([(1, 1)] * 5, "3 to 16 corners", id="one five times"),
        pytest.param([(1, 1), (1, 1), (2, 2), (2, 2)], "3 to 16 corners", id="two twice"),
        pytest.param([(0, 0), (1, 1), (2, 2)], "flat", id="on a line"),
        pytest.param([(0, 0), (5, 0), (9, 0), (2, 0)], "flat", id="to and fro on a line"),
        pytest.param([(0, 0), (8, 0)] * 2, "flat", id="to and fro"),
        pytest.param([(0, 0), (8, 0), (8, 1e-9), (0, 1e-9)], "flat", id="a hair"),
        pytest.param([(0, 0), (8, 8), (8, 0), (0, 8)], "crosses itself", id="bow-tie"),
        pytest.param([(0, 0), (8, 0), (4, 3), (8, 8), (0, 8)], "not convex", id="dented"),
        pytest.param([(0, 0), (8, 0), (1, 1), (0, 8)], "not convex", id="arrow"),
        pytest.param([(0, 0), (8, 0), (8, math.nan)], "the footprint", id="not a number"),
        pytest.param([(0, 0), (8, 0), (8, math.inf)], "the footprint", id="infinite"),
        pytest.param([(0, 0), (8, 0), (8, 1e300)], "kilometre", id="far away"),
    ],
)
def test_an_outline_that_is_no_footprint_is_refused(points, why):
    assert why in refusal(checked_outline, points)


def test_a_thousand_corners_are_refused():
    circle = [(9 * math.cos(turn / 159.2), 9 * math.sin(turn / 159.2)) for turn in range(1000)]

    assert "3 to 16 corners" in refusal(checked_outline, circle)


@pytest.mark.parametrize("side", [1e-320, 1e-200, 1e-160, 1e-120, 1e-60, 1e-20, 1e-14, 1e-13, 1e-9])
def test_a_cube_smaller_than_dust_is_measured_or_refused(side):
    # Seen from another cube, its corners are all in one place to a computer.
    dust = a_cube(id=8, footprint_mm=[[x * side, y * side] for x, y in SQUARE])

    try:
        table = read_table({"cubes": [a_cube(), dust]})
    except BadData as error:
        assert str(error).startswith("Cube 8: ")
    else:
        assert np.isfinite(table.footprints.normals).all()
        assert np.isfinite(table.footprints.inner).all()


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.floats(), st.floats()), max_size=8))
def test_any_numbers_are_a_convex_footprint_or_refused(points):
    try:
        corners = checked_outline(points)
    except BadData:
        return

    shape = shapely.Polygon(corners)
    assert 3 <= len(corners) <= 16
    assert set(corners) <= set(points)
    assert shape.area > 0
    assert shape.area == pytest.approx(shape.convex_hull.area, rel=1e-6)


few = st.sampled_from([0.0, 1.0, 2.0, 3.0, 4.0])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(few, few), min_size=3, max_size=7))
def test_corners_on_a_grid_are_refused_exactly_if_they_enclose_no_convex_shape(points):
    # Through corners of a grid, outlines touch and retrace themselves in every way.
    shape, hull = shapely.Polygon(points), shapely.MultiPoint(points).convex_hull
    try:
        corners = checked_outline(points)
    except BadData:
        assert not (shape.is_valid and shape.area > 0.95 * hull.area and hull.area > 0)
        return

    assert area(corners) == pytest.approx(hull.area)
    assert abs(shape.area) >= 0.85 * hull.area or not shape.is_valid


# Cubes


def test_a_cube_is_read_with_what_it_is_and_where():
    (cube,) = read(a_cube(yaw_deg=None))

    assert (cube.id, cube.kind, cube.size) == (7, Kind.GOLD, Size.SMALL)
    assert set(cube.footprint_mm) == {(16, 16), (24, 16), (24, 24), (16, 24)}


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_and_size_is_known(kind):
    cubes = read(*(a_cube(id=id, type=str(kind), size=str(size)) for id, size in enumerate(Size)))

    assert [(cube.kind, cube.size) for cube in cubes] == [(kind, size) for size in Size]
    assert [area(cube.footprint_mm) for cube in cubes] == pytest.approx([64, 100, 144])


def test_how_long_sides_are_is_a_setting():
    sides = Sides(small_mm=5, large_mm=6.5, huge_mm=9)

    cubes = read_table(
        {"cubes": [a_cube(id=id, size=str(size)) for id, size in enumerate(Size)]}, sides
    ).cubes

    assert [area(cube.footprint_mm) for cube in cubes] == pytest.approx([25, 42.25, 81])


@settings(max_examples=200, deadline=None)
@given(st.floats(-1000, 1000), places)
def test_a_turned_cube_keeps_its_middle_and_area(yaw, place):
    (cube,) = read(a_cube(centre_mm=list(place), yaw_deg=yaw))

    shape = shapely.Polygon(cube.footprint_mm)
    assert shape.area == pytest.approx(64, rel=1e-6)
    assert (shape.centroid.x, shape.centroid.y) == pytest.approx(place, abs=1e-6)
    # Its corners are half a diagonal away, the first at the yaw.
    reach = math.hypot(4, 4)
    towards = [math.degrees(math.atan2(y - place[1], x - place[0])) - 45 - yaw for x, y in cube.footprint_mm]
    assert [math.dist(place, corner) for corner in cube.footprint_mm] == pytest.approx([reach] * 4)
    assert all(abs((angle + 45) % 90 - 45) < 1e-4 for angle in towards)


def test_pillars_come_first_and_all_are_ordered_by_id():
    kinds = ["gold", "pillar", "key", "pillar", "stairs"]
    ids = [5, 40, -3, 2, 1]

    table = read_table({"cubes": [a_cube(id=id, type=kind) for id, kind in zip(ids, kinds, strict=True)]})

    assert table.ids == (2, 40, -3, 1, 5)
    assert (table.pillar_count, table.cube_count) == (2, 3)


def test_a_footprint_counts_more_than_a_centre():
    (cube,) = read(a_cube(footprint_mm=[list(point) for point in SQUARE]))

    assert set(cube.footprint_mm) == set(SQUARE)


@pytest.mark.parametrize("missing", [[], None])
def test_an_empty_footprint_counts_as_none(missing):
    (cube,) = read({**a_cube(yaw_deg=0), "footprint_mm": missing})

    assert (16, 16) in cube.footprint_mm


def test_what_a_scan_says_beyond_the_cubes_is_not_looked_at():
    scan = {
        "schema": 99,
        "plane": None,
        "warnings": ["x"],
        "cubes": [a_cube(confidence="?", outline_px=5, centre_px=[])],
    }

    assert len(read_table(scan).cubes) == 1


def test_an_empty_table_is_one():
    table = parse_table('{"cubes": []}')

    assert table.cubes == ()
    assert (table.pillar_count, table.cube_count) == (0, 0)


# Cubes that are none


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        pytest.param({"type": "ghost"}, "Cube 7: 'ghost' is not a known type.", id="type"),
        pytest.param({"type": None}, "Cube 7: the field 'type' is missing.", id="no type"),
        pytest.param({"type": 3}, "Cube 7: '3' is not a known type.", id="a number as type"),
        pytest.param({"size": "tiny"}, "Cube 7: 'tiny' is not a known size.", id="size"),
        pytest.param({"size": None}, "Cube 7: the field 'size' is missing.", id="no size"),
        pytest.param({"size": ["small"]}, "Cube 7: '['small']' is not a known size.", id="a list as size"),
        pytest.param({"type": "%(id)s %d"}, "Cube 7: '%(id)s %d' is not a known type.", id="a template"),
        pytest.param(
            {"centre_mm": None}, "Cube 7: neither footprint_mm nor centre_mm is given.", id="nowhere"
        ),
        pytest.param({"centre_mm": [1]}, "Cube 7: a point of 'centre_mm' must be two numbers.", id="half"),
        pytest.param({"centre_mm": ["1", 2]}, "Cube 7: the field 'centre_mm' must hold numbers.", id="words"),
        pytest.param({"centre_mm": [True, 2]}, "Cube 7: the field 'centre_mm' must hold numbers.", id="bool"),
        pytest.param(
            {"centre_mm": [math.nan, 2]},
            "Cube 7: the field 'centre_mm' must hold numbers.",
            id="not a number",
        ),
        pytest.param(
            {"centre_mm": [10**400, 2]},
            "Cube 7: the field 'centre_mm' must hold numbers.",
            id="a number without end",
        ),
        pytest.param(
            {"centre_mm": [1e9, 2]}, "Cube 7: the footprint is more than a kilometre away.", id="far"
        ),
        pytest.param({"yaw_deg": "30"}, "Cube 7: the field 'yaw_deg' must hold numbers.", id="yaw"),
        pytest.param(
            {"footprint_mm": "round"},
            "Cube 7: the field 'footprint_mm' must be a list of points.",
            id="a word",
        ),
        pytest.param(
            {"footprint_mm": [[1, 2, 3]] * 4},
            "Cube 7: a point of 'footprint_mm' must be two numbers.",
            id="in space",
        ),
        pytest.param(
            {"footprint_mm": [[0, 0], [8, 8], [8, 0], [0, 8]]},
            "Cube 7: the footprint crosses itself.",
            id="crossed",
        ),
    ],
)
def test_what_is_wrong_with_a_cube_is_said_with_its_id(changes, why):
    assert refusal(read, a_cube(id=1), a_cube(**changes)) == why


@pytest.mark.parametrize("id", ["7", True, 7.0, [7], {}, 10**10, -(10**10), math.nan])
def test_a_cube_without_a_proper_id_is_named_by_its_place(id):
    line = refusal(read, a_cube(id=1), {**a_cube(), "id": id})

    assert line == "Cube number 2 of the list has no whole number as its id."


@pytest.mark.parametrize("entry", [None, 1, "gold", [], True])
def test_what_is_no_cube_is_named_by_its_place(entry):
    assert refusal(read, a_cube(id=1), a_cube(id=2), entry).startswith("Cube number 3 of the list ")


def test_two_cubes_with_one_id_are_refused():
    assert refusal(read, a_cube(id=4), a_cube(id=5), a_cube(id=4)) == "Two cubes have the id 4."


@pytest.mark.parametrize("data", [None, 1, "cubes", [], {}, {"cubes": None}, {"cubes": {}}, {"cubes": "x"}])
def test_what_is_no_table_is_refused(data):
    assert refusal(read_table, data) == "A table must be a JSON object with a list of cubes."


@pytest.mark.parametrize("text", ["", "hello", "{", "[" * 100_000, '{"a":' * 100_000, "1" * 10_000, "\x00"])
def test_what_is_no_json_is_refused(text):
    assert refusal(parse_table, text)


def test_a_table_with_more_pillars_than_can_be_worked_out_is_refused():
    pillars = [a_cube(id=id, type="pillar", centre_mm=[id * 9, 0]) for id in range(500)]

    assert "pillars" in refusal(read, *pillars)
    assert len(read(*(a_cube(id=id, centre_mm=[id * 9, 0]) for id in range(500)))) == 500


def test_a_table_with_more_cubes_than_can_be_worked_out_is_refused_before_they_are_read():
    assert "cubes" in refusal(read, *[None] * 10_000)


numbers = st.integers() | st.floats() | st.sampled_from([10**400, 5e-324, 1e-160, 1e308])
json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=4),
    lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(max_size=4), values, max_size=3),
    max_leaves=10,
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["id", "type", "size", "centre_mm", "yaw_deg", "footprint_mm"]), json_values)
def test_a_field_with_any_value_is_read_or_refused(field, value):
    cube = {**a_cube(), field: value}

    try:
        (found,) = read(cube)
    except BadData as error:
        assert str(error)
    else:
        # A turned cube may have any yaw; an empty footprint counts as none.
        assert field in ("id", "yaw_deg", "footprint_mm") or cube[field] == value
        assert area(found.footprint_mm) > 0


def test_a_table_of_text_and_of_values_is_the_same():
    data = {"cubes": [a_cube(id=id, centre_mm=[id * 10, 3.25]) for id in range(5)]}

    assert parse_table(json.dumps(data)).cubes == read_table(data).cubes
