"""The entries of a game's log, packed: an evening of fifty tables must fit into a small computer's memory."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.codec import encode

# So many entries are packed together, and at most twice as many stay as they are: what was just done is asked
# for again and again, what is older only when somebody saves the game or it ends.
PACKED_TOGETHER: Final = 64


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log, as it is stored and exported."""

    seq: int
    by: int
    at: str
    action: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """Entries in their order; never changed, only followed by a longer one."""

    packs: tuple[bytes, ...] = ()
    recent: tuple[Entry, ...] = ()

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Trail:
        """Return a trail of these entries."""
        trail = cls()
        for entry in entries:
            trail = trail.followed_by(entry)
        return trail

    def followed_by(self, entry: Entry) -> Trail:
        """Return the trail with one entry more."""
        recent = (*self.recent, entry)
        if len(recent) < 2 * PACKED_TOGETHER:
            return Trail(self.packs, recent)
        old, recent = recent[:PACKED_TOGETHER], recent[PACKED_TOGETHER:]
        return Trail((*self.packs, _packed(old)), recent)

    def since(self, seen: int) -> tuple[Entry, ...]:
        """Return all but the first *seen* entries."""
        before = len(self) - len(self.recent)
        if seen >= before:
            return self.recent[seen - before :]
        return tuple(self)[seen:]

    def __len__(self) -> int:
        return len(self.packs) * PACKED_TOGETHER + len(self.recent)

    def __iter__(self) -> Iterator[Entry]:
        for pack in self.packs:
            yield from _unpacked(pack)
        yield from self.recent

    def __getitem__(self, place: int) -> Entry:
        return self.since(place)[0] if place >= 0 else self.since(len(self) + place)[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trail) and len(self) == len(other) and tuple(self) == tuple(other)


def _packed(entries: tuple[Entry, ...]) -> bytes:
    rows = [(entry.seq, entry.by, entry.at, entry.action, encode(entry.body)) for entry in entries]
    return zlib.compress(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode())


def _unpacked(pack: bytes) -> Iterator[Entry]:
    for seq, by, at, action, body in json.loads(zlib.decompress(pack)):
        yield Entry(seq, by, at, action, body)
