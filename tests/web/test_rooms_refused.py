"""What ``dungeon rooms`` refuses: one line, exit status 2, never a traceback."""

import json
import math
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.web.rooms_command import (
    ROOT,
    SMALL_TABLE,
    THREE_PILLARS,
    a_cube,
    a_footprint,
    a_table,
    answer,
    as_footprint,
    error_of,
    leaning_table,
    real_error_of,
    run,
    run_on,
    run_really,
)

# What is refused: the table


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param("", "This is not JSON.", id="empty"),
        pytest.param("hello", "This is not JSON.", id="words"),
        pytest.param('{"cubes": [', "This is not JSON.", id="half of a table"),
        pytest.param('{"cubes": []}\n{"cubes": []}', "There is more than one table.", id="two tables"),
        pytest.param("[" * 200_000, "This is not JSON.", id="lists nested deeply"),
        pytest.param('{"cubes":' * 100_000, "This is not JSON.", id="objects nested deeply"),
        pytest.param(b"\x89PNG\r\n\x1a\n\xff\x00", "not a text file in UTF-8", id="binary"),
        pytest.param('{"cubes": []}'.encode("utf-16"), "not a text file in UTF-8", id="UTF-16"),
        pytest.param("[]", "A table must be a JSON object with a list of cubes.", id="a list"),
        pytest.param("null", "A table must be a JSON object", id="nothing"),
        pytest.param("17", "A table must be a JSON object", id="a number"),
        pytest.param('"cubes"', "A table must be a JSON object", id="a text"),
        pytest.param("{}", "A table must be a JSON object", id="no cubes"),
        pytest.param('{"cubes": {}}', "A table must be a JSON object", id="cubes in an object"),
        pytest.param('{"cubes": null}', "A table must be a JSON object", id="cubes are nothing"),
        pytest.param('{"cubes": "gold"}', "A table must be a JSON object", id="cubes are a text"),
        pytest.param('{"cubes": [1]}', "Cube number 1 of the list", id="a number as a cube"),
        pytest.param('{"cubes": [[]]}', "Cube number 1 of the list", id="a list as a cube"),
        pytest.param('{"cubes": [{}]}', "Cube number 1 of the list", id="an empty cube"),
        pytest.param('{"cubes": [null]}', "Cube number 1 of the list", id="nothing as a cube"),
    ],
)
def test_what_is_no_table_is_refused_in_one_line(a_file, content, why):
    file = a_file(content)

    assert error_of(run(file)).startswith(f"{file}: {why}")
    assert error_of(run(file, "--json")).startswith(f"{file}: {why}")


