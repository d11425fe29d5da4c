"""What can happen next, so that pages draw only buttons that work."""

from __future__ import annotations

from companion.dungeon_drop.game.cards import HeroCard, Quest
from companion.dungeon_drop.game.events import (
    AbilityUsed,
    ChestsRolled,
    CubesDropped,
    CubesFell,
    CubesGained,
    CubesReturned,
    DamageCounted,
    Event,
    GameBegun,
    Healed,
    HeroChosen,
    Hurt,
    LootSkipped,
    LootSpoilt,
    NumberTyped,
    PawnPointsCounted,
    PotionDrunk,
    QuestWritten,
    ReserveCounted,
    RoomLooted,
)
from companion.dungeon_drop.game.reserves import IN_ALL
from companion.dungeon_drop.game.sheets import DIE
from companion.dungeon_drop.game.state import Adventurer, GameState, Phase, Step
from companion.dungeon_drop.holdings import Held
from companion.dungeon_drop.pieces import Kind
from companion.score_sheet import ScoringOpened, SheetReopened, SheetSigned

USUAL_CARD = HeroCard(initiative=1, hit_points=8)


def legal_events(state: GameState, seat: int) -> tuple[Event, ...]:
    """Return the events *seat* may report now.

    Events that carry what a player types (cards, cubes, numbers) appear once, with what is written down
    already or something that is possible.
    """
    mine = state.adventurers[seat]
    if mine.signed:
        return (SheetReopened(seat),)
    cards: tuple[Event, ...] = (
        HeroChosen(seat, mine.card or USUAL_CARD),
        QuestWritten(seat, mine.quest or Quest()),
    )
    match state.phase:
        case Phase.GATHERING:
            ready = all(adventurer.card for adventurer in state.adventurers)
            return (*cards, GameBegun()) if ready else cards
        case Phase.PLAYING:
            return (*cards, *_table_events(state), *_own_events(seat, mine), *_turn_events(state, seat))
        case _:
            return (*cards, *_sheet_events(seat, mine))


def _table_events(state: GameState) -> tuple[Event, ...]:
    dropped = (CubesDropped(state.turn or 0),) if state.step is Step.EXPLORE else ()
    return (CubesFell(1), ScoringOpened(), *dropped)


def _own_events(seat: int, mine: Adventurer) -> list[Event]:
    events: list[Event] = []
    if mine.reserve.count(Kind.GOLD) < IN_ALL[Kind.GOLD]:
        events.append(CubesGained(seat, Held(Kind.GOLD, 1)))
    if mine.damage:
        events.append(Healed(seat, 1))
    if mine.damage < mine.hit_points - 1:
        events.append(Hurt(seat, 1))
    events += [CubesReturned(seat, Held(held.kind, 1, held.size)) for held in mine.reserve.held]
    if mine.reserve.count(Kind.POTION):
        events.append(PotionDrunk(seat))
    return events


def _turn_events(state: GameState, seat: int) -> list[Event]:
    if seat != state.turn or state.step is Step.EXPLORE:
        return []
    events: list[Event] = [RoomLooted(seat, ()), LootSkipped(seat), LootSpoilt(seat)]
    if state.step is Step.ABILITY:
        events += [AbilityUsed(seat, "race"), AbilityUsed(seat, "class"), AbilityUsed(seat, "none")]
    return events


def _sheet_events(seat: int, mine: Adventurer) -> list[Event]:
    events: list[Event] = [
        ReserveCounted(seat, mine.reserve.held),
        DamageCounted(seat, mine.damage),
        PawnPointsCounted(seat, mine.pawn_points),
        NumberTyped(seat, mine.typed),
        ChestsRolled(seat, mine.dice if len(mine.dice) == mine.pairs else (DIE[0],) * mine.pairs),
    ]
    if mine.quest and len(mine.dice) == mine.pairs:
        events.append(SheetSigned(seat))
    return events
