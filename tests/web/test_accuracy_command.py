"""``dungeon accuracy``: what it prints and writes, and what it refuses. The scanner is a fake here."""

import json
import sys
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from tests.web.scans import a_scan, a_seen_cube, one_room
from web.command_line import dungeon


class FakeScanner:
    """Sees the same in every picture: the room as it is, but a gem as a potion."""

    made = 0
    asked: tuple = ()

    def __init__(self):
        type(self).made += 1

    def scan(self, frame, *, focal_px=None, empty=None, profile=None):
        type(self).asked += (SimpleNamespace(empty=empty, profile=profile),)
        *cubes, _ = one_room()
        return a_scan(*cubes, a_seen_cube(5, "potion", -80, 60))


@pytest.fixture(autouse=True)
def scanner(monkeypatch):
    class Fresh(FakeScanner):
        pass

    monkeypatch.setitem(sys.modules, "vision.scanner", SimpleNamespace(Scanner=Fresh))
    return Fresh


def encoded(size_px=(640, 480)):
    picture = np.full((size_px[1], size_px[0], 3), 90, np.uint8)
    return cv2.imencode(".jpg", picture)[1].tobytes()


def truth(**other):
    names = ("outline_px", "centre_px", "centre_mm", "footprint_mm")
    cubes = [
        {"type": cube.kind.value, "size": cube.size.value}
        | {name: getattr(cube, name).tolist() for name in names}
        for cube in one_room()
    ]
    return {"surface": "felt", "camera": {"tilt": 12.0}, "markers": [{"id": 0}], "cubes": cubes, **other}


@pytest.fixture
def a_set(tmp_path):
    """Make a folder of pictures with this truth; return it."""

    def make(name="pictures", count=2, **other):
        folder = tmp_path / name
        folder.mkdir()
        for number in range(count):
            (folder / f"{number}.jpg").write_bytes(encoded())
            (folder / f"{number}.json").write_text(json.dumps(truth(**other)))
        return folder

    return make


def run(*arguments):
    """Run the command as a person would; what it did not foresee is raised."""
    return CliRunner().invoke(dungeon, ["accuracy", *map(str, arguments)], catch_exceptions=False)


def error_of(result):
    """Return the one line of a command that did nothing else."""
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    return line.removeprefix("dungeon: ")


def test_people_read_targets_groups_and_what_went_wrong(a_set):
    folder = a_set()

    result = run(folder)

    lines = result.stdout.splitlines()
    assert (result.exit_code, result.stderr) == (0, "")
    assert lines[0].startswith(f"{folder}: 2 pictures, 12 cubes, ")
    assert [line.split() for line in lines if "F1)" in line] == [
        ["cubes", "of", "the", "right", "kind", "(F1)", "0.8333", "≥", "0.97", "NO", "≥", "0.995", "NO"]
    ]
    kept = next(line for line in lines if "score kept" in line)
    assert kept.split()[-7:] == ["1.0000", "≥", "0.95", "yes", "≥", "0.98", "yes"]
    assert {"felt", "0 to 15", "with cards", "gem pink"} <= {line[2:14].strip() for line in lines}
    assert "      2  gem pink read as potion" in lines
    assert any(line.startswith("      1  0: 5 of 6 right") for line in lines)


def test_each_folder_is_a_set_of_its_own_and_all_share_a_scanner(a_set, scanner):
    result = run(a_set("first"), a_set("second", count=1))

    assert result.stdout.count("cubes of the right kind") == 2
    assert (scanner.made, len(scanner.asked)) == (1, 3)


def test_programs_get_every_figure(a_set, tmp_path):
    out = tmp_path / "figures.json"

    assert run(a_set(), "--json", out).exit_code == 0

    (told,) = json.loads(out.read_text("utf-8"), parse_constant=pytest.fail)["sets"]
    assert told["figures"]["typed_f1"] == pytest.approx(5 / 6)
    assert told["figures"]["best_room_kept"] == 1.0
    assert told["figures"]["error_mm_median"] == pytest.approx(0.0, abs=1e-9)
    assert told["confusions"] == [{"true": "gem_pink", "seen": "potion", "times": 2}]
    assert told["kinds"]["pillar"]["right"] == 6
    assert list(told["groups"]["table"]) == ["felt"]
    assert [picture["picture"] for picture in told["pictures"]] == ["0.jpg", "1.jpg"]


