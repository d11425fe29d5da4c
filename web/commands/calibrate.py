"""``dungeon calibrate``: colour profiles of an owner's pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.message import Message, say, say_many
from web.commands.data_folder import data_option
from web.commands.small_file import read_small

if TYPE_CHECKING:
    from calibration.profiles import NoProfile
    from calibration.sample_layout import LabelledCubes, Piece
    from vision.profile import Profile
    from vision.scanner import Scanner
    from vision.seen import Scan, SeenCube


@click.group(invoke_without_command=True)
@click.pass_context
def calibrate(context: click.Context) -> None:
    """Teach the scanner the colours of your own pieces in your light.

    Lay pieces out as "dungeon calibrate show" says and give a photo of them to "dungeon calibrate photo".
    Then "dungeon scan --profile NAME" uses what it learned wherever that helps.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@calibrate.command()
def show() -> None:
    """Show in which order to lay out the pieces."""
    from calibration.sample_layout import LAYOUT, SOLO_ROW

    click.echo(say("Lay these pieces out in rows, two fingers apart, and take a photo from above:"))
    for number, row in enumerate(LAYOUT, start=1):
        _draw_row(number, row)
    click.echo()
    click.echo(say("The last row is for those who play alone; it may be left out:"))
    _draw_row(len(LAYOUT) + 1, SOLO_ROW)


@calibrate.command("photo")
@click.argument("photo", type=click.Path(path_type=Path))
@click.option("--name", required=True, help="Name of the profile; one that exists gets more samples.")
@click.option(
    "--labels",
    type=click.Path(path_type=Path, allow_dash=True),
    metavar="SCAN.json",
    help='What "dungeon scan --json" said of this photo, with the types put right (- for standard input).',
)
@click.option("--replace", "anew", is_flag=True, help="Forget the samples that the profile had.")
@data_option
def from_photo(photo: Path, name: str, labels: Path | None, anew: bool, data: Path) -> None:
    """Learn from one PHOTO of pieces laid out in rows, or of any table with --labels."""
    from calibration.profiles import save_profile, tidy_name, with_samples
    from calibration.sample_layout import laid_out
    from vision.profile import Profile

    with _refusals(photo):
        tidy = tidy_name(name)
        profile = Profile.empty(tidy) if anew else _known(tidy, data)
        wanted = _corrected(labels) if labels else None
        # Loads OpenCV and the networks: not before the small mistakes have been told.
        from vision.photo import load_photo
        from vision.scanner import Scanner

        frame, scanner = load_photo(photo), Scanner()
        if wanted and wanted.size_px != frame.shape[1::-1]:
            raise click.ClickException(str(say("%(file)s: This scan is of another photo.", file=str(labels))))
        cubes = wanted or laid_out(scanner.scan(frame))
        profile = with_samples(profile, frame, cubes.centres_px, cubes.reach_px, cubes.kinds)
        save_profile(profile, data)
    click.echo(_learned(profile, len(cubes.kinds)))
    click.echo(_measured(profile, scanner))


@calibrate.command("list")
@data_option
def list_all(data: Path) -> None:
    """List all profiles."""
    from calibration.profiles import list_profiles

    listed = list_profiles(data)
    wide = max((len(profile.name) for profile in listed), default=0)
    for profile in listed:
        told = say(
            "%(samples)s of %(kinds)s",
            samples=say_many("%(count)d sample", "%(count)d samples", profile.samples),
            kinds=say_many("%(count)d kind", "%(count)d kinds", profile.kinds),
        )
        if profile.why:
            told = say("cannot be used: damaged, or made by a newer version")
        click.echo(f"{profile.name:<{wide}}  {profile.created[:10]:<10}  {told}")
    if not listed:
        click.echo(say("No profiles yet."), err=True)


@calibrate.command()
@click.argument("old")
@click.argument("new")
@data_option
def rename(old: str, new: str, data: Path) -> None:
    """Give the profile OLD the name NEW."""
    from calibration.profiles import rename_profile

    with _refusals():
        rename_profile(old, new, data)


