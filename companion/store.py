"""The one SQLite file that keeps every game. What a method has returned from is on disk."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.backups import FILE_NAME, check_whole, daily_copies
from companion.codec import decode, encode
from companion.errors import StaleVersion, StoreTrouble, UnknownGame
from companion.message import Message, say
from companion.results import Result
from companion.schema import bring_up_to_date, check_ownership
from companion.trail import Entry

WAL_TRIES = 100


@dataclass(frozen=True, slots=True)
class GameRow:
    """What is known of a game without replaying it."""

    code: str
    game: str
    players: tuple[str, ...]
    first: int
    options: dict[str, Any]
    created: str
    touched: str
    host: str | None
    listed: bool
    seating: int
    result: Result | None
    deleted: str | None


class Store:
    """Reads and writes the file; one writer at a time.

    Reading has its own connection: a disk that takes a second to write must not keep anybody from looking.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self._writer_lock, self._reader_lock = threading.RLock(), threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._db = _connected(self.path)
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise StoreTrouble(_trouble(folder, self.path, error)) from error

    def _prepare(self) -> None:
        try:
            check_ownership(self._db)  # before anything is written to it
            check_whole(self._db)
            self._use_wal()
            # FULL: a commit survives the power cut, not only the killed process.
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            bring_up_to_date(self._db)
            self._reader = _connected(self.path)
        except BaseException:
            self._db.close()  # a file that is not ours is not kept open either
            raise

    def _use_wal(self) -> None:
        # Switching needs the file for itself and, unlike a write, does not wait for it.
        for _ in range(WAL_TRIES):
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise
                time.sleep(0.05)
        self._db.execute("PRAGMA journal_mode = WAL")

    def close(self) -> None:
        """Close the file; the store cannot be used any more."""
        with self._writer_lock, self._reader_lock:
            self._reader.close()
            self._db.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._writer_lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield self._db
                self._db.execute("COMMIT")
            except sqlite3.IntegrityError:
                self._roll_back()
                raise
            except sqlite3.Error as error:
                self._roll_back()
                raise StoreTrouble(
                    say("This could not be written down (%(why)s). Nothing was changed.", why=str(error))
                ) from error
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        # A closed or broken connection has nothing left to roll back.
        with suppress(sqlite3.Error):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def _read(self, sql: str, *values: object) -> list[sqlite3.Row]:
        with self._reader_lock:
            try:
                return self._reader.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise StoreTrouble(say("The record cannot be read: %(why)s.", why=str(error))) from error

    # Games

    def add_game(self, row: GameRow, entries: Iterable[Entry] = ()) -> None:
        """Write a new game and, if it is imported, its whole log, in one piece."""
        with self._writing() as db:
            db.execute(
                "INSERT INTO games"
                " (code, game, players, first, options, created, touched, host, listed, result)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row.code,
                    row.game,
                    json.dumps(row.players),
                    row.first,
                    json.dumps(encode(row.options)),
                    row.created,
                    row.touched,
                    row.host,
                    row.listed,
                    _result_text(row.result),
                ),
            )
            db.executemany(
                "INSERT INTO events (game, seq, by, at, action, body) VALUES (?, ?, ?, ?, ?, ?)",
                (_event_values(row.code, entry) for entry in entries),
            )

    def game(self, code: str) -> GameRow:
        """Return one game.

        Raises:
            UnknownGame: there is none with this code, or it was deleted.
        """
        rows = self._read("SELECT * FROM games WHERE code = ? AND deleted IS NULL", code)
        if not rows:
            raise UnknownGame(say("There is no such table."))
        return _game_row(rows[0])

    def games_for(self, device: str | None) -> list[GameRow]:
        """Return the games a phone may find on its start page, newest first; None: all of them."""
        rows = self._read(
            "SELECT * FROM games WHERE deleted IS NULL AND (? IS NULL OR listed OR host = ? OR code IN"
            " (SELECT game FROM visits WHERE device = ?)) ORDER BY touched DESC, code",
            device,
            device,
            device,
        )
        return [_game_row(row) for row in rows]

    def set_deleted(self, code: str, when: str | None) -> None:
        """Put a game in the bin, or take it out again."""
        with self._writing() as db:
            db.execute("UPDATE games SET deleted = ? WHERE code = ?", (when, code))

    def deleted_game(self, code: str) -> GameRow:
        """Return a game from the bin.

        Raises:
            UnknownGame: it is not there.
        """
        rows = self._read("SELECT * FROM games WHERE code = ? AND deleted IS NOT NULL", code)
        if not rows:
            raise UnknownGame(say("There is no such table."))
        return _game_row(rows[0])

    # Events

    def entries(self, code: str) -> Iterator[Entry]:
        """Yield a game's log in order."""
        for row in self._read("SELECT * FROM events WHERE game = ? ORDER BY seq", code):
            yield _entry(row)

    def entry_of(self, code: str, action: str) -> Entry | None:
        """Return the entry of a game's log that carries this id, if there is one."""
        rows = self._read("SELECT * FROM events WHERE game = ? AND action = ?", code, action)
        return _entry(rows[0]) if rows else None

    def recorded(self, *games: str, type: str, finished: bool = False, most: int = 300) -> list[Any]:
        """Return the newest events of one type of all tables of some games, newest first.

        What was undone is left out; what was brought back after that, too.

        Args:
            finished: only of games that are over.
        """
        # The plus takes the number's type away: what an index has read from JSON has none either.
        rows = self._read(
            "SELECT events.body FROM events JOIN games ON games.code = events.game"
            f" WHERE games.game IN ({', '.join('?' * len(games))})"
            f" AND {_told('events', 'type')} = ?"
            " AND (games.result IS NOT NULL OR NOT ?)"
            " AND NOT EXISTS (SELECT 1 FROM events AS later INDEXED BY events_taken_back"
            " WHERE later.game = events.game"
            f" AND later.seq > events.seq AND {_told('later', 'type')} = 'undone'"
            f" AND {_told('later', 'event')} = +events.seq)"
            " ORDER BY events.at DESC, events.seq DESC LIMIT ?",
            *games,
            type,
            finished,
            most,
        )
        return [json.loads(row["body"]) for row in rows]

    def append(self, code: str, entry: Entry, result: Result | None) -> None:
        """Write one entry and the game's summary; on return both are on disk.

        Raises:
            StaleVersion: another entry took this place in the log.
            StoreTrouble: nothing was written.
        """
        try:
            with self._writing() as db:
                db.execute(
                    "INSERT INTO events (game, seq, by, at, action, body) VALUES (?, ?, ?, ?, ?, ?)",
                    _event_values(code, entry),
                )
                db.execute(
                    "UPDATE games SET touched = ?, result = ? WHERE code = ?",
                    (entry.at, _result_text(result), code),
                )
        except sqlite3.IntegrityError as error:
            raise StaleVersion from error

    # Seats

    def seats(self, code: str) -> dict[int, str]:
        """Return which phone holds which seat."""
        rows = self._read("SELECT seat, device FROM seats WHERE game = ?", code)
        return {row["seat"]: row["device"] for row in rows}

    def take_seat(self, code: str, seat: int, device: str) -> bool:
        """Give a free seat to a phone; False if somebody else was faster."""
        with self._writing() as db:
            added = db.execute("INSERT OR IGNORE INTO seats VALUES (?, ?, ?)", (code, seat, device)).rowcount
            if added:
                db.execute("UPDATE games SET seating = seating + 1 WHERE code = ?", (code,))
        return bool(added) or self.seats(code).get(seat) == device

    def free_seat(self, code: str, seat: int) -> None:
        """Make a seat free for another phone."""
        with self._writing() as db:
            if db.execute("DELETE FROM seats WHERE game = ? AND seat = ?", (code, seat)).rowcount:
                db.execute("UPDATE games SET seating = seating + 1 WHERE code = ?", (code,))

    def has_visited(self, code: str, device: str) -> bool:
        """Whether a phone was at this table before."""
        return bool(self._read("SELECT 1 FROM visits WHERE device = ? AND game = ?", device, code))

    def note_visit(self, code: str, device: str) -> None:
        """Remember that a phone knows this game's address."""
        if self.has_visited(code, device):
            return
        with self._writing() as db:
            db.execute("INSERT OR IGNORE INTO visits VALUES (?, ?)", (device, code))


