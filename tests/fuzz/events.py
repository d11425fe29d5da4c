"""JSON events for every game, of wild values or mutated from legal ones; undo, redo and rewind anywhere."""

import dataclasses
import json
import types
from enum import StrEnum
from typing import Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from tests.fuzz import wild
from tests.fuzz.plays import new_table
from tests.fuzz.world import World

LIMIT_S = 20.0
MOST_STEPS = 8


class Subject:
    """Events sent to one table after the other."""

    LIMIT_S = LIMIT_S

    def __init__(self):
        self.world = World()

    def close(self):
        """Forget everything."""
        self.world.close()

    def one(self, case):
        """Play a random game, then send a few wild things."""
        world = self.world.renewed(after=60)
        code = new_table(case, world.tables)
        world.phone.sit_everywhere(code)
        case.do("world.phone.sit_everywhere(code)")
        if world.tables.open(code).setup.game == "dungeon-drop" and case.chance(2):
            world.photograph(code)
            case.do("world.photograph(code)")
        for _ in range(case.draw(st.integers(1, MOST_STEPS))):
            self._step(case, code)
        world.check_whole_table(code)

    def _step(self, case, code):
        world, before = self.world, self.world.tables.open(code)
        path, fields = self._request(case, before)
        answer = world.phone.post(f"/t/{code}/{path}", fields, live=case.chance(2))
        case.do(f'world.phone.post(f"/t/{{code}}/{path}", {fields!r}, live=True)')
        after = world.tables.open(code)
        case.answered(f"{path} {answer.status_code}" if after is before else f"{path} recorded")
        world.check_answer(answer)
        world.check_table(code)
        if after is not before:
            world.check_pages(code, (f"?seat={after.entries[-1].by}",))

    def _request(self, case, journal):
        seats, version = len(journal.setup.players), journal.version
        seat = case.draw(st.integers(0, seats - 1))
        fields = {"seen": str(version), "tap": f"tap-{version}-{len(case.lines)}"}
        path = case.draw(st.sampled_from(("act",) * 9 + ("undo", "redo", "rewind")))
        if path == "act":
            fields["event"], seat = self._event(case, journal, seat)
        elif path == "undo":
            step = journal.undo_target(seat)
            fields["target"] = str(step.entry.seq if step and not case.chance(3) else case.draw(wild.numbers))
        elif path == "rewind":
            fields["to"] = str(case.draw(st.one_of(st.integers(-1, version + 1), wild.numbers)))
        fields["seat"] = str(seat)
        if case.chance(10):
            fields[case.draw(st.sampled_from(sorted(fields)))] = _sendable(case.draw(wild.texts))
        return path, fields

    def _event(self, case, journal, seat):
        """Return the text of an event and the seat that sends it."""
        rules = journal.rules
        legal = rules.legal(journal.state, seat)
        how = case.draw(st.sampled_from(("legal", "mutated", "mutated", "built", "built", "text")))
        if how == "text":
            return case.draw(st.sampled_from(wild.NO_JSON)).encode("utf-8", "replace").decode(), seat
        if how == "built" or not legal:
            name, kind = case.draw(st.sampled_from(sorted(rules.codec.kinds.items())))
            words = sorted(wild.words_in([rules.codec.write(event) for event in legal])) or [""]
            fields = case.draw(record_of(kind, tuple(words)))
            if "player" in fields and not case.chance(4):
                fields["player"] = seat
            return json.dumps({"type": name, **fields}), seat
        event = case.draw(st.sampled_from(legal))
        owner = rules.owner(event)
        body = rules.codec.write(event)
        if how == "mutated":
            body = wild.mutated(case, body, wild.words_in(body))
        return json.dumps(body), seat if owner is None else owner


def record_of(kind, words):
    """Return a strategy for the JSON of a dataclass: mostly all fields, mostly of their kind."""
    hints = get_type_hints(kind)
    needed, more = {}, {}
    for field in dataclasses.fields(kind):
        free = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        (more if free else needed)[field.name] = value_of(hints[field.name], words)
    return st.fixed_dictionaries(needed, optional=more)


def value_of(hint, words):
    """Return a strategy for what could stand in a field, and seldom for what could not."""
    return st.integers(0, 15).flatmap(lambda odd: wild.values if odd == 15 else fitting(hint, words))


def fitting(hint, words):
    """Return a strategy for what the codec may accept in a field."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return st.sampled_from(args)
    if origin is Union or origin is types.UnionType:
        inner = next(arg for arg in args if arg is not type(None))
        return st.one_of(st.none(), value_of(inner, words))
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return st.lists(value_of(args[0], words), max_size=6)
        return st.tuples(*(value_of(arg, words) for arg in args)).map(list)
    if dataclasses.is_dataclass(hint):
        return record_of(hint, words)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return st.sampled_from([str(member) for member in hint])
    if hint is bool:
        return st.booleans()
    if hint is int:
        return st.one_of(st.integers(0, 9), wild.numbers)
    return st.one_of(st.sampled_from(words), wild.texts)


def _sendable(text):
    return text.encode("utf-8", "replace").decode()
