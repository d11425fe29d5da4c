"""``dungeon scan``: the contract, what people read, and what is refused. The scanner is a fake here."""

import io
import json
import os
import subprocess
import sys
from types import SimpleNamespace

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from PIL import ExifTags, Image

from tests.web.french import in_french
from tests.web.scans import a_plane, a_scan, a_seen_cube, one_room
from vision.photo import Why
from vision.seen import Advice, Source, Warning
from web.command_line import dungeon
from web.commands.scan import Progress
from web.dungeon_drop.scan_report import report, summary
from web.dungeon_drop.scan_words import WHAT_TO_DO, WHY_REFUSED, place_in_words, what_to_do


class FakeScanner:
    """Sees the same in every photo, and remembers what it was asked."""

    made = 0
    asked: tuple = ()
    scan_of = staticmethod(lambda frame: a_scan(*one_room(), size_px=(frame.shape[1], frame.shape[0])))

    def __init__(self):
        type(self).made += 1

    def scan(self, frame, *, focal_px=None, empty=None, profile=None):
        type(self).asked += (SimpleNamespace(frame=frame, focal_px=focal_px, empty=empty, profile=profile),)
        return self.scan_of(frame)


class NoProfile(ValueError):
    """As the real one."""


def load_profile(name, folder):
    if name != "mine":
        raise NoProfile(f"there is no profile called {name}")
    return SimpleNamespace(name=name)


@pytest.fixture(autouse=True)
def scanner(monkeypatch):
    class Fresh(FakeScanner):
        pass

    monkeypatch.setitem(sys.modules, "vision.scanner", SimpleNamespace(Scanner=Fresh))
    profiles = SimpleNamespace(load_profile=load_profile, NoProfile=NoProfile)
    monkeypatch.setitem(sys.modules, "calibration.profiles", profiles)
    return Fresh


def encoded(suffix=".jpg", size_px=(640, 480)):
    picture = np.full((size_px[1], size_px[0], 3), 90, np.uint8)
    return cv2.imencode(suffix, picture)[1].tobytes()


@pytest.fixture
def photo(a_file):
    return a_file(encoded(), "photo.jpg")


def run(*arguments):
    """Run the command as a person would; what it did not foresee is raised."""
    return CliRunner().invoke(dungeon, ["scan", *map(str, arguments)], catch_exceptions=False)


def answers(result):
    return [json.loads(line, parse_constant=pytest.fail) for line in result.stdout.splitlines()]


def errors(result):
    """Return the lines of what failed."""
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert all(line.startswith("dungeon: ") for line in lines)
    return [line.removeprefix("dungeon: ") for line in lines]


def error_of(result):
    """Return the one line of a command that did nothing else."""
    assert result.stdout == ""
    (line,) = errors(result)
    return line


def is_point(value):
    return isinstance(value, list) and [type(number) for number in value] == [float, float]


# For programs


def test_the_answer_keeps_the_contract_key_by_key(photo):
    result = run(photo, "--json")

    (told,) = answers(result)
    assert (result.exit_code, result.stderr) == (0, "")
    assert list(told) == ["schema", "image", "plane", "cubes", "warnings"]
    assert told["schema"] == 1
    assert told["image"] == {"width": 640, "height": 480}
    assert told["plane"] == {"source": "markers", "markers": [0, 1, 3], "px_per_mm": 3.0}
    assert told["warnings"] == []
    assert len(told["cubes"]) == 6
    for id, cube in enumerate(told["cubes"]):
        assert list(cube) == [
            "id",
            "type",
            "size",
            "confidence",
            "outline_px",
            "centre_px",
            "centre_mm",
            "footprint_mm",
            "accuracy_mm",
        ]
        assert cube["id"] == id and type(cube["id"]) is int
        assert type(cube["type"]) is str and cube["size"] in ("small", "large", "huge")
        assert type(cube["confidence"]) is float and 0 <= cube["confidence"] <= 1
        assert is_point(cube["centre_px"]) and is_point(cube["centre_mm"])
        for outline in (cube["outline_px"], cube["footprint_mm"]):
            assert len(outline) >= 3 and all(map(is_point, outline))


def test_numbers_are_rounded_to_what_a_camera_can_tell(photo):
    (told,) = answers(run(photo, "--json"))

    goblin = told["cubes"][4]
    assert goblin["type"] == "goblin"
    assert goblin["centre_mm"] == [15.123, -5.432]
    assert goblin["footprint_mm"][0] == [11.123, -1.432]
    assert goblin["confidence"] == 0.615
    assert goblin["accuracy_mm"] == 0.457
    assert all(round(value, 2) == value for point in goblin["outline_px"] for value in point)
    assert "-0.0," not in json.dumps(told)


