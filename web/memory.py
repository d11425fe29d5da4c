"""Memory that was only needed for a moment goes back to the machine.

The allocator of Linux learns from the first large array that is freed to keep such sizes for itself, between
smaller things that stay. After odds and photographs a server would stay larger for the rest of the evening.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from typing import Final

# From malloc.h: what is larger gets memory of its own, and so many heaps are shared by all threads. Memory of
# one's own has to be asked for and cleared every time: from 256 kB on, phones saw taps of others after 240 ms
# instead of 90 (p95 over two minutes of a full house).
M_MMAP_THRESHOLD: Final = -3
M_ARENA_MAX: Final = -8
LARGE_BYTES: Final = 4 * 1024 * 1024
HEAPS: Final = 2


def give_back_memory() -> None:
    """Ask the allocator to return what is large when it is freed; elsewhere than on Linux nothing happens."""
    if sys.platform != "linux":
        return
    # A machine with another C library has no such call, or one that says no.
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
        library.mallopt(M_ARENA_MAX, HEAPS)
