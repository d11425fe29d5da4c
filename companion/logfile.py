"""A game as a JSON-lines file: a header line (game, players, options), then one entry per line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from companion.errors import BadData, CompanionError
from companion.games import find_rules
from companion.journal import MAX_ENTRIES, Journal
from companion.message import Message, say
from companion.rules import Setup, make_setup
from companion.trail import Entry

SCHEMA = 1
MAX_LINE = 20_000
MAX_ACTION = 64

RESERVED = ("by", "at", "action")  # written beside an event's own fields


class BadLine(BadData):
    """A line of a log cannot be used; carries its number, counted from 1."""

    def __init__(self, line: int, why: Message) -> None:
        super().__init__(say("Line %(line)d: %(why)s", line=line, why=why))
        self.line = line


def write_log(journal: Journal, *, created: str) -> Iterator[str]:
    """Yield the lines of the file, each ending in a newline."""
    header = {"schema": SCHEMA, **_header(journal.setup), "created": created}
    yield json.dumps(header, ensure_ascii=False) + "\n"
    for entry in journal.entries:
        line = {**entry.body, "by": entry.by, "at": entry.at, "action": entry.action}
        yield json.dumps(line, ensure_ascii=False) + "\n"


def _header(setup: Setup) -> dict[str, Any]:
    return {
        "game": setup.game,
        "players": list(setup.players),
        "first": setup.first,
        "options": {k: list(v) if isinstance(v, tuple) else v for k, v in setup.options.items()},
    }


def read_log(lines: Iterable[str]) -> tuple[Journal, str | None]:
    """Replay a file; return the journal and when the game was created, if the header says.

    Raises:
        BadLine: naming the first line that is broken or illegal.
    """
    journal, created = None, None
    actions: set[str] = set()
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            data = _parse(text)
            if journal is None:
                journal, created = read_header(data), _time(data.get("created"))
            else:
                entry = _entry(journal.version + 1, data, actions)
                actions.add(entry.action)
                journal = journal.follow(entry)
        except CompanionError as error:
            raise BadLine(number, error.message) from error
        if number > MAX_ENTRIES + 1:
            raise BadLine(number, say("The file is too long."))
    if journal is None:
        raise BadLine(1, say("The file is empty."))
    return journal, created


def read_header(data: Mapping[str, Any]) -> Journal:
    """Open the game that a header describes.

    Raises:
        BadData: the game, its players or its options are not known.
    """
    schema = data.get("schema", SCHEMA)
    if type(schema) is not int or schema < 1:
        raise BadData(say("The first line must name the game, its players and its options."))
    if schema > SCHEMA:
        raise BadData(say("This file was written by a newer companion."))
    rules = find_rules(data.get("game"))
    players, options, first = data.get("players"), data.get("options", {}), data.get("first", 0)
    if not isinstance(players, list) or not isinstance(options, dict) or type(first) is not int:
        raise BadData(say("The first line must name the game, its players and its options."))
    setup = make_setup(rules, tuple(players), options, first=first, recorded=True)
    return Journal.begin(rules, setup)


def _parse(text: str) -> dict[str, Any]:
    if len(text) > MAX_LINE:
        raise BadData(say("The line is too long."))
    try:
        # NaN and Infinity are not JSON, whatever Python thinks.
        data = json.loads(text, parse_constant=lambda name: _refuse())
    except (ValueError, RecursionError) as error:
        raise BadData(say("This is not JSON.")) from error
    if not isinstance(data, dict):
        raise BadData(say("Every line must be a JSON object."))
    return data


def _refuse() -> None:
    raise ValueError


def _entry(seq: int, data: dict[str, Any], used: set[str]) -> Entry:
    body = {key: value for key, value in data.items() if key not in RESERVED}
    by = data.get("by", body.get("player", 0))
    if type(by) is not int:
        raise BadData(say("There is no such seat."))
    action = check_action(data["action"]) if "action" in data else _free_action(seq, used)
    if action in used:
        raise BadData(say("An action's id must be a short text, used once."))
    return Entry(seq, by, _time(data.get("at")) or "", action, body)


def _free_action(seq: int, used: set[str]) -> str:
    action = f"unnamed-{seq}"
    while action in used:
        action += "'"
    return action


def check_action(action: object) -> str:
    """Return the id of an action.

    Raises:
        BadData: it is not a short, printable text.
    """
    if isinstance(action, str) and 0 < len(action) <= MAX_ACTION and action.isprintable():
        return action
    raise BadData(say("An action's id must be a short text, used once."))


def _time(value: object) -> str | None:
    if value is None or value == "":
        return None
    try:
        if not isinstance(value, str) or len(value) > 40:
            raise ValueError
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            raise ValueError
        moment = moment.astimezone(UTC)
        if not 1970 <= moment.year < 3000:
            raise ValueError
        return moment.isoformat(timespec="milliseconds")
    except (ValueError, OverflowError) as error:
        raise BadData(say("A time must look like 2026-01-31T20:15:00+00:00.")) from error
