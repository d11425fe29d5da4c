"""Sentences for players: an English template and its values, translated only where they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence, such as ``say("%(player)s adds a group", player="Ana")``.

    ``many`` is the plural template; it is used when ``params["count"]`` asks for it. ``own`` holds the
    translations that a name from a data file brings along, by language.
    """

    text: str
    params: Mapping[str, str | int | Message] = field(default_factory=dict)
    many: str | None = None
    own: Mapping[str, str] = field(default_factory=dict)

    def render(self, translate: Callable[[Message], str]) -> str:
        """Fill the template that *translate* returns; nested messages are translated too."""
        values = {
            key: value.render(translate) if isinstance(value, Message) else value
            for key, value in self.params.items()
        }
        # Without values a template is final: a plain "100%" must not be read as a placeholder.
        return translate(self) % values if values else translate(self)

    def __str__(self) -> str:
        return self.render(_in_english)


def say(text: str, **params: str | int | Message) -> Message:
    """Make a message; the name is what the translation extractor looks for."""
    return Message(text, params)


def say_many(one: str, many: str, count: int, **params: str | int | Message) -> Message:
    """Make a message whose form depends on *count*, available to both as ``%(count)d``."""
    return Message(one, {"count": count, **params}, many)


def named(english: str, **others: str) -> Message:
    """Make a message of a name that comes with its translations: ``named("Torch", fr="Torche")``."""
    return Message(english, own=others)


def quoted(value: object) -> str:
    """Return something a stranger sent as a short, printable text for a message."""
    words = " ".join(str(value)[:60].split())
    return "".join(letter if letter.isprintable() else "?" for letter in words)


def _in_english(message: Message) -> str:
    if message.many is not None and message.params["count"] != 1:
        return message.many
    return message.text
