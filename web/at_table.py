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
from web.dungeon_drop.eyes import Eye
from web.dungeon_drop.learning import Learning
from web.dungeon_drop.looks import Looks
from web.dungeon_drop.watching import Watching


def the_tables() -> Tables:
    """Return the games of the running app."""
    tables: Tables = current_app.extensions["tables"]
    return tables


def the_looks() -> Looks:
    """Return the photos of the running app's tables."""
    looks: Looks = current_app.extensions["looks"]
    return looks


def the_watching() -> Watching:
    """Return the tables of the running app that are followed."""
    watching: Watching = current_app.extensions["watching"]
    return watching


def the_learning() -> Learning:
    """Return what players' corrections have taught."""
    learning: Learning = current_app.extensions["learning"]
    return learning


def the_eye() -> Eye | None:
    """Return what looks at the table without a phone, if there is something."""
    eye: Eye | None = current_app.extensions["eye"]
    return eye


def this_device() -> str:
    """Return the identity in the phone's signed cookie, given out at its first visit."""
    device = session.get("device")
    if not isinstance(device, str):
        device = session["device"] = secrets.token_urlsafe(16)
        session.permanent = True
    return device


@dataclass(frozen=True, slots=True)
class Guest:
    """One phone at one table: the only thing about the two that templates get to see."""

    code: str
    game: str
    title: str
    players: tuple[str, ...]
    touched: str
    version: int
    stamp: str  # what the live stream calls the state this page shows
    seat: int | None  # the seat this page is for; None: only watching
    held: tuple[int, ...]  # the seats of this phone
    taken: frozenset[int]  # the seats of any phone
    is_host: bool  # may free seats and delete the table


@dataclass(frozen=True, slots=True)
class Visit:
    """A phone's request to a table, with everything the server knows about it."""

    guest: Guest
    device: str
    row: GameRow
    journal: Journal


def welcome(code: str) -> Visit:
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
    held = tuple(sorted(seat for seat, holder in seats.items() if holder == device))
    turn = turn_of(journal)
    asked = request.args.get("seat", type=int)
    guest = Guest(
        code=code,
        game=row.game,
        title=journal.rules.title,
        players=row.players,
        touched=row.touched,
        version=journal.version,
        stamp=f"{journal.version}.{row.seating}.{the_looks().stamp(code)}",
        seat=next((seat for seat in (asked, turn, *held) if seat in held), None),
        held=held,
        taken=frozenset(seats),
        is_host=may_manage(row),
    )
    return Visit(guest, device, row, journal)


def turn_of(journal: Journal) -> int | None:
    """Return the seat whose turn it is, in games that have turns."""
    turn: int | None = getattr(journal.state, "turn", None)
    return turn


def turn_came_to(guest: Guest, before: int | None, journal: Journal) -> int | None:
    """Return the seat that the turn has come to, if this phone is for it too and has to show it now."""
    turn = turn_of(journal)
    return turn if turn != before and turn in guest.held and len(guest.held) > 1 else None


def may_manage(row: GameRow) -> bool:
    """Whether this phone may free seats at a table and delete it: its host, or anyone if it has none."""
    return row.host in (None, this_device())


def acting_seat(guest: Guest) -> int:
    """Return the seat a form wants to act for.

    Raises:
        NotYourSeat: this phone does not hold it.
        BadData: there is no such seat.
    """
    seat = request.form.get("seat", type=int)
    if seat is None or not 0 <= seat < len(guest.players):
        raise BadData(say("There is no such seat."))
    if seat not in guest.held:
        raise NotYourSeat(say("This seat belongs to another phone."))
    return seat
