"""A whole game of Dungeon Drop: heroes, turns, reserves and the final score."""

from __future__ import annotations

from companion.dungeon_drop.game.events import CODEC, Event, independent, owner
from companion.dungeon_drop.game.legal import legal_events
from companion.dungeon_drop.game.options import OPTIONS, settle, start
from companion.dungeon_drop.game.rules import apply
from companion.dungeon_drop.game.scoring import outcome
from companion.dungeon_drop.game.state import MAX_PLAYERS, MIN_PLAYERS, GameState
from companion.dungeon_drop.game.words import tell
from companion.rules import GameRules

RULES: GameRules[GameState, Event] = GameRules(
    key="dungeon-drop",
    title="Dungeon Drop",
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
    keeps_secrets=True,
    timed=lambda state: state.tracked,
)
