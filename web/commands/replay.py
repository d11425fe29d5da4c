"""``dungeon replay``: what a game's log leads to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.commands.log_source import open_log

if TYPE_CHECKING:
    from companion.journal import Journal


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def replay(file: Path, as_json: bool) -> None:
    """Replay a game's JSON-lines log and print its state and outcome.

    The first illegal line, if there is one, is named and ends with exit status 2.
    """
    journal, _created = open_log(file)
    if as_json:
        click.echo(json.dumps(report(journal), ensure_ascii=False))
    else:
        _print(journal)


def report(journal: Journal) -> dict[str, Any]:
    """Return state, outcome and history as plain JSON values."""
    from companion.codec import encode

    outcome = journal.outcome
    return {
        "schema": 1,
        "game": journal.setup.game,
        "players": list(journal.setup.players),
        "first": journal.setup.first,
        "options": encode(journal.setup.options),
        "version": journal.version,
        "state": encode(journal.state),
        "outcome": None
        if outcome is None
        else {"reason": str(outcome.reason), "placings": encode(outcome.placings)},
        "history": [
            {
                "seq": step.entry.seq,
                "by": step.entry.by,
                "at": step.entry.at,
                "event": journal.rules.codec.write(step.event),
                "words": [str(sentence) for sentence in journal.words(place)],
            }
            for place, step in enumerate(journal.steps)
        ],
    }


def _print(journal: Journal) -> None:
    names = journal.setup.players
    click.echo(f"{journal.rules.title}: {', '.join(names)}")
    for place, step in enumerate(journal.steps):
        words = " ".join(str(sentence) for sentence in journal.words(place))
        click.echo(f"{step.entry.seq:>4}  {names[step.entry.by]}: {words}")
    outcome = journal.outcome
    if outcome is None:
        click.echo("The game is not finished.")
        return
    click.echo(str(outcome.reason))
    for placing in outcome.placings:
        score = "" if placing.score is None else f"{placing.score:>5}"
        click.echo(f"{placing.rank}. {names[placing.seat]:<24}{score}")
