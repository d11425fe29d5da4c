"""Time limits for single cases: nothing may hang, and a busy machine is no excuse for failing."""

import faulthandler
import signal
import sys
import threading
import time
from contextlib import contextmanager

# Processor time is limited; so many times as much may pass on the clock, for what sleeps or waits.
WAITING = 8
# Code that never comes back to Python cannot be interrupted, only ended together with everything else.
HARD = 4
AGAIN_S = 1.0


class TookTooLong(Exception):
    """A case used more time than it may."""


def _stop(_signal, frame):
    # Python only prints what goes wrong while it collects garbage: the next alarm comes soon.
    if frame.f_code.co_name != "gc_callback":
        raise TookTooLong


def can_interrupt():
    """Whether a case can be stopped from outside: not on Windows, not in a thread of its own."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


@contextmanager
def limited(seconds, *, hard=False):
    """Raise TookTooLong if what is inside takes longer; with *hard*, end the process if even that fails."""
    if hard:
        faulthandler.dump_traceback_later(seconds * WAITING * HARD, exit=True, file=sys.__stderr__)
    start = time.process_time()
    try:
        if can_interrupt():
            with _alarms(seconds):
                yield
        else:
            yield
    finally:
        if hard:
            faulthandler.cancel_dump_traceback_later()
    # Somebody may have swallowed the interruption.
    if time.process_time() - start > seconds:
        raise TookTooLong


@contextmanager
def _alarms(seconds):
    before = [signal.signal(which, _stop) for which in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_S)
    signal.setitimer(signal.ITIMER_REAL, seconds * WAITING, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for which, handler in zip((signal.SIGPROF, signal.SIGALRM), before, strict=True):
            signal.signal(which, handler)
