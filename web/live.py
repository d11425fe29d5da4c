"""Telling phones that a table changed: a stream of stamps, and the same stamp for slow polling."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from flask import Blueprint, Response, current_app, request
from flask.typing import ResponseReturnValue

from companion.errors import UnknownGame
from companion.tables import Tables
from web.at_table import the_looks, the_tables, the_watching
from web.dungeon_drop.looks import Looks

bp = Blueprint("live", __name__, url_prefix="/t/<code>")

HEARTBEAT_S = 12.0  # finds phones that left; also how late a change by another process is noticed
STREAM_LIFE_S = 600.0  # then the phone reconnects, so that nothing is held for ever
RETRY_MS = 1500


@dataclass
class Hub:
    """Wakes the streams of a table when something was recorded there."""

    max_streams: int = 250  # 50 tables with four phones and a screen that everybody watches
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _changes: dict[str, int] = field(default_factory=dict)
    _conditions: dict[str, threading.Condition] = field(default_factory=dict)
    _streams: int = 0
    closed: bool = False

    def publish(self, code: str) -> None:
        """Wake everybody who follows *code*."""
        condition = self._condition(code)
        with condition:
            self._changes[code] = self._changes.get(code, 0) + 1
            condition.notify_all()

    def count(self, code: str) -> int:
        """Return how many changes of *code* were published."""
        return self._changes.get(code, 0)

    def wait(self, code: str, known: int, timeout_s: float) -> None:
        """Sleep until *code* has changed since *known*, or the time is over."""
        condition = self._condition(code)
        with condition:
            condition.wait_for(lambda: self.closed or self.count(code) != known, timeout_s)

    def _condition(self, code: str) -> threading.Condition:
        with self._lock:
            return self._conditions.setdefault(code, threading.Condition())

    def enter(self) -> bool:
        """Take a place for one stream; False when all are taken and the phone should poll."""
        with self._lock:
            if self.closed or self._streams >= self.max_streams:
                return False
            self._streams += 1
            return True

    def leave(self) -> None:
        """Give a stream's place back."""
        with self._lock:
            self._streams -= 1

    def close(self) -> None:
        """End all streams; the server is stopping."""
        self.closed = True
        for code in list(self._conditions):
            self.publish(code)


def the_hub() -> Hub:
    """Return the hub of the running app."""
    hub: Hub = current_app.extensions["hub"]
    return hub


def stamp_of(tables: Tables, looks: Looks, code: str) -> str:
    """Return a short text that changes whenever a page of this table would."""
    return f"{tables.open(code).version}.{tables.store.game(code).seating}.{looks.stamp(code)}"


@bp.get("/stamp")
def stamp(code: str) -> ResponseReturnValue:
    """Answer the slow poll of a phone without a stream."""
    return {"stamp": stamp_of(the_tables(), the_looks(), code)}


@bp.get("/live")
def stream(code: str) -> ResponseReturnValue:
    """Send the table's stamp now and after every change."""
    hub, tables, looks, watching = the_hub(), the_tables(), the_looks(), the_watching()
    stamp_of(tables, looks, code)  # an unknown table is a 404, not an empty stream
    if request.method == "HEAD":
        return Response(mimetype="text/event-stream")
    if not hub.enter():
        return {"error": "busy"}, 503

    said = "followed" in request.args

    def follow() -> Iterator[str]:
        yield f"retry: {RETRY_MS}\n\n"
        end = time.monotonic() + STREAM_LIFE_S
        # A page that says that its table is followed hears at once if it is not any more.
        activity: str | None = "as the page says" if said else None
        while not hub.closed and time.monotonic() < end:
            known = hub.count(code)
            try:
                current = stamp_of(tables, looks, code)
            except UnknownGame:
                yield "event: gone\ndata: gone\n\n"
                return
            # Also sent when nothing changed: it shows both sides that the other still listens.
            yield f"data: {current}\n\n"
            now = watching.activity(code)
            if now != activity:
                activity = now
                yield f"event: activity\ndata: {activity or ''}\n\n"
            hub.wait(code, known, HEARTBEAT_S)

    response = Response(follow(), mimetype="text/event-stream")
    # Not in the generator: one that was never started would never give its place back.
    response.call_on_close(hub.leave)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response
