"""``dungeon rooms``: the contract of its answer, also against an oracle; what it says and what it refuses."""

import importlib.util
import json
import math
import random
import re
import subprocess
import sys
import time
from functools import cache
from itertools import product
from pathlib import Path

import pytest
import shapely
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

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


@pytest.fixture
def a_file(tmp_path):
    """Write a file; return its path."""

    def write(content, name="table.json"):
        file = tmp_path / name
        if isinstance(content, bytes):
            file.write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content)
            file.write_text(text, encoding="utf-8")
        return file

    return write


# The contract


def test_the_answer_on_a_table_with_one_room():
    assert answer(SMALL_TABLE, "--hp", 9) == {
        "schema": 1,
        "legal_rooms": 1,
        "outside_limits": [16, 17, 20],
        "rooms": [
            {
                "pillars": [0, 1, 2],
                "cubes": [10, 11, 12, 13, 14, 15, 21, 22],
                "gain": 5,
                "damage": 4,
                "hp_left": 5,
                "shields_used": 0,
                "potions_used": 0,
                "weight": 5,
                "allowed": True,
                "safe": True,
                "doubtful": [
                    {"id": 20, "gap_mm": pytest.approx(0.4)},
                    {"id": 21, "gap_mm": pytest.approx(0, abs=1e-9)},
                    {"id": 22, "gap_mm": pytest.approx(-0.2)},
                ],
            }
        ],
    }


@pytest.mark.parametrize("seed", range(3))
def test_every_field_has_the_name_and_type_of_the_contract(seed):
    told = answer(random_table(seed), "--reserve", "shield=1,potion=1", "--damage", 4)

    assert list(told) == ["schema", "legal_rooms", "outside_limits", "rooms"]
    assert told["schema"] == 1
    assert type(told["legal_rooms"]) is int
    assert all(type(id) is int for id in told["outside_limits"])
    assert told["rooms"]
    for room in told["rooms"]:
        assert list(room) == ROOM_FIELDS
        assert [type(id) for id in room["pillars"]] == [int, int, int]
        assert all(type(id) is int for id in room["cubes"])
        assert type(room["gain"]) in (int, float)
        counts = ("damage", "hp_left", "shields_used", "potions_used", "weight")
        assert {type(room[field]) for field in counts} == {int}
        assert {type(room[field]) for field in ("allowed", "safe")} == {bool}
        for doubt in room["doubtful"]:
            assert list(doubt) == ["id", "gap_mm"]
            assert type(doubt["id"]) is int
            assert type(doubt["gap_mm"]) in (int, float)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", [[], ["--damage", 5, "--reserve", "shield=2,potion=2"]])
def test_allowed_rooms_come_first_then_gain_less_damage_fewer_helpers_and_pillar_ids(seed, options):
    rooms = answer(random_table(seed), *options)["rooms"]

    assert len(rooms) > 5
    assert rooms == sorted(
        rooms,
        key=lambda room: (
            not room["allowed"],
            -room["gain"],
            room["damage"],
            room["shields_used"] + room["potions_used"],
            room["pillars"],
        ),
    )


def test_ids_are_ordered_as_numbers():
    ids = (1000, -3, 20)
    corners = [(0, 0), (100, 0), (0, 100)]
    pillars = [a_cube(id, "pillar", x, y) for id, (x, y) in zip(ids, corners, strict=True)]
    inside = [a_cube(id, "gold", 20 + place * 10, 20) for place, id in enumerate((100, 9, -50))]
    outside = [a_cube(id, "gold", 300 + place * 10, 20) for place, id in enumerate((200, 8, -60))]

    told = answer(a_table(*outside, *inside, *pillars))

    assert told["rooms"][0]["pillars"] == [-3, 20, 1000]
    assert told["rooms"][0]["cubes"] == [-50, 9, 100]
    assert told["outside_limits"] == [-60, 8, 200]


@pytest.mark.parametrize("seed", range(4))
def test_what_the_rooms_say_of_a_hero_adds_up(seed):
    table, reserve = random_table(seed), {"gold": 2, "shield": 2, "potion": 1, "goblin": 3}
    kinds = {cube["id"]: cube["type"] for cube in table["cubes"]}

    rooms = answer(
        table, "--hp", 7, "--damage", 4, "--reserve", ",".join(f"{k}={n}" for k, n in reserve.items())
    )["rooms"]

    for room in rooms:
        monsters = sorted((DAMAGE[kinds[id]] for id in room["cubes"] if kinds[id] in DAMAGE), reverse=True)
        treasures = sum(kinds[id] in TREASURES for id in room["cubes"])
        used = room["shields_used"] + room["potions_used"]
        healed = min(4, 3 * room["potions_used"])
        assert room["damage"] == sum(monsters[room["shields_used"] :])
        assert room["hp_left"] == 7 - 4 + healed - room["damage"]
        assert room["weight"] == 5 + treasures - used
        # The fewest shields and potions that keep a hit point; the dragon needs a shield.
        enough = [
            shields + potions
            for shields, potions in product(range(3), range(2))
            if sum(monsters[shields:]) <= 2 + min(4, 3 * potions) and 8 not in monsters[shields:]
        ]
        assert room["allowed"] == bool(enough)
        assert used == min(enough, default=0)
        assert not room["allowed"] or room["hp_left"] >= 1


def signed_gap(room, shape):
    """Return the distance of two convex shapes or, negated, the shortest way out of each other."""
    ours, theirs = room.exterior.coords[:-1], shape.exterior.coords[:-1]
    differences = [(x - u, y - v) for x, y in ours for u, v in theirs]
    difference, origin = shapely.MultiPoint(differences).convex_hull, shapely.Point(0, 0)
    way = difference.exterior.distance(origin)
    return -way if difference.intersects(origin) else way


