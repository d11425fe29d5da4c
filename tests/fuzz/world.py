"""A companion to be mistreated: a table that gets everything, one that nobody touches, what must hold."""

import logging
import random
import re
import sqlite3
import tempfile
import time
from contextlib import suppress
from ipaddress import IPv4Address
from itertools import count
from pathlib import Path

import cv2
import numpy as np
from jinja2 import FileSystemBytecodeCache

from companion.errors import UnknownGame
from companion.store import Store
from companion.tables import Tables
from tests.fuzz.bounded import Broken
from tests.web.phone import FRENCH, Phone, group_entered
from tests.web.scans import RoomScanner
from web.app import create_app
from web.dungeon_drop.look import Status

KEY = b"a key that only this test knows."
LOGGERS = ("dungeon", "web.dungeon_drop.looks", "web.dungeon_drop.watching")

# Pages that every table has, in every state; what a seat sees, and what somebody sees who only watches.
ALWAYS = ("", "seats/", "history/", "result", "result.svg", "result.csv", "stamp", "delete/")
WATCHED = ("?watch=1", "tv", "history/", "result")
# Pages that only some tables have, or not yet.
SOMETIMES = ("camera", "colours", "tiles/", "log.jsonl", "photo/1.jpg")
# Everything but who looked at what.
KEPT = ("games", "events", "seats")


class World:
    """An app on a data folder of its own, with two phones at every table."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="dungeon-fuzz-")
        self.folder = Path(self._folder.name)
        self._templates = FileSystemBytecodeCache(str(_folder_for(self.folder / "templates")))
        self.errors = _Errors()
        self._opened = 0
        self._open()

    def _open(self):
        self._opened += 1
        self.data = self.folder / f"data-{self._opened}"
        self.store = Store(self.data)
        # What a power cut would take does not matter here, and waiting for the disk takes most of the time.
        self.store._db.execute("PRAGMA synchronous = OFF")
        self.tables = Tables(self.store)
        self.tables._rng = random.Random(1)
        self.app = create_app(self.tables, signing_key=KEY, photos=self.data / "photos", scanner=RoomScanner)
        self.app.jinja_env.bytecode_cache = self._templates
        self.app.wsgi_app = _from_everywhere(self.app.wsgi_app)
        self.phone, self.watcher = Phone(self.app), Phone(self.app, FRENCH)
        self.other = self.phone.create()
        self.phone.sit(self.other, 0).must(self.other, group_entered(0))
        self._other_before = self._other()
        self._reader = sqlite3.connect(f"file:{self.store.path}?mode=ro", uri=True)
        self._seen = None
        self.uses = 0

    def renewed(self, after):
        """Begin with an empty record after so many uses: a long list of tables makes every page slow."""
        self.uses += 1
        if self.uses > after:
            self._shut()
            self._open()
        return self

    def _shut(self):
        self.app.extensions["watching"].close()
        self.app.extensions["looks"].close()
        self._reader.close()
        self.store.close()

    def close(self):
        """Forget everything."""
        self._shut()
        self.errors.close()
        with suppress(OSError):  # a photo may just be written
            self._folder.cleanup()

    def photograph(self, code):
        """Take a photo of a table and wait until it is read."""
        looks = self.app.extensions["looks"]
        looks.take(code, photo())
        self.wait_for_photos(code)

    def wait_for_photos(self, code):
        """Wait until the newest photo of a table is read."""
        looks = self.app.extensions["looks"]
        end = time.monotonic() + 10
        while (look := looks.current(code)) and look.status in (Status.WAITING, Status.READING):
            if time.monotonic() > end:
                raise Broken("a photo is never read")
            time.sleep(0.002)

    # What must hold

    def check_answer(self, answer):
        """Raise what crashed behind an answer."""
        crashes, self.errors.caught = self.errors.caught, []
        for crash in crashes:
            raise Broken("a page crashed") from crash
        if answer.status_code >= 500 and answer.status_code != 503:
            raise Broken(f"status {answer.status_code}", answer.text[:300])

    def check_table(self, code):
        """Raise if the table cannot be read again from disk as it is in memory."""
        try:
            known = self.tables.open(code)
        except UnknownGame:
            return  # deleted
        again_store = Store(self.data)
        try:
            again = Tables(again_store).open(code)
        finally:
            again_store.close()
        if again.state != known.state or again.entries != known.entries or again.steps != known.steps:
            raise Broken("the log on disk leads elsewhere", f"{again.state} instead of {known.state}")

    def check_pages(self, code, seen, watched=("tv",)):
        """Raise if pages of a table cannot be shown to a seat or to somebody who watches."""
        for who, paths in ((self.phone, seen), (self.watcher, watched)):
            for path in paths:
                with who.get(f"/t/{code}/{path}") as answer:
                    self.check_answer(answer)
                if path not in SOMETIMES and answer.status_code not in (200, 303):
                    raise Broken(f"page {path!r} of a table answers {answer.status_code}", answer.text[:300])

    def check_whole_table(self, code):
        """Raise if any page of the table, or anything of the other one, is not as it should be."""
        self.check_table(code)
        self.check_pages(code, (*ALWAYS, *SOMETIMES), WATCHED)
        self.check_answer(self.phone.get("/"))
        self.check_other()

    def check_other(self):
        """Raise if the table that nobody touched has changed."""
        if self._other() != self._other_before:
            raise Broken("a table changed that nobody touched")

    def _other(self):
        page = self.phone.get(f"/t/{self.other}/?seat=0").text
        page = re.sub(r'name="(csrf_token|tap)" value="[^"]*"', "", page)
        return [row for row in self.record() if self.other in row], page

    def record(self):
        """Return everything that is on disk."""
        db = sqlite3.connect(f"file:{self.store.path}?mode=ro", uri=True)
        try:
            return [row for table in KEPT for row in db.execute(f"SELECT * FROM {table} ORDER BY 1, 2")]
        finally:
            db.close()

    def changed(self):
        """Tell whether anything was written since the last call; much quicker than to compare it."""
        seen, self._seen = self._seen, self._reader.execute("PRAGMA data_version").fetchone()[0]
        return seen != self._seen


class _Errors(logging.Handler):
    """Catches what the app logs as a crash, and keeps it from the terminal."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.caught = []
        self._before = []
        for name in LOGGERS:
            log = logging.getLogger(name)
            self._before.append((log, log.propagate))
            log.propagate = False
            log.addHandler(self)

    def emit(self, record):
        if record.exc_info and record.exc_info[1] is not None:
            self.caught.append(record.exc_info[1])

    def close(self):
        for log, propagate in self._before:
            log.propagate = propagate
            log.removeHandler(self)
        super().close()


def _from_everywhere(app):
    """Let every request come from another address: many strange ones from a single one have to wait."""
    numbers = count(1)

    def called(environ, start):
        return app({**environ, "REMOTE_ADDR": str(IPv4Address(0x0A000000 + next(numbers)))}, start)

    return called


def photo(width=64, height=48):
    """Return a small photo of nothing."""
    return cv2.imencode(".jpg", np.full((height, width, 3), 90, np.uint8))[1].tobytes()


def _folder_for(path):
    path.mkdir()
    return path
