"""Tables that are played without an end: what happens next at each, and how soon its phones know."""

import asyncio
import itertools
import json
import random
import re
import time
from dataclasses import dataclass, field

from companion.errors import CompanionError
from companion.games import GAMES
from companion.trail import Entry
from tests.soak.phones import Phone, Refused

NAMES = ("Ana", "Ben", "Caro", "Dora")
# Game, players, options; phones beyond the players watch.
SEATINGS = (
    ("apprentis", 4, {}),
    ("welcome", 3, {}),
    ("guilds", 4, {}),
    ("dungeon-drop", 4, {}),
    ("welcome-back", 4, {}),
    ("apprentis", 3, {}),
    ("guilds", 3, {"mode": "score"}),
    ("dungeon-drop", 2, {}),
    ("welcome", 2, {}),
    ("welcome-back", 3, {}),
)
# After so many steps a table goes back to its start, so that every part of every game comes again and again;
# not all tables at once, which would hide what memory does.
LENGTHS = (40, 160)
UNDOES, REDOES = 0.15, 0.10  # shares of what people do
# What leads to the end of a game, or only fills the log with what was there before.
LEFT_OUT = {"scoring_opened", "counting_ended", "sheet_signed", "tiles_recalled", "setup_corrected"}


@dataclass(frozen=True, slots=True)
class Move:
    """What one seat does next."""

    seat: int
    path: str
    fields: dict[str, object]
    body: dict[str, object]


def next_move(journal, seats, rng, longest=LENGTHS[1]):
    """Choose what somebody of *seats* does next, and return it with the journal after it."""
    seat = rng.choice(seats)
    chance = rng.random()
    if len(journal.steps) < longest:
        if chance < UNDOES and (step := journal.undo_target(seat)):
            target = step.entry.seq
            move = Move(seat, "undo", {"target": target}, {"type": "undone", "event": target})
            return move, _after(journal, move)
        if chance < UNDOES + REDOES and journal.undone:
            move = Move(seat, "redo", {"seen": journal.version}, {"type": "redone"})
            return move, _after(journal, move)
        for move in _moves(journal, seat, rng):
            try:
                after = _after(journal, move)
            except CompanionError:
                continue
            if after.outcome is None:
                return move, after
    move = Move(seat, "rewind", {"to": 0, "seen": journal.version}, {"type": "rewound", "to": 0})
    return move, _after(journal, move)


def _moves(journal, seat, rng):
    """Yield one event of every kind that the seat may report, in random order."""
    kinds = {}
    for event in journal.rules.legal(journal.state, seat):
        kinds.setdefault(type(event), []).append(event)
    for kind in rng.sample(list(kinds), len(kinds)):
        body = journal.rules.codec.write(rng.choice(kinds[kind]))
        if body["type"] not in LEFT_OUT:
            yield Move(seat, "act", {"event": json.dumps(body), "seen": journal.version}, body)


def _after(journal, move):
    return journal.follow(Entry(journal.version + 1, move.seat, "", f"tap-{journal.version + 1}", move.body))


@dataclass
class Measures:
    """What was counted and timed, in seconds."""

    acknowledged: int = 0
    late: int = 0  # actions sent half a second after their time, because the one before was not answered
    seen: list[float] = field(default_factory=list)  # from sending an action to another phone being told
    fresh: list[float] = field(default_factory=list)  # the same to another phone having the new page
    answered: list[float] = field(default_factory=list)  # an action's own answer
    pages: list[float] = field(default_factory=list)  # a page's own answer
    failures: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)
    minutes: dict[int, list[float]] = field(default_factory=dict)  # what was seen in each minute

    def saw(self, sent_at, now):
        """Note that another phone was told of an action."""
        self.seen.append(now - sent_at)
        self.minutes.setdefault(int((now - self.started) / 60), []).append(now - sent_at)


