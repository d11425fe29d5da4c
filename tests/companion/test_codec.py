"""Events and records to JSON and back: everything fits exactly or is refused by name."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.apprentis.board import Monsters, Place
from companion.apprentis.events import CODEC, Effect, GroupEntered, PlaceFilled, ScoringOpened, ThreatRevealed
from companion.codec import MAX_NUMBER, MAX_TEXT, decode, encode, event_name
from companion.errors import BadData
from companion.results import PlayerResult, Result
from tests.companion.builders import events


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Inner:
    colour: Colour
    sizes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Outer:
    name: str
    number: int
    sure: bool
    pair: tuple[int, str]
    inner: Inner
    mood: Literal["good", "bad"] = "good"
    maybe: int | None = None
    many: tuple[Inner, ...] = ()


GOOD = {"name": "x", "number": 1, "sure": True, "pair": [1, "a"], "inner": {"colour": "red"}}

numbers = st.integers(-MAX_NUMBER, MAX_NUMBER)
inners = st.builds(Inner, st.sampled_from(Colour), st.lists(numbers, max_size=5).map(tuple))
outers = st.builds(
    Outer,
    st.text(max_size=50),
    numbers,
    st.booleans(),
    st.tuples(numbers, st.text(max_size=5)),
    inners,
    st.sampled_from(("good", "bad")),
    st.none() | numbers,
    st.lists(inners, max_size=3).map(tuple),
)


def refused(data):
    with pytest.raises(BadData) as caught:
        decode(Outer, data)
    return str(caught.value)


def through_json(value):
    return json.loads(json.dumps(value))


# Round trips


@settings(max_examples=200, deadline=None)
@given(outers)
def test_a_record_survives_json(record):
    assert decode(Outer, through_json(encode(record))) == record


@settings(max_examples=300, deadline=None)
@given(events)
def test_an_event_survives_json(event):
    assert CODEC.read(through_json(CODEC.write(event))) == event


def test_missing_fields_take_their_defaults():
    assert decode(Outer, GOOD) == Outer("x", 1, True, (1, "a"), Inner(Colour.RED))


def test_a_result_survives_json():
    result = Result(
        "apprentis",
        "Donjon",
        "2026-01-31T20:15:00+00:00",
        0,
        True,
        (PlayerResult("Zoë", None, 1, True, "", False), PlayerResult("=1+1", -3, 2, False, "hero", True)),
    )

    assert decode(Result, through_json(encode(result))) == result


def test_a_frozenset_is_written_in_order():
    assert encode(frozenset({3, 1, 2})) == [1, 2, 3]


def test_a_mapping_is_written_with_texts_as_keys():
    assert json.dumps(encode({Colour.RED: (1, Colour.BLUE), 2: Inner(Colour.RED)})) == (
        '{"red": [1, "blue"], "2": {"colour": "red", "sizes": []}}'
    )


@pytest.mark.parametrize(
    ("event", "written"),
    [
        pytest.param(
            ThreatRevealed(Effect.ADVANCE, 2, True),
            {"type": "threat_revealed", "effect": "advance", "steps": 2, "icon": True},
            id="card",
        ),
        pytest.param(ScoringOpened(), {"type": "scoring_opened"}, id="no fields"),
        pytest.param(
            PlaceFilled(1, Place.CORRIDOR_4, Monsters(vampire=2)),
            {
                "type": "place_filled",
                "player": 1,
                "place": "corridor4",
                "monsters": {"spider": 0, "brou": 0, "dragon": 0, "vampire": 2, "skeleton": 0, "vip": 0},
            },
            id="nested",
        ),
    ],
)
def test_an_event_is_written_as_logs_have_it(event, written):
    assert through_json(CODEC.write(event)) == written
    assert next(iter(CODEC.write(event))) == "type"


def test_names_in_logs_are_lower_case_with_underscores():
    assert event_name(GroupEntered) == "group_entered"


def test_fields_with_a_default_may_be_left_out():
    assert CODEC.read({"type": "threat_revealed", "effect": "new"}) == ThreatRevealed(Effect.NEW)
    assert CODEC.read({"type": "place_filled", "player": 0, "place": "room1", "monsters": {}}) == PlaceFilled(
        0, Place.ROOM_1, Monsters()
    )


# Errors

HUGE = 10**4000


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param("number", True, id="bool as int"),
        pytest.param("number", 1.0, id="float as int"),
        pytest.param("number", "1", id="text as int"),
        pytest.param("number", None, id="nothing as int"),
        pytest.param("number", float("nan"), id="NaN"),
        pytest.param("number", float("inf"), id="infinity"),
        pytest.param("number", MAX_NUMBER + 1, id="too large"),
        pytest.param("number", -MAX_NUMBER - 1, id="too small"),
        pytest.param("number", HUGE, id="four thousand digits"),
        pytest.param("sure", 1, id="int as bool"),
        pytest.param("sure", "true", id="text as bool"),
        pytest.param("name", 1, id="int as text"),
        pytest.param("name", "x" * (MAX_TEXT + 1), id="long text"),
        pytest.param("name", ["x"], id="list as text"),
        pytest.param("pair", [1], id="too short"),
        pytest.param("pair", [1, "a", 2], id="too long"),
        pytest.param("pair", ["a", 1], id="wrong order"),
        pytest.param("pair", "1a", id="text as list"),
        pytest.param("pair", {"0": 1, "1": "a"}, id="object as list"),
        pytest.param("inner", None, id="nothing as object"),
        pytest.param("inner", [["colour", "red"]], id="list as object"),
        pytest.param("mood", "ugly", id="no such choice"),
        pytest.param("mood", None, id="nothing as choice"),
        pytest.param("mood", ["good"], id="list as choice"),
        pytest.param("maybe", True, id="bool as optional int"),
        pytest.param("maybe", [], id="list as optional int"),
        pytest.param("many", {"colour": "red"}, id="object as list of objects"),
        pytest.param("many", [{"colour": "red"}] * (MAX_TEXT + 1), id="endless list"),
    ],
)
def test_a_field_that_does_not_fit_is_named(field, value):
    assert refused({**GOOD, field: value}) == f"The field '{field}' does not have a possible value."


@pytest.mark.parametrize(
    ("inner", "message"),
    [
        pytest.param({"colour": "green"}, "The field 'colour' does not have a possible value.", id="enum"),
        pytest.param({"colour": "RED"}, "The field 'colour' does not have a possible value.", id="enum name"),
        pytest.param({"colour": 0}, "The field 'colour' does not have a possible value.", id="enum number"),
        pytest.param(
            {"colour": "red", "sizes": [1, [2]]},
            "The field 'sizes' does not have a possible value.",
            id="deep",
        ),
        pytest.param({}, "The field 'colour' is missing.", id="missing"),
        pytest.param({"colour": "red", "x": 1}, "The field 'x' is not known here.", id="unknown"),
    ],
)
def test_a_nested_field_that_does_not_fit_is_named(inner, message):
    assert refused({**GOOD, "inner": inner}) == message


def test_a_missing_field_is_named():
    assert refused({key: GOOD[key] for key in GOOD if key != "number"}) == "The field 'number' is missing."


def test_an_unknown_field_is_named_shortly():
    assert refused({**GOOD, "y" * 500: 1}) == f"The field '{'y' * 60}' is not known here."


@pytest.mark.parametrize("limit", [MAX_NUMBER, -MAX_NUMBER])
def test_the_largest_numbers_are_accepted(limit):
    assert decode(int, limit) == limit


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param([], "An event must be a JSON object.", id="list"),
        pytest.param("group_entered", "An event must be a JSON object.", id="text"),
        pytest.param(None, "An event must be a JSON object.", id="nothing"),
        pytest.param({"player": 0}, "The event type 'None' is not known.", id="no type"),
        pytest.param(
            {"type": "GroupEntered", "player": 0}, "The event type 'GroupEntered' is not known.", id="class"
        ),
        pytest.param(
            {"type": ["group_entered"]}, "The event type '['group_entered']' is not known.", id="list type"
        ),
        pytest.param({"type": "z" * 99}, f"The event type '{'z' * 60}' is not known.", id="long type"),
        pytest.param({"type": "undone", "event": 1}, "The event type 'undone' is not known.", id="control"),
        pytest.param({"type": "group_entered"}, "The field 'player' is missing.", id="no player"),
        pytest.param(
            {"type": "group_entered", "player": True},
            "The field 'player' does not have a possible value.",
            id="player is true",
        ),
        pytest.param(
            {"type": "group_entered", "player": 0, "room": 1},
            "The field 'room' is not known here.",
            id="extra",
        ),
        pytest.param(
            {"type": "groups_counted", "player": 0, "rooms": [0, 0, 0, 0, "0"]},
            "The field 'rooms' does not have a possible value.",
            id="text as a number of groups",
        ),
        pytest.param(
            {"type": "inn_revealed", "whom": "all", "effect": "new"},
            "The field 'whom' does not have a possible value.",
            id="everybody",
        ),
        pytest.param(
            {"type": "place_filled", "player": 0, "place": "room6", "monsters": {}},
            "The field 'place' does not have a possible value.",
            id="room 6",
        ),
        pytest.param(
            {"type": "place_filled", "player": 0, "place": "room1", "monsters": {"bat": 1}},
            "The field 'bat' is not known here.",
            id="bats",
        ),
    ],
)
def test_an_event_that_does_not_fit_is_refused(data, message):
    with pytest.raises(BadData) as caught:
        CODEC.read(data)

    assert str(caught.value) == message


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([*sorted(CODEC.kinds), "x"]),
    st.dictionaries(
        st.sampled_from(("player", "steps", "effect", "icon", "room", "rooms", "monsters", "place", "power")),
        json_values | st.integers(0, 3) | st.sampled_from(("new", "room1", "most")),
    ),
)
def test_any_json_is_read_or_refused_but_never_crashes(kind, fields):
    try:
        event = CODEC.read({"type": kind, **fields})
    except BadData:
        return

    assert CODEC.read(through_json(CODEC.write(event))) == event
