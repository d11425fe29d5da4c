"""Memory that a step of a lesson needs is kept for the next one.

The allocator of Linux gives what is large back to the machine and asks for it anew, page by page, every page
cleared: of a step of the judge that took 200 ms, 50 were spent so.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from typing import Final

# From malloc.h: nothing gets memory of its own, and what is free stays unless it is more than that.
M_TRIM_THRESHOLD: Final = -1
M_MMAP_MAX: Final = -4
KEPT_BYTES: Final = 2**31 - 1


def keep_memory() -> None:
    """Ask the allocator to keep what is freed; elsewhere than on Linux nothing happens."""
    if sys.platform != "linux":
        return
    # A machine with another C library has no such call, or one that says no.
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_MAX, 0)
        library.mallopt(M_TRIM_THRESHOLD, KEPT_BYTES)
