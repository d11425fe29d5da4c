"""The companion on a phone's home screen: what it is called there, and what it shows without a connection."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from web.language import LANGUAGES, choose, speaking

bp = Blueprint("installing", __name__)

GROUND = "#16120e"
# What the offline page is made of beside itself; each has an address of its own, so that the worker
# touches nothing that other pages ask for.
OFFLINE_FILES = ("app.css", "offline.js", "favicon.svg")


@bp.get("/manifest.webmanifest")
def manifest() -> ResponseReturnValue:
    """Tell a phone how to put the companion on its home screen, in the language of the page that asks."""
    language = _asked_language()
    with speaking(language):
        told = {
            "id": url_for("home.start"),
            "name": gettext("Dungeon Companion"),
            "short_name": gettext("Dungeon"),
            "description": gettext("Scores, rooms and odds for five dungeon games, at a real table."),
            "lang": language,
            "start_url": url_for("home.start"),
            "scope": url_for("home.start"),
            "display": "standalone",
            "background_color": GROUND,
            "theme_color": GROUND,
            "icons": [
                _icon("icon-192.png", "192x192"),
                _icon("icon-512.png", "512x512"),
                _icon("icon-maskable-512.png", "512x512", purpose="maskable"),
                _icon("favicon.svg", "any"),
            ],
        }
    return Response(json.dumps(told, ensure_ascii=False), mimetype="application/manifest+json")


def _icon(file: str, sizes: str, purpose: str = "any") -> dict[str, str]:
    kind = "image/svg+xml" if file.endswith("svg") else "image/png"
    return {"src": url_for("static", filename=file), "sizes": sizes, "type": kind, "purpose": purpose}


@bp.get("/offline")
def offline() -> ResponseReturnValue:
    """Show what to do without a connection; kept on the phone, where the worker shows it."""
    return _offline_page(_asked_language())


def _offline_page(language: str) -> str:
    with speaking(language):
        return render_template("offline.html", shown=language, files=_offline_files())


def _offline_files() -> dict[str, str]:
    return {name: url_for("static", filename=name, offline=1) for name in OFFLINE_FILES}


@bp.get("/worker.js")
def worker() -> ResponseReturnValue:
    """Give the service worker, which changes whenever what it keeps has changed.

    It is served from the top, because a worker looks after the pages below its own address only.
    """
    kept: dict[str, Any] = {
        "pages": {language: url_for("installing.offline", language=language) for language in LANGUAGES},
        "files": list(_offline_files().values()),
    }
    static = Path(current_app.static_folder or "")
    parts = [_offline_page(language).encode() for language in LANGUAGES]
    parts += [(static / name).read_bytes() for name in OFFLINE_FILES]
    kept["name"] = f"offline-{hashlib.sha256(b''.join(parts)).hexdigest()[:16]}"
    script = (static / "worker.js").read_text("utf-8")
    return Response(f"const KEPT = {json.dumps(kept)};\n{script}", mimetype="text/javascript")


def _asked_language() -> str:
    # Browsers fetch these without the cookie that knows which language was tapped.
    asked = request.args.get("language", "")
    return asked if asked in LANGUAGES else choose()
