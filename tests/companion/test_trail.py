"""A log that grows all evening: packed, and yet every entry is there in its order."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.trail import PACKED_TOGETHER, Entry, Trail


def an_entry(seq, body=None):
    return Entry(
        seq,
        seq % 4,
        "2026-01-31T20:15:00.000+00:00",
        f"tap-{seq}",
        body or {"type": "moved", "to": seq, "é": None},
    )


def a_trail(length):
    return Trail.of(an_entry(seq) for seq in range(1, length + 1))


@pytest.mark.parametrize("length", [0, 1, PACKED_TOGETHER, 2 * PACKED_TOGETHER, 5 * PACKED_TOGETHER + 3])
def test_nothing_of_a_long_log_is_lost(length):
    trail = a_trail(length)

    assert len(trail) == length
    assert list(trail) == [an_entry(seq) for seq in range(1, length + 1)]


@given(length=st.integers(0, 400), seen=st.integers(0, 420))
def test_what_came_since(length, seen):
    assert [entry.seq for entry in a_trail(length).since(seen)] == list(range(seen + 1, length + 1))


def test_first_and_last():
    trail = a_trail(300)

    assert (trail[0].seq, trail[-1].seq) == (1, 300)


def test_a_longer_trail_leaves_the_shorter_one_alone():
    short = a_trail(2 * PACKED_TOGETHER - 1)
    long = short.followed_by(an_entry(2 * PACKED_TOGETHER))

    assert len(short) + 1 == len(long)
    assert short != long
    assert short == a_trail(2 * PACKED_TOGETHER - 1)


@given(
    st.dictionaries(
        st.text(max_size=8),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=8),
            lambda inner: st.lists(inner, max_size=3),
            max_leaves=5,
        ),
        max_size=4,
    )
)
def test_any_body_is_the_same_afterwards(body):
    trail = Trail.of(an_entry(seq, body) for seq in range(1, 3 * PACKED_TOGETHER))

    assert all(entry.body == (body or an_entry(entry.seq).body) for entry in trail)


def test_old_entries_take_little_memory():
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        trail = a_trail(5_000)
        took = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()

    assert len(trail) == 5_000
    assert took < 5_000 * 60  # unpacked, each takes about 700 bytes
