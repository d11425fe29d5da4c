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
from calibration.training.memory import keep_memory
if {keep}:
    keep_memory()
np.ones(2**21)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(40):
    np.ones(2**21)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(keep):
    told = subprocess.run(
        [sys.executable, "-c", FAULTS.format(keep=keep)], capture_output=True, text=True, check=True
    )
    return int(told.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux's allocator is asked")
def test_what_is_freed_is_used_again():
    assert faults(True) < faults(False) / 4


def test_an_allocator_that_knows_no_such_call_is_left_alone(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace())
    memory.keep_memory()


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_are_not_asked(monkeypatch, system):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: pytest.fail("asked"))
    memory.keep_memory()
