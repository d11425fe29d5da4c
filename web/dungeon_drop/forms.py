"""Forms of Dungeon Drop that carry typed or ticked values, turned into events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.dungeon_drop.pieces import COLLECTED, IN_THE_BOX, Kind, Size
from companion.dungeon_drop.quests import What, When
from companion.errors import BadData
from companion.message import say
from web.stepping import count_of

# Lines of the form for a quest's bonus; cards have one or two.
BONUS_LINES = 3


def read_form(form: Mapping[str, str], seat: int) -> dict[str, Any]:
    """Return the event a form describes, as its JSON object.

    Raises:
        BadData: the form is not one of this game's.
    """
    match form.get("form"):
        case "hero":
            return {"type": "hero_chosen", "player": seat, "card": _card(form)}
        case "quest":
            return {"type": "quest_written", "player": seat, "quest": _quest(form)}
        case "fell":
            return {"type": "cubes_fell", "count": count_of(form, "fallen")}
        case "ability":
            return _ability(form, seat)
        case "loot":
            return {
                "type": "room_looted",
                "player": seat,
                "loot": held_of(form),
                "shields": count_of(form, "shields"),
                "potions": count_of(form, "potions"),
                "pawns": pawns_of(form),
            }
        case "reserve":
            return {"type": "reserve_counted", "player": seat, "held": held_of(form)}
        case "damage":
            return {"type": "damage_counted", "player": seat, "count": count_of(form, "damage")}
        case "pawn":
            return {"type": "pawn_points_counted", "player": seat, "count": count_of(form, "pawn")}
        case "typed":
            return {"type": "number_typed", "player": seat, "number": count_of(form, "typed")}
        case "dice":
            dice = [count_of(form, f"die{number}") for number in range(count_of(form, "pairs"))]
            return {"type": "chests_rolled", "player": seat, "dice": dice}
        case _:
            raise BadData(say("This form is not known."))


def _card(form: Mapping[str, str]) -> dict[str, Any]:
    return {
        "initiative": count_of(form, "initiative"),
        "hit_points": count_of(form, "hit_points"),
        **{name: form.get(name, "").strip() for name in ("race", "race_note", "calling", "calling_note")},
    }


def _quest(form: Mapping[str, str]) -> dict[str, Any]:
    lines = [_term(form, number) for number in range(BONUS_LINES)]
    return {
        "gems": {colour: count_of(form, colour) for colour in ("clear", "blue", "pink")},
        "bonus": [line for line in lines if line],
        "name": form.get("name", "").strip(),
    }


def _term(form: Mapping[str, str], number: int) -> dict[str, Any] | None:
    """Read one line of a bonus; a line without points is not there."""
    points = count_of(form, f"points{number}")
    if not points:
        return None
    what = form.get(f"what{number}", "")
    chosen = [str(kind) for kind in COLLECTED if f"kind{number}-{kind}" in form]
    counts_cubes = what in (What.CUBES, What.SETS)
    return {
        "points": points,
        "when": form.get(f"when{number}", When.EACH) if what != What.TYPED else str(When.EACH),
        "what": what,
        "kinds": chosen if counts_cubes else [],
        "size": (form.get(f"size{number}") or None) if counts_cubes else None,
        "number": max(1, count_of(form, f"number{number}")),
    }


def _ability(form: Mapping[str, str], seat: int) -> dict[str, Any]:
    """Read the quick adjustments: heal, damage, take or give back cubes."""
    count = max(1, count_of(form, "count"))
    match form.get("what"):
        case "heal":
            return {"type": "healed", "player": seat, "count": count}
        case "hurt":
            return {"type": "hurt", "player": seat, "count": count}
        case "gain" | "return" as way:
            kind, size = piece_of(form.get("piece", ""))
            name = "cubes_gained" if way == "gain" else "cubes_returned"
            held = {"kind": str(kind), "count": count, "size": size and str(size)}
            return {"type": name, "player": seat, "held": held}
        case _:
            raise BadData(say("This form is not known."))


def held_of(form: Mapping[str, str]) -> list[dict[str, Any]]:
    """Read a stepper for each kind and size of cubes, such as ``gold-small``."""
    return [
        {"kind": str(kind), "count": count, "size": str(size)}
        for kind, size in IN_THE_BOX
        if kind in COLLECTED and (count := count_of(form, piece_name(kind, size)))
    ]


def piece_name(kind: Kind, size: Size) -> str:
    """Return what forms call a kind and size of cube."""
    return f"{kind}-{size}"


def piece_of(name: str) -> tuple[Kind, Size | None]:
    """Return the kind and size that a form names.

    Raises:
        BadData: there is no such cube.
    """
    for kind, size in IN_THE_BOX:
        if name in (piece_name(kind, size), str(kind)):
            return kind, size if name != str(kind) else None
    raise BadData(say("There is no such cube."))


def pawns_of(form: Mapping[str, str]) -> list[int]:
    """Read whose pawns stood in a room: one tick for each seat."""
    return [seat for seat in range(4) if f"pawn{seat}" in form]
