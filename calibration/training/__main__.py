"""Teach the scanner's networks on a folder of simulated tables.

python -m calibration.training TABLES --out vision/weights

Cut off, the same command goes on where it was: what was learned is kept beside the tables until all is done.
"""

from __future__ import annotations

import time
from pathlib import Path

import click


@click.command(help=__doc__)
@click.argument("tables", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("vision/weights"))
@click.option("--spotter-steps", default=2400, show_default=True, help="How long the spotter learns.")
@click.option("--judge-steps", default=16000, show_default=True, help="How long the judge learns.")
@click.option("--variants", default=18, show_default=True, help="Photographs of each table.")
@click.option("--seed", default=1, show_default=True, help="Where the random numbers start.")
@click.option("--only", type=click.Choice(["judge", "spotter"]), help="Teach only one of them.")
def main(
    tables: Path, out: Path, spotter_steps: int, judge_steps: int, variants: int, seed: int, only: str | None
) -> None:
    # PyTorch takes seconds to load: not for --help.
    import torch

    from calibration.training.examples import judge_examples, spotter_examples
    from calibration.training.export import export, export_arrays
    from calibration.training.judging import train_judge
    from calibration.training.lessons import Lesson
    from calibration.training.teaching import train_spotter
    from vision.patches import PATCH_PX

    files = sorted(tables.glob("table-*.npz"))
    if not files:
        raise click.ClickException(f"no simulated tables in {tables}")
    started = time.monotonic()
    kept = [tables / f"{name}-seed-{seed}.learning" for name in ("spotter", "judge")]
    if only != "judge":
        crops = spotter_examples(files, max(1, variants // 3), seed)
        _say(f"{len(crops)} crops of {len(files)} tables", started)
        spotter = train_spotter(
            crops,
            Lesson(steps=spotter_steps, batch=16, fastest=3e-3, seed=seed, half_digits=False),
            kept[0],
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
            Lesson(steps=judge_steps, batch=8, fastest=3e-3, seed=seed, half_digits=True),
            kept[1],
        )
        export(both.judge, torch.zeros(2, 3, PATCH_PX, PATCH_PX), out / "judge.onnx")
        export_arrays(both.council, out / "council.npz")
    for file in kept:
        file.unlink(missing_ok=True)
    _say("done", started)


def _say(what: str, started: float) -> None:
    click.echo(f"{what} ({(time.monotonic() - started) / 60:.1f} minutes)", err=True)


if __name__ == "__main__":
    main()
