"""Where games are kept, and the ``--data`` option that chooses another place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from platformdirs import user_data_path


def default_folder() -> Path:
    """Return the folder in which this system keeps a program's data."""
    return user_data_path("dungeon-companion", appauthor=False)


def data_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--data DIR`` to a command, as an argument called *data*."""
    return click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        default=default_folder,
        show_default="the system's data folder",
        help="Folder that keeps the games.",
    )(command)
