"""Who asks, and about which table: the phone's signed identity, its seats, the game."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass

from flask import current_app, request, session

from companion.errors import BadData, NotYourSeat, StoreTrouble
from companion.journal import Journal
from companion.message import say
from companion.store import GameRow
from companion.tables import Tables


def the_tables() -> Tables:
    """Return the games of the running app."""
    tables: Tables = current_app.extensions["tables"]
    return tables


def this_device() -> str:
    """Return the identity in the phone's signed cookie, given out at its first visit."""
    device = session.get("device")
    if not isinstance(device, str):
        device = session["device"] = secrets.token_urlsafe(16)
        session.permanent = True
    return device


@dataclass(frozen=True, slots=True)
class Guest:
    """One phone at one table."""

    device: str
    row: GameRow
    journal: Journal
    seats: dict[int, str]
    seat: int | None  # the seat this page is for; None: only watching

    @property
    def code(self) -> str:
        """The table's secret code."""
        return self.row.code

    @property
    def held(self) -> tuple[int, ...]:
        """The seats this phone holds."""
        return tuple(sorted(seat for seat, device in self.seats.items() if device == self.device))

    @property
    def is_host(self) -> bool:
        """Whether this phone may free seats and delete the table."""
        return self.row.host in (None, self.device)

    @property
    def stamp(self) -> str:
        """What the live stream calls the state this page shows."""
        return f"{self.journal.version}.{self.row.seating}"


def welcome(code: str) -> Guest:
    """Find the table and what this phone is there.

    The page's seat is the one asked for, if this phone holds it; else the seat whose turn it is,
    if it holds that; else its first one.

    Raises:
        UnknownGame: there is no such table.
    """
    tables, device = the_tables(), this_device()
    row, journal = tables.store.game(code), tables.open(code)
    seats = tables.store.seats(code)
    with suppress(StoreTrouble):  # a full disk must not keep anybody from looking
        tables.store.note_visit(code, device)
    held = sorted(seat for seat, holder in seats.items() if holder == device)
    turn = getattr(journal.state, "turn", None)
    asked = request.args.get("seat", type=int)
    seat = next((s for s in (asked, turn, *held) if s in held), None)
    return Guest(device, row, journal, seats, seat)


def acting_seat(guest: Guest) -> int:
    """Return the seat a form wants to act for.

    Raises:
        NotYourSeat: this phone does not hold it.
        BadData: there is no such seat.
    """
    seat = request.form.get("seat", type=int)
    if seat is None or not 0 <= seat < len(guest.row.players):
        raise BadData(say("There is no such seat."))
    if seat not in guest.held:
        raise NotYourSeat(say("This seat belongs to another phone."))
    return seat
