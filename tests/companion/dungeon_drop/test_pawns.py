"""Where a pawn stands well, against a plain evaluation with shapely at every point of the map."""

import math
import random
import tracemalloc
from itertools import combinations, pairwise

import numpy as np
import pytest
import shapely

from companion.dungeon_drop.advice import advise
from companion.dungeon_drop.hero import Hero
from companion.dungeon_drop.pawns import PawnSettings, attraction, best_spots, heat_map
from companion.dungeon_drop.pieces import Kind, Size
from companion.dungeon_drop.rooms import find_rooms
from companion.dungeon_drop.table import Cube, Table, flat_cube

LOOT = [Kind.GOLD, Kind.GOLD, Kind.GEM_PINK, Kind.KEY, Kind.CHEST, Kind.GOBLIN, Kind.TROLL]
COARSE = PawnSettings(step_mm=7.0)
SEEDS = range(5)


# Builders


def advice_on(cubes, hero=None, doubt_mm=1.5):
    return advise(find_rooms(Table.put(cubes), doubt_mm), hero or Hero(), doubt_mm)


def random_cubes(seed, pillars=8, others=20, spread_mm=45, shift_mm=0.0):
    rng = random.Random(seed)
    kinds = [Kind.PILLAR] * pillars + rng.choices(LOOT, k=others)
    return [
        flat_cube(
            id,
            kind,
            Size.LARGE if kind in (Kind.CHEST, Kind.TROLL) else Size.SMALL,
            (shift_mm + rng.gauss(0, spread_mm), rng.gauss(0, spread_mm)),
            rng.uniform(0, 90),
        )
        for id, kind in enumerate(kinds)
    ]


def three_pillars(width=100):
    corners = [(0, 0), (width, 0), (0, width)]
    return [flat_cube(id, Kind.PILLAR, Size.SMALL, corner) for id, corner in enumerate(corners)]


def leaning(id, kind, centre, corners):
    turns = [2 * math.pi * place / corners for place in range(corners)]
    outline = tuple((centre[0] + 6 * math.cos(turn), centre[1] + 6 * math.sin(turn)) for turn in turns)
    return Cube(id, kind, Size.SMALL, outline)


# The plain way


def points_of(heat):
    """Return every point of a map, row by row."""
    rows, columns = heat.heat.shape
    x = heat.corner_mm[0] + heat.step_mm * np.arange(columns)
    y = heat.corner_mm[1] + heat.step_mm * np.arange(rows)
    return shapely.points(*np.meshgrid(x, y))


def hull_of(*cubes):
    return shapely.MultiPoint([point for cube in cubes for point in cube.footprint_mm]).convex_hull


def good_rooms(advice, settings):
    """Return the outlines and weights of the rooms that attract the active player."""
    rooms = [room for room in advice.top(settings.good_rooms) if room.allowed]
    if not rooms:
        return [], []
    best = max(room.expected_gain for room in rooms)
    attract = [math.exp((room.expected_gain - best) / settings.indifference) for room in rooms]
    by_id = {cube.id: cube for cube in advice.rooms.table.cubes}
    hulls = [hull_of(*(by_id[id] for id in room.pillars)) for room in rooms]
    return hulls, [weight / sum(attract) for weight in attract]


def plain_heat(advice, heat, settings):
    """Return share of attraction and number of the rooms that would hold a pawn, whatever else is there."""
    points = points_of(heat)
    share, count = np.zeros(points.shape), np.zeros(points.shape, int)
    for hull, weight in zip(*good_rooms(advice, settings), strict=True):
        held = shapely.distance(points, hull) <= settings.radius_mm
        share += weight * held
        count += held
    return share, count


def nearest_cube(advice, heat):
    """Return the distance of every point from the nearest cube."""
    points = points_of(heat)
    nearest = np.full(points.shape, np.inf)
    for cube in advice.rooms.table.cubes:
        nearest = np.minimum(nearest, shapely.distance(points, shapely.Polygon(cube.footprint_mm)))
    return nearest


