"""Everybody's money as a book: what came in and went out, by what it was for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from companion.message import Message, say

START_MONEY: Final = 2


class Reason(StrEnum):
    """What money came in or went out for."""

    START = "start"
    DISABLED = "disabled"
    TREASURE = "treasure"
    PUSHED = "pushed"
    FEES = "fees"
    HEALING = "healing"
    MASTER = "master"
    OTHER = "other"


REASON_NAMES: Final[dict[Reason, Message]] = {
    Reason.START: say("At the start"),
    Reason.DISABLED: say("For disabled adventurers"),
    Reason.TREASURE: say("Treasure"),
    Reason.PUSHED: say("For being pushed out"),
    Reason.FEES: say("Fees for pushing and replacing"),
    Reason.HEALING: say("Healing"),
    Reason.MASTER: say("From the dungeon master"),
    Reason.OTHER: say("Other"),
}

REASON_RULES: Final[dict[Reason, Message]] = {
    Reason.START: say("Everybody starts with $2."),
    Reason.DISABLED: say("At the start everybody gets what healing the two disabled adventurers would cost."),
    Reason.TREASURE: say(
        "Split between the two adventurers; the remainder goes to the stronger one, if there is one."
    ),
    Reason.PUSHED: say("In a room of level 2 the pushed player gets $1, on level 3 $2."),
    Reason.FEES: say("$1 to the bank, and what the pushed player gets."),
    Reason.HEALING: say("For adventurers in the failed room and all below; nobody pays more than they have."),
    Reason.MASTER: say("What a dungeon master gave."),
    Reason.OTHER: say("What was written down by hand."),
}


@dataclass(frozen=True, slots=True)
class Books:
    """The money of all players and the bank; what one gets another gives.

    Attributes:
        accounts: for each seat, the sums by reason in the order of `Reason`.
        bank: what the bank has more than at the beginning; below 0 if it gave.
    """

    accounts: tuple[tuple[int, ...], ...]
    bank: int = 0

    def of(self, seat: int) -> int:
        """Return what a player has."""
        return sum(self.accounts[seat])

    def sum_of(self, seat: int, reason: Reason) -> int:
        """Return what a player got or gave for one reason."""
        return self.accounts[seat][list(Reason).index(reason)]

    def paid(self, seat: int, amount: int, reason: Reason) -> Books:
        """Return the books after the bank gave an amount to a player, or took it if it is below 0."""
        return replace(self, bank=self.bank - amount)._with(seat, amount, reason)

    def passed_on(self, giver: int, taker: int, amount: int) -> Books:
        """Return the books after one player pushed another out."""
        return self._with(giver, -amount, Reason.FEES)._with(taker, amount, Reason.PUSHED)

    def _with(self, seat: int, amount: int, reason: Reason) -> Books:
        place = list(Reason).index(reason)
        account = tuple(sum_ + amount * (n == place) for n, sum_ in enumerate(self.accounts[seat]))
        return replace(self, accounts=(*self.accounts[:seat], account, *self.accounts[seat + 1 :]))


def open_books(players: int) -> Books:
    """Return the books at the start of a game."""
    books = Books(((0,) * len(Reason),) * players)
    for seat in range(players):
        books = books.paid(seat, START_MONEY, Reason.START)
    return books
