"""The Flask application: put together here, started elsewhere."""

from __future__ import annotations

import logging
import secrets
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

from flask import Flask
from flask_wtf.csrf import CSRFProtect

from companion.tables import Tables
from web import (
    errors,
    guessing,
    history,
    home,
    https_page,
    installing,
    language,
    live,
    manage,
    play,
    results,
    seats,
    setup,
    shown,
    transfer,
)
from web import headers as security_headers
from web.dungeon_drop import camera_help, colours, dice_routes, photo_routes, watch_routes
from web.dungeon_drop.eyes import Eye
from web.dungeon_drop.learning import Learning
from web.dungeon_drop.looks import Looks, Sees
from web.dungeon_drop.watch_routes import is_played
from web.dungeon_drop.watching import Watching
from web.https_page import Identity
from web.welcome import tile_routes

MAX_UPLOAD = 20_000_000  # a phone's photo or the longest log

CSRF = CSRFProtect()


@dataclass(frozen=True, slots=True)
class ServedAt:
    """Where phones find the server, for QR codes and hints; the first address is the best."""

    http: tuple[str, ...] = ()
    https: tuple[str, ...] = ()
    list_games: bool = True
    identity: Identity | None = None  # of the certificate at the secure addresses
    authority: Path | None = None  # the certificate of who signed it, for phones to trust


def create_app(
    tables: Tables,
    *,
    signing_key: bytes,
    served_at: ServedAt | None = None,
    photos: Path | None = None,
    scanner: Callable[[], Sees] | None = None,
    eye: Eye | None = None,
) -> Flask:
    """Build the application around an opened record.

    Args:
        photos: where photos of tables are kept; without it they are forgotten with the process.
        scanner: makes what reads photos, instead of the real scanner.
        eye: looks at the table when no phone does.
    """
    app = Flask(__name__)
    app.config.update(
        SECRET_KEY=signing_key,
        MAX_CONTENT_LENGTH=MAX_UPLOAD,
        MAX_FORM_MEMORY_SIZE=security_headers.MAX_FORM,
        SESSION_COOKIE_NAME="dungeon",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        # A late answer must not bring back an older cookie, so only changes are sent.
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=timedelta(days=400),
        # A game may lie on the table for days; the token lives as long as the cookie it is tied to.
        WTF_CSRF_TIME_LIMIT=None,
        # Some phones send no Referer; the token, Origin and Sec-Fetch-Site are checked anyway.
        WTF_CSRF_SSL_STRICT=False,
        BABEL_DEFAULT_LOCALE="en",
        BABEL_TRANSLATION_DIRECTORIES="translations",
    )
    app.extensions["tables"] = tables
    hub = app.extensions["hub"] = live.Hub()
    # Made only when the first photo comes.
    folder = photos or Path(tempfile.gettempdir()) / f"dungeon-photos-{secrets.token_hex(8)}" / "photos"
    learning = app.extensions["learning"] = Learning(folder.parent)
    scanner = scanner or _scanner
    looks = app.extensions["looks"] = Looks(folder, scanner, hub.publish, lambda: learning.profile)
    app.extensions["watching"] = Watching(
        looks, scanner, hub.publish, lambda: learning.profile, goes_on=partial(is_played, tables)
    )
    app.extensions["lessons"] = colours.Lessons()
    app.extensions["eye"] = eye
    app.extensions["served_at"] = served_at or ServedAt()
    # The same for every request, and on every page dozens of times.
    app.jinja_env.globals["ICONS"] = f"{app.static_url_path}/icons.svg"
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    security_headers.install(app)  # first: it sets the limits for reading a form
    CSRF.init_app(app)
    for part in (language, errors, shown, guessing):
        part.install(app)
    for page in (home, setup, seats, play, history, results, transfer, manage, live, installing, https_page):
        app.register_blueprint(page.bp)
    for routes in (photo_routes, watch_routes, dice_routes, camera_help, colours, tile_routes):
        app.register_blueprint(routes.bp)
    logging.getLogger("flask_wtf").setLevel(logging.WARNING)
    return app


def _scanner() -> Sees:
    # Loads OpenCV's networks: only when the first photo comes.
    from vision.scanner import Scanner

    return Scanner()
