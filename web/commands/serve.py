"""``dungeon serve``: the companion for everybody's phones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.commands.data_folder import data_option
from web.commands.games import open_tables

if TYPE_CHECKING:
    from web.app import ServedAt
    from web.dungeon_drop.eyes import Eye


@click.command()
@click.option("--host", default="0.0.0.0", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port for http.")
@click.option(
    "--https-port",
    default=None,
    type=click.IntRange(0, 65535),
    help="Also serve https on this port, with a certificate made for this machine.",
)
@click.option("--address", help="Name or address to show to phones instead of the one found.")
@click.option("--unlisted", is_flag=True, help="New games are found by their own QR code only.")
@click.option("--demo", is_flag=True, help="Put a sample game on the start page if there is none yet.")
@click.option(
    "--camera", metavar="SOURCE", help="A camera above the table: its number, a stream, or a folder."
)
@data_option
def serve(
    host: str,
    port: int,
    https_port: int | None,
    address: str | None,
    unlisted: bool,
    demo: bool,
    camera: str | None,
    data: Path,
) -> None:
    """Serve the companion to the phones in this network."""
    from companion.in_use import in_use
    from web.addresses import served_hosts, web_address
    from web.app import ServedAt, create_app
    from web.certificate import ensure_certificate, trusted_through
    from web.daily_copies import DailyCopies
    from web.https_page import identity_of
    from web.memory import give_back_memory
    from web.sample import add_sample
    from web.secret_files import signing_key
    from web.server import Binding, run

    give_back_memory()
    hosts = served_hosts(host, address)
    with in_use(data), open_tables(data) as tables:
        sample = add_sample(tables) if demo else None
        app = create_app(
            tables, signing_key=signing_key(data), photos=data / "photos", eye=_eye(camera, demo=demo)
        )
        eye = app.extensions["eye"]
        if sample and eye:
            app.extensions["looks"].take_frame(sample, eye.look)
        bindings, identity, authority = [Binding(host, port)], None, None
        if https_port is not None:
            files = ensure_certificate(data, hosts)
            bindings.append(Binding(host, https_port, files))
            identity, authority = identity_of(files[0]), trusted_through(data)

        def ready(ports: list[int]) -> None:
            served = ServedAt(
                http=tuple(web_address("http", name, ports[0]) for name in hosts),
                https=tuple(web_address("https", name, p) for name in hosts for p in ports[1:]),
                list_games=not unlisted,
                identity=identity,
                authority=authority,
            )
            app.extensions["served_at"] = served
            announce(served, ports[0], data)

        copies = DailyCopies(data)
        try:
            run(app, bindings, when_ready=ready)
        except OSError as error:
            hint = "cannot listen there, choose another --port or --host"
            raise click.ClickException(f"{hint}: {error}") from error
        finally:
            # Photos that still wait must not keep the program from ending.
            app.extensions["watching"].close()
            app.extensions["looks"].close()
            copies.close()


def _eye(camera: str | None, *, demo: bool) -> Eye | None:
    """Return what looks at the table: a camera if one is named, sample tables in a demo."""
    from web.dungeon_drop.eyes import CameraEye, SampleEye

    if camera is None:
        return SampleEye() if demo else None
    from vision.capture import open_camera

    return CameraEye(open_camera(camera))


def announce(served: ServedAt, port: int, data: Path) -> None:
    """Print where the companion is, with a QR code for the phones."""
    import sys

    import segno

    from web.https_page import identity_of

    click.echo("Dungeon Companion is ready. On this computer:")
    click.echo(f"  http://localhost:{port}/")
    click.echo("On phones in the same Wi-Fi, scan the code or type:")
    for address in (*served.http, *served.https):
        click.echo(f"  {address}")
    if served.identity:
        click.echo("The certificate of the secure address has the SHA-256 fingerprint")
        click.echo(f"  {served.identity.fingerprint}")
    if served.authority:
        click.echo("and was signed by the companion's own authority, which phones may trust (page /https):")
        click.echo(f"  {identity_of(served.authority).fingerprint}")
    try:
        segno.make(served.http[0], error="l").terminal(out=sys.stdout, compact=True)
    except UnicodeEncodeError:  # an old Windows console cannot draw the blocks
        click.echo("(this terminal cannot show the QR code; it is on the start page)")
    click.echo(f"Games are kept in {data}. Stop with Ctrl-C.")
    sys.stdout.flush()
