"""What one phone may see of a game. Anything not listed here stays on the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.welcome.delve import Delve, to_name
from companion.welcome.game.dungeon import cards_left, nameable
from companion.welcome.game.rules import may_pass, must_add
from companion.welcome.game.state import Aid, Bidding, GameState, Notes, Phase, RoundEnd
from companion.welcome.monsters import Monster
from companion.welcome.tiles import Tile


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player as everybody sees them."""

    seat: int
    name: str
    aid: Aid
    successes: int
    passed: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """The table as *seat* sees it; ``seat`` is None for somebody who only watches.

    Attributes:
        notes: the own cards; empty for those who watch.
        naming: the tile for which a kind is to be named now, and the kinds that may be named.
        unseen: how many cards of each kind were not turned in this dungeon.
    """

    seat: int | None
    phase: Phase
    round: int
    turn: int
    players: tuple[PlayerView, ...]
    heroes: tuple[str, ...]
    specials: tuple[Monster, ...]
    tiles: Mapping[str, Tile]
    bids: Bidding | None
    delve: Delve | None
    pile: int
    must_add: bool
    may_pass: bool
    naming: str | None
    nameable: tuple[Monster, ...]
    unseen: Mapping[Monster, int]
    notes: Notes
    last: RoundEnd | None

    @property
    def active(self) -> PlayerView:
        """Whose turn it is."""
        return self.players[self.turn]


def view_for(state: GameState, seat: int | None) -> TableView:
    """List what the phone of *seat* may see."""
    wanting = to_name(state.delve, state.tiles) if state.delve else ()
    naming = wanting[0] if wanting else None
    kinds = [kind for kind in nameable(state) if naming and state.tiles[naming].may_name(kind)]
    return TableView(
        seat=seat,
        phase=state.phase,
        round=state.round,
        turn=state.turn,
        players=tuple(_player(state, number) for number in range(len(state.players))),
        heroes=state.heroes,
        specials=state.specials,
        tiles=state.tiles,
        bids=state.bids,
        delve=state.delve,
        pile=state.pile,
        must_add=must_add(state),
        may_pass=may_pass(state),
        naming=naming,
        nameable=tuple(kinds),
        unseen=cards_left(state),
        notes=Notes() if seat is None else state.notes[seat],
        last=state.last,
    )


def _player(state: GameState, seat: int) -> PlayerView:
    return PlayerView(
        seat=seat,
        name=state.players[seat],
        aid=state.aids[seat],
        successes=state.successes[seat],
        passed=state.bids is not None and seat in state.bids.passed,
    )
