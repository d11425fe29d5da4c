"""The SQLite file's tables, and how an older file becomes a current one."""

from __future__ import annotations

import sqlite3

from companion.errors import StoreTrouble
from companion.message import say

# "DuCo" in ASCII: marks the file as ours, so that a foreign database is never touched.
APPLICATION_ID = 0x4475436F

# Each step's statements bring a file from version i to i + 1. Never edit a released step: add another.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE games (
            code TEXT PRIMARY KEY,
            game TEXT NOT NULL,
            players TEXT NOT NULL,              -- JSON list of names
            first INTEGER NOT NULL,
            options TEXT NOT NULL,              -- JSON object
            created TEXT NOT NULL,
            touched TEXT NOT NULL,
            host TEXT,                          -- the phone that made it; NULL: anyone may tidy it up
            listed INTEGER NOT NULL,            -- shown on the start page to everybody
            seating INTEGER NOT NULL DEFAULT 0, -- grows with every change of seats
            result TEXT,                        -- JSON summary once finished
            deleted TEXT
        )
        """,
        """
        CREATE TABLE events (
            game TEXT NOT NULL REFERENCES games(code) ON DELETE CASCADE,
            seq INTEGER NOT NULL,
            by INTEGER NOT NULL,
            at TEXT NOT NULL,
            action TEXT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (game, seq),
            UNIQUE (game, action)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE seats (
            game TEXT NOT NULL REFERENCES games(code) ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            device TEXT NOT NULL,
            PRIMARY KEY (game, seat)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE visits (
            device TEXT NOT NULL,
            game TEXT NOT NULL REFERENCES games(code) ON DELETE CASCADE,
            PRIMARY KEY (device, game)
        ) WITHOUT ROWID
        """,
    ),
    # What was typed in earlier games is looked for by the type of events; nothing is known of a damaged one.
    (
        """
        CREATE INDEX events_by_type ON events (
            json_extract(CASE WHEN json_valid(body) THEN body END, '$.type'), at
        )
        """,
        """
        CREATE INDEX events_taken_back ON events (
            game, json_extract(CASE WHEN json_valid(body) THEN body END, '$.event')
        ) WHERE json_extract(CASE WHEN json_valid(body) THEN body END, '$.type') = 'undone'
        """,
    ),
)
VERSION = len(MIGRATIONS)


def check_ownership(connection: sqlite3.Connection) -> int:
    """Return the file's version without changing it; 0 for a new file.

    Raises:
        StoreTrouble: the file belongs to something else or to a newer companion.
    """
    # One statement: another process may be making the tables between two.
    version, owner, tables = connection.execute(
        "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master)"
        " FROM pragma_user_version, pragma_application_id"
    ).fetchone()
    if tables and owner != APPLICATION_ID:
        raise StoreTrouble(say("This database file does not belong to the companion."))
    if version > VERSION:
        raise StoreTrouble(say("This database file was written by a newer companion."))
    return int(version)


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Create or migrate the tables; of several processes that start at once, one does it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number in range(check_ownership(connection), VERSION):
            for statement in MIGRATIONS[number]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
