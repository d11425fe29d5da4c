"""Room cards that were typed once, offered again in the next game.

No source prints the cards, so the companion learns them from its players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.codec import decode
from companion.errors import BadData
from companion.guilds.cards import Front, Room, check_front, check_healing, check_room


@dataclass(frozen=True, slots=True)
class Library:
    """The cards that were seen.

    Attributes:
        backs: by level, those that were seen most often first.
        fronts: of each back, by defence.
    """

    backs: tuple[Room, ...]
    fronts: Mapping[Room, tuple[Front, ...]]


def cards_seen(dealt: Iterable[Mapping[str, Any]], revealed: Iterable[Mapping[str, Any]]) -> Library:
    """Return the cards among recorded events.

    Args:
        dealt: rooms that were dealt.
        revealed: rooms that were turned over, newest first: a monster's name is the newest one.
    """
    backs: Counter[Room] = Counter()
    for event in dealt:
        rooms = event.get("rooms")
        backs.update(room for data in (rooms if isinstance(rooms, list) else ()) if (room := _room(data)))
    fronts: dict[Room, dict[tuple[int, int], Front]] = {}
    for event in revealed:
        room = _room(event.get("room"))
        front = room and _front(room, event.get("front"))
        if room and front:
            known = fronts.setdefault(room, {})
            key = (front.defence, front.treasure)
            if key not in known or not known[key].monster:
                known[key] = front
    return Library(
        tuple(sorted(backs, key=lambda room: (room.level, -backs[room], room.defence_low))),
        {room: tuple(known[key] for key in sorted(known)) for room, known in fronts.items()},
    )


def healing_seen(written: Iterable[Mapping[str, Any]]) -> tuple[int, ...] | None:
    """Return the healing costs that were checked last, if they ever were; events newest first."""
    for event in written:
        try:
            costs: tuple[int, ...] = decode(tuple[int, ...], event.get("costs"))
            check_healing(costs)
        except BadData:
            continue
        return costs
    return None


def _room(data: object) -> Room | None:
    try:
        room: Room = decode(Room, data)
        check_room(room)
    except BadData:
        return None  # written by another version of the companion
    return room


def _front(room: Room, data: object) -> Front | None:
    try:
        front: Front = decode(Front, data)
        check_front(room, front)
    except BadData:
        return None
    return front
