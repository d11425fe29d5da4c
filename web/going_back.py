"""Where a form leads after it was handled: the page it came from, if that is one of ours."""

from __future__ import annotations

from flask import request


def back_to(default: str) -> str:
    """Return the form's ``back`` address if it is a plain path here, else *default*."""
    back = request.form.get("back", "")
    # "//host" and "/\\host" are addresses of other sites to a browser.
    if back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable():
        return back
    return default


def wants_live() -> bool:
    """Whether the page's script asks and will swap in the answer itself."""
    return "X-Live" in request.headers
