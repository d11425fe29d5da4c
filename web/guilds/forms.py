"""Forms of Dungeon Guilds that carry typed or ticked values, turned into events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.codec import encode
from companion.errors import BadData
from companion.guilds.cards import STRENGTHS
from companion.guilds.state import MAX_PLAYERS
from companion.message import say
from web.guilds.drafts import FIELDS, rooms_in
from web.stepping import count_of


def read_form(form: Mapping[str, str], seat: int) -> dict[str, Any]:
    """Return the event a form describes, as its JSON object.

    Raises:
        BadData: the form is not one of this game's.
    """
    match form.get("form"):
        case "deal":
            rooms = [encode(room) for room in rooms_in(form.get("rooms", ""))]
            return {"type": "rooms_dealt", "rooms": rooms, "master": form.get("master") or None}
        case "disable":
            chosen = [strength for strength in STRENGTHS if f"strength-{strength}" in form]
            return {"type": "adventurers_disabled", "player": seat, "strengths": chosen}
        case "healing":
            return {"type": "healing_written", "costs": [count_of(form, f"cost-{s}") for s in STRENGTHS]}
        case "room":
            return {"type": "room_corrected", "place": count_of(form, "place"), "room": _room(form)}
        case "reveal":
            front = {
                "defence": count_of(form, "defence"),
                "treasure": count_of(form, "treasure"),
                "monster": " ".join(form.get("monster", "").split()),
            }
            return {"type": "room_revealed", "room": _only_room(form.get("room", "")), "front": front}
        case "money":
            return _money(form)
        case "end":
            seats = range(MAX_PLAYERS)
            unplaced = [count_of(form, f"unplaced-{n}") for n in seats if f"unplaced-{n}" in form]
            return {"type": "counting_ended", "unplaced": unplaced}
        case _:
            raise BadData(say("This form is not known."))


def _room(form: Mapping[str, str]) -> dict[str, int]:
    return {field: count_of(form, field) for field in FIELDS}


def _only_room(text: str) -> Any:
    rooms = rooms_in(text)
    if len(rooms) != 1:
        raise BadData(say("This form is not known."))
    return encode(rooms[0])


def _money(form: Mapping[str, str]) -> dict[str, Any]:
    amount = count_of(form, "amount")
    return {
        "type": "money_written",
        "player": count_of(form, "who"),
        "amount": -amount if form.get("way") == "out" else amount,
        "reason": form.get("reason") or "other",
        "note": " ".join(form.get("note", "").split()),
    }
