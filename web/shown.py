"""What every template can use: icons, action ids, the QR code, the games' own look."""

from __future__ import annotations

import secrets
from typing import Any

import segno
from flask import Flask, current_app, request
from markupsafe import Markup

from web.game_pages import GAME_PAGES, GamePages
from web.going_back import wants_live


def install(app: Flask) -> None:
    """Offer these to all templates."""
    app.add_template_global(new_action, "new_action")
    app.add_template_global(qr_code, "qr_code")
    app.add_template_global(look_of, "look_of")
    app.add_template_global(this_page, "this_page")
    app.add_template_global(best_address, "best_address")
    app.context_processor(_layout)


def _layout() -> dict[str, Any]:
    return {"fragment": wants_live()}


def new_action() -> str:
    """Return an id for a form sent without a script: pressing it twice counts once."""
    return secrets.token_urlsafe(12)


def qr_code(text: str) -> Markup:
    """Draw *text* as a QR code, dark on light in both themes so that every camera reads it."""
    try:
        code = segno.make(text, error="m", micro=False)
    except segno.DataOverflowError:
        return Markup("")  # an address so long that only a stranger's host name can make it
    return Markup(
        code.svg_inline(omitsize=True, border=2, svgclass="qr", lineclass=None, dark="#000", light="#fff")
    )


def look_of(game: str) -> GamePages:
    """Return how a game presents itself."""
    return GAME_PAGES[game]


def this_page() -> str:
    """Return the path and query of this page, for coming back to it."""
    return request.full_path.rstrip("?")


def best_address() -> str:
    """Return the address to show others, with a final slash."""
    host = request.host.rsplit(":", 1)[0]
    served = current_app.extensions["served_at"].http
    if host in ("localhost", "127.0.0.1", "[::1]") and served:
        return str(served[0])
    return request.host_url
