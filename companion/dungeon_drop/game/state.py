"""The frozen facts of a game of Dungeon Drop."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.dungeon_drop.game.cards import HeroCard, Quest
from companion.dungeon_drop.hero import Hero, Rival
from companion.dungeon_drop.holdings import Reserve
from companion.dungeon_drop.pieces import Kind

ROUNDS = 3
# Cubes taken from the box and dropped each turn, by the number of players.
EXPLORED = {1: 4, 2: 6, 3: 4, 4: 3}
MIN_PLAYERS, MAX_PLAYERS = 1, 4


class Phase(StrEnum):
    """Where the game stands."""

    GATHERING = "gathering"  # heroes are written down
    PLAYING = "playing"
    SCORING = "scoring"
    FINISHED = "finished"


class Step(StrEnum):
    """What the hero whose turn it is does now."""

    EXPLORE = "explore"
    ABILITY = "ability"
    LOOT = "loot"


@dataclass(frozen=True, slots=True)
class Adventurer:
    """One player: cards, wounds and what was collected.

    Attributes:
        damage: hit points that are covered.
        pawn_points: from rooms that others looted, in teamwork mode.
        dice: what the chests showed, one for each pair of a key and a chest.
        typed: the number that a quest asks for at the end.
    """

    card: HeroCard | None = None
    quest: Quest | None = None
    damage: int = 0
    reserve: Reserve = field(default_factory=Reserve)
    pawn_points: int = 0
    dice: tuple[int, ...] = ()
    typed: int = 0
    signed: bool = False

    @property
    def title(self) -> str:
        """What the hero is called, if that was typed."""
        return self.card.title if self.card else ""

    @property
    def initiative(self) -> int:
        """The number on the race card; without one, the smallest."""
        return self.card.initiative if self.card else 0

    @property
    def hit_points(self) -> int:
        """All hit points, covered ones included."""
        return self.card.hit_points if self.card else 0

    @property
    def pairs(self) -> int:
        """Pairs of a key and a chest: so many dice are rolled."""
        return min(self.reserve.count(Kind.KEY), self.reserve.count(Kind.CHEST))


@dataclass(frozen=True, slots=True)
class GameState:
    """A whole table.

    Attributes:
        solo: whether the relics and the stairs are among the cubes.
        order: the seats in the order of this round.
        place: of the one whose turn it is, in that order.
        waiting: cubes beside the table that the next exploration drops again.
        look, taken: a photo, by its number, and the cubes of it that were looted since.
    """

    players: tuple[str, ...]
    teamwork: bool
    tracked: bool
    phase: Phase
    adventurers: tuple[Adventurer, ...]
    solo: bool = True
    round: int = 1
    order: tuple[int, ...] = ()
    place: int = 0
    step: Step = Step.EXPLORE
    waiting: int = 0
    look: int = 0
    taken: tuple[int, ...] = ()

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is; None outside of turns."""
        return self.order[self.place] if self.phase is Phase.PLAYING else None

    @property
    def explored(self) -> int:
        """How many cubes are taken from the box each turn."""
        return EXPLORED[len(self.players)]

    def with_adventurer(self, seat: int, adventurer: Adventurer) -> GameState:
        """Return the table with one player replaced."""
        return replace(
            self, adventurers=(*self.adventurers[:seat], adventurer, *self.adventurers[seat + 1 :])
        )

    def hero(self, seat: int) -> Hero:
        """Return a player as the advice on rooms sees them, with the own quest."""
        mine = self.adventurers[seat]
        quest = mine.quest or Quest()
        return Hero(
            mine.hit_points,
            mine.damage,
            mine.reserve,
            quest.gems.values,
            quest.bonus,
            tuple(self.rival(other) for other in range(len(self.players)) if other != seat),
        )

    def rival(self, seat: int) -> Rival:
        """Return a player as everybody can see them."""
        other = self.adventurers[seat]
        return Rival(other.hit_points, other.damage, other.reserve)


def new_game(
    players: tuple[str, ...], *, teamwork: bool = False, tracked: bool = True, solo: bool = True
) -> GameState:
    """Lay the table: nobody has a hero yet."""
    return GameState(
        players=players,
        teamwork=teamwork,
        tracked=tracked,
        phase=Phase.GATHERING if tracked else Phase.SCORING,
        adventurers=(Adventurer(),) * len(players),
        solo=solo,
    )