@pytest.mark.parametrize("doubt", [0.3, 1.5, 6.0])
@pytest.mark.parametrize("seed", range(3))
def test_cubes_and_other_pillars_nearer_than_the_doubt_are_doubtful(seed, doubt):
    table = random_table(seed, others=15)
    kinds = {cube["id"]: cube["type"] for cube in table["cubes"]}
    shapes = {cube["id"]: shapely.Polygon(square(cube)) for cube in table["cubes"]}

    rooms = answer(table, "--doubt", doubt, "--hp", 5)["rooms"]

    some_pillar = False
    for room in rooms:
        hull = shapely.union_all([shapes[id] for id in room["pillars"]]).convex_hull
        gaps = {id: signed_gap(hull, shape) for id, shape in shapes.items() if id not in room["pillars"]}
        near = {id: gap for id, gap in gaps.items() if abs(gap) < doubt}
        told = {entry["id"]: entry["gap_mm"] for entry in room["doubtful"]}
        assert told == pytest.approx(near, abs=1e-6)
        assert set(room["cubes"]) == {id for id, gap in gaps.items() if gap <= 0}
        pillars = [id for id in near if kinds[id] == "pillar"]
        monsters = [kinds[id] for id in {*room["cubes"], *near} if kinds[id] in DAMAGE]
        may_hurt = sum(DAMAGE[monster] for monster in monsters)
        assert room["safe"] == (room["allowed"] and not pillars and may_hurt <= 4)
        some_pillar = some_pillar or bool(pillars)
    assert some_pillar or doubt < 1


def test_without_doubt_nothing_is_doubtful_and_what_touches_is_in():
    (room,) = answer(SMALL_TABLE, "--doubt", 0)["rooms"]

    assert room["doubtful"] == []
    assert 21 in room["cubes"] and 20 not in room["cubes"]


def test_a_room_is_not_safe_if_a_doubtful_goblin_would_take_the_last_hit_point():
    (room,) = answer(SMALL_TABLE, "--hp", 5)["rooms"]
    (sure,) = answer(SMALL_TABLE, "--hp", 5, "--doubt", 0.3)["rooms"]

    assert (room["allowed"], room["safe"]) == (True, False)
    assert (sure["allowed"], sure["safe"]) == (True, True)


def test_a_room_is_not_safe_if_another_pillar_may_touch_it():
    near = a_cube(3, "pillar", 50, -8.5)

    rooms = answer(a_table(*THREE_PILLARS, near))["rooms"]

    told = {tuple(room["pillars"]): room for room in rooms}
    assert told[0, 1, 2]["doubtful"] == [{"id": 3, "gap_mm": pytest.approx(0.5)}]
    assert told[0, 1, 2]["allowed"] and not told[0, 1, 2]["safe"]


def test_a_room_that_another_pillar_touches_is_not_listed():
    touching = a_cube(3, "pillar", 50, -8)

    rooms = answer(a_table(*THREE_PILLARS, touching))["rooms"]

    assert [0, 1, 2] not in [room["pillars"] for room in rooms]


def test_rooms_that_are_not_allowed_are_listed_too():
    told = answer(SMALL_TABLE, "--hp", 4)

    assert told["legal_rooms"] == len(told["rooms"]) == 1
    assert not told["rooms"][0]["allowed"] and not told["rooms"][0]["safe"]
    assert 21 not in told["outside_limits"]


@pytest.mark.parametrize("seed", range(3))
def test_outside_the_limits_is_what_no_room_takes(seed):
    table = random_table(seed, spread_mm=90)

    told = answer(table)

    taken = {id for room in told["rooms"] for id in room["cubes"]}
    others = {cube["id"] for cube in table["cubes"] if cube["type"] != "pillar"}
    assert told["outside_limits"] == sorted(others - taken)
    assert told["outside_limits"]


@pytest.mark.parametrize("top", [1, 2, 7, 100_000, 10**30])
def test_only_the_best_are_told_if_asked_for_a_number(top):
    table = random_table(4)

    told, whole = answer(table, "--top", top), answer(table)

    assert told == {**whole, "rooms": whole["rooms"][:top]}
    assert whole["legal_rooms"] == len(whole["rooms"]) > 7


@pytest.mark.parametrize(
    ("cubes", "outside"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([a_cube(4, "gold", 1, 2)], [4], id="one cube"),
        pytest.param([a_cube(4, "pillar", 1, 2)], [], id="one pillar"),
        pytest.param([a_cube(9, "key", 5, 5), *THREE_PILLARS[:2]], [9], id="two pillars"),
    ],
)
def test_a_table_with_fewer_than_three_pillars_has_no_room(cubes, outside):
    told = answer(a_table(*cubes))

    assert told == {"schema": 1, "legal_rooms": 0, "outside_limits": outside, "rooms": []}


# What may be a table


def rounded(told):
    """Return an answer with gaps of a micrometre's thousandth, so that rounding does not matter."""
    for room in told["rooms"]:
        for doubt in room["doubtful"]:
            doubt["gap_mm"] = round(doubt["gap_mm"], 6) + 0.0
    return told


@pytest.mark.parametrize("seed", range(3))
def test_a_square_may_be_given_by_its_centre_or_by_its_corners(seed):
    table = random_table(seed)
    corners = a_table(*map(as_footprint, table["cubes"]))

    assert rounded(answer(corners)) == rounded(answer(table))


@pytest.mark.parametrize("seed", range(2))
def test_corners_may_turn_either_way_begin_anywhere_and_end_where_they_began(seed):
    table, rng = random_table(seed), random.Random(seed)
    cubes = []
    for cube in map(as_footprint, table["cubes"]):
        start, step = rng.randrange(4), rng.choice((1, -1))
        turned = [cube["footprint_mm"][(start + step * place) % 4] for place in range(5)]
        cubes.append({**cube, "footprint_mm": turned})

    assert rounded(answer(a_table(*cubes))) == rounded(answer(table))


def test_the_order_of_the_cubes_does_not_matter():
    table = random_table(5)

    assert answer(a_table(*reversed(table["cubes"]))) == answer(table)


def test_a_scan_is_a_table():
    table = random_table(6)
    scan = {
        "schema": 1,
        "image": {"width": 1920, "height": 1080},
        "plane": {"source": "markers", "markers": [0, 1, 3], "px_per_mm": 2.6},
        "cubes": [
            {
                **as_footprint(cube),
                "confidence": 0.98,
                "outline_px": [[812.1, 402.0], [820.0, 402.0], [820.0, 410.0]],
                "centre_px": [820.4, 411.2],
                "centre_mm": cube["centre_mm"],
            }
            for cube in table["cubes"]
        ],
        "warnings": ["marker 2 is hidden"],
    }

    assert rounded(answer(scan)) == rounded(answer(table))


def test_the_footprint_counts_where_a_centre_is_given_too():
    cube = {**as_footprint(a_cube(5, "gold", 20, 20)), "centre_mm": [500, 500], "yaw_deg": 20}

    assert answer(a_table(*THREE_PILLARS, cube))["outside_limits"] == []