@calibrate.command("export")
@click.argument("name")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@data_option
def export_to(name: str, file: Path, data: Path) -> None:
    """Write the profile NAME into FILE, for another companion."""
    from calibration.profiles import export_profile

    with _refusals():
        try:
            export_profile(name, data, file)
        except OSError as error:
            raise click.ClickException(f"{file}: {error.strerror}") from error


@calibrate.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", help="Another name for it.")
@data_option
def import_from(file: Path, name: str | None, data: Path) -> None:
    """Add a profile from FILE, and print its name."""
    from calibration.profiles import import_profile

    with _refusals():
        click.echo(import_profile(file, data, name).name)


@calibrate.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@data_option
def delete(name: str, yes: bool, data: Path) -> None:
    """Delete the profile NAME."""
    from calibration.profiles import delete_profile

    if not yes:
        click.confirm(str(say("Delete the profile %(name)s?", name=name)), abort=True, err=True)
    with _refusals():
        delete_profile(name, data)


@calibrate.command()
@click.argument("name")
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...", type=click.Path(path_type=Path))
@data_option
def compare(name: str, photos: tuple[Path, ...], data: Path) -> None:
    """Scan each PHOTO without and with the profile NAME, and say what it changes."""
    from calibration.profiles import load_profile
    from web.commands.scan import View

    with _refusals():
        profile = load_profile(name, data)
    without = View.prepared(None, None)
    using = replace(without, profile=profile)
    for photo in photos:
        click.echo(f"{photo}: " + "\n".join(_changes(without.look_at(photo)[1], using.look_at(photo)[1])))


@contextmanager
def _refusals(photo: Path | None = None) -> Iterator[None]:
    """Tell in one line what is wrong with a profile, its name or a photo."""
    from calibration.profiles import NoProfile
    from calibration.sample_layout import NotTheLayout
    from vision.photo import BadPicture
    from web.dungeon_drop.layout_words import why_not_the_layout
    from web.dungeon_drop.scan_words import WHY_REFUSED

    try:
        yield
    except NoProfile as error:
        raise click.ClickException(str(_why(error))) from error
    except NotTheLayout as error:
        order = say(
            "Most cubes do not look like what should be in their places: compare the order with "
            '"dungeon calibrate show".'
        )
        raise click.ClickException(f"{photo}: {why_not_the_layout(error, order)}") from error
    except BadPicture as error:
        raise click.ClickException(f"{photo}: {WHY_REFUSED[error.why]}") from error


def _why(error: NoProfile) -> Message:
    """Return in words why there is no such profile."""
    from calibration.profiles import Why

    name = str(error.name)
    words = {
        Why.MISSING: say("There is no profile called %(name)s.", name=name),
        Why.BAD_NAME: say(
            "%(name)s cannot be the name of a profile: use up to 40 letters, digits, spaces, - and _.",
            name=name,
        ),
        Why.TAKEN: say("There is already a profile called %(name)s.", name=name),
        Why.TOO_LARGE: say("%(name)s: This is larger than 5 MB and no profile.", name=name),
        Why.NOT_A_PROFILE: say("%(name)s: This is not a profile, or it is damaged.", name=name),
        Why.NEWER: say("%(name)s: A newer version of the companion made this profile.", name=name),
        Why.TOO_MANY: say("%(name)s: A profile has at most 500 samples.", name=name),
        Why.BAD_PATCH: say("%(name)s: A sample of this profile is damaged.", name=name),
    }
    return words[error.why]


def _known(name: str, data: Path) -> Profile:
    """Return the profile of that name, or a new one."""
    from calibration.profiles import NoProfile, Why, load_profile
    from vision.profile import Profile

    try:
        return load_profile(name, data)
    except NoProfile as error:
        if error.why is not Why.MISSING:
            raise
        return Profile.empty(name)


