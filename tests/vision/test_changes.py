"""Cubes keep their ids from scan to scan, whatever the camera does, and changes are told by id."""

from dataclasses import replace
from math import cos, radians, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.table_views import SIZE_PX, Card, a_camera, seen
from vision.card_plane import solve_plane
from vision.changes import Changes, Moved, Retyped, carried, match, what_changed, with_stable_ids
from vision.pieces import SIDE_MM, Kind, Size
from vision.seen import Scan, SeenCube, Source

CARDS = (Card(0, -150, 90, 10), Card(1, 160, 80, 100), Card(2, 120, -110, -130), Card(3, -160, -90, 45))
HOME = solve_plane([seen(card, a_camera()) for card in CARDS], SIZE_PX)
# The same table after the nearest card was covered: another card is the origin.
ELSEWHERE = solve_plane([seen(card, a_camera()) for card in CARDS if card.id != HOME.markers[0]][:2], SIZE_PX)
SOME = [
    (Kind.GOLD, Size.SMALL),
    (Kind.PILLAR, Size.SMALL),
    (Kind.GOBLIN, Size.SMALL),
    (Kind.CHEST, Size.LARGE),
    (Kind.GEM_BLUE, Size.SMALL),
    (Kind.PILLAR, Size.LARGE),
    (Kind.TROLL, Size.LARGE),
]


def a_cube(id, at_mm, label=(Kind.GOLD, Size.SMALL), confidence=0.95, plane=HOME):
    """Return a cube that stands at a place on the table, as a camera sees it."""
    kind, size = label
    half = SIDE_MM[size] / 2
    base = np.asarray(at_mm, float) + np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    outline, centre = plane.to_pixels(base), plane.to_pixels(np.asarray([at_mm], float), half)[0]
    return SeenCube(
        id, kind, size, confidence, outline, centre, np.asarray(at_mm, float), base, accuracy_mm=0.5
    )


def a_scan(cubes, plane=HOME, source=Source.MARKERS):
    return Scan(SIZE_PX, source, plane, 2.0, tuple(cubes), ())


def many(count=40, seed=0):
    """Return places of cubes that do not overlap, with what stands there."""
    rng = np.random.default_rng(seed)
    places = []
    while len(places) < count:
        place = rng.uniform(-110, 110, 2)
        if all(np.hypot(*(place - other)) > 11 for other, _ in places):
            places.append((place, SOME[rng.integers(len(SOME))]))
    return places


def a_table(places, **options):
    return a_scan([a_cube(id, place, label) for id, (place, label) in enumerate(places)], **options)


def turned(scan, angle_deg, by_mm):
    """Return a scan whose millimetres are turned and shifted, as by a pushed camera."""
    angle = radians(angle_deg)
    turn = np.array([(cos(angle), sin(angle)), (-sin(angle), cos(angle))])

    def there(points):
        return points @ turn + np.asarray(by_mm)

    cubes = [
        replace(cube, centre_mm=there(cube.centre_mm), footprint_mm=there(cube.footprint_mm))
        for cube in scan.cubes
    ]
    return replace(scan, cubes=tuple(cubes))


