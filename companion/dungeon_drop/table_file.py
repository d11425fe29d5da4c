"""Reading a table of cubes from JSON: what a scan gives, or what somebody wrote by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeVar

from companion.dungeon_drop.footprints import Point
from companion.dungeon_drop.outlines import checked_outline
from companion.dungeon_drop.pieces import Kind, Sides, Size
from companion.dungeon_drop.table import Cube, Table, square
from companion.errors import BadData
from companion.message import quoted, say

# The box has 18 pillars and 93 cubes in all; beyond these limits an answer would take minutes.
MOST_PILLARS = 300
MOST_CUBES = 2_000
LARGEST_ID = 10**9
LARGEST_NUMBER = 1e12

Word = TypeVar("Word", Kind, Size)


def parse_table(text: str, sides: Sides | None = None) -> Table:
    """Build a table from the text of a JSON file.

    Raises:
        BadData: with the reason and the cube it is about.
    """
    try:
        return read_table(json.loads(text), sides)
    except json.JSONDecodeError as error:
        # A scan of several photographs is one object per line.
        several = error.msg == "Extra data"
        raise BadData(
            say("There is more than one table.") if several else say("This is not JSON.")
        ) from error
    except (ValueError, RecursionError) as error:
        raise BadData(say("This is not JSON.")) from error


def read_table(data: object, sides: Sides | None = None) -> Table:
    """Build a table from JSON values; what a scan says beyond the cubes is not looked at.

    Raises:
        BadData: with the reason and the cube it is about.
    """
    listed = data.get("cubes") if isinstance(data, Mapping) else None
    if not isinstance(listed, list):
        raise BadData(say("A table must be a JSON object with a list of cubes."))
    if len(listed) > MOST_CUBES:
        raise BadData(say("A table can have at most %(most)d cubes.", most=MOST_CUBES))
    cubes = [_read_cube(entry, place, sides or Sides()) for place, entry in enumerate(listed)]
    seen: set[int] = set()
    for cube in cubes:
        if cube.id in seen:
            raise BadData(say("Two cubes have the id %(id)d.", id=cube.id))
        seen.add(cube.id)
    if sum(cube.kind == Kind.PILLAR for cube in cubes) > MOST_PILLARS:
        raise BadData(say("A table can have at most %(most)d pillars.", most=MOST_PILLARS))
    return Table.put(cubes)


def _read_cube(entry: object, place: int, sides: Sides) -> Cube:
    if not isinstance(entry, Mapping):
        raise BadData(say("Cube number %(number)d of the list is not a JSON object.", number=place + 1))
    id = entry.get("id")
    if type(id) is not int or abs(id) > LARGEST_ID:
        raise BadData(
            say("Cube number %(number)d of the list has no whole number as its id.", number=place + 1)
        )
    try:
        return _read_known(entry, id, sides)
    except BadData as error:
        raise BadData(say("Cube %(id)d: %(why)s.", id=id, why=error.message)) from error


def _read_known(entry: Mapping[str, object], id: int, sides: Sides) -> Cube:
    kind, size = _word(Kind, entry, "type"), _word(Size, entry, "size")
    if footprint := entry.get("footprint_mm"):
        outline = _points(footprint)
    else:
        if entry.get("centre_mm") is None:
            raise BadData(say("neither footprint_mm nor centre_mm is given"))
        centre = _point(entry["centre_mm"], "centre_mm")
        outline = square(centre, _number(entry.get("yaw_deg", 0.0), "yaw_deg"), sides.of(size))
    return Cube(id, kind, size, checked_outline(outline))


def _word(words: type[Word], entry: Mapping[str, object], field: str) -> Word:
    if field not in entry:
        raise BadData(say("the field '%(field)s' is missing", field=field))
    word = entry[field]
    if not isinstance(word, str) or word not in list(words):
        raise BadData(say("'%(word)s' is not a known %(field)s", word=quoted(word), field=field))
    return words(word)


def _points(values: object) -> tuple[Point, ...]:
    if not isinstance(values, list):
        raise BadData(say("the field '%(field)s' must be a list of points", field="footprint_mm"))
    return tuple(_point(value, "footprint_mm") for value in values)


def _point(value: object, field: str) -> Point:
    if not isinstance(value, list) or len(value) != 2:
        raise BadData(say("a point of '%(field)s' must be two numbers", field=field))
    return (_number(value[0], field), _number(value[1], field))


def _number(value: object, field: str) -> float:
    # bool is an int to Python; JSON as Python reads it knows NaN and Infinity.
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST_NUMBER:
        return float(value)
    raise BadData(say("the field '%(field)s' must hold numbers", field=field))