def test_a_cube_without_a_yaw_is_not_turned():
    straight = a_cube(5, "gold", 50, -8.4)
    without = {field: value for field, value in straight.items() if field != "yaw_deg"}

    assert answer(a_table(*THREE_PILLARS, without)) == answer(a_table(*THREE_PILLARS, straight))


def test_a_table_is_read_from_a_file_or_from_standard_input(a_file):
    file = a_file(SMALL_TABLE)

    from_file, from_input = run(file, "--json"), run("-", "--json", input=file.read_bytes())

    assert from_file.exit_code == from_input.exit_code == 0
    assert from_file.stdout == from_input.stdout


def test_a_mark_of_utf_8_is_no_part_of_the_table(a_file):
    file = a_file(b"\xef\xbb\xbf" + json.dumps(SMALL_TABLE).encode())

    assert run(file).exit_code == 0


# Against the oracle


@cache
def oracle():
    """Load the shared judge of what the project answers."""
    spec = importlib.util.spec_from_file_location("oracle", SHARED / "tools" / "oracle.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def oracle_rooms(seed):
    return {
        tuple(sorted(trio)): set(inside) for trio, inside, _ in oracle().rooms(random_table(seed)["cubes"])
    }


def a_hero(hp=8, damage=0, gems=(1, 2, 3), **reserve):
    """Return a hero as options, and as the oracle knows heroes."""
    listed = ",".join(f"{kind}={count}" for kind, count in reserve.items())
    clear, blue, pink = gems
    options = ["--hp", hp, "--damage", damage, "--reserve", listed]
    options += ["--gems", f"clear={clear},blue={blue},pink={pink}"]
    known = {
        "hp": hp,
        "damage": damage,
        "reserve": reserve,
        "gems": {"gem_clear": clear, "gem_blue": blue, "gem_pink": pink},
        "shields": reserve.get("shield", 0),
        "potions": reserve.get("potion", 0),
    }
    return options, known


PLAIN_HEROES = [
    pytest.param(*a_hero(), id="fresh"),
    pytest.param(*a_hero(9, 7), id="nearly dead"),
    pytest.param(*a_hero(30), id="very strong"),
    pytest.param(*a_hero(7, 2, key=2, gold=1), id="with keys"),
    pytest.param(*a_hero(7, 2, chest=3, troll=1), id="with chests"),
    pytest.param(*a_hero(8, 1, gems=(5, 0, 2), key=1, gem_pink=4), id="other gems"),
]
HELPED_HEROES = [
    pytest.param(*a_hero(7, 4, shield=1), id="a shield"),
    pytest.param(*a_hero(7, 6, shield=2, key=1), id="two shields"),
    pytest.param(*a_hero(7, 6, potion=1), id="a potion"),
    pytest.param(*a_hero(8, 7, potion=2, chest=2), id="two potions"),
    pytest.param(*a_hero(8, 7, potion=2, shield=2, gems=(3, 1, 2)), id="both"),
]


def assert_as_the_oracle_says(told, expected, kinds, known, *, same_damage):
    """Compare an answer with rooms and judgements of the oracle, which uses all shields, never the fewest."""
    rooms = {tuple(room["pillars"]): room for room in told["rooms"]}
    assert told["legal_rooms"] == len(told["rooms"]) == len(rooms)
    assert {pillars: set(room["cubes"]) for pillars, room in rooms.items()} == expected
    for pillars, room in rooms.items():
        allowed, gain, damage = oracle().judge([kinds[id] for id in expected[pillars]], known)
        assert room["allowed"] == allowed
        assert not allowed or room["gain"] == pytest.approx(gain)
        assert not same_damage or room["damage"] == damage


@needs_oracle
@pytest.mark.parametrize(("options", "known"), PLAIN_HEROES)
@pytest.mark.parametrize("seed", range(10, 16))
def test_rooms_and_what_they_give_are_those_of_the_oracle(seed, options, known):
    table = random_table(seed)
    kinds = {cube["id"]: cube["type"] for cube in table["cubes"]}

    told = answer(table, *options)

    assert_as_the_oracle_says(told, oracle_rooms(seed), kinds, known, same_damage=True)


@needs_oracle
@pytest.mark.parametrize(("options", "known"), HELPED_HEROES)
@pytest.mark.parametrize("seed", range(10, 16))
def test_what_shields_and_potions_allow_is_what_the_oracle_allows(seed, options, known):
    table = random_table(seed)
    kinds = {cube["id"]: cube["type"] for cube in table["cubes"]}

    told = answer(table, *options)

    assert_as_the_oracle_says(told, oracle_rooms(seed), kinds, known, same_damage=False)


@needs_oracle
@pytest.mark.parametrize("scene", [pytest.param(scene, id=scene.stem) for scene in SCENES])
def test_the_truth_of_a_rendered_scene_has_the_rooms_of_the_oracle(scene):
    truth = json.loads(scene.read_text("utf-8"))
    cubes = [{"id": id, **cube} for id, cube in enumerate(truth["cubes"])]
    kinds = {cube["id"]: cube["type"] for cube in cubes}
    options, known = a_hero(8, 3, key=1)

    told = answer({**truth, "cubes": cubes}, *options)

    expected = {trio: set(inside) for trio, inside, _ in oracle().rooms(cubes)}
    assert expected
    assert_as_the_oracle_says(told, expected, kinds, known, same_damage=True)


# What if


def moved(table, id, to_mm):
    """Return the table with a square cube pushed until its middle is at a point."""
    cubes = []
    for cube in table["cubes"]:
        if cube["id"] == id and "footprint_mm" in cube:
            outline = cube["footprint_mm"]
            right = to_mm[0] - sum(x for x, _ in outline) / len(outline)
            up = to_mm[1] - sum(y for _, y in outline) / len(outline)
            cube = {**cube, "footprint_mm": [[x + right, y + up] for x, y in outline]}
        elif cube["id"] == id:
            cube = {**cube, "centre_mm": list(to_mm)}
        cubes.append(cube)
    return a_table(*cubes)


@pytest.mark.parametrize("kind", ["pillar", "gold", "dragon"])
@pytest.mark.parametrize("seed", range(3))
def test_a_moved_cube_gives_the_answer_of_the_moved_table(seed, kind):
    table = random_table(seed)
    if kind == "gold":
        table["cubes"].append(a_cube(2000, "gold", 0, 0))
    id = next(cube["id"] for cube in table["cubes"] if cube["type"] == kind)

    told = answer(table, "--move", f"{id}=12.5,-3.25")

    assert rounded(told) == rounded(answer(moved(table, id, (12.5, -3.25))))
    assert rounded(told) != rounded(answer(table))


@pytest.mark.parametrize("seed", range(3))
def test_a_moved_cube_lands_where_it_was_told_to_however_many_corners_others_have(seed):
    table = leaning_table(seed)
    # Of a square, everybody agrees where the middle is.
    chosen = next(cube["id"] for cube in table["cubes"] if len(cube["footprint_mm"]) == 4)

    told = answer(table, "--move", f"{chosen}=12.5,-3.25", "--doubt", 5)

    assert rounded(told) == rounded(answer(moved(table, chosen, (12.5, -3.25)), "--doubt", 5))


def test_several_cubes_can_be_moved():
    table = random_table(7)
    first, second = (cube["id"] for cube in table["cubes"][:2])

    told = answer(table, "--move", f"{first}=1,2", "--move", f"{second}=-30,4.5", "--move", f"{first}=9,9")

    expected = moved(moved(table, first, (9, 9)), second, (-30, 4.5))
    assert rounded(told) == rounded(answer(expected))


# More than the contract, only if asked for


def test_readings_are_told_only_if_asked_for():
    plain, more = answer(SMALL_TABLE, "--hp", 5), answer(SMALL_TABLE, "--hp", 5, "--readings")

    (room,) = more["rooms"]
    assert set(room) == {*ROOM_FIELDS, *READINGS}
    assert {field: value for field, value in room.items() if field not in READINGS} == plain["rooms"][0]
    # The goblin would forbid the room, and the gold may be lost; a touching cube is in or out by a toss.
    assert (room["worst"], room["best"]) == (0, 5)
    assert 0 < room["expected_gain"] < 5


@pytest.mark.parametrize("seed", range(3))
def test_the_expected_gain_lies_between_the_worst_and_the_best(seed):
    rooms = answer(random_table(seed), "--readings", "--doubt", 4)["rooms"]

    for room in rooms:
        assert room["worst"] <= room["expected_gain"] + 1e-9
        assert room["expected_gain"] <= room["best"] + 1e-9
        if room["safe"]:
            assert room["worst"] <= room["gain"] <= room["best"]
        if not room["doubtful"]:
            gain = room["gain"] if room["allowed"] else 0
            assert room["worst"] == room["best"] == room["expected_gain"] == gain


def test_what_is_left_to_the_next_player_is_told_only_if_asked_for():
    # The gold is in the two rooms on the left, gem and chest are in the two on the right.
    table = a_table(
        *THREE_PILLARS,
        a_cube(3, "pillar", 100, 100),
        a_cube(10, "gold", 10, 30),
        a_cube(11, "gem_pink", 90, 60),
        a_cube(12, "chest", 75, 50),
    )
    rooms = answer(table, "--reserve", "key=1")["rooms"]

    told = answer(table, "--reserve", "key=1", "--next", 7, "--next-reserve", "key=1", "--next-damage", 2)

    assert told["rooms"] == rooms
    assert list(told)[:4] == ["schema", "legal_rooms", "outside_limits", "rooms"]
    assert set(told) == {"schema", "legal_rooms", "outside_limits", "rooms", "wanted", "denials"}
    assert [denial["pillars"] for denial in told["denials"]] == [room["pillars"] for room in rooms]
    for denial, room in zip(told["denials"], rooms, strict=True):
        assert set(denial) == {"pillars", "gain", "next_now", "next_after"}
        assert denial["gain"] == room["gain"]
        # A gem is worth 2 to somebody whose quest nobody knows: gem and chest are 5.5.
        assert denial["next_now"] == 5.5
        assert denial["next_after"] == (1 if 11 in room["cubes"] else 5.5)
    # Two rooms with gem and chest, then one of those with gold.
    assert [room["gain"] for room in told["wanted"]] == [5.5, 5.5, 1]
    assert all(list(room) == ROOM_FIELDS for room in told["wanted"])


def test_the_next_players_denials_are_about_as_many_rooms_as_asked_for():
    table = random_table(8)

    told = answer(table, "--hp", 30, "--next", 8, "--top", 3)

    assert [denial["pillars"] for denial in told["denials"]] == [room["pillars"] for room in told["rooms"]]
    assert len(told["denials"]) == 3


def test_pawns_are_told_only_if_asked_for():
    plain, more = answer(SMALL_TABLE), answer(SMALL_TABLE, "--pawns")

    assert {key: value for key, value in more.items() if key != "pawns"} == plain
    assert 1 <= len(more["pawns"]) <= 3
    for pawn in more["pawns"]:
        assert set(pawn) == {"at_mm", "chance", "rooms"}
        assert (pawn["chance"], pawn["rooms"]) == (1, 1)
        x, y = pawn["at_mm"]
        assert -10 <= min(x, y) and x + y <= 120


@pytest.mark.parametrize("pillars", [0, 2])
def test_without_rooms_there_is_nothing_to_deny_and_no_place_for_pawns(pillars):
    table = a_table(*THREE_PILLARS[:pillars], a_cube(5, "gold", 20, 20))

    told = answer(table, "--pawns", "--next", 8, "--readings")

    assert (told["rooms"], told["pawns"], told["denials"]) == ([], [], [])


# The quest's bonus

GOBLIN_FRIEND = [{"points": 2, "when": "each", "what": "cubes", "kinds": ["goblin"]}]
LARGE_GOLD = [{"points": 3, "when": "at_least", "what": "cubes", "kinds": ["gold"], "size": "large"}]


def test_a_bonus_changes_the_gain(a_file):
    table, file = random_table(9), a_file(GOBLIN_FRIEND, "bonus.json")
    kinds = {cube["id"]: cube["type"] for cube in table["cubes"]}
    plain = {tuple(room["pillars"]): room for room in answer(table)["rooms"]}

    rooms = answer(table, "--bonus", file)["rooms"]

    changed = 0
    for room in rooms:
        before, goblins = plain[tuple(room["pillars"])], sum(kinds[id] == "goblin" for id in room["cubes"])
        assert room == {**before, "gain": before["gain"] + 2 * goblins}
        changed += goblins > 0
    assert changed


def test_a_bonus_may_ask_for_a_size(a_file):
    file = a_file(LARGE_GOLD, "bonus.json")
    large = a_cube(5, "gold", 20, 20, size="large")

    (small_room,) = answer(a_table(*THREE_PILLARS, a_cube(5, "gold", 20, 20)), "--bonus", file)["rooms"]
    (large_room,) = answer(a_table(*THREE_PILLARS, large), "--bonus", file)["rooms"]

    assert (small_room["gain"], large_room["gain"]) == (1, 4)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("points", id="not JSON"),
        pytest.param("", id="empty"),
        pytest.param(b"\xff\xfe\x00", id="binary"),
        pytest.param("[" * 100_000, id="nested deeply"),
        pytest.param("{}", id="an object"),
        pytest.param("null", id="nothing"),
        pytest.param("[1]", id="a number as a term"),
        pytest.param("[{}]", id="an empty term"),
        pytest.param([{**GOBLIN_FRIEND[0], "colour": 1}], id="an unknown field"),
        pytest.param([{**GOBLIN_FRIEND[0], "points": 1.5}], id="half points"),
        pytest.param([{**GOBLIN_FRIEND[0], "points": True}], id="a boolean"),
        pytest.param([{**GOBLIN_FRIEND[0], "points": 10**400}], id="a huge number"),
        pytest.param('[{"points": NaN, "when": "each", "what": "damage"}]', id="no number"),
        pytest.param([{**GOBLIN_FRIEND[0], "kinds": ["pillar"]}], id="pillars"),
        pytest.param([{**GOBLIN_FRIEND[0], "kinds": ["ghost"]}], id="an unknown kind"),
        pytest.param([{**GOBLIN_FRIEND[0], "kinds": []}], id="no kinds"),
        pytest.param([{**GOBLIN_FRIEND[0], "kinds": [["gold"]]}], id="kinds in kinds"),
        pytest.param([{**GOBLIN_FRIEND[0], "number": 0}], id="each none"),
        pytest.param([{**GOBLIN_FRIEND[0], "when": "always\nor never"}], id="an unknown condition"),
        pytest.param(GOBLIN_FRIEND * 1000, id="too many terms"),
    ],
)
def test_a_bad_bonus_is_one_line(a_file, content):
    assert error_of(run_on(SMALL_TABLE, "--bonus", a_file(content, "bonus.json")))


