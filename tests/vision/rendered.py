"""Pictures with truth, rendered for these tests and never used for teaching; and what a scan made of them."""

import json
from functools import cache
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

from vision.photo import load_photo
from vision.scanner import Scanner

PICTURES = Path(__file__).parents[1] / "pictures"
TABLES = sorted((PICTURES / "rendered").glob("*.json"))
TOUCHING = sorted((PICTURES / "touching").glob("*.json"))
# Tables as people photograph them, pens, beads and papers among the cubes.
SCENES = sorted((PICTURES / "scenes").glob("*.json"))


@cache
def scanner():
    """Return the scanner all tests share: its networks are read once."""
    return Scanner()


@cache
def picture(truth_file):
    """Return a picture and its cubes that are to be seen."""
    cubes = [cube for cube in json.loads(truth_file.read_text())["cubes"] if cube["in_view"]]
    return load_photo(truth_file.with_suffix(".jpg")), cubes


@cache
def scanned(truth_file):
    """Return the scan of a picture."""
    return scanner().scan(picture(truth_file)[0])


def paired(places, others, reach):
    """Return pairs of indices of points that are the same within a share of their reach."""
    away = np.linalg.norm(np.array(places)[:, None] - np.array(others)[None], axis=2) / reach
    rows, columns = linear_sum_assignment(np.minimum(away, 5))
    return [(i, j) for i, j in zip(rows, columns, strict=True) if away[i, j] < 1]


def middle(outline):
    """Return the middle of an outline's box."""
    points = np.asarray(outline)
    return (points.min(axis=0) + points.max(axis=0)) / 2


def told_right(scan, cubes):
    """Return which cubes were found, and which of them with the right kind: sets of indices of the truth."""
    if not scan.cubes:
        return set(), set()
    reach = np.array([0.6 * np.sqrt(np.prod(np.ptp(np.array(c["outline_px"]), axis=0))) for c in cubes])
    pairs = paired(
        [middle(c["outline_px"]) for c in cubes], [middle(c.outline_px) for c in scan.cubes], reach[:, None]
    )
    found = {i for i, _ in pairs}
    return found, {i for i, j in pairs if scan.cubes[j].kind == cubes[i]["type"]}


def kinds_changed(scan, other, moved):
    """Return how many cubes of a scan are of another kind in another one, or missing, and how many there are.

    Args:
        moved: where a pixel of the first picture is in the other.
    """
    places = moved(np.array([cube.centre_px for cube in scan.cubes]))
    reach = 0.25 * np.array([np.ptp(moved(cube.outline_px), axis=0).mean() for cube in scan.cubes])
    pairs = paired(places, [cube.centre_px for cube in other.cubes], reach[:, None])
    same = sum(scan.cubes[i].kind == other.cubes[j].kind for i, j in pairs)
    return max(len(scan.cubes), len(other.cubes)) - same, len(scan.cubes)
