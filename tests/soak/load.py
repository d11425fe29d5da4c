"""Whether the companion bears a full house: 50 tables, 200 phones, and photos that are read meanwhile.

``python -m tests.soak.load`` prints a table; with ``--photo`` it measures what a photo does to the others.
"""

import argparse
import asyncio
import json
import math
import os
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, count
from pathlib import Path
from statistics import median

from companion.store import Store
from companion.tables import Tables
from tests.running import Server
from tests.soak.phones import Refused
from tests.soak.tables import LiveTable, Measures

PICTURES = Path(__file__).parents[1] / "pictures" / "rendered"
PHOTO_SIZE = (4000, 3000)
OTHERS = 10  # tables that go on while photos are read at another one
AT_ONCE = 8  # tables that are set up at the same time

SEEN_S = 0.3
FAST_S = 0.2
GROWTH_MB = 1.0  # a minute
SETTLED_MINUTES = 5.0  # a shorter run says nothing about memory: caches still fill

WHOSE = {"server": "the server", "load": "this program", "elsewhere": "all others"}


@dataclass
class Watcher:
    """Looks at the server's memory and time, and at how late this program itself is."""

    pid: int
    minutes: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)

    def __post_init__(self):
        self.start, self.own = time.perf_counter(), time.process_time()
        self.server, self.machine = self._server_cpu(), self._machine_cpu()

    async def watch(self, every_s):
        for number in count(1):
            self._look()
            while (left := self.start + number * every_s - time.perf_counter()) > 0:
                asked = min(0.05, left)
                before = time.perf_counter()
                await asyncio.sleep(asked)
                self.lags.append(time.perf_counter() - before - asked)

    def _look(self):
        status = Path(f"/proc/{self.pid}/status")
        lines = status.read_text().splitlines() if status.exists() else []
        # Elsewhere than on Linux nobody tells, and a server that is gone has none.
        for line in lines:
            if line.startswith("VmRSS:"):
                self.minutes.append((time.perf_counter() - self.start) / 60)
                self.megabytes.append(int(line.split()[1]) / 1024)

    def _server_cpu(self):
        stat = Path(f"/proc/{self.pid}/stat")
        if not stat.exists():
            return math.nan
        user, system = stat.read_text().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _machine_cpu(self):
        stat = Path("/proc/stat")
        if not stat.exists():
            return math.nan
        user, nice, system, _idle, _waiting, *more = map(int, stat.read_text().split("\n")[0].split()[1:9])
        return (user + nice + system + sum(more)) / os.sysconf("SC_CLK_TCK")

    def summary(self):
        """Return shares of one core, how late this program was, and memory."""
        passed = time.perf_counter() - self.start
        server, own = self._server_cpu() - self.server, time.process_time() - self.own
        return {
            "server_cpu": server / passed,
            "load_cpu": own / passed,
            # A busy machine makes everything slow: figures count only if this is little.
            "elsewhere_cpu": (self._machine_cpu() - self.machine - server - own) / passed,
            "loop_lag": spread(self.lags),
            "memory_mb": [round(value, 1) for value in self.megabytes],
            "memory_growth_mb_per_minute": growth(self.minutes, self.megabytes),
        }


def growth(minutes, megabytes):
    """Return how fast the last half of some figures grows: the median of the slopes between any two."""
    half = len(minutes) // 2
    points = list(zip(minutes[half:], megabytes[half:], strict=True))
    slopes = [(b - a) / (t - s) for (s, a), (t, b) in combinations(points, 2)]
    return median(slopes) if slopes else math.nan


def spread(times):
    """Return how many there are, and their middle, 95th percentile and worst in milliseconds."""
    ordered = sorted(times)
    if not ordered:
        return {"count": 0, "p50": math.nan, "p95": math.nan, "max": math.nan}
    at = {"p50": 0.50, "p95": 0.95, "max": 1.0}
    places = {name: max(0, math.ceil(part * len(ordered)) - 1) for name, part in at.items()}
    return {"count": len(ordered), **{name: 1000 * ordered[place] for name, place in places.items()}}


