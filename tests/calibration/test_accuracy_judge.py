"""Our figures are those of the tool that judges the scanner, where that tool is at hand."""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from calibration.accuracy.confusions import NOTHING, confusion_matrix
from calibration.accuracy.figures import judge, pooled
from calibration.accuracy.truths import read_folder
from calibration.accuracy.values import figure_values
from tests.calibration.accuracy_cases import spoiled
from vision.pieces import KINDS
from web.dungeon_drop.score_kept import score_kept

SHARED = Path(__file__).parents[3] / "shared"
TOOL = SHARED / "tools" / "eval_scan.py"

pytestmark = pytest.mark.skipif(not TOOL.is_file(), reason="the judge's tool is not here")


@pytest.fixture(scope="module")
def tool():
    """Load the judge without leaving its folder on the path."""
    sys.path.insert(0, str(TOOL.parent))
    try:
        spec = importlib.util.spec_from_file_location("eval_scan", TOOL)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(TOOL.parent))
        sys.modules.pop("oracle", None)


def as_json(scan):
    names = ("outline_px", "centre_px", "centre_mm", "footprint_mm")
    return {
        "cubes": [
            {"id": cube.id, "type": cube.kind.value, "size": cube.size.value}
            | {name: getattr(cube, name).tolist() for name in names}
            for cube in scan.cubes
        ]
    }


def both(tool, folder, share, count):
    """Judge badly scanned pictures twice: with our code and with the tool."""
    ours, theirs = [], []
    for seed, picture in enumerate(read_folder(SHARED / "photos" / folder)[:count]):
        scan = spoiled(picture, np.random.default_rng(seed), share=share)
        truth = json.loads(picture.photo.with_suffix(".json").read_text("utf-8"))
        ours.append(judge(picture, scan, score_kept))
        theirs.append(tool.evaluate(truth, as_json(scan)))
    return ours, theirs


# The tool's rooms take a second for each picture: few pictures, but of every sort of mistake.
@pytest.mark.parametrize(
    ("folder", "share", "count"),
    [("rendered", 0.0, 1), ("rendered", 0.02, 2), ("rendered", 0.2, 1), ("real", 0.05, 7), ("real", 0.4, 7)],
)
def test_the_figures_are_the_same(tool, folder, share, count):
    ours, theirs = both(tool, folder, share, count)

    for row, told in zip(ours, theirs, strict=True):
        counts = row.counts
        mine = (counts.cubes, counts.found, counts.matched, counts.typed, counts.sized, counts.pillars)
        assert mine == tuple(
            told[name] for name in ("truth", "found", "matched", "typed", "sized", "pillars")
        )
        assert (counts.pillars_right, counts.false_pillars) == (told["pillars_ok"], told["false_pillars"])
        assert bool(counts.perfect) == told["perfect"]
        errors = row.positions.errors_mm if row.positions else []
        assert sorted(errors) == pytest.approx(sorted(told.get("error_mm", [])), abs=1e-6)
        assert (row.positions.scale_error if row.positions else None) == pytest.approx(
            told.get("scale_error")
        )
        assert row.score_kept == pytest.approx(told.get("best_room_ratio"), abs=1e-6)
        matrix = confusion_matrix([row])
        assert {KINDS[n]: matrix[n, NOTHING] for n in range(NOTHING) if matrix[n, NOTHING]} == told["missed"]
    figures = figure_values(pooled(ours))
    for name, value in tool.summarise(theirs).items():
        # The tool rounds to four decimals, millimetres to three.
        assert figures[name] == pytest.approx(value, abs=6e-4 if "mm" in name else 6e-5), name
