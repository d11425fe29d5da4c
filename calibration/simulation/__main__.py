"""Render simulated tables into a folder: python -m calibration.simulation OUT --count 300 --seed 1.

Each table is one file, written whole or not at all; a table that is there already is not rendered again, so a
run that was stopped goes on where it was.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import click
import numpy as np


@click.command(help=__doc__)
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--count", default=300, show_default=True, help="How many tables.")
@click.option("--seed", default=1, show_default=True, help="Where the random numbers start.")
@click.option("--samples", default=16, show_default=True, help="Light paths for each pixel and light.")
@click.option("--width", default=512, show_default=True)
@click.option("--height", default=400, show_default=True)
@click.option("--scale", default=2.1, show_default=True, help="Pixels per millimetre; 0: all cubes in view.")
@click.option("--balanced/--as-in-the-box", default=True, show_default=True, help="More of the rare pieces.")
@click.option("--photos", is_flag=True, help="Write photographs with truth instead of light to learn from.")
@click.option("--touching", default=0, show_default=True, help="Lay out groups of so many that touch.")
@click.option("--glare", is_flag=True, help="Glossy cubes that mirror a lamp into the camera.")
@click.option("--cloth", is_flag=True, help="Black cloth, and gems whose sides gather light.")
@click.option("--littered", is_flag=True, help="Many pens, beads, pawns and papers between the cubes.")
def main(
    out: Path,
    count: int,
    seed: int,
    samples: int,
    width: int,
    height: int,
    scale: float,
    balanced: bool,
    photos: bool,
    touching: int,
    glare: bool,
    cloth: bool,
    littered: bool,
) -> None:
    # Renderer and physics take seconds to load: not for --help.
    import mitsuba as mi

    mi.set_variant("llvm_ad_rgb")
    from calibration.simulation.photos import write_photo
    from calibration.simulation.tables import Plan, render_table
    from calibration.simulation.truth import truth_of

    out.mkdir(parents=True, exist_ok=True)
    plan = Plan(
        size_px=(width, height),
        px_per_mm=scale or None,
        samples=samples,
        balanced=balanced,
        touching=touching,
        glare=glare,
        cloth=cloth,
        littered=littered,
    )
    started, done = time.monotonic(), 0
    for number in range(seed, seed + count):
        path = out / f"table-{number:06d}.{'json' if photos else 'npz'}"
        if path.exists():
            continue
        rendered = render_table(number, plan)
        if photos:
            write_photo(rendered, path, number)
        else:
            half = out / f".{path.name}.{os.getpid()}"
            with half.open("wb") as file:
                np.savez(
                    file,
                    calm=rendered.lights.calm.astype(np.float16),
                    speckles=rendered.lights.speckles.astype(np.float16),
                    truth=json.dumps(truth_of(rendered)),
                )
            half.replace(path)
        done += 1
        left = (seed + count - 1 - number) * (time.monotonic() - started) / done
        click.echo(
            f"{path.name}: {number - seed + 1} of {count}, about {left / 60:.0f} minutes left", err=True
        )


if __name__ == "__main__":
    main()