def test_the_page_shows_as_many_bad_pictures_as_asked_for(a_set, tmp_path):
    out = tmp_path / "accuracy.html"

    assert run(a_set(count=3), "--html", out, "--worst", 2).exit_code == 0

    page = out.read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
    assert page.count("<figure>") == 2
    assert [file.name for file in tmp_path.glob("accuracy*")] == ["accuracy.html"]


def test_the_empty_table_is_handed_on(a_set, tmp_path, scanner):
    empty = tmp_path / "empty.jpg"
    empty.write_bytes(encoded())

    assert run(a_set(), "--empty", empty).exit_code == 0

    assert all(asked.empty.shape == (480, 640, 3) for asked in scanner.asked)


def test_without_millimetres_rooms_and_positions_are_a_dash(a_set):
    cubes = [{**cube, "centre_mm": None, "footprint_mm": None} for cube in truth()["cubes"]]

    result = run(a_set(cubes=cubes))

    assert result.exit_code == 0
    assert next(line for line in result.stdout.splitlines() if "score kept" in line).split()[6] == "-"


# What is refused


def test_a_folder_that_is_not_there(tmp_path, scanner):
    assert error_of(run(tmp_path / "no")) == f"{tmp_path / 'no'}: there is no such folder"
    assert scanner.made == 0


def test_a_folder_without_pairs(a_set, tmp_path, scanner):
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "photo.jpg").write_bytes(encoded())

    line = error_of(run(a_set(), tmp_path / "bare"))

    assert line == f"{tmp_path / 'bare'}: no pair of NAME.jpg and NAME.json is here"
    assert scanner.made == 0


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param("{", "this is not JSON", id="cut off"),
        pytest.param("[]", "the truth must be a JSON object with a list of cubes", id="a list"),
        pytest.param('{"cubes": [{}]}', "cube 0: type is missing", id="an empty cube"),
    ],
)
def test_a_broken_truth(a_set, content, why, scanner):
    folder = a_set()
    (folder / "1.json").write_text(content)

    assert error_of(run(folder)) == f"{folder / '1.json'}: {why}"
    assert scanner.made == 0


def test_a_missing_picture(a_set, scanner):
    folder = a_set()
    (folder / "1.jpg").unlink()

    assert error_of(run(folder)) == f"{folder / '1.jpg'}: this picture is missing, its truth is there"
    assert scanner.made == 0


def test_a_picture_that_is_none(a_set):
    folder = a_set()
    (folder / "1.jpg").write_bytes(b"words")

    assert error_of(run(folder)) == f"{folder / '1.jpg'}: this is not a JPEG or PNG picture"


def test_an_empty_table_of_another_size(a_set, tmp_path):
    empty = tmp_path / "empty.jpg"
    empty.write_bytes(encoded((320, 200)))

    line = error_of(run(a_set(), "--empty", empty))

    assert "--empty" in line and "(320 x 200)" in line and "(640 x 480)" in line


@pytest.mark.parametrize("option", ["--json", "--html"])
def test_what_cannot_be_written_is_refused_before_any_work(a_set, tmp_path, option, scanner):
    folder = a_set()

    assert "this is a folder" in error_of(run(folder, option, tmp_path))
    assert "there is no such folder" in error_of(run(folder, option, tmp_path / "no" / "out"))
    assert scanner.made == 0


def test_no_folder_at_all():
    assert "FOLDER" in error_of(run())


# What should not matter


def test_every_picture_is_scanned_after_every_change_only_if_asked(a_set, scanner):
    folder = a_set(count=2)
    assert "turned by 90" not in run(folder).stdout
    assert len(scanner.asked) == 2

    told = run(folder, "--steady").stdout
    assert len(scanner.asked) == 2 + 2 * 10
    # This scanner sees the same places however the picture is turned: that is a change, and counted as one.
    lines = {line.split("  ")[1]: line for line in told.splitlines() if line.startswith("  changed when")}
    assert lines["changed when turned by 90°"].endswith("NO")
    assert "0.0000" in lines["changed when darker by 30%"]
    assert "yes" in lines["changed when darker by 30%"]


def test_an_empty_table_does_not_go_with_turned_pictures(a_set, tmp_path, scanner):
    empty = tmp_path / "empty.jpg"
    empty.write_bytes(encoded())
    assert "a turned or resized photo has no empty table" in error_of(
        run(a_set(), "--steady", "--empty", empty)
    )
    assert not scanner.asked
