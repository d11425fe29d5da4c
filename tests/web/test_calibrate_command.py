"""``dungeon calibrate``: profiles from photos, and what can be done with them. The scanner is a fake here."""

import json
import sys
from dataclasses import replace
from types import SimpleNamespace

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.profiles import Why, list_profiles, load_profile
from calibration.sample_layout import LAYOUT, SOLO_ROW
from tests.web.french import in_french
from tests.web.scans import a_scan, a_seen_cube, one_room
from vision.judge import LOOKS_COUNT, SAID
from vision.pieces import KINDS, Kind
from web.command_line import dungeon
from web.commands import calibrate as command
from web.dungeon_drop.scan_report import report

SIZE_PX = (1200, 900)


def layout_scan(rows=LAYOUT, mistakes=0):
    """Scan pieces laid out in rows, the first at the top left; some are taken for relics."""
    pieces = [(x, y, *piece) for y, row in enumerate(rows) for x, piece in enumerate(row)]
    cubes = [
        a_seen_cube(n, Kind.RELIC if n < mistakes else kind, 25 * x - 75, 60 - 25 * y, size=size)
        for n, (x, y, kind, size) in enumerate(pieces)
    ]
    return a_scan(*cubes, size_px=SIZE_PX)


class FakeScanner:
    """Sees what a test says, something else with a profile, and judges a patch by its brightness."""

    made = 0
    without = layout_scan()
    using = None

    def __init__(self):
        type(self).made += 1

    def scan(self, frame, *, focal_px=None, empty=None, profile=None):
        return self.without if profile is None else self.using

    @staticmethod
    def network(patches):
        said = np.zeros((len(patches), sum(SAID)), np.float32)
        said[:, -LOOKS_COUNT:] = patches[:, 20:28, 20:28].mean(axis=(1, 2, 3))[:, None]
        return said


@pytest.fixture(autouse=True)
def scanner(monkeypatch):
    class Fresh(FakeScanner):
        pass

    monkeypatch.setitem(sys.modules, "vision.scanner", SimpleNamespace(Scanner=Fresh))
    return Fresh


def a_picture(scan=None):
    """Paint every cube of a scan in a grey of its kind."""
    picture = np.zeros((SIZE_PX[1], SIZE_PX[0], 3), np.uint8)
    for cube in (scan or layout_scan()).cubes:
        cv2.fillPoly(picture, [cube.outline_px.astype(int)], [60 + 12 * KINDS.index(cube.kind)] * 3)
    return cv2.imencode(".png", picture)[1].tobytes()


@pytest.fixture
def photo(a_file):
    return a_file(a_picture(), "photo.png")


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def run(data):
    """Run the command as a person would; what it did not foresee is raised."""

    def run(*arguments, input=None):
        words = ["calibrate", *map(str, arguments), "--data", str(data)]
        return CliRunner().invoke(dungeon, words, input=input, catch_exceptions=False)

    return run


@pytest.fixture
def mine(run, photo, data):
    """Make a profile."""
    assert run("photo", photo, "--name", "mine").exit_code == 0
    return data / "profiles" / "mine.json"


