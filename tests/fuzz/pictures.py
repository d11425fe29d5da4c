"""Photos as phones and strangers send them: cut off, flipped, lying about their size, bombs."""

import json
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from hypothesis import strategies as st

from tests.fuzz import picture_bytes
from tests.fuzz.bounded import Broken
from tests.fuzz.logs import flipped
from tests.fuzz.picture_bytes import FOREIGN, FORMATS, RENDERED

# All limits are for the process that looks at the picture; this one only waits.
LIMIT_S = 60.0
MOST_S = 10.0
MOST_MB = 1024
PATIENCE_S = 60.0  # then the process is ended, however busy the machine is

SIDES = (0, 1, 2, 3, 7, 31, 64, 640, 1921, 4000, 8000, 20_000, 65_535, 2**31 - 1)
LARGE = ((8000, 8000), (1280, 50_000), (4000, 3000))
FORMS = {"table": FORMATS, "foreign": FOREIGN, "flat": ("PNG", "JPEG", "progressive")}
CHUNKS = (b"acTL", b"fcTL", b"fdAT", b"zTXt", b"iCCP", b"eXIf", b"tRNS", b"PLTE", b"IHDR", b"IEND", b"xxxx")


class Subject:
    """Pictures, shown to one process after the other."""

    LIMIT_S = LIMIT_S

    def __init__(self):
        self.eyes = Eyes()

    def close(self):
        """End the process."""
        self.eyes.close()

    def one(self, case):
        """Show one picture."""
        data = self._picture(case)
        case.do("check_picture(eyes, data)")
        case.answered(check_picture(self.eyes, data))

    def _picture(self, case):
        data = self._start(case)
        for _ in range(case.draw(st.integers(0, 3))):
            data = self._changed(case, data)
        return data

    def _do(self, case, name, *arguments):
        """Make or change a picture, and remember how."""
        if arguments and isinstance(arguments[0], bytes):
            told = ", ".join(("data", *map(repr, arguments[1:])))
        else:
            told = ", ".join(map(repr, arguments))
        case.do(f"data = picture_bytes.{name}({told})")
        return getattr(picture_bytes, name)(*arguments)

    def _start(self, case):
        how = case.draw(st.sampled_from(("table",) * 12 + ("foreign", "flat", "noise", "animated", "large")))
        if how in ("table", "foreign"):
            number = case.draw(st.integers(0, len(RENDERED) - 1))
            width = case.draw(st.sampled_from((320, 320, 200, 64, 1280)))
            return self._do(case, "a_picture", number, width, case.draw(st.sampled_from(FORMS[how])))
        if how == "large":  # a few bytes that claim millions of pixels
            data = self._do(case, "flat", 64, 64, case.draw(st.sampled_from(("progressive", "JPEG"))))
            data = self._do(case, "with_scans", data, case.draw(st.sampled_from((0, 0, 30, 3_000))))
            return self._do(case, "with_size", data, *case.draw(st.sampled_from(LARGE)))
        side = st.sampled_from((1, 2, 3, 8, 31, 300, 1921, 5000))
        width, height = case.draw(side), case.draw(side)
        if how == "flat":
            return self._do(case, "flat", width, height, case.draw(st.sampled_from(FORMS["flat"])))
        if how == "noise":
            return self._do(case, "noise", min(width, 300), min(height, 300), case.draw(st.integers(0, 9)))
        return self._do(case, "animated", *case.draw(st.sampled_from((*LARGE, (9, 9), (300, 300)))))

    def _changed(self, case, data):
        png = data.startswith(b"\x89PNG")
        how = case.draw(st.sampled_from(("bytes", "bytes", "head", "size", "beside", "beside", "scans")))
        if how == "bytes":
            return self._told(case, data, flipped(case, data))
        if how == "head":
            return self._told(case, data, flipped(case, data[:700]) + data[700:])
        if how == "size":
            side = st.sampled_from(SIDES)
            return self._do(case, "with_size", data, case.draw(side), case.draw(side))
        if how == "beside" and png:
            kind = case.draw(st.sampled_from(CHUNKS))
            content = picture_bytes.ANIMATION.get(kind) or case.draw(st.binary(max_size=30))
            if kind in (b"zTXt", b"iCCP"):
                content = self._do(case, "bomb", case.draw(st.sampled_from((1_000, 30_000_000))))
            return self._do(case, "with_chunk", data, kind, content)
        if how == "beside":
            held, lens = case.draw(st.integers(0, 9)), case.draw(st.integers(0, 400))
            return self._do(case, "with_exif", data, held, lens)
        scans = case.draw(st.sampled_from((1, 30, 3_000)))
        return data if png else self._do(case, "with_scans", data, scans)

    def _told(self, case, before, after):
        """Remember which bytes changed."""
        start = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(after))
        end = 0
        while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
            end += 1
        middle, stop = after[start : len(after) - end], len(before) - end
        case.do(f"data = data[:{start}] + {middle!r} + data[{stop}:]")
        return after


def check_picture(eyes, data):
    """Show a picture; return what became of it."""
    told = eyes.look_at(data)
    if told["became"] == "crash":
        raise Broken(told["where"], told["error"])
    if min(told["wall_s"], told["cpu_s"]) > MOST_S:
        raise Broken("a picture takes too long", f"{told['cpu_s']:.1f} s")
    if told["mb"] > MOST_MB:
        raise Broken("a picture takes too much memory", f"{told['mb']} MB")
    return told["became"]


class Eyes:
    """A process that looks at pictures; a new one if the last did not survive."""

    def __init__(self):
        self._process = None
        self._errors = tempfile.TemporaryFile()

    def look_at(self, data):
        """Return what became of a picture."""
        process = self._process or self._start()
        process.stdin.write(len(data).to_bytes(4) + data)
        process.stdin.flush()
        line = self._line(process)
        if not line:
            status = self._end()
            raise Broken("a picture ends the process, or takes for ever", f"status {status}")
        return json.loads(line)

    def _start(self):
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.picture_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=Path(__file__).parents[2],
        )
        if not self._line(self._process):
            self._errors.seek(0)
            raise RuntimeError(self._errors.read().decode())
        return self._process

    def _line(self, process):
        """Return the next line; nothing if there is none in time, or no process any more."""
        patience = threading.Timer(PATIENCE_S, process.kill)
        patience.start()
        try:
            return process.stdout.readline()
        finally:
            patience.cancel()

    def _end(self):
        """End the process; return its status."""
        process, self._process = self._process, None
        process.kill()
        status = process.wait()
        with suppress(OSError):  # what it did not read
            process.stdin.close()
        process.stdout.close()
        return status

    def close(self):
        """End the process, if there is one."""
        if self._process is not None:
            self._end()
        self._errors.close()
