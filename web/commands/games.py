"""``dungeon games``, ``export``, ``import`` and ``free-seat``: the record from the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.commands.data_folder import data_option
from web.commands.log_source import open_log

if TYPE_CHECKING:
    from companion.tables import Tables


@contextmanager
def open_tables(data: Path) -> Iterator[Tables]:
    """Open the record in *data*, and close it afterwards."""
    from companion.store import Store
    from companion.tables import Tables

    store = Store(data)
    try:
        yield Tables(store)
    finally:
        store.close()


@click.command("games")
@data_option
def list_games(data: Path) -> None:
    """List all games with their codes."""
    with open_tables(data) as tables:
        rows = tables.store.games_for(None)
    for row in rows:
        ended = "finished" if row.result else "open"
        click.echo(f"{row.code}  {row.game:<10}  {ended:<8}  {row.touched[:16]}  {', '.join(row.players)}")
    if not rows:
        click.echo("No games yet.", err=True)


@click.command("export")
@click.argument("code")
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write; default stdout."
)
@data_option
def export_game(code: str, out: Path | None, data: Path) -> None:
    """Write a game as a JSON-lines log."""
    from companion.logfile import write_log

    with open_tables(data) as tables:
        text = "".join(write_log(tables.open(code), created=tables.store.game(code).created))
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@data_option
def import_game(file: Path, data: Path) -> None:
    """Add a game from a JSON-lines log and print its code."""
    journal, created = open_log(file)
    with open_tables(data) as tables:
        click.echo(tables.adopt(journal, created))


@click.command("free-seat")
@click.argument("code")
@click.argument("player")
@data_option
def free_seat(code: str, player: str, data: Path) -> None:
    """Free the seat of PLAYER (a name) for another phone."""
    with open_tables(data) as tables:
        names = [name.casefold() for name in tables.store.game(code).players]
        if player.casefold() not in names:
            raise click.ClickException(f"no player called {player} at this table")
        tables.store.free_seat(code, names.index(player.casefold()))
