"""Memory that a step of a lesson needs is kept for the next one.

The allocator of Linux gives what is large back to the machine and asks for it anew, page by page, every page
cleared: of a step of the judge that took 200 ms, 50 were spent so. While examples are gathered it must give
back: the parts of what is joined are as large as the whole.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

# From malloc.h: what stays though it is free, what gets memory of its own, and how much of that there may be.
M_TRIM_THRESHOLD: Final = -1
M_MMAP_THRESHOLD: Final = -3
M_MMAP_MAX: Final = -4
# Nothing gets memory of its own, and nothing goes.
KEPT: Final = ((M_MMAP_MAX, 0), (M_TRIM_THRESHOLD, 2**31 - 1))
# As it is at first.
GIVEN_BACK: Final = ((M_MMAP_MAX, 65536), (M_TRIM_THRESHOLD, 2**17), (M_MMAP_THRESHOLD, 2**17))


@contextmanager
def kept_memory() -> Iterator[None]:
    """Ask the allocator to keep what is freed, and then to give it back; only Linux's is asked."""
    _ask(KEPT)
    try:
        yield
    finally:
        _ask(GIVEN_BACK)
        _give_back()


def _ask(wishes: tuple[tuple[int, int], ...]) -> None:
    if sys.platform != "linux":
        return
    # A machine with another C library has no such call, or one that says no.
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        for what, value in wishes:
            library.mallopt(what, value)


def _give_back() -> None:
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
