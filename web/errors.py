"""What a person sees when something does not work: one sentence, and a way back."""

from __future__ import annotations

import logging

from flask import Flask, flash, g, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import BadRequest, HTTPException

from companion.errors import (
    BadData,
    CompanionError,
    IllegalEvent,
    NotYourSeat,
    StaleVersion,
    StoreTrouble,
    UnknownGame,
)
from web.going_back import back_to, wants_live
from web.language import in_words

STATUS: dict[type[CompanionError], int] = {
    BadData: 400,
    NotYourSeat: 403,
    UnknownGame: 404,
    IllegalEvent: 409,
    StaleVersion: 409,
    StoreTrouble: 503,
}

# Of an upload that is too large, so much is taken in and forgotten; phones send no larger photos.
MOST_IGNORED = 100_000_000

log = logging.getLogger("dungeon")


def install(app: Flask) -> None:
    """Answer every error in the person's language."""
    app.register_error_handler(CompanionError, _companion_error)
    app.register_error_handler(CSRFError, _token_error)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _crash)


def status_of(error: CompanionError) -> int:
    """Return the HTTP status that fits *error*."""
    return next(status for kind, status in STATUS.items() if isinstance(error, kind))


def _companion_error(error: CompanionError) -> ResponseReturnValue:
    status, text = status_of(error), in_words(error.message)
    if isinstance(error, StoreTrouble):
        log.error("%s", error)
    g.unknown_table = isinstance(error, UnknownGame)  # who asks for many of them is guessing
    # Without a script the page itself comes back, refreshed and with the sentence on top.
    if request.method == "POST" and not wants_live() and status in (400, 409) and back_to(""):
        flash(text)
        return redirect(back_to("/"), 303)
    return answer(status, text)


def _token_error(error: CSRFError) -> ResponseReturnValue:
    return answer(400, gettext("This page was too old or came from elsewhere. Please try again."))


def _http_error(error: HTTPException) -> ResponseReturnValue:
    sentences = {
        400: gettext("This could not be understood. Please try again."),
        403: gettext("This was sent from another site and was not accepted."),
        404: gettext("There is nothing here. Perhaps the address was mistyped."),
        405: gettext("This page cannot be used that way."),
        413: gettext("This file is too large."),
        429: gettext("Too many tables that do not exist were asked for. Please wait a minute."),
    }
    if isinstance(request.routing_exception, BadRequest):
        # Not even the host's name made sense: there is nothing to link back to.
        return str(error.description), 400, {"Content-Type": "text/plain; charset=utf-8"}
    status = error.code or 500
    if status == 413:
        _read_to_its_end()
    if status < 400 and error.response is not None:
        return error.response
    return answer(status, sentences.get(status, gettext("This could not be understood. Please try again.")))


def _read_to_its_end() -> None:
    """Take in what a phone still sends: a browser that is interrupted shows no answer, only a broken line."""
    stream, left = request.environ["wsgi.input"], MOST_IGNORED
    while left > 0 and (part := stream.read(min(left, 1 << 16))):
        left -= len(part)


def _crash(error: Exception) -> ResponseReturnValue:
    log.exception("a page crashed: %s %s", request.method, request.path)
    return answer(500, gettext("Something broke in the companion. Nothing that was recorded is lost."))


def answer(status: int, text: str) -> ResponseReturnValue:
    """Show an error as a page, or as JSON to the page's script."""
    if wants_live():
        return {"ok": False, "error": text}, status
    back = f"/t/{request.view_args['code']}/" if request.view_args and "code" in request.view_args else "/"
    if status == 404 or back == request.path:
        back = "/"
    return render_template("error.html", text=text, status=status, back=back), status
