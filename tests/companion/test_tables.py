"""All games of one companion: acting, undoing, many phones at once, and what survives a restart."""

import os
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from companion.apprentis.board import Monsters, Place
from companion.apprentis.events import (
    CODEC,
    Effect,
    GroupAdvanced,
    GroupEntered,
    GroupRemoved,
    PlaceFilled,
    SheetReopened,
    SheetSigned,
    ThreatRevealed,
    TurnEnded,
)
from companion.errors import (
    BadData,
    IllegalEvent,
    NotYourSeat,
    StaleVersion,
    StoreTrouble,
    UnknownGame,
)
from companion.logfile import MAX_ACTION, read_log, write_log
from companion.results import result_of
from tests.companion.builders import at_once, history, rewound, undone

ROOT = Path(__file__).parents[2]
PLAYERS = ("Ana", "Ben")
numbers = count(1)


def new_table(tables, players=PLAYERS, *, mode="full", **facts):
    return tables.create("apprentis", players, {"mode": mode}, **facts)


def tap(tables, code, by, event, *, seen=None, action=None):
    """Act like a phone that shows the current page unless *seen* says otherwise."""
    body = event if isinstance(event, dict) else CODEC.write(event)
    seen = tables.open(code).version if seen is None else seen
    return tables.act(code, by, body, seen=seen, action=action or f"tap-{next(numbers)}")


def fill(seat, **monsters):
    return PlaceFilled(seat, Place.ROOM_1, Monsters(**(monsters or {"brou": 1})))


# Making and opening tables


def test_a_new_table_is_found_by_its_code(tables):
    code = new_table(tables, first=1)

    journal = tables.open(code)

    assert journal.setup.players == PLAYERS
    assert journal.state.turn == 1
    assert journal.version == 0


def test_codes_cannot_be_guessed(tables):
    codes = {new_table(tables) for _ in range(20)}

    assert len(codes) == 20
    assert min(map(len, codes)) >= 20
    assert len(set("".join(codes))) > 24


def test_codes_can_be_read_out_and_typed(tables):
    letters = set("".join(new_table(tables) for _ in range(20)))

    assert all(letter.isascii() and letter.isalnum() for letter in letters)
    assert not letters & set("0o1liABCDEFGHIJKLMNOPQRSTUVWXYZ")


def test_objectives_that_were_drawn_stay_drawn(open_tables):
    tables = open_tables()
    codes = [tables.create("apprentis", PLAYERS, {"spider": "draw-expert"}) for _ in range(12)]
    drawn = [tables.open(code).state.objectives for code in codes]

    again = open_tables()

    assert [again.open(code).state.objectives for code in codes] == drawn
    assert len(set(drawn)) > 1
    assert all("draw" not in key for keys in drawn for key in keys)


def test_without_the_star_only_the_plain_objectives_are_drawn(tables):
    drawn = {tables.open(new_table(tables)).state.objectives[0] for _ in range(40)}

    assert drawn == {"spider-brou", "spider-dragon"}


def test_chosen_options_are_kept(open_tables):
    chosen = {
        "mode": "score",
        "spider": "spider-skeleton",
        "brou": "brou-crowd",
        "vampire": "vampire-most",
        "dragon": "dragon-each",
        "piles": [1, 1, 2, 2, 0],
    }
    code = open_tables().create("apprentis", PLAYERS, chosen)

    state = open_tables().open(code).state

    assert state.objectives == ("spider-skeleton", "brou-crowd", "vampire-most", "dragon-each")
    assert state.piles == (1, 1, 2, 2, 0)
    assert not state.tracked


@pytest.mark.parametrize(
    ("game", "players", "options", "message"),
    [
        pytest.param("chess", PLAYERS, {}, "The game 'chess' is not known.", id="game"),
        pytest.param("apprentis", ("Ana",), {}, "is for 2 to 4 players", id="players"),
        pytest.param("apprentis", ("Ana", "ANA"), {}, "Two players have the same name.", id="names"),
        pytest.param("apprentis", PLAYERS, {"mode": "x"}, "has no such choice", id="choice"),
        pytest.param("apprentis", PLAYERS, {"x": "y"}, "The option 'x' is not known.", id="option"),
    ],
)
def test_a_table_that_cannot_be_is_not_made(tables, game, players, options, message):
    with pytest.raises(BadData) as caught:
        tables.create(game, players, options)

    assert message in str(caught.value)
    assert tables.store.games_for(None) == []


