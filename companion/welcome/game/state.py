"""The frozen facts of a game of Welcome (Back) to the Dungeon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from companion.welcome.delve import Delve
from companion.welcome.monsters import Monster, deck
from companion.welcome.tiles import Tile, heroes, printed_tiles

MIN_PLAYERS, MAX_PLAYERS = 2, 4
SUCCESSES_TO_WIN: Final = 2


class Phase(StrEnum):
    """Where the game stands."""

    CHOOSING = "choosing"  # the adventurer of the round
    BIDDING = "bidding"
    DELVING = "delving"
    FINISHED = "finished"


class Aid(StrEnum):
    """A player's aid card."""

    WHITE = "white"
    RED = "red"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Notes:
    """Which cards a player drew in this round, as far as they wrote it down. Nobody else may know."""

    dungeon: tuple[Monster, ...] = ()
    aside: tuple[Monster, ...] = ()


@dataclass(frozen=True, slots=True)
class Bidding:
    """What everybody can see of a round.

    Attributes:
        left: the tiles under the adventurer.
        in_dungeon, set_aside: how many cards lie there.
        passed: the seats that passed, in that order.
        turns: how many turns each seat has had.
    """

    hero: str
    left: tuple[str, ...]
    in_dungeon: int = 0
    set_aside: int = 0
    passed: tuple[int, ...] = ()
    turns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """How the last dungeon ended."""

    player: int
    survived: bool
    turned: int


@dataclass(frozen=True, slots=True)
class GameState:
    """A whole table.

    Attributes:
        heroes: the adventurers in play.
        must_add_first: the variant in which everybody adds a monster on the first turn of the bidding.
        corrected: tiles that players corrected or wrote.
        turn: who chooses, bids or is in the dungeon.
        bids: of this round; None while the adventurer is chosen.
        notes: of each seat, for this round.
    """

    players: tuple[str, ...]
    heroes: tuple[str, ...]
    specials: tuple[Monster, ...]
    must_add_first: bool
    aids: tuple[Aid, ...]
    successes: tuple[int, ...]
    turn: int
    phase: Phase = Phase.CHOOSING
    round: int = 1
    corrected: tuple[Tile, ...] = ()
    bids: Bidding | None = None
    delve: Delve | None = None
    notes: tuple[Notes, ...] = ()
    last: RoundEnd | None = None

    @property
    def tiles(self) -> Mapping[str, Tile]:
        """All tiles, as they are in this game."""
        return {**printed_tiles(), **{tile.id: tile for tile in self.corrected}}

    @property
    def deck_size(self) -> int:
        """How many cards there are in all."""
        return sum(deck(self.specials).values())

    @property
    def pile(self) -> int:
        """How many cards are left to draw."""
        if self.bids is None:
            return self.deck_size
        swapped = len(self.delve.swapped_in) if self.delve else 0
        return max(0, self.deck_size - self.bids.in_dungeon - self.bids.set_aside - swapped)

    def bidders(self) -> tuple[int, ...]:
        """Return the seats that still bid."""
        passed = self.bids.passed if self.bids else ()
        return tuple(seat for seat, aid in enumerate(self.aids) if aid is not Aid.OUT and seat not in passed)

    def after(self, seat: int, seats: tuple[int, ...]) -> int:
        """Return who of *seats* comes next, clockwise."""
        count = len(self.players)
        return min(seats, key=lambda other: (other - seat - 1) % count)

    def with_notes(self, seat: int, notes: Notes) -> GameState:
        """Return the table with one player's notes replaced."""
        return replace(self, notes=(*self.notes[:seat], notes, *self.notes[seat + 1 :]))


def new_game(
    players: tuple[str, ...],
    *,
    first: int = 0,
    heroes: tuple[str, ...],
    hero: str | None = None,
    specials: tuple[Monster, ...] = (),
    must_add_first: bool = False,
) -> GameState:
    """Lay the table; if the first adventurer is known, the bidding begins."""
    count = len(players)
    state = GameState(
        players=players,
        heroes=heroes,
        specials=specials,
        must_add_first=must_add_first,
        aids=(Aid.WHITE,) * count,
        successes=(0,) * count,
        turn=first,
        notes=(Notes(),) * count,
    )
    return state if hero is None else with_hero(state, hero)


def with_hero(state: GameState, hero: str) -> GameState:
    """Return the table at the start of a round with an adventurer and all their tiles."""
    bids = Bidding(hero, heroes()[hero].tiles, turns=(0,) * len(state.players))
    return replace(state, phase=Phase.BIDDING, bids=bids, delve=None, notes=(Notes(),) * len(state.players))
