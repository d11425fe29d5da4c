"""Games as JSON-lines files: golden games, round trips, and bad lines named with their number."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.apprentis.events import GroupEntered, TurnEnded
from companion.apprentis.scoring import score
from companion.errors import CompanionError
from companion.games import GAMES as GAME_RULES
from companion.guilds.scoring import sheet_of as guilds_sheet
from companion.logfile import MAX_ACTION, MAX_LINE, BadLine, read_header, read_log, write_log
from companion.results import result_of
from companion.welcome.game.scoring import sheet_of as welcome_sheet
from tests.companion.builders import REDONE, a_journal, events, follow, history, rewound, undone

GAMES = sorted((Path(__file__).parent / "games").glob("*.jsonl"))
SHEETS = {"apprentis": score, "guilds": guilds_sheet, "welcome-back": welcome_sheet}
CONTROLS = {"undone", "redone", "rewound"}
HEADER = {"schema": 1, "game": "apprentis", "players": ["Ana", "Ben"], "options": {"mode": "full"}}
ENTERED = {"type": "group_entered", "player": 0}


def lines(*data, header=HEADER):
    """Write a file; texts are taken as they are."""
    return [part if isinstance(part, str) else json.dumps(part) for part in (header, *data)]


def bad_line(*data, header=HEADER):
    """Return the number of the first bad line and why it is bad."""
    with pytest.raises(BadLine) as caught:
        read_log(lines(*data, header=header))
    number, why = str(caught.value).split(": ", 1)
    assert number == f"Line {caught.value.line}"
    return caught.value.line, why


# Golden games


@pytest.fixture(params=GAMES, ids=lambda path: path.stem)
def golden(request):
    """Read a complete game and what it must come to."""
    text = request.param.read_text("utf-8")
    return text, json.loads(request.param.with_suffix(".json").read_text("utf-8"))


def test_a_golden_game_ends_as_it_did_at_the_table(golden):
    text, expected = golden

    journal, created = read_log(text.splitlines())

    result = result_of(journal, created)
    assert journal.version == expected["version"]
    assert str(journal.outcome.reason) == expected["reason"]
    assert [player.name for player in result.players] == expected["ranking"]
    assert {player.name: player.score for player in result.players} == expected["scores"]
    assert (result.minutes, result.ended) == (expected["minutes"], expected["ended"])


def test_a_golden_game_scores_every_line_as_it_did_at_the_table(golden):
    text, expected = golden

    journal, _ = read_log(text.splitlines())

    for seat, name in enumerate(journal.setup.players):
        sheet = SHEETS[journal.setup.game](journal.state, seat)
        found = {line.key: line.points for line in sheet.lines}
        assert found == expected["lines"][name]


def test_a_golden_game_is_exported_as_it_was_imported(golden):
    text, _ = golden

    journal, created = read_log(text.splitlines())

    assert "".join(write_log(journal, created=created)) == text


@pytest.mark.parametrize("key", SHEETS)
def test_golden_games_know_every_type_of_event_and_every_mode(key):
    logs = [[json.loads(line) for line in path.read_text("utf-8").splitlines()] for path in GAMES]
    mine = [log for log in logs if log[0]["game"] == key]

    told = {line["type"] for log in mine for line in log[1:]} - CONTROLS
    assert told == set(GAME_RULES[key].codec.kinds)
    modes = {log[0]["options"].get("mode") for log in mine}
    assert modes == ({None} if key == "welcome-back" else {"full", "score"})


def test_golden_games_undo_redo_and_jump_back():
    types = {json.loads(line).get("type") for path in GAMES for line in path.read_text("utf-8").splitlines()}

    assert types >= CONTROLS


def test_in_the_golden_game_tom_draws_the_last_card_and_caro_ends_it():
    path = next(path for path in GAMES if path.stem == "three_apprentices")

    told = history(read_log(path.read_text("utf-8").splitlines())[0])

    last_card = next(i for i, words in enumerate(told) if "The last threat card: Caro plays" in words)
    assert told[last_card + 1].startswith("Tom's turn is over.")
    assert told[last_card + 2].startswith("Threat card")
    assert told[last_card + 4] == "Caro's turn is over. The game is over: points are counted."


# Round trips

taps = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.one_of(
            events,
            events,
            st.just(REDONE),
            st.builds(undone, st.integers(1, 9)),
            st.builds(rewound, st.integers(0, 9)),
        ),
    ),
    max_size=20,
)
names = st.lists(
    st.text("aäéßΩж龍🐉 'x=-%(){}", min_size=1, max_size=24).filter(str.strip),
    min_size=2,
    max_size=4,
    unique_by=lambda name: " ".join(name.split()).casefold(),
)


@settings(max_examples=150, deadline=None)
@given(names, taps, st.sampled_from(("full", "score")), st.integers(0, 1))
def test_any_game_survives_export_and_import(players, taps, mode, first):
    header = {
        **HEADER,
        "players": players,
        "first": first,
        "options": {"mode": mode, "piles": [1, 2, 0, 2, 2]},
    }
    journal = read_header(header)
    for by, event in taps:
        try:
            journal = follow(journal, (by, event), at="2026-01-31T20:15:00.250+00:00")
        except CompanionError:
            continue

    text = "".join(write_log(journal, created="2026-01-31T20:00:00.000+00:00"))
    again, created = read_log(text.split("\n"))

    assert again.setup == journal.setup
    assert again.state == journal.state
    assert again.entries == journal.entries
    assert created == "2026-01-31T20:00:00.000+00:00"


def test_only_the_game_and_its_players_must_be_given():
    journal, created = read_log(
        ['{"game": "apprentis", "players": ["Ana", "Ben"]}', '{"type": "group_entered", "player": 1}']
    )

    assert journal.version == 1
    assert journal.entries[0].by == 1
    assert journal.setup.first == 0
    assert created is None


def test_a_file_that_leaves_the_objectives_to_chance_plays_the_first_sides():
    journal, _ = read_log(lines(header={**HEADER, "options": {"spider": "draw-expert"}}))

    assert journal.state.objectives == (
        "spider-brou",
        "brou-singles-and-pairs",
        "vampire-crowd",
        "dragon-each",
    )


def test_the_seat_is_the_events_player_unless_it_is_given():
    journal, _ = read_log(
        lines({"type": "turn_ended", "player": 0, "by": 1}, {"type": "turn_ended", "player": 1})
    )

    assert [kept.by for kept in journal.entries] == [1, 1]


def test_blank_lines_are_skipped_but_counted():
    assert bad_line("", "   ", {"type": "eaten"})[0] == 4


# Bad lines


@pytest.mark.parametrize(
    ("line", "why"),
    [
        pytest.param("{", "This is not JSON.", id="cut off"),
        pytest.param('{"type": "group_entered", "player": NaN}', "This is not JSON.", id="NaN"),
        pytest.param('{"type": "group_entered", "player": Infinity}', "This is not JSON.", id="Infinity"),
        pytest.param('{"type": "group_entered", "player": -Infinity}', "This is not JSON.", id="-Infinity"),
        pytest.param(
            '{"type": "group_entered", "by": 0, "player": 1e999}',
            "The field 'player' does not have a possible value.",
            id="a float too large for any computer",
        ),
        pytest.param(
            '{"type": "group_entered", "by": 0, "player": ' + "9" * 4000 + "}",
            "The field 'player' does not have a possible value.",
            id="4000 digits",
        ),
        pytest.param(
            '{"type": "group_entered", "player": ' + "9" * 9000 + "}", "This is not JSON.", id="9000 digits"
        ),
        pytest.param("[]", "Every line must be a JSON object.", id="list"),
        pytest.param("null", "Every line must be a JSON object.", id="null"),
        pytest.param('"x"', "Every line must be a JSON object.", id="text"),
        pytest.param('{"type": "' + "x" * MAX_LINE + '"}', "The line is too long.", id="too long"),
        pytest.param({"player": 0}, "The event type 'None' is not known.", id="no type"),
        pytest.param(
            {"type": "eaten", "player": 0}, "The event type 'eaten' is not known.", id="unknown type"
        ),
        pytest.param({"type": "group_entered"}, "The field 'player' is missing.", id="missing field"),
        pytest.param({**ENTERED, "colour": 1}, "The field 'colour' is not known here.", id="unknown field"),
        pytest.param(
            {"type": "group_advanced", "player": 0, "steps": True},
            "The field 'steps' does not have a possible value.",
            id="bool as int",
        ),
        pytest.param(
            {"type": "group_removed", "player": 0, "room": 5}, "There is no group in that room.", id="illegal"
        ),
        pytest.param({**ENTERED, "by": 1}, "Only the player of this seat can do that.", id="wrong seat"),
        pytest.param({**ENTERED, "by": 2}, "There is no such seat.", id="seat too high"),
        pytest.param({**ENTERED, "by": -1}, "There is no such seat.", id="negative seat"),
        pytest.param({**ENTERED, "by": True}, "There is no such seat.", id="bool as seat"),
        pytest.param({**ENTERED, "by": "0"}, "There is no such seat.", id="text as seat"),
        pytest.param({**ENTERED, "by": None}, "There is no such seat.", id="null as seat"),
        pytest.param({"type": "redone"}, "There is nothing to redo.", id="nothing to redo"),
        pytest.param({"type": "undone", "event": 7}, "This has already been undone.", id="undo of nothing"),
        pytest.param(
            {**ENTERED, "action": "one"},
            "An action's id must be a short text, used once.",
            id="duplicate action",
        ),
        pytest.param(
            {**ENTERED, "action": ""}, "An action's id must be a short text, used once.", id="no action"
        ),
        pytest.param(
            {**ENTERED, "action": 7}, "An action's id must be a short text, used once.", id="number"
        ),
        pytest.param(
            {**ENTERED, "action": "x" * (MAX_ACTION + 1)},
            "An action's id must be a short text, used once.",
            id="long action",
        ),
        pytest.param(
            {**ENTERED, "at": "yesterday"}, "A time must look like 2026-01-31T20:15:00+00:00.", id="no time"
        ),
        pytest.param(
            {**ENTERED, "at": "2026-01-31T20:15:00"},
            "A time must look like 2026-01-31T20:15:00+00:00.",
            id="no zone",
        ),
        pytest.param(
            {**ENTERED, "at": "1969-12-31T23:59:59+00:00"},
            "A time must look like 2026-01-31T20:15:00+00:00.",
            id="before computers kept time",
        ),
        pytest.param(
            {**ENTERED, "at": "3000-01-01T00:00:00+00:00"},
            "A time must look like 2026-01-31T20:15:00+00:00.",
            id="the far future",
        ),
        pytest.param(
            {**ENTERED, "at": 1769890500}, "A time must look like 2026-01-31T20:15:00+00:00.", id="seconds"
        ),
        pytest.param(
            {**ENTERED, "at": "2026-01-31T20:15:00+00:00" + " " * 40},
            "A time must look like 2026-01-31T20:15:00+00:00.",
            id="long time",
        ),
    ],
)
def test_a_bad_line_is_named_with_its_number(line, why):
    assert bad_line({**ENTERED, "action": "one"}, line) == (3, why)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("[" * 9000 + "]" * 9000, id="lists"),
        pytest.param('{"a":' * 3000 + "1" + "}" * 3000, id="objects"),
    ],
)
def test_a_deeply_nested_line_is_refused_however_deep_this_python_reads(line):
    number, _why = bad_line({**ENTERED, "action": "one"}, line)

    assert number == 3


@pytest.mark.parametrize(
    ("header", "why"),
    [
        pytest.param("{}", "The game 'None' is not known.", id="no game"),
        pytest.param({**HEADER, "game": "chess"}, "The game 'chess' is not known.", id="unknown game"),
        pytest.param(
            {**HEADER, "game": ["apprentis"]}, "The game '['apprentis']' is not known.", id="list of games"
        ),
        pytest.param({**HEADER, "schema": 2}, "This file was written by a newer companion.", id="newer"),
        pytest.param(
            {**HEADER, "schema": "1"},
            "The first line must name the game, its players and its options.",
            id="text schema",
        ),
        pytest.param(
            {**HEADER, "schema": 0},
            "The first line must name the game, its players and its options.",
            id="schema 0",
        ),
        pytest.param(
            {**HEADER, "players": "Ana"},
            "The first line must name the game, its players and its options.",
            id="a player",
        ),
        pytest.param(
            {**HEADER, "options": []},
            "The first line must name the game, its players and its options.",
            id="options",
        ),
        pytest.param(
            {**HEADER, "first": True},
            "The first line must name the game, its players and its options.",
            id="first is true",
        ),
        pytest.param(
            {**HEADER, "first": 2}, "The first player must be one of the players.", id="first not there"
        ),
        pytest.param(
            {**HEADER, "first": -1}, "The first player must be one of the players.", id="negative first"
        ),
        pytest.param(
            {**HEADER, "players": ["Ana"]},
            "Donjon: Les Apprentis Gardiens is for 2 to 4 players.",
            id="one player",
        ),
        pytest.param(
            {**HEADER, "players": list("abcde")},
            "Donjon: Les Apprentis Gardiens is for 2 to 4 players.",
            id="five",
        ),
        pytest.param(
            {**HEADER, "players": ["Ana", "ana "]}, "Two players have the same name.", id="same name"
        ),
        pytest.param({**HEADER, "players": ["Ana", " "]}, "Every player needs a name.", id="no name"),
        pytest.param({**HEADER, "players": ["Ana", 7]}, "Every player needs a name.", id="number as name"),
        pytest.param(
            {**HEADER, "players": ["Ana", "B" * 25]}, "A name can have at most 24 letters.", id="long name"
        ),
        pytest.param(
            {**HEADER, "players": ["Ana", "B\u0000b"]},
            "A name can only have visible letters.",
            id="invisible",
        ),
        pytest.param(
            {**HEADER, "players": ["Ana", "\ud800"]},
            "A name can only have visible letters.",
            id="half a letter",
        ),
        pytest.param(
            {**HEADER, "options": {"mood": 1}}, "The option 'mood' is not known.", id="unknown option"
        ),
        pytest.param(
            {**HEADER, "options": {"mode": "fast"}},
            "'What the companion does' has no such choice.",
            id="no such choice",
        ),
        pytest.param(
            {**HEADER, "options": {"spider": "brou-pairs"}},
            "'Spider objective' has no such choice.",
            id="other colour",
        ),
        pytest.param(
            {**HEADER, "options": {"piles": [2, 2, 2, 2]}},
            "'Gold piles printed in the rooms' needs 5 numbers from 0 to 2.",
            id="four piles",
        ),
        pytest.param(
            {**HEADER, "options": {"piles": [3, 2, 2, 2, 2]}},
            "'Gold piles printed in the rooms' needs 5 numbers from 0 to 2.",
            id="three piles in a room",
        ),
        pytest.param(
            {**HEADER, "options": {"piles": [True, 2, 2, 2, 2]}},
            "'Gold piles printed in the rooms' needs 5 numbers from 0 to 2.",
            id="bool as pile",
        ),
        pytest.param(
            {**HEADER, "created": "then"},
            "A time must look like 2026-01-31T20:15:00+00:00.",
            id="created then",
        ),
    ],
)
def test_a_bad_header_is_line_1(header, why):
    assert bad_line(ENTERED, header=header) == (1, why)


@pytest.mark.parametrize("schema", [True, 1.0], ids=["true", "1.0"])
def test_a_schema_is_a_whole_number(schema):
    with pytest.raises(BadLine):
        read_log(lines(header={**HEADER, "schema": schema}))


@pytest.mark.parametrize("text", [[], [""], ["", "  ", "\n"]], ids=["nothing", "one line", "blank lines"])
def test_an_empty_file_says_so(text):
    with pytest.raises(BadLine, match="Line 1: The file is empty"):
        read_log(text)


def test_an_undo_of_true_is_not_an_undo_of_event_1():
    assert bad_line(ENTERED, {"type": "undone", "event": True})[0] == 3


def test_the_first_bad_line_is_the_one_that_is_named():
    assert bad_line(ENTERED, {"type": "eaten"}, "{")[0] == 3


def test_a_line_without_an_action_gets_a_free_one():
    """A file that was put together by hand from an exported one and new lines."""
    journal, _ = read_log(lines({**ENTERED, "action": "line-2"}, ENTERED))

    assert len({kept.action for kept in journal.entries}) == 2


# Whatever was read can be kept


@pytest.mark.parametrize(
    "line",
    [
        pytest.param({**ENTERED, "action": "\ud800"}, id="half a letter in an action"),
        pytest.param({**ENTERED, "at": "2026-01-31\ud80020:15:00+00:00"}, id="half a letter in a time"),
        pytest.param({**ENTERED, "at": "0001-01-01T00:00:00+14:00"}, id="before the first year"),
        pytest.param({**ENTERED, "at": "9999-12-31T23:59:59-14:00"}, id="after the last year"),
    ],
)
def test_a_file_is_refused_by_line_or_kept(tables, line):
    try:
        journal, created = read_log(lines(line))
    except BadLine as error:
        assert error.line == 2
        return

    assert tables.open(tables.adopt(journal, created)).state == journal.state


@pytest.mark.parametrize(
    "at",
    [
        "2026-01-31T20:15:00+00:00",
        "2026-01-31T20:15:00Z",
        "2026-01-31T22:15:00.000+02:00",
        "2026-01-31 15:15:00.000000-05:00",
        "20260131T201500Z",
    ],
)
def test_a_moment_is_kept_in_one_form_however_it_is_written(tables, at):
    journal, created = read_log(lines({**ENTERED, "at": at}, header={**HEADER, "created": at}))

    again = tables.open(tables.adopt(journal, created))

    assert created == again.entries[0].at == "2026-01-31T20:15:00.000+00:00"


def test_the_time_of_an_event_does_not_change_what_it_did():
    timed = follow(a_journal(), (0, GroupEntered(0)), (0, TurnEnded(0)), at="2026-01-31T20:15:00+00:00")
    untimed = follow(a_journal(), (0, GroupEntered(0)), (0, TurnEnded(0)))

    assert timed.state == untimed.state
