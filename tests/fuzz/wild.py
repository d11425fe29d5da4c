"""Values that nobody expects, and mutations of values that somebody does."""

import copy
import json

from hypothesis import strategies as st

# Half letters, letters that turn the line, nothing at all, what means something to HTML, SQL, JSON and paths.
TEXTS = (
    "",
    " ",
    "\x00",
    "a\x00b",
    "\ud800",
    "\udfff\ud800",
    "\u202e\u200d\ufeff",
    "\u2028\u2029\x85",
    "e\u0301" * 40,
    "\U0001f409" * 30,
    "Ana\r\nSet-Cookie: x=1",
    "<script>alert(1)</script>",
    "'; DROP TABLE games; --",
    "../../../etc/passwd",
    "//elsewhere.example/",
    "/\\elsewhere.example/",
    "%(count)d %s %",
    "{{ 7 * 7 }}",
    "\u0661\u0662",  # digits, but not of ours
    "\u00b2",  # a digit that is no number
    "1_000",
    "-0",
    "+1",
    "1e3",
    "0x10",
    "NaN",
    "None",
    "a" * 65,
    "x" * 2_001,
    "9" * 400,
    "9" * 5_000,
)
NUMBERS = (0, -1, 1, 2, 9, 99, 1_000, -1_000_000, 1_000_001, 2**31, -(2**63), 2**64, 10**30, 10**400)
FLOATS = (0.0, -0.0, 0.5, 1.0, 1e-320, 1e12, 1e300, float("inf"), float("-inf"), float("nan"))

texts = st.one_of(st.sampled_from(TEXTS), st.text(max_size=8))
numbers = st.one_of(st.integers(-2, 12), st.sampled_from(NUMBERS))
scalars = st.one_of(
    st.integers(-2, 12), st.none(), st.booleans(), texts, st.sampled_from(NUMBERS), st.sampled_from(FLOATS)
)
_values = st.one_of(
    scalars,
    st.lists(scalars, max_size=3),
    st.dictionaries(texts, scalars, max_size=3),
    st.sampled_from(([0] * 2_001, [[[]]], {"type": {}}, [{}])),
)
# Each time another one: what is drawn is changed afterwards.
values = _values.map(copy.deepcopy)

# Text where JSON is expected: not JSON, not quite JSON, or more of it than anybody needs.
NO_JSON = (
    "",
    "{",
    "null",
    "[]",
    '"text"',
    "{}",
    '{"type": null}',
    '{"type": []}',
    '{"type": "undone", "event": 1}',
    '{"type": "rewound", "to": 0}',
    '{"type": NaN}',
    '{"a": 1e999}',
    '{"a": ' + "9" * 5_000 + "}",
    "[" * 9_000,
    '{"a":' * 1_500 + "1" + "}" * 1_500,
    '{"type": "x", "type": "y"}',
    '{"type": "\\ud800"}',
    "\ufeff{}",
)


def places(value, way=()):
    """Return the way to every value inside *value*, itself included."""
    found = [way]
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    else:
        return found
    for key, part in inner:
        found += places(part, (*way, key))
    return found


def mutated(case, value, words=()):
    """Return a copy of a JSON value with something in it replaced, left out, doubled or added."""
    value = copy.deepcopy(value)
    for _ in range(case.draw(st.sampled_from((1, 1, 1, 2, 4)))):
        value = _mutated_once(case, value, words)
    return value


def _mutated_once(case, value, words):
    way = case.draw(st.sampled_from(places(value)))
    if not way:
        return value if case.chance(8) is False else case.draw(values)
    holder = value
    for key in way[:-1]:
        holder = holder[key]
    key = way[-1]
    how = case.draw(st.sampled_from(("near", "near", "wild", "drop", "double", "add")))
    if how == "near":
        holder[key] = _near(case, holder[key], words)
    elif how == "wild":
        holder[key] = case.draw(values)
    elif how == "drop":
        del holder[key]
    elif isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]) if how == "double" else case.draw(values))
    else:
        holder[case.draw(texts) if how == "add" else f"{key}2"] = case.draw(values)
    return value


def _near(case, value, words):
    """Return something of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + case.draw(st.integers(-3, 3)) if case.chance(3) is False else case.draw(numbers)
    if isinstance(value, float):
        return case.draw(st.one_of(st.sampled_from(FLOATS), st.floats(), st.just(value + 1e-9)))
    if isinstance(value, str):
        return case.draw(st.one_of(st.sampled_from(sorted(words)), texts) if words else texts)
    if isinstance(value, list):
        return case.draw(st.permutations(value[:50]))
    return case.draw(values)


def words_in(value):
    """Return all texts inside a JSON value."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set().union(*map(words_in, value.values())) if value else set()
    if isinstance(value, list):
        return set().union(*map(words_in, value)) if value else set()
    return set()


def as_json(value):
    """Write a value as JSON, with what is not JSON as Python writes it."""
    return json.dumps(value)
