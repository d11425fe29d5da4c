"""Games as files: export from a table, import on the start page."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import BadData, IllegalEvent
from companion.journal import Journal, is_control
from companion.logfile import read_log, write_log
from companion.message import say
from companion.trail import Entry, Trail
from web.at_table import the_tables, this_device, welcome

bp = Blueprint("transfer", __name__)

MAX_LOG = 5_000_000


@bp.get("/t/<code>/log.jsonl")
def export(code: str) -> ResponseReturnValue:
    """Hand out the game's log; while it holds secrets of players, not before its end."""
    visit = welcome(code)
    if visit.journal.rules.keeps_secrets and visit.row.result is None:
        raise IllegalEvent(say("This game holds secrets; it can be saved to a file once it is finished."))
    lines = "".join(write_log(_shared(visit.journal), created=visit.row.created))
    response = Response(lines, mimetype="application/jsonl")
    name = f"{visit.row.game}-{visit.row.created[:10]}.jsonl"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _shared(journal: Journal) -> Journal:
    """Return the game with what only single players know left out."""
    rules = journal.rules

    def public(entry: Entry) -> Entry:
        if is_control(entry.body):
            return entry
        event = rules.codec.read(entry.body)
        known = rules.without_secrets(event)
        if known == event:
            return entry
        # As if it had never been written down: not even that there was a secret.
        body = {key: value for key, value in rules.codec.write(known).items() if value is not None}
        return replace(entry, body=body)

    return replace(journal, entries=Trail.of(public(entry) for entry in journal.entries))


@bp.post("/import")
def import_log() -> ResponseReturnValue:
    """Add a game from a file; the phone that brings it is its host."""
    file = request.files.get("file")
    if file is None or not file.filename:
        raise BadData(say("Please choose a file first."))
    data = file.stream.read(MAX_LOG + 1)
    if len(data) > MAX_LOG:
        raise BadData(say("This file is too large to be a game."))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadData(say("This file is not a saved game.")) from error
    journal, created = read_log(text.split("\n"))
    code = the_tables().adopt(journal, created, host=this_device())
    return redirect(url_for("seats.choose", code=code), 303)
