"""A table is followed: frozen under a hand, looked at when it rests, and decided by several scans."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.test_changes import a_cube, a_scan
from tests.vision.test_motion import a_picture, cube_places, with_hand
from vision.changes import carried
from vision.follow import Activity, Following, FollowSettings, step
from vision.pieces import KINDS, Kind, Size
from vision.plane import TablePlane
from vision.seen import Source

SIZE_PX = (1280, 720)
# A camera 640 mm straight above the table: 2 px per mm.
PLANE = TablePlane(
    np.array([(2.0, 0.0, 639.5), (0.0, -2.0, 359.5), (0.0, 0.0, 1.0)]),
    np.array([0.0, 0.0, 640.0]),
    1280.0,
    SIZE_PX,
    0.0,
    (0, 1),
    0.05,
    (),
)
SEEN = FollowSettings()


def seen_at(centre_px, label, confidence=0.95, plane=PLANE):
    (place,) = plane.to_mm(np.array([centre_px], float))
    return a_cube(0, place, label, confidence, plane)


def as_drawn(places, plane=PLANE):
    """Return a scan of the drawn cubes, each colour a kind."""
    kinds = {colour: KINDS[number] for number, (_, colour) in enumerate(cube_places()[:6])}
    cubes = [seen_at(centre, (kinds[colour], Size.SMALL), plane=plane) for centre, colour in places]
    numbered = [replace(cube, id=id) for id, cube in enumerate(cubes)]
    return replace(a_scan(numbered, plane), size_px=SIZE_PX)


class Scanner:
    """A scanner that says what it is told: always the same, or one scan after the other."""

    def __init__(self, *scans):
        self.scans = list(scans)
        self.looks = 0

    def scan(self, frame):
        self.looks += 1
        return self.scans.pop(0) if len(self.scans) > 1 else self.scans[0]


class Evening:
    """A camera, ten pictures a second."""

    def __init__(self, scanner, settings=SEEN):
        self.scanner, self.settings = scanner, settings
        self.state, self.time_s, self.seed, self.updates = Following(), 100.0, 0, []

    def watch(self, picture, seconds, noisy=True):
        """Show a picture for some time; return what came of it."""
        begun = len(self.updates)
        for _ in range(round(10 * seconds)):
            self.seed += 1
            # Four noises in turn are as good as new ones, and made once.
            frame = noised(picture, self.seed % 4) if noisy else picture
            self.state, update = step(self.state, frame, self.time_s, self.scanner, self.settings)
            self.updates.append(update)
            self.time_s += 0.1
        return self.updates[begun:]

    @property
    def table(self):
        return {cube.id: (cube.kind, cube.size) for cube in self.updates[-1].table.cubes}


@cache
def noise(seed, shape):
    return (4 * np.random.default_rng(seed).standard_normal(shape, np.float32)).astype(np.int16)


def noised(picture, seed):
    return cv2.add(picture, noise(seed, picture.shape), dtype=cv2.CV_8U)


def changes_of(updates):
    return [update.changes for update in updates if update.changes]


def test_an_unchanged_table_is_looked_at_five_times_and_then_left_alone():
    scanner = Scanner(as_drawn(cube_places()))
    evening = Evening(scanner)

    updates = evening.watch(a_picture(), 6)

    assert scanner.looks == 5
    assert updates[0].activity is Activity.STARTING and updates[0].table is None
    assert updates[-1].activity is Activity.WATCHING
    assert updates[-1].settled and not updates[4].settled
    assert sorted(evening.table) == list(range(40))
    (first,) = changes_of(updates)
    assert first.new == tuple(range(40))


def test_light_that_drifts_all_evening_is_no_reason_to_look():
    scanner = Scanner(as_drawn(cube_places()))
    evening = Evening(scanner)
    evening.watch(a_picture(), 2)

    for gain in np.linspace(1, 0.6, 12):
        evening.watch(np.clip(a_picture() * gain, 0, 255).astype(np.uint8), 1, noisy=False)

    assert scanner.looks == 5
    assert {update.activity for update in evening.updates[20:]} == {Activity.WATCHING}


def test_now_and_then_a_quiet_table_is_looked_at_anyway():
    scanner = Scanner(as_drawn(cube_places()))
    evening = Evening(scanner, replace(SEEN, refresh_s=3.0))

    evening.watch(a_picture(), 8.5)

    assert scanner.looks == 7


def test_a_hand_freezes_the_table_and_what_it_took_is_gone_afterwards():
    cubes = cube_places()
    scanner = Scanner(as_drawn(cubes))
    evening = Evening(scanner)
    evening.watch(a_picture(), 2)
    scanner.scans = [as_drawn(cubes[:10] + cubes[11:])]

    with_a_hand = [
        update
        for reach in (200, 300, 420, 350)
        for update in evening.watch(with_hand(a_picture(), reach), 0.5)
    ]
    assert {update.activity for update in with_a_hand} == {Activity.HAND}
    assert {len(update.table.cubes) for update in with_a_hand} == {40}
    assert scanner.looks == 5
    after = evening.watch(a_picture(cubes[:10] + cubes[11:]), 2)

    assert scanner.looks == 10
    (change,) = changes_of(after)
    assert (change.gone, change.new, change.moved) == ((10,), (), ())
    assert after[-1].settled


def test_a_hand_that_takes_nothing_changes_nothing():
    scanner = Scanner(as_drawn(cube_places()))
    evening = Evening(scanner)
    evening.watch(a_picture(), 2)
    evening.watch(with_hand(a_picture()), 1)

    updates = evening.watch(a_picture(), 1)

    assert scanner.looks == 5
    assert not changes_of(updates)


def test_what_rests_at_the_border_for_long_is_part_of_the_table_and_is_missed_at_once_when_it_goes():
    scanner = Scanner(as_drawn(cube_places()))
    evening = Evening(scanner)
    evening.watch(a_picture(), 2)

    resting = evening.watch(with_hand(a_picture()), 10)
    assert resting[75].activity is Activity.HAND
    assert resting[-1].activity is Activity.WATCHING
    looks = scanner.looks
    evening.watch(a_picture(), 0.6)

    assert scanner.looks > looks


def test_a_cube_taken_without_a_hand_seen_and_one_put_down_are_told_with_new_ids():
    cubes = cube_places()
    scanner = Scanner(as_drawn(cubes[:30]))
    evening = Evening(scanner)
    evening.watch(a_picture(cubes[:30]), 2)
    for count, now in [(29, cubes[:29]), (30, [*cubes[:29], cubes[31]]), (29, [*cubes[:28], cubes[31]])]:
        scanner.scans = [as_drawn(now)]
        evening.watch(a_picture(now), 2.5)
        assert len(evening.table) == count

    told = changes_of(evening.updates)[1:]

    assert [(change.gone, change.new) for change in told] == [((29,), ()), ((), (30,)), ((28,), ())]


def test_a_cube_that_is_pushed_is_moved():
    cubes = cube_places(20)
    (x, y), colour = cubes[0]
    pushed = [((x + 6, y + 50), colour), *cubes[1:]]
    scanner = Scanner(as_drawn(cubes))
    evening = Evening(scanner)
    evening.watch(a_picture(cubes), 2)
    scanner.scans = [as_drawn(pushed)]

    (change,) = changes_of(evening.watch(a_picture(pushed), 2))

    (moved,) = change.moved
    assert (moved.id, change.gone, change.new) == (0, (), ())
    assert np.subtract(moved.to_mm, moved.from_mm) == pytest.approx((3, -25), abs=0.1)


def test_a_cube_seen_in_one_scan_only_is_not_shown_and_one_missed_once_is_not_dropped():
    cubes = cube_places()
    everything = as_drawn(cubes)
    ghost = replace(seen_at((1220, 60), (Kind.DRAGON, Size.HUGE)), id=40)
    scanner = Scanner(
        everything,
        replace(everything, cubes=(*everything.cubes[:7], *everything.cubes[8:])),
        replace(everything, cubes=(*everything.cubes, ghost)),
        everything,
    )
    evening = Evening(scanner)

    updates = evening.watch(a_picture(), 4)

    assert len(changes_of(updates)) == 1
    assert {len(update.table.cubes) for update in updates if update.table} == {40}


def test_a_ghost_of_the_first_scan_is_outvoted():
    everything = as_drawn(cube_places())
    ghost = replace(seen_at((1220, 60), (Kind.DRAGON, Size.HUGE)), id=40)
    scanner = Scanner(replace(everything, cubes=(*everything.cubes, ghost)), everything)
    evening = Evening(scanner)

    updates = evening.watch(a_picture(), 4)

    assert changes_of(updates)[-1].gone == (40,)
    assert len(evening.table) == 40


def test_kinds_are_voted_by_confidence_and_places_by_the_median():
    votes = [(Kind.GOLD, 0.5, 0.0), (Kind.KEY, 0.9, 0.2), (Kind.GOLD, 0.5, 0.3), (Kind.KEY, 0.9, 9.0)]
    scans = []
    for kind, confidence, off_mm in [*votes, (Kind.GOLD, 0.5, 0.1)]:
        cube = seen_at((640 + min(2 * off_mm, 3), 360), (kind, Size.SMALL), confidence)
        scans.append(replace(a_scan([cube], PLANE), size_px=SIZE_PX))
    evening = Evening(Scanner(*scans))

    evening.watch(a_picture([((640, 360), (40, 190, 235))]), 3)

    (cube,) = evening.updates[-1].table.cubes
    assert cube.kind is Kind.KEY
    assert 0.3 < cube.confidence < 0.5
    assert cube.centre_mm[0] == pytest.approx(0.25 + 0.2, abs=0.01)
    assert cube.footprint_mm.mean(axis=0) == pytest.approx(cube.centre_mm)


def test_scans_that_agree_keep_their_confidence():
    scan = replace(a_scan([seen_at((640, 360), (Kind.KEY, Size.SMALL), 0.8)], PLANE), size_px=SIZE_PX)
    evening = Evening(Scanner(scan))

    evening.watch(a_picture([((640, 360), (40, 190, 235))]), 3)

    assert evening.updates[-1].table.cubes[0].confidence == pytest.approx(0.8)


def test_a_wrong_scan_of_a_change_leaves_the_rest_of_the_table_alone():
    cubes = cube_places()
    scanner = Scanner(as_drawn(cubes))
    evening = Evening(scanner)
    evening.watch(a_picture(), 2)
    # The first scan after the change misses a third of the cubes, wherever they are.
    scanner.scans = [as_drawn(cubes[:25]), as_drawn(cubes[:39])]

    updates = evening.watch(a_picture(cubes[:39]), 3)

    assert [change.gone for change in changes_of(updates)] == [(39,)]


def test_what_a_cube_was_seen_to_be_outlives_doubts_while_nothing_changes_around_it():
    cubes = cube_places()
    clear = as_drawn(cubes)
    other = Size.SMALL if clear.cubes[3].size is Size.LARGE else Size.LARGE
    scanner = Scanner(clear)
    evening = Evening(scanner)
    evening.watch(a_picture(), 2)
    doubtful = [replace(cube, size=other, confidence=0.59) if cube.id == 3 else cube for cube in clear.cubes]
    scanner.scans = [replace(clear, cubes=tuple(doubtful[:39]))]

    updates = evening.watch(a_picture(cubes[:39]), 3)

    assert updates[-1].settled
    assert [change.gone for change in changes_of(updates)] == [(39,)]
    assert not any(change.retyped for change in changes_of(updates))


def test_a_camera_that_was_pushed_keeps_all_ids():
    scanner = Scanner(as_drawn(cube_places()))
    evening = Evening(scanner)
    evening.watch(a_picture(), 2)
    away = PLANE.to_picture.copy()
    away[:2, 2] += (30, -18)
    pushed = replace(PLANE, to_picture=away)
    moved = [((x + 30, y - 18), colour) for (x, y), colour in cube_places()]
    scanner.scans = [as_drawn(moved[:39], pushed), as_drawn(moved, pushed)]

    updates = evening.watch(np.roll(a_picture(), (-18, 30), axis=(0, 1)), 3)

    assert not changes_of(updates)
    assert updates[-1].table.plane is pushed
    assert sorted(evening.table) == list(range(40))
    shift = updates[-1].table.cubes[5].centre_px - np.array(moved[5][0])
    assert np.abs(shift).max() < 4


def test_millimetres_stay_when_another_card_is_the_origin_and_follow_a_better_plane():
    turned = PLANE.to_picture @ np.array([(0.0, -1.0, 30.0), (1.0, 0.0, 5.0), (0.0, 0.0, 1.0)])
    other = replace(PLANE, to_picture=turned, camera_mm=np.array([-5.0, 30.0, 640.0]))
    scan = as_drawn(cube_places())
    elsewhere = replace(scan, plane=other, cubes=carried(scan.cubes, PLANE, other))
    evening = Evening(Scanner(replace(scan, source=Source.CUBES), elsewhere, scan))

    updates = evening.watch(a_picture(), 3)

    planes = [update.table.plane for update in updates if update.looked]
    assert planes == [PLANE, other, other, other, other]
    assert len(changes_of(updates)) == 1
    assert updates[-1].table.source is Source.MARKERS
    for cube, same in zip(updates[-1].table.cubes, elsewhere.cubes, strict=True):
        assert cube.centre_mm == pytest.approx(same.centre_mm, abs=1e-6)


def test_a_light_that_blinks_does_not_keep_the_table_from_being_seen():
    scanner = Scanner(as_drawn(cube_places()))
    evening = Evening(scanner)
    evening.watch(a_picture(), 2)
    blinking = a_picture()
    cv2.circle(blinking, (1200, 60), 14, (255, 255, 255), -1)

    for _ in range(20):
        evening.watch(blinking, 0.1)
        evening.watch(cv2.circle(blinking.copy(), (1200, 60), 14, (0, 0, 160), -1), 0.1)

    assert scanner.looks > 5
    assert len(evening.table) == 40


def test_a_camera_that_changes_its_size_is_looked_at_anew():
    scanner = Scanner(as_drawn(cube_places()))
    evening = Evening(scanner)
    evening.watch(a_picture(), 2)

    updates = evening.watch(cv2.resize(a_picture(), (640, 360)), 2)

    assert updates[0].activity is Activity.STARTING
    assert len(updates[0].table.cubes) == 40
    assert scanner.looks == 10
    assert sorted(evening.table) == list(range(40))


def test_a_table_without_cubes_is_followed():
    evening = Evening(Scanner(as_drawn([])))

    updates = evening.watch(a_picture([]), 2)

    assert updates[-1].settled and updates[-1].table.cubes == ()
    assert not changes_of(updates)


def test_the_same_evening_replays_the_same():
    cubes = cube_places()

    def played():
        scanner = Scanner(as_drawn(cubes))
        evening = Evening(scanner)
        evening.watch(a_picture(), 1)
        scanner.scans = [as_drawn(cubes[:38])]
        evening.watch(a_picture(cubes[:38]), 1)
        return [(update.activity, update.changes, update.boxes) for update in evening.updates]

    assert played() == played()
