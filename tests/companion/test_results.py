"""Finished games as people keep them: the summary, the CSV file and the link for BG Stats."""

import csv
import io
import json
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from companion.apprentis.board import Monsters, Place
from companion.apprentis.events import (
    GroupEntered,
    GroupsCounted,
    PlaceFilled,
    ScoringOpened,
    SheetReopened,
    SheetSigned,
)
from companion.bgstats import play_data, play_link
from companion.logfile import BadLine, read_log
from companion.results import PlayerResult, Result, result_of, to_csv
from tests.companion.builders import a_journal, entry, undone

CREATED = "2026-01-31T20:00:00+00:00"


def at(clock):
    return f"2026-01-31T{clock}+00:00"


def tapped(journal, *taps):
    """Add ``(clock, seat, event)`` to a journal; an empty clock is an unknown time."""
    for clock, by, event in taps:
        journal = journal.follow(entry(journal, by, event, at=at(clock) if clock else ""))
    return journal


def stopped_game(*clocks, **facts):
    """Play a game of two that is stopped and signed at the given times."""
    events = ((0, ScoringOpened()), (0, SheetSigned(0)), (1, SheetSigned(1)))
    return tapped(a_journal(**facts), *((clock, *tap) for clock, tap in zip(clocks, events, strict=True)))


def a_result(*players, ended=CREATED, minutes=42, **changes):
    facts = {"game": "apprentis", "title": "Donjon: Les Apprentis Gardiens", "highest_wins": True, **changes}
    return Result(ended=ended, minutes=minutes, players=players or (a_player("Ana"),), **facts)


def a_player(name, score=7, rank=1, winner=True, role="", start_player=False):
    return PlayerResult(name, score, rank, winner, role, start_player)


# The summary


def test_a_game_that_goes_on_has_no_result():
    journal = tapped(a_journal(), ("20:01:00", 0, GroupEntered(0)), ("20:02:00", 0, ScoringOpened()))

    assert result_of(journal, CREATED) is None


def test_a_finished_game_is_summed_up_best_player_first():
    journal = tapped(
        a_journal(3, first=1),
        ("20:10:00", 0, ScoringOpened()),
        ("20:11:00", 0, GroupsCounted(0, (0, 0, 0, 0, 1))),
        ("20:12:00", 1, GroupsCounted(1, (0, 0, 1, 0, 0))),
        ("20:13:00", 2, GroupsCounted(2, (0, 0, 0, 0, 0))),
        *((f"20:2{seat}:00", seat, SheetSigned(seat)) for seat in (0, 1, 2)),
    )

    result = result_of(journal, CREATED)

    assert (result.game, result.title) == ("apprentis", "Donjon: Les Apprentis Gardiens")
    assert (result.ended, result.minutes, result.highest_wins) == (at("20:22:00"), 22, True)
    assert result.players == (
        PlayerResult("Cleo", 0, 1, True, "", False),
        PlayerResult("Ben", -3, 2, False, "", True),
        PlayerResult("Ana", -5, 3, False, "", False),
    )


def test_a_tie_has_no_winner():
    result = result_of(stopped_game("20:10:00", "20:11:00", "20:12:00"), CREATED)

    assert [(player.rank, player.winner) for player in result.players] == [(1, False), (1, False)]


def test_a_reopened_sheet_takes_the_result_back():
    journal = tapped(stopped_game("20:10:00", "20:11:00", "20:12:00"), ("20:13:00", 0, SheetReopened(0)))

    assert result_of(journal, CREATED) is None


def test_a_game_ends_with_the_last_event_that_counts():
    journal = tapped(
        stopped_game("20:10:00", "20:11:00", "20:12:00"),
        ("20:20:00", 0, SheetReopened(0)),
        ("20:25:00", 0, undone(4)),
    )

    assert result_of(journal, CREATED).ended == at("20:12:00")


