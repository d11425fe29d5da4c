"""The ``dungeon`` command: replaying and moving games, and errors of one line."""

import json
import socket

import click
import pytest
from click.testing import CliRunner

from companion.store import Store
from companion.tables import Tables
from web.command_line import dungeon

HEADER = {"schema": 1, "game": "apprentis", "players": ["Ana", "Zoë"], "options": {"mode": "score"}}
FILLED = {
    "type": "place_filled",
    "player": 0,
    "place": "room1",
    "monsters": {"spider": 1, "brou": 2, "dragon": 0, "vampire": 0, "skeleton": 1, "vip": 1},
}
SIGNED = [{"type": "sheet_signed", "player": seat} for seat in (0, 1)]


def run(*arguments, input=None):
    """Run the command as a person would."""
    return CliRunner().invoke(dungeon, [str(argument) for argument in arguments], input=input)


def error_of(result):
    """Return the one line of a failed command."""
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.endswith("\n")
    (line,) = result.stderr.splitlines()
    assert line.startswith("dungeon: ")
    return line.removeprefix("dungeon: ")


@pytest.fixture
def a_log(tmp_path):
    """Write a log file; return its path."""

    def write(*lines, name="game.jsonl"):
        file = tmp_path / name
        file.write_text("".join(json.dumps(line) + "\n" for line in (HEADER, *lines)), encoding="utf-8")
        return file

    return write


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def opened(data):
    """Open the record that commands work on."""
    store = Store(data)
    yield Tables(store)
    store.close()


# dungeon replay


def test_replay_tells_a_finished_game_line_by_line(a_log):
    result = run("replay", a_log(FILLED, *SIGNED))

    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "Donjon: Les Apprentis Gardiens: Ana, Zoë",
        "   1  Ana: Room 1: 1 x Spider, 2 x Brou, 1 x Skeleton, 1 x VIP.",
        "   2  Ana: The score sheet is complete.",
        "   3  Zoë: The score sheet is complete. All score sheets are complete.",
        "Ana succeeds the guardian.",
        "1. Ana                        16",
        "2. Zoë                         0",
    ]


def test_replay_says_that_a_game_is_not_finished(a_log):
    result = run("replay", a_log(FILLED))

    assert result.exit_code == 0
    assert result.stdout.endswith("The game is not finished.\n")


def test_replay_as_json_is_one_object_with_state_outcome_and_history(a_log):
    result = run("replay", "--json", a_log(FILLED, *SIGNED))

    (line,) = result.stdout.splitlines()
    told = json.loads(line)
    assert {key: told[key] for key in ("schema", "game", "players", "first", "version")} == {
        "schema": 1,
        "game": "apprentis",
        "players": ["Ana", "Zoë"],
        "first": 0,
        "version": 3,
    }
    assert told["state"]["phase"] == "finished"
    assert told["options"]["mode"] == "score"
    assert told["outcome"]["reason"] == "Ana succeeds the guardian."
    assert [(p["seat"], p["score"], p["rank"], p["winner"]) for p in told["outcome"]["placings"]] == [
        (0, 16, 1, True),
        (1, 0, 2, False),
    ]
    assert told["history"][0]["event"] == FILLED
    assert told["history"][1]["words"] == ["The score sheet is complete."]


def test_replay_as_json_of_an_open_game_has_no_outcome(a_log):
    told = json.loads(run("replay", a_log(FILLED), "--json").stdout)

    assert told["outcome"] is None
    assert told["state"]["dungeons"][0]["contents"][6]["brou"] == 2


def test_replay_reads_standard_input(a_log):
    content = a_log(FILLED).read_bytes()

    result = run("replay", "-", input=content)

    assert result.exit_code == 0
    assert "Room 1" in result.stdout


def test_replay_accepts_a_mark_of_utf_8(a_log):
    file = a_log()
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())

    assert run("replay", file).exit_code == 0


