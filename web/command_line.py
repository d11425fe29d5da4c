"""The ``dungeon`` command. Each subcommand lives in its own file and imports what it needs when it runs."""

from __future__ import annotations

import sys
from typing import Any

import click

from companion.errors import CompanionError
from web.commands.accuracy import accuracy
from web.commands.backups import backup, restore
from web.commands.calibrate import calibrate
from web.commands.games import export_game, free_seat, import_game, list_games
from web.commands.markers import markers
from web.commands.odds import odds
from web.commands.replay import replay
from web.commands.rooms import rooms
from web.commands.scan import scan
from web.commands.serve import serve


class OneLineErrors(click.Group):
    """A command group whose errors are one clear line on stderr and exit status 2."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command; turn what a person can cause into one line."""
        try:
            return super().main(*args, **{**kwargs, "standalone_mode": False})
        except click.exceptions.Exit as stop:
            sys.exit(stop.exit_code)
        except click.Abort:
            sys.exit(130)
        except click.ClickException as error:
            _fail(error.format_message())
        except CompanionError as error:
            _fail(str(error))
        except BrokenPipeError:
            sys.exit(1)
        except OSError as error:
            _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def _fail(text: str) -> None:
    click.echo("dungeon: " + " ".join(text.split()), err=True)
    sys.exit(2)


@click.group(
    cls=OneLineErrors,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="dungeon-companion", prog_name="dungeon")
@click.pass_context
def dungeon(context: click.Context) -> None:
    """A companion on everybody's phone for dungeon games played with real pieces."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (
    serve,
    scan,
    calibrate,
    accuracy,
    rooms,
    odds,
    markers,
    replay,
    list_games,
    export_game,
    import_game,
    free_seat,
    backup,
    restore,
):
    dungeon.add_command(command)
