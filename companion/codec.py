"""Frozen dataclasses to plain JSON values and back, strictly: anything unexpected is an error."""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from companion.errors import BadData
from companion.message import quoted, say

T = TypeVar("T")

MAX_NUMBER = 1_000_000  # no count in any of the games comes near; keeps logs and pages sane
MAX_TEXT = 2_000


def encode(value: Any) -> Any:
    """Turn dataclasses, enums and tuples into what ``json.dumps`` takes."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: encode(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, tuple | list | frozenset):
        items = [encode(item) for item in value]
        return sorted(items) if isinstance(value, frozenset) else items
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    return value


def decode(kind: Any, data: object, where: str = "value") -> Any:
    """Check *data* against the annotation *kind* and build it.

    Raises:
        BadData: naming the field that does not fit.
    """
    origin = get_origin(kind)
    if origin is Union or origin is types.UnionType:
        return _decode_union(kind, data, where)
    if origin is Literal:
        if type(data) is str and data in get_args(kind):
            return data
        raise _unfit(where)
    if origin is tuple:
        return _decode_tuple(get_args(kind), data, where)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _decode_record(kind, data, where)
    return _decode_scalar(kind, data, where)


def _decode_union(kind: Any, data: object, where: str) -> Any:
    choices = [choice for choice in get_args(kind) if choice is not type(None)]
    if data is None and len(choices) < len(get_args(kind)):
        return None
    if len(choices) != 1:
        raise TypeError(f"{where}: only optional values are supported, not {kind}")
    return decode(choices[0], data, where)


def _decode_tuple(items: tuple[Any, ...], data: object, where: str) -> tuple[Any, ...]:
    if not isinstance(data, list | tuple) or len(data) > MAX_TEXT:
        raise _unfit(where)
    if len(items) == 2 and items[1] is Ellipsis:
        items = (items[0],) * len(data)
    if len(items) != len(data):
        raise _unfit(where)
    return tuple(decode(item, part, where) for item, part in zip(items, data, strict=True))


def _decode_record(kind: type, data: object, where: str) -> Any:
    if not isinstance(data, Mapping):
        raise _unfit(where)
    hints = _hints(kind)
    fields = {f.name: f for f in dataclasses.fields(kind)}
    for name in data:
        if name not in fields:
            raise BadData(say("The field '%(field)s' is not known here.", field=quoted(name)))
    values = {}
    for name, f in fields.items():
        if name in data:
            values[name] = decode(hints[name], data[name], name)
        elif f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING:
            raise BadData(say("The field '%(field)s' is missing.", field=name))
    return kind(**values)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _decode_scalar(kind: Any, data: object, where: str) -> Any:
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if isinstance(data, str) and data in list(kind):
            return kind(data)
        raise _unfit(where)
    # bool is an int to Python, never to a player.
    if kind is int and type(data) is int and abs(data) <= MAX_NUMBER:
        return data
    if kind is bool and type(data) is bool:
        return data
    if kind is str and isinstance(data, str) and len(data) <= MAX_TEXT and _is_whole(data):
        return data
    raise _unfit(where)


def _is_whole(text: str) -> bool:
    # JSON can smuggle in half a letter (a lone surrogate), which no file can hold.
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _unfit(where: str) -> BadData:
    return BadData(say("The field '%(field)s' does not have a possible value.", field=where))


def event_name(kind: type) -> str:
    """``GroupAdvanced`` is written ``group_advanced`` in a log."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


class EventCodec(Generic[T]):
    """Reads and writes the events of one game, told apart by their ``type``."""

    def __init__(self, *kinds: type[T]) -> None:
        self.kinds: dict[str, type[T]] = {event_name(kind): kind for kind in kinds}

    def write(self, event: T) -> dict[str, Any]:
        """Return the event as a JSON object with its type first."""
        return {"type": event_name(type(event)), **encode(event)}

    def read(self, data: object) -> T:
        """Build the event that *data* describes.

        Raises:
            BadData: the type is unknown or a field does not fit.
        """
        if not isinstance(data, Mapping):
            raise BadData(say("An event must be a JSON object."))
        name = data.get("type")
        if not isinstance(name, str) or name not in self.kinds:
            raise BadData(say("The event type '%(type)s' is not known.", type=quoted(name)))
        fields = {key: value for key, value in data.items() if key != "type"}
        event: T = _decode_record(self.kinds[name], fields, name)
        return event
