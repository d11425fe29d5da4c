"""What my rooms leave the next player, against looking at the table anew after each loot."""

import dataclasses
import math
import random
import tracemalloc
from itertools import product

import pytest

from companion.dungeon_drop.advice import advise
from companion.dungeon_drop.deny import as_others_see, denials, wanted_by
from companion.dungeon_drop.hero import GemValues, Hero, Rival
from companion.dungeon_drop.holdings import Reserve
from companion.dungeon_drop.pieces import Kind, Size
from companion.dungeon_drop.quests import Term, What, When
from companion.dungeon_drop.rooms import find_rooms
from companion.dungeon_drop.table import Table, flat_cube

DOUBT_MM = 1.5
LOOT = [kind for kind in Kind if kind not in (Kind.PILLAR, Kind.DRAGON)]
HARM = {"goblin": 1, "troll": 2, "dragon": 8}
# Nobody knows which gem pays what: all are worth the mean.
WORTH = {"gold": 1, "troll": 2, "dragon": 8, "gem_clear": 2, "gem_blue": 2, "gem_pink": 2}
SEEDS = range(6)


# Builders


def random_cubes(seed, pillars=8, others=22, spread_mm=55):
    rng = random.Random(seed)
    kinds = [*[Kind.PILLAR] * pillars, Kind.DRAGON, *rng.choices(LOOT, k=others)]
    ids = rng.sample(range(500), len(kinds))
    spots = [(rng.gauss(0, spread_mm), rng.gauss(0, spread_mm)) for _ in kinds]
    return [
        flat_cube(id, kind, Size.SMALL, spot, rng.uniform(0, 90))
        for id, kind, spot in zip(ids, kinds, spots, strict=True)
    ]


def two_rooms(left, right):
    """Return a table with a room on the left and one on the right that share nothing, and what is in them."""
    corners = [(0, 0), (60, 0), (0, 60), (1000, 0), (1060, 0), (1060, 60)]
    pillars = [flat_cube(id, Kind.PILLAR, Size.SMALL, corner) for id, corner in enumerate(corners)]
    cubes = [
        flat_cube(start + place, kind, Size.SMALL, (x, 2 + 9 * place))
        for start, x, kinds in ((10, 15, left), (20, 1045, right))
        for place, kind in enumerate(kinds)
    ]
    return [*pillars, *cubes]


def a_rival(hp=8, damage=0, **reserve):
    return Rival(hp, damage, Reserve.of({Kind(kind): count for kind, count in reserve.items()}))


def look(cubes, hero=None, rival=None):
    """Return my advice and that of the next player on a table."""
    rooms = find_rooms(Table.put(cubes), DOUBT_MM)
    return advise(rooms, hero or Hero(), DOUBT_MM), wanted_by(rooms, rival or a_rival(), DOUBT_MM)


RIVALS = [
    pytest.param(a_rival(), id="fresh"),
    pytest.param(a_rival(7, 5), id="hurt"),
    pytest.param(a_rival(7, 5, shield=1, potion=1), id="hurt and helped"),
    pytest.param(a_rival(9, 2, key=3, shield=2), id="with keys"),
    pytest.param(a_rival(30, 0, chest=2, gold=5), id="strong with chests"),
    pytest.param(a_rival(1), id="nearly dead"),
]


# The plain way


def plain_gain(rival, kinds):
    """Return what looting these gives a player; nothing if it is forbidden."""
    monsters = sorted((HARM[kind] for kind in kinds if kind in HARM), reverse=True)
    shields, potions = rival.reserve.count(Kind.SHIELD), rival.reserve.count(Kind.POTION)
    allowed = any(
        rival.damage - min(rival.damage, 3 * drunk) + sum(monsters[used:]) < rival.hit_points
        and 8 not in monsters[used:]
        for used, drunk in product(range(shields + 1), range(potions + 1))
    )
    if not allowed:
        return 0.0
    pairs = [
        min(rival.reserve.count(Kind.KEY) + keys, rival.reserve.count(Kind.CHEST) + chests)
        for keys, chests in ((0, 0), (kinds.count("key"), kinds.count("chest")))
    ]
    return sum(WORTH.get(kind, 0) for kind in kinds) + 3.5 * (pairs[1] - pairs[0])


