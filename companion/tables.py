"""All games of one companion: opening, acting, undoing. The only place that writes to the store."""

from __future__ import annotations

import random
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from companion.errors import BadData, StaleVersion
from companion.games import find_rules
from companion.journal import REDONE, REWOUND, UNDONE, Journal, is_control
from companion.logfile import check_action
from companion.message import quoted, say
from companion.results import result_of
from companion.rules import make_setup
from companion.store import GameRow, Store
from companion.trail import Entry

# 20 of these are 99 random bits: nobody finds a table by guessing. No letters that look alike.
CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 20
KEPT_IN_MEMORY = 256
TURNS = 64  # tables share them, so that they need no keeping; two that do wait for each other, rarely


def now() -> str:
    """Return this moment as it is written in logs."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Tables:
    """Every game, by its code. Safe to use from many threads."""

    def __init__(self, store: Store, *, clock: Callable[[], str] = now) -> None:
        self.store = store
        self._clock = clock
        self._rng = random.SystemRandom()
        self._journals: OrderedDict[str, Journal] = OrderedDict()
        # Held for a moment only, never while the disk is waited for.
        self._lock = threading.Lock()
        # Who writes to a table or reads its whole log takes turns; others go on looking at what is known.
        self._turns = tuple(threading.RLock() for _ in range(TURNS))

    def create(
        self,
        game: str,
        players: tuple[str, ...],
        options: Mapping[str, object],
        *,
        first: int = 0,
        host: str | None = None,
        listed: bool = True,
    ) -> str:
        """Set up a game and return its code.

        Raises:
            BadData: the players or options cannot be accepted.
        """
        rules = find_rules(game)
        checked = make_setup(rules, players, options, first=first)
        setup = make_setup(
            rules, checked.players, rules.settle(checked.options, self._rng), first=checked.first
        )
        return self._add(Journal.begin(rules, setup), self._clock(), host, listed)

    def adopt(
        self, journal: Journal, created: str | None, *, host: str | None = None, listed: bool = True
    ) -> str:
        """Keep an imported game under a new code."""
        return self._add(journal, created or self._clock(), host, listed)

    def _add(self, journal: Journal, created: str, host: str | None, listed: bool) -> str:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        setup = journal.setup
        row = GameRow(
            code=code,
            game=setup.game,
            players=setup.players,
            first=setup.first,
            options=dict(setup.options),
            created=created,
            touched=self._clock(),
            host=host,
            listed=listed,
            seating=0,
            result=result_of(journal, created),
            deleted=None,
        )
        self.store.add_game(row, journal.entries)
        return code

    def open(self, code: str) -> Journal:
        """Return a game as it stands.

        Raises:
            UnknownGame: there is none with this code.
        """
        row = self.store.game(code)
        journal = self._known(code)
        if journal is not None:
            return journal
        with self._turn(code):
            # Whoever had the turn before may have done it.
            return self._known(code) or self._keep(code, self._replay(row))

    def _turn(self, code: str) -> threading.RLock:
        return self._turns[hash(code) % len(self._turns)]

    def _known(self, code: str) -> Journal | None:
        with self._lock:
            if code in self._journals:
                self._journals.move_to_end(code)
            return self._journals.get(code)

    def _keep(self, code: str, journal: Journal) -> Journal:
        with self._lock:
            self._journals[code] = journal
            self._journals.move_to_end(code)
            while len(self._journals) > KEPT_IN_MEMORY:
                self._journals.popitem(last=False)
        return journal

    def _forget(self, code: str) -> None:
        with self._lock:
            self._journals.pop(code, None)

    def _replay(self, row: GameRow) -> Journal:
        rules = find_rules(row.game)
        setup = make_setup(rules, row.players, row.options, first=row.first, recorded=True)
        journal = Journal.begin(rules, setup)
        for entry in self.store.entries(row.code):
            journal = journal.follow(entry)
        return journal

    def act(self, code: str, by: int, body: Mapping[str, Any], *, seen: int, action: str) -> Journal:
        """Record an event that *by* tapped at version *seen*; a repeated *action* counts once.

        Raises:
            IllegalEvent, BadData, NotYourSeat: the event cannot be accepted.
            StaleVersion: the table changed in a way that matters.
            StoreTrouble: nothing was written.
        """
        if is_control(body):
            raise BadData(say("The event type '%(type)s' is not known.", type=quoted(body["type"])))
        return self._record(code, by, body, action, lambda journal: journal.check_version(seen, by, body))

    def undo(self, code: str, by: int, target: int, *, action: str) -> Journal:
        """Take back the event with number *target*, which must still be what undo offers *by*."""

        def check(journal: Journal) -> None:
            step = journal.undo_target(by)
            if step is None or step.entry.seq != target:
                raise StaleVersion

        return self._record(code, by, {"type": UNDONE, "event": target}, action, check)

    def redo(self, code: str, by: int, *, seen: int, action: str) -> Journal:
        """Bring back what the last undo took."""
        return self._steer(code, by, {"type": REDONE}, seen, action)

    def rewind(self, code: str, by: int, to: int, *, seen: int, action: str) -> Journal:
        """Go back to the moment after event *to* (0: the start)."""
        return self._steer(code, by, {"type": REWOUND, "to": to}, seen, action)

    def _steer(self, code: str, by: int, body: Mapping[str, Any], seen: int, action: str) -> Journal:
        def check(journal: Journal) -> None:
            if seen != journal.version:
                raise StaleVersion

        return self._record(code, by, body, action, check)

    def _record(
        self,
        code: str,
        by: int,
        body: Mapping[str, Any],
        action: str,
        check: Callable[[Journal], None],
    ) -> Journal:
        check_action(action)
        with self._turn(code):
            journal = self.open(code)
            known = self.store.entry_of(code, action)
            if known is not None:
                if known.by != by:
                    raise BadData(say("An action's id must be a short text, used once."))
                return journal
            check(journal)
            entry = Entry(journal.version + 1, by, self._clock(), action, body)
            after = journal.follow(entry)
            created = self.store.game(code).created
            try:
                self.store.append(code, entry, result_of(after, created))
            except StaleVersion:
                # Another process wrote to the file: forget what we knew.
                self._forget(code)
                raise
            return self._keep(code, after)
