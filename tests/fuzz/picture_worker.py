"""A process of its own that looks at pictures: whatever one of them does to it, the fuzzer goes on.

It reads a length of four bytes and a picture, and writes a line of JSON about what became of it.
"""

import json
import logging
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from pathlib import Path

from vision.scanner import Scanner
from web.dungeon_drop.look import Status, read_look, write_look
from web.dungeon_drop.looks import Looks
from web.dungeon_drop.scan_report import report

ROOT = f"{Path(__file__).parents[2]}/"
CODE = "table"
MOST_MORE = 3_000_000_000  # bytes of addresses beyond what the scanner needs: protects the machine only


class Remembering:
    """A scanner that remembers what it saw last."""

    def __init__(self):
        self._scanner = Scanner()
        self.seen = None

    def scan(self, frame, **more):
        """Scan, and remember it."""
        self.seen = self._scanner.scan(frame, **more)
        return self.seen


class Crashes(logging.Handler):
    """What went wrong and was caught by the last resort."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.caught = []

    def emit(self, record):
        if record.exc_info:
            self.caught.append(record.exc_info[1])


def look_at(data, scanner, crashes, folder):
    """Take in a picture as from a phone, and write it down as the command does; return what became of it."""
    scanner.seen, crashes.caught = None, []
    looks = Looks(folder, lambda: scanner, lambda code: None)
    looks.take(CODE, data)
    looks._worker.shutdown(wait=True)
    look = looks.current(CODE)
    if crashes.caught:
        raise crashes.caught[0]
    if look.status is Status.REFUSED:
        return look.why
    json.dumps(report(scanner.seen), allow_nan=False)
    again = read_look(json.loads(json.dumps(write_look(look), allow_nan=False)))
    assert [cube.id for cube in again.cubes] == [cube.id for cube in look.cubes]
    assert looks.photo(CODE, look.number) is not None
    width, height = look.size_px
    assert looks.close_up(CODE, look.number, (0, 0, width, height)) is not None
    return "read"


def place_of(error):
    """Return what went wrong where in the project."""
    frames = traceback.extract_tb(error.__traceback__)
    last = [frame for frame in frames if "site-packages" not in frame.filename][-1]
    return f"{type(error).__name__} at {last.filename.removeprefix(ROOT)}:{last.lineno}"


def peak_mb():
    """Return the most memory that was used since the last call, where the system tells; 0 elsewhere."""
    try:
        told = Path("/proc/self/status").read_text()
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return 0
    return next(int(line.split()[1]) // 1024 for line in told.splitlines() if line.startswith("VmHWM"))


def limit_memory():
    """Let the system refuse what would harm the machine."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MOST_MORE, used + MOST_MORE))


def main():
    """Look at pictures until there are no more."""
    scanner, crashes = Remembering(), Crashes()
    log = logging.getLogger("web.dungeon_drop.looks")
    log.propagate = False
    log.addHandler(crashes)
    limit_memory()
    print(json.dumps({"became": "ready"}), flush=True)
    while head := sys.stdin.buffer.read(4):
        data = sys.stdin.buffer.read(int.from_bytes(head))
        peak_mb()
        start, used = time.monotonic(), time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            try:
                told = {"became": look_at(data, scanner, crashes, Path(folder))}
            except Exception as error:
                told = {"became": "crash", "where": place_of(error), "error": traceback.format_exc()[-2000:]}
        told |= {"wall_s": time.monotonic() - start, "cpu_s": time.process_time() - used, "mb": peak_mb()}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
