"""Forms of Les Apprentis Gardiens that carry typed or ticked values, turned into events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.apprentis.board import KINDS, ROOMS
from companion.apprentis.objectives import COLOURS
from companion.errors import BadData
from companion.message import say
from web.stepping import count_of

# "none", "new" or "advance-2": what the card buttons send.
ADVANCE = "advance-"


def read_form(form: Mapping[str, str], seat: int) -> dict[str, Any]:
    """Return the event a form describes, as its JSON object.

    Raises:
        BadData: the form is not one of this game's.
    """
    match form.get("form"):
        case "threat":
            return {"type": "threat_revealed", **_effect(form), "icon": "icon" in form}
        case "inn":
            return {"type": "inn_revealed", "whom": form.get("whom"), **_effect(form)}
        case "others":
            return {"type": "others_struck", "player": seat, **_effect(form)}
        case "place":
            counts = {str(kind): count_of(form, str(kind)) for kind in KINDS}
            return {"type": "place_filled", "player": seat, "place": form.get("place"), "monsters": counts}
        case "groups":
            rooms = [count_of(form, f"room{room}") for room in ROOMS]
            return {"type": "groups_counted", "player": seat, "rooms": rooms}
        case "setup":
            sides = [form.get(f"objective-{colour}", "") for colour in COLOURS]
            piles = [count_of(form, f"piles{room}") for room in ROOMS]
            return {"type": "setup_corrected", "objectives": sides, "piles": piles}
        case "malus":
            return {"type": "malus_counted", "player": seat, "tiles": count_of(form, "tiles")}
        case _:
            raise BadData(say("This form is not known."))


def _effect(form: Mapping[str, str]) -> dict[str, Any]:
    effect = form.get("effect", "")
    if effect.startswith(ADVANCE):
        steps = effect.removeprefix(ADVANCE)
        return {"effect": "advance", "steps": int(steps) if steps in ("1", "2", "3") else 0}
    return {"effect": effect, "steps": 0}
