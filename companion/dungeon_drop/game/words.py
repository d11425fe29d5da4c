"""The history of a game in words: what happened and what it did to whom. Quests stay out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import assert_never

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
from companion.dungeon_drop.game.state import GameState, Phase
from companion.dungeon_drop.holdings import Held
from companion.dungeon_drop.pieces import COLLECTED, Kind
from companion.message import Message, say, say_many
from companion.score_sheet import ScoringOpened, SheetReopened, SheetSigned

COUNTED: dict[Kind, Callable[[int], Message]] = {
    Kind.GOLD: lambda count: say_many("%(count)d gold", "%(count)d gold", count),
    Kind.KEY: lambda count: say_many("%(count)d key", "%(count)d keys", count),
    Kind.CHEST: lambda count: say_many("%(count)d chest", "%(count)d chests", count),
    Kind.GEM_CLEAR: lambda count: say_many("%(count)d clear gem", "%(count)d clear gems", count),
    Kind.GEM_BLUE: lambda count: say_many("%(count)d blue gem", "%(count)d blue gems", count),
    Kind.GEM_PINK: lambda count: say_many("%(count)d pink gem", "%(count)d pink gems", count),
    Kind.POTION: lambda count: say_many("%(count)d potion", "%(count)d potions", count),
    Kind.SHIELD: lambda count: say_many("%(count)d shield", "%(count)d shields", count),
    Kind.RELIC: lambda count: say_many("%(count)d relic", "%(count)d relics", count),
    Kind.GOBLIN: lambda count: say_many("%(count)d goblin", "%(count)d goblins", count),
    Kind.TROLL: lambda count: say_many("%(count)d troll", "%(count)d trolls", count),
    Kind.DRAGON: lambda count: say_many("%(count)d dragon", "%(count)d dragons", count),
}


def cubes_in_words(held: Iterable[Held]) -> Message:
    """Name cubes by kind, whatever their sizes, in a fixed order."""
    listed = tuple(held)
    counts = {kind: sum(part.count for part in listed if part.kind == kind) for kind in COLLECTED}
    parts = [COUNTED[kind](count) for kind, count in counts.items() if count]
    if not parts:
        return say("nothing")
    return reduce(lambda first, then: say("%(first)s, %(then)s", first=first, then=then), parts)


def tell(before: GameState, event: Event, after: GameState) -> tuple[Message, ...]:
    """Say what *event* did, in one to a few sentences."""
    return (_headline(before, event), *_consequences(before, event, after))


def _headline(before: GameState, event: Event) -> Message:
    match event:
        case HeroChosen():
            title = event.card.title or say("a hero without a name")
            return say("Hero: %(title)s.", title=title)
        case QuestWritten():
            return say("The quest is written down.")
        case GameBegun():
            return say("The game begins.")
        case CubesDropped():
            count = before.explored + before.waiting
            return say_many("%(count)d cube dropped.", "%(count)d cubes dropped.", count)
        case CubesFell():
            return say_many(
                "%(count)d cube fell off the table.", "%(count)d cubes fell off the table.", event.count
            )
        case AbilityUsed():
            return _ability_words(event)
        case Healed():
            return say_many("%(count)d hit point healed.", "%(count)d hit points healed.", event.count)
        case Hurt():
            return say_many("%(count)d damage.", "%(count)d damage.", event.count)
        case CubesGained():
            return say("Into the reserve: %(cubes)s.", cubes=cubes_in_words((event.held,)))
        case CubesReturned():
            return say("Back on the table: %(cubes)s.", cubes=cubes_in_words((event.held,)))
        case PotionDrunk():
            return say("A potion is drunk.")
        case RoomLooted():
            return say("A room is looted: %(cubes)s.", cubes=cubes_in_words(event.loot))
        case LootSkipped():
            return say("No room is looted.")
        case LootSpoilt():
            return say("A room that may not be looted: its cubes are dropped again, the turn is lost.")
        case ScoringOpened():
            return say("The table counts its points.")
        case _:
            return _sheet_words(event)


def _ability_words(event: AbilityUsed) -> Message:
    match event.which:
        case "race":
            return say("The race's ability is used.")
        case "class":
            return say("The class's ability is used.")
        case "none":
            return say("No ability is used.")


def _sheet_words(
    event: ReserveCounted
    | DamageCounted
    | PawnPointsCounted
    | ChestsRolled
    | NumberTyped
    | SheetSigned
    | SheetReopened,
) -> Message:
    match event:
        case ReserveCounted():
            return say("In the reserve: %(cubes)s.", cubes=cubes_in_words(event.held))
        case DamageCounted():
            return say_many("%(count)d damage.", "%(count)d damage.", event.count)
        case PawnPointsCounted():
            return say_many("%(count)d point of the pawn.", "%(count)d points of the pawn.", event.count)
        case ChestsRolled():
            return say("Chests: %(dice)s.", dice=" + ".join(map(str, event.dice)))
        case NumberTyped():
            return say("A number of the quest: %(number)d.", number=event.number)
        case SheetSigned():
            return say("The score sheet is complete.")
        case SheetReopened():
            return say("The score sheet is open again.")
        case _:
            assert_never(event)


def _consequences(before: GameState, event: Event, after: GameState) -> Iterable[Message]:
    if isinstance(event, RoomLooted):
        yield from _loot_consequences(before, event, after)
    if after.round > before.round:
        names = ", ".join(after.players[seat] for seat in after.order)
        yield say("Round %(number)d, the lightest first: %(names)s.", number=after.round, names=names)
    if after.phase is Phase.SCORING and before.phase is Phase.PLAYING:
        yield say("The last round is over: quests are revealed.")


def _loot_consequences(before: GameState, event: RoomLooted, after: GameState) -> Iterable[Message]:
    hurt = after.adventurers[event.player].damage - before.adventurers[event.player].damage
    if hurt > 0:
        yield say_many("%(count)d damage.", "%(count)d damage.", hurt)
    used = [
        Held(kind, count)
        for kind, count in ((Kind.SHIELD, event.shields), (Kind.POTION, event.potions))
        if count
    ]
    if used:
        yield say("Used: %(cubes)s.", cubes=cubes_in_words(used))
    if event.pawns:
        names = ", ".join(before.players[seat] for seat in event.pawns)
        yield say("A point for the pawns of %(names)s.", names=names)
