"""Keeps one address from taking all the threads of the server: slow or very many connections."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any, Final

from cheroot.server import HTTPConnection

# A phone has one live stream for each open page and a few requests beside it.
MOST_AT_ONCE: Final = 40
# This machine itself, and a proxy on it, speak for many.
TRUSTED: Final = ("127.0.0.1", "::1", "::ffff:127.0.0.1", None)


class Places:
    """How many requests of each address are being answered; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Take a place; False if this address has enough of them."""
        with self._lock:
            if self._taken[address] >= MOST_AT_ONCE:
                return False
            self._taken[address] += 1
            return True

    def leave(self, address: str) -> None:
        """Give a place back."""
        with self._lock:
            self._taken[address] -= 1
            if not self._taken[address]:
                del self._taken[address]


class CountedConnection(HTTPConnection):
    """A connection that is closed unanswered while its address holds too many others."""

    places = Places()

    def communicate(self) -> Any:
        """Read a request and answer it; return whether the connection stays open."""
        address = self.remote_addr
        if address in TRUSTED:
            return super().communicate()  # type: ignore[no-untyped-call]
        if not self.places.enter(address):
            return False
        try:
            return super().communicate()  # type: ignore[no-untyped-call]
        finally:
            self.places.leave(address)
