"""Copies of the record: one for each day of play, made while the games go on, and how one is put back."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Final

from companion.errors import StoreTrouble
from companion.in_use import alone
from companion.message import say
from companion.schema import check_ownership

FOLDER: Final = "backups"
FILE_NAME: Final = "companion.sqlite3"
DAILY: Final = "companion-????-??-??.sqlite3"
# A month of game evenings; a record of years is some megabytes.
KEPT: Final = 30
# As long as the record itself waits for another program.
PATIENCE_S: Final = 10.0
# SQLite keeps what was not yet moved into the file beside it.
BESIDE: Final = ("-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Contents:
    """What a record holds: enough to tell whether something happened since, and to tell a person."""

    games: int
    events: int
    newest: str | None


def daily_copies(folder: Path) -> list[Path]:
    """Return the copies of single days, the newest first."""
    return sorted((folder / FOLDER).glob(DAILY), reverse=True)


def contents_of(record: Path) -> Contents:
    """Look into a record without changing it.

    Raises:
        StoreTrouble: it is damaged, or not one of ours.
    """
    try:
        with closing(_read_only(record)) as db:
            check_ownership(db)
            check_whole(db)
            games, events, newest = db.execute(
                "SELECT (SELECT count(*) FROM games), count(*), max(at) FROM events"
            ).fetchone()
    except (OSError, sqlite3.Error) as error:
        raise StoreTrouble(
            say("The record %(path)s cannot be opened: %(why)s.", path=str(record), why=str(error))
        ) from error
    return Contents(games, events, newest)


def check_whole(db: sqlite3.Connection) -> None:
    """Refuse a damaged file.

    Raises:
        sqlite3.DatabaseError: as SQLite itself does where it comes across the damage.
    """
    (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(f"damaged, {found}")


def back_up(record: Path, target: Path) -> Contents:
    """Copy a record, also one that is being written to; *target* is either complete or not there.

    Raises:
        StoreTrouble: it could not be copied; nothing was changed.
    """
    part = target.with_name(target.name + ".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        with closing(_read_only(record)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy, progress=_not_for_ever())
            copy.execute("PRAGMA journal_mode = DELETE")
        contents = contents_of(part)
        _force_to_disk(part)
        os.replace(part, target)
    except (OSError, sqlite3.Error) as error:
        raise StoreTrouble(say("The record could not be copied: %(why)s.", why=str(error))) from error
    return contents


def back_up_today(folder: Path, today: date) -> Path | None:
    """Make or renew the copy of a day if something happened since the newest one; forget the oldest.

    Raises:
        StoreTrouble: it could not be copied.
    """
    target = folder / FOLDER / f"companion-{today.isoformat()}.sqlite3"
    copies = daily_copies(folder)
    now = contents_of(folder / FILE_NAME)
    if now.games == 0 or (copies and _contents_or_none(copies[0]) == now):
        return None
    back_up(folder / FILE_NAME, target)
    for old in daily_copies(folder)[KEPT:]:
        old.unlink(missing_ok=True)
    return target


def restore(folder: Path, copy: Path) -> tuple[Contents, Path | None]:
    """Put a copy back in the place of the record; return what it holds and where the old one went.

    Raises:
        BadData: a companion is using the record.
        StoreTrouble: the copy is damaged or not ours; nothing was changed.
    """
    contents = contents_of(copy)
    record, kept = folder / FILE_NAME, None
    with alone(folder):
        part = record.with_name(record.name + ".part")
        back_up(copy, part)
        if record.exists():
            kept = folder / FOLDER / f"replaced-{datetime.now():%Y-%m-%d-%H%M%S}.sqlite3"
            kept.parent.mkdir(parents=True, exist_ok=True)
            # What lies beside it goes with it: without, its newest entries would be lost.
            for ending in ("", *BESIDE):
                beside = record.with_name(record.name + ending)
                if beside.exists():
                    os.replace(beside, kept.with_name(kept.name + ending))
        os.replace(part, record)
    return contents, kept


def _contents_or_none(copy: Path) -> Contents | None:
    try:
        return contents_of(copy)
    except StoreTrouble:
        return None


def _read_only(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise FileNotFoundError(f"no file {path.name} there")
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=PATIENCE_S)


def _not_for_ever() -> Callable[[int, int, int], None]:
    """Return what ends a copy that another program keeps waiting; SQLite itself would wait for ever."""
    end = time.monotonic() + PATIENCE_S

    def check(status: int, remaining: int, total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > end:
            raise sqlite3.OperationalError("database is locked")

    return check


def _force_to_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
