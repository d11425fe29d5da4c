"""What was only needed for a moment is given back: the server does not stay as large as it was at most."""

import platform
import subprocess
import sys

import pytest

HOLD_AND_FREE = """
import sys
import numpy as np
from web.memory import give_back_memory

def resident_mb():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS:"))

if sys.argv[1] == "asked":
    give_back_memory()
np.ones(2**24, np.uint8)  # the first large array that is freed teaches the allocator
before = resident_mb()
arrays, kept = [], []
for number in range(12):
    arrays.append(np.ones(2**23, np.uint8))
    kept.append(bytes(4_000 + number))
arrays.clear()
print(resident_mb() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators give back anyway")
def test_arrays_that_are_freed_leave_nothing_behind():
    def left_mb(way):
        done = subprocess.run(
            [sys.executable, "-c", HOLD_AND_FREE, way], capture_output=True, text=True, check=True, timeout=60
        )
        return float(done.stdout)

    assert left_mb("asked") < 10
    assert left_mb("not asked") > 50