def test_a_table_is_on_everybodys_start_page_unless_its_host_says_otherwise(tables):
    path = Path(__file__).parent / "games" / "broken_off.jsonl"
    imported = read_log(path.read_text("utf-8").splitlines())
    shown = {new_table(tables, host="ana"), tables.adopt(*imported, host="ana")}
    hidden = {new_table(tables, host="ana", listed=False), tables.adopt(*imported, host="ana", listed=False)}

    assert {row.code for row in tables.store.games_for("ben")} == shown
    assert {row.code for row in tables.store.games_for("ana")} == shown | hidden


def test_names_are_tidied(tables):
    code = new_table(tables, ("  Ana  Maria ", "Ben\t"))

    assert tables.open(code).setup.players == ("Ana Maria", "Ben")


def test_an_unknown_code_opens_nothing(tables):
    with pytest.raises(UnknownGame):
        tables.open("nothing")


def test_an_imported_game_goes_on_where_it_was(open_tables):
    path = Path(__file__).parent / "games" / "broken_off.jsonl"
    lines = path.read_text("utf-8").splitlines()
    finished, created = read_log(lines)
    half, _ = read_log(lines[:3])

    tables = open_tables()
    whole_code, half_code = tables.adopt(finished, created), tables.adopt(half, None)
    again = open_tables()

    assert again.open(whole_code).state == finished.state
    assert again.store.game(whole_code).created == created
    assert again.store.game(whole_code).result == result_of(finished, created)
    assert again.store.game(half_code).result is None
    assert tap(again, half_code, 0, TurnEnded(3)).version == 3


# Acting


def test_what_was_acknowledged_is_there_after_a_restart(open_tables):
    tables = open_tables()
    code = new_table(tables)
    tap(tables, code, 0, ThreatRevealed(Effect.NEW))
    before = tap(tables, code, 0, GroupAdvanced(0, 2))

    after = open_tables().open(code)

    assert after.state == before.state
    assert after.entries == before.entries
    assert history(after) == history(before)


def test_an_entry_carries_the_moment_it_was_accepted(open_tables):
    moments = iter(f"2026-01-31T20:{minute:02}:00+00:00" for minute in range(60))
    tables = open_tables(clock=lambda: next(moments))
    code = new_table(tables)

    journal = tap(tables, code, 0, GroupEntered(0))

    row = tables.store.game(code)
    assert row.created < journal.entries[0].at == row.touched


@pytest.mark.parametrize(
    ("by", "event", "error"),
    [
        pytest.param(0, GroupRemoved(0, 5), IllegalEvent, id="illegal"),
        pytest.param(1, GroupEntered(0), NotYourSeat, id="another seat"),
        pytest.param(5, TurnEnded(0), BadData, id="no such seat"),
        pytest.param(0, {"type": "eaten"}, BadData, id="unknown"),
        pytest.param(0, {"type": "group_entered", "player": 0, "by": 0}, BadData, id="reserved field"),
        pytest.param(0, {"type": ["redone"]}, BadData, id="list as type"),
    ],
)
def test_a_refused_event_leaves_no_trace(open_tables, by, event, error):
    tables = open_tables()
    code = new_table(tables)

    with pytest.raises(error):
        tap(tables, code, by, event)

    assert tables.open(code).version == 0
    assert open_tables().open(code).version == 0


@pytest.mark.parametrize("body", [undone(1), {"type": "redone"}, rewound(0)], ids=lambda body: body["type"])
def test_the_log_cannot_be_steered_by_an_event(tables, body):
    code = new_table(tables)
    tap(tables, code, 0, GroupEntered(0))

    with pytest.raises(BadData, match=f"The event type '{body['type']}' is not known"):
        tap(tables, code, 0, body)

    assert tables.open(code).version == 1


def test_a_page_that_is_out_of_date_is_noticed(tables):
    code = new_table(tables)
    tap(tables, code, 0, GroupEntered(0))

    with pytest.raises(StaleVersion, match="Please look again"):
        tap(tables, code, 1, GroupEntered(1), seen=0)

    assert tables.open(code).version == 1


