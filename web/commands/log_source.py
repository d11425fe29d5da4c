"""Reading a game's log from a file named on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.commands.small_file import read_small

if TYPE_CHECKING:
    from companion.journal import Journal


def open_log(file: Path) -> tuple[Journal, str | None]:
    """Replay *file* ("-" is standard input).

    Raises:
        click.ClickException: the file cannot be read or a line is illegal.
    """
    from companion.logfile import BadLine, read_log

    try:
        # Only newlines end a line: a name may hold other separators.
        return read_log(read_small(file, "a game's log").split("\n"))
    except BadLine as error:
        raise click.ClickException(f"{file}: {error}") from error
