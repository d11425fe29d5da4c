"""What was typed in earlier games: found, newest first, and no slower because people play a lot."""

import sqlite3

from companion.results import Result
from companion.schema import APPLICATION_ID, MIGRATIONS
from companion.store import FILE_NAME
from tests.companion.builders import WHEN, a_row, an_entry

OVER = Result("dungeon-drop", "Dungeon Drop", WHEN, 42, True, ())


def drop(code="abc", **changes):
    return a_row(code, game="dungeon-drop", **changes)


def chosen(seq, hero, at=WHEN):
    return an_entry(seq, at=at, type="hero_chosen", hero=hero)


def undone(seq, event):
    return an_entry(seq, type="undone", event=event)


def heroes(store, **facts):
    return [body["hero"] for body in store.recorded("dungeon-drop", type="hero_chosen", **facts)]


def test_the_newest_of_all_tables_of_a_game_comes_first(store):
    store.add_game(drop("one"), [chosen(1, "elf", "2026-01-01"), chosen(2, "orc", "2026-01-03")])
    store.add_game(drop("two"), [chosen(1, "imp", "2026-01-02"), an_entry(2)])
    store.add_game(a_row("other"), [chosen(1, "cat", "2026-01-04")])

    assert heroes(store) == ["orc", "imp", "elf"]
    assert heroes(store, most=2) == ["orc", "imp"]


def test_what_was_undone_there_is_left_out_and_what_was_done_again_is_not(store):
    entries = [chosen(1, "elf"), undone(2, 1), chosen(3, "orc"), chosen(4, "imp"), undone(5, 4)]
    store.add_game(drop("one"), entries)
    store.add_game(drop("two"), [chosen(1, "cat"), chosen(2, "dog")])

    assert sorted(heroes(store)) == ["cat", "dog", "orc"]


def test_only_of_games_that_are_over_if_that_is_asked(store):
    store.add_game(drop("one"), [chosen(1, "elf")])
    store.add_game(drop("two", result=OVER), [chosen(1, "orc")])

    assert heroes(store, finished=True) == ["orc"]


def test_it_takes_no_longer_after_forty_evenings(store):
    """Counted in steps of SQLite's own machine, which are the same everywhere."""

    def steps():
        counted = []
        store._reader.set_progress_handler(lambda: counted.append(1) and None, 10)
        assert len(store.recorded("dungeon-drop", type="hero_chosen")) == 20
        store._reader.set_progress_handler(None, 0)
        return 10 * len(counted)

    def evening():
        taps = [an_entry(seq) for seq in range(21, 300)]
        return (
            [chosen(seq, "elf") for seq in range(1, 21)]
            + taps
            + [undone(seq, seq - 50) for seq in range(300, 400)]
        )

    store.add_game(drop("first"), evening())
    one = steps()
    for number in range(39):
        entries = [entry for entry in evening() if entry.body["type"] != "hero_chosen"]
        store.add_game(drop(f"later-{number}"), entries)

    assert steps() < 2 * one


def test_a_record_of_the_first_companion_is_brought_up_to_date_even_if_an_event_is_damaged(
    tmp_path, open_store
):
    old = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    for statement in MIGRATIONS[0]:
        old.execute(statement)
    old.executescript(f"PRAGMA user_version = 1; PRAGMA application_id = {APPLICATION_ID};")
    old.execute(
        "INSERT INTO games (code, game, players, first, options, created, touched, listed)"
        " VALUES ('abc', 'dungeon-drop', '[\"Ana\"]', 0, '{}', '', '', 1)"
    )
    for seq, body in ((1, '{"type": "hero_chosen", "hero": "elf"}'), (2, '{"type": "her')):
        old.execute("INSERT INTO events VALUES ('abc', ?, 0, '', ?, ?)", (seq, f"tap-{seq}", body))
    old.close()

    assert heroes(open_store()) == ["elf"]