def _corrected(file: Path) -> LabelledCubes:
    """Read a scan whose types somebody put right."""
    from calibration.sample_layout import corrected

    try:
        return corrected(json.loads(read_small(file, "a scan")))
    except (ValueError, RecursionError) as error:
        why = say('%(file)s: This is not what "dungeon scan --json" prints.', file=str(file))
        raise click.ClickException(str(why)) from error


def _learned(profile: Profile, added: int) -> Message:
    return say(
        "%(name)s: %(added)s added; now %(samples)s of %(kinds)s.",
        name=profile.name,
        added=say_many("%(count)d sample", "%(count)d samples", added),
        samples=say_many("%(count)d sample", "%(count)d samples", len(profile)),
        kinds=say_many("%(count)d kind", "%(count)d kinds", len(set(profile.kinds))),
    )


def _measured(profile: Profile, scanner: Scanner) -> Message:
    """Return in words what the samples, each named by the others, are worth."""
    from vision.profile import ProfileSettings, fitted, profile_looks

    fit = fitted(profile_looks(profile, scanner.network))
    if fit.tests < ProfileSettings().least_tests:
        return say("That is not enough yet: two or more samples of several kinds are needed.")
    if fit.weight == 0:
        return say("The scanner knows these pieces well already: the profile changes nothing.")
    right = round(fit.tests - fit.errors)
    return say(
        "From the other samples alone, %(right)d of %(tests)d are named right.", right=right, tests=fit.tests
    )


def _changes(without: Scan, using: Scan) -> Iterator[str]:
    """Give lines that say what a profile changes in a scan."""
    from web.dungeon_drop.scan_words import mark_of, place_in_words

    pairs = list(_pairs(without, using))
    changed = [(before, after) for before, after in pairs if before.kind != after.kind]
    yield str(
        say(
            "The profile changes %(changed)d of %(cubes)s; the scanner is %(before)d %% sure without it "
            "and %(after)d %% with it.",
            changed=len(changed) + abs(len(using.cubes) - len(without.cubes)),
            cubes=say_many("%(count)d cube", "%(count)d cubes", len(without.cubes)),
            before=_mean_confidence(without),
            after=_mean_confidence(using),
        )
    )
    for before, after in changed:
        x, y = (round(float(at)) for at in before.centre_px)
        yield "  " + str(
            say(
                "%(place)s (%(x)d, %(y)d): %(before)s becomes %(after)s",
                place=place_in_words(before, without.size_px),
                x=x,
                y=y,
                before=mark_of(before).name,
                after=mark_of(after).name,
            )
        )


def _pairs(without: Scan, using: Scan) -> Iterator[tuple[SeenCube, SeenCube]]:
    """Give the cubes of two scans of one photo that are at the same place; ids may differ."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    from calibration.sample_layout import reach

    if not without.cubes or not using.cubes:
        return
    first, second = (np.array([cube.centre_px for cube in scan.cubes]) for scan in (without, using))
    apart = np.linalg.norm(first[:, None] - second[None], axis=2)
    for one, other in zip(*linear_sum_assignment(apart), strict=True):
        before = without.cubes[one]
        if apart[one, other] < reach(before.outline_px, before.centre_px):
            yield before, using.cubes[other]


def _mean_confidence(scan: Scan) -> int:
    return round(100 * sum(cube.confidence for cube in scan.cubes) / max(len(scan.cubes), 1))


def _draw_row(number: int, row: tuple[Piece, ...]) -> None:
    """Print a row of pieces: their kinds, and their sizes below."""
    from companion.dungeon_drop.pieces import Kind
    from web.dungeon_drop.marks import MARKS
    from web.dungeon_drop.scan_words import SIZE_NAMES

    names = [str(MARKS[Kind(kind)].name) for kind, _ in row]
    sizes = [str(SIZE_NAMES[size]) for _, size in row]
    click.echo()
    click.echo(f"{number:>3}  " + " ".join(f"{name:<10}" for name in names).rstrip())
    click.echo("     " + " ".join(f"{size:<10}" for size in sizes).rstrip())
