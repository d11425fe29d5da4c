"""The rooms of a table as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_lowercase

from companion.dungeon_drop.advice import Advice
from companion.dungeon_drop.deny import Denial
from companion.dungeon_drop.pawns import Spot
from web.dungeon_drop.words import (
    contents_in_words,
    counted,
    doubts_in_words,
    number,
    room_in_words,
    spot_in_words,
)


def list_rooms(advice: Advice, top: int, left: Sequence[Denial] = ()) -> Iterator[str]:
    """Give the table in one line, then the best *top* rooms, with what each leaves the next player."""
    table, outside = advice.rooms.table, len(advice.rooms.outside_limits)
    allowed = int(advice.effects.allowed.sum())
    yield (
        f"{counted(table.pillar_count, 'pillar')}, {counted(table.cube_count, 'other cube')}: "
        f"{counted(len(advice), 'legal room')}, {allowed} allowed for this hero; "
        f"{counted(outside, 'cube')} outside the limits."
    )
    after = {denial.mine.place: denial for denial in left}
    for rank, room in enumerate(advice.top(top), start=1):
        yield ""
        yield f"{rank:>3}. pillars {_ids(room.pillars)}: {room_in_words(room)}"
        yield f"     {contents_in_words(table, room.cubes)}"
        if room.doubtful:
            yield f"     {doubts_in_words(table, room)}"
        if denial := after.get(room.place):
            now, then = number(denial.theirs_now), number(denial.theirs_after)
            yield f"     leaves the next player {then} of {now}"


def list_wanted(theirs: Advice, top: int) -> Iterator[str]:
    """Give the rooms that another player would love most."""
    yield ""
    yield "The next player would love, as far as others can know:"
    for room in theirs.top(top):
        if room.allowed:
            contents = contents_in_words(theirs.rooms.table, room.cubes)
            yield f"     pillars {_ids(room.pillars)}: gain {number(room.gain)} ({contents})"


def list_pawns(spots: Sequence[Spot]) -> Iterator[str]:
    """Give the best points for a pawn."""
    if spots:
        yield ""
        yield "Pawns of the others stand best at:"
    for letter, spot in zip(ascii_lowercase, spots, strict=False):
        x, y = spot.at_mm
        yield f"  {letter}. {x:.0f}, {y:.0f} mm: {spot_in_words(spot)}"


def _ids(ids: Sequence[int]) -> str:
    return " ".join(map(str, ids))