def test_two_players_fill_in_their_sheets_from_the_same_page(tables):
    code = new_table(tables, mode="score")

    tap(tables, code, 0, fill(0, brou=2), seen=0)
    journal = tap(tables, code, 1, fill(1, spider=1), seen=0)

    assert [d.monsters(Place.ROOM_1) for d in journal.state.dungeons] == [
        Monsters(brou=2),
        Monsters(spider=1),
    ]
    with pytest.raises(StaleVersion):
        tap(tables, code, 1, fill(1, dragon=1), seen=1)


# The same tap twice


def test_a_repeated_tap_counts_once(tables):
    code = new_table(tables)
    first = tap(tables, code, 0, GroupEntered(0), seen=0, action="same")

    again = tap(tables, code, 0, GroupEntered(0), seen=0, action="same")

    assert again.version == first.version == 1
    assert again.state.dungeons[0].groups == (2, 0, 0, 0, 0)


def test_a_repeated_tap_counts_once_after_a_restart(open_tables):
    tables = open_tables()
    code = new_table(tables)
    tap(tables, code, 0, GroupEntered(0), seen=0, action="same")

    again = tap(open_tables(), code, 0, GroupEntered(0), seen=0, action="same")

    assert again.version == 1


def test_a_repeated_tap_counts_once_after_hundreds_of_others(tables):
    code = new_table(tables, mode="score")
    tap(tables, code, 0, fill(0, brou=2), seen=0, action="same")
    for number in range(300):
        tap(tables, code, 1, fill(1, spider=number % 3))

    again = tap(tables, code, 0, fill(0, brou=2), seen=0, action="same")

    assert again.version == 301


def test_a_repeated_undo_counts_once(tables):
    code = new_table(tables)
    for _ in range(2):
        tap(tables, code, 0, GroupEntered(0))

    for _ in range(3):
        journal = tables.undo(code, 0, 2, action="undo")

    assert journal.version == 3
    assert len(journal.steps) == 1


def test_the_same_id_in_two_games_is_two_taps(tables):
    codes = new_table(tables), new_table(tables)

    versions = [tap(tables, code, 0, GroupEntered(0), action="same").version for code in codes]

    assert versions == [1, 1]


def test_a_tap_of_another_seat_is_no_repetition(tables):
    code = new_table(tables)
    tap(tables, code, 0, GroupEntered(0), action="same")

    with pytest.raises(BadData, match="used once"):
        tap(tables, code, 1, GroupEntered(1), action="same")


@pytest.mark.parametrize("action", ["x" * (MAX_ACTION + 1), "\ud800"], ids=["long", "half a letter"])
def test_an_impossible_id_is_refused_in_words(tables, action):
    code = new_table(tables)

    with pytest.raises(BadData, match="An action's id must be a short text"):
        tap(tables, code, 0, GroupEntered(0), action=action)

    assert tables.open(code).version == 0


@pytest.mark.parametrize("action", ["x", "x" * MAX_ACTION], ids=["one letter", "as long as possible"])
def test_an_id_may_be_short_or_long(open_tables, action):
    tables = open_tables()
    code = new_table(tables)

    tap(tables, code, 0, GroupEntered(0), action=action)

    assert open_tables().open(code).entries[0].action == action


def test_an_empty_id_is_refused(tables):
    code = new_table(tables)

    with pytest.raises(BadData, match="An action's id must be a short text"):
        tables.act(code, 0, CODEC.write(GroupEntered(0)), seen=0, action="")


# Many phones at once


def test_of_two_phones_tapping_on_the_same_page_one_is_refused(tables):
    code = new_table(tables)

    for version in range(0, 40, 2):
        answers = at_once(
            lambda seen=version: tap(tables, code, 0, GroupEntered(0), seen=seen, action=f"a{seen}"),
            lambda seen=version: tap(tables, code, 1, GroupEntered(1), seen=seen, action=f"b{seen}"),
        )
        assert sum(isinstance(answer, StaleVersion) for answer in answers) == 1
        assert tables.open(code).version == version + 1
        winner = next(seat for seat, answer in enumerate(answers) if not isinstance(answer, StaleVersion))
        tap(tables, code, winner, GroupRemoved(winner, 1))


