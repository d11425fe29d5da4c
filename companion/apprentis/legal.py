"""What can happen next, so that pages draw only buttons that work."""

from __future__ import annotations

from companion.apprentis.board import PLACES, POWERS, ROOMS
from companion.apprentis.events import (
    Effect,
    Event,
    GroupAdvanced,
    GroupEntered,
    GroupRemoved,
    GroupsCounted,
    GuardianRevealed,
    InnRevealed,
    MalusCounted,
    OthersStruck,
    PlaceFilled,
    PowerUsed,
    SetupCorrected,
    ThreatRevealed,
    TurnEnded,
)
from companion.apprentis.rules import MAX_STEPS, lowest_room
from companion.apprentis.state import GameState, Phase
from companion.score_sheet import ScoringOpened, SheetReopened, SheetSigned

STEPS = tuple(range(1, MAX_STEPS + 1))
EFFECTS = ((Effect.NONE, 0), (Effect.NEW, 0), *((Effect.ADVANCE, n) for n in STEPS))


def legal_events(state: GameState, seat: int) -> tuple[Event, ...]:
    """Return the events *seat* may report now.

    Events that carry numbers a player types (what stands in a place, groups, malus) appear once,
    with what is written down already.
    """
    correct = () if state.phase is Phase.FINISHED else (SetupCorrected(state.objectives, state.piles),)
    if state.phase is Phase.PLAYING:
        return (*_table_events(state), *_own_events(state, seat), *correct)
    dungeon = state.dungeons[seat]
    if dungeon.signed:
        return (SheetReopened(seat), *correct)
    return (
        *(PlaceFilled(seat, place, dungeon.monsters(place)) for place in PLACES),
        GroupsCounted(seat, dungeon.groups),
        MalusCounted(seat, len(dungeon.malus)),
        SheetSigned(seat),
        *correct,
    )


def _table_events(state: GameState) -> list[Event]:
    events: list[Event] = []
    if not state.threat_turned:
        events += [ThreatRevealed(effect, steps, icon) for effect, steps in EFFECTS for icon in (False, True)]
    if state.inn_due:
        events += [InnRevealed("most", effect, steps) for effect, steps in EFFECTS]
        events += [InnRevealed("fewest", effect, steps) for effect, steps in EFFECTS]
    else:
        events.append(TurnEnded(state.turn))
    return [*events, ScoringOpened()]


def _own_events(state: GameState, seat: int) -> list[Event]:
    dungeon = state.dungeons[seat]
    events: list[Event] = [
        OthersStruck(seat, effect, n) for effect, n in EFFECTS if effect is not Effect.NONE
    ]
    if state.group_tokens_left:
        events.append(GroupEntered(seat))
    if lowest_room(dungeon) not in (None, ROOMS[-1]):
        events += [GroupAdvanced(seat, steps) for steps in STEPS]
    events += [GroupRemoved(seat, room) for room in ROOMS if dungeon.groups[room - 1]]
    if not dungeon.guardian:
        events.append(GuardianRevealed(seat))
    elif seat == state.turn and not state.power_used and dungeon.next_malus is not None:
        events += [PowerUsed(seat, power) for power in POWERS if not dungeon.covered[power - 1]]
    return events
