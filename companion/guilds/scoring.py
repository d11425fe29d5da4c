"""Who won: the most money; then the strongest adventurer that was not placed; then both."""

from __future__ import annotations

from companion.guilds.cards import STRENGTHS
from companion.guilds.money import REASON_NAMES, REASON_RULES, Reason
from companion.guilds.state import GameState, Phase
from companion.message import Message, say
from companion.rules import Outcome, Placing
from companion.score_sheet import ScoreLine, Sheet


def outcome(state: GameState) -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    if state.phase is not Phase.FINISHED:
        return None
    seats = range(len(state.players))
    standing = {seat: _standing(state, seat) for seat in seats}
    best = max(standing.values())
    placings = [
        Placing(
            seat,
            state.books.of(seat),
            1 + len({state.teams[other] for other in seats if standing[other] > standing[seat]}),
            standing[seat] == best,
            f"Team {state.teams[seat] + 1}" if len(set(state.teams)) < len(seats) else "",
        )
        for seat in seats
    ]
    placings.sort(key=lambda placing: (placing.rank, state.teams[placing.seat], placing.seat))
    return Outcome(tuple(placings), _reason(state, standing))


def strongest_unplaced(state: GameState, seat: int) -> int:
    """Return the strongest adventurer that a player did not place in the last round; 0 if nobody knows."""
    if state.unplaced:
        return state.unplaced[seat]
    return max(set(STRENGTHS) - set(state.disabled[seat]))


def money_of_team(state: GameState, team: int) -> int:
    """Return what the members of a team have together."""
    return sum(state.books.of(seat) for seat, its in enumerate(state.teams) if its == team)


def _standing(state: GameState, seat: int) -> tuple[int, int]:
    """Return the money of a player's team and the strongest adventurer that it did not place."""
    team = state.teams[seat]
    members = [other for other, its in enumerate(state.teams) if its == team]
    return money_of_team(state, team), max(strongest_unplaced(state, other) for other in members)


def _reason(state: GameState, standing: dict[int, tuple[int, int]]) -> Message:
    best = max(standing.values())
    winners = [seat for seat in standing if standing[seat] == best]
    names: str | Message = state.players[winners[0]]
    for seat in winners[1:]:
        names = say("%(these)s and %(more)s", these=names, more=state.players[seat])
    teams = {state.teams[seat] for seat in winners}
    tied = [seat for seat in standing if standing[seat][0] == best[0] and state.teams[seat] not in teams]
    if tied:
        return say(
            "%(names)s: $%(money)d, and the strongest adventurer that was not placed",
            names=names,
            money=best[0],
        )
    if len(teams) > 1:
        return say("%(names)s share the victory with $%(money)d", names=names, money=best[0])
    return say("%(names)s: the most money, $%(money)d", names=names, money=best[0])


def sheet_of(state: GameState, seat: int) -> Sheet:
    """Return a player's money by what it was for; everybody's sheet has the same lines."""
    seats = range(len(state.players))
    used = {reason for reason in Reason if any(state.books.sum_of(other, reason) for other in seats)}
    lines = [
        ScoreLine(
            str(reason),
            REASON_NAMES[reason],
            REASON_RULES[reason],
            _why(state, seat, reason),
            state.books.sum_of(seat, reason),
        )
        for reason in Reason
        if reason in used
    ]
    return Sheet(tuple(lines))


def _why(state: GameState, seat: int, reason: Reason) -> Message:
    amount = state.books.sum_of(seat, reason)
    if amount == 0:
        return say("nothing")
    return say("received") if amount > 0 else say("paid")