def test_a_missing_bonus_file_is_one_line(tmp_path):
    assert error_of(run_on(SMALL_TABLE, "--bonus", tmp_path / "none")).startswith(f"{tmp_path / 'none'}: ")
    assert error_of(run_on(SMALL_TABLE, "--bonus", tmp_path))


# What people read


def test_people_read_what_the_best_room_gives_and_costs():
    said = words(SMALL_TABLE, "--hp", 9, "--doubt", 0)

    assert "3 pillars, 11 other cubes" in said
    assert "3 cubes outside the limits" in said
    assert "pillars 0 1 2" in said
    assert "gain 5, damage 4, 5 hp left, 5 to carry" in said
    assert "3 gold, 1 key, 1 potion, 2 goblins, 1 troll" in said
    assert not re.search("NOT|too close|next player|pawn", said, re.IGNORECASE)


def test_people_read_what_is_too_close_to_call():
    said = words(SMALL_TABLE, "--hp", 9)

    assert "too close to call: goblin 20 (0.4 mm out, 30% in), gold 21 (0.0 mm in, 50% in)" in said
    assert "key 22 (0.2 mm in, 60% in)" in said
    assert "gain 5 (4 to 5, mean 4.5)" in said
    assert "NOT" not in said


def test_people_read_that_a_room_is_not_safe():
    said = words(SMALL_TABLE, "--hp", 5)

    assert "NOT SAFE" in said
    assert "1 hp left" in said


