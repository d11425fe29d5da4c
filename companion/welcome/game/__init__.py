"""The course of both games: bidding, the dungeon, success and aid cards."""

from __future__ import annotations

from companion.rules import GameRules
from companion.welcome.game.events import CODEC, Event, independent, owner, without_secrets
from companion.welcome.game.legal import legal_events
from companion.welcome.game.options import options_of, settle, start
from companion.welcome.game.rules import apply
from companion.welcome.game.scoring import outcome
from companion.welcome.game.state import MAX_PLAYERS, MIN_PLAYERS, GameState
from companion.welcome.game.words import tell


def _rules(key: str, title: str) -> GameRules[GameState, Event]:
    return GameRules(
        key=key,
        title=title,
        min_players=MIN_PLAYERS,
        max_players=MAX_PLAYERS,
        options=options_of(key),
        codec=CODEC,
        settle=settle,
        start=start,
        apply=apply,
        owner=owner,
        independent=independent,
        tell=tell,
        legal=legal_events,
        outcome=outcome,
        keeps_secrets=False,
        without_secrets=without_secrets,
        timed=lambda state: True,
    )


WELCOME = _rules("welcome", "Welcome to the Dungeon")
WELCOME_BACK = _rules("welcome-back", "Welcome Back to the Dungeon")
