"""``dungeon accuracy``: how well the scanner sees, on pictures whose truth is known."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from calibration.accuracy.run import MeasuredSet
    from vision.pictures import FrameBGR
    from vision.seen import Scan
    from web.commands.scan import View


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...", type=click.Path(path_type=Path))
@click.option(
    "--json", "values", type=click.Path(path_type=Path), metavar="OUT", help="Write every figure into a file."
)
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path),
    metavar="OUT.html",
    help="Write a page with the figures and the worst pictures.",
)
@click.option(
    "--empty", type=click.Path(path_type=Path), metavar="PHOTO", help="The same table without cubes."
)
@click.option("--profile", metavar="NAME", help="Colours learned from your own pieces.")
@click.option(
    "--worst",
    default=6,
    show_default=True,
    type=click.IntRange(0, 1000),
    metavar="N",
    help="How many of the worst pictures of each folder are named and shown.",
)
@click.option(
    "--steady",
    is_flag=True,
    help="Also turn, resize and light each picture otherwise and count what changes. Not with --empty.",
)
def accuracy(
    folders: tuple[Path, ...],
    values: Path | None,
    page: Path | None,
    empty: Path | None,
    profile: str | None,
    worst: int,
    steady: bool,
) -> None:
    """Scan the pictures of each FOLDER and tell how much of what was seen is true.

    A folder holds pairs: NAME.jpg, and NAME.json with the cubes that are on it. Each folder is a set with
    figures of its own: the targets, then groups by table, tilt, light, marker cards and kind of cube.
    """
    for file, option in ((values, "--json"), (page, "--html")):
        if file is not None:
            _check(file, option)
    if steady and empty is not None:
        raise click.BadParameter(
            "a turned or resized photo has no empty table", param_hint="--steady, --empty"
        )
    sets = _measured(folders, empty, profile, steady)
    _print(sets, worst)
    if values is not None:
        from calibration.accuracy.values import report_values

        _write(values, json.dumps(report_values(sets), allow_nan=False))
    if page is not None:
        _write(page, _page(sets, worst))


def _measured(
    folders: tuple[Path, ...], empty: Path | None, profile: str | None, steady: bool
) -> tuple[MeasuredSet, ...]:
    """Scan all pictures; all truths are read first, so that a broken one is told at once.

    Raises:
        click.ClickException: a truth, a picture, the empty table or the profile cannot be used.
    """
    from calibration.accuracy.run import MeasuredSet, measure
    from calibration.accuracy.steadiness import CHANGES
    from calibration.accuracy.truths import BadTruth, read_folder
    from web.commands.scan import Progress, View
    from web.dungeon_drop.score_kept import score_kept

    try:
        sets = {folder: read_folder(folder) for folder in folders}
    except BadTruth as error:
        raise click.ClickException(str(error)) from error
    view = View.prepared(empty, profile)
    progress = Progress(sum(map(len, sets.values())))
    places = iter(range(progress.total))

    def watch(photo: Path) -> None:
        progress.clear()
        progress.at(next(places), photo)

    try:
        return tuple(
            MeasuredSet(
                str(folder),
                measure(
                    pictures, lambda frame: _scan(view, frame), score_kept, watch, CHANGES if steady else ()
                ),
            )
            for folder, pictures in sets.items()
        )
    except BadTruth as error:
        raise click.ClickException(str(error)) from error
    finally:
        progress.clear()


def _scan(view: View, frame: FrameBGR) -> Scan:
    from web.dungeon_drop.scan_words import size_differs

    if view.empty is not None and view.empty.shape != frame.shape:
        (height, width), (empty_height, empty_width) = frame.shape[:2], view.empty.shape[:2]
        why = size_differs((empty_width, empty_height), (width, height))
        raise click.BadParameter(str(why), param_hint="--empty")
    return view.scanner.scan(frame, empty=view.empty, profile=view.profile)


def _print(sets: tuple[MeasuredSet, ...], worst: int) -> None:
    from calibration.accuracy.listing import list_set

    for place, measured in enumerate(sets):
        if place:
            click.echo()
        for line in list_set(measured, worst):
            click.echo(line)


def _page(sets: tuple[MeasuredSet, ...], worst: int) -> str:
    from datetime import date

    from calibration.accuracy.page import report_page

    return report_page(sets, worst, date.today())


def _check(file: Path, option: str) -> None:
    """Refuse what cannot be written before minutes of work are done."""
    if file.is_dir():
        raise click.BadParameter(f"{file}: this is a folder", param_hint=option)
    if not file.parent.is_dir():
        raise click.BadParameter(f"{file.parent}: there is no such folder", param_hint=option)
    if not os.access(file.parent, os.W_OK):
        raise click.BadParameter(f"{file.parent}: nothing may be written there", param_hint=option)


def _write(file: Path, content: str) -> None:
    """Write a file whole or not at all.

    Raises:
        click.ClickException: it cannot be written.
    """
    part = file.with_name(f"{file.name}.part")
    try:
        part.write_text(content, encoding="utf-8")
        part.replace(file)
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
