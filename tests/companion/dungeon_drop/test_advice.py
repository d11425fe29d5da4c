"""The rooms of whole tables as a hero should want them, worked out again with shapely and plain Python."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from companion.dungeon_drop import rooms as rooms_module
from companion.dungeon_drop.advice import advise
from companion.dungeon_drop.hero import Hero
from companion.dungeon_drop.pieces import IN_THE_BOX, Kind, Size
from companion.dungeon_drop.quests import Term, What, When
from companion.dungeon_drop.rooms import find_rooms
from companion.dungeon_drop.table import Table, flat_cube
from tests.companion.dungeon_drop.heroes import (
    USUAL_SIZE,
    a_hero,
    advice_on,
    loot_of,
    random_cubes,
    random_hero,
    slow_judge,
)
from tests.companion.dungeon_drop.shapely_rooms import brute_force


def facts(room):
    """Return all of an advice that takes no thinking through of doubts, but for its place."""
    return {
        "pillars": room.pillars,
        "cubes": room.cubes,
        "gain": pytest.approx(room.gain, abs=1e-6),
        "damage": room.damage,
        "hp_left": room.hp_left,
        "shields_used": room.shields_used,
        "potions_used": room.potions_used,
        "weight": room.weight,
        "allowed": room.allowed,
        "safe": room.safe,
        "doubtful": {cube.id: pytest.approx(cube.gap_mm, abs=1e-6) for cube in room.doubtful},
    }


def slow_advice(cubes, hero, accuracy_mm):
    """Work the same out from the rules, best room first."""
    sorts = {cube.id: (cube.kind, cube.size) for cube in cubes}
    found = []
    for room in brute_force(cubes, accuracy_mm):
        verdict = slow_judge(hero, loot_of(sorts, room.inside))
        posts = {id for id in room.near if sorts[id][0] == "pillar"}
        fullest = slow_judge(hero, loot_of(sorts, room.inside | set(room.near) - posts))
        found.append(
            {
                "pillars": tuple(sorted(room.pillars)),
                "cubes": tuple(sorted(room.inside)),
                "gain": verdict.gain,
                "damage": verdict.damage,
                "hp_left": verdict.hp_left,
                "shields_used": verdict.shields,
                "potions_used": verdict.potions,
                "weight": verdict.weight,
                "allowed": verdict.allowed,
                "safe": verdict.allowed and fullest.allowed and not posts,
                "doubtful": room.near,
            }
        )
    return sorted(
        found,
        key=lambda room: (
            not room["allowed"],
            -room["gain"],
            room["damage"],
            room["shields_used"] + room["potions_used"],
            room["pillars"],
        ),
    )


def whole_box(rng, width_mm):
    """Drop all 18 pillars and 75 other cubes somewhere."""
    sorts = [sort for sort, count in IN_THE_BOX.items() for _ in range(count)]
    return [
        flat_cube(id, kind, size, (rng.uniform(0, width_mm), rng.uniform(0, width_mm)), rng.uniform(0, 90))
        for id, (kind, size) in enumerate(rng.sample(sorts, len(sorts)))
    ]


# Whole tables


@pytest.mark.parametrize("seed", range(80))
def test_every_room_of_a_random_table_is_advised_as_the_rules_say(seed):
    rng = random.Random(seed)
    cubes = random_cubes(rng, rng.randint(3, 10), rng.randint(0, 25), rng.uniform(60, 200))
    accuracy_mm = rng.choice((0, 0.5, 1.5, 3))

    for _ in range(3):
        hero = random_hero(rng)
        found = advice_on(cubes, hero, accuracy_mm, accuracy_mm + rng.choice((0, 1)))
        assert [facts(room) for room in found.top()] == slow_advice(cubes, hero, accuracy_mm)


def test_the_random_tables_have_rooms_of_all_sorts():
    found = []
    for seed in range(80):
        rng = random.Random(seed)
        cubes = random_cubes(rng, rng.randint(3, 10), rng.randint(0, 25), rng.uniform(60, 200))
        found += advice_on(cubes, random_hero(rng), 1.5).top()

    assert len(found) > 300
    for allowed in (False, True):
        assert any(room.allowed == allowed for room in found)
        assert any(room.safe == allowed for room in found if room.doubtful)
    assert any(room.shields_used for room in found)
    assert any(room.potions_used for room in found)
    assert any(room.gain < 0 for room in found)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("width_mm", [150, 300, 600])
def test_the_whole_box_on_the_table(width_mm, seed):
    rng = random.Random(seed)
    cubes = whole_box(rng, width_mm)
    hero = random_hero(rng)

    found = advice_on(cubes, hero, 1.5)

    assert len(cubes) == 18 + 75
    assert [facts(room) for room in found.top()] == slow_advice(cubes, hero, 1.5)


# Order


def row_of_rooms(*contents):
    """Build rooms far from each other, between pillars 0-2, 10-12 and so on, with these kinds of cubes."""
    cubes = []
    for place, kinds in enumerate(contents):
        x, y = 1000 * (place % 3), 1000 * (place // 3)
        for corner, (dx, dy) in enumerate(((0, 0), (60, 0), (0, 60))):
            cubes.append(flat_cube(10 * place + corner, Kind.PILLAR, Size.SMALL, (x + dx, y + dy)))
        for number, kind in enumerate(kinds):
            cubes.append(
                flat_cube(1000 + 10 * place + number, Kind(kind), USUAL_SIZE[kind], (x + 20, y + 20))
            )
    return cubes


def order_of(advice, many):
    """Return in which order the rooms of `row_of_rooms` are advised."""
    small = {(10 * place, 10 * place + 1, 10 * place + 2): place for place in range(many)}
    return [small[room.pillars] for room in advice.top() if room.pillars in small]


def test_allowed_rooms_come_first():
    cubes = row_of_rooms(("dragon", "gold"), ("goblin",), ("gold",))

    assert order_of(advice_on(cubes, a_hero(9), 1), 3) == [2, 1, 0]


def test_more_gain_comes_first():
    cubes = row_of_rooms(("gold",), ("gem_pink",), ("key", "chest"), ("gem_blue",))

    assert order_of(advice_on(cubes, a_hero(), 1), 4) == [2, 1, 3, 0]


def test_forbidden_rooms_are_ordered_by_gain_as_well():
    cubes = row_of_rooms(("goblin", "gold"), ("goblin", "gem_pink"), (), ("dragon",))

    assert order_of(advice_on(cubes, a_hero(1), 1), 4) == [2, 3, 1, 0]


def test_of_equal_gain_less_damage_comes_first():
    cubes = row_of_rooms(("troll",), ("gem_blue", "goblin"), ("gem_blue",))

    assert order_of(advice_on(cubes, a_hero(), 1), 3) == [2, 1, 0]


def test_of_equal_gain_and_damage_fewer_shields_and_potions_come_first():
    cubes = row_of_rooms(("troll",), ("gem_blue", "goblin", "goblin"), ("gem_blue",))
    hero = a_hero(1, shield=2)

    advice = advice_on(cubes, hero, 1)
    used = {room.pillars: room.shields_used for room in advice.top()}

    assert order_of(advice, 3) == [2, 0, 1]
    assert (used[20, 21, 22], used[0, 1, 2], used[10, 11, 12]) == (0, 1, 2)


def test_of_all_equal_lower_pillars_come_first():
    cubes = row_of_rooms(("gold",), ("gold",), ("gold",), ("gold",))
    random.Random(1).shuffle(cubes)

    assert order_of(advice_on(cubes, a_hero(), 1), 4) == [0, 1, 2, 3]


def test_pillars_are_compared_as_numbers():
    corners = [(0, 0), (60, 0), (0, 60), (90, 90)]
    cubes = [
        flat_cube(id, Kind.PILLAR, Size.SMALL, spot)
        for id, spot in zip((10, 9, 100, 2), corners, strict=True)
    ]

    found = [room.pillars for room in advice_on(cubes, a_hero(), 1).top()]

    assert found == sorted(found)
    assert (9, 10, 100) in found


@pytest.mark.parametrize("seed", range(10))
def test_the_order_holds_on_big_tables(seed):
    rng = random.Random(seed)
    rooms = advice_on(whole_box(rng, 400), random_hero(rng), 1).top()

    keys = [(not r.allowed, -r.gain, r.damage, r.shields_used + r.potions_used, r.pillars) for r in rooms]
    assert all(one < other for one, other in pairwise(keys))


# One table, told in different ways


@pytest.mark.parametrize("seed", range(15))
def test_the_order_in_which_cubes_come_does_not_matter(seed):
    rng = random.Random(seed)
    cubes, hero = random_cubes(rng, 9, 20, 150), random_hero(rng)

    told = advice_on(cubes, hero, 2).top()
    shuffled = advice_on(rng.sample(cubes, len(cubes)), hero, 2).top()

    assert shuffled == told


@pytest.mark.parametrize("seed", range(15))
def test_names_do_not_matter(seed):
    rng = random.Random(seed)
    cubes, hero = random_cubes(rng, 9, 20, 150), random_hero(rng)
    new = dict(zip((cube.id for cube in cubes), rng.sample(range(-50, 5000), len(cubes)), strict=True))
    renamed = [replace(cube, id=new[cube.id]) for cube in cubes]

    expected = {
        tuple(sorted(new[id] for id in room.pillars)): {
            **facts(room),
            "pillars": tuple(sorted(new[id] for id in room.pillars)),
            "cubes": tuple(sorted(new[id] for id in room.cubes)),
            "doubtful": {new[cube.id]: pytest.approx(cube.gap_mm, abs=1e-6) for cube in room.doubtful},
        }
        for room in advice_on(cubes, hero, 2).top()
    }
    found = {room.pillars: as_told(room) for room in advice_on(renamed, hero, 2).top()}

    assert found == expected


def as_told(room):
    """Return the same facts as plain numbers, to compare with approximate ones."""
    doubtful = {cube.id: cube.gap_mm for cube in room.doubtful}
    return {**facts(room), "gain": room.gain, "doubtful": doubtful}


@pytest.mark.parametrize("seed", range(10))
def test_outlooks_do_not_depend_on_names(seed):
    rng = random.Random(seed)
    cubes, hero = random_cubes(rng, 8, 15, 120), random_hero(rng)
    renamed = [replace(cube, id=2000 - cube.id) for cube in cubes]

    told = {frozenset(room.pillars): room for room in advice_on(cubes, hero, 3).top()}
    again = {frozenset(2000 - id for id in room.pillars): room for room in advice_on(renamed, hero, 3).top()}

    assert told.keys() == again.keys()
    for pillars, room in told.items():
        outlook = (room.worst, room.best, room.expected_gain)
        other = again[pillars]
        assert (other.worst, other.best, other.expected_gain) == pytest.approx(outlook, abs=1e-6)


def test_the_same_question_has_the_same_answer():
    rng = random.Random(5)
    cubes, hero = random_cubes(rng, 9, 20, 150), random_hero(rng)

    assert advice_on(cubes, hero, 2).top() == advice_on(cubes, hero, 2).top()


def test_one_survey_serves_all_heroes():
    rng = random.Random(6)
    cubes = random_cubes(rng, 9, 20, 150)
    rooms = find_rooms(Table.put(cubes), 2)

    for _ in range(5):
        hero = random_hero(rng)
        assert advise(rooms, hero, 1).top() == advice_on(cubes, hero, 1, 2).top()


def test_rooms_judged_in_blocks_are_advised_alike(monkeypatch):
    rng = random.Random(7)
    cubes, hero = random_cubes(rng, 12, 30, 200), random_hero(rng)
    together = advice_on(cubes, hero, 2).top()

    monkeypatch.setattr(rooms_module, "ANSWERS", 7 * 30)

    assert len(together) > 3 * 7
    assert advice_on(cubes, hero, 2).top() == together


# Asking for some of it


def test_the_best_rooms_are_the_first_of_all():
    rng = random.Random(9)
    advice = advice_on(random_cubes(rng, 9, 20, 150), random_hero(rng), 2)
    everything = advice.top()

    assert len(everything) == len(advice)
    for count in (0, 1, 2, 5, len(everything), len(everything) + 10):
        assert advice.top(count) == everything[:count]


def test_a_room_can_be_asked_for_by_its_place():
    rng = random.Random(10)
    advice = advice_on(random_cubes(rng, 9, 20, 150), random_hero(rng), 2)

    assert sorted(room.place for room in advice.top()) == list(range(len(advice)))
    for room in advice.top():
        assert advice.room(room.place) == room


def test_places_are_those_of_the_rooms():
    rng = random.Random(11)
    advice = advice_on(random_cubes(rng, 9, 20, 150), random_hero(rng), 2)
    ids = advice.rooms.table.ids

    for room in advice.top():
        assert room.pillars == tuple(ids[pillar] for pillar in advice.rooms.trios.pillars[room.place])


# Few cubes

PILLARS = tuple(
    flat_cube(id, Kind.PILLAR, Size.SMALL, spot) for id, spot in ((1, (0, 0)), (2, (60, 0)), (3, (0, 60)))
)


@pytest.mark.parametrize(
    "cubes",
    [
        pytest.param((), id="nothing"),
        pytest.param(PILLARS[:2], id="two pillars"),
        pytest.param((flat_cube(9, Kind.GOLD, Size.SMALL, (5, 5)),), id="only gold"),
        pytest.param((*PILLARS[:2], flat_cube(9, Kind.GOLD, Size.SMALL, (5, 5))), id="two pillars and gold"),
    ],
)
@pytest.mark.parametrize("bonus", [(), (Term(1, When.EACH, What.CUBES, (Kind.GOLD,), Size.SMALL),)])
def test_without_rooms_there_is_no_advice(cubes, bonus):
    advice = advice_on(cubes, Hero(bonus=bonus), 1)

    assert len(advice) == 0
    assert advice.top() == advice.top(3) == ()


def test_pillars_alone_make_empty_rooms():
    [room] = advice_on(PILLARS, a_hero(8, 3, gold=2), 1).top()

    assert facts(room) == {
        "pillars": (1, 2, 3),
        "cubes": (),
        "gain": 0,
        "damage": 0,
        "hp_left": 5,
        "shields_used": 0,
        "potions_used": 0,
        "weight": 2,
        "allowed": True,
        "safe": True,
        "doubtful": {},
    }


def test_four_pillars_around_a_fifth():
    corners = ((0, 0), (100, 0), (100, 100), (0, 100), (50, 50))
    cubes = [flat_cube(id, Kind.PILLAR, Size.SMALL, spot) for id, spot in enumerate(corners)]
    gold = flat_cube(9, Kind.GOLD, Size.SMALL, (50, 20))

    found = {room.pillars: room.cubes for room in advice_on([*cubes, gold], a_hero(), 1).top()}

    rooms_of_two_walls = {(0, 2, 4): (), (1, 3, 4): ()}
    assert found == {(0, 1, 4): (9,), (0, 3, 4): (), (1, 2, 4): (), (2, 3, 4): (), **rooms_of_two_walls}


def test_a_room_as_a_player_reads_it():
    """The example of the rules: what it gives, what it costs, what is too close to call."""
    cubes = [
        *PILLARS,
        flat_cube(4, Kind.GOLD, Size.SMALL, (20, 20)),
        flat_cube(5, Kind.CHEST, Size.LARGE, (10, 30)),
        flat_cube(6, Kind.TROLL, Size.LARGE, (30, 10)),
        flat_cube(7, Kind.GOBLIN, Size.SMALL, (30, -8.5)),
        flat_cube(8, Kind.STAIRS, Size.SMALL, (10, 10)),
        flat_cube(9, Kind.GEM_PINK, Size.SMALL, (90, 90)),
    ]

    [room] = advice_on(cubes, a_hero(8, 6, key=1, gold=1, potion=1), 1).top()

    assert facts(room) == {
        "pillars": (1, 2, 3),
        "cubes": (4, 5, 6, 8),
        "gain": 1 + 3.5 + 2,
        "damage": 2,
        "hp_left": 3,
        "shields_used": 0,
        "potions_used": 1,
        "weight": 4,
        "allowed": True,
        "safe": True,
        "doubtful": {7: 0.5},
    }
