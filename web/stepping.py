"""Numbers in forms: typed, or stepped by a minus or plus button."""

from __future__ import annotations

from collections.abc import Mapping

from companion.errors import BadData
from companion.message import say


def count_of(form: Mapping[str, str], field: str) -> int:
    """Read a stepper: its number, plus one step if its minus or plus button sent the form.

    Raises:
        BadData: it is no number.
    """
    text = form.get(field, "").strip() or "0"
    if not text.isdecimal() or len(text) > 4:
        raise BadData(say("Please type a number from 0 up."))
    step = {f"{field}+": 1, f"{field}-": -1}.get(form.get("step", ""), 0)
    return max(0, int(text) + step)
