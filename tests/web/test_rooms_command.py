"""``dungeon rooms``: the contract of its answer, what may be a table, and the oracle."""

import importlib.util
import json
import random
from functools import cache
from itertools import product

import pytest
import shapely

from tests.web.rooms_command import (
    DAMAGE,
    ROOM_FIELDS,
    SCENES,
    SHARED,
    SMALL_TABLE,
    THREE_PILLARS,
    TREASURES,
    a_cube,
    a_table,
    answer,
    as_footprint,
    needs_oracle,
    random_table,
    rounded,
    run,
    square,
)

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