def _connected(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
    db.row_factory = sqlite3.Row
    return db


def _trouble(folder: Path, path: Path, error: Exception) -> Message:
    """Say what is wrong with the record and, if the file itself is broken, which copy there is of it."""
    trouble = say("The record %(path)s cannot be opened: %(why)s.", path=str(path), why=str(error))
    copies = daily_copies(folder) if isinstance(error, sqlite3.DatabaseError) else []
    if isinstance(error, sqlite3.OperationalError) or not copies:
        return trouble
    return say(
        "%(trouble)s It was left as it is. The newest copy is %(copy)s; 'dungeon restore' puts it back.",
        trouble=trouble,
        copy=str(copies[0]),
    )


def _told(events: str, what: str) -> str:
    """Return how SQL reads a part of an event, as the indices do."""
    return f"json_extract(CASE WHEN json_valid({events}.body) THEN {events}.body END, '$.{what}')"


def _entry(row: sqlite3.Row) -> Entry:
    return Entry(row["seq"], row["by"], row["at"], row["action"], json.loads(row["body"]))


def _event_values(code: str, entry: Entry) -> tuple[object, ...]:
    body = json.dumps(encode(entry.body), ensure_ascii=False)
    return code, entry.seq, entry.by, entry.at, entry.action, body


def _result_text(result: Result | None) -> str | None:
    return None if result is None else json.dumps(encode(result), ensure_ascii=False)


def _game_row(row: sqlite3.Row) -> GameRow:
    return GameRow(
        code=row["code"],
        game=row["game"],
        players=tuple(json.loads(row["players"])),
        first=row["first"],
        options=json.loads(row["options"]),
        created=row["created"],
        touched=row["touched"],
        host=row["host"],
        listed=bool(row["listed"]),
        seating=row["seating"],
        result=None if row["result"] is None else decode(Result, json.loads(row["result"])),
        deleted=row["deleted"],
    )
