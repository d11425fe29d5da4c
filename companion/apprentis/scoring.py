"""The final score of Les Apprentis Gardiens, line by line, each with the rule behind it."""

from __future__ import annotations

from companion.apprentis.board import (
    CORRIDOR_PLACES,
    FIGURES,
    GROUP_TOKENS,
    KIND_NAMES,
    KINDS,
    ROOM_PLACES,
    ROOMS,
    Kind,
    Place,
)
from companion.apprentis.objectives import OBJECTIVES, Halls, name_rooms
from companion.apprentis.state import GameState, Phase
from companion.message import Message, say, say_many
from companion.rules import Outcome, rank
from companion.score_sheet import ScoreLine, Sheet

VARIED_ROOM_POINTS = 7
VARIED_ROOM_KINDS = 4


def look_at(state: GameState, seat: int) -> Halls:
    """Return what the objectives see of one player's dungeon."""
    dungeon = state.dungeons[seat]
    return Halls(
        rooms=tuple(dungeon.monsters(place) for place in ROOM_PLACES),
        corridors=tuple(dungeon.monsters(place) for place in CORRIDOR_PLACES),
        piles=state.piles,
        rival_vampires=tuple(_vampires(state, other) for other in range(len(state.players)) if other != seat),
    )


def _vampires(state: GameState, seat: int) -> int:
    return sum(state.dungeons[seat].monsters(place).vampire for place in ROOM_PLACES)


def score(state: GameState, seat: int) -> Sheet:
    """Count one player's points with what is known now."""
    halls = look_at(state, seat)
    lines = []
    for key in state.objectives:
        objective = OBJECTIVES[key]
        points, why = objective.worth(halls)
        lines.append(ScoreLine(key, objective.label, objective.rule, why, points))
    return Sheet((*lines, _varied_rooms(halls), _malus(state, seat), _groups(state, seat)))


def _varied_rooms(halls: Halls) -> ScoreLine:
    rooms = halls.rooms_where(lambda room: room.kinds >= VARIED_ROOM_KINDS)
    return ScoreLine(
        "varied-rooms",
        say("Varied rooms"),
        say("7 points for each room with monsters of at least 4 different kinds."),
        name_rooms(rooms),
        VARIED_ROOM_POINTS * len(rooms),
    )


def _malus(state: GameState, seat: int) -> ScoreLine:
    tiles = state.dungeons[seat].malus
    return ScoreLine(
        "malus",
        say("Malus tiles"),
        say("Minus the malus tiles beside room 5 and on the guardian."),
        say_many("tile %(tiles)s", "tiles %(tiles)s", len(tiles), tiles=" + ".join(map(str, tiles)))
        if tiles
        else say("no tile"),
        -sum(tiles),
    )


def _groups(state: GameState, seat: int) -> ScoreLine:
    groups = state.dungeons[seat].groups
    rooms = [room for room, count in zip(ROOMS, groups, strict=True) for _ in range(count)]
    return ScoreLine(
        "groups",
        say("Adventurers"),
        say("Minus the number of the room for each group of adventurers."),
        say_many("room %(rooms)s", "rooms %(rooms)s", len(rooms), rooms=" + ".join(map(str, rooms)))
        if rooms
        else say("no group"),
        -sum(rooms),
    )


def outcome(state: GameState) -> Outcome | None:
    """Rank the players once every score sheet is complete; a tie for first has no winner."""
    if state.phase is not Phase.FINISHED:
        return None
    placings = rank(tuple(score(state, seat).total for seat in range(len(state.players))), tie="none")
    winner = next((p.seat for p in placings if p.winner), None)
    if winner is None:
        return Outcome(placings, say("A tie: nobody succeeds the guardian."))
    return Outcome(placings, say("%(player)s succeeds the guardian.", player=state.players[winner]))


def counting_kinds(objectives: tuple[str, ...], place: Place) -> tuple[Kind, ...]:
    """Return the kinds that can change the score in *place*; others need not be asked for."""
    if place in ROOM_PLACES:
        return KINDS
    patrols = {"vampire-patrol", "vampire-posts"} & set(objectives)
    return (Kind.VAMPIRE,) if place in CORRIDOR_PLACES and patrols else ()


def too_many_pieces(state: GameState) -> tuple[Message, ...]:
    """Point out figures and groups of which the sheets hold more than the box does."""
    found = []
    for kind in KINDS:
        count = sum(monsters.count(kind) for dungeon in state.dungeons for monsters in dungeon.contents)
        if count > FIGURES[kind]:
            found.append(
                say(
                    "%(kind)s: %(count)d written down, but the box holds only %(box)d. Please check.",
                    kind=KIND_NAMES[kind],
                    count=count,
                    box=FIGURES[kind],
                )
            )
    groups = sum(dungeon.group_count for dungeon in state.dungeons)
    if groups > GROUP_TOKENS:
        found.append(
            say(
                "%(count)d groups written down, but the box holds only %(box)d. Please check.",
                count=groups,
                box=GROUP_TOKENS,
            )
        )
    return tuple(found)
