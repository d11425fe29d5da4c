"""Who won: two success cards, or the last one who is not out."""

from __future__ import annotations

from companion.message import say, say_many
from companion.rules import Outcome, Placing
from companion.score_sheet import ScoreLine, Sheet
from companion.welcome.game.state import SUCCESSES_TO_WIN, Aid, GameState, Phase


def outcome(state: GameState) -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    if state.phase is not Phase.FINISHED:
        return None
    winner = _winner(state)
    order = sorted(range(len(state.players)), key=lambda seat: _standing(state, seat), reverse=True)
    ranks = {
        seat: 1 + sum(_standing(state, other) > _standing(state, seat) for other in order) for seat in order
    }
    placings = tuple(Placing(seat, state.successes[seat], ranks[seat], seat == winner) for seat in order)
    reason = (
        say("%(player)s survived a second dungeon", player=state.players[winner])
        if state.successes[winner] == SUCCESSES_TO_WIN
        else say("%(player)s is the last one standing", player=state.players[winner])
    )
    return Outcome(placings, reason)


def _winner(state: GameState) -> int:
    for seat, count in enumerate(state.successes):
        if count == SUCCESSES_TO_WIN:
            return seat
    return next(seat for seat, aid in enumerate(state.aids) if aid is not Aid.OUT)


def _standing(state: GameState, seat: int) -> tuple[bool, bool, int, bool]:
    """Return how well a player stands: the winner, those still in, success cards, a white aid card."""
    aid = state.aids[seat]
    return seat == _winner(state), aid is not Aid.OUT, state.successes[seat], aid is Aid.WHITE


def sheet_of(state: GameState, seat: int) -> Sheet:
    """Return a player's cards as a score sheet."""
    aid = {
        Aid.WHITE: say("The aid card is still white."),
        Aid.RED: say("The aid card is red: one dungeon was too much."),
        Aid.OUT: say("Two dungeons were too much: out of the game."),
    }[state.aids[seat]]
    count = state.successes[seat]
    return Sheet(
        (
            ScoreLine(
                "successes",
                say("Success cards"),
                say("Whoever survives two dungeons wins; so does the last one who is not out."),
                say_many(
                    "%(count)d dungeon survived. %(aid)s",
                    "%(count)d dungeons survived. %(aid)s",
                    count,
                    aid=aid,
                ),
                count,
            ),
        )
    )
