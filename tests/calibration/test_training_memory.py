"""Keeping memory between the steps of a lesson: a request to the allocator that may be refused."""

import ctypes
import subprocess
import sys
from types import SimpleNamespace

import pytest

from calibration.training import memory

# Arrays of 16 MB are made and freed over and over: each of their pages is asked for once, or every time.
FAULTS = """
import resource, numpy as np
from contextlib import nullcontext
from calibration.training.memory import kept_memory

with kept_memory() if {keep} else nullcontext():
    np.ones(2**21)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(40):
        np.ones(2**21)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
# Parts of which only one in a hundred is still needed: what is between them lies open.
RESIDENT = """
import numpy as np
from pathlib import Path
from calibration.training.memory import kept_memory

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

before = resident()
with kept_memory():
    parts = [np.ones(2**18) for _ in range(200)]
    needed = parts[::100]
    del parts
    print(resident() - before)
print(resident() - before)
"""


def told(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return [int(line) for line in done.stdout.split()]


only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux's allocator is asked")


@only_linux
def test_what_is_freed_in_a_lesson_is_used_again():
    (kept,), (usual,) = (told(FAULTS.format(keep=keep)) for keep in (True, False))
    assert kept < usual / 4


@only_linux
def test_after_a_lesson_what_is_free_goes_back_to_the_machine():
    during, after = told(RESIDENT)
    assert during > 200 * 2**21 * 0.9
    assert after < during / 10


def test_an_allocator_that_knows_no_such_call_is_left_alone(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace())
    with memory.kept_memory():
        pass


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_are_not_asked(monkeypatch, system):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: pytest.fail("asked"))
    with memory.kept_memory():
        pass
