"""The scanner's list of pieces says the same as that of the rules."""

from companion.dungeon_drop import pieces as rules
from vision import pieces as seen


def test_both_lists_hold_the_same_pieces():
    assert {(kind.value, size.value): count for (kind, size), count in seen.COUNTS.items()} == {
        (kind.value, size.value): count for (kind, size), count in rules.IN_THE_BOX.items()
    }


def test_sizes_have_sides_that_grow():
    sides = [seen.SIDE_MM[size] for size in seen.SIZES]
    assert sides == sorted(set(sides))
