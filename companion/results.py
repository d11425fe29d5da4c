"""Finished games as people keep them: who, when, how long, how it ended; as CSV too."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from companion.journal import Journal

# A longer silence is a pause (dinner, the night), not play.
LONGEST_PAUSE = timedelta(minutes=30)

CSV_COLUMNS = (
    "ended_utc",
    "game",
    "duration_min",
    "player",
    "score",
    "rank",
    "winner",
    "role",
    "start_player",
)


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """How one player ended."""

    name: str
    score: int | None
    rank: int
    winner: bool
    role: str
    start_player: bool


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game, best player first."""

    game: str
    title: str
    ended: str
    minutes: int  # 0: the companion only saw the end
    highest_wins: bool
    players: tuple[PlayerResult, ...]


def result_of(journal: Journal, created: str) -> Result | None:
    """Summarise a finished game; None while it is being played."""
    outcome = journal.outcome
    if outcome is None:
        return None
    setup, rules = journal.setup, journal.rules
    timed = rules.timed(journal.state)
    return Result(
        game=rules.key,
        title=rules.title,
        ended=journal.steps[-1].entry.at or created,
        minutes=_minutes(created, journal) if timed else 0,
        highest_wins=rules.highest_wins,
        players=tuple(
            PlayerResult(
                name=setup.players[placing.seat],
                score=placing.score,
                rank=placing.rank,
                winner=placing.winner,
                role=placing.role,
                start_player=timed and placing.seat == setup.first,
            )
            for placing in outcome.placings
        ),
    )


def _minutes(created: str, journal: Journal) -> int:
    moments = [datetime.fromisoformat(at) for at in (created, *(e.at for e in journal.entries)) if at]
    played = timedelta()
    for earlier, later in pairwise(moments):
        played += min(max(later - earlier, timedelta()), LONGEST_PAUSE)
    return max(1, round(played.total_seconds() / 60))


def to_csv(results: Iterable[Result]) -> str:
    """Write results as CSV, one row per player, readable by any spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(CSV_COLUMNS)
    for result in results:
        for player in result.players:
            writer.writerow(
                (
                    datetime.fromisoformat(result.ended).astimezone(UTC).isoformat(timespec="seconds"),
                    result.title,
                    result.minutes or "",
                    _plain(player.name),
                    "" if player.score is None else player.score,
                    player.rank,
                    int(player.winner),
                    _plain(player.role),
                    int(player.start_player),
                )
            )
    return out.getvalue()


def _plain(text: str) -> str:
    # A spreadsheet would run a name that starts like a formula.
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
