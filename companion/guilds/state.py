"""The frozen facts of a game of Dungeon Guilds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from companion.guilds.cards import STRENGTHS, USUAL_HEALING, Effect, Front, Master, Room, effect_of
from companion.guilds.money import Books, open_books

MIN_PLAYERS, MAX_PLAYERS = 3, 6
MOST_WITH_GHOST: Final = 5
TO_PLACE: Final = 2
GHOSTS: Final = 2


class Phase(StrEnum):
    """Where the game stands."""

    DEALING = "dealing"  # rooms and master of the round
    DISABLING = "disabling"  # everybody's secret choice, in the first round only
    PLACING = "placing"
    RESOLVING = "resolving"
    CLEANUP = "cleanup"
    COUNTING = "counting"  # only money is kept
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Piece:
    """An adventurer in a room; without an owner it is a ghost."""

    owner: int | None
    strength: int


@dataclass(frozen=True, slots=True)
class Place:
    """A room of the dungeon with who is in it.

    Attributes:
        front: once it is revealed.
        held: whether it was won; None before anything is known. Rooms below a failed one failed too.
        shares: what each of the two got.
    """

    room: Room
    pieces: tuple[Piece, ...] = ()
    front: Front | None = None
    held: bool | None = None
    shares: tuple[int, ...] = ()

    @property
    def strength(self) -> int:
        """How strong all adventurers in it are together."""
        return sum(piece.strength for piece in self.pieces)

    @property
    def is_full(self) -> bool:
        """Whether both spaces are taken."""
        return len(self.pieces) == TO_PLACE

    @property
    def is_closed(self) -> bool:
        """Whether its two adventurers reach what the back says at most; the master does not change that."""
        return self.is_full and self.strength >= self.room.defence_high


@dataclass(frozen=True, slots=True)
class GameState:
    """A whole table.

    Attributes:
        teams: for each seat the number of its team; everybody their own without teams.
        with_masters: whether masters do anything, or only count the rounds.
        first: who has the first player marker.
        step: how many turns of the snake order are over in this placement.
        turn: whose turn it is; None when it is everybody's.
        healing_checked: whether somebody looked at the cards.
        master, used: of this round, and of all rounds before.
        chosen: what each seat wants to disable, secret until all have chosen.
        disabled: adventurers that cannot be placed in this round, by seat.
        places: the rooms from the top.
        unplaced: in a game where only money is kept, everybody's strongest adventurer that was not placed.
    """

    players: tuple[str, ...]
    teams: tuple[int, ...]
    ghost: bool
    with_masters: bool
    promos: bool
    first: int
    phase: Phase
    books: Books
    round: int = 1
    step: int = 0
    turn: int | None = None
    healing: tuple[int, ...] = USUAL_HEALING
    healing_checked: bool = False
    master: Master | None = None
    used: tuple[Master, ...] = ()
    chosen: tuple[tuple[int, ...] | None, ...] = ()
    disabled: tuple[tuple[int, ...], ...] = ()
    places: tuple[Place, ...] = ()
    unplaced: tuple[int, ...] = ()

    @property
    def effect(self) -> Effect:
        """What the master of this round changes."""
        return effect_of(self.master)

    @property
    def rooms_to_deal(self) -> int:
        """How many rooms a dungeon has."""
        return len(self.players) + self.ghost

    def placed(self, seat: int) -> tuple[int, ...]:
        """Return the strengths of a player's adventurers in the dungeon."""
        return tuple(piece.strength for place in self.places for piece in place.pieces if piece.owner == seat)

    def available(self, seat: int) -> tuple[int, ...]:
        """Return the strengths of a player's adventurers that could be placed."""
        gone = (*self.placed(seat), *self.disabled[seat]) if self.disabled else ()
        return tuple(s for s in STRENGTHS if s not in gone and s not in self.effect.banned)

    def healing_of(self, strength: int) -> int:
        """Return what healing an adventurer costs in this dungeon."""
        return self.healing[strength - 1] + self.effect.wounds[strength - 1]

    def bonus(self, place: int) -> tuple[int, int]:
        """Return by how much the master changes defence and treasure of a room."""
        effect, count = self.effect, len(self.places)
        hit = any(room % count == place for room in effect.rooms)
        return (effect.defence, effect.treasure) if hit else (0, 0)

    def with_place(self, number: int, place: Place) -> GameState:
        """Return the table with one room replaced."""
        return replace(self, places=(*self.places[:number], place, *self.places[number + 1 :]))


def new_game(
    players: tuple[str, ...],
    *,
    first: int = 0,
    teams: int = 0,
    ghost: bool = False,
    masters: bool = True,
    promos: bool = False,
    only_money: bool = False,
) -> GameState:
    """Set up a table.

    Args:
        teams: how many, or 0. Members of a team sit opposite each other: seats go around the teams.
    """
    count = len(players)
    return GameState(
        players=players,
        teams=tuple(seat % teams if teams else seat for seat in range(count)),
        ghost=ghost,
        with_masters=masters,
        promos=promos,
        first=first,
        phase=Phase.COUNTING if only_money else Phase.DEALING,
        books=open_books(count),
        chosen=(None,) * count,
        disabled=((),) * count,
    )