def test_people_read_that_a_room_is_not_allowed():
    said = words(SMALL_TABLE, "--hp", 4)

    assert "NOT ALLOWED" in said
    assert "0 allowed for this hero" in said
    assert "NOT SAFE" not in said


@pytest.mark.parametrize(
    ("options", "part"),
    [
        pytest.param(["--hp", 4, "--reserve", "shield=1"], "uses 1 shield,", id="a shield"),
        pytest.param(["--hp", 2, "--reserve", "shield=2"], "uses 2 shields,", id="two shields"),
        pytest.param(["--damage", 4, "--reserve", "potion=1"], "drinks 1 potion,", id="a potion"),
        pytest.param(["--damage", 7, "--reserve", "potion=2"], "drinks 2 potions,", id="two potions"),
    ],
)
def test_people_read_what_they_must_use(options, part):
    said = words(SMALL_TABLE, *options)

    assert part in said


def test_people_read_of_an_empty_room():
    said = words(a_table(*THREE_PILLARS))

    assert "empty" in said
    assert "gain 0, damage 0, 8 hp left, 0 to carry" in said


def test_people_read_ten_rooms_or_as_many_as_they_ask_for():
    table = random_table(11, pillars=12)

    usual, three, all_rooms = words(table), words(table, "--top", 3), answer(table)["rooms"]

    assert len(all_rooms) > 10
    for said, count in ((usual, 10), (three, 3)):
        listed = [line.split(":")[0].split() for line in said.splitlines() if re.match(r" *\d+\. ", line)]
        assert [line[0] for line in listed] == [f"{rank}." for rank in range(1, count + 1)]
        assert [list(map(int, line[2:])) for line in listed] == [
            room["pillars"] for room in all_rooms[:count]
        ]


def test_people_read_what_is_left_to_the_next_player_and_where_a_pawn_stands_well():
    said = words(SMALL_TABLE, "--next", 9, "--pawns")

    assert "leaves the next player 0 of 5" in said
    assert "The next player would love" in said
    assert "pillars 0 1 2: gain 5 (3 gold, 1 key, 1 potion, 2 goblins, 1 troll)" in said
    assert "Pawns" in said
    assert "100% of" in said


def test_people_read_of_an_empty_table():
    said = words(a_table())

    assert "0 pillars, 0 other cubes" in said
    assert len(said.splitlines()) == 1


