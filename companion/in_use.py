"""Whether a companion is running on a record, told by a lock that is gone with its process."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from companion.errors import BadData, StoreTrouble
from companion.message import say

# SQLite's locks work on every system and end with their process, however it ends. The file stays empty.
MARK: Final = "in-use.sqlite3"


@contextmanager
def in_use(folder: Path) -> Iterator[None]:
    """Mark the record in *folder* as used by a running companion; several may."""
    with closing(_mark(folder)) as mark:
        mark.execute("BEGIN")
        mark.execute("SELECT count(*) FROM sqlite_master").fetchone()  # holds a shared lock until the end
        yield


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep every companion away from the record in *folder*.

    Raises:
        BadData: one is using it.
    """
    with closing(_mark(folder)) as mark:
        try:
            mark.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise BadData(say("A companion is using this record: stop it first.")) from error
        yield


def _mark(folder: Path) -> sqlite3.Connection:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return sqlite3.connect(folder / MARK, isolation_level=None, timeout=0)
    except (OSError, sqlite3.Error) as error:
        raise StoreTrouble(
            say("The record %(path)s cannot be opened: %(why)s.", path=str(folder), why=str(error))
        ) from error
