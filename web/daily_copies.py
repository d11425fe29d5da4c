"""Keeps a copy of the record for each day of play while the server runs."""

from __future__ import annotations

import logging
import threading
from datetime import date
from pathlib import Path
from typing import Final

from companion.backups import back_up_today
from companion.errors import CompanionError

log = logging.getLogger(__name__)

# Most of an evening is never lost, and the disk is left in peace.
EVERY_S: Final = 30 * 60
# Stopping does not wait longer for a disk that does not answer.
LONGEST_S: Final = 15.0


class DailyCopies:
    """A thread that renews the copy of the day when something was played since."""

    def __init__(self, folder: Path, *, every_s: float = EVERY_S) -> None:
        self._folder = folder
        self._every_s = every_s
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="daily copies", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Make the last copy and stop."""
        self._stopped.set()
        self._thread.join(LONGEST_S)

    def _run(self) -> None:
        while True:
            self._copy()
            if self._stopped.wait(self._every_s):
                self._copy()
                return

    def _copy(self) -> None:
        try:
            back_up_today(self._folder, date.today())
        except CompanionError as error:
            # A game goes on without a copy; whoever looks after the machine reads about it.
            log.warning("no copy of today's games: %s", error)