GOOD = as_footprint(a_cube(7, "gold", 20, 20))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"type": "ghost"}, id="unknown type"),
        pytest.param({"type": "GOLD"}, id="capital letters"),
        pytest.param({"type": "a\nb\x1b[31m\ud800"}, id="a type of no letters"),
        pytest.param({"type": "x" * 100_000}, id="a long type"),
        pytest.param({"type": None}, id="no type"),
        pytest.param({"type": 1}, id="a number as type"),
        pytest.param({"type": ["gold"]}, id="a list as type"),
        pytest.param({"type": {}}, id="an object as type"),
        pytest.param({"size": "medium"}, id="unknown size"),
        pytest.param({"size": "8"}, id="a size in mm"),
        pytest.param({"size": 8}, id="a number as size"),
        pytest.param({"size": None}, id="no size"),
        pytest.param({"footprint_mm": None}, id="no footprint"),
        pytest.param({"footprint_mm": []}, id="no points"),
        pytest.param({"footprint_mm": [[]]}, id="an empty point"),
        pytest.param({"footprint_mm": "square"}, id="a footprint in words"),
        pytest.param({"footprint_mm": {"x": 1}}, id="a footprint as an object"),
        pytest.param({"footprint_mm": True}, id="a boolean as a footprint"),
        pytest.param({"footprint_mm": [1, 2, 3, 4]}, id="numbers as points"),
        pytest.param({"footprint_mm": [[0, 0, 0], [8, 0, 0], [8, 8, 0]]}, id="points in space"),
        pytest.param({"footprint_mm": [[0], [8], [9]]}, id="points on a line"),
        pytest.param({"footprint_mm": [{"x": 0, "y": 0}] * 4}, id="points as objects"),
        pytest.param({"footprint_mm": [[20, 20]]}, id="one point"),
        pytest.param({"footprint_mm": [[20, 20], [28, 20]]}, id="two points"),
        pytest.param({"footprint_mm": [[20, 20]] * 4}, id="four times one point"),
        pytest.param({"footprint_mm": [[20, 20], [28, 20]] * 4}, id="to and fro"),
        pytest.param({"footprint_mm": [[0, 0], [4, 4], [8, 8]]}, id="collinear"),
        pytest.param({"footprint_mm": [[0, 0], [8, 0], [8, 1e-12], [0, 1e-12]]}, id="flat"),
        pytest.param({"footprint_mm": [[0, 0], [8, 8], [8, 0], [0, 8]]}, id="bow-tie"),
        pytest.param({"footprint_mm": [[0, 0], [8, 9], [8, 0], [0, 5]]}, id="uneven bow-tie"),
        pytest.param(
            {
                "footprint_mm": [
                    [8 * math.cos(turn * 0.8 * math.pi), 8 * math.sin(turn * 0.8 * math.pi)]
                    for turn in range(5)
                ]
            },
            id="pentagram",
        ),
        pytest.param({"footprint_mm": [[0, 0], [8, 0], [4, 3], [8, 8], [0, 8]]}, id="dented"),
        pytest.param({"footprint_mm": [[0, 0], [8, 0], [1, 1], [0, 8]]}, id="an arrow"),
        pytest.param(
            {
                "footprint_mm": [
                    [8 * math.cos(turn / 159.2), 8 * math.sin(turn / 159.2)] for turn in range(1000)
                ]
            },
            id="1000 points",
        ),
        pytest.param({"footprint_mm": [[1e9, 0], [1e9 + 8, 0], [1e9 + 8, 8], [1e9, 8]]}, id="far away"),
        pytest.param({"footprint_mm": None, "centre_mm": [1e9, 0]}, id="a centre far away"),
        pytest.param({"footprint_mm": None, "centre_mm": [1, 2, 3]}, id="a centre in space"),
        pytest.param({"footprint_mm": None, "centre_mm": []}, id="an empty centre"),
        pytest.param({"footprint_mm": None, "centre_mm": "here"}, id="a centre in words"),
        pytest.param({"footprint_mm": None, "centre_mm": {"x": 1, "y": 2}}, id="a centre as an object"),
        pytest.param({"footprint_mm": None, "centre_mm": [1, 2], "yaw_deg": "30"}, id="a yaw in words"),
        pytest.param({"footprint_mm": None, "centre_mm": [1, 2], "yaw_deg": True}, id="a boolean as yaw"),
        pytest.param({"footprint_mm": None, "centre_mm": [1, 2], "yaw_deg": [30]}, id="a list as yaw"),
    ],
)
def test_a_cube_that_is_none_is_refused_in_one_line_that_names_it(change):
    table = a_table(*THREE_PILLARS, {**GOOD, **change})

    line = error_of(run_on(table))

    assert line.startswith("-: Cube 7: ")
    assert len(line) < 200
    assert line.isprintable()


@pytest.mark.parametrize("field", ["id", "type", "size", "footprint_mm"])
def test_a_cube_without_a_field_is_refused_in_one_line(field):
    cube = {name: value for name, value in GOOD.items() if name != field}

    line = error_of(run_on(a_table(*THREE_PILLARS, cube)))

    assert line.startswith("-: Cube number 4 " if field == "id" else "-: Cube 7: ")


NO_NUMBERS = ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1" + "0" * 400, "1" + "0" * 5000]


@pytest.mark.parametrize("word", [*NO_NUMBERS, "true", "false", '"1"', "null", "[]", "{}", "1e7"])
@pytest.mark.parametrize("field", ["centre_mm", "footprint_mm"])
def test_a_coordinate_that_is_no_place_on_a_table_is_refused_in_one_line(field, word):
    outline = {"footprint_mm": f"[[0, 0], [8, 0], [8, {word}], [0, 8]]", "centre_mm": f"[{word}, 0]"}[field]
    text = f'{{"cubes": [{{"id": 7, "type": "gold", "size": "small", "{field}": {outline}}}]}}'

    line = error_of(run_on(text))

    assert line.startswith("-: Cube 7: ") or len(word) > 4300


