"""Quest bonuses as a small algebra: points, for what is counted, on which condition.

A bonus is a sum of terms. Each term counts something (cubes, sets, damage, hit points left, a number typed
at the end) and gives its points for each of it, for at least so many of it, or for having the most or the
fewest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from companion.codec import decode, encode
from companion.dungeon_drop.holdings import Counts, total
from companion.dungeon_drop.pieces import COLLECTED, Kind, Size
from companion.errors import BadData
from companion.message import Message, say

MOST_TERMS = 20


class What(StrEnum):
    """What a term counts."""

    CUBES = "cubes"
    SETS = "sets"
    DAMAGE = "damage"
    HIT_POINTS = "hit_points"
    TYPED = "typed"


class When(StrEnum):
    """How a count becomes points."""

    EACH = "each"
    AT_LEAST = "at_least"
    MOST = "most"
    FEWEST = "fewest"


@dataclass(frozen=True, slots=True)
class Term:
    """*points* for *what*, given as *when* says.

    Attributes:
        kinds: which cubes are counted; for sets, the kinds of which one each makes a set.
        size: only cubes of this size count.
        number: points for each so many, or for at least so many.
        ties: whether having as many (or as few) as another player is enough.
    """

    points: int
    when: When
    what: What
    kinds: tuple[Kind, ...] = ()
    size: Size | None = None
    number: int = 1
    ties: bool = True

    def __post_init__(self) -> None:
        if fault := _fault(self):
            raise BadData(fault)


Bonus = tuple[Term, ...]


def _fault(term: Term) -> Message | None:
    counts_cubes = term.what in (What.CUBES, What.SETS)
    if counts_cubes and not term.kinds:
        return say("A bonus for cubes must say which kinds.")
    if not counts_cubes and (term.kinds or term.size):
        return say("Only a bonus for cubes or sets has kinds and a size.")
    if len(set(term.kinds)) != len(term.kinds):
        return say("A bonus must not name a kind twice.")
    if any(kind not in COLLECTED for kind in term.kinds):
        return say("A bonus can only count cubes that are collected.")
    if term.what == What.SETS and len(term.kinds) < 2:
        return say("A set needs at least two kinds.")
    if term.number < 1:
        return say("A bonus must be for at least one.")
    if term.what == What.TYPED and term.when != When.EACH:
        return say("A number typed at the end is added as it is.")
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """What a bonus looks at, for R possible futures of one player.

    Attributes:
        counts: shape (R, COLUMNS), the reserve.
        damage: shape (R,), hit points covered.
        hit_points_left: shape (R,).
        typed: the number typed at the end; 0 during play.
    """

    counts: Counts
    damage: Counts
    hit_points_left: Counts
    typed: int = 0


def bonus_points(bonus: Bonus, mine: Standing, others: Sequence[Standing] = ()) -> Counts:
    """Return the points of the whole bonus, shape (R,).

    Args:
        others: one row each, the other players. Without any, having the most or the fewest gives nothing.
    """
    points = np.zeros(len(mine.damage))
    for term in bonus:
        points += term.points * _times(term, mine, others)
    return points


def _times(term: Term, mine: Standing, others: Sequence[Standing]) -> Counts:
    counted = _counted(term, mine)
    if term.when == When.EACH:
        return np.floor_divide(counted, term.number)
    if term.when == When.AT_LEAST:
        return (counted >= term.number).astype(np.float64)
    if not others:
        return np.zeros_like(counted)
    theirs = [float(_counted(term, other)[0]) for other in others]
    lead = counted - max(theirs) if term.when == When.MOST else min(theirs) - counted
    return (lead >= 0 if term.ties else lead > 0).astype(np.float64)


def _counted(term: Term, standing: Standing) -> Counts:
    match term.what:
        case What.CUBES:
            return total(standing.counts, term.kinds, term.size)
        case What.SETS:
            each = [total(standing.counts, (kind,), term.size) for kind in term.kinds]
            found: Counts = np.min(each, axis=0)
            return found
        case What.DAMAGE:
            return standing.damage
        case What.HIT_POINTS:
            return standing.hit_points_left
        case What.TYPED:
            return np.full(len(standing.damage), float(standing.typed))


def write_bonus(bonus: Bonus) -> list[dict[str, object]]:
    """Return the bonus as plain JSON values."""
    written: list[dict[str, object]] = encode(bonus)
    return written


def read_bonus(data: object) -> Bonus:
    """Build a bonus from JSON values.

    Raises:
        BadData: with the reason.
    """
    if not isinstance(data, list) or len(data) > MOST_TERMS:
        raise BadData(say("A bonus must be a list of at most %(count)d terms.", count=MOST_TERMS))
    bonus: Bonus = decode(tuple[Term, ...], data, "bonus")
    return bonus