def test_one_tap_sent_many_times_at_once_counts_once(tables):
    code = new_table(tables)

    for seen in range(10):
        answers = at_once(
            *[lambda seen=seen: tap(tables, code, 0, GroupEntered(0), seen=seen, action=f"same-{seen}")] * 4
        )
        assert [answer.version for answer in answers] == [seen + 1] * 4


def test_four_players_fill_in_four_sheets_at_once(tables):
    code = new_table(tables, ("Ana", "Ben", "Cleo", "Dan"), mode="score")

    for round_number in range(1, 6):
        seen = tables.open(code).version
        answers = at_once(
            *(
                lambda seat=seat, seen=seen, n=round_number: tap(
                    tables, code, seat, fill(seat, brou=n, vip=seat), seen=seen, action=f"{n}-{seat}"
                )
                for seat in range(4)
            )
        )
        assert not [answer for answer in answers if isinstance(answer, Exception)]

    state = tables.open(code).state
    assert [d.monsters(Place.ROOM_1) for d in state.dungeons] == [Monsters(brou=5, vip=n) for n in range(4)]


def test_four_players_sign_at_once(tables):
    code = new_table(tables, ("Ana", "Ben", "Cleo", "Dan"), mode="score")

    answers = at_once(
        *(lambda seat=seat: tap(tables, code, seat, SheetSigned(seat), seen=0) for seat in range(4))
    )

    assert not [answer for answer in answers if isinstance(answer, Exception)]
    assert tables.store.game(code).result is not None


def test_of_two_processes_on_one_file_one_is_refused_and_catches_up(open_tables):
    one, other = open_tables(), open_tables()
    code = new_table(one)

    for seen in range(15):
        answers = at_once(
            lambda seen=seen: tap(one, code, 0, GroupEntered(0), seen=seen, action=f"a{seen}"),
            lambda seen=seen: tap(other, code, 1, GroupAdvanced(1, 1), seen=seen, action=f"b{seen}"),
        )
        assert sorted(isinstance(answer, StaleVersion) for answer in answers) == [False, True]
        loser = one if isinstance(answers[0], StaleVersion) else other
        assert loser.open(code).version == seen + 1

    assert one.open(code).state == other.open(code).state == open_tables().open(code).state


# Undo, redo, going back


def test_undo_takes_back_what_it_offered(tables):
    code = new_table(tables)
    tap(tables, code, 0, GroupEntered(0))

    journal = tables.undo(code, 1, 1, action="undo")

    assert journal.state == journal.start
    assert journal.version == 2


@pytest.mark.parametrize("target", [0, 1, 3, 99])
def test_undo_of_something_else_than_offered_is_out_of_date(tables, target):
    code = new_table(tables)
    for _ in range(2):
        tap(tables, code, 0, GroupEntered(0))

    with pytest.raises(StaleVersion):
        tables.undo(code, 0, target, action="undo")


def test_there_is_nothing_to_undo_at_the_start(tables):
    with pytest.raises(StaleVersion):
        tables.undo(new_table(tables), 0, 1, action="undo")


def test_undo_redo_and_going_back_survive_a_restart(open_tables):
    tables = open_tables()
    code = new_table(tables)
    for _ in range(3):
        tap(tables, code, 0, GroupEntered(0))
    tables.undo(code, 0, 3, action="undo")
    tables.redo(code, 1, seen=4, action="redo")
    tables.rewind(code, 1, 1, seen=5, action="back")

    again = open_tables()

    assert again.open(code).state == tables.open(code).state
    assert again.open(code).version == 6
    assert again.redo(code, 0, seen=6, action="forward").state.dungeons[0].groups == (4, 0, 0, 0, 0)


def test_redo_and_going_back_need_the_current_page(tables):
    code = new_table(tables)
    tap(tables, code, 0, GroupEntered(0))
    tables.undo(code, 0, 1, action="undo")

    with pytest.raises(StaleVersion):
        tables.redo(code, 0, seen=1, action="redo")
    with pytest.raises(StaleVersion):
        tables.rewind(code, 0, 0, seen=1, action="back")
    with pytest.raises(StaleVersion):
        tables.rewind(code, 0, 0, seen=3, action="back")


# Results and the bin