async def sit_down(server, tables):
    """Set all tables up, and let every phone follow its own."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def set_up(table):
        async with gate:
            await table.set_up()

    await asyncio.gather(*(set_up(table) for table in tables))
    store = Store(server.data)
    for table in tables:
        table.journal = Tables(store).open(table.code)
    store.close()
    for table in tables:
        table.follow()
    await asyncio.gather(*(table.until_followed() for table in tables))


async def play(tables, every, seconds):
    """Let all tables play, spread evenly over the time between two actions."""
    start = time.perf_counter() + 0.1
    await asyncio.gather(
        *(
            table.play(start + number * every / len(tables), every, start + seconds)
            for number, table in enumerate(tables)
        )
    )
    await asyncio.gather(*(table.until_seen() for table in tables))


async def go_home(tables):
    await asyncio.gather(*(table.close() for table in tables))


async def house(server, *, tables, phones, seconds, every, share, measures):
    """Play at many tables and return the figures."""
    live = [LiveTable(server.port, number, phones, measures, share=share) for number in range(tables)]
    try:
        await sit_down(server, live)
        watcher = Watcher(server.process.pid)
        watching = asyncio.ensure_future(watcher.watch(min(10.0, seconds / 20)))
        await play(live, every, seconds)
        watching.cancel()
        found = watcher.summary()
    finally:
        await go_home(live)
    found["streams_renewed"] = sum(phone.renewed for table in live for phone in table.phones)
    return {**found, "logs": compare(server.data, live, measures)}


def compare(folder, tables, measures):
    """Compare what is on disk with what was acknowledged; nothing may be missing, double or strange."""
    store = Store(folder)
    found = Counter(lost=0, not_sent=0, recorded=0)
    for table in tables:
        there = [
            (entry.by, entry.action, dict(entry.body)) for entry in Tables(store).open(table.code).entries
        ]
        wanted = [(entry.by, entry.action, dict(entry.body)) for entry in table.journal.entries]
        found["recorded"] += len(there)
        found["lost"] += sum(entry not in there for entry in wanted)
        found["not_sent"] += sum(entry not in wanted for entry in there)
        if there != wanted:
            measures.failures.append(f"the log of {table.code} ({table.game}) is not what was acknowledged")
    store.close()
    return dict(found)


async def photos(server, *, seconds, calm_s, every, measures):
    """Read photos at one table one after the other, and time what the others ask meanwhile."""
    drop = LiveTable(server.port, 0, 4, Measures(), share=1.0, seating=("dungeon-drop", 4, {}))
    others = [LiveTable(server.port, number, 4, measures, share=1.0) for number in range(1, OTHERS + 1)]
    pictures = large_photos()
    try:
        await sit_down(server, [drop, *others])
        await read_one(drop, pictures[0])  # the networks are loaded with the first photo
        await play(others, every, calm_s)
        calm = spread([*measures.answered, *measures.pages])
        measures.answered.clear(), measures.pages.clear(), measures.seen.clear()
        watcher = Watcher(server.process.pid)
        watching = asyncio.ensure_future(watcher.watch(min(10.0, seconds / 20)))
        reading = asyncio.ensure_future(read_all(drop, pictures, time.perf_counter() + seconds))
        await play(others, every, seconds)
        reads = await reading
        watching.cancel()
        found = watcher.summary()
    finally:
        await go_home([drop, *others])
    measures.failures += drop.measures.failures
    return {
        **found,
        "requests_without_photos": calm,
        "requests": spread([*measures.answered, *measures.pages]),
        "photo_megabytes": [round(len(picture) / 1e6, 1) for picture in pictures],
        "photo_read": spread(reads),
        "own_pages": spread(drop.measures.pages),
        "logs": compare(server.data, others, measures),
    }


def large_photos():
    """Return photos of 12 megapixels, as phones take them."""
    import cv2

    found = []
    for file in sorted(PICTURES.glob("*.jpg"))[:3]:
        picture = cv2.resize(cv2.imread(str(file)), PHOTO_SIZE, interpolation=cv2.INTER_CUBIC)
        found.append(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes())
    return found


async def read_all(table, pictures, end):
    """Send one photo after the other and return how long each took."""
    times = []
    for number in count():
        if time.perf_counter() >= end:
            return times
        start = time.perf_counter()
        await read_one(table, pictures[number % len(pictures)])
        times.append(time.perf_counter() - start)


async def read_one(table, picture):
    phone = table.phones[0]
    answer = await phone.send_photo(f"/t/{table.code}/photo", picture, seat=0)
    if answer.status != 200:
        raise Refused(f"a photo was not accepted: {answer.status} {answer.text[:200]}")
    number = int(json.loads(answer.body)["stamp"].split(".")[2]) // 1_000_000
    async with asyncio.timeout(60):
        while int(table.told[0].split(".")[2]) < number * 1_000_000 + 200_000:
            await asyncio.sleep(0.01)
    shown = await phone.get(f"/t/{table.code}/photo/{number}.jpg")
    if shown.status != 200:
        raise Refused(f"photo {number} was not read: {shown.status}")


def run(scenario, **settings):
    """Start a server on an empty folder, run a scenario against it and return the figures."""
    measures = Measures()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "data").start()
        try:
            found = asyncio.run(scenario(server, measures=measures, **settings))
        finally:
            stopped = server.stop()
        said = (Path(folder) / "data.log").read_text(errors="replace")
    if stopped != 0 or "Traceback" in said:
        measures.failures.append(f"the server stopped with status {stopped}, saying {said[-2000:]}")
    return {
        "settings": settings,
        "acknowledged": measures.acknowledged,
        "late": measures.late,
        "seen": spread(measures.seen),
        "seen_p95_of_each_minute": [spread(times)["p95"] for _, times in sorted(measures.minutes.items())],
        "fresh": spread(measures.fresh),
        "answered": spread(measures.answered),
        "pages": spread(measures.pages),
        **found,
        "failed": len(measures.failures),
        "failures": measures.failures[:50],
    }


def targets(found, minutes):
    """Return what was wanted, and whether it is so; None where this run cannot tell."""
    if "requests" in found:
        kept = {"others answered within 200 ms (p95)": found["requests"]["p95"] < 1000 * FAST_S}
    else:
        memory = found["memory_growth_mb_per_minute"]
        told = minutes >= SETTLED_MINUTES and not math.isnan(memory)
        kept = {
            "seen by the others within 300 ms (p95)": found["seen"]["p95"] < 1000 * SEEN_S,
            "memory grows by less than 1 MB a minute": memory < GROWTH_MB if told else None,
        }
    return {"no failure": found["failed"] == 0 and found["acknowledged"] > 0, **kept}


def show(found):
    """Print the figures."""
    print(f"{'':36}{'count':>8}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}")
    words = {
        "seen": "action seen by another phone",
        "fresh": "... and its page drawn anew",
        "answered": "action answered",
        "pages": "page answered",
        "requests_without_photos": "others' requests before the photos",
        "requests": "others' requests while photos are read",
        "photo_read": "photo sent until read",
        "own_pages": "pages of the photos' own table",
        "loop_lag": "how late this program was",
    }
    for key, word in words.items():
        if found.get(key, {}).get("count"):
            figures = found[key]
            print(
                f"{word:36}{figures['count']:8}"
                + "".join(f"{figures[n]:9.1f}" for n in ("p50", "p95", "max"))
            )
    each = " ".join(f"{p95:.0f}" for p95 in found["seen_p95_of_each_minute"])
    print(f"seen by another phone, p95 of each minute: {each} ms")
    memory, slope = found["memory_mb"], found["memory_growth_mb_per_minute"]
    if memory:
        print(f"server memory: {memory[0]:.0f} to {memory[-1]:.0f} MB, last half {slope:+.2f} MB a minute")
    shares = [f"{who} {found[f'{key}_cpu']:.2f}" for key, who in WHOSE.items()]
    print(f"share of a core: {', '.join(shares)}; this machine has {os.cpu_count()}")
    print(f"{found['acknowledged']} actions acknowledged, {found['late']} sent late; logs: {found['logs']}")
    for failure in found["failures"][:10]:
        print(f"failure: {failure}")
    for target, kept in found["targets"].items():
        print(f"{ {True: 'kept', False: 'MISSED', None: 'run too short to tell'}[kept]:>8}: {target}")


def main(arguments=None):
    """Measure, print and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.load", description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--phones", type=int, default=4, help="at each table")
    parser.add_argument("--minutes", type=float, help="10, or 1 with --photo")
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two actions at a table")
    parser.add_argument("--pages", type=float, default=1.0, help="share of phones that fetch the new page")
    parser.add_argument("--photo", action="store_true", help="read large photos while 10 tables play")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args(arguments)
    minutes = given.minutes or (1.0 if given.photo else 10.0)
    if given.photo:
        found = run(photos, seconds=60 * minutes, calm_s=min(20.0, 60 * minutes), every=given.every)
    else:
        found = run(
            house,
            tables=given.tables,
            phones=given.phones,
            seconds=60 * minutes,
            every=given.every,
            share=given.pages,
        )
    found["targets"] = targets(found, minutes)
    show(found)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1))
    return 0 if all(kept is not False for kept in found["targets"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
