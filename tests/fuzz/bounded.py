"""Random cases of one subject for a bounded time; each failure is told once, by its smallest case."""

import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky

from tests.fuzz.limits import TookTooLong, limited

ROOT = Path(__file__).parents[2]
SOURCE = tuple(str(ROOT / package) for package in ("companion", "vision", "calibration", "web"))
BATCH = 100  # cases of one run of hypothesis, which remembers all of them
SHRINK_S = 20.0  # how long a smaller case is looked for


class Broken(AssertionError):
    """Something that must always hold does not; *what* tells one such finding from another."""

    def __init__(self, what, detail=""):
        super().__init__(f"{what}: {detail}" if detail else what)
        self.what = what


class TimeIsOver(BaseException):
    """Leaves hypothesis at once: it treats plain exceptions as findings."""


class Case:
    """One random case: draws values, counts answers, remembers how to do the same again."""

    def __init__(self, data, answers):
        self._data = data
        self.answers = answers
        self.lines = []

    def draw(self, strategy):
        """Draw a value."""
        return self._data.draw(strategy)

    def chance(self, one_in):
        """Tell whether something happens that happens once in so many times; a small case does without."""
        return self.draw(st.integers(0, one_in - 1)) == one_in - 1

    def answered(self, kind):
        """Count an answer."""
        self.answers[str(kind)] += 1

    def do(self, line):
        """Remember a line of Python that does what was just done."""
        self.lines.append(line)


@dataclass
class Found:
    """A failure with the smallest case that shows it."""

    name: str
    error: str
    lines: list


@dataclass
class Report:
    """What became of a subject."""

    subject: str
    seed: int
    cases: int = 0
    seconds: float = 0.0
    answers: Counter = field(default_factory=Counter)
    found: list = field(default_factory=list)

    def line(self):
        """Return the subject in one line."""
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.answers.items()))
        failures = f"{len(self.found)} failures" if self.found else "no failure"
        return f"{self.subject}: {self.cases} cases in {self.seconds:.0f} s, {failures} ({kinds})"


class Bounded:
    """Runs one subject until its time is over."""

    def __init__(self, name, subject, *, seconds, seed, hard=False):
        self.subject, self.seconds, self.hard = subject, seconds, hard
        self.report = Report(name, seed)
        self._known = {}
        self._shrinking = None  # the failure for which a smaller case is looked for
        self._end = 0.0

    def run(self):
        """Return the report."""
        start = time.monotonic()
        stop, batch = start + self.seconds, 0
        while time.monotonic() < stop:
            self._end, self._shrinking = stop, None
            try:
                self._batch(f"{self.report.seed} {batch}")
            except (TimeIsOver, Flaky):
                # A case did not do the same again: it was stopped, or its failure needs what came before it.
                pass
            except Exception:
                # Hypothesis tells of a failure that is in the report already.
                if not self._known:
                    raise
            batch += 1
        self.report.seconds = time.monotonic() - start
        self.report.found = list(self._known.values())
        return self.report

    def _batch(self, name):
        @seed(name)
        @settings(
            max_examples=BATCH,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
            verbosity=Verbosity.quiet,
        )
        @given(st.data())
        def one(data):
            if time.monotonic() > self._end:
                raise TimeIsOver
            self._try(Case(data, self.report.answers))

        one()

    def _try(self, case):
        try:
            with limited(self.subject.LIMIT_S, hard=self.hard):
                self.subject.one(case)
        except Exception as error:
            name = name_of(error)
            if name is None:
                raise  # hypothesis speaks to itself
            self.report.cases += 1
            if name in self._known and name != self._shrinking:
                return
            if self._shrinking not in (None, name):
                return  # another failure gets its turn later
            if self._shrinking is None:
                self._shrinking, self._end = name, time.monotonic() + SHRINK_S
            self._known[name] = Found(name, told(error), case.lines)
            raise
        self.report.cases += 1


def name_of(error):
    """Return what tells one failure from another; None if it is none."""
    if type(error).__module__.startswith("hypothesis"):
        return None
    if isinstance(error, Broken) and error.__cause__ is None:
        return error.what
    error = error.__cause__ or error
    if isinstance(error, TookTooLong):
        return "took too long"  # wherever it was just then
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(SOURCE)] or frames
    place = f"{ours[-1].filename.removeprefix(f'{ROOT}/')}:{ours[-1].lineno}" if ours else "nowhere"
    return f"{type(error).__name__} at {place}"


def told(error):
    """Return a failure in a few lines: what is wrong, and where it comes from."""
    lines = [f"{type(error).__name__}: {error}"]
    if error.__cause__ is not None:
        cause = error.__cause__
        lines += traceback.format_exception(type(cause), cause, cause.__traceback__)[-6:]
    return "\n".join(line.rstrip()[:2000] for line in lines)