def on_the_edge(advice, heat, settings):
    """Return the points where rounding decides whether some room holds a pawn."""
    points = points_of(heat)
    edge = np.zeros(points.shape, bool)
    for hull in good_rooms(advice, settings)[0]:
        edge |= np.abs(shapely.distance(points, hull) - settings.radius_mm) < 1e-9
    return edge


# The map


@pytest.mark.parametrize(
    "settings", [COARSE, PawnSettings(radius_mm=2.5, step_mm=5, good_rooms=7, indifference=0.5)]
)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_heat_of_a_point_is_the_share_of_the_rooms_that_hold_a_pawn_there(seed, settings):
    advice = advice_on(random_cubes(seed))

    heat = heat_map(advice, settings)

    share, count = plain_heat(advice, heat, settings)
    sure = heat.free & ~on_the_edge(advice, heat, settings)
    assert sure.mean() > 0.2
    assert np.allclose(heat.heat[sure], share[sure], atol=1e-9)
    assert np.array_equal(heat.rooms[sure], count[sure])
    assert heat.heat.max() > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_point_is_free_if_a_pawn_touches_no_cube(seed):
    advice = advice_on(
        [*random_cubes(seed), leaning(100, Kind.GOLD, (0, 0), 5), leaning(101, Kind.KEY, (30, 9), 3)]
    )

    heat = heat_map(advice)

    nearest = nearest_cube(advice, heat)
    radius = PawnSettings().radius_mm
    assert not heat.free[nearest < radius - 1e-9].any()
    assert heat.free[nearest > radius + 1e-9].all()
    assert heat.free.any() and not heat.free.all()


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_not_free_is_cold(seed):
    heat = heat_map(advice_on(random_cubes(seed)))

    assert not heat.heat[~heat.free].any()
    assert not heat.rooms[~heat.free].any()
    assert heat.heat.min() >= 0
    assert heat.heat.max() <= 1 + 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_the_map_covers_all_pillars_and_a_pawn_beside_them_and_little_more(seed):
    cubes = random_cubes(seed)

    heat = heat_map(advice_on(cubes))

    pillars = [cube for cube in cubes if cube.kind == Kind.PILLAR]
    left, low, right, high = shapely.box(*hull_of(*pillars).bounds).buffer(PawnSettings().radius_mm).bounds
    rows, columns = heat.heat.shape
    assert heat.corner_mm == pytest.approx((left, low))
    assert 0 <= heat.corner_mm[0] + (columns - 1) * heat.step_mm - right < heat.step_mm
    assert 0 <= heat.corner_mm[1] + (rows - 1) * heat.step_mm - high < heat.step_mm
    assert heat.step_mm == PawnSettings().step_mm
    assert heat.rooms.shape == heat.free.shape == heat.heat.shape


def test_the_map_moves_with_the_table():
    here = heat_map(advice_on(random_cubes(1)))
    there = heat_map(advice_on(random_cubes(1, shift_mm=1000)))

    assert there.corner_mm == pytest.approx((here.corner_mm[0] + 1000, here.corner_mm[1]))
    # A point at the very edge of something may fall either way.
    assert np.isclose(here.heat, there.heat, atol=1e-6).mean() > 0.99


def test_a_pawn_on_the_edge_of_a_room_is_held():
    advice = advice_on(three_pillars())

    heat = heat_map(advice, PawnSettings(radius_mm=6, step_mm=1))

    # The room ends at y = -4 and the map begins there; x + y = 108 is its long side.
    def at(x, y):
        row, column = round(y - heat.corner_mm[1]), round(x - heat.corner_mm[0])
        return heat.heat[row, column]

    beyond = (108 + 6 * math.sqrt(2)) / 2
    assert at(50, -4) == at(50, 50) == at(math.floor(beyond), math.floor(beyond)) == 1
    assert at(math.ceil(beyond), math.ceil(beyond)) == at(100, 100) == 0
    assert at(0, 0) == 0


