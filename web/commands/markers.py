"""``dungeon markers``: the marker cards to print."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True))
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Size of the paper."
)
def markers(out: Path, paper: str) -> None:
    """Write the four marker cards as a page to print in true size.

    OUT is an .svg file, or - for standard output. Any browser opens and prints it; the page has a line to
    check that the printer kept the size.
    """
    from calibration.marker_cards import Paper, draw_cards

    page = draw_cards(Paper(paper))
    if str(out) == "-":
        click.echo(page)
        return
    if out.suffix.lower() != ".svg":
        raise click.BadParameter(f"{out}: the page is an .svg file", param_hint="OUT")
    out.write_text(page, encoding="utf-8")
    click.echo(f"Print {out} at 100 % and measure its line of 100 mm.", err=True)
