"""The frozen facts of a game of Les Apprentis Gardiens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from companion.apprentis.board import (
    DEFAULT_PILES,
    GROUP_TOKENS,
    INN_CARDS,
    MALUS_TILES,
    NOBODY,
    PLACES,
    THREAT_CARDS,
    Monsters,
    Place,
)


class Phase(StrEnum):
    """Where the game stands."""

    PLAYING = "playing"
    SCORING = "scoring"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Dungeon:
    """One player's dungeon, as far as the companion knows it."""

    groups: tuple[int, ...] = (0, 0, 0, 0, 0)  # adventurer groups in rooms 1 to 5
    beside: tuple[int, ...] = ()  # malus tiles beside room 5
    covered: tuple[int, ...] = (0, 0, 0)  # malus tile on each guardian power, 0 = free
    guardian: bool = False  # the guardian tile lies face up
    contents: tuple[Monsters, ...] = (NOBODY,) * len(PLACES)
    signed: bool = False  # the player says the score sheet is complete

    @property
    def malus(self) -> tuple[int, ...]:
        """All malus tiles in this dungeon, lowest first."""
        return tuple(sorted((*self.beside, *(tile for tile in self.covered if tile))))

    @property
    def next_malus(self) -> int | None:
        """The lowest tile left in the reserve."""
        return next((tile for tile in MALUS_TILES if tile not in self.malus), None)

    @property
    def group_count(self) -> int:
        """Adventurer groups in all rooms."""
        return sum(self.groups)

    def monsters(self, place: Place) -> Monsters:
        """Return who stands in *place*."""
        return self.contents[PLACES.index(place)]


@dataclass(frozen=True, slots=True)
class GameState:
    """A whole table."""

    players: tuple[str, ...]
    first: int
    objectives: tuple[str, ...]
    piles: tuple[int, ...]
    tracked: bool
    phase: Phase
    turn: int
    threat_left: int
    dungeons: tuple[Dungeon, ...]
    icons: int = 0
    inn_left: int = INN_CARDS
    threat_turned: bool = False  # this turn
    power_used: bool = False  # this turn
    last_round: bool = False

    @property
    def last_player(self) -> int:
        """The seat to the right of the first player, who ends the last table round."""
        return (self.first - 1) % len(self.players)

    @property
    def inn_due(self) -> bool:
        """Whether as many threat icons lie open as there are players."""
        return self.icons >= len(self.players) and self.inn_left > 0

    @property
    def group_tokens_left(self) -> int:
        """Groups still waiting at the inn."""
        return GROUP_TOKENS - sum(dungeon.group_count for dungeon in self.dungeons)

    def with_dungeon(self, seat: int, dungeon: Dungeon) -> GameState:
        """Return the table with one dungeon replaced."""
        return replace(self, dungeons=(*self.dungeons[:seat], dungeon, *self.dungeons[seat + 1 :]))


def new_game(
    players: tuple[str, ...],
    objectives: tuple[str, ...],
    *,
    first: int = 0,
    piles: tuple[int, ...] = DEFAULT_PILES,
    tracked: bool = True,
) -> GameState:
    """Lay the table: one group in room 1 of every dungeon, unless only the end is scored."""
    entering = (1, 0, 0, 0, 0) if tracked else (0, 0, 0, 0, 0)
    return GameState(
        players=players,
        first=first,
        objectives=objectives,
        piles=piles,
        tracked=tracked,
        phase=Phase.PLAYING if tracked else Phase.SCORING,
        turn=first,
        threat_left=THREAT_CARDS[len(players)],
        dungeons=(Dungeon(groups=entering),) * len(players),
    )