# What is refused: the table


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param("", "This is not JSON.", id="empty"),
        pytest.param("hello", "This is not JSON.", id="words"),
        pytest.param('{"cubes": [', "This is not JSON.", id="half of a table"),
        pytest.param('{"cubes": []}\n{"cubes": []}', "There is more than one table.", id="two tables"),
        pytest.param("[" * 200_000, "This is not JSON.", id="lists nested deeply"),
        pytest.param('{"cubes":' * 100_000, "This is not JSON.", id="objects nested deeply"),
        pytest.param(b"\x89PNG\r\n\x1a\n\xff\x00", "not a text file in UTF-8", id="binary"),
        pytest.param('{"cubes": []}'.encode("utf-16"), "not a text file in UTF-8", id="UTF-16"),
        pytest.param("[]", "A table must be a JSON object with a list of cubes.", id="a list"),
        pytest.param("null", "A table must be a JSON object", id="nothing"),
        pytest.param("17", "A table must be a JSON object", id="a number"),
        pytest.param('"cubes"', "A table must be a JSON object", id="a text"),
        pytest.param("{}", "A table must be a JSON object", id="no cubes"),
        pytest.param('{"cubes": {}}', "A table must be a JSON object", id="cubes in an object"),
        pytest.param('{"cubes": null}', "A table must be a JSON object", id="cubes are nothing"),
        pytest.param('{"cubes": "gold"}', "A table must be a JSON object", id="cubes are a text"),
        pytest.param('{"cubes": [1]}', "Cube number 1 of the list", id="a number as a cube"),
        pytest.param('{"cubes": [[]]}', "Cube number 1 of the list", id="a list as a cube"),
        pytest.param('{"cubes": [{}]}', "Cube number 1 of the list", id="an empty cube"),
        pytest.param('{"cubes": [null]}', "Cube number 1 of the list", id="nothing as a cube"),
    ],
)
def test_what_is_no_table_is_refused_in_one_line(a_file, content, why):
    file = a_file(content)

    assert error_of(run(file)).startswith(f"{file}: {why}")
    assert error_of(run(file, "--json")).startswith(f"{file}: {why}")


GOOD = as_footprint(a_cube(7, "gold", 20, 20))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"type": "ghost"}, id="unknown type"),
        pytest.param({"type": "GOLD"}, id="capital letters"),
        pytest.param({"type": "a\nb\x1b[31m\ud800"}, id="a type of no letters"),
        pytest.param({"type": "x" * 100_000}, id="a long type"),
        pytest.param({"type": None}, id="no type"),
        pytest.param({"type": 1}, id="a number as type"),
        pytest.param({"type": ["gold"]}, id="a list as type"),
        pytest.param({"type": {}}, id="an object as type"),
        pytest.param({"size": "medium"}, id="unknown size"),
        pytest.param({"size": "8"}, id="a size in mm"),
        pytest.param({"size": 8}, id="a number as size"),
        pytest.param({"size": None}, id="no size"),
        pytest.param({"footprint_mm": None}, id="no footprint"),
        pytest.param({"footprint_mm": []}, id="no points"),
        pytest.param({"footprint_mm": [[]]}, id="an empty point"),
        pytest.param({"footprint_mm": "square"}, id="a footprint in words"),
        pytest.param({"footprint_mm": {"x": 1}}, id="a footprint as an object"),
        pytest.param({"footprint_mm": True}, id="a boolean as a footprint"),
        pytest.param({"footprint_mm": [1, 2, 3, 4]}, id="numbers as points"),
        pytest.param({"footprint_mm": [[0, 0, 0], [8, 0, 0], [8, 8, 0]]}, id="points in space"),
        pytest.param({"footprint_mm": [[0], [8], [9]]}, id="points on a line"),
        pytest.param({"footprint_mm": [{"x": 0, "y": 0}] * 4}, id="points as objects"),
        pytest.param({"footprint_mm": [[20, 20]]}, id="one point"),
        pytest.param({"footprint_mm": [[20, 20], [28, 20]]}, id="two points"),
        pytest.param({"footprint_mm": [[20, 20]] * 4}, id="four times one point"),
        pytest.param({"footprint_mm": [[20, 20], [28, 20]] * 4}, id="to and fro"),
        pytest.param({"footprint_mm": [[0, 0], [4, 4], [8, 8]]}, id="collinear"),
        pytest.param({"footprint_mm": [[0, 0], [8, 0], [8, 1e-12], [0, 1e-12]]}, id="flat"),
        pytest.param({"footprint_mm": [[0, 0], [8, 8], [8, 0], [0, 8]]}, id="bow-tie"),
        pytest.param({"footprint_mm": [[0, 0], [8, 9], [8, 0], [0, 5]]}, id="uneven bow-tie"),
        pytest.param(
            {
                "footprint_mm": [
                    [8 * math.cos(turn * 0.8 * math.pi), 8 * math.sin(turn * 0.8 * math.pi)]
                    for turn in range(5)
                ]
            },
            id="pentagram",
        ),
        pytest.param({"footprint_mm": [[0, 0], [8, 0], [4, 3], [8, 8], [0, 8]]}, id="dented"),
        pytest.param({"footprint_mm": [[0, 0], [8, 0], [1, 1], [0, 8]]}, id="an arrow"),
        pytest.param(
            {
                "footprint_mm": [
                    [8 * math.cos(turn / 159.2), 8 * math.sin(turn / 159.2)] for turn in range(1000)
                ]
            },
            id="1000 points",
        ),
        pytest.param({"footprint_mm": [[1e9, 0], [1e9 + 8, 0], [1e9 + 8, 8], [1e9, 8]]}, id="far away"),
        pytest.param({"footprint_mm": None, "centre_mm": [1e9, 0]}, id="a centre far away"),
        pytest.param({"footprint_mm": None, "centre_mm": [1, 2, 3]}, id="a centre in space"),
        pytest.param({"footprint_mm": None, "centre_mm": []}, id="an empty centre"),
        pytest.param({"footprint_mm": None, "centre_mm": "here"}, id="a centre in words"),
        pytest.param({"footprint_mm": None, "centre_mm": {"x": 1, "y": 2}}, id="a centre as an object"),
        pytest.param({"footprint_mm": None, "centre_mm": [1, 2], "yaw_deg": "30"}, id="a yaw in words"),
        pytest.param({"footprint_mm": None, "centre_mm": [1, 2], "yaw_deg": True}, id="a boolean as yaw"),
        pytest.param({"footprint_mm": None, "centre_mm": [1, 2], "yaw_deg": [30]}, id="a list as yaw"),
    ],
)
def test_a_cube_that_is_none_is_refused_in_one_line_that_names_it(change):
    table = a_table(*THREE_PILLARS, {**GOOD, **change})

    line = error_of(run_on(table))

    assert line.startswith("-: Cube 7: ")
    assert len(line) < 200
    assert line.isprintable()


@pytest.mark.parametrize("field", ["id", "type", "size", "footprint_mm"])
def test_a_cube_without_a_field_is_refused_in_one_line(field):
    cube = {name: value for name, value in GOOD.items() if name != field}

    line = error_of(run_on(a_table(*THREE_PILLARS, cube)))

    assert line.startswith("-: Cube number 4 " if field == "id" else "-: Cube 7: ")


