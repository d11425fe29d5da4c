"""The history of a game in words: what happened and what it did to whom."""

from __future__ import annotations

from typing import assert_never

from companion.apprentis.board import KIND_NAMES, KINDS, ROOMS, Monsters, place_name
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
from companion.apprentis.rules import hit_by_inn
from companion.apprentis.state import GameState, Phase
from companion.message import Message, say, say_many
from companion.score_sheet import ScoringOpened, SheetReopened, SheetSigned

EFFECT_WORDS = {
    Effect.NONE: say("no effect on the dungeons"),
    Effect.NEW: say("a new group in room 1"),
}

POWER_NAMES = (say("left"), say("middle"), say("right"))


def effect_words(effect: Effect, steps: int) -> Message:
    """Say what a card does."""
    if effect is Effect.ADVANCE:
        return say_many("a group advances %(count)d room", "a group advances %(count)d rooms", steps)
    return EFFECT_WORDS[effect]


def list_names(state: GameState, seats: tuple[int, ...]) -> str:
    """Join the names of some players."""
    return ", ".join(state.players[seat] for seat in seats)


def tell(before: GameState, event: Event, after: GameState) -> tuple[Message, ...]:
    """Say what *event* did, in one to a few sentences."""
    return (_headline(before, event, after), *_consequences(before, event, after))


def _headline(before: GameState, event: Event, after: GameState) -> Message:
    match event:
        case ThreatRevealed():
            return say(
                "Threat card, all players: %(effect)s.", effect=effect_words(event.effect, event.steps)
            )
        case InnRevealed():
            names = list_names(before, hit_by_inn(before, event.whom))
            if event.effect is Effect.NONE:
                return say("Inn card for %(players)s.", players=names)
            effect = effect_words(event.effect, event.steps)
            return say("Inn card for %(players)s: %(effect)s.", players=names, effect=effect)
        case OthersStruck():
            effect = effect_words(event.effect, event.steps)
            return say("All the others: %(effect)s.", effect=effect)
        case GroupEntered():
            return say("A new group enters room 1.")
        case GroupAdvanced():
            return _advance_words(before, event, after)
        case GroupRemoved():
            return say("A group leaves room %(room)d.", room=event.room)
        case GuardianRevealed():
            return say("The guardian is revealed.")
        case PowerUsed():
            tile = after.dungeons[event.player].covered[event.power - 1]
            return say(
                "Guardian power (%(power)s): malus %(tile)d covers it.",
                power=POWER_NAMES[event.power - 1],
                tile=tile,
            )
        case TurnEnded():
            return say("%(player)s's turn is over.", player=before.players[event.player])
        case ScoringOpened():
            return say("The game is over: points are counted.")
        case SetupCorrected():
            return say("The objectives or gold piles are corrected.")
        case PlaceFilled():
            return say(
                "%(place)s: %(monsters)s.", place=place_name(event.place), monsters=_crowd(event.monsters)
            )
        case GroupsCounted():
            return say("Adventurer groups in rooms 1 to 5: %(groups)s.", groups=_row(event.rooms))
        case MalusCounted():
            return say_many("%(count)d malus tile.", "%(count)d malus tiles.", event.tiles)
        case SheetSigned():
            return say("The score sheet is complete.")
        case SheetReopened():
            return say("The score sheet is open again.")
        case _:
            assert_never(event)


def _advance_words(before: GameState, event: GroupAdvanced, after: GameState) -> Message:
    old, new = before.dungeons[event.player].groups, after.dungeons[event.player].groups
    if old == new:
        return say("No group can advance.")
    source = next(room for room in ROOMS if new[room - 1] < old[room - 1])
    target = next(room for room in ROOMS if new[room - 1] > old[room - 1])
    return say("A group goes from room %(source)d to room %(target)d.", source=source, target=target)


def _consequences(before: GameState, event: Event, after: GameState) -> list[Message]:
    found = []
    if not isinstance(event, MalusCounted):
        for seat, (old, new) in enumerate(zip(before.dungeons, after.dungeons, strict=True)):
            if len(new.beside) > len(old.beside):
                found.append(
                    say(
                        "%(player)s: a group reaches room 5: malus %(tile)d.",
                        player=after.players[seat],
                        tile=new.beside[-1],
                    )
                )
    if _ran_out_of_groups(before, event, after):
        found.append(say("The inn is empty: not everybody got a group."))
    if isinstance(event, ThreatRevealed) and after.inn_due:
        found.append(say("As many threat icons as players: turn an inn card."))
    if after.last_round and not before.last_round:
        last = after.players[after.last_player]
        found.append(say("The last threat card: %(player)s plays the last turn.", player=last))
    if after.phase is not before.phase and isinstance(event, TurnEnded):
        found.append(say("The game is over: points are counted."))
    if after.phase is Phase.FINISHED and before.phase is not Phase.FINISHED:
        found.append(say("All score sheets are complete."))
    return found


def _ran_out_of_groups(before: GameState, event: Event, after: GameState) -> bool:
    match event:
        case ThreatRevealed(effect=Effect.NEW):
            wanted = len(before.players)
        case OthersStruck(effect=Effect.NEW):
            wanted = len(before.players) - 1
        case InnRevealed(effect=Effect.NEW):
            wanted = len(hit_by_inn(before, event.whom))
        case _:
            return False
    return before.group_tokens_left - after.group_tokens_left < wanted


def _crowd(monsters: Monsters) -> Message:
    words: Message | None = None
    for kind in KINDS:
        count = monsters.count(kind)
        if count:
            one = say("%(count)d x %(kind)s", count=count, kind=KIND_NAMES[kind])
            words = one if words is None else say("%(these)s, %(more)s", these=words, more=one)
    return words or say("empty")


def _row(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
