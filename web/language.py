"""French and English: which one a phone gets, and how messages of the rules are shown in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from flask import Blueprint, Flask, g, redirect, request, session
from flask.typing import ResponseReturnValue
from flask_babel import (
    Babel,
    force_locale,
    format_datetime,
    format_decimal,
    format_percent,
    get_locale,
    get_translations,
)

from companion.message import Message
from web.going_back import back_to

LANGUAGES = {"fr": "Français", "en": "English"}
DEFAULT = "en"
# What a sum of many numbers may be off.
CERTAIN = 1e-9

bp = Blueprint("language", __name__)


def install(app: Flask) -> None:
    """Choose the language per request and let templates show messages."""
    Babel(app, locale_selector=choose)
    app.register_blueprint(bp)
    app.add_template_filter(in_words, "words")
    app.add_template_filter(signed, "signed")
    app.add_template_filter(points, "points")
    app.add_template_filter(tenths, "tenths")
    app.add_template_filter(percent, "percent")
    app.add_template_filter(when, "when")
    app.jinja_env.globals["LANGUAGES"] = LANGUAGES
    app.add_template_global(lambda: _texts()[0], "language")
    # Flask-Babel looks for the catalogue anew for each of the hundreds of texts of a page.
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        gettext=lambda text: _texts()[1].ugettext(text),
        ngettext=lambda text, many, count: _texts()[1].ungettext(text, many, count),
        newstyle=True,
    )


def choose() -> str:
    """Return the language tapped on this phone, else the best of what its browser asks for."""
    tapped = session.get("language")
    if tapped in LANGUAGES:
        return str(tapped)
    return request.accept_languages.best_match(list(LANGUAGES), DEFAULT) or DEFAULT


@bp.post("/language")
def switch() -> ResponseReturnValue:
    """Remember the language tapped on this phone."""
    if request.form.get("language") in LANGUAGES:
        session["language"] = request.form["language"]
        session.permanent = True
    return redirect(back_to("/"), 303)


def in_words(message: Message) -> str:
    """Show a message in the language of this request."""
    return message.render(_translate)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak another language than the phone's for a while."""
    g.pop("texts", None)
    try:
        with force_locale(language):
            yield
    finally:
        g.pop("texts", None)


def _texts() -> tuple[str, Any]:
    """Return the name and the catalogue of the language now spoken, looked up once for each request."""
    texts: tuple[str, Any] | None = g.get("texts") if g else None
    if texts is None:
        texts = str(get_locale()), get_translations()
        if g:
            g.texts = texts
    return texts


def _translate(message: Message) -> str:
    # The catalogue itself, because the values are filled in by the message.
    language, catalogue = _texts()
    if message.own:
        return message.own.get(language, message.text)
    if message.many is None:
        return str(catalogue.ugettext(message.text))
    return str(catalogue.ungettext(message.text, message.many, message.params["count"]))


def signed(points: int) -> str:
    """Show points with a true minus sign, as wide as a plus."""
    return f"\u2212{-points}" if points < 0 else str(points)


def points(value: float) -> str:
    """Show points that may be halves, such as the mean of a chest, in the language of the phone."""
    return str(format_decimal(value, "0.#"))


def tenths(value: float) -> str:
    """Show a measurement to a tenth, in the language of the phone."""
    return str(format_decimal(value, "0.0"))


def percent(share: float) -> str:
    """Show a probability as people read it: whole per cents, and never 0 or 100 for what is not certain."""
    shown = round(share * 100)
    if shown == 0 and share > CERTAIN:
        return "<" + str(format_percent(0.01))
    if shown == 100 and share < 1 - CERTAIN:
        return ">" + str(format_percent(0.99))
    return str(format_percent(shown / 100))


def when(moment: str) -> str:
    """Show a stored time in this machine's own time zone."""
    if not moment:
        return ""
    local = datetime.fromisoformat(moment).astimezone()
    return str(format_datetime(local, "d MMM, HH:mm", rebase=False))
