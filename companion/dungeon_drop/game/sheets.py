"""Score sheets: what players write down at the end, each the own."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from companion.dungeon_drop.game.events import (
    ChestsRolled,
    DamageCounted,
    NumberTyped,
    PawnPointsCounted,
    ReserveCounted,
    SheetEvent,
)
from companion.dungeon_drop.game.reserves import tidied
from companion.dungeon_drop.game.state import Adventurer, GameState, Phase
from companion.dungeon_drop.holdings import Reserve
from companion.errors import IllegalEvent
from companion.message import say
from companion.score_sheet import SheetReopened, SheetSigned

MOST_POINTS = 999
DIE = range(1, 7)


def write_sheet(state: GameState, event: SheetEvent) -> GameState:
    """Return the state after a player wrote something down.

    Raises:
        IllegalEvent: it is too early, the sheet is complete, or the number is not possible.
    """
    mine = state.adventurers[event.player]
    if state.phase in (Phase.GATHERING, Phase.PLAYING):
        raise IllegalEvent(say("Points are counted at the end of the game."))
    if mine.signed and not isinstance(event, SheetReopened):
        raise IllegalEvent(say("This score sheet is complete. Reopen it to change something."))
    after = state.with_adventurer(event.player, _written(mine, event))
    done = all(adventurer.signed for adventurer in after.adventurers)
    return replace(after, phase=Phase.FINISHED if done else Phase.SCORING)


def _written(mine: Adventurer, event: SheetEvent) -> Adventurer:
    match event:
        case ReserveCounted():
            # Dice belong to pairs: with other keys or chests they are asked for anew.
            after = replace(mine, reserve=Reserve(tidied(event.held)))
            return replace(after, dice=mine.dice if after.pairs == mine.pairs else ())
        case DamageCounted():
            if not 0 <= event.count < max(1, mine.hit_points):
                raise IllegalEvent(say("Heroes cannot die: the last hit point is never covered."))
            return replace(mine, damage=event.count)
        case PawnPointsCounted():
            return replace(mine, pawn_points=_points(event.count, least=0))
        case NumberTyped():
            return replace(mine, typed=_points(event.number, least=-MOST_POINTS))
        case ChestsRolled():
            if len(event.dice) != mine.pairs or not all(die in DIE for die in event.dice):
                raise IllegalEvent(say("There is one die, from 1 to 6, for each pair of a key and a chest."))
            return replace(mine, dice=event.dice)
        case SheetSigned():
            return _signed(mine)
        case SheetReopened():
            if not mine.signed:
                raise IllegalEvent(say("This score sheet is open."))
            return replace(mine, signed=False)
        case _:
            assert_never(event)


def _points(number: int, *, least: int) -> int:
    if not least <= number <= MOST_POINTS:
        raise IllegalEvent(say("Points are numbers up to %(most)d.", most=MOST_POINTS))
    return number


def _signed(mine: Adventurer) -> Adventurer:
    if mine.quest is None:
        raise IllegalEvent(say("Write down the quest first: it says what gems are worth."))
    if len(mine.dice) != mine.pairs:
        raise IllegalEvent(say("Roll a chest for each pair of a key and a chest first."))
    return replace(mine, signed=True)
