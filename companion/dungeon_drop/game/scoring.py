"""The final score of Dungeon Drop, line by line, each with the rule behind it."""

from __future__ import annotations

from companion.dungeon_drop.game.cards import Quest
from companion.dungeon_drop.game.reserves import IN_ALL
from companion.dungeon_drop.game.state import Adventurer, GameState, Phase
from companion.dungeon_drop.hero import final_bonus
from companion.dungeon_drop.pieces import GEMS, KINDS, SCORE, Kind
from companion.message import Message, say, say_many
from companion.rules import Outcome, Placing
from companion.score_sheet import ScoreLine, Sheet

GEM_LINES: dict[Kind, tuple[Message, Message]] = {
    Kind.GEM_CLEAR: (say("Clear gems"), say("Each is worth what the quest says for clear gems.")),
    Kind.GEM_BLUE: (say("Blue gems"), say("Each is worth what the quest says for blue gems.")),
    Kind.GEM_PINK: (say("Pink gems"), say("Each is worth what the quest says for pink gems.")),
}


def score(state: GameState, seat: int) -> Sheet:
    """Count one player's points with what is known now."""
    mine = state.adventurers[seat]
    quest = mine.quest or Quest()
    lines = [
        _each("gold", say("Gold"), say("1 point each."), mine, Kind.GOLD, SCORE[Kind.GOLD]),
        *(_each(kind, *GEM_LINES[kind], mine, kind, int(quest.gems.values.of(kind))) for kind in GEMS),
        _chests(mine),
        _each("troll", say("Trolls"), say("2 points each."), mine, Kind.TROLL, SCORE[Kind.TROLL]),
        _each("dragon", say("Dragon"), say("8 points."), mine, Kind.DRAGON, SCORE[Kind.DRAGON]),
        _bonus(state, seat, quest),
    ]
    if state.teamwork:
        lines.append(_pawn(mine))
    return Sheet(tuple(lines))


def _each(key: str, label: Message, rule: Message, mine: Adventurer, kind: Kind, points: int) -> ScoreLine:
    count = mine.reserve.count(kind)
    why = say("%(count)d x %(points)d", count=count, points=points) if count else say("none")
    return ScoreLine(str(key), label, rule, why, count * points)


def _chests(mine: Adventurer) -> ScoreLine:
    if mine.dice:
        why = say("%(dice)s", dice=" + ".join(map(str, mine.dice)))
    elif mine.pairs:
        why = say_many("%(count)d chest to roll", "%(count)d chests to roll", mine.pairs)
    else:
        why = say("no pair")
    rule = say("One roll for each pair of a key and a chest; others are worth nothing.")
    return ScoreLine("chests", say("Open chests"), rule, why, sum(mine.dice))


def _bonus(state: GameState, seat: int, quest: Quest) -> ScoreLine:
    points = final_bonus(state.hero(seat), state.adventurers[seat].typed)
    why = say("as the card says") if quest.bonus else say("none")
    return ScoreLine("bonus", say("Quest bonus"), say("The second half of the quest card."), why, points)


def _pawn(mine: Adventurer) -> ScoreLine:
    points = mine.pawn_points
    why = say_many("%(count)d room", "%(count)d rooms", points) if points else say("none")
    rule = say("1 point for each room of another player that the own pawn stood in.")
    return ScoreLine("pawn", say("Teamwork"), rule, why, points)


def outcome(state: GameState) -> Outcome | None:
    """Rank the players once every score sheet is complete; of equal scores the higher initiative wins."""
    if state.phase is not Phase.FINISHED:
        return None
    totals = [score(state, seat).total for seat in range(len(state.players))]
    strength = [
        (total, adventurer.initiative) for total, adventurer in zip(totals, state.adventurers, strict=True)
    ]
    placings = sorted(
        (
            Placing(
                seat,
                totals[seat],
                1 + sum(other > mine for other in strength),
                mine == max(strength),
                state.adventurers[seat].title,
            )
            for seat, mine in enumerate(strength)
        ),
        key=lambda placing: (placing.rank, placing.seat),
    )
    return Outcome(tuple(placings), _why(state, tuple(placings)))


def _why(state: GameState, placings: tuple[Placing, ...]) -> Message:
    first = placings[0]
    name = state.players[first.seat]
    if len(placings) == 1:
        return say_many("%(count)d point.", "%(count)d points.", first.score or 0)
    if placings[1].rank == 1:
        return say("A tie: both initiatives are the same.")
    if placings[1].score == first.score:
        return say("A tie: %(player)s has the higher initiative and wins.", player=name)
    return say("%(player)s brings back the most treasure.", player=name)


def too_many_cubes(state: GameState) -> tuple[Kind, ...]:
    """Return the kinds of which the reserves hold more than the box does."""
    return tuple(
        kind
        for kind in KINDS
        if sum(adventurer.reserve.count(kind) for adventurer in state.adventurers) > IN_ALL[kind]
    )