def lines(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()


def error_of(result):
    """Return the one line of a command that did nothing else."""
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    return line.removeprefix("dungeon: ")


# The layout


def test_the_order_is_shown_row_by_row():
    result = CliRunner().invoke(dungeon, ["calibrate", "show"], catch_exceptions=False)

    told = lines(result)
    assert told[0].startswith("Lay these pieces out in rows")
    first = told.index("  1  gold       gold       gold       gold       key        key        key")
    assert told[first + 1] == "     large      large      small      small      large      small      small"
    assert told[-2:] == ["  6  relic      relic      stairs", "     small      small      small"]
    assert len([line for line in told if line[2:3].isdecimal()]) == len(LAYOUT) + 1


@pytest.mark.parametrize(("rows", "kinds"), [(LAYOUT, 12), ((*LAYOUT, SOLO_ROW), 14)], ids=["box", "solo"])
def test_a_photo_of_the_layout_becomes_a_profile(run, photo, data, scanner, rows, kinds):
    scanner.without = layout_scan(rows)
    count = sum(map(len, rows))

    first, second = lines(run("photo", photo, "--name", "mine"))

    assert first == f"mine: {count} samples added; now {count} samples of {kinds} kinds."
    assert second.startswith("From the other samples alone, ")
    profile = load_profile("mine", data)
    assert profile.kinds == tuple(kind for row in rows for kind, _ in row)


def test_the_places_count_and_not_what_the_scanner_thinks(run, photo, data, scanner):
    scanner.without = layout_scan(mistakes=8)

    lines(run("photo", photo, "--name", "mine"))

    profile = load_profile("mine", data)
    assert profile.kinds[:4] == (Kind.GOLD,) * 4
    gold = 60 + 12 * KINDS.index(Kind.GOLD)
    assert abs(int(profile.patches[0][24, 24, 0]) - gold) <= 2


@pytest.mark.parametrize(
    ("scan", "words"),
    [
        pytest.param(a_scan(*one_room()), "6 cubes were found, but the layout has 28, or 31", id="count"),
        pytest.param(a_scan(*one_room()[:1]), "1 cube was found, but", id="one"),
        pytest.param(a_scan(), "0 cubes were found", id="none"),
        pytest.param(layout_scan(mistakes=16), "Most cubes do not look like what should be", id="order"),
        pytest.param(
            a_scan(*(a_seen_cube(n, "gold", n % 7 * 9, n * n % 31 * 3) for n in range(28))),
            "The rows cannot be told apart",
            id="rows",
        ),
    ],
)
def test_another_photo_is_refused_with_the_reason(run, photo, data, scanner, scan, words):
    scanner.without = scan

    assert error_of(run("photo", photo, "--name", "mine")).startswith(f"{photo}: {words}")
    assert list_profiles(data) == ()


def test_what_cannot_be_read_is_one_line(run, a_file, tmp_path):
    bad = a_file("words", "bad.jpg")

    assert error_of(run("photo", bad, "--name", "x")) == f"{bad}: This is not a JPEG or PNG picture."
    assert error_of(run("photo", tmp_path / "no.jpg", "--name", "x")).startswith(f"{tmp_path / 'no.jpg'}: ")


def test_a_bad_name_is_told_before_any_work(run, photo, scanner):
    assert error_of(run("photo", photo, "--name", "../x")).startswith(
        "../x cannot be the name of a profile: "
    )
    assert scanner.made == 0


# Corrections


@pytest.fixture
def labels(a_file):
    told = report(layout_scan())
    told["cubes"] = told["cubes"][:3]
    told["cubes"][2]["type"] = "potion"
    return a_file(told, "scan.json")


def test_corrections_of_a_scan_are_samples_too(run, photo, data, labels, mine):
    first, _ = lines(run("photo", photo, "--name", "Mine", "--labels", labels))

    assert first == "mine: 3 samples added; now 31 samples of 12 kinds."
    assert load_profile("mine", data).kinds[-3:] == (Kind.GOLD, Kind.GOLD, Kind.POTION)


def test_a_few_corrections_alone_are_said_to_be_too_few(run, photo, labels):
    _, second = lines(run("photo", photo, "--name", "new", "--labels", labels))

    assert second.startswith("That is not enough yet")


def test_labels_come_from_standard_input_too(run, photo, labels):
    result = run("photo", photo, "--name", "new", "--labels", "-", input=labels.read_text("utf-8"))

    assert "3 samples added" in lines(result)[0]


def test_a_profile_can_be_begun_anew(run, photo, data, labels, mine):
    lines(run("photo", photo, "--name", "mine", "--labels", labels, "--replace"))

    assert len(load_profile("mine", data)) == 3


@pytest.mark.parametrize(
    "content", ["words", "[]", '{"cubes": []}', "[" * 100_000], ids=["text", "list", "none", "deep"]
)
def test_labels_that_are_no_scan_are_refused(run, photo, a_file, scanner, content):
    file = a_file(content, "labels.json")

    told = error_of(run("photo", photo, "--name", "new", "--labels", file))

    assert told == f'{file}: This is not what "dungeon scan --json" prints.'
    assert scanner.made == 0


def test_labels_of_another_photo_are_refused(run, a_file, labels):
    other = a_file(cv2.imencode(".png", np.zeros((90, 120, 3), np.uint8))[1].tobytes(), "other.png")

    assert (
        error_of(run("photo", other, "--name", "new", "--labels", labels))
        == f"{labels}: This scan is of another photo."
    )


def test_a_damaged_profile_is_not_added_to(run, photo, mine):
    mine.write_bytes(b"damaged")

    assert error_of(run("photo", photo, "--name", "mine")).endswith(
        "This is not a profile, or it is damaged."
    )
    assert mine.read_bytes() == b"damaged"


# Keeping them


def test_profiles_are_listed(run, mine):
    mine.with_name("bad.json").write_bytes(b"damaged")

    bad, good = lines(run("list"))

    assert bad.split(maxsplit=1) == ["bad", "cannot be used: damaged, or made by a newer version"]
    assert good.startswith("mine  20") and good.endswith("  28 samples of 12 kinds")


def test_without_profiles_the_list_says_so(run):
    result = run("list")

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "No profiles yet.\n")