@pytest.mark.parametrize(
    ("clocks", "minutes"),
    [
        pytest.param(("20:10:00", "20:20:00", "20:25:00"), 25, id="no pause"),
        pytest.param(("20:10:00", "20:40:00", "20:45:00"), 45, id="exactly half an hour"),
        pytest.param(("20:10:00", "20:41:00", "20:45:00"), 44, id="a minute more is a pause"),
        pytest.param(("20:10:00", "23:50:00", "23:55:00"), 45, id="dinner counts as half an hour"),
        pytest.param(("21:00:00", "22:00:00", "23:00:00"), 90, id="three pauses"),
        pytest.param(("20:00:10", "20:00:15", "20:00:20"), 1, id="never less than a minute"),
        pytest.param(("20:10:00", "20:05:00", "20:15:00"), 20, id="a clock that was set back"),
        pytest.param(("20:10:00", "", "20:25:00"), 25, id="an unknown time"),
    ],
)
def test_the_minutes_leave_out_long_pauses(clocks, minutes):
    assert result_of(stopped_game(*clocks), CREATED).minutes == minutes


def test_a_game_that_was_only_scored_has_no_duration_and_no_first_player():
    journal = tapped(
        a_journal(mode="score"), ("20:30:00", 0, SheetSigned(0)), ("20:45:00", 1, SheetSigned(1))
    )

    result = result_of(journal, CREATED)

    assert result.minutes == 0
    assert [player.start_player for player in result.players] == [False, False]


def test_a_game_without_times_ends_when_it_was_made():
    assert result_of(stopped_game("", "", ""), CREATED).ended == CREATED


# CSV


def rows(*results):
    return list(csv.DictReader(io.StringIO(to_csv(results))))


def test_every_player_is_a_row():
    found = rows(
        a_result(a_player("Ana", 39, start_player=True), a_player("Zoë, the 2nd", -2, 2, False, "hero")),
        a_result(a_player("Ben", None), minutes=0),
    )

    assert found == [
        {
            "ended_utc": CREATED,
            "game": "Donjon: Les Apprentis Gardiens",
            "duration_min": "42",
            "player": "Ana",
            "score": "39",
            "rank": "1",
            "winner": "1",
            "role": "",
            "start_player": "1",
        },
        {
            "ended_utc": CREATED,
            "game": "Donjon: Les Apprentis Gardiens",
            "duration_min": "42",
            "player": "Zoë, the 2nd",
            "score": "-2",
            "rank": "2",
            "winner": "0",
            "role": "hero",
            "start_player": "0",
        },
        {
            "ended_utc": CREATED,
            "game": "Donjon: Les Apprentis Gardiens",
            "duration_min": "",
            "player": "Ben",
            "score": "",
            "rank": "1",
            "winner": "1",
            "role": "",
            "start_player": "0",
        },
    ]


def test_no_games_are_a_header():
    assert to_csv([]).strip() == "ended_utc,game,duration_min,player,score,rank,winner,role,start_player"


@pytest.mark.parametrize(
    "name", ["=1+1", "+33", "-1", "@SUM(A1)", '=HYPERLINK("http://x","y")', "\t=1", "\r=1"]
)
def test_a_name_is_never_a_formula(name):
    found = rows(a_result(a_player(name, role=name)))

    assert found[0]["player"] == found[0]["role"] == "'" + name


@pytest.mark.parametrize("name", ["Ana", "A=1", "1-1", "O'Neil", "'quoted'", 'say "x"', "é=ü"])
def test_an_ordinary_name_is_written_as_it_is(name):
    assert rows(a_result(a_player(name)))[0]["player"] == name


def imported(ended):
    """Read a finished game whose last event happened at *ended*, and sum it up."""
    journal, created = read_log(
        [
            '{"game": "apprentis", "players": ["Ana", "Ben"], "options": {"mode": "score"}}',
            '{"type": "sheet_signed", "player": 0}',
            json.dumps({"type": "sheet_signed", "player": 1, "at": ended}),
        ]
    )
    return result_of(journal, created or CREATED)


def test_the_column_of_utc_times_holds_utc_times():
    found = rows(imported("2026-01-31T23:30:00-02:00"))

    assert found[0]["ended_utc"] == "2026-02-01T01:30:00+00:00"


# BG Stats


def decoded(link):
    """Return what BG Stats reads from a link."""
    query = urlsplit(link).query
    assert query.startswith("data=")
    assert parse_qs(query, strict_parsing=True)["data"] == [unquote(query.removeprefix("data="))]
    return json.loads(unquote(query.removeprefix("data=")))


def test_the_link_opens_bg_stats():
    link = play_link(a_result(), "secret")

    assert link.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B")
    assert link.isascii()
    assert not set(link.split("?data=")[1]) & set(' "{}&=+#<>')