# Attraction


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("good_rooms", [1, 5, 1000])
def test_attraction_adds_up_to_one_and_better_rooms_attract_more(seed, good_rooms):
    advice = advice_on(random_cubes(seed), doubt_mm=4.0)

    places, weights = attraction(advice, PawnSettings(good_rooms=good_rooms))

    rooms = [advice.room(int(place)) for place in places]
    assert 0 < len(rooms) <= good_rooms
    assert all(room.allowed for room in rooms)
    assert weights.sum() == pytest.approx(1)
    ranked = sorted(zip((room.expected_gain for room in rooms), weights, strict=True))
    for (little, less), (much, more) in pairwise(ranked):
        assert more >= less
        assert more / less == pytest.approx(math.exp((much - little) / 2.0))


def test_rooms_that_are_not_allowed_attract_nobody():
    goblins = [flat_cube(10 + place, Kind.GOBLIN, Size.SMALL, (20, 20 + 9 * place)) for place in range(4)]
    far = flat_cube(3, Kind.PILLAR, Size.SMALL, (200, 0)), flat_cube(4, Kind.PILLAR, Size.SMALL, (200, 60))
    advice = advice_on([*three_pillars(), *goblins, *far], Hero(hit_points=3))

    places, _ = attraction(advice, PawnSettings())

    allowed = [room for room in advice.top() if room.allowed]
    assert 0 < len(allowed) < len(advice)
    assert {int(place) for place in places} == {room.place for room in allowed}


# The best spots


@pytest.mark.parametrize("count", [1, 3, 10])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_spots_are_free_hottest_first_and_apart(seed, count):
    advice = advice_on(random_cubes(seed))
    heat = heat_map(advice)

    spots = best_spots(heat, count)

    assert 1 <= len(spots) <= count
    assert spots[0].chance == pytest.approx(heat.heat.max())
    assert [spot.chance for spot in spots] == sorted((spot.chance for spot in spots), reverse=True)
    radius, apart = PawnSettings().radius_mm, PawnSettings().apart_mm
    cubes = [shapely.Polygon(cube.footprint_mm) for cube in advice.rooms.table.cubes]
    hulls, weights = good_rooms(advice, PawnSettings())
    for spot in spots:
        pawn = shapely.Point(spot.at_mm)
        assert min(pawn.distance(cube) for cube in cubes) > radius - 1e-9
        holding = [
            weight for hull, weight in zip(hulls, weights, strict=True) if pawn.distance(hull) <= radius
        ]
        assert spot.chance == pytest.approx(sum(holding))
        assert spot.rooms == len(holding) > 0
        assert spot.room_to_spare_mm > 0
    for one, other in combinations(spots, 2):
        assert math.dist(one.at_mm, other.at_mm) >= apart - 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_no_free_point_away_from_the_spots_is_hotter_than_the_last(seed):
    heat = heat_map(advice_on(random_cubes(seed)))
    settings = PawnSettings()

    spots = best_spots(heat)

    points = points_of(heat)
    away = np.ones(points.shape, bool)
    for spot in spots[:-1]:
        away &= shapely.distance(points, shapely.Point(spot.at_mm)) >= settings.apart_mm
    assert heat.heat[away].max() == pytest.approx(spots[-1].chance)


def test_a_pawn_may_be_off_by_its_room_to_spare():
    heat = heat_map(advice_on(random_cubes(2)))

    for spot in best_spots(heat):
        near = shapely.distance(points_of(heat), shapely.Point(spot.at_mm)) < spot.room_to_spare_mm - 1e-9
        assert heat.heat[near].min() >= spot.chance - 1e-6
        assert near.any()


def test_spots_are_as_far_apart_as_asked_for():
    heat = heat_map(advice_on(random_cubes(3)))

    near, far = (best_spots(heat, 50, PawnSettings(apart_mm=apart)) for apart in (10, 60))

    assert len(near) > len(far)
    for spots, apart in ((near, 10), (far, 60)):
        assert all(math.dist(one.at_mm, other.at_mm) >= apart - 1e-9 for one, other in combinations(spots, 2))


