"""A machine without a battery wakes up in 1970 and learns the time later: games do not mind."""

from companion.results import result_of
from companion.store import Store
from companion.tables import Tables

ENTERED = {"type": "group_entered", "player": 0}
REMOVED = {"type": "group_removed", "player": 0, "room": 1}


class Clock:
    """A clock that says what it is told."""

    def __init__(self, *moments):
        self.moments = list(moments)

    def __call__(self):
        return self.moments.pop(0) if len(self.moments) > 1 else self.moments[0]


def played(folder, *moments):
    """Play and score a game while the clock says these times; return its tables and code."""
    tables = Tables(Store(folder), clock=Clock(*moments))
    code = tables.create("apprentis", ("Ana", "Ben"), {})
    events = [REMOVED, ENTERED, REMOVED, {"type": "scoring_opened"}]
    events += [{"type": "sheet_signed", "player": seat} for seat in (0, 1)]
    for number, event in enumerate(events):
        tables.act(code, event.get("player", 0), event, seen=number, action=f"tap-{number}")
    return tables, code


FORWARD = ("1970-01-01T00:00:01.000+00:00", "1970-01-01T00:00:02.000+00:00", "2026-11-16T20:00:00.000+00:00")
BACK = ("2026-11-16T20:00:00.000+00:00", "2026-11-16T20:10:00.000+00:00", "1999-12-31T23:59:00.000+00:00")


def test_a_clock_that_jumps_forward_makes_no_game_of_fifty_years(tmp_path):
    tables, code = played(tmp_path, *FORWARD)

    result = result_of(tables.open(code), tables.store.game(code).created)
    assert result.minutes < 24 * 60
    tables.store.close()


def test_a_clock_that_jumps_back_loses_nothing_and_takes_no_time_back(tmp_path):
    tables, code = played(tmp_path, *BACK)
    tables.store.close()

    again = Tables(Store(tmp_path))
    journal = again.open(code)
    assert [entry.action for entry in journal.entries] == [f"tap-{number}" for number in range(6)]
    assert journal.outcome is not None
    assert result_of(journal, again.store.game(code).created).minutes >= 1
    again.store.close()


def test_the_order_of_taps_is_that_of_their_numbers_not_of_the_clock(tmp_path):
    tables, code = played(tmp_path, *BACK)
    tables.undo(code, 1, 6, action="undo")

    assert tables.open(code).state.phase == "scoring"
    assert [entry.seq for entry in tables.store.entries(code)] == list(range(1, 8))
    tables.store.close()