def test_the_answer_is_a_table_for_dungeon_rooms(photo):
    told = run(photo, "--json").stdout

    found = CliRunner().invoke(dungeon, ["rooms", "-", "--json"], input=told, catch_exceptions=False)

    (room,) = json.loads(found.stdout)["rooms"]
    assert (room["pillars"], room["cubes"]) == ([0, 1, 2], [3, 4])


@pytest.mark.parametrize("source", Source)
def test_the_answer_says_what_told_the_scale(source):
    markers = (2,) if source is Source.MARKERS else ()

    told = report(a_scan(source=source, markers=markers))

    assert told["plane"] == {"source": str(source), "markers": list(markers), "px_per_mm": 3.0}
    assert told["cubes"] == []


def test_numbers_of_numpy_are_written_as_plain_ones():
    cube = a_seen_cube(0, "gold", 0, 0, confidence=np.float32(0.98765))

    assert json.loads(json.dumps(report(a_scan(cube))))["cubes"][0]["confidence"] == 0.988


def test_several_photos_give_a_line_each_in_order_from_one_scanner(a_file, scanner):
    sizes = [(640, 480), (480, 640), (320, 240)]
    files = [a_file(encoded(".png", size), f"{place}.png") for place, size in enumerate(sizes)]

    result = run("--json", *files)

    assert [(told["image"]["width"], told["image"]["height"]) for told in answers(result)] == sizes
    assert (result.exit_code, result.stderr, scanner.made) == (0, "", 1)


def test_each_line_is_there_before_the_next_photo_is_looked_at(a_file, monkeypatch, scanner):
    written, seen_at = io.BytesIO(), []
    real = scanner.scan_of
    scanner.scan_of = staticmethod(lambda frame: (seen_at.append(written.getvalue()), real(frame))[1])
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "utf-8"))

    dungeon.main(["scan", "--json", *(str(a_file(encoded(), f"{n}.jpg")) for n in "ab")])

    assert [lines.count(b"\n") for lines in seen_at] == [0, 1]


def test_warnings_are_sentences(photo, scanner):
    warnings = (Warning(Advice.MARKER_HIDDEN, marker=2), Warning(Advice.CUT_OFF, count=3))
    scanner.scan_of = staticmethod(lambda frame: a_scan(warnings=warnings))

    (told,) = answers(run(photo, "--json"))

    assert told["warnings"] == [
        "Marker card 2 is hidden: move what lies on it.",
        "3 cubes are cut off at the edge of the photo: go back a little or turn the camera.",
    ]


# For people


def test_people_read_how_many_of_each_there_are_what_to_check_and_what_to_do(photo, scanner):
    scanner.scan_of = staticmethod(lambda frame: a_scan(*one_room(), warnings=[Warning(Advice.BLURRED)]))

    result = run(photo)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        f"{photo}: 6 cubes. 3.00 pixels per mm, from marker cards: 0, 1, 3.",
        "",
        "            small  large",
        "  gold          -      1",
        "  pink gem      1      -",
        "  goblin        1      -",
        "  pillar        2      1",
        "",
        "Cube 4, in the middle (366, 256): goblin, small? 61 % sure.",
        "",
        "The photo is blurred: hold the phone still, or tap on the cubes to focus.",
    ]


def test_several_photos_are_set_apart_by_an_empty_line(a_file):
    result = run(a_file(encoded(), "a.jpg"), a_file(encoded(), "b.jpg"))

    assert result.stdout.count(": 6 cubes.") == 2
    assert "\n\n" + str(a_file(encoded(), "b.jpg")) in result.stdout
    assert not run("no.jpg", a_file(encoded(), "a.jpg")).stdout.startswith("\n")


@pytest.mark.parametrize(
    ("source", "words"),
    [(Source.CUBES, "from the sizes of the cubes"), (Source.NONE, "The scale is not known")],
)
def test_people_read_how_sure_the_scale_is(source, words):
    assert words in next(summary(a_scan(source=source, markers=())))


def test_an_empty_table_is_no_error():
    scan = a_scan(warnings=[Warning(Advice.NO_CUBES)])

    first, *others = summary(scan)

    assert first.startswith("0 cubes. ")
    assert others == ["", "No cube was found: take the photo from above, with all cubes in it."]