def plain_best(cubes, rival):
    """Return the most the next player can gain on a table."""
    rooms = find_rooms(Table.put(cubes), DOUBT_MM)
    first = rooms.table.pillar_count
    gains = [0.0]
    for place in range(len(rooms)):
        kinds = [str(rooms.table.cubes[first + cube].kind) for cube in rooms.taken(place)]
        gains.append(plain_gain(rival, kinds))
    return max(gains)


# Against the plain way


@pytest.mark.parametrize("rival", RIVALS)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_left_is_the_best_room_after_the_looted_cubes_are_gone(seed, rival):
    cubes = random_cubes(seed)
    mine, theirs = look(cubes, Hero(hit_points=9), rival)

    found = denials(mine, theirs)

    now = plain_best(cubes, rival)
    assert found
    for denial in found:
        left = [cube for cube in cubes if cube.id not in denial.mine.cubes]
        assert denial.theirs_now == pytest.approx(now)
        assert denial.theirs_after == pytest.approx(plain_best(left, rival))
        assert denial.denied == pytest.approx(denial.theirs_now - denial.theirs_after)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_loot_never_leaves_more_to_somebody_who_cannot_be_hurt(seed):
    # With monsters gone, a hurt player could dare more; this one dares everything.
    mine, theirs = look(random_cubes(seed), rival=a_rival(99, shield=1))

    assert all(0 <= denial.theirs_after <= denial.theirs_now for denial in denials(mine, theirs))


def test_a_loot_may_leave_more_to_somebody_whom_its_monsters_keep_away():
    # The gold is under pillar 2, the goblins are in the middle of all rooms.
    pillars = [(0, 0), (100, 0), (50, 120), (50, -60)]
    cubes = [flat_cube(id, Kind.PILLAR, Size.SMALL, corner) for id, corner in enumerate(pillars)]
    cubes += [flat_cube(10 + place, Kind.GOBLIN, Size.SMALL, (50, place - 1)) for place in range(3)]
    cubes += [flat_cube(20, Kind.GOLD, Size.SMALL, (50, 112))]
    mine, theirs = look(cubes, Hero(hit_points=8), a_rival(3))

    found = {denial.mine.pillars: denial for denial in denials(mine, theirs)}

    assert found[0, 1, 3].theirs_now == 0
    assert found[0, 1, 3].theirs_after == 1
    assert found[0, 1, 3].denied == -1


# By hand


def test_a_room_they_want_can_be_denied():
    mine, theirs = look(two_rooms([Kind.GOLD] * 3, [Kind.GOLD] * 2))

    left, right = (
        next(denial for denial in denials(mine, theirs, 100) if denial.mine.pillars == pillars)
        for pillars in ((0, 1, 2), (3, 4, 5))
    )

    assert (left.theirs_now, left.theirs_after, left.denied) == (3, 2, 1)
    assert (right.theirs_now, right.theirs_after, right.denied) == (3, 3, 0)


def test_a_key_in_their_reserve_makes_a_chest_worth_denying():
    cubes = two_rooms([Kind.CHEST], [Kind.GOLD])

    poor, rich = (denials(*look(cubes, rival=rival), 100) for rival in (a_rival(), a_rival(key=1)))

    def denied(found):
        return max(denial.denied for denial in found if 10 in denial.mine.cubes)

    assert (denied(poor), denied(rich)) == (0, 2.5)


def test_what_they_cannot_survive_is_not_denied():
    cubes = two_rooms([Kind.TROLL, Kind.GOLD, Kind.GOLD], [])

    weak, strong = (denials(*look(cubes, rival=rival), 100) for rival in (a_rival(2), a_rival(3)))

    assert {denial.theirs_now for denial in weak} == {0}
    assert {denial.theirs_now for denial in strong} == {4}


def test_a_dragon_is_only_theirs_with_a_shield():
    cubes = two_rooms([Kind.DRAGON], [])
    hero = Hero(hit_points=9, reserve=Reserve.of({Kind.SHIELD: 1}))

    without, with_one = (
        denials(*look(cubes, hero, rival), 100) for rival in (a_rival(20), a_rival(5, shield=1))
    )

    assert {denial.theirs_now for denial in without} == {0}
    taking = [denial for denial in with_one if 10 in denial.mine.cubes]
    assert taking
    assert {(denial.theirs_now, denial.theirs_after) for denial in taking} == {(8, 0)}


# Secrets


