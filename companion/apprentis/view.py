"""What one phone may see of a game. Anything not listed here stays on the server."""

from __future__ import annotations

from dataclasses import dataclass

from companion.apprentis.events import Event
from companion.apprentis.legal import legal_events
from companion.apprentis.rules import hit_by_inn
from companion.apprentis.scoring import score, too_many_pieces
from companion.apprentis.state import Dungeon, GameState, Phase
from companion.message import Message
from companion.score_sheet import Sheet


@dataclass(frozen=True, slots=True)
class DungeonView:
    """One player's dungeon: all of it lies open on the table."""

    seat: int
    name: str
    dungeon: Dungeon
    sheet: Sheet


@dataclass(frozen=True, slots=True)
class TableView:
    """The table as *seat* sees it; ``seat`` is None for somebody who only watches."""

    seat: int | None
    phase: Phase
    tracked: bool
    first: int
    turn: int
    last_player: int
    last_round: bool
    threat_left: int
    threat_turned: bool
    icons: int
    inn_due: bool
    inn_left: int
    power_used: bool
    most: tuple[int, ...]
    fewest: tuple[int, ...]
    objectives: tuple[str, ...]
    piles: tuple[int, ...]
    dungeons: tuple[DungeonView, ...]
    warnings: tuple[Message, ...]
    legal: tuple[Event, ...]

    @property
    def mine(self) -> DungeonView | None:
        """The own dungeon."""
        return None if self.seat is None else self.dungeons[self.seat]


def view_for(state: GameState, seat: int | None) -> TableView:
    """List what the phone of *seat* may see."""
    return TableView(
        seat=seat,
        phase=state.phase,
        tracked=state.tracked,
        first=state.first,
        turn=state.turn,
        last_player=state.last_player,
        last_round=state.last_round,
        threat_left=state.threat_left,
        threat_turned=state.threat_turned,
        icons=state.icons,
        inn_due=state.inn_due,
        inn_left=state.inn_left,
        power_used=state.power_used,
        most=hit_by_inn(state, "most"),
        fewest=hit_by_inn(state, "fewest"),
        objectives=state.objectives,
        piles=state.piles,
        dungeons=tuple(
            DungeonView(number, name, state.dungeons[number], score(state, number))
            for number, name in enumerate(state.players)
        ),
        warnings=too_many_pieces(state),
        legal=() if seat is None else legal_events(state, seat),
    )
