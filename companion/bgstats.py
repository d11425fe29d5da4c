"""A finished game as a link that BG Stats opens to record the play."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from companion.results import Result

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Dungeon Companion"


def play_link(result: Result, code: str) -> str:
    """Return the address that hands this play to BG Stats."""
    return ADDRESS + quote(json.dumps(play_data(result, code), ensure_ascii=False), safe="")


def play_data(result: Result, code: str) -> dict[str, Any]:
    """Return the play as BG Stats expects it; the table's secret code is only hashed into it."""
    ended = datetime.fromisoformat(result.ended).astimezone(UTC)
    return {
        "sourceName": SOURCE,
        "sourcePlayId": _id(code),
        "playDate": ended.strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": result.minutes,
        "game": {
            "name": result.title,
            "sourceGameId": result.game,
            "highestWins": result.highest_wins,
            "noPoints": all(player.score is None for player in result.players),
        },
        "players": [
            {
                "name": player.name,
                "sourcePlayerId": _id(player.name.casefold()),
                "startPlayer": player.start_player,
                "winner": player.winner,
                "score": "" if player.score is None else str(player.score),
                "rank": player.rank,
                "role": player.role,
            }
            for player in result.players
        ],
    }


def _id(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
