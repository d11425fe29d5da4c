"""Cubes coming into a reserve and leaving it; equal cubes are counted together, in a fixed order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.dungeon_drop.holdings import ONLY_SIZE, Held, Reserve
from companion.dungeon_drop.pieces import COLLECTED, IN_THE_BOX, KINDS, SIZES, Kind, Size
from companion.errors import IllegalEvent
from companion.message import say

_BOX = Counter({kind: 0 for kind in KINDS})
for (_kind, _size), _count in IN_THE_BOX.items():
    _BOX[_kind] += _count
IN_ALL = dict(_BOX)
_PLACES = {(kind, size): (k, s) for k, kind in enumerate(KINDS) for s, size in enumerate((*SIZES, None))}


def tidied(held: Iterable[Held]) -> tuple[Held, ...]:
    """Return cubes with equal ones counted together.

    Raises:
        IllegalEvent: something is no cube that heroes collect, or of a size that it does not come in.
    """
    counts: Counter[tuple[Kind, Size | None]] = Counter()
    for part in held:
        size = part.size or ONLY_SIZE.get(part.kind)
        if part.kind not in COLLECTED:
            raise IllegalEvent(say("Pillars and stairs are never collected."))
        if size is not None and (part.kind, size) not in IN_THE_BOX:
            raise IllegalEvent(say("There is no cube of this kind in this size."))
        if not 0 <= part.count <= IN_ALL[part.kind]:
            raise IllegalEvent(say("The box does not hold so many cubes of this kind."))
        counts[part.kind, size] += part.count
    ordered = sorted((piece for piece, count in counts.items() if count), key=_PLACES.__getitem__)
    return tuple(Held(kind, counts[kind, size], size) for kind, size in ordered)


def with_cubes(reserve: Reserve, held: Iterable[Held]) -> Reserve:
    """Return the reserve with more cubes in it."""
    return Reserve(tidied((*reserve.held, *held)))


def without_cubes(reserve: Reserve, wanted: Held) -> Reserve:
    """Return the reserve with fewer cubes in it: of the size that is named, or of any.

    Raises:
        IllegalEvent: it does not hold so many.
    """
    size = wanted.size or ONLY_SIZE.get(wanted.kind)
    left, kept = wanted.count, []
    # Cubes of a noted size go first where a size was named; whose size nobody noted may be of any.
    for held in sorted(reserve.held, key=lambda held: (held.size != size, held.size is not None)):
        fits = held.kind == wanted.kind and (size is None or held.size in (size, None))
        taken = min(left, held.count) if fits else 0
        left -= taken
        kept.append(Held(held.kind, held.count - taken, held.size))
    if left or wanted.count < 0:
        raise IllegalEvent(say("The reserve does not hold so many of these cubes."))
    return Reserve(tidied(kept))
