"""``dungeon rooms`` beyond its contract: what if, readings, the next player, pawns, a bonus, and words."""

import re

import pytest

from tests.web.rooms_command import (
    READINGS,
    ROOM_FIELDS,
    SMALL_TABLE,
    THREE_PILLARS,
    a_cube,
    a_table,
    answer,
    error_of,
    leaning_table,
    random_table,
    rounded,
    run_on,
    words,
)

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
