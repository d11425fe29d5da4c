"""How fast pictures are scanned, against decoding them and turning them into Lab colours in the same run.

``python -m tests.bench.scan`` prints a table; the figures in docs/performance.md come from it.
"""

import platform
from pathlib import Path
from statistics import median
from time import perf_counter

import cv2
import numpy as np

from vision.follow import Following, step
from vision.photo import read_photo
from vision.scanner import Scanner

PICTURES = Path(__file__).parents[1] / "pictures" / "rendered"
RUNS = 15
FULL_HD = (1920, 1080)


def full_hd_pictures():
    """Return test pictures as JPEG files of 1920 x 1080, as a webcam would send them."""
    for file in sorted(PICTURES.glob("*.jpg"))[:6]:
        frame = cv2.resize(cv2.imread(str(file)), FULL_HD, interpolation=cv2.INTER_CUBIC)
        yield cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def floor(data):
    """Do what no scanner can do without: decode the picture, and look at its colours."""
    frame = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return cv2.cvtColor(frame, cv2.COLOR_BGR2Lab)


def times(*works):
    """Return the median seconds of several works that take turns, so that all see the same machine."""
    seconds = [[] for _ in works]
    for work in works:
        work()
    for _ in range(RUNS):
        for work, taken in zip(works, seconds, strict=True):
            start = perf_counter()
            work()
            taken.append(perf_counter() - start)
    return [median(taken) for taken in seconds]


class Still:
    """A scanner that is not asked on an unchanged table; it says what was seen at first."""

    def __init__(self, scan):
        self.seen = scan

    def scan(self, frame):
        return self.seen


def following(data, scanner):
    """Return a function that takes the next picture of an unchanged table, decoded anew."""
    still = Still(scanner.scan(read_photo(data)))
    state, seconds = Following(), 0.0
    for _ in range(40):
        seconds += 0.1
        state, _ = step(state, read_photo(data), seconds, still)

    def next_picture():
        nonlocal state, seconds
        # So slowly that the regular look at an unchanged table stays out: it is a full scan, measured above.
        seconds += 0.005
        state, update = step(state, read_photo(data), seconds, still)
        assert not update.looked

    return next_picture


def main():
    scanner = Scanner()
    print(f"Python {platform.python_version()}, OpenCV {cv2.__version__}, {cv2.getNumThreads()} threads")
    rows = []
    for data in full_hd_pictures():
        work = [
            lambda data=data: floor(data),
            lambda data=data: scanner.scan(read_photo(data)),
            following(data, scanner),
        ]
        base, full, live = times(*work)
        source = scanner.scan(read_photo(data)).source
        rows.append((full / base, live / base))
        print(
            f"decode + Lab {base * 1e3:5.1f} ms   full {full * 1e3:6.1f} ms = {full / base:4.1f} times"
            f"   unchanged {live * 1e3:5.1f} ms = {live / base:.2f} times, {1 / live:.0f} a second ({source})"
        )
    full, live = (median(column) for column in zip(*rows, strict=True))
    print(f"median: full scan {full:.1f} times (target 12), unchanged table {live:.2f} times (target 2)")


if __name__ == "__main__":
    main()