@pytest.mark.parametrize(
    ("at_px", "words"),
    [
        ((0, 0), "at the top left"),
        ((639, 0), "at the top right"),
        ((320, 240), "in the middle"),
        ((320, 479), "at the bottom"),
        ((-5, 700), "at the bottom left"),
        ((700, 240), "on the right"),
    ],
)
def test_a_place_is_told_by_thirds_of_the_picture(at_px, words):
    mm = a_plane().to_mm(np.array([at_px], float), 4.0)[0]

    assert str(place_in_words(a_seen_cube(0, "gold", *mm), (640, 480))) == words


@pytest.mark.parametrize("advice", Advice)
@pytest.mark.parametrize("number", [None, 0, 1, 2])
def test_every_advice_is_a_sentence_in_both_languages(advice, number):
    message = what_to_do(Warning(advice, marker=number, count=number))

    english = str(message)
    french = in_french(message.text)
    assert english.endswith(".") and ":" in english and "%" not in english
    assert french.endswith(".") and "'" not in french
    assert advice in WHAT_TO_DO


@pytest.mark.parametrize("why", Why)
def test_every_refusal_is_a_sentence_in_both_languages(why):
    assert str(WHY_REFUSED[why]).endswith(".")
    assert in_french(WHY_REFUSED[why].text).endswith(".")


# What else is known of the table


def test_the_empty_table_and_the_profile_are_handed_on(photo, a_file, scanner):
    empty = a_file(encoded(".png"), "empty.png")

    assert run(photo, "--empty", empty, "--profile", "mine").exit_code == 0

    (asked,) = scanner.asked
    assert asked.frame.shape == asked.empty.shape == (480, 640, 3)
    assert asked.profile.name == "mine"


def test_without_options_nothing_is_handed_on(photo, scanner):
    run(photo)

    assert (scanner.asked[0].empty, scanner.asked[0].profile) == (None, None)


def test_the_lens_of_a_phone_is_handed_on(a_file, scanner):
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm] = 26
    stream = io.BytesIO()
    Image.new("RGB", (640, 480)).save(stream, "JPEG", exif=exif)

    run(a_file(stream.getvalue(), "phone.jpg"), a_file(encoded(), "no-phone.jpg"))

    assert scanner.asked[0].focal_px == pytest.approx(26 / 43.267 * 800, rel=1e-3)
    assert scanner.asked[1].focal_px is None


def test_an_unknown_profile_is_refused(photo, scanner):
    assert "there is no profile called yours" in error_of(run(photo, "--profile", "yours"))
    assert scanner.made == 0


def test_an_empty_table_of_another_size_is_refused_for_the_photos_it_does_not_fit(photo, a_file):
    empty = a_file(encoded(size_px=(320, 200)), "empty.jpg")
    other = a_file(encoded(size_px=(320, 200)), "other.jpg")

    result = run(photo, other, "--empty", empty, "--json")

    (line,) = errors(result)
    assert line.startswith(f"{photo}: The photo of the empty table has another size (320 x 200) ")
    assert "(640 x 480)" in line
    assert len(answers(result)) == 1


def test_an_empty_table_that_cannot_be_read_is_refused_before_any_work(photo, a_file, scanner):
    empty = a_file("words", "empty.jpg")

    assert error_of(run(photo, "--empty", empty)) == f"{empty}: This is not a JPEG or PNG picture."
    assert scanner.made == 0


# Photos that cannot be read


@pytest.mark.parametrize("flags", [[], ["--json"]], ids=["people", "json"])
@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param(b"not a picture at all", "This is not a JPEG or PNG picture.", id="a text"),
        pytest.param(b"", "This is not a JPEG or PNG picture.", id="nothing"),
        pytest.param(encoded()[:-200], "The picture is cut off", id="a JPEG cut off"),
        pytest.param(encoded(".png")[:-20], "The picture is cut off", id="a PNG cut off"),
    ],
)
def test_a_file_that_is_no_photo_is_one_line(a_file, content, why, flags):
    file = a_file(content, "photo.jpg")

    assert error_of(run(file, *flags)).startswith(f"{file}: {why}")


def test_a_missing_file_and_a_folder_are_one_line_each(tmp_path):
    assert error_of(run(tmp_path / "no.jpg", "--json")) == f"{tmp_path / 'no.jpg'}: No such file or directory"
    assert error_of(run(tmp_path, "--json")).startswith(f"{tmp_path}: ")