NO_NUMBERS = ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1" + "0" * 400, "1" + "0" * 5000]


@pytest.mark.parametrize("word", [*NO_NUMBERS, "true", "false", '"1"', "null", "[]", "{}", "1e7"])
@pytest.mark.parametrize("field", ["centre_mm", "footprint_mm"])
def test_a_coordinate_that_is_no_place_on_a_table_is_refused_in_one_line(field, word):
    outline = {"footprint_mm": f"[[0, 0], [8, 0], [8, {word}], [0, 8]]", "centre_mm": f"[{word}, 0]"}[field]
    text = f'{{"cubes": [{{"id": 7, "type": "gold", "size": "small", "{field}": {outline}}}]}}'

    line = error_of(run_on(text))

    assert line.startswith("-: Cube 7: ") or len(word) > 4300


@pytest.mark.parametrize("word", NO_NUMBERS)
def test_a_yaw_that_is_no_number_is_refused_in_one_line(word):
    text = (
        f'{{"cubes": [{{"id": 7, "type": "gold", "size": "small", "centre_mm": [0, 0], "yaw_deg": {word}}}]}}'
    )

    assert error_of(run_on(text))


@pytest.mark.parametrize(
    "word", [*NO_NUMBERS, '"7"', "true", "7.0", "7.5", "null", "[7]", '{"id": 7}', "1e3", '"x\\ny"']
)
def test_an_id_that_is_no_whole_number_is_refused_in_one_line(word):
    text = f'{{"cubes": [{{"id": {word}, "type": "gold", "size": "small", "centre_mm": [0, 0]}}]}}'

    line = error_of(run_on(text))

    assert line.startswith("-: Cube number 1 ") or len(word) > 4300


def test_two_cubes_with_one_id_are_refused_in_one_line():
    table = a_table(*THREE_PILLARS, a_cube(1, "gold", 20, 20))

    assert error_of(run_on(table)) == "-: Two cubes have the id 1."


