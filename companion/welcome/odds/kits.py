"""What can become of a kit when a monster is met, for all hit points at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

from companion.welcome.kit import Course, Kit, What, courses, revived
from companion.welcome.monsters import Face, Monster, deck, face_of
from companion.welcome.odds.question import Question
from companion.welcome.tiles import Revival, Tile

# Stands for all tiles that do nothing in the dungeon any more.
FODDER: Final = "fodder"
# Stands for all tiles of those who fell, but for tiles that may win all the same.
FALLEN: Final = "fallen"

Choice = tuple[What, str | None, str | None]


class Span(NamedTuple):
    """From some hit points in a row, beginning at *start*, to as many in a row with another kit.

    With a *step* of 0 instead of 1, all lead to the same.
    """

    kit: int
    start: int
    length: int
    end: int
    step: int


@dataclass(frozen=True, slots=True)
class Result:
    """Where one course leads, for each number of hit points from 1 on.

    Attributes:
        spans: where none begins, this course cannot be taken.
        swap: the kit with which another card is met instead; then there are no spans.
    """

    spans: tuple[Span, ...]
    swap: int | None = None


class Kits:
    """The kits of one question, numbered as they are found, and what each monster makes of them."""

    def __init__(self, question: Question) -> None:
        self.question = question
        stand_ins = {name: Tile(name, name, name) for name in (FODDER, FALLEN)}
        self.tiles = {**{tile.id: tile for tile in question.tiles}, **stand_ins}
        self.kits: list[Kit] = []
        self._named = dict(question.named)
        self._numbers: dict[Kit, int] = {}
        self._fallen: dict[Kit, int] = {}
        self._results: dict[tuple[int, Face, bool], tuple[Result, ...]] = {}

    def number(self, kit: Kit) -> int:
        """Return the number of a kit; those that differ only in tiles that do nothing are the same."""
        if kit not in self._numbers:
            active = tuple(tile for tile in kit.tiles if self.tiles[tile].is_active)
            left = (*active, *(FODDER,) * (len(kit.tiles) - len(active)))
            plain = replace(kit, tiles=left, calm=min(kit.calm, self.most_calm))
            if plain not in self._numbers:
                self._numbers[plain] = len(self.kits)
                self.kits.append(plain)
            self._numbers[kit] = self._numbers[plain]
        return self._numbers[kit]

    def fallen(self, kit: Kit) -> int:
        """Return the number of what is left to those who fell with a kit."""
        if kit not in self._fallen:
            winning = (tile for tile in kit.tiles if self.tiles[tile].wins_if_all_differ)
            plain = Kit((FALLEN, *winning))
            if plain not in self._numbers:
                self._numbers[plain] = len(self.kits)
                self.kits.append(plain)
            self._fallen[kit] = self._numbers[plain]
        return self._fallen[kit]

    def sees_repeats(self, kit: int) -> bool:
        """Whether a tile of this kit looks at what was met before."""
        matches = (self.tiles[tile].ignores for tile in self.kits[kit].tiles)
        return any(match is not None and match.repeats for match in matches)

    def courses(self, kit: Kit, face: Face, *, hp: int, repeated: bool) -> tuple[Course, ...]:
        """Return every way in which meeting a monster can go."""
        pile = self.question.can_swap
        return courses(kit, face, self.tiles, self._named, hp=hp, repeated=repeated, pile=pile)

    def results(self, kit: int, face: Face, *, repeated: bool) -> tuple[Result, ...]:
        """Return where meeting a monster leads, one result for each course."""
        key = (kit, face, repeated)
        if key not in self._results:
            self._results[key] = tuple(self._find_results(self.kits[kit], face, repeated))
        return self._results[key]

    def _find_results(self, kit: Kit, face: Face, repeated: bool) -> Iterator[Result]:
        """Put the courses of every stretch of hit points together in which the tiles behave alike."""
        if FALLEN in kit.tiles:
            yield Result(())
            return
        cuts = {hp for tile in kit.tiles for hp in self.tiles[tile].thresholds() if 1 < hp <= self.most_hp}
        lows = sorted({1, *cuts})
        found: dict[Choice, list[Span]] = {}
        swaps: dict[Choice, int] = {}
        for low, high in zip(lows, [*(low - 1 for low in lows[1:]), self.most_hp], strict=True):
            for course in self._sensible(kit, self.courses(kit, face, hp=low, repeated=repeated)):
                key = (course.what, course.tile, course.other)
                if course.what is What.SWAPPED:
                    swaps[key] = self.number(course.kit)
                else:
                    found.setdefault(key, []).extend(self._spans(course, low, high))
        for spans in found.values():
            yield Result(_joined(spans))
        for swap in swaps.values():
            yield Result((), swap)

    def _spans(self, course: Course, low: int, high: int) -> Iterator[Span]:
        """Return where a stretch of hit points leads; none for those who fall for good."""
        change, kit = course.change, self.number(course.kit)
        standing = max(low, 1 - change)
        for hp in range(low, min(standing, high + 1)) if self._may_come_back(course.kit) else ():
            target, there = self.after(course, hp)
            yield Span(target, hp, 1, there, 1)
        highest = min(high, self.most_hp - change)
        if standing <= highest:
            yield Span(kit, standing, highest + 1 - standing, standing + change, 1)
        over = max(highest + 1, standing)
        if over <= high:
            yield Span(kit, over, high + 1 - over, self.most_hp, 0)

    def after(self, course: Course, hp: int) -> tuple[int, int]:
        """Return kit and hit points after a course; 0 for those who fell."""
        left = min(hp + course.change, self.most_hp)
        if left > 0:
            return self.number(course.kit), left
        back = revived(course.kit, hp, self.question.hero_hp, self.tiles)
        return (self.fallen(course.kit), 0) if back is None else (self.number(back[0]), back[1])

    def _may_come_back(self, kit: Kit) -> bool:
        """Whether a tile brings back those who fall, or lets them win all the same."""
        tiles = (self.tiles[tile] for tile in kit.tiles)
        return any(tile.revives or tile.wins_if_all_differ for tile in tiles)

    def _sensible(self, kit: Kit, ways: tuple[Course, ...]) -> tuple[Course, ...]:
        """Leave out courses that discard a tile which may help where one that does nothing can go instead."""
        lost = [course.tile if course.what is What.LOST else course.other for course in ways]
        if FODDER not in lost:
            return ways
        return tuple(c for c, tile in zip(ways, lost, strict=True) if not self._only_helps(kit, tile))

    def _only_helps(self, kit: Kit, tile: str | None) -> bool:
        """Whether to have a tile is never worse than one that does nothing in its place."""
        if tile is None or tile == FODDER:
            return False
        return self._tiles_only_help or (self.tiles[tile].is_optional and tile not in kit.streak)

    @cached_property
    def _tiles_only_help(self) -> bool:
        """Whether having a tile is never worse than not.

        It can be worse for those who live on monsters or keep their ally away, and where fewer hit points are
        better: for tiles that work below some number of them, or that bring back with one less than before
        the last blow.
        """
        tiles = self.tiles.values()
        odd = Monster.ALLY in self._named.values() or any(
            tile.thresholds() or tile.revives is Revival.ONE_LESS for tile in tiles
        )
        return not odd and not (any(tile.heals for tile in tiles) and any(tile.next_too for tile in tiles))

    @cached_property
    def most_calm(self) -> int:
        """Later damage cannot be lowered by more than this."""
        return sum(
            tile.calms * count
            for tile in self.tiles.values()
            for card, count in deck(self.question.cards.specials).items()
            if tile.calms and any(self._fits(tile, face) for face in self._faces(card))
        )

    @cached_property
    def most_hp(self) -> int:
        """More hit points than this cannot be had."""
        question = self.question
        most = max(question.hp, question.hero_hp)
        healing = [tile for tile in self.tiles.values() if tile.heals]
        for card, count in deck(question.cards.specials).items() if healing else ():
            most += count * sum(self._healed(card, tile) for tile in healing)
        return most

    def _healed(self, card: Monster, tile: Tile) -> int:
        """Return the most hit points that a tile can bring when it ignores a card."""
        return max((face.strength or 0 for face in self._faces(card) if self._fits(tile, face)), default=0)

    def _faces(self, card: Monster) -> set[Face]:
        return {
            face_of(card, position=position, tiles_left=left, successes=self.question.successes)
            for position in range(1, self.question.size + 1)
            for left in range(len(self.question.kit.tiles) + 1)
        }

    def _fits(self, tile: Tile, face: Face) -> bool:
        if tile.names:
            return self._named.get(tile.id) is face.kind
        return tile.ignores is not None and tile.ignores.fits(face, hp=0, repeated=True)


def _joined(spans: list[Span]) -> tuple[Span, ...]:
    """Put spans together that go on one after the other, in hit points here and there."""
    joined = spans[:1]
    for span in spans[1:]:
        last = joined[-1]
        goes_on = (last.start + last.length, last.end + last.length) == (span.start, span.end)
        if span.kit == last.kit and last.step == span.step == 1 and goes_on:
            joined[-1] = Span(span.kit, last.start, last.length + span.length, last.end, 1)
        else:
            joined.append(span)
    return tuple(joined)