# Odd tables


@pytest.mark.parametrize(
    "cubes",
    [
        pytest.param([], id="empty"),
        pytest.param([flat_cube(1, Kind.GOLD, Size.SMALL, (500, -500))], id="one cube"),
        pytest.param(three_pillars()[:1], id="one pillar"),
        pytest.param([*three_pillars()[:2], flat_cube(9, Kind.GOLD, Size.SMALL, (20, 9))], id="two pillars"),
        pytest.param([cube for cube in random_cubes(0) if cube.kind != Kind.PILLAR], id="no pillars"),
    ],
)
def test_without_rooms_every_point_is_cold(cubes):
    heat = heat_map(advice_on(cubes))

    assert heat.heat.size >= 1
    assert not heat.heat.any() and not heat.rooms.any()
    assert best_spots(heat) == ()


def test_without_an_allowed_room_every_point_is_cold():
    goblins = [flat_cube(10 + place, Kind.GOBLIN, Size.SMALL, (20, 20 + 9 * place)) for place in range(4)]
    advice = advice_on([*three_pillars(), *goblins], Hero(hit_points=3))

    heat = heat_map(advice)

    assert len(advice) == 1
    assert not heat.heat.any()
    assert heat.free.any()
    assert best_spots(heat) == ()
    assert len(attraction(advice, PawnSettings())[0]) == 0


def test_a_room_full_of_cubes_has_no_place_for_a_pawn():
    # Cubes edge to edge, from one side of the room and of the map to the other.
    gold = [
        flat_cube(10 + place, Kind.GOLD, Size.SMALL, (place % 4 * 8, place // 4 * 8)) for place in range(16)
    ]

    heat = heat_map(advice_on([*three_pillars(24), *gold]))

    assert not heat.heat.any()
    assert best_spots(heat) == ()


@pytest.mark.parametrize(
    "centres",
    [
        pytest.param([(0, 0)] * 3, id="on one spot"),
        pytest.param([(0, 0), (1, 0), (0, 1)], id="in each other"),
        pytest.param([(0, 0), (8, 0), (16, 0)], id="in a row"),
        pytest.param([(0, 0), (30, 0), (60, 0)], id="in a longer row"),
        pytest.param([(0, 0), (5000, 0), (0, 5000)], id="very far apart"),
    ],
)
def test_pillars_anywhere_have_a_map(centres):
    advice = advice_on([flat_cube(id, Kind.PILLAR, Size.SMALL, centre) for id, centre in enumerate(centres)])

    heat = heat_map(advice)

    share, count = plain_heat(advice, heat, PawnSettings())
    sure = heat.free & ~on_the_edge(advice, heat, PawnSettings())
    assert np.allclose(heat.heat[sure], share[sure])
    assert np.array_equal(heat.rooms[sure], count[sure])


@pytest.mark.parametrize("width_mm", [1e4, 1e6])
def test_a_stray_cube_far_away_leaves_a_map(width_mm):
    cubes = [*random_cubes(1), flat_cube(500, Kind.GOLD, Size.SMALL, (width_mm, 0))]

    heat = heat_map(advice_on(cubes))

    assert heat.heat.size < 100_000
    assert heat.step_mm <= width_mm / 100


def test_a_very_large_table_takes_little_memory():
    rng = random.Random(1)
    pillars = [
        flat_cube(id, Kind.PILLAR, Size.SMALL, (rng.uniform(0, 1e5), rng.uniform(0, 1e5))) for id in range(40)
    ]
    others = [
        flat_cube(100 + id, Kind.GOLD, Size.SMALL, (rng.uniform(0, 1e5), rng.uniform(0, 1e5)))
        for id in range(600)
    ]
    advice = advice_on([*pillars, *others])

    tracemalloc.start()
    try:
        heat = heat_map(advice)
        spots = best_spots(heat)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert heat.heat.size < 100_000
    assert spots
    assert peak < 100_000_000
