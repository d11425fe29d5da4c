"""One game as a growing log: events, undo and redo, and the state they lead to.

Nothing is ever removed from the log. Undo, redo and jumping back are entries themselves, so the
version (the number of entries) only grows and a phone that shows an old page is always noticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.errors import BadData, IllegalEvent, NotYourSeat, StaleVersion
from companion.message import Message, say
from companion.rules import GameRules, Outcome, Setup
from companion.trail import Entry, Trail

MAX_ENTRIES = 5_000  # a long evening is a few hundred; replaying this many takes half a second
MAX_REPLAYED = 5_000  # by undoing what others have since built on; a file could ask for millions

UNDONE = "undone"
REDONE = "redone"
REWOUND = "rewound"


@dataclass(frozen=True, slots=True)
class Step:
    """An event that counts, with the state it led to."""

    entry: Entry
    event: Any
    state: Any


@dataclass(frozen=True)
class Journal:
    """A game's whole log and what it means; never changed, only followed by a longer one."""

    rules: GameRules[Any, Any]
    setup: Setup
    start: Any
    version: int = 0
    steps: tuple[Step, ...] = ()
    # Earlier step lists that redo can bring back, newest last.
    undone: tuple[tuple[Step, ...], ...] = ()
    entries: Trail = field(default_factory=Trail)
    # How many events were replayed by undoing earlier ones.
    replayed: int = 0

    @classmethod
    def begin(cls, rules: GameRules[Any, Any], setup: Setup) -> Journal:
        """Open an empty log."""
        return cls(rules, setup, rules.start(setup))

    @property
    def state(self) -> Any:
        """The state after everything that counts."""
        return self.steps[-1].state if self.steps else self.start

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.rules.outcome(self.state)

    def follow(self, entry: Entry) -> Journal:
        """Return the journal with *entry* added.

        Raises:
            IllegalEvent: the rules forbid it now; the message is for players.
            NotYourSeat: the event belongs to another seat.
            BadData: the entry has no known form.
        """
        if self.version >= MAX_ENTRIES:
            raise IllegalEvent(say("This game's log is full."))
        if not 0 <= entry.by < len(self.setup.players):
            raise BadData(say("There is no such seat."))
        steps, undone = self._steps_after(entry)
        return replace(
            self,
            replayed=self.replayed + self._replays(entry.body),
            version=self.version + 1,
            steps=steps,
            undone=undone,
            entries=self.entries.followed_by(entry),
        )

    def _steps_after(self, entry: Entry) -> tuple[tuple[Step, ...], tuple[tuple[Step, ...], ...]]:
        match entry.body:
            case {"type": "undone", "event": seq, **rest} if not rest and type(seq) is int:
                return self._without(seq), (*self.undone, self.steps)
            case {"type": "rewound", "to": seq, **rest} if not rest and type(seq) is int:
                return self._up_to(seq), (*self.undone, self.steps)
            case {"type": "redone", **rest} if not rest:
                if not self.undone:
                    raise IllegalEvent(say("There is nothing to redo."))
                return self.undone[-1], self.undone[:-1]
            case _:
                return (*self.steps, self._step(self.state, entry)), ()

    def _step(self, state: Any, entry: Entry) -> Step:
        event = self.rules.codec.read(entry.body)
        owner = self.rules.owner(event)
        if owner is not None and owner != entry.by:
            raise NotYourSeat(say("Only the player of this seat can do that."))
        return Step(entry, event, self.rules.apply(state, event))

    def _without(self, seq: int) -> tuple[Step, ...]:
        place = next((i for i, step in enumerate(self.steps) if step.entry.seq == seq), None)
        if place is None:
            raise IllegalEvent(say("This has already been undone."))
        kept, later = self.steps[:place], self.steps[place + 1 :]
        if not self._may_undo(place):
            raise IllegalEvent(say("Other things have happened since; undo those first."))
        for step in later:
            state = kept[-1].state if kept else self.start
            kept = (*kept, self._step(state, step.entry))
        return kept

    def _replays(self, body: Mapping[str, Any]) -> int:
        """Return how many later events an undo replays."""
        if body.get("type") != UNDONE:
            return 0
        return sum(step.entry.seq > body["event"] for step in self.steps)

    def _up_to(self, seq: int) -> tuple[Step, ...]:
        kept = tuple(step for step in self.steps if step.entry.seq <= seq)
        if len(kept) == len(self.steps):
            raise IllegalEvent(say("The table is already there."))
        return kept

    def _may_undo(self, place: int) -> bool:
        """Whether the step at *place* can be taken back and everything after it stays."""
        later = self.steps[place + 1 :]
        if self.replayed + len(later) > MAX_REPLAYED:
            return False
        return all(self._independent(self.steps[place], step) for step in later)

    def _independent(self, one: Step, other: Step) -> bool:
        return one.entry.by != other.entry.by and self.rules.independent(one.event, other.event)

    def undo_target(self, seat: int) -> Step | None:
        """What undo takes back for *seat*: its own last event if the others do not mind, else the last."""
        for place in range(len(self.steps) - 1, -1, -1):
            mine = self.steps[place]
            if mine.entry.by == seat:
                if self._may_undo(place):
                    return mine
                break
        return self.steps[-1] if self.steps else None

    def check_version(self, seen: int, by: int, body: Mapping[str, Any]) -> None:
        """Let an event through that was tapped at version *seen*.

        What happened since must be independent of it: four players may fill in four score
        sheets at once, but two taps on the same thing cannot both count.

        Raises:
            StaleVersion: the table changed in a way that matters.
        """
        if not 0 <= seen <= self.version:
            raise StaleVersion
        if seen == self.version:
            return
        since = {entry.seq for entry in self.entries.since(seen)}
        steps = [step for step in self.steps if step.entry.seq in since]
        if len(steps) != len(since):  # an undo, redo or jump came in between
            raise StaleVersion
        event = self.rules.codec.read(body)
        for step in steps:
            if step.entry.by == by or not self.rules.independent(step.event, event):
                raise StaleVersion

    def words(self, place: int) -> tuple[Message, ...]:
        """Tell what the step at *place* did."""
        before = self.steps[place - 1].state if place else self.start
        step = self.steps[place]
        return self.rules.tell(before, step.event, step.state)


def is_control(body: Mapping[str, Any]) -> bool:
    """Whether an entry steers the log itself rather than the game."""
    return body.get("type") in (UNDONE, REDONE, REWOUND)
