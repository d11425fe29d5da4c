"""Reading a small text file named on the command line."""

from __future__ import annotations

from pathlib import Path

import click

MAX_BYTES = 20_000_000


def read_small(file: Path, what: str) -> str:
    """Return the text of *file* ("-" is standard input); of one too large, no more is read than shows it.

    Raises:
        click.ClickException: it is too large to be *what* it should be, or not a text.
    """
    with click.open_file(str(file), "rb") as stream:
        data: bytes = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise click.ClickException(f"{file}: larger than {MAX_BYTES // 1_000_000} MB, not {what}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{file}: not a text file in UTF-8") from error
