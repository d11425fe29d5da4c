"""What keeps strangers out: no foreign scripts, no framing, no posts from other sites, no huge forms."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.exceptions import Forbidden

MAX_FORM = 200_000

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def install(app: Flask) -> None:
    """Check every post's origin and mark every answer."""
    app.before_request(_refuse_other_sites)
    app.before_request(_limit_forms)
    app.after_request(_mark)


def _refuse_other_sites() -> None:
    # The token in each form is the real guard; this stops a foreign page one step earlier.
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    origin = request.headers.get("Origin")
    if origin is not None and _host_of(origin) != request.host:
        raise Forbidden
    if request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
        raise Forbidden


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _limit_forms() -> None:
    # The general limit is for files; a form without one is read into memory as a whole.
    if request.mimetype != "multipart/form-data":
        request.max_content_length = MAX_FORM


def _mark(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    # Addresses hold the table's code; nobody outside gets to see it.
    response.headers["Referrer-Policy"] = "same-origin"
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers["Vary"] = "Cookie, X-Live"
    return response
