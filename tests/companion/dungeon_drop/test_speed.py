"""Rooms are found fast enough, as ratios within one run; the shortest of some runs, for noise only adds."""

from tests.bench.rooms import a_circle, a_dropped_table, dragging, full, growth, plain, speed_up

# A machine busy with something else may spoil a measurement; code that is too slow fails every time.
TRIES = 3


def test_a_table_of_the_game_is_done_fifty_times_faster_than_the_plain_way():
    assert any(speed_up(seeds=range(3), times=10) > 50 for _ in range(TRIES))


def test_the_plain_way_of_the_benchmark_finds_the_same_rooms():
    cubes = a_dropped_table(18, 75, seed=7)

    found = {room.pillars for room in full(cubes).top()}

    assert found == {room.pillars for room in plain(cubes)}
    assert len(found) > 50


def test_a_hundred_dropped_pillars_take_less_than_two_hundred_times_as_long_as_eighteen():
    assert growth(a_dropped_table, sizes=(18, 100), seeds=range(1))[100] < 200


def test_a_hundred_pillars_that_make_every_room_there_can_be_take_less_than_two_hundred_times_as_long():
    assert growth(a_circle, sizes=(18, 100), seeds=range(1))[100] < 200


def test_following_a_finger_takes_less_than_a_third_of_everything():
    assert any(dragging(seeds=range(1), times=15)[-1] < 1 / 3 for _ in range(TRIES))
