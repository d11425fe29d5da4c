"""What the scanner has to reach, and whether it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from calibration.accuracy.figures import Row, pooled
from calibration.accuracy.steadiness import CHANGES, Change, share_changed
from calibration.accuracy.touching import told_apart


@dataclass(frozen=True, slots=True)
class Target:
    """One figure to reach.

    Attributes:
        must: what it takes to be accepted, where something is asked for.
        goal: what is aimed at on pictures never seen, where something is.
        at_most: whether less is better.
        decimals: how exactly it is told.
    """

    name: str
    figure: Callable[[Sequence[Row]], float | None]
    must: float | None = None
    goal: float | None = None
    at_most: bool = False
    decimals: int = 4


@dataclass(frozen=True, slots=True)
class Verdict:
    """A target beside what was reached; no value where the pictures cannot tell."""

    target: Target
    value: float | None

    @property
    def accepted(self) -> bool | None:
        """Whether it is enough to be accepted; nothing where that is not asked for or cannot be told."""
        return self._reaches(self.target.must)

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; nothing where there is none or it cannot be told."""
        return self._reaches(self.target.goal)

    def _reaches(self, wanted: float | None) -> bool | None:
        if wanted is None or self.value is None:
            return None
        return self.value <= wanted if self.target.at_most else self.value >= wanted


def _with_cards(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.picture.taken.markers]


TARGETS: Final = (
    Target("cubes of the right kind (F1)", lambda rows: pooled(rows).typed_f1, 0.97, 0.995),
    Target("pillars found", lambda rows: pooled(rows).pillar_recall, 0.99),
    Target("false pillars per picture", lambda rows: pooled(rows).false_pillars, 0.1, at_most=True),
    Target("pictures with all pillars, none false", lambda rows: pooled(rows).pillars_clear, goal=0.95),
    Target(
        "position with cards, median in mm",
        lambda rows: pooled(_with_cards(rows)).error_median_mm,
        0.6,
        0.5,
        at_most=True,
        decimals=3,
    ),
    Target(
        "position with cards, 95% within mm",
        lambda rows: pooled(_with_cards(rows)).error_p95_mm,
        goal=1.5,
        at_most=True,
        decimals=3,
    ),
    Target("score kept by the room advised", lambda rows: pooled(rows).score_kept, 0.95, 0.98),
    Target("touching pairs and threes told apart", told_apart, 0.95),
)


def _steady(change: Change) -> Target:
    def share(rows: Sequence[Row]) -> float | None:
        return share_changed([one for row in rows for one in row.changed], change)

    return Target(f"changed when {change.name}", share, change.most, at_most=True)


# Only where somebody asked for it: every change is one more scan of every picture.
STEADY: Final = tuple(map(_steady, CHANGES))


def verdicts(rows: Sequence[Row]) -> tuple[Verdict, ...]:
    """Hold pictures against all targets that were measured."""
    measured = TARGETS + STEADY if any(row.changed for row in rows) else TARGETS
    return tuple(Verdict(target, target.figure(rows)) for target in measured)