@pytest.mark.parametrize("gem", [Kind.GEM_CLEAR, Kind.GEM_BLUE, Kind.GEM_PINK])
def test_every_gem_is_worth_the_same_to_somebody_with_a_secret_quest(gem):
    mine, theirs = look(two_rooms([gem, gem], [Kind.GOLD]))

    assert denials(mine, theirs)[0].theirs_now == 4


def test_another_player_is_seen_without_a_quest():
    rival = a_rival(7, 3, gold=2)

    seen = as_others_see(rival)

    assert {field.name for field in dataclasses.fields(Rival)} == {"hit_points", "damage", "reserve"}
    assert (seen.hit_points, seen.damage, seen.reserve) == (7, 3, rival.reserve)
    assert seen.gem_values.clear == seen.gem_values.blue == seen.gem_values.pink == 2
    assert (seen.bonus, seen.rivals) == ((), ())


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_left_does_not_depend_on_my_quest(seed):
    cubes, rival = random_cubes(seed), a_rival(7, 2, key=1)
    goblin_friend = Term(5, When.EACH, What.CUBES, (Kind.GOBLIN, Kind.GEM_BLUE))
    heroes = [Hero(), Hero(gem_values=GemValues(9, 0, 4)), Hero(bonus=(goblin_friend,), rivals=(rival,))]

    answers = [denials(*look(cubes, hero, rival), 1000) for hero in heroes]

    left = [
        {denial.mine.pillars: (denial.theirs_now, denial.theirs_after) for denial in found}
        for found in answers
    ]
    assert left[0] == left[1] == left[2]
    assert [denial.mine.gain for denial in answers[0]] != [denial.mine.gain for denial in answers[1]]


# Order and number


@pytest.mark.parametrize("top", [1, 3, 10, 1000])
@pytest.mark.parametrize("seed", SEEDS)
def test_my_best_allowed_rooms_come_in_my_order(seed, top):
    mine, theirs = look(random_cubes(seed), Hero(hit_points=4))

    found = denials(mine, theirs, top)

    assert [denial.mine for denial in found] == [room for room in mine.top(top) if room.allowed]
    assert 0 < len(found) <= top


def test_ten_rooms_are_told_if_nobody_asks_for_a_number():
    mine, theirs = look(random_cubes(1, pillars=12), Hero(hit_points=99))

    assert len(mine) > 10
    assert len(denials(mine, theirs)) == 10


@pytest.mark.parametrize(
    "cubes",
    [
        pytest.param([], id="empty"),
        pytest.param(two_rooms([], [])[:2], id="two pillars"),
        pytest.param([flat_cube(1, Kind.GOLD, Size.SMALL, (0, 0))], id="one cube"),
    ],
)
def test_without_rooms_there_is_nothing_to_deny(cubes):
    assert denials(*look(cubes)) == ()


def test_without_an_allowed_room_there_is_nothing_to_deny():
    cubes = [cube for cube in two_rooms([Kind.GOBLIN] * 3, []) if cube.id in (0, 1, 2, 10, 11, 12)]

    mine, theirs = look(cubes, Hero(hit_points=2))

    assert len(mine) == 1
    assert denials(mine, theirs) == ()


def test_empty_rooms_deny_nothing():
    found = denials(*look(two_rooms([], [])), 100)

    assert found
    assert {(denial.theirs_now, denial.theirs_after) for denial in found} == {(0, 0)}


def test_many_rooms_are_never_held_as_a_number_for_every_room_and_cube():
    # On a wide circle all trios are rooms; the limits of a table allow twenty times as many, with more cubes.
    rng, pillars, others = random.Random(1), 100, 300
    turns = [2 * math.pi * place / pillars for place in range(pillars)]
    cubes = [
        flat_cube(place, Kind.PILLAR, Size.SMALL, (8000 * math.cos(turn), 8000 * math.sin(turn)))
        for place, turn in enumerate(turns)
    ]
    cubes += [
        flat_cube(1000 + place, Kind.GOLD, Size.SMALL, (rng.gauss(0, 3000), rng.gauss(0, 3000)))
        for place in range(others)
    ]
    mine, theirs = look(cubes)

    tracemalloc.start()
    try:
        found = denials(mine, theirs, 1)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert len(found) == 1
    assert len(mine) == math.comb(pillars, 3)
    assert peak < 8 * len(mine) * others / 2
