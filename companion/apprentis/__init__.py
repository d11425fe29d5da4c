"""Donjon: Les Apprentis Gardiens."""

from __future__ import annotations

from companion.apprentis.board import MAX_PLAYERS, MIN_PLAYERS
from companion.apprentis.events import CODEC, Event, independent, owner
from companion.apprentis.legal import legal_events
from companion.apprentis.options import OPTIONS, settle, start
from companion.apprentis.rules import apply
from companion.apprentis.scoring import outcome
from companion.apprentis.state import GameState
from companion.apprentis.words import tell
from companion.rules import GameRules

RULES: GameRules[GameState, Event] = GameRules(
    key="apprentis",
    title="Donjon: Les Apprentis Gardiens",
    min_players=MIN_PLAYERS,
    max_players=MAX_PLAYERS,
    options=OPTIONS,
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
    timed=lambda state: state.tracked,
)
