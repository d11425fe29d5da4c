"""What can go wrong in a way a person can understand; each error carries one readable sentence."""

from __future__ import annotations

from companion.message import Message, say


class CompanionError(Exception):
    """Something a person did or gave cannot be accepted; ``message`` says what, in words for them."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return str(self.message)


class IllegalEvent(CompanionError):
    """The rules forbid this event in this state."""


class BadData(CompanionError):
    """A file, form or setting does not have the expected form."""


class StaleVersion(CompanionError):
    """The table changed since the phone last looked."""

    def __init__(self) -> None:
        super().__init__(say("The table has changed in the meantime. Please look again."))


class NotYourSeat(CompanionError):
    """Somebody tried to act for a seat they do not hold."""


class UnknownGame(CompanionError):
    """There is no game with this code."""


class StoreTrouble(CompanionError):
    """The record cannot be read or written (full or read-only disk, foreign or newer file)."""
