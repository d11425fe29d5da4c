"""Keeps strangers from finding tables by trying codes: who tries many that do not exist has to wait."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

from flask import Flask, Response, current_app, g, request, session
from werkzeug.exceptions import TooManyRequests

from web.at_table import the_tables

# A code has 99 random bits; this is for the log and the peace of the machine. Old bookmarks stay far below.
TRIES: Final = 30
WITHIN_S: Final = 60.0
# So many addresses are watched; a home network has fewer.
MOST_WATCHED: Final = 1000


class Guesses:
    """When each address asked for tables that do not exist; safe to use from many threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._misses: OrderedDict[str, deque[float]] = OrderedDict()

    def missed(self, address: str) -> None:
        """Note that an address asked for a table that does not exist."""
        with self._lock:
            self._misses.setdefault(address, deque(maxlen=TRIES)).append(self._clock())
            self._misses.move_to_end(address)
            while len(self._misses) > MOST_WATCHED:
                self._misses.popitem(last=False)

    def must_wait(self, address: str) -> bool:
        """Whether an address has tried too often lately."""
        with self._lock:
            misses = self._misses.get(address)
            return misses is not None and len(misses) == TRIES and self._clock() - misses[0] < WITHIN_S


def install(app: Flask) -> None:
    """Watch every request for a table."""
    app.extensions["guesses"] = Guesses()
    app.before_request(_refuse_guessing)
    app.after_request(_note_misses)


def _guesses() -> Guesses:
    guesses: Guesses = current_app.extensions["guesses"]
    return guesses


def _asked() -> str | None:
    code = (request.view_args or {}).get("code")
    return code if isinstance(code, str) else None


def _refuse_guessing() -> None:
    code = _asked()
    if code is None or not _guesses().must_wait(request.remote_addr or ""):
        return
    # Phones that were at a table go on playing there, whoever else shares their address.
    device = session.get("device")
    if not isinstance(device, str) or not the_tables().store.has_visited(code, device):
        raise TooManyRequests


def _note_misses(response: Response) -> Response:
    if g.get("unknown_table"):
        _guesses().missed(request.remote_addr or "")
    return response
