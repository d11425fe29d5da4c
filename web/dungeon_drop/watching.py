"""Following tables: pictures of a camera become looks whenever something has changed and come to rest."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Condition, Event, Lock, Thread
from typing import Final, Protocol

import numpy as np

from companion.errors import BadData
from companion.message import say
from vision.capture import Taken
from vision.follow import Activity, Following, FollowSettings, step
from vision.pictures import FrameBGR
from vision.profile import Profile
from vision.seen import Scan
from web.dungeon_drop.looks import Looks, Sees

# Tables that are followed at once: each takes a scan whenever a hand leaves the picture.
MOST_WATCHED: Final = 4
# A camera that gave no picture for so long is told as lost, and a phone's is let go of after the second.
LOST_S: Final = 3.0
FORGOTTEN_S: Final = 20.0
LOST: Final = "lost"
# How often is asked whether the game still goes on.
ASKED_S: Final = 5.0
# Looking more often than this shows nothing that people could see.
PAUSE_S: Final = 0.1
# A cube that moves less is not shown anew.
SEEN_TO_MOVE_MM: Final = 1.5

_LOG = logging.getLogger(__name__)


class Source(Protocol):
    """What gives pictures: the server's camera, or a phone that sends them."""

    def newest(self, after: int = 0, timeout_s: float = 0.0) -> Taken | None:
        """Return the newest picture if its number is above *after*, waiting for it if need be."""


class SentPictures:
    """The newest of the pictures that a phone sends; nobody waits for older ones."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = Condition()
        self._newest: Taken | None = None

    def put(self, frame: FrameBGR) -> None:
        """Take in a picture."""
        with self._changed:
            number = 1 if self._newest is None else self._newest.number + 1
            self._newest = Taken(number, self._clock(), frame)
            self._changed.notify_all()

    def newest(self, after: int = 0, timeout_s: float = 0.0) -> Taken | None:
        """Return the newest picture if its number is above *after*, waiting for it if need be."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest and self._newest.number > after, timeout_s)
            return self._newest if self._newest and self._newest.number > after else None


@dataclass(eq=False)
class _Watch:
    """One table that is followed."""

    source: Source
    solo: bool
    ended: Event = field(default_factory=Event)
    activity: str = str(Activity.STARTING)


class Watching:
    """The tables that are followed; safe to use from many threads."""

    def __init__(
        self,
        looks: Looks,
        scanner: Callable[[], Sees],
        told: Callable[[str], None],
        profile: Callable[[], Profile | None] = lambda: None,
        settings: FollowSettings | None = None,
        goes_on: Callable[[str], bool] = lambda code: True,
    ) -> None:
        """Follow nothing yet.

        Args:
            looks: get what is seen.
            scanner: makes what reads pictures, one for each table: they work at the same time.
            told: is told the code of a table when what goes on before its camera changes.
            goes_on: tells whether a table is still played at; asked now and then.
        """
        self._looks = looks
        self._scanner = scanner
        self._told = told
        self._profile = profile
        self._settings = settings or FollowSettings()
        self._goes_on = goes_on
        self._lock = Lock()
        self._watches: dict[str, _Watch] = {}

    def begin(self, code: str, source: Source, *, solo: bool = True) -> _Watch:
        """Follow a table with these pictures, instead of any others.

        Args:
            solo: whether the cubes for those who play alone may be on the table.

        Raises:
            BadData: too many tables are followed already.
        """
        with self._lock:
            before = self._watches.get(code)
            if before is None and len(self._watches) >= MOST_WATCHED:
                raise BadData(say("Too many tables are followed already."))
            if before is not None:
                before.ended.set()
            watch = self._watches[code] = _Watch(source, solo)
        Thread(target=self._follow, args=(code, watch), name=f"watch {code[:4]}", daemon=True).start()
        return watch

    def put(self, code: str, frame: FrameBGR, *, first: bool, solo: bool = True) -> str | None:
        """Follow a table with the next picture that a phone sends.

        Args:
            first: the phone begins to film; later pictures are of no use to a table that nobody follows.

        Returns:
            What goes on there; None if the table is not followed by a phone's pictures (any more).
        """
        with self._lock:
            watch = self._watches.get(code)
        if watch is None or not isinstance(watch.source, SentPictures):
            if not first:
                return None
            watch = self.begin(code, SentPictures(), solo=solo)
        assert isinstance(watch.source, SentPictures)
        watch.source.put(frame)
        return watch.activity

    def end(self, code: str) -> None:
        """Leave a table alone."""
        with self._lock:
            watch = self._watches.pop(code, None)
        if watch is not None:
            watch.ended.set()
            self._told(code)

    def activity(self, code: str) -> str | None:
        """Return what goes on before the camera, or None if the table is not followed."""
        with self._lock:
            watch = self._watches.get(code)
        return None if watch is None else watch.activity

    def close(self) -> None:
        """Leave all tables alone; the server is stopping."""
        for code in list(self._watches):
            self.end(code)

    def _follow(self, code: str, watch: _Watch) -> None:
        try:
            self._look_on(code, watch)
        except Exception:
            # Whatever a camera shows, the companion goes on without it.
            _LOG.exception("a table could not be followed")
        with self._lock:
            mine = self._watches.get(code) is watch
        if mine:
            self.end(code)

    def _look_on(self, code: str, watch: _Watch) -> None:
        eye = _Eye(self._scanner(), self._profile, watch.solo)
        state, number = Following(), 0
        shown: Scan | None = None
        first: int | None = None
        heard = asked = time.monotonic()
        while not watch.ended.is_set():
            if time.monotonic() - asked > ASKED_S:
                asked = time.monotonic()
                if not self._goes_on(code):
                    return
            taken = watch.source.newest(number, timeout_s=0.5)
            silent = time.monotonic() - heard
            if taken is None:
                if silent > LOST_S:
                    self._become(code, watch, LOST)
                if silent > FORGOTTEN_S and isinstance(watch.source, SentPictures):
                    return
                continue
            heard, number = time.monotonic(), taken.number
            state, update = step(state, taken.frame, taken.time_s, eye, self._settings)
            self._become(code, watch, str(update.activity))
            # The first scans after a change may disagree: it is shown when all of them have voted.
            if update.table and update.settled and _differ(shown, update.table):
                look = self._looks.show(
                    code, update.table, taken.frame, first, wanted=lambda: not watch.ended.is_set()
                )
                if look is None:
                    return
                shown, first = update.table, look.ids_from
            watch.ended.wait(PAUSE_S - (time.monotonic() - heard))

    def _become(self, code: str, watch: _Watch, activity: str) -> None:
        if watch.activity != activity:
            watch.activity = activity
            self._told(code)


class _Eye:
    """A scanner that knows the owner's pieces."""

    def __init__(self, sees: Sees, profile: Callable[[], Profile | None], solo: bool) -> None:
        self._sees = sees
        self._profile = profile
        self._solo = solo

    def scan(self, frame: FrameBGR) -> Scan:
        """Tell which cubes are on the table."""
        return self._sees.scan(frame, profile=self._profile(), solo=self._solo)


def _differ(before: Scan | None, after: Scan | None) -> bool:
    """Tell whether people would see a difference between two looks at a followed table."""
    if before is None or after is None or before.plane is not after.plane:
        return True
    old, new = ({cube.id: cube for cube in scan.cubes} for scan in (before, after))
    return old.keys() != new.keys() or any(
        (cube.kind, cube.size) != (new[id].kind, new[id].size)
        or np.hypot(*(cube.centre_mm - new[id].centre_mm)) > SEEN_TO_MOVE_MM
        for id, cube in old.items()
    )
