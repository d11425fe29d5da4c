"""Every state a kit can get into, and where each monster leads from there, for all hit points at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from companion.errors import BadData
from companion.message import say
from companion.welcome.kit import Course, Kit, What, courses, revived
from companion.welcome.monsters import Face, Monster, deck, face_of
from companion.welcome.odds.question import Question
from companion.welcome.tiles import Revival, Tile

# Stands for all tiles that do nothing in the dungeon any more.
FODDER: Final = "fodder"
# Tiles that players write could lead to any number of kits; those that are printed lead to fewer than 300.
MOST_NODES: Final = 2000

Choice = tuple[What, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Node:
    """A kit, what the shapeshifter was if that matters, and which of the remembered cards were turned."""

    kit: Kit
    shape: Monster | None = None
    turned: frozenset[Monster] = frozenset()


@dataclass(frozen=True, slots=True)
class Piece:
    """From some hit points in a row to as many in a row (or all to the same) of another node."""

    node: int
    start: slice
    end: slice


@dataclass(frozen=True, slots=True)
class Way:
    """Where one course leads, for each number of hit points from 0, the dead, on.

    Attributes:
        pieces: where no piece begins, this course cannot be taken.
        swap: the node in which another card is met instead; then there are no pieces.
    """

    pieces: tuple[Piece, ...]
    swap: int | None = None

    @property
    def signature(self) -> tuple[object, ...]:
        """What tells two ways apart."""
        return self.swap, *(
            (p.node, p.start.start, p.start.stop, p.end.start, p.end.stop) for p in self.pieces
        )


class Maze:
    """The nodes that can be reached, numbered as they are found; number 0 is where the hero stands."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.tiles = {**{tile.id: tile for tile in question.tiles}, FODDER: Tile(FODDER, FODDER, FODDER)}
        self.named = dict(question.named)
        self.nodes: list[Node] = []
        # Nodes in which a card of the draw pile is met.
        self.swaps: set[int] = set()
        self._numbers: dict[Node, int] = {}
        self._known_courses: dict[tuple[Kit, Face, bool], list[tuple[int, int, tuple[Course, ...]]]] = {}
        self._ways: dict[tuple[int, Monster, int, bool, bool], tuple[Way, ...]] = {}
        self.start = Node(
            self._plain(question.kit),
            question.shape,
            frozenset(question.turned) & self.remembered,
        )
        self.number(self.start)

    @cached_property
    def sees_repeats(self) -> bool:
        """Whether a tile looks at what was met before."""
        return self._sees_repeats(self.question.kit)

    def _sees_repeats(self, kit: Kit) -> bool:
        return any((match := self.tiles[tile].ignores) is not None and match.repeats for tile in kit.tiles)

    @cached_property
    def tiles_only_help(self) -> bool:
        """Whether having a tile is never worse than not.

        It can be worse for those who live on monsters, and where fewer hit points are better: for tiles that
        work below some number of them, or that bring back with one less than before the last blow.
        """
        tiles = self.tiles.values()
        odd = any(tile.thresholds() or tile.revives is Revival.ONE_LESS for tile in tiles)
        return not odd and not (any(tile.heals for tile in tiles) and any(tile.next_too for tile in tiles))

    @cached_property
    def remembered(self) -> frozenset[Monster]:
        """Cards of which nodes know whether they were turned, so that the lattice of the others stays small.

        There is one of each, and their effects last.
        """
        lasting = {Monster.CUBE, Monster.ALLY} | ({Monster.SHAPESHIFTER} if self.sees_repeats else set())
        return frozenset(lasting)

    @cached_property
    def most_calm(self) -> int:
        """Later damage cannot be lowered by more than this."""
        calming = [tile for tile in self.tiles.values() if tile.calms]
        cards = deck(self.question.cards.specials)
        return sum(
            tile.calms * count
            for tile in calming
            for card, count in cards.items()
            if any(self._fits(tile, face) for face in self._faces(card))
        )

    @cached_property
    def most_hp(self) -> int:
        """More hit points than this cannot be had."""
        question = self.question
        most = max(question.hp, question.hero_hp)
        healing = [tile for tile in self.tiles.values() if tile.heals]
        for card, count in deck(question.cards.specials).items() if healing else ():
            most += count * max(self._healed(card, tile) for tile in healing)
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
            return self.named.get(tile.id) is face.kind
        return tile.ignores is not None and tile.ignores.fits(face, hp=0, repeated=True)

    def number(self, node: Node) -> int:
        """Return the number of a node, a new one if it was not met before."""
        if node.shape is not None and not self._sees_repeats(node.kit):
            node = replace(node, shape=None)
        if node not in self._numbers:
            if len(self.nodes) == MOST_NODES:
                raise BadData(say("These tiles are too complicated for the odds."))
            self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self._numbers[node]

    def wins_fallen(self, node: int) -> bool:
        """Whether a hero who fell with this kit may still win by the cards."""
        return any(self.tiles[tile].wins_if_all_differ for tile in self.nodes[node].kit.tiles)

    def explore(self, cards: Collection[Monster], drawn: Collection[Monster], positions: range) -> None:
        """Find all nodes that cards of the dungeon, and those drawn for a swap, can lead to."""
        done = 0
        swapped: set[int] = set()
        while done < len(self.nodes):
            for card in cards:
                self._look(done, card, positions, from_pile=False)
            for node in self.swaps - swapped:
                for card in drawn:
                    self._look(node, card, positions, from_pile=True)
            swapped |= self.swaps
            done += 1

    def _look(self, node: int, card: Monster, positions: range, *, from_pile: bool) -> None:
        for position in positions if card is Monster.SHAPESHIFTER else positions[:1]:
            for repeated in (False, True) if self.sees_repeats else (False,):
                self.ways(node, card, position, repeated=repeated, from_pile=from_pile)

    def ways(
        self, node: int, card: Monster, position: int, *, repeated: bool = False, from_pile: bool = False
    ) -> tuple[Way, ...]:
        """Return where meeting a card leads from a node, a way for each course; none if it was turned."""
        key = (node, card, position if card is Monster.SHAPESHIFTER else 0, repeated, from_pile)
        if key not in self._ways:
            self._ways[key] = self._find_ways(node, card, position, repeated, from_pile)
        return self._ways[key]

    def chooses(self) -> bool:
        """Whether there is anything to choose anywhere."""
        return any(len(ways) > 1 for ways in self._ways.values()) or bool(self.swaps)

    def signature(self, card: Monster, *, drawn: bool) -> tuple[object, ...]:
        """Return where a card leads from everywhere, to compare it with others; not for the shapeshifter."""
        return tuple(
            way.signature
            for node in range(len(self.nodes))
            for from_pile in ((False, True) if drawn else (False,))
            for way in self.ways(node, card, 1, from_pile=from_pile)
        )

    def facing(self) -> dict[Choice, tuple[int, int, bool]]:
        """Return where each choice about the waiting card leads: node, hit points, whether a swap follows."""
        question = self.question
        assert question.facing is not None
        found: dict[Choice, tuple[int, int, bool]] = {}
        position = len(question.turned)
        for course in self._courses(question.kit, question.facing, position, question.repeated, question.hp):
            node = replace(self.start, kit=self._plain(course.kit))
            key = (course.what, course.tile, course.other)
            if course.what is What.SWAPPED:
                self.swaps.add(self.number(node))
                found[key] = (self.number(node), question.hp, True)
            else:
                found[key] = (*self._after(course.change, node, question.hp), False)
        return found

    def _courses(self, kit: Kit, card: Monster, position: int, repeated: bool, hp: int) -> tuple[Course, ...]:
        left = len(kit.tiles)
        face = face_of(card, position=position, tiles_left=left, successes=self.question.successes)
        pile = self.question.can_swap
        return courses(kit, face, self.tiles, self.named, hp=hp, repeated=repeated, pile=pile)

    def _find_ways(
        self, number: int, card: Monster, position: int, repeated: bool, from_pile: bool
    ) -> tuple[Way, ...]:
        """Put the courses of every stretch of hit points together."""
        here = self.nodes[number]
        if card in here.turned:
            return ()
        there = here if from_pile else self._with_turned(here, card, position)
        found: dict[Choice, list[Piece]] = {}
        swaps: dict[Choice, int] = {}
        dead = Piece(self.number(replace(there, kit=here.kit)), slice(0, 1), slice(0, 1))
        for low, high, ways in self._stretches(here.kit, card, position, repeated):
            for course in ways:
                key = (course.what, course.tile, course.other)
                node = replace(there, kit=course.kit)
                if course.what is not What.SWAPPED:
                    pieces = found.setdefault(key, [dead])
                    pieces += self._pieces(course.change, node, low, high)
                elif not from_pile:
                    swaps[key] = self.number(node)
                    self.swaps.add(self.number(node))
        swapping = (Way((), swap) for swap in swaps.values())
        return (*(Way(_joined(pieces)) for pieces in found.values()), *swapping)

    def _stretches(
        self, kit: Kit, card: Monster, position: int, repeated: bool
    ) -> list[tuple[int, int, tuple[Course, ...]]]:
        """Return the courses for every stretch of hit points in which the tiles behave alike."""
        face = face_of(card, position=position, tiles_left=len(kit.tiles), successes=self.question.successes)
        key = (kit, face, repeated)
        if key not in self._known_courses:
            cuts = {hp for tile in kit.tiles for hp in self.tiles[tile].thresholds()}
            lows = sorted({1} | {hp for hp in cuts if 1 < hp <= self.most_hp})
            highs = [*(low - 1 for low in lows[1:]), self.most_hp]
            self._known_courses[key] = [
                (low, high, self._plain_courses(self._courses(kit, card, position, repeated, low)))
                for low, high in zip(lows, highs, strict=True)
            ]
        return self._known_courses[key]

    def _plain_courses(self, ways: tuple[Course, ...]) -> tuple[Course, ...]:
        return tuple(replace(course, kit=self._plain(course.kit)) for course in self._sensible(ways))

    def _sensible(self, ways: tuple[Course, ...]) -> tuple[Course, ...]:
        """Leave out courses that discard a tile which may help where one that does nothing can go instead."""
        if not self.tiles_only_help:
            return ways
        lost = [course.tile if course.what is What.LOST else course.other for course in ways]
        spare = FODDER in lost
        return tuple(c for c, tile in zip(ways, lost, strict=True) if not spare or tile in (FODDER, None))

    def _with_turned(self, node: Node, card: Monster, position: int) -> Node:
        if card not in self.remembered:
            return node
        shape = node.shape
        if card is Monster.SHAPESHIFTER:
            shape = face_of(card, position=position, tiles_left=0, successes=0).kind
        return replace(node, turned=node.turned | {card}, shape=shape)

    def _pieces(self, change: int, node: Node, low: int, high: int) -> Iterator[Piece]:
        """Return where a stretch of hit points leads; those who fall may be brought back one by one."""
        standing = max(low, 1 - change)
        for hp in range(low, min(standing, high + 1)):
            target, there = self._after(change, node, hp)
            yield Piece(target, slice(hp, hp + 1), slice(there, there + 1))
        highest = min(high, self.most_hp - change)
        if standing <= highest:
            end = slice(standing + change, highest + change + 1)
            yield Piece(self.number(node), slice(standing, highest + 1), end)
        if highest < high:
            yield Piece(
                self.number(node), slice(highest + 1, high + 1), slice(self.most_hp, self.most_hp + 1)
            )

    def _after(self, change: int, node: Node, hp: int) -> tuple[int, int]:
        left = min(hp + change, self.most_hp)
        if left > 0:
            return self.number(node), left
        back = revived(node.kit, hp, self.question.hero_hp, self.tiles)
        if back is None:
            return self.number(node), 0
        return self.number(replace(node, kit=self._plain(back[0]))), back[1]

    def _plain(self, kit: Kit) -> Kit:
        """Return the kit with tiles that do nothing made alike: it does not matter which of them is lost."""
        active = [tile for tile in kit.tiles if self.tiles[tile].is_active]
        left = (*active, *(FODDER,) * (len(kit.tiles) - len(active)))
        return replace(kit, tiles=left, calm=min(kit.calm, self.most_calm))


def _joined(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Put pieces together that go on one after the other, in hit points here and there."""
    joined = [pieces[0]]
    for piece in pieces[1:]:
        last = joined[-1]
        in_step = last.start.stop - last.start.start == last.end.stop - last.end.start
        goes_on = (last.start.stop, last.end.stop) == (piece.start.start, piece.end.start)
        if piece.node == last.node and in_step and goes_on:
            start = slice(last.start.start, piece.start.stop)
            joined[-1] = Piece(piece.node, start, slice(last.end.start, piece.end.stop))
        else:
            joined.append(piece)
    return tuple(joined)
