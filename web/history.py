"""The history of a table in words, with a way back to every moment."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from web.at_table import welcome
from web.play import undo_words

bp = Blueprint("history", __name__, url_prefix="/t/<code>/history")


@bp.get("/")
def read(code: str) -> ResponseReturnValue:
    """List what happened, newest first."""
    visit = welcome(code)
    journal = visit.journal
    moments = [
        {
            "seq": step.entry.seq,
            "at": step.entry.at,
            "who": visit.row.players[step.entry.by],
            "words": journal.words(place),
            "newest": place == len(journal.steps) - 1,
        }
        for place, step in enumerate(journal.steps)
    ]
    return render_template("history.html", guest=visit.guest, moments=moments[::-1], **undo_words(visit))
