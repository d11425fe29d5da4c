"""What the next player would love most, and what each of my rooms would leave them.

Their quest is secret: gems are worth the mean of a quest's three values, and no bonus is counted. What they
drop before they loot is unknown, so this is the table as it lies now.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.dungeon_drop.advice import Advice, RoomAdvice, advise
from companion.dungeon_drop.arrays import Floats, Indexes
from companion.dungeon_drop.hero import GemValues, Hero, Rival
from companion.dungeon_drop.rooms import Rooms
from companion.dungeon_drop.worth import judge


@dataclass(frozen=True, slots=True)
class Denial:
    """One of my rooms, and the next player's best room as it is now and after I took mine."""

    mine: RoomAdvice
    theirs_now: float
    theirs_after: float

    @property
    def denied(self) -> float:
        """How much less they could gain."""
        return self.theirs_now - self.theirs_after


def as_others_see(player: Rival) -> Hero:
    """Return a player without the secrets of their quest."""
    return Hero(player.hit_points, player.damage, player.reserve, GemValues().unknown)


def wanted_by(rooms: Rooms, player: Rival, accuracy_mm: float) -> Advice:
    """Rank the rooms for another player, as far as others can know."""
    return advise(rooms, as_others_see(player), accuracy_mm)


def denials(mine: Advice, theirs: Advice, top: int = 10) -> tuple[Denial, ...]:
    """Return my best *top* allowed rooms, in my order, with what each leaves the next player."""
    places = mine.order[:top]
    places = places[mine.effects.allowed[places]]
    now = float(np.where(theirs.effects.allowed, theirs.effects.gain, 0.0).max(initial=0.0))
    after = _best_after(mine.rooms, places, theirs)
    return tuple(
        Denial(mine.room(int(place)), now, float(left)) for place, left in zip(places, after, strict=True)
    )


def _best_after(rooms: Rooms, places: Indexes, theirs: Advice) -> Floats:
    """Return the best gain left to *theirs* after the room at each of *places* was emptied."""
    gives = theirs.gives[rooms.table.pillar_count :]
    best = np.zeros(len(places))
    for block in rooms.blocks():
        inside = rooms.inside_of(block)
        for at, emptied in enumerate(rooms.inside_at(places)):
            left = judge((inside & ~emptied) @ gives, theirs.hero)
            best[at] = np.where(left.allowed, left.gain, 0.0).max(initial=best[at])
    return best