@pytest.mark.parametrize("kind", ["pillar", "gold"])
def test_more_cubes_than_any_table_has_are_refused_in_one_line_and_at_once(kind):
    cubes = [a_cube(id, kind, id % 100 * 20, id // 100 * 20) for id in range(10_000)]
    start = time.monotonic()

    line = error_of(run_on(a_table(*cubes)))

    assert "at most" in line
    assert time.monotonic() - start < 5


def test_many_more_pillars_than_the_box_has_are_refused():
    cubes = [a_cube(id, "pillar", id % 40 * 20, id // 40 * 20) for id in range(1000)]

    assert re.fullmatch(r"-: A table can have at most \d+ pillars\.", error_of(run_on(a_table(*cubes))))


@pytest.mark.parametrize("kind", ["pillar", "gold"])
@pytest.mark.parametrize("side", [1e-320, 1e-200, 1e-150, 1e-100, 1e-30, 1e-12, 1e-6])
def test_cubes_smaller_than_dust_are_answered_or_refused(side, kind):
    dust = a_footprint([[0, 0], [side, 0], [side, side], [0, side]], kind=kind)
    table = a_table(*THREE_PILLARS[1:], a_cube(3, "pillar", 30, 30), dust)

    assert_told_or_refused(run_on(table, "--json", "--pawns", "--next", 8))


@pytest.mark.parametrize("options", [[], ["--pawns"], ["--next", 8], ["--readings"]])
@pytest.mark.parametrize(
    "centres",
    [
        pytest.param([(0, 0)] * 3, id="on one spot"),
        pytest.param([(0, 0), (8, 0), (0, 8)], id="corner to corner"),
        pytest.param([(0, 0), (8, 0), (16, 0)], id="in a row"),
        pytest.param([(1e6, 1e6), (-1e6, 1e6), (0, -1e6)], id="as far away as allowed"),
    ],
)
def test_pillars_in_odd_places_are_answered_or_refused(centres, options):
    pillars = [a_cube(id, "pillar", x, y) for id, (x, y) in enumerate(centres)]

    assert_told_or_refused(run_on(a_table(*pillars), "--json", *options))


# What is refused: files and options


def test_a_missing_file_is_one_line(tmp_path):
    file = tmp_path / "nowhere.json"

    assert error_of(run(file)) == f"{file}: No such file or directory"


def test_a_directory_is_one_line(tmp_path):
    assert error_of(run(tmp_path)).startswith(f"{tmp_path}: ")


def test_a_large_file_is_one_line(a_file):
    file = a_file(b" " * 20_000_001)

    assert error_of(run(file)) == f"{file}: larger than 20 MB, not a table"


@pytest.mark.parametrize(
    "options",
    [
        *(["--hp", value] for value in ("0", "-1", "100", "1.5", "x", "", "nan", "1" + "0" * 5000)),
        *(["--damage", value] for value in ("-1", "99", "8", "2.5", "x", "")),
        ["--hp", "3", "--damage", "3"],
        *(
            [option, value]
            for option in ("--reserve", "--next-reserve")
            for value in (
                "gold",
                "gold=",
                "gold=-1",
                "gold=1.5",
                "gold=100",
                "gold=x",
                "gold=²",
                "gold=" + "9" * 5000,
                "=1",
                "ghost=1",
                "pillar=1",
                "stairs=1",
                "gold=1,gold=1",
                "clear=1,gem_clear=1",
                "gold=1;key=1",
            )
        ),
        *(
            ["--gems", value]
            for value in ("1,2,3", "clear", "red=1", "clear=-1", "clear=1,clear=2", "pink=x")
        ),
        *(["--doubt", value] for value in ("-1", "51", "nan", "inf", "x", "", "1e999")),
        *(["--top", value] for value in ("0", "-1", "1.5", "x", "")),
        *(
            ["--move", value]
            for value in (
                "",
                "x",
                "10",
                "10=",
                "10=1",
                "10=1,2,3",
                "10=a,b",
                "10=nan,1",
                "10=1,inf",
                "10=1e9,1",
                "x=1,2",
                "1.5=1,2",
                "999=1,2",
                "9" * 5000 + "=1,2",
            )
        ),
        *(["--next", value] for value in ("0", "-1", "100", "x", "")),
        *(["--next", "8", "--next-damage", value] for value in ("-1", "99", "x", "8", "9")),
        *(["--picture", value] for value in ("", "table", "table.jpg", "table.png.txt", ".png")),
        ["--fly"],
        ["another argument"],
    ],
    ids=lambda options: " ".join(options)[:40],
)
def test_an_option_that_cannot_be_read_is_one_line(options):
    line = error_of(run_on(SMALL_TABLE, *options))

    option = options[-2] if len(options) > 1 else ""
    assert option in line


def test_a_missing_argument_is_one_line():
    assert error_of(run())


# Anything at all


def assert_told_or_refused(result):
    """Hold that the command either answered or refused in one line."""
    if result.exit_code == 0:
        assert result.stderr == ""
        json.loads(result.stdout, parse_constant=lambda word: pytest.fail(f"{word} in the answer"))
    else:
        error_of(result)


numbers = st.integers() | st.floats() | st.sampled_from([0, -0.0, 5e-324, 1e-160, 1e-9, 1e6, 1e308, 10**400])
scalars = st.none() | st.booleans() | numbers | st.text(st.characters(codec=None), max_size=5)
fields = st.sampled_from(["cubes", "id", "type", "size", "footprint_mm", "centre_mm", "yaw_deg", "x"])
known_words = st.sampled_from(["pillar", "gold", "small", "large"])
anything = st.recursive(
    scalars | known_words,
    lambda values: st.lists(values, max_size=4) | st.dictionaries(fields, values, max_size=6),
    max_leaves=20,
)


@settings(max_examples=250, deadline=None)
@given(anything)
def test_any_json_is_answered_or_refused(data):
    assert_told_or_refused(run_on(data, "--json"))


@settings(max_examples=150, deadline=None)
@given(st.lists(anything, max_size=3))
def test_any_list_of_cubes_is_answered_or_refused(cubes):
    assert_told_or_refused(run_on({"cubes": cubes}, "--json"))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=30) | st.binary(max_size=30))
def test_any_content_is_answered_or_refused(content):
    data = content if isinstance(content, bytes) else content.encode(errors="surrogatepass")

    assert_told_or_refused(run_on(data, "--json"))


@st.composite
def nearly_tables(draw):
    """Draw a good table in which one value, anywhere, is replaced."""
    table = json.loads(json.dumps(SMALL_TABLE if draw(st.booleans()) else leaning_table(1)))
    cube = draw(st.sampled_from(table["cubes"]))
    field = draw(st.sampled_from([*cube, "footprint_mm"]))
    place = cube.get(field)
    while isinstance(place, list) and draw(st.booleans()):
        cube, field = place, draw(st.integers(0, len(place) - 1))
        place = cube[field]
    cube[field] = draw(anything)
    return table


MORE = st.sampled_from(
    [[], ["--pawns"], ["--next", "8"], ["--readings", "--doubt", "20"], ["--move", "10=0,0"]]
)


@settings(max_examples=200, deadline=None)
@given(nearly_tables(), MORE)
def test_a_table_with_one_odd_value_is_answered_or_refused(table, options):
    assert_told_or_refused(run_on(table, "--json", *options))


coordinates = st.floats(-1.1e6, 1.1e6) | st.floats(-20, 20) | st.sampled_from([0, 8, 1e-9, 1e-160, -1e-310])
outlines = st.lists(st.tuples(coordinates, coordinates).map(list), min_size=3, max_size=6)


@settings(max_examples=200, deadline=None)
@given(st.lists(outlines, min_size=1, max_size=4), MORE)
def test_footprints_of_any_numbers_are_answered_or_refused(drawn, options):
    kinds = ["pillar", "gold", "pillar", "pillar"]
    cubes = [
        a_footprint(outline, id, kind)
        for id, (outline, kind) in enumerate(zip(drawn, kinds, strict=False), 10)
    ]

    assert_told_or_refused(run_on(a_table(*THREE_PILLARS, *cubes), "--json", *options))


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["--hp", "--damage", "--reserve", "--gems", "--doubt", "--top", "--move", "--next"]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
    | st.from_regex(r"\A(gold|key|clear|1)?=?-?[0-9]{0,3}([.,e]-?[0-9]{0,4})*\Z"),
)
def test_an_option_with_any_value_is_answered_or_refused(option, value):
    assert_told_or_refused(run_on(SMALL_TABLE, "--json", f"{option}={value}"))


# In its own process


@pytest.mark.parametrize("way", ["module", "script"])
def test_the_command_answers_in_its_own_process(a_file, way):
    script = Path(sys.executable).with_name("dungeon")
    if way == "script" and not script.exists():
        pytest.skip("not installed as a script")
    command = (str(script),) if way == "script" else (sys.executable, "-m", "web")

    process = run_really(a_file(SMALL_TABLE), "--json", "--hp", 9, command=command)

    assert (process.returncode, process.stderr) == (0, b"")
    assert json.loads(process.stdout) == answer(SMALL_TABLE, "--hp", 9)


def test_the_command_reads_standard_input_in_its_own_process():
    process = run_really("-", "--json", input=json.dumps(SMALL_TABLE).encode())

    assert json.loads(process.stdout)["legal_rooms"] == 1


def test_bad_tables_are_one_line_in_its_own_process():
    numbers_cube = b'{"cubes": [{"id": 7, "type": "gold", "size": "small", "centre_mm": [NaN, 0]}]}'

    assert real_error_of(run_really("-", input=numbers_cube)).startswith("-: Cube 7: ")
    assert real_error_of(run_really("-", input=b"[" * 300_000)) == "-: This is not JSON."


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks Linux for the memory used")
def test_of_a_file_of_two_gigabytes_only_the_beginning_is_read(a_file, tmp_path):
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(2_000_000_000)
    # Python's own way out is not taken, so that the memory can be told; it is the process's, not a parent's.
    program = (
        "import sys; from pathlib import Path; from web.command_line import dungeon\n"
        "try: dungeon(['rooms', sys.argv[1]])\n"
        "finally: sys.stderr.write(Path('/proc/self/status').read_text())"
    )

    peaks = []
    for file in (a_file("hello"), huge):
        start = time.monotonic()
        process = subprocess.run(
            [sys.executable, "-c", program, str(file)], capture_output=True, cwd=ROOT, timeout=60
        )
        took = time.monotonic() - start
        line, *status = process.stderr.decode().splitlines()
        peaks += [int(entry.split()[1]) / 1024 for entry in status if entry.startswith("VmHWM")]

    assert (process.returncode, process.stdout) == (2, b"")
    assert line == f"dungeon: {huge}: larger than 20 MB, not a table"
    assert took < 5
    assert peaks[1] - peaks[0] < 60