def shuffled(scan, seed=1, noise_mm=0.0):
    """Return the cubes as another scan numbers them."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(scan.cubes))
    cubes = [
        replace(scan.cubes[old], id=new, centre_mm=scan.cubes[old].centre_mm + rng.normal(0, noise_mm, 2))
        for new, old in enumerate(order)
    ]
    return replace(scan, cubes=tuple(cubes))


def named(before, after, next_id=1000):
    return with_stable_ids(before, after, next_id)


def places_of(scan):
    return {cube.id: tuple(np.round(cube.centre_mm, 6)) for cube in scan.cubes}


def test_cubes_keep_their_ids_whatever_their_order():
    before = a_table(many())

    after, next_id = named(before, shuffled(before))

    assert places_of(after) == places_of(before)
    assert [cube.id for cube in after.cubes] == list(range(40))
    assert next_id == 1000
    assert not what_changed(before, after)


@given(st.integers(0, 10**6), st.lists(st.integers(0, 39), max_size=15, unique=True))
@settings(max_examples=30, deadline=None)
def test_noise_and_removals_leave_the_others_as_they_are(seed, taken):
    before = a_table(many(seed=seed % 5))
    rest = replace(before, cubes=tuple(cube for cube in before.cubes if cube.id not in taken))

    after, _ = named(before, shuffled(rest, seed, noise_mm=0.5))

    assert what_changed(before, after) == Changes(gone=tuple(sorted(taken)))


def test_a_new_cube_gets_an_id_that_never_was():
    before = a_table(many(10))
    taken = replace(before, cubes=before.cubes[:9])
    lone = a_cube(0, (125, 125), (Kind.DRAGON, Size.HUGE))

    after, next_id = named(taken, replace(taken, cubes=(lone, *taken.cubes)), next_id=10)

    assert next_id == 11
    assert what_changed(taken, after) == Changes(new=(10,))


def test_a_moved_cube_is_told_with_where_from_and_where_to():
    places = many(20)
    before = a_table([*places, (np.array([-130.0, 0.0]), (Kind.DRAGON, Size.HUGE))])
    after, _ = named(
        before, shuffled(a_table([*places, (np.array([-130.0, 60.0]), (Kind.DRAGON, Size.HUGE))]))
    )

    assert what_changed(before, after) == Changes(moved=(Moved(20, (-130.0, 0.0), (-130.0, 60.0)),))


def test_a_cube_pushed_a_little_is_moved_and_one_that_trembles_is_not():
    before = a_scan([a_cube(0, (0, 0)), a_cube(1, (40, 0)), a_cube(2, (0, 60))])
    after = a_scan([a_cube(0, (0, 4)), a_cube(1, (41, 1)), a_cube(2, (0, 60))])

    changes = what_changed(before, named(before, after)[0])

    assert [moved.id for moved in changes.moved] == [0]


def test_a_cube_put_down_far_away_is_another_one():
    before = a_scan([a_cube(0, (-110, 0))])

    after, _ = named(before, a_scan([a_cube(0, (110, 0))]))

    assert what_changed(before, after) == Changes(gone=(0,), new=(1000,))


def test_a_cube_taken_for_another_kind_keeps_its_id():
    before = a_scan([a_cube(0, (0, 0)), a_cube(1, (30, 0))])
    key = (Kind.KEY, Size.SMALL)

    after, _ = named(before, a_scan([a_cube(0, (30.4, 0)), a_cube(1, (0.3, 0), key)]))

    assert what_changed(before, after) == Changes(retyped=(Retyped(0, (Kind.GOLD, Size.SMALL), key),))


def test_of_two_near_one_place_the_one_of_its_kind_stays():
    before = a_scan([a_cube(0, (0, 0), (Kind.KEY, Size.SMALL))])
    near, alike = a_cube(0, (-3.6, 0)), a_cube(1, (4.4, 0), (Kind.KEY, Size.SMALL))

    after, _ = named(before, a_scan([near, alike]))

    assert {cube.id: cube.kind for cube in after.cubes} == {0: Kind.KEY, 1000: Kind.GOLD}


def test_another_card_as_the_origin_changes_no_id():
    before = a_table(many())
    other = a_scan(carried(before.cubes, HOME, ELSEWHERE), ELSEWHERE)
    apart = [np.hypot(*(a.centre_mm - b.centre_mm)) for a, b in zip(before.cubes, other.cubes, strict=True)]
    assert np.median(apart) > 20

    matching = match(before, shuffled(other))
    after, _ = named(before, shuffled(other))

    assert not matching.camera_moved
    assert not what_changed(before, after)


@pytest.mark.parametrize(("angle_deg", "by_mm"), [(0, (3, -2)), (2, (4, 4)), (65, (120, -80)), (180, (0, 9))])
def test_a_camera_that_was_pushed_changes_no_id(angle_deg, by_mm):
    before = a_table(many())
    gone = replace(before, cubes=before.cubes[:31])

    after, _ = named(before, shuffled(turned(gone, angle_deg, by_mm), noise_mm=0.3))

    assert what_changed(before, after) == Changes(gone=tuple(range(31, 40)))


def test_a_camera_that_moved_over_cards_that_did_not_is_noticed():
    before = a_table(many())
    plane = solve_plane([seen(card, a_camera(38, 640, 26)) for card in CARDS], SIZE_PX)
    cubes = [a_cube(id, place, label, plane=plane) for id, (place, label) in enumerate(many())]

    matching = match(before, a_scan(cubes, plane))

    assert matching.camera_moved
    assert matching.pairs == tuple((id, id) for id in range(40))


def test_tables_without_cubes_are_compared():
    empty, full = a_scan([]), a_table(many(5))

    assert named(empty, empty)[0].cubes == ()
    assert what_changed(full, empty) == Changes(gone=tuple(range(5)))
    after, _ = named(empty, full)
    assert what_changed(empty, after) == Changes(new=tuple(range(1000, 1005)))


def test_ids_stay_through_a_long_evening():
    rng = np.random.default_rng(3)
    truth = {number: place for number, place in enumerate(many(30))}
    current, next_id = a_table(list(truth.values())), 30
    names = {number: number for number in truth}
    used = set(names.values())
    for _ in range(12):
        taken = rng.choice([number for number in truth if number < 30], 2, replace=False)
        for number in taken:
            del truth[number], names[number]
        number = max(truth) + 1
        # Of a kind that is not taken at the same time: that would be a push.
        truth[number] = (
            np.array([130.0 + rng.uniform(-3, 3), number * 12 % 200 - 100]),
            (Kind.RELIC, Size.SMALL),
        )
        kept = [number for number in truth]
        scan = a_scan([a_cube(place, *truth[number]) for place, number in enumerate(kept)])
        current, next_id = with_stable_ids(current, shuffled(scan, noise_mm=0.2), next_id)
        where = {cube.id: cube.centre_mm for cube in current.cubes}
        for number in kept:
            nearest = min(where, key=lambda id: np.hypot(*(where[id] - truth[number][0])))
            if number in names:
                assert names[number] == nearest
            else:
                assert nearest not in used
                names[number] = nearest
                used.add(nearest)


def test_carrying_leads_through_the_picture_and_back():
    cubes = a_table(many(6)).cubes

    back = carried(carried(cubes, HOME, ELSEWHERE), ELSEWHERE, HOME)

    for cube, same in zip(cubes, back, strict=True):
        assert same.centre_mm == pytest.approx(cube.centre_mm, abs=1e-3)
        assert same.footprint_mm == pytest.approx(cube.footprint_mm, abs=1e-3)
        assert same.id == cube.id
