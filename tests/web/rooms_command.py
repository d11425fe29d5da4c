"""Tables for the tests of ``dungeon rooms``, and ways to run it."""

import json
import math
import random
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from web.command_line import dungeon

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
SCENES = sorted((SHARED / "photos" / "rendered").glob("scene-*.json"))
needs_oracle = pytest.mark.skipif(
    not (SHARED / "tools" / "oracle.py").exists(), reason="the oracle is not part of the project"
)

SIDE = {"small": 8.0, "large": 10.0, "huge": 12.0}
USUAL_SIZE = {"chest": "large", "shield": "large", "troll": "large", "dragon": "huge"}
TREASURES = {"gold", "key", "chest", "gem_clear", "gem_blue", "gem_pink", "potion", "shield", "relic"}
DAMAGE = {"goblin": 1, "troll": 2, "dragon": 8}
COLLECTED = sorted(TREASURES | set(DAMAGE))
ROOM_FIELDS = [
    "pillars",
    "cubes",
    "gain",
    "damage",
    "hp_left",
    "shields_used",
    "potions_used",
    "weight",
    "allowed",
    "safe",
    "doubtful",
]
READINGS = {"worst", "best", "expected_gain"}


# Builders


def a_cube(id, kind, x, y, *, yaw=0.0, size=None, **more):
    size = size or USUAL_SIZE.get(kind, "small")
    return {"id": id, "type": kind, "size": size, "centre_mm": [x, y], "yaw_deg": yaw, **more}


def a_footprint(points, id=7, kind="gold"):
    return {"id": id, "type": kind, "size": "small", "footprint_mm": points}


def a_table(*cubes):
    return {"cubes": list(cubes)}


THREE_PILLARS = [
    a_cube(0, "pillar", 0, 0),
    a_cube(1, "pillar", 100, 0),
    a_cube(2, "pillar", 0, 100),
]
# One room, which ends at y = -4: of the cubes below, 20 is 0.4 mm outside, 21 touches, 22 is 0.2 mm inside.
SMALL_TABLE = a_table(
    *THREE_PILLARS,
    a_cube(10, "gold", 20, 20),
    a_cube(11, "gold", 35, 20),
    a_cube(12, "goblin", 20, 35),
    a_cube(13, "goblin", 20, 50),
    a_cube(14, "troll", 50, 20),
    a_cube(15, "potion", 35, 35),
    a_cube(16, "gem_pink", 200, 200),
    a_cube(17, "gem_blue", 220, 200),
    a_cube(20, "goblin", 30, -8.4),
    a_cube(21, "gold", 50, -8),
    a_cube(22, "key", 70, -7.8),
)


def square(cube):
    """Return the corners of a cube that stands flat."""
    (x, y), half, angle = cube["centre_mm"], SIDE[cube["size"]] / 2, math.radians(cube["yaw_deg"])
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    turned = [
        (u * math.cos(angle) - v * math.sin(angle), u * math.sin(angle) + v * math.cos(angle))
        for u, v in corners
    ]
    return [[x + u, y + v] for u, v in turned]


def as_footprint(cube):
    """Return the same cube, given by its corners."""
    known = {field: cube[field] for field in ("id", "type", "size")}
    return {**known, "footprint_mm": square(cube)}


def random_table(seed, pillars=9, others=26, spread_mm=60):
    """Drop cubes anywhere, with ids in no order; never two dragons."""
    rng = random.Random(seed)
    kinds = [*["pillar"] * pillars, "dragon", "stairs"]
    kinds += rng.choices([kind for kind in COLLECTED if kind != "dragon"], k=others - 2)
    ids = rng.sample(range(-100, 1000), len(kinds))
    cubes = [
        a_cube(id, kind, rng.gauss(0, spread_mm), rng.gauss(0, spread_mm), yaw=rng.uniform(-180, 180))
        for id, kind in zip(ids, kinds, strict=True)
    ]
    rng.shuffle(cubes)
    return a_table(*cubes)


def leaning_table(seed):
    """Like a random table, but every second cube leans and has other than four corners."""
    rng = random.Random(seed)
    cubes = []
    for cube in random_table(seed)["cubes"]:
        if rng.random() < 0.5:
            cubes.append(as_footprint(cube))
            continue
        many, start = rng.choice((3, 5, 6, 7, 8)), rng.uniform(0, 6)
        angles = [start + (place + rng.uniform(-0.3, 0.3)) * 2 * math.pi / many for place in range(many)]
        x, y = cube["centre_mm"]
        outline = [[x + 6 * math.cos(angle), y + 6 * math.sin(angle)] for angle in angles]
        cubes.append(a_footprint(outline, cube["id"], cube["type"]))
    return a_table(*cubes)


# The command


def run(*arguments, input=None):
    """Run the command as a person would; what it did not foresee is raised."""
    arguments = ["rooms", *map(str, arguments)]
    return CliRunner().invoke(dungeon, arguments, input=input, catch_exceptions=False)


def run_on(table, *options):
    """Run the command with the table on standard input."""
    return run("-", *options, input=table if isinstance(table, str | bytes) else json.dumps(table))


def answer(table, *options):
    """Return the JSON answer on a table; NaN and Infinity are no JSON."""
    result = run_on(table, "--json", *options)
    assert (result.exit_code, result.stderr) == (0, "")
    (line,) = result.stdout.splitlines()
    return json.loads(line, parse_constant=lambda word: pytest.fail(f"{word} in the answer"))


def words(table, *options):
    """Return what people read."""
    result = run_on(table, *options)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def error_of(result):
    """Return the one line of a failed command."""
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.endswith("\n")
    (line,) = result.stderr.splitlines()
    assert line.startswith("dungeon: ")
    return line.removeprefix("dungeon: ")


def run_really(*arguments, input=b"", command=(sys.executable, "-m", "web"), timeout=60):
    """Run the command in its own process."""
    return subprocess.run(
        [*command, "rooms", *map(str, arguments)], input=input, capture_output=True, cwd=ROOT, timeout=timeout
    )


def real_error_of(process):
    """Return the one line of a process that failed."""
    assert (process.returncode, process.stdout) == (2, b"")
    (line,) = process.stderr.decode().splitlines()
    assert line.startswith("dungeon: ")
    return line.removeprefix("dungeon: ")


def rounded(told):
    """Return an answer with gaps of a micrometre's thousandth, so that rounding does not matter."""
    for room in told["rooms"]:
        for doubt in room["doubtful"]:
            doubt["gap_mm"] = round(doubt["gap_mm"], 6) + 0.0
    return told
