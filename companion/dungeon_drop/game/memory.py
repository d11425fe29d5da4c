"""Cards that were typed once, offered again in the next game.

No source prints the cards, so the companion learns them from its players. Quests are only offered from games
that are over: in a running one they are secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from companion.codec import decode
from companion.dungeon_drop.game.cards import HeroCard, Quest
from companion.errors import BadData

# So many are offered; the newest come first.
MOST_OFFERED = 30

Card = TypeVar("Card", HeroCard, Quest)


def heroes_typed(events: Iterable[Mapping[str, Any]]) -> tuple[HeroCard, ...]:
    """Return the named heroes among recorded events, newest first; of one name only the newest."""
    cards = _decoded(HeroCard, (event.get("card") for event in events))
    return _each_once((card.title, card) for card in cards)


def quests_typed(events: Iterable[Mapping[str, Any]]) -> tuple[Quest, ...]:
    """Return the named quests among recorded events, newest first; of one name only the newest."""
    quests = _decoded(Quest, (event.get("quest") for event in events))
    return _each_once((quest.name, quest) for quest in quests)


def _each_once(named: Iterable[tuple[str, Card]]) -> tuple[Card, ...]:
    found: dict[str, Card] = {}
    for name, card in named:
        if name:
            found.setdefault(name.casefold(), card)
    return tuple(found.values())[:MOST_OFFERED]


def _decoded(kind: type[Card], values: Iterable[object]) -> list[Card]:
    found = []
    for value in values:
        try:
            found.append(decode(kind, value))
        except BadData:
            continue  # written by another version of the companion
    return found