class LiveTable:
    """One table with its phones, and the game as it has to be if the server forgets and doubles nothing."""

    def __init__(self, port, number, phones, measures, *, share=0.1, seating=None):
        self.game, players, self.options = seating or SEATINGS[number % len(SEATINGS)]
        self.players = max(GAMES[self.game].min_players, min(players, phones))
        self.phones = [Phone(port) for _ in range(phones)]
        self.seats = range(min(self.players, phones))
        self.measures = measures
        self.share = share  # of the phones that fetch the new page when they are told of it
        self.rng = random.Random(number)
        self.longest = self.rng.randint(*LENGTHS)
        self.code = ""
        self.journal = None
        self.sent = {}  # version -> (when it was sent, which phones have not been told yet)
        self.told = [""] * phones
        self.tasks = set()

    # Sitting down

    async def set_up(self):
        host = self.phones[0]
        await self._expect(200, host.get(f"/new/{self.game}"))
        fields = {f"option-{key}": value for key, value in self.options.items()}
        fields |= {"player": NAMES[: self.players], "listed": "on"}
        answer = await self._expect(303, host.post(f"/new/{self.game}", fields, live=False))
        self.code = re.search(r"/t/([^/]+)/", answer.headers["location"])[1]
        for number, phone in enumerate(self.phones):
            await self._expect(200, phone.get(f"/t/{self.code}/seats/"))
            if number in self.seats:
                await self._expect(200, phone.post(f"/t/{self.code}/seats/{number}/take", {}))
            await self._expect(200, phone.get(self.page_of(number)))

    def page_of(self, number):
        return f"/t/{self.code}/?" + (f"seat={number}" if number in self.seats else "watch=1")

    async def _expect(self, status, asking):
        answer = await asking
        if answer.status != status:
            raise Refused(f"{self.game}: status {answer.status} instead of {status}: {answer.text[:200]}")
        return answer

    def follow(self):
        """Open the stream of every phone."""
        for number, phone in enumerate(self.phones):
            self._start(phone.follow(self.code, lambda stamp, n=number: self.heard(n, stamp), self.failed))

    async def until_followed(self, patience_s=30.0):
        """Wait until every stream has said something; why one does not is told by the stream itself."""
        end = time.perf_counter() + patience_s
        while not all(self.told) and time.perf_counter() < end:
            await asyncio.sleep(0.02)
        if not all(self.told):
            self.failed(f"{self.told.count('')} phones of {self.code} have no stream")

    # Playing

    async def play(self, start, every, end):
        """Act every so many seconds."""
        for turn in itertools.count():
            planned = start + turn * every
            if planned >= end:
                return
            await asyncio.sleep(max(0, planned - time.perf_counter()))
            self.measures.late += time.perf_counter() - planned > 0.5
            if not await self.act():
                return  # from here on nobody knows what has to be

    async def act(self):
        """Do one thing; return whether it went well."""
        move, after = next_move(self.journal, self.seats, self.rng, self.longest)
        others = set(range(len(self.phones))) - {move.seat}
        fields = {**move.fields, "seat": move.seat, "tap": after.entries[-1].action}
        start = time.perf_counter()
        self.sent[after.version] = (start, others)
        try:
            answer = await self.phones[move.seat].post(f"/t/{self.code}/{move.path}", fields)
            said = json.loads(answer.body)
            if answer.status != 200 or said["version"] != after.version:
                raise Refused(f"{self.game} version {after.version}: {move.body}: {answer.status} {said}")
        except (Refused, ValueError, KeyError) as error:
            self.failed(f"an action was not accepted: {error}")
            self.sent.pop(after.version, None)
            return False
        self.measures.answered.append(time.perf_counter() - start)
        self.measures.acknowledged += 1
        self.journal = after
        # A page that learns of its own action by its answer does not fetch again for the stream.
        self.told[move.seat] = said["stamp"]
        self._look_sometimes(move.seat, said["stamp"], None)
        return True

    def heard(self, number, stamp):
        """Note that a phone was told of a state."""
        now = time.perf_counter()
        if not self.told[number]:
            self.told[number] = stamp
            return
        sent_at = None
        for version in [version for version in self.sent if version <= version_of(stamp)]:
            sent_at, others = self.sent[version]
            if number in others:
                others.discard(number)
                self.measures.saw(sent_at, now)
            if not others:
                del self.sent[version]
        if stamp != self.told[number]:
            self.told[number] = stamp
            self._look_sometimes(number, stamp, sent_at)

    def _look_sometimes(self, number, stamp, sent_at):
        if self.rng.random() < self.share:
            self._start(self._look(number, stamp, sent_at))

    async def _look(self, number, stamp, sent_at):
        start = time.perf_counter()
        try:
            answer = await self._expect(200, self.phones[number].get(self.page_of(number), live=True))
            if version_of(answer.stamp) < version_of(stamp):
                raise Refused(f"{self.game}: the page shows {answer.stamp or 'nothing'} after {stamp}")
        except Refused as error:
            self.failed(f"a page was not shown: {error}")
            return
        end = time.perf_counter()
        self.measures.pages.append(end - start)
        if sent_at is not None:
            self.measures.fresh.append(end - sent_at)

    # Going home

    def failed(self, why):
        self.measures.failures.append(why)

    def _start(self, work):
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def until_seen(self, patience_s=15.0):
        """Wait until every phone knows everything; who then still does not never will."""
        end = time.perf_counter() + patience_s
        while self.sent and time.perf_counter() < end:
            await asyncio.sleep(0.05)
        for version, (_at, others) in self.sent.items():
            self.failed(f"{len(others)} phones of {self.code} never saw version {version}")

    async def close(self):
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for phone in self.phones:
            phone.close()


def version_of(stamp):
    """Return how many entries the log had when a stamp was made."""
    return int(stamp.split(".")[0]) if stamp else -1
