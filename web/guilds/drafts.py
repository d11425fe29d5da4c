"""The rooms of a dungeon while they are typed: a list in the address, so that nothing is half dealt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.errors import BadData
from companion.guilds.cards import Room, check_room
from companion.message import Message, say

FIELDS = ("level", "defence_low", "defence_high", "treasure_low", "treasure_high")


@dataclass(frozen=True, slots=True)
class Draft:
    """The rooms typed so far, and what was wrong with the last one."""

    rooms: tuple[Room, ...] = ()
    wrong: Message | None = None


def written(rooms: Iterable[Room]) -> str:
    """Return rooms as the address carries them: ``1.3.5.2.4,2.5.7.4.6``."""
    return ",".join(".".join(str(getattr(room, field)) for field in FIELDS) for room in rooms)


def rooms_in(text: str) -> tuple[Room, ...]:
    """Read rooms from an address; what is no room is left out, the address may be anybody's."""
    found = []
    for part in text[:400].split(","):
        try:
            found.append(_room(part.split(".")))
        except BadData:
            continue
    return tuple(found)


def draft_of(query: Mapping[str, str], most: int) -> Draft:
    """Return the rooms typed so far, with a new one if its fields are there."""
    rooms = rooms_in(query.get("rooms", ""))[:most]
    if "level" not in query or len(rooms) == most:
        return Draft(rooms)
    try:
        return Draft((*rooms, _room([query.get(field, "") for field in FIELDS])))
    except BadData as error:
        return Draft(rooms, error.message)


def _room(numbers: list[str]) -> Room:
    if len(numbers) != len(FIELDS) or not all(n.strip().isdecimal() and len(n) < 4 for n in numbers):
        raise BadData(say("A room needs its level and all four numbers of its back."))
    level, low, high, least, most = (int(number) for number in numbers)
    # Typed the wrong way round is as clear as the right way.
    room = Room(level, min(low, high), max(low, high), min(least, most), max(least, most))
    check_room(room)
    return room