@pytest.mark.parametrize("word", NO_NUMBERS)
def test_a_yaw_that_is_no_number_is_refused_in_one_line(word):
    text = (
        f'{{"cubes": [{{"id": 7, "type": "gold", "size": "small", "centre_mm": [0, 0], "yaw_deg": {word}}}]}}'
    )

    assert error_of(run_on(text))


@pytest.mark.parametrize(
    "word", [*NO_NUMBERS, '"7"', "true", "7.0", "7.5", "null", "[7]", '{"id": 7}', "1e3", '"x\\ny"']
)
def test_an_id_that_is_no_whole_number_is_refused_in_one_line(word):
    text = f'{{"cubes": [{{"id": {word}, "type": "gold", "size": "small", "centre_mm": [0, 0]}}]}}'

    line = error_of(run_on(text))

    assert line.startswith("-: Cube number 1 ") or len(word) > 4300


def test_two_cubes_with_one_id_are_refused_in_one_line():
    table = a_table(*THREE_PILLARS, a_cube(1, "gold", 20, 20))

    assert error_of(run_on(table)) == "-: Two cubes have the id 1."


@pytest.mark.parametrize("kind", ["pillar", "gold"])
def test_more_cubes_than_any_table_has_are_refused_in_one_line_and_at_once(kind):
    cubes = [a_cube(id, kind, id % 100 * 20, id // 100 * 20) for id in range(10_000)]
    start = time.monotonic()

    line = error_of(run_on(a_table(*cubes)))

    assert "at most" in line
    assert time.monotonic() - start < 5


def test_many_more_pillars_than_the_box_has_are_refused():
    cubes = [a_cube(id, "pillar", id % 40 * 20, id // 40 * 20) for id in range(1000)]

    assert re.fullmatch(r"-: A table can have at most \d+ pillars\.", error_of(run_on(a_table(*cubes))))


@pytest.mark.parametrize("kind", ["pillar", "gold"])
@pytest.mark.parametrize("side", [1e-320, 1e-200, 1e-150, 1e-100, 1e-30, 1e-12, 1e-6])
def test_cubes_smaller_than_dust_are_answered_or_refused(side, kind):
    dust = a_footprint([[0, 0], [side, 0], [side, side], [0, side]], kind=kind)
    table = a_table(*THREE_PILLARS[1:], a_cube(3, "pillar", 30, 30), dust)

    assert_told_or_refused(run_on(table, "--json", "--pawns", "--next", 8))


@pytest.mark.parametrize("options", [[], ["--pawns"], ["--next", 8], ["--readings"]])
@pytest.mark.parametrize(
    "centres",
    [
        pytest.param([(0, 0)] * 3, id="on one spot"),
        pytest.param([(0, 0), (8, 0), (0, 8)], id="corner to corner"),
        pytest.param([(0, 0), (8, 0), (16, 0)], id="in a row"),
        pytest.param([(1e6, 1e6), (-1e6, 1e6), (0, -1e6)], id="as far away as allowed"),
    ],
)
def test_pillars_in_odd_places_are_answered_or_refused(centres, options):
    pillars = [a_cube(id, "pillar", x, y) for id, (x, y) in enumerate(centres)]

    assert_told_or_refused(run_on(a_table(*pillars), "--json", *options))


# What is refused: files and options


def test_a_missing_file_is_one_line(tmp_path):
    file = tmp_path / "nowhere.json"

    assert error_of(run(file)) == f"{file}: No such file or directory"


def test_a_directory_is_one_line(tmp_path):
    assert error_of(run(tmp_path)).startswith(f"{tmp_path}: ")


def test_a_large_file_is_one_line(a_file):
    file = a_file(b" " * 20_000_001)

    assert error_of(run(file)) == f"{file}: larger than 20 MB, not a table"


@pytest.mark.parametrize(
    "options",
    [
        *(["--hp", value] for value in ("0", "-1", "100", "1.5", "x", "", "nan", "1" + "0" * 5000)),
        *(["--damage", value] for value in ("-1", "99", "8", "2.5", "x", "")),
        ["--hp", "3", "--damage", "3"],
        *(
            [option, value]
            for option in ("--reserve", "--next-reserve")
            for value in (
                "gold",
                "gold=",
                "gold=-1",
                "gold=1.5",
                "gold=100",
                "gold=x",
                "gold=²",
                "gold=" + "9" * 5000,
                "=1",
                "ghost=1",
                "pillar=1",
                "stairs=1",
                "gold=1,gold=1",
                "clear=1,gem_clear=1",
                "gold=1;key=1",
            )
        ),
        *(
            ["--gems", value]
            for value in ("1,2,3", "clear", "red=1", "clear=-1", "clear=1,clear=2", "pink=x")
        ),
        *(["--doubt", value] for value in ("-1", "51", "nan", "inf", "x", "", "1e999")),
        *(["--top", value] for value in ("0", "-1", "1.5", "x", "")),
        *(
            ["--move", value]
            for value in (
                "",
                "x",
                "10",
                "10=",
                "10=1",
                "10=1,2,3",
                "10=a,b",
                "10=nan,1",
                "10=1,inf",
                "10=1e9,1",
                "x=1,2",
                "1.5=1,2",
                "999=1,2",
                "9" * 5000 + "=1,2",
            )
        ),
        *(["--next", value] for value in ("0", "-1", "100", "x", "")),
        *(["--next", "8", "--next-damage", value] for value in ("-1", "99", "x", "8", "9")),
        *(["--picture", value] for value in ("", "table", "table.jpg", "table.png.txt", ".png")),
        ["--fly"],
        ["another argument"],
    ],
    ids=lambda options: " ".join(options)[:40],
)
def test_an_option_that_cannot_be_read_is_one_line(options):
    line = error_of(run_on(SMALL_TABLE, *options))

    option = options[-2] if len(options) > 1 else ""
    assert option in line


def test_a_missing_argument_is_one_line():
    assert error_of(run())


# Anything at all


def assert_told_or_refused(result):
    """Hold that the command either answered or refused in one line."""
    if result.exit_code == 0:
        assert result.stderr == ""
        json.loads(result.stdout, parse_constant=lambda word: pytest.fail(f"{word} in the answer"))
    else:
        error_of(result)


numbers = st.integers() | st.floats() | st.sampled_from([0, -0.0, 5e-324, 1e-160, 1e-9, 1e6, 1e308, 10**400])
scalars = st.none() | st.booleans() | numbers | st.text(st.characters(codec=None), max_size=5)
fields = st.sampled_from(["cubes", "id", "type", "size", "footprint_mm", "centre_mm", "yaw_deg", "x"])
known_words = st.sampled_from(["pillar", "gold", "small", "large"])
anything = st.recursive(
    scalars | known_words,
    lambda values: st.lists(values, max_size=4) | st.dictionaries(fields, values, max_size=6),
    max_leaves=20,
)


@settings(max_examples=250, deadline=None)
@given(anything)
def test_any_json_is_answered_or_refused(data):
    assert_told_or_refused(run_on(data, "--json"))


@settings(max_examples=150, deadline=None)
@given(st.lists(anything, max_size=3))
def test_any_list_of_cubes_is_answered_or_refused(cubes):
    assert_told_or_refused(run_on({"cubes": cubes}, "--json"))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=30) | st.binary(max_size=30))
def test_any_content_is_answered_or_refused(content):
    data = content if isinstance(content, bytes) else content.encode(errors="surrogatepass")

    assert_told_or_refused(run_on(data, "--json"))


@st.composite
def nearly_tables(draw):
    """Draw a good table in which one value, anywhere, is replaced."""
    table = json.loads(json.dumps(SMALL_TABLE if draw(st.booleans()) else leaning_table(1)))
    cube = draw(st.sampled_from(table["cubes"]))
    field = draw(st.sampled_from([*cube, "footprint_mm"]))
    place = cube.get(field)
    while isinstance(place, list) and draw(st.booleans()):
        cube, field = place, draw(st.integers(0, len(place) - 1))
        place = cube[field]
    cube[field] = draw(anything)
    return table


MORE = st.sampled_from(
    [[], ["--pawns"], ["--next", "8"], ["--readings", "--doubt", "20"], ["--move", "10=0,0"]]
)


@settings(max_examples=200, deadline=None)
@given(nearly_tables(), MORE)
def test_a_table_with_one_odd_value_is_answered_or_refused(table, options):
    assert_told_or_refused(run_on(table, "--json", *options))


coordinates = st.floats(-1.1e6, 1.1e6) | st.floats(-20, 20) | st.sampled_from([0, 8, 1e-9, 1e-160, -1e-310])
outlines = st.lists(st.tuples(coordinates, coordinates).map(list), min_size=3, max_size=6)


@settings(max_examples=200, deadline=None)
@given(st.lists(outlines, min_size=1, max_size=4), MORE)
def test_footprints_of_any_numbers_are_answered_or_refused(drawn, options):
    kinds = ["pillar", "gold", "pillar", "pillar"]
    cubes = [
        a_footprint(outline, id, kind)
        for id, (outline, kind) in enumerate(zip(drawn, kinds, strict=False), 10)
    ]

    assert_told_or_refused(run_on(a_table(*THREE_PILLARS, *cubes), "--json", *options))


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["--hp", "--damage", "--reserve", "--gems", "--doubt", "--top", "--move", "--next"]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
    | st.from_regex(r"\A(gold|key|clear|1)?=?-?[0-9]{0,3}([.,e]-?[0-9]{0,4})*\Z"),
)
def test_an_option_with_any_value_is_answered_or_refused(option, value):
    assert_told_or_refused(run_on(SMALL_TABLE, "--json", f"{option}={value}"))


# In its own process


@pytest.mark.parametrize("way", ["module", "script"])
def test_the_command_answers_in_its_own_process(a_file, way):
    script = Path(sys.executable).with_name("dungeon")
    if way == "script" and not script.exists():
        pytest.skip("not installed as a script")
    command = (str(script),) if way == "script" else (sys.executable, "-m", "web")

    process = run_really(a_file(SMALL_TABLE), "--json", "--hp", 9, command=command)

    assert (process.returncode, process.stderr) == (0, b"")
    assert json.loads(process.stdout) == answer(SMALL_TABLE, "--hp", 9)


def test_the_command_reads_standard_input_in_its_own_process():
    process = run_really("-", "--json", input=json.dumps(SMALL_TABLE).encode())

    assert json.loads(process.stdout)["legal_rooms"] == 1


def test_bad_tables_are_one_line_in_its_own_process():
    numbers_cube = b'{"cubes": [{"id": 7, "type": "gold", "size": "small", "centre_mm": [NaN, 0]}]}'

    assert real_error_of(run_really("-", input=numbers_cube)).startswith("-: Cube 7: ")
    assert real_error_of(run_really("-", input=b"[" * 300_000)) == "-: This is not JSON."


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks Linux for the memory used")
def test_of_a_file_of_two_gigabytes_only_the_beginning_is_read(a_file, tmp_path):
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(2_000_000_000)
    # Python's own way out is not taken, so that the memory can be told; it is the process's, not a parent's.
    program = (
        "import sys; from pathlib import Path; from web.command_line import dungeon\n"
        "try: dungeon(['rooms', sys.argv[1]])\n"
        "finally: sys.stderr.write(Path('/proc/self/status').read_text())"
    )

    peaks = []
    for file in (a_file("hello"), huge):
        start = time.monotonic()
        process = subprocess.run(
            [sys.executable, "-c", program, str(file)], capture_output=True, cwd=ROOT, timeout=60
        )
        took = time.monotonic() - start
        line, *status = process.stderr.decode().splitlines()
        peaks += [int(entry.split()[1]) / 1024 for entry in status if entry.startswith("VmHWM")]

    assert (process.returncode, process.stdout) == (2, b"")
    assert line == f"dungeon: {huge}: larger than 20 MB, not a table"
    assert took < 5
    assert peaks[1] - peaks[0] < 60