def test_a_profile_is_renamed_exported_deleted_and_imported(run, mine, data, tmp_path):
    file = tmp_path / "profile.json"

    assert lines(run("rename", "mine", "Kitchen")) == []
    assert lines(run("export", "kitchen", file)) == []
    assert lines(run("delete", "kitchen", "--yes")) == []
    assert list_profiles(data) == ()
    assert lines(run("import", file)) == ["Kitchen"]
    assert lines(run("import", file, "--name", "second")) == ["second"]
    assert [listed.name for listed in list_profiles(data)] == ["Kitchen", "second"]


@pytest.mark.parametrize(("answer", "left"), [("y\n", 0), ("n\n", 1), ("", 1)])
def test_deleting_asks_first(run, mine, data, answer, left):
    result = run("delete", "mine", input=answer)

    assert "Delete the profile mine?" in result.stderr
    assert result.exit_code == (130 if left else 0)
    assert len(list_profiles(data)) == left


@pytest.mark.parametrize(
    "arguments",
    [
        ["rename", "no", "yes"],
        ["export", "no", "file"],
        ["delete", "no", "--yes"],
        ["compare", "no", "photo.jpg"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_profile_that_is_not_there_is_one_line(run, arguments):
    assert error_of(run(*arguments)) == "There is no profile called no."


def test_a_taken_name_and_a_missing_folder_are_one_line(run, mine, tmp_path):
    out = tmp_path / "nowhere" / "out.json"

    assert error_of(run("import", mine)) == "There is already a profile called mine."
    assert error_of(run("export", "mine", out)) == f"{out}: No such file or directory"
    assert (
        error_of(run("import", tmp_path / "no.json")) == f"{tmp_path / 'no.json'}: No such file or directory"
    )


# What it changes


def test_a_comparison_says_what_a_profile_changes(run, photo, mine, scanner):
    cubes = one_room()
    scanner.without = a_scan(*cubes)
    better = [replace(cube, confidence=0.99) for cube in cubes]
    # The same cube has another number in the other scan.
    scanner.using = a_scan(*reversed(better[:3]), replace(better[3], kind=Kind.KEY), *better[4:])

    told = lines(run("compare", "mine", photo, photo))

    said = "The profile changes 1 of 6 cubes; the scanner is 91 % sure without it and 99 % with it."
    assert told == [f"{photo}: {said}", "  in the middle (320, 240): gold becomes key"] * 2


def test_a_comparison_of_empty_tables(run, photo, mine, scanner):
    scanner.without = scanner.using = a_scan()

    (told,) = lines(run("compare", "mine", photo))

    assert "changes 0 of 0 cubes" in told


def test_a_photo_that_cannot_be_compared_is_one_line(run, a_file, mine):
    bad = a_file("words", "bad.jpg")

    assert error_of(run("compare", "mine", bad)) == f"{bad}: This is not a JPEG or PNG picture."


# Help and words


def test_without_a_subcommand_the_help_is_shown():
    result = CliRunner().invoke(dungeon, ["calibrate"])

    assert result.exit_code == 0
    assert "Commands:" in result.stdout


@pytest.mark.parametrize("name", sorted(command.calibrate.list_commands(click.Context(command.calibrate))))
def test_every_subcommand_explains_itself(name):
    result = CliRunner().invoke(dungeon, ["calibrate", name, "-h"])

    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: dungeon calibrate {name} [OPTIONS]")


def test_a_mistyped_subcommand_is_one_line(run):
    assert "No such command" in error_of(run("fly"))


@pytest.mark.parametrize("why", Why, ids=lambda why: why.name)
def test_every_refusal_is_a_sentence_in_both_languages(why):
    message = command._why(SimpleNamespace(why=why, name="mine"))

    french = in_french(message.text, name="mine")
    assert "mine" in str(message) and str(message).endswith(".")
    assert "mine" in french and french.endswith(".") and "'" not in french


def test_the_profile_of_a_scan_is_read_from_the_data_folder(photo, mine, data, scanner, monkeypatch):
    monkeypatch.setattr("web.commands.data_folder.default_folder", lambda: data)
    scanner.using = a_scan(*one_room())

    words = ["scan", str(photo), "--json", "--profile", "MINE"]
    result = CliRunner().invoke(dungeon, words, catch_exceptions=False)

    assert len(json.loads(result.stdout)["cubes"]) == 6