@pytest.mark.parametrize("flag", [[], ["--json"]])
def test_replay_names_the_first_illegal_line(a_log, flag):
    file = a_log(FILLED, SIGNED[0], FILLED, SIGNED[0])

    line = error_of(run("replay", file, *flag))

    assert line == f"{file}: Line 4: This score sheet is complete. Reopen it to change something."


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        pytest.param([{"type": "flown"}], "Line 2: The event type 'flown' is not known.", id="unknown event"),
        pytest.param([{**FILLED, "place": "attic"}], "Line 2: The field 'place'", id="unknown place"),
        pytest.param([{**SIGNED[0], "by": 1}], "Line 2: Only the player of this seat", id="another seat"),
        pytest.param([{"type": "a\nb"}], "Line 2: The event type 'a b' is not known.", id="a newline"),
        pytest.param([{"type": "\ud800"}], "Line 2: ", id="half a character"),
    ],
)
def test_replay_says_in_one_line_what_is_wrong_with_a_log(a_log, lines, why):
    file = a_log(*lines)

    assert error_of(run("replay", file)).startswith(f"{file}: {why}")


def test_replay_of_no_file_at_all(tmp_path):
    file = tmp_path / "nowhere.jsonl"

    assert error_of(run("replay", file)) == f"{file}: No such file or directory"


def test_replay_of_a_directory(tmp_path):
    assert error_of(run("replay", tmp_path)).startswith(f"{tmp_path}: ")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param(b"\x89PNG\r\n\x1a\n\xff\x00", "not a text file in UTF-8", id="binary"),
        pytest.param(b"", "Line 1: The file is empty.", id="empty"),
        pytest.param(b"hello\nworld\n", "Line 1: This is not JSON.", id="words"),
        pytest.param(b"\x00" * 20_000_001, "larger than 20 MB, not a game's log", id="too large"),
    ],
)
def test_replay_of_something_else(tmp_path, content, why):
    file = tmp_path / "file"
    file.write_bytes(content)

    assert error_of(run("replay", file)) == f"{file}: {why}"


# The record


def test_there_are_no_games_at_first(data):
    result = run("games", "--data", data)

    assert result.exit_code == 0
    assert result.stdout == ""
    assert result.stderr == "No games yet.\n"


def test_a_game_goes_from_a_file_into_the_record_and_out_again(a_log, data, tmp_path):
    file, copy = a_log(FILLED, *SIGNED), tmp_path / "copy.jsonl"

    code = run("import", file, "--data", data).stdout.strip()
    listed = run("games", "--data", data).stdout
    exported = run("export", code, "--data", data)
    written = run("export", code, "--data", data, "--out", copy)

    assert listed.split()[:3] == [code, "apprentis", "finished"]
    assert listed.endswith("Ana, Zoë\n")
    assert written.exit_code == 0 and written.stdout == ""
    assert copy.read_text("utf-8") == exported.stdout
    lines = [json.loads(line) for line in exported.stdout.splitlines()]
    assert lines[0]["players"] == ["Ana", "Zoë"]
    assert [line["type"] for line in lines[1:]] == ["place_filled", "sheet_signed", "sheet_signed"]
    assert run("replay", copy).stdout == run("replay", file).stdout


def test_a_game_can_be_imported_from_standard_input(a_log, data):
    result = run("import", "-", "--data", data, input=a_log().read_bytes())

    assert result.exit_code == 0
    assert "open" in run("games", "--data", data).stdout


def test_what_cannot_be_imported_leaves_no_game(a_log, data):
    file = a_log(SIGNED[0], SIGNED[0])

    line = error_of(run("import", file, "--data", data))

    assert line.startswith(f"{file}: Line 3: ")
    assert run("games", "--data", data).stdout == ""


def test_half_a_character_is_refused_in_one_line(a_log, data):
    file = a_log({**SIGNED[0], "action": "\ud800"})

    assert error_of(run("import", file, "--data", data)).startswith(f"{file}: Line 2: ")