def test_the_link_carries_every_field_of_the_play():
    result = a_result(
        a_player("Ana & Zoë", 39, 1, True, "hero + 1", True),
        a_player("Ben", -3, 2, False),
        ended="2026-01-31T21:15:30.250+01:00",
    )

    data = decoded(play_link(result, "secret"))

    assert set(data) == {"sourceName", "sourcePlayId", "playDate", "durationMin", "game", "players"}
    assert data["sourceName"] == "Dungeon Companion"
    assert data["playDate"] == "2026-01-31 20:15:30"
    assert data["durationMin"] == 42
    assert data["game"] == {
        "name": "Donjon: Les Apprentis Gardiens",
        "sourceGameId": "apprentis",
        "highestWins": True,
        "noPoints": False,
    }
    ids = [player.pop("sourcePlayerId") for player in data["players"]]
    assert data["players"] == [
        {
            "name": "Ana & Zoë",
            "startPlayer": True,
            "winner": True,
            "score": "39",
            "rank": 1,
            "role": "hero + 1",
        },
        {"name": "Ben", "startPlayer": False, "winner": False, "score": "-3", "rank": 2, "role": ""},
    ]
    assert len(set(ids)) == 2


@pytest.mark.parametrize(
    ("ended", "date"),
    [
        pytest.param("2026-01-31T23:30:00-02:00", "2026-02-01 01:30:00", id="next day in UTC"),
        pytest.param("2026-01-01T00:30:00+01:00", "2025-12-31 23:30:00", id="last year in UTC"),
        pytest.param("2026-06-30T12:00:00.999+00:00", "2026-06-30 12:00:00", id="milliseconds"),
    ],
)
def test_the_date_of_the_play_is_in_utc(ended, date):
    assert play_data(a_result(ended=ended), "secret")["playDate"] == date


@pytest.mark.parametrize("scored", [True, False], ids=["with points", "without points"])
def test_the_four_yes_or_no_fields_are_always_there(scored):
    """BG Stats on Android refuses a play that leaves one of them out."""
    score = 3 if scored else None

    data = decoded(play_link(a_result(a_player("Ana", score), a_player("Ben", score, 2, False)), "secret"))

    assert data["game"]["highestWins"] is True
    assert data["game"]["noPoints"] is not scored
    for player in data["players"]:
        assert type(player["winner"]) is bool
        assert type(player["startPlayer"]) is bool
        assert player["score"] == ("3" if scored else "")


def test_a_game_in_which_the_lowest_wins_says_so():
    assert play_data(a_result(highest_wins=False), "secret")["game"]["highestWins"] is False


def test_nothing_points_to_board_game_geek_or_to_the_table():
    text = unquote(play_link(a_result(), "the-secret-code"))

    assert "bggId" not in text
    assert "the-secret-code" not in text


def test_the_same_game_and_player_keep_their_ids():
    one = play_data(a_result(a_player("Zoë")), "code-1")
    same = play_data(a_result(a_player("ZOË"), minutes=1), "code-1")
    other = play_data(a_result(a_player("Zoe")), "code-2")

    assert one["sourcePlayId"] == same["sourcePlayId"] != other["sourcePlayId"]
    assert one["players"][0]["sourcePlayerId"] == same["players"][0]["sourcePlayerId"]
    assert one["players"][0]["sourcePlayerId"] != other["players"][0]["sourcePlayerId"]


@pytest.mark.parametrize("ended", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_at_the_edge_of_the_calendar_is_refused_or_linked(ended):
    try:
        result = imported(ended)
    except BadLine as error:
        assert error.line == 3
        return

    assert play_link(result, "secret")


def test_a_real_game_reaches_bg_stats():
    journal = tapped(
        a_journal(mode="score"),
        ("20:01:00", 0, PlaceFilled(0, Place.ROOM_1, Monsters(brou=2, spider=1))),
        ("20:02:00", 0, SheetSigned(0)),
        ("20:03:00", 1, SheetSigned(1)),
    )

    data = decoded(play_link(result_of(journal, CREATED), "secret"))

    assert data["playDate"] == "2026-01-31 20:03:00"
    assert [(player["name"], player["winner"]) for player in data["players"]] == [
        ("Ana", True),
        ("Ben", False),
    ]
