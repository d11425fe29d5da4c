"""Teach the scanner's networks on a folder of simulated tables.

python -m calibration.training TABLES --out vision/weights

With --on the networks of another folder learn more, instead of new ones from nothing.
Cut off, the same command goes on where it was: what was learned is kept beside the tables until all is done.
"""

from __future__ import annotations

import time
from pathlib import Path

import click


@click.command(help=__doc__)
@click.argument(
    "tables", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("vision/weights"))
@click.option("--spotter-steps", default=6000, show_default=True, help="How long the spotter learns.")
@click.option("--judge-steps", default=30000, show_default=True, help="How long the judge learns.")
@click.option("--variants", default=16, show_default=True, help="Photographs of each table.")
@click.option("--seed", default=1, show_default=True, help="Where the random numbers start.")
@click.option("--fastest", default=3e-3, show_default=True, help="How fast it is learned at most.")
@click.option(
    "--on",
    "taught",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Weights that were taught before and are to learn more.",
)
@click.option("--only", type=click.Choice(["judge", "spotter"]), help="Teach only one of them.")
def main(
    tables: tuple[Path, ...],
    out: Path,
    spotter_steps: int,
    judge_steps: int,
    variants: int,
    seed: int,
    fastest: float,
    taught: Path | None,
    only: str | None,
) -> None:
    # PyTorch takes seconds to load: not for --help.
    import torch

    from calibration.training.examples import judge_examples, spotter_examples
    from calibration.training.export import export, export_arrays
    from calibration.training.going_on import Written
    from calibration.training.judging import train_judge
    from calibration.training.lessons import Lesson
    from calibration.training.teaching import train_spotter
    from vision.patches import PATCH_PX

    files = [file for folder in tables for file in sorted(folder.glob("table-*.npz"))]
    if not files:
        raise click.ClickException(f"no simulated tables in {', '.join(map(str, tables))}")
    started = time.monotonic()
    more = "-more" if taught else ""
    kept = [tables[0] / f"{name}{more}-seed-{seed}.learning" for name in ("spotter", "judge")]
    if only != "judge":
        crops = spotter_examples(files, max(1, variants // 3), seed)
        _say(f"{len(crops)} crops of {len(files)} tables", started)
        spotter = train_spotter(
            crops,
            Lesson(steps=spotter_steps, batch=16, fastest=fastest, seed=seed, half_digits=False),
            kept[0],
            taught,
        )
        export(spotter, torch.zeros(1, 3, 256, 320), out / "spotter.onnx")
        del crops
    if only != "spotter":
        # Taught alone into an empty folder, the judge looks where the scanner's own spotter aims.
        aiming = out if (out / "spotter.onnx").exists() else None
        patches = judge_examples(files, variants, seed + 1, aiming)
        _say(f"{len(patches.classes)} patches of {len(files)} tables", started)
        both = train_judge(
            patches,
            variants,
            Lesson(steps=judge_steps, batch=8, fastest=fastest, seed=seed, half_digits=True),
            kept[1],
            taught,
        )
        # Both folders may be the same.
        before = Written.read(taught) if taught else None
        export(both.judge, torch.zeros(2, 3, PATCH_PX, PATCH_PX), out / "judge.onnx")
        export_arrays(both.council, out / "council.npz")
        if before:
            before.average_into(out)
    for file in kept:
        file.unlink(missing_ok=True)
    _say("done", started)


def _say(what: str, started: float) -> None:
    click.echo(f"{what} ({(time.monotonic() - started) / 60:.1f} minutes)", err=True)


if __name__ == "__main__":
    main()
