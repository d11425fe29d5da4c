"""What one phone may see of a game. Anything not listed here stays on the server."""

from __future__ import annotations

from dataclasses import dataclass

from companion.dungeon_drop.game.cards import HeroCard, Quest
from companion.dungeon_drop.game.events import Event
from companion.dungeon_drop.game.legal import legal_events
from companion.dungeon_drop.game.scoring import score, too_many_cubes
from companion.dungeon_drop.game.state import GameState, Phase, Step
from companion.dungeon_drop.holdings import Reserve
from companion.dungeon_drop.pieces import Kind
from companion.score_sheet import Sheet


@dataclass(frozen=True, slots=True)
class HeroView:
    """One player as the phone of a seat may see them.

    Attributes:
        quest: None for others until quests are revealed.
        has_quest: whether one was written down; everybody sees the card lying there.
        sheet: the score so far, for whom it depends on no secret of others; None else.
    """

    seat: int
    name: str
    card: HeroCard | None
    damage: int
    hp_left: int
    reserve: Reserve
    weight: int
    pawn_points: int
    pairs: int
    dice: tuple[int, ...]
    signed: bool
    has_quest: bool
    quest: Quest | None
    typed: int
    sheet: Sheet | None


@dataclass(frozen=True, slots=True)
class TableView:
    """The table as *seat* sees it; ``seat`` is None for somebody who only watches."""

    seat: int | None
    phase: Phase
    tracked: bool
    teamwork: bool
    round: int
    order: tuple[int, ...]
    turn: int | None
    step: Step
    explored: int
    waiting: int
    heroes: tuple[HeroView, ...]
    too_many: tuple[Kind, ...]
    legal: tuple[Event, ...]

    @property
    def mine(self) -> HeroView | None:
        """The own hero."""
        return None if self.seat is None else self.heroes[self.seat]


def view_for(state: GameState, seat: int | None) -> TableView:
    """List what the phone of *seat* may see."""
    return TableView(
        seat=seat,
        phase=state.phase,
        tracked=state.tracked,
        teamwork=state.teamwork,
        round=state.round,
        order=state.order,
        turn=state.turn,
        step=state.step,
        explored=state.explored,
        waiting=state.waiting,
        heroes=tuple(_hero(state, number, seat) for number in range(len(state.players))),
        too_many=too_many_cubes(state),
        legal=() if seat is None else legal_events(state, seat),
    )


def _hero(state: GameState, number: int, seat: int | None) -> HeroView:
    them = state.adventurers[number]
    open_to_all = state.phase in (Phase.SCORING, Phase.FINISHED)
    known = number == seat or open_to_all
    return HeroView(
        seat=number,
        name=state.players[number],
        card=them.card,
        damage=them.damage,
        hp_left=them.hit_points - them.damage,
        reserve=them.reserve,
        weight=them.reserve.weight,
        pawn_points=them.pawn_points,
        pairs=them.pairs,
        dice=them.dice,
        signed=them.signed,
        has_quest=them.quest is not None,
        quest=them.quest if known else None,
        typed=them.typed if known else 0,
        sheet=score(state, number) if known else None,
    )
