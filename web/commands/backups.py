"""``dungeon backup`` and ``restore``: copies of the record, made and put back by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.commands.data_folder import data_option

if TYPE_CHECKING:
    from companion.backups import Contents


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--list", "listing", is_flag=True, help="List the copies there are, the newest first.")
@data_option
def backup(file: Path | None, listing: bool, data: Path) -> None:
    """Copy all games to FILE, also while the companion runs.

    Without FILE the copy of today is made or renewed. The companion does that by itself, for each day on
    which something was played; a month of them is kept.
    """
    from datetime import date

    from companion.backups import FILE_NAME, FOLDER, back_up, contents_of, daily_copies

    if listing:
        for copy in daily_copies(data):
            click.echo(f"{copy}  {_told(contents_of(copy))}")
        if not daily_copies(data):
            click.echo("No copies yet.", err=True)
        return
    if file is not None and file.exists():
        raise click.ClickException(f"{file}: this file exists, choose another name")
    target = file or data / FOLDER / f"companion-{date.today().isoformat()}.sqlite3"
    contents = back_up(data / FILE_NAME, target)
    click.echo(f"{target}  {_told(contents)}")


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--yes", is_flag=True, help="Do not ask.")
@data_option
def restore(file: Path | None, yes: bool, data: Path) -> None:
    """Put the copy FILE in the place of all games, the newest copy without FILE.

    What was there before is kept beside the copies. The companion must not be running.
    """
    from companion.backups import contents_of, daily_copies
    from companion.backups import restore as put_back

    copies = daily_copies(data)
    if file is None and not copies:
        raise click.ClickException(f"there is no copy in {data}")
    copy = file or copies[0]
    if not yes:
        click.confirm(f"Put back {copy}  {_told(contents_of(copy))}?", abort=True)
    contents, kept = put_back(data, copy)
    click.echo(f"Put back: {_told(contents)}.")
    if kept is not None:
        click.echo(f"What was there before is kept as {kept}.")


def _told(contents: Contents) -> str:
    newest = f", the last tap {contents.newest[:16]}" if contents.newest else ""
    return f"{contents.games} games, {contents.events} taps{newest}"
