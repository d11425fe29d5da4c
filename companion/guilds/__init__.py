"""Dungeon Guilds: placement, money and resolution for 3 to 6 guilds, with masters, teams and the ghost."""

from __future__ import annotations

from companion.guilds.events import CODEC, Event, independent, owner
from companion.guilds.legal import legal_events
from companion.guilds.options import OPTIONS, settle, start
from companion.guilds.rules import apply
from companion.guilds.scoring import outcome
from companion.guilds.state import MAX_PLAYERS, MIN_PLAYERS, GameState
from companion.guilds.words import tell
from companion.rules import GameRules

RULES: GameRules[GameState, Event] = GameRules(
    key="guilds",
    title="Dungeon Guilds",
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
    # What somebody disables is secret until all have chosen.
    keeps_secrets=True,
    timed=lambda state: not state.unplaced,
)
