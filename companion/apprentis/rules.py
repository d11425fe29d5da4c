"""Les Apprentis Gardiens: one pure ``apply`` for everything the companion tracks."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from companion.apprentis.board import (
    FIGURES,
    GROUP_TOKENS,
    KIND_NAMES,
    MALUS_TILES,
    MAX_PILES,
    PLACES,
    POWERS,
    ROOMS,
)
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
    PlayEvent,
    PowerUsed,
    SetupCorrected,
    SheetEvent,
    ThreatRevealed,
    TurnEnded,
)
from companion.apprentis.objectives import COLOURS, OBJECTIVES
from companion.apprentis.state import Dungeon, GameState, Phase
from companion.errors import IllegalEvent
from companion.message import say
from companion.score_sheet import ScoringOpened, SheetReopened, SheetSigned

MAX_STEPS = 3  # no card moves a group further


def apply(state: GameState, event: Event) -> GameState:
    """Return the state after *event*; never change *state*.

    Raises:
        IllegalEvent: the message is one a player can read.
    """
    player = getattr(event, "player", None)
    if player is not None and not 0 <= player < len(state.players):
        raise IllegalEvent(say("There is no such player."))
    match event:
        case PlaceFilled() | GroupsCounted() | MalusCounted() | SheetSigned() | SheetReopened():
            return _write_sheet(state, event)
        case SetupCorrected():
            return _correct_setup(state, event)
        case _:
            if state.phase is not Phase.PLAYING:
                raise IllegalEvent(say("The game is over; only the scoring is left."))
            return _play(state, event)


def _correct_setup(state: GameState, event: SetupCorrected) -> GameState:
    if state.phase is Phase.FINISHED:
        raise IllegalEvent(say("Reopen a score sheet before you change the objectives."))
    known = all(key in OBJECTIVES for key in event.objectives)
    if not known or tuple(OBJECTIVES[key].colour for key in event.objectives) != COLOURS:
        raise IllegalEvent(say("There is one objective of each colour."))
    if len(event.piles) != len(ROOMS) or not all(0 <= count <= MAX_PILES for count in event.piles):
        raise IllegalEvent(say("A room has 0 to %(most)d gold piles.", most=MAX_PILES))
    return replace(state, objectives=event.objectives, piles=event.piles)


def _play(state: GameState, event: PlayEvent) -> GameState:
    match event:
        case ThreatRevealed():
            return _turn_threat(state, event)
        case InnRevealed():
            return _turn_inn(state, event)
        case OthersStruck():
            others = tuple(seat for seat in in_turn_order(state) if seat != event.player)
            return _strike(state, others, event.effect, event.steps)
        case GroupEntered():
            return _enter(state, event.player)
        case GroupAdvanced():
            return _advance(state, event.player, _check_steps(event.steps))
        case GroupRemoved():
            return _remove(state, event)
        case GuardianRevealed():
            return _reveal_guardian(state, event.player)
        case PowerUsed():
            return _use_power(state, event)
        case TurnEnded():
            return _end_turn(state, event.player)
        case ScoringOpened():
            return replace(state, phase=Phase.SCORING)
        case _:
            assert_never(event)


def in_turn_order(state: GameState) -> tuple[int, ...]:
    """Return all seats, starting with the one whose turn it is."""
    count = len(state.players)
    return tuple((state.turn + i) % count for i in range(count))


def hit_by_inn(state: GameState, whom: str) -> tuple[int, ...]:
    """Return the seats with the most or fewest groups; all of them if they are equal."""
    counts = [dungeon.group_count for dungeon in state.dungeons]
    wanted = max(counts) if whom == "most" else min(counts)
    return tuple(seat for seat, count in enumerate(counts) if count == wanted)


def _turn_threat(state: GameState, event: ThreatRevealed) -> GameState:
    if state.threat_turned:
        raise IllegalEvent(say("A threat card has already been turned this turn."))
    after = _strike(state, in_turn_order(state), event.effect, event.steps)
    # With no card left the pile is the shuffled discards, which only serve to finish the last round.
    left = max(0, state.threat_left - 1)
    return replace(
        after,
        threat_turned=True,
        threat_left=left,
        last_round=left == 0,
        icons=after.icons + event.icon,
    )


def _turn_inn(state: GameState, event: InnRevealed) -> GameState:
    if not state.inn_due:
        raise IllegalEvent(
            say("An inn card is turned when as many threat icons lie open as there are players.")
        )
    after = _strike(state, hit_by_inn(state, event.whom), event.effect, event.steps)
    return replace(after, icons=0, inn_left=state.inn_left - 1)


def _strike(state: GameState, seats: tuple[int, ...], effect: Effect, steps: int) -> GameState:
    match effect:
        case Effect.NONE:
            return state
        case Effect.NEW:
            for seat in seats:
                if state.group_tokens_left:
                    state = _enter(state, seat)
            return state
        case Effect.ADVANCE:
            for seat in seats:
                state = _advance(state, seat, _check_steps(steps))
            return state
        case _:
            assert_never(effect)


def _check_steps(steps: int) -> int:
    if not 1 <= steps <= MAX_STEPS:
        raise IllegalEvent(say("A group advances 1 to %(most)d rooms.", most=MAX_STEPS))
    return steps


def _enter(state: GameState, seat: int) -> GameState:
    if not state.group_tokens_left:
        raise IllegalEvent(say("All %(count)d groups are already in the dungeons.", count=GROUP_TOKENS))
    dungeon = state.dungeons[seat]
    return state.with_dungeon(seat, replace(dungeon, groups=_shift(dungeon.groups, None, 1)))


def _advance(state: GameState, seat: int, steps: int) -> GameState:
    dungeon = state.dungeons[seat]
    room = lowest_room(dungeon)
    if room is None or room == ROOMS[-1]:  # nobody there, or nowhere further to go
        return state
    target = min(room + steps, ROOMS[-1])
    dungeon = replace(dungeon, groups=_shift(dungeon.groups, room, target))
    if target == ROOMS[-1] and dungeon.next_malus is not None:
        dungeon = replace(dungeon, beside=(*dungeon.beside, dungeon.next_malus))
    return state.with_dungeon(seat, dungeon)


def lowest_room(dungeon: Dungeon) -> int | None:
    """Return the lowest-numbered room with a group."""
    return next((room for room in ROOMS if dungeon.groups[room - 1]), None)


def _remove(state: GameState, event: GroupRemoved) -> GameState:
    dungeon = state.dungeons[event.player]
    if event.room not in ROOMS or not dungeon.groups[event.room - 1]:
        raise IllegalEvent(say("There is no group in that room."))
    groups = _shift(dungeon.groups, event.room, None)
    return state.with_dungeon(event.player, replace(dungeon, groups=groups))


def _shift(groups: tuple[int, ...], source: int | None, target: int | None) -> tuple[int, ...]:
    return tuple(n - (room == source) + (room == target) for room, n in zip(ROOMS, groups, strict=True))


def _reveal_guardian(state: GameState, seat: int) -> GameState:
    dungeon = state.dungeons[seat]
    if dungeon.guardian:
        raise IllegalEvent(say("This guardian has already been revealed."))
    return state.with_dungeon(seat, replace(dungeon, guardian=True))


def _use_power(state: GameState, event: PowerUsed) -> GameState:
    dungeon = state.dungeons[event.player]
    if event.player != state.turn:
        raise IllegalEvent(say("A guardian's power is used on one's own turn."))
    if not dungeon.guardian:
        raise IllegalEvent(say("The guardian has not been revealed yet: bring five monsters to room 5."))
    if state.power_used:
        raise IllegalEvent(say("Only one power of the guardian a turn."))
    if event.power not in POWERS:
        raise IllegalEvent(say("A guardian has three powers: left, middle and right."))
    if dungeon.covered[event.power - 1]:
        raise IllegalEvent(say("This power is already covered by a malus tile."))
    tile = dungeon.next_malus
    if tile is None:
        raise IllegalEvent(say("There is no malus tile left to pay for the power."))
    covered = tuple(tile if p == event.power else old for p, old in zip(POWERS, dungeon.covered, strict=True))
    return replace(state.with_dungeon(event.player, replace(dungeon, covered=covered)), power_used=True)


def _end_turn(state: GameState, seat: int) -> GameState:
    if seat != state.turn:
        raise IllegalEvent(say("It is %(player)s's turn.", player=state.players[state.turn]))
    if state.inn_due:
        raise IllegalEvent(say("Turn the inn card first."))
    if state.last_round and seat == state.last_player:
        return replace(state, phase=Phase.SCORING)
    return replace(state, turn=(seat + 1) % len(state.players), threat_turned=False, power_used=False)


def _write_sheet(state: GameState, event: SheetEvent) -> GameState:
    dungeon = state.dungeons[event.player]
    if state.phase is Phase.PLAYING:
        raise IllegalEvent(say("Points are counted at the end of the game."))
    if dungeon.signed and not isinstance(event, SheetReopened):
        raise IllegalEvent(say("This score sheet is complete. Reopen it to change something."))
    after = state.with_dungeon(event.player, _sheet_after(dungeon, event))
    done = all(d.signed for d in after.dungeons)
    return replace(after, phase=Phase.FINISHED if done else Phase.SCORING)


def _sheet_after(dungeon: Dungeon, event: SheetEvent) -> Dungeon:
    match event:
        case PlaceFilled():
            for kind, most in FIGURES.items():
                if not 0 <= event.monsters.count(kind) <= most:
                    raise IllegalEvent(
                        say(
                            "%(kind)s: from 0 to %(count)d figures.",
                            kind=KIND_NAMES[kind],
                            count=FIGURES[kind],
                        )
                    )
            at = PLACES.index(event.place)
            return replace(
                dungeon, contents=(*dungeon.contents[:at], event.monsters, *dungeon.contents[at + 1 :])
            )
        case GroupsCounted():
            if len(event.rooms) != len(ROOMS) or not all(0 <= n <= GROUP_TOKENS for n in event.rooms):
                raise IllegalEvent(say("Every room has 0 to %(most)d groups.", most=GROUP_TOKENS))
            return replace(dungeon, groups=event.rooms)
        case MalusCounted():
            if not 0 <= event.tiles <= len(MALUS_TILES):
                raise IllegalEvent(say("A player has %(count)d malus tiles.", count=len(MALUS_TILES)))
            return replace(dungeon, beside=MALUS_TILES[: event.tiles], covered=(0, 0, 0))
        case SheetSigned():
            return replace(dungeon, signed=True)
        case SheetReopened():
            if not dungeon.signed:
                raise IllegalEvent(say("This score sheet is open."))
            return replace(dungeon, signed=False)
        case _:
            assert_never(event)
