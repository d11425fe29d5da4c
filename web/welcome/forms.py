"""Forms of Welcome (Back) to the Dungeon that carry typed or ticked values, turned into events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.errors import BadData
from companion.message import say
from companion.welcome.monsters import ORDINARY
from companion.welcome.tiles import heroes
from web.stepping import count_of

TICKS = ("next_too", "costs_tile", "heals", "swaps", "wins_if_all_differ")
LIMITS = ("odd_at_most", "even_at_most", "limits_below_hp", "names_low", "names_high")


def read_form(form: Mapping[str, str], seat: int) -> dict[str, Any]:
    """Return the event a form describes, as its JSON object.

    Raises:
        BadData: the form is not one of this game's.
    """
    match form.get("form"):
        case "note":
            return _note(form, seat)
        case "skip":
            tiles = {tile for hero in heroes().values() for tile in hero.tiles}
            return {
                "type": "bidding_skipped",
                "player": count_of(form, "delver"),
                "tiles": [tile for tile in sorted(tiles) if f"left-{tile}" in form],
                "cards": count_of(form, "cards"),
            }
        case "tile":
            return {"type": "tile_written", "tile": _tile(form)}
        case _:
            raise BadData(say("This form is not known."))


def _note(form: Mapping[str, str], seat: int) -> dict[str, Any]:
    """Read the own cards, with one that was added or taken out by the button that was pressed."""
    lists = {place: _names(form.get(place, "")) for place in ("dungeon", "aside")}
    way, _, what = form.get("what", "").partition("-")
    if way in lists:
        lists[way].append(form.get("monster", ""))
    elif way == "drop":
        place, _, name = what.partition("-")
        if place in lists and name in lists[place]:
            lists[place].remove(name)
    else:
        raise BadData(say("This form is not known."))
    return {"type": "cards_noted", "player": seat, **lists}


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name][:20]


def _tile(form: Mapping[str, str]) -> dict[str, Any]:
    """Read a tile: what is left empty, it does not do."""
    name = form.get("name", "").strip()
    tile: dict[str, Any] = {
        "id": form.get("tile", ""),
        "en": form.get("en", "").strip() or name,
        "fr": form.get("fr", "").strip() or name,
        "hp": count_of(form, "hp"),
        "less": count_of(form, "less"),
        "calms": count_of(form, "calms"),
        "names": form.get("names") or None,
        "use": form.get("use") or "always",
        "revives": form.get("revives") or None,
        **{tick: tick in form for tick in TICKS},
        **{limit: _number(form, limit) for limit in LIMITS},
    }
    if "ignores" in form:
        tile["ignores"] = {
            "kinds": [str(kind) for kind in ORDINARY if f"kind-{kind}" in form],
            "low": _number(form, "low"),
            "high": _number(form, "high"),
            "parity": form.get("parity") or None,
            "below_hp": _number(form, "below_hp"),
            "repeats": "repeats" in form,
        }
    return tile


def _number(form: Mapping[str, str], field: str) -> int | None:
    return count_of(form, field) if form.get(field, "").strip() else None