def test_a_seat_is_freed_by_the_players_name(data, opened):
    code = opened.create("apprentis", ("Ana", "Zoë"), {})
    opened.store.take_seat(code, 0, "a phone")
    opened.store.take_seat(code, 1, "another phone")

    result = run("free-seat", code, "zoë", "--data", data)

    assert result.exit_code == 0
    assert opened.store.seats(code) == {0: "a phone"}


def test_a_seat_of_nobody_cannot_be_freed(data, opened):
    code = opened.create("apprentis", ("Ana", "Zoë"), {})

    assert error_of(run("free-seat", code, "Ben", "--data", data)) == "no player called Ben at this table"


def test_codes_can_be_typed_as_arguments(data, opened):
    # A code that began with a dash would be taken for an option.
    codes = [opened.create("apprentis", ("Ana", "Zoë"), {}) for _ in range(20)]

    result = run("export", codes[0], "--data", data)

    assert all(code.isalnum() for code in codes)
    assert result.exit_code == 0


@pytest.mark.parametrize("command", [["export", "nothing"], ["free-seat", "nothing", "Ana"]])
def test_an_unknown_code_is_one_line(data, command):
    assert error_of(run(*command, "--data", data)) == "There is no such table."


def test_a_game_cannot_be_written_to_a_missing_folder(a_log, data, tmp_path):
    code = run("import", a_log(), "--data", data).stdout.strip()
    out = tmp_path / "missing" / "game.jsonl"

    assert error_of(run("export", code, "--data", data, "-o", out)) == f"{out}: No such file or directory"


def test_a_foreign_database_is_left_alone(data):
    data.mkdir()
    (data / "companion.sqlite3").write_bytes(b"this is no database" * 100)

    line = error_of(run("games", "--data", data))

    assert "cannot be opened" in line
    assert (data / "companion.sqlite3").read_bytes().startswith(b"this is no database")


def test_a_file_cannot_be_the_data_folder(a_log):
    assert "--data" in error_of(run("games", "--data", a_log()))


# The command itself


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["fly"], id="unknown command"),
        pytest.param(["--fly"], id="unknown option"),
        pytest.param(["replay"], id="missing argument"),
        pytest.param(["replay", "a", "b"], id="an argument too many"),
        pytest.param(["replay", "--fly", "a"], id="unknown option of a command"),
        pytest.param(["serve", "--port", "many"], id="a port in words"),
        pytest.param(["serve", "--port", "65536"], id="a port too high"),
        pytest.param(["serve", "--https-port", "-1"], id="a negative port"),
    ],
)
def test_a_mistyped_command_is_one_line(arguments):
    assert error_of(run(*arguments))


# cheroot leaves the socket it could not bind to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_port_that_is_taken_is_one_line(data):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        line = error_of(run("serve", "--host", "127.0.0.1", "--port", port, "--data", data))

    assert "--port" in line


def every_command():
    return ["", *sorted(dungeon.list_commands(click.Context(dungeon)))]


@pytest.mark.parametrize("command", every_command())
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_explains_itself(command, flag):
    result = run(*([command] if command else []), flag)

    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.startswith(f"Usage: dungeon {command}".rstrip())
    assert "--help" in result.stdout


def test_the_commands_are_these():
    assert every_command() == [
        "",
        "accuracy",
        "backup",
        "calibrate",
        "export",
        "free-seat",
        "games",
        "import",
        "markers",
        "odds",
        "replay",
        "restore",
        "rooms",
        "scan",
        "serve",
    ]


def test_without_a_command_the_help_is_readable():
    result = run()

    said = (result.stdout + result.stderr).splitlines()
    assert "Commands:" in [line.strip() for line in said]


def test_the_version_is_told():
    result = run("--version")

    assert result.exit_code == 0
    assert result.stdout.startswith("dungeon, version ")
