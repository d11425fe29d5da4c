"""Reading a game's log from a file named on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.journal import Journal

MAX_BYTES = 20_000_000


def open_log(file: Path) -> tuple[Journal, str | None]:
    """Replay *file* ("-" is standard input).

    Raises:
        click.ClickException: the file cannot be read or a line is illegal.
    """
    from companion.logfile import BadLine, read_log

    with click.open_file(str(file), "rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise click.ClickException(f"{file}: larger than {MAX_BYTES // 1_000_000} MB, not a game's log")
    try:
        # Only newlines end a line: a name may hold other separators.
        return read_log(data.decode("utf-8-sig").split("\n"))
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{file}: not a text file in UTF-8") from error
    except BadLine as error:
        raise click.ClickException(f"{file}: {error}") from error