def test_the_result_is_written_when_the_last_sheet_is_signed_and_taken_back_when_reopened(tables):
    code = new_table(tables, mode="score")
    tap(tables, code, 0, fill(0, brou=2))
    tap(tables, code, 0, SheetSigned(0))
    open_result = tables.store.game(code).result

    journal = tap(tables, code, 1, SheetSigned(1))
    result = tables.store.game(code).result
    tap(tables, code, 1, SheetReopened(1))

    assert open_result is None
    assert result == result_of(journal, tables.store.game(code).created)
    assert tables.store.game(code).result is None


def test_undoing_the_last_signature_takes_the_result_back(tables):
    code = new_table(tables, mode="score")
    for seat in (0, 1):
        tap(tables, code, seat, SheetSigned(seat))

    tables.undo(code, 1, 2, action="undo")

    assert tables.store.game(code).result is None


def test_a_game_in_the_bin_is_not_played_until_it_is_restored(tables):
    code = new_table(tables)
    tap(tables, code, 0, GroupEntered(0))

    tables.store.set_deleted(code, "2026-01-31T20:15:00+00:00")

    with pytest.raises(UnknownGame):
        tables.open(code)
    with pytest.raises(UnknownGame):
        tables.act(code, 0, CODEC.write(GroupEntered(0)), seen=1, action="late")

    tables.store.set_deleted(code, None)

    assert tap(tables, code, 0, GroupEntered(0)).version == 2


def test_more_games_than_are_kept_in_memory_stay_playable(tables, monkeypatch):
    monkeypatch.setattr("companion.tables.KEPT_IN_MEMORY", 2)
    codes = [new_table(tables) for _ in range(5)]

    for _ in range(3):
        for code in codes:
            tap(tables, code, 0, GroupEntered(0))

    assert [tables.open(code).state.dungeons[0].groups[0] for code in codes] == [4] * 5


def test_an_export_imports_as_the_same_game(open_tables):
    tables = open_tables(clock=lambda: "2026-01-31T20:15:00.250+00:00")
    code = new_table(tables)
    tap(tables, code, 0, ThreatRevealed(Effect.NEW))
    tables.undo(code, 1, 1, action="undo")
    journal = tap(tables, code, 0, GroupAdvanced(0, 3))

    twin = tables.adopt(*read_log(write_log(journal, created=tables.store.game(code).created)))

    assert tables.open(twin).state == journal.state
    assert tables.open(twin).entries == journal.entries


# A disk that fails, a process that is killed


def test_a_full_disk_changes_nothing_and_the_game_goes_on_when_there_is_space(open_tables):
    tables = open_tables()
    code = new_table(tables)
    db = tables.store._db
    db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")

    trouble = None
    while trouble is None:
        acknowledged = tables.open(code)
        event = GroupEntered(0) if acknowledged.version % 2 == 0 else GroupRemoved(0, 1)
        try:
            tap(tables, code, 0, event, action=f"tap-number-{acknowledged.version + 1:>50}")
        except StoreTrouble as error:
            trouble = error
        assert acknowledged.version < 500, "the disk never filled up"

    assert "disk is full" in str(trouble)
    assert tables.open(code) == acknowledged
    assert open_tables().open(code).entries == acknowledged.entries

    db.execute("PRAGMA max_page_count = 1000000")
    after = tap(tables, code, 0, event, action=f"tap-number-{acknowledged.version + 1:>50}")

    assert after.version == acknowledged.version + 1
    assert open_tables().open(code).state == after.state


KILLED = """
import sys
from pathlib import Path
from companion.store import Store
from companion.tables import Tables

tables = Tables(Store(Path(sys.argv[1])))
version = 0
while True:
    body = {"type": "turn_ended", "player": version % 2}
    version = tables.act(sys.argv[2], 0, body, seen=version, action=f"tap-{version}").version
    print(version, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="kills a process at once")
def test_a_killed_process_loses_nothing_it_acknowledged(tmp_path, open_tables):
    code = new_table(open_tables())
    child = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path), code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )

    for _ in range(30):
        acknowledged = int(child.stdout.readline())
    child.send_signal(signal.SIGKILL)
    later = child.stdout.read().split()
    child.wait()
    child.stdout.close()

    acknowledged = int(later[-1]) if later else acknowledged
    journal = open_tables().open(code)
    assert acknowledged <= journal.version <= acknowledged + 1
    assert [kept.seq for kept in journal.entries] == list(range(1, journal.version + 1))