def test_the_other_photos_are_still_scanned(a_file, tmp_path, photo):
    bad, missing, last = a_file("words", "bad.jpg"), tmp_path / "no.jpg", a_file(encoded(), "last.jpg")

    result = run("--json", bad, photo, missing, last)

    assert [line.split(": ")[0] for line in errors(result)] == [str(bad), str(missing)]
    assert len(answers(result)) == 2


def test_no_photo_at_all_is_one_line():
    assert "PHOTO" in error_of(run("--json"))


# The overlay


@pytest.mark.parametrize("name", ["seen.png", "seen.jpg", "SEEN.PNG"])
def test_what_was_seen_is_drawn(photo, tmp_path, name):
    result = run(photo, "--overlay", tmp_path / name)

    assert (result.exit_code, result.stderr) == (0, "")
    drawn = cv2.imread(str(tmp_path / name))
    assert drawn.shape == (480, 640, 3)
    assert drawn.std() > 5
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(["photo.jpg", name])


def test_several_photos_are_drawn_into_numbered_files_and_keep_their_numbers(a_file, tmp_path):
    files = [a_file(encoded(), "a.jpg"), a_file("words", "b.jpg"), a_file(encoded(), "c.jpg")]

    result = run(*files, "--overlay", tmp_path / "seen.v1.png")

    assert len(errors(result)) == 1
    assert {file.name for file in tmp_path.glob("seen*")} == {"seen.v1-1.png", "seen.v1-3.png"}


def test_an_older_drawing_is_replaced(photo, a_file):
    old = a_file(b"old", "seen.png")

    run(photo, "--overlay", old)

    assert old.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("out", "why"),
    [
        pytest.param("seen.gif", "seen.gif: a picture must end in .png or .jpg", id="another kind"),
        pytest.param("seen", "seen: a picture must end in .png or .jpg", id="no kind"),
        pytest.param("folder.png", "folder.png: this is a folder", id="a folder"),
        pytest.param("missing/seen.png", "missing: there is no such folder", id="no folder"),
        pytest.param("words.txt/seen.png", "words.txt: there is no such folder", id="in a file"),
        pytest.param("photo.jpg", "photo.jpg: this would overwrite a photo", id="the photo"),
        pytest.param("./folder.png/../empty.png", "this would overwrite a photo", id="the empty table"),
    ],
)
def test_a_drawing_that_cannot_be_written_is_refused_before_any_work(
    photo, a_file, tmp_path, monkeypatch, scanner, out, why
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.png").mkdir()
    a_file("words", "words.txt")
    empty = a_file(encoded(".png"), "empty.png")

    assert why in error_of(run("photo.jpg", "--empty", empty, "--overlay", out))
    assert scanner.made == 0
    assert photo.read_bytes() == encoded()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="this user may write everywhere")
def test_a_folder_that_may_not_be_written_to_is_refused(photo, tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)

    assert "nothing may be written there" in error_of(run(photo, "--overlay", closed / "seen.png"))


def test_a_full_disk_leaves_the_older_drawing_and_the_answer(photo, a_file, tmp_path, monkeypatch):
    old = a_file(b"old", "seen.png")

    def half(file, content):
        with file.open("wb") as stream:
            stream.write(content[:10])
        raise OSError(28, "No space left on device", str(file))

    monkeypatch.setattr("pathlib.Path.write_bytes", half)

    result = run(photo, "--json", "--overlay", old)

    assert errors(result) == [f"{old}: No space left on device"]
    assert len(answers(result)) == 1
    assert sorted(file.name for file in tmp_path.iterdir()) == ["photo.jpg", "seen.png"]
    assert old.read_text() == "old"


# Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_shown_on_a_terminal_and_wiped(tmp_path, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(click.utils, "_default_text_stderr", lambda: terminal)
    progress = Progress(3)

    progress.at(1, tmp_path / "photo.jpg")
    shown = terminal.getvalue()
    progress.clear()
    progress.clear()

    assert shown == "2/3 photo.jpg"
    assert terminal.getvalue() == shown + "\r" + " " * len(shown) + "\r"


def test_one_photo_or_no_terminal_shows_no_progress(monkeypatch, a_file):
    assert not Progress(3).shown
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert not Progress(1).shown


# The command line stays quick


def test_help_loads_neither_networks_nor_opencv():
    code = "import sys, web.command_line; print('cv2' in sys.modules, 'numpy' in sys.modules)"

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout.split() == ["False", "False"]
