"""Dungeon Drop: one pure ``apply`` for everything the companion tracks."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from companion.dungeon_drop.game.events import (
    AbilityEvent,
    AbilityUsed,
    CardEvent,
    CubesDropped,
    CubesFell,
    CubesGained,
    CubesReturned,
    Event,
    GameBegun,
    Healed,
    HeroChosen,
    Hurt,
    LootSkipped,
    LootSpoilt,
    PotionDrunk,
    QuestWritten,
    RoomLooted,
    SheetEvent,
    TurnEvent,
)
from companion.dungeon_drop.game.looting import drunk, looted, wounded
from companion.dungeon_drop.game.reserves import with_cubes, without_cubes
from companion.dungeon_drop.game.sheets import write_sheet
from companion.dungeon_drop.game.state import ROUNDS, Adventurer, GameState, Phase, Step
from companion.errors import IllegalEvent
from companion.message import say
from companion.score_sheet import ScoringOpened

MOST_FALLEN = 93  # all cubes there are


def apply(state: GameState, event: Event) -> GameState:
    """Return the state after *event*; never change *state*.

    Raises:
        IllegalEvent: the message is one a player can read.
    """
    player = getattr(event, "player", None)
    if player is not None and not 0 <= player < len(state.players):
        raise IllegalEvent(say("There is no such player."))
    match event:
        case HeroChosen() | QuestWritten():
            return _lay_card(state, event)
        case GameBegun():
            return _begin(state)
        case _ if isinstance(event, SheetEvent):
            return write_sheet(state, event)
        case _:
            if state.phase is Phase.GATHERING:
                raise IllegalEvent(say("First every player writes down the hero, then the game begins."))
            if state.phase is not Phase.PLAYING:
                raise IllegalEvent(say("The game is over; only the scoring is left."))
            return _play(state, event)


def _lay_card(state: GameState, event: CardEvent) -> GameState:
    mine = state.adventurers[event.player]
    if mine.signed:
        raise IllegalEvent(say("This score sheet is complete. Reopen it to change something."))
    match event:
        case HeroChosen():
            if event.card.hit_points <= mine.damage:
                raise IllegalEvent(say("Heroes cannot die: the last hit point is never covered."))
            return state.with_adventurer(event.player, replace(mine, card=event.card))
        case QuestWritten():
            return state.with_adventurer(event.player, replace(mine, quest=event.quest))
        case _:
            assert_never(event)


def _begin(state: GameState) -> GameState:
    if state.phase is not Phase.GATHERING:
        raise IllegalEvent(say("The game has already begun."))
    if any(adventurer.card is None for adventurer in state.adventurers):
        raise IllegalEvent(say("First every player writes down the hero, then the game begins."))
    return replace(state, phase=Phase.PLAYING, order=by_initiative(state))


def by_initiative(state: GameState) -> tuple[int, ...]:
    """Return the seats in the order of the first round: the lowest initiative first."""
    return tuple(sorted(range(len(state.players)), key=lambda seat: state.adventurers[seat].initiative))


def by_weight(state: GameState) -> tuple[int, ...]:
    """Return the seats in the order of the next round: the lightest first, then the lower initiative."""

    def heavy(seat: int) -> tuple[int, int]:
        adventurer = state.adventurers[seat]
        return adventurer.reserve.weight, adventurer.initiative

    return tuple(sorted(range(len(state.players)), key=heavy))


def _play(state: GameState, event: TurnEvent | AbilityEvent | CubesFell | ScoringOpened) -> GameState:
    match event:
        case ScoringOpened():
            return replace(state, phase=Phase.SCORING)
        case CubesFell():
            if not 1 <= event.count <= MOST_FALLEN:
                raise IllegalEvent(say("There are not so many cubes."))
            return replace(state, waiting=min(MOST_FALLEN, state.waiting + event.count))
        case Healed() | Hurt() | CubesGained() | CubesReturned() | PotionDrunk():
            changed = _changed(state.adventurers[event.player], event)
            return state.with_adventurer(event.player, changed)
        case _:
            if event.player != state.turn:
                raise IllegalEvent(say("It is %(player)s's turn.", player=state.players[state.turn or 0]))
            return _take_turn(state, event)


def _changed(mine: Adventurer, event: AbilityEvent) -> Adventurer:
    """Carry out what an ability does to one hero."""
    match event:
        case Healed():
            if not 1 <= event.count <= mine.damage:
                raise IllegalEvent(say("There is not so much damage to heal."))
            return replace(mine, damage=mine.damage - event.count)
        case Hurt():
            if event.count < 1:
                raise IllegalEvent(say("Damage is at least 1."))
            return wounded(mine, event.count)
        case CubesGained():
            return replace(mine, reserve=with_cubes(mine.reserve, (event.held,)))
        case CubesReturned():
            return replace(mine, reserve=without_cubes(mine.reserve, event.held))
        case PotionDrunk():
            return drunk(mine, 1)
        case _:
            assert_never(event)


def _take_turn(state: GameState, event: TurnEvent) -> GameState:
    match event:
        case CubesDropped():
            if state.step is not Step.EXPLORE:
                raise IllegalEvent(say("The cubes of this turn have been dropped."))
            return replace(state, step=Step.ABILITY, waiting=0)
        case AbilityUsed():
            if state.step is Step.LOOT:
                raise IllegalEvent(say("One ability a turn: that of the race or that of the class."))
            _after_exploring(state)
            return replace(state, step=Step.LOOT)
        case RoomLooted():
            _after_exploring(state)
            after = state.with_adventurer(event.player, looted(state.adventurers[event.player], event))
            return _next_turn(_with_taken(_with_pawns(after, event), event))
        case LootSkipped():
            _after_exploring(state)
            return _next_turn(state)
        case LootSpoilt():
            _after_exploring(state)
            return _next_turn(state)
        case _:
            assert_never(event)


def _after_exploring(state: GameState) -> None:
    if state.step is Step.EXPLORE:
        raise IllegalEvent(say("Explore first: drop the cubes of this turn."))


def _with_pawns(state: GameState, event: RoomLooted) -> GameState:
    """Give a point for each pawn in the looted room; the active player's own gives none."""
    if not event.pawns:
        return state
    if not state.teamwork:
        raise IllegalEvent(say("Pawns are only placed in teamwork mode."))
    others = set(range(len(state.players))) - {event.player}
    if len(set(event.pawns)) != len(event.pawns) or not set(event.pawns) <= others:
        raise IllegalEvent(say("Each other player has one pawn."))
    for seat in event.pawns:
        mine = state.adventurers[seat]
        state = state.with_adventurer(seat, replace(mine, pawn_points=mine.pawn_points + 1))
    return state


def _with_taken(state: GameState, event: RoomLooted) -> GameState:
    """Note which cubes of a photo are gone, so that they are not offered again."""
    if not event.look:
        return state
    before = state.taken if state.look == event.look else ()
    return replace(state, look=event.look, taken=(*before, *event.cubes))


def _next_turn(state: GameState) -> GameState:
    if state.place + 1 < len(state.order):
        return replace(state, place=state.place + 1, step=Step.EXPLORE)
    if state.round == ROUNDS:
        return replace(state, phase=Phase.SCORING)
    return replace(state, round=state.round + 1, order=by_weight(state), place=0, step=Step.EXPLORE)
