"""``dungeon scan``: the cubes in photos of a table."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from vision.pictures import FrameBGR
    from vision.profile import Profile
    from vision.scanner import Scanner
    from vision.seen import Scan

DRAWN_AS = (".png", ".jpg")


@click.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each photo, each in a line.")
@click.option(
    "--empty",
    type=click.Path(path_type=Path),
    metavar="PHOTO",
    help="The same table without cubes, taken from the same place.",
)
@click.option("--profile", metavar="NAME", help="Colours learned from your own pieces.")
@click.option(
    "--overlay",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Draw what was seen into a .png or .jpg file; of several photos into OUT-1, OUT-2, ...",
)
def scan(
    photos: tuple[Path, ...], as_json: bool, empty: Path | None, profile: str | None, overlay: Path | None
) -> None:
    """Find the cubes in each PHOTO (JPEG or PNG) of a table.

    What --json prints is a table for "dungeon rooms". A photo that cannot be read is told in a line, the
    others are still scanned, and the exit status is then 2.
    """
    overlays = _overlays(overlay, photos, empty)
    view = View.prepared(empty, profile)
    progress = Progress(len(photos))
    failed, printed = False, False
    for place, photo in enumerate(photos):
        progress.at(place, photo)
        try:
            frame, seen = view.look_at(photo)
            progress.clear()
            _print(photo, seen, as_json, first=not printed)
            printed = True
            if overlays:
                _draw(overlays[place], frame, seen)
        except click.ClickException as error:
            progress.clear()
            _tell(error)
            failed = True
    if failed:
        sys.exit(2)


@dataclass(frozen=True, slots=True)
class View:
    """The scanner, and what is known of the table besides the photos."""

    scanner: Scanner
    empty: FrameBGR | None
    profile: Profile | None

    @classmethod
    def prepared(cls, empty: Path | None, profile: str | None) -> View:
        """Read what all photos share; small things first, so that a mistyped name is told at once.

        Raises:
            click.ClickException: the picture of the empty table or the profile cannot be used.
        """
        known = _profile(profile) if profile is not None else None
        table = _load(empty) if empty is not None else None
        # Loads OpenCV and the networks: only here, because "dungeon --help" must not wait for them.
        from vision.scanner import Scanner

        return cls(Scanner(), table, known)

    def look_at(self, photo: Path) -> tuple[FrameBGR, Scan]:
        """Read and scan a photo.

        Raises:
            click.ClickException: it cannot be read, or the empty table was taken in another size.
        """
        from vision.focal import told_focal_px
        from web.dungeon_drop.scan_words import size_differs

        frame = _load(photo)
        if self.empty is not None and self.empty.shape != frame.shape:
            why = size_differs(_size(self.empty), _size(frame))
            raise click.ClickException(f"{photo}: {why}")
        focal_px = told_focal_px(photo)
        seen = self.scanner.scan(frame, focal_px=focal_px, empty=self.empty, profile=self.profile)
        return frame, seen


class Progress:
    """A line on the terminal that says which photo is looked at; it leaves nothing behind.

    Results may go to the same terminal, so it is wiped before each; a bar would be torn to pieces.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self.shown = total > 1 and sys.stderr.isatty()
        self.letters = 0

    def at(self, place: int, photo: Path) -> None:
        """Show that a photo is being looked at."""
        if self.shown:
            line = f"{place + 1}/{self.total} {photo.name}"[:70]
            click.echo(line, nl=False, err=True)
            self.letters = len(line)

    def clear(self) -> None:
        """Wipe the line."""
        if self.letters:
            click.echo("\r" + " " * self.letters + "\r", nl=False, err=True)
            self.letters = 0


def _overlays(overlay: Path | None, photos: tuple[Path, ...], empty: Path | None) -> list[Path]:
    """Return where each photo is drawn; what cannot be written is refused before any work is done."""
    if overlay is None:
        return []
    if overlay.suffix.lower() not in DRAWN_AS:
        raise click.BadParameter(f"{overlay}: a picture must end in .png or .jpg", param_hint="--overlay")
    files = [overlay]
    if len(photos) > 1:
        files = [overlay.with_stem(f"{overlay.stem}-{number}") for number in range(1, len(photos) + 1)]
    given = {os.path.realpath(photo) for photo in (*photos, *([empty] if empty else []))}
    for file in files:
        if file.is_dir():
            raise click.BadParameter(f"{file}: this is a folder", param_hint="--overlay")
        if os.path.realpath(file) in given:
            raise click.BadParameter(f"{file}: this would overwrite a photo", param_hint="--overlay")
    folder = overlay.parent
    if not folder.is_dir():
        raise click.BadParameter(f"{folder}: there is no such folder", param_hint="--overlay")
    if not os.access(folder, os.W_OK):
        raise click.BadParameter(f"{folder}: nothing may be written there", param_hint="--overlay")
    return files


def _profile(name: str) -> Profile:
    from calibration.profiles import NoProfile, load_profile
    from web.commands.data_folder import default_folder

    try:
        return load_profile(name, default_folder())
    except NoProfile as error:
        raise click.BadParameter(str(error), param_hint="--profile") from error


def _load(photo: Path) -> FrameBGR:
    from vision.photo import BadPicture, load_photo
    from web.dungeon_drop.scan_words import WHY_REFUSED

    try:
        return load_photo(photo)
    except BadPicture as error:
        raise click.ClickException(f"{photo}: {WHY_REFUSED[error.why]}") from error
    except OSError as error:
        raise click.ClickException(f"{photo}: {error.strerror}") from error


def _size(frame: FrameBGR) -> tuple[int, int]:
    height, width = frame.shape[:2]
    return width, height


def _print(photo: Path, seen: Scan, as_json: bool, *, first: bool) -> None:
    """Print a result; click flushes it at once, so that a program need not wait for the other photos."""
    from web.dungeon_drop.scan_report import report, summary

    if as_json:
        click.echo(json.dumps(report(seen), allow_nan=False))
        return
    if not first:
        click.echo()
    click.echo(f"{photo}: " + "\n".join(summary(seen)))


def _draw(file: Path, frame: FrameBGR, seen: Scan) -> None:
    """Draw what was seen into a file: whole or not at all.

    Raises:
        click.ClickException: it cannot be written.
    """
    from web.dungeon_drop.scan_picture import draw_scan, write_picture

    content = write_picture(draw_scan(frame, seen), file.suffix.lower())
    part = file.with_name(f"{file.name}.part")
    try:
        part.write_bytes(content)
        part.replace(file)
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _tell(error: click.ClickException) -> None:
    """Tell of one photo in the words of every error of this command, and go on with the others."""
    click.echo("dungeon: " + " ".join(error.format_message().split()), err=True)
