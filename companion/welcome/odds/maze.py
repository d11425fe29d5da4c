"""Every state a hero can get into apart from hit points, and where each card leads from there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from companion.errors import BadData
from companion.message import say
from companion.welcome.kit import What
from companion.welcome.monsters import Monster, face_of
from companion.welcome.odds.kits import Choice, Kits
from companion.welcome.odds.question import Question

# Tiles that players write could lead to any number of them; those that are printed lead to fewer than 300.
MOST_NODES: Final = 2000


@dataclass(frozen=True, slots=True)
class Node:
    """A kit by its number, what the shapeshifter was if that matters, which remembered cards were turned."""

    kit: int
    shape: Monster | None = None
    turned: frozenset[Monster] = frozenset()


class Piece(NamedTuple):
    """From some hit points in a row to as many in a row, or all to the same, of another node: see `Span`."""

    node: int
    start: int
    length: int
    end: int
    step: int


class Way(NamedTuple):
    """Where one course leads, for each number of hit points from 0, the dead, on.

    Attributes:
        pieces: where none begins, this course cannot be taken.
        swap: the node in which another card is met instead; then there are no pieces.
    """

    pieces: tuple[Piece, ...]
    swap: int | None = None


class Maze:
    """The nodes that can be reached, numbered as they are found; number 0 is where the hero stands."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.kits = Kits(question)
        self.nodes: list[Node] = []
        # Nodes in which a card of the draw pile is met.
        self.swaps: set[int] = set()
        self._numbers: dict[tuple[int, Monster | None, frozenset[Monster]], int] = {}
        self._ways: dict[tuple[int, Monster, int, bool, bool], tuple[Way, ...]] = {}
        start = frozenset(question.turned) & self.remembered
        self.number(self.kits.number(question.kit), question.shape, start)
        self.start = self.nodes[0]

    @cached_property
    def sees_repeats(self) -> bool:
        """Whether a tile looks at what was met before."""
        return self.kits.sees_repeats(self.kits.number(self.question.kit))

    @cached_property
    def remembered(self) -> frozenset[Monster]:
        """Cards of which nodes know whether they were turned, so that the lattice of the others stays small.

        There is one of each, and their effects last.
        """
        lasting = {Monster.CUBE, Monster.ALLY} | ({Monster.SHAPESHIFTER} if self.sees_repeats else set())
        return frozenset(lasting)

    def number(self, kit: int, shape: Monster | None, turned: frozenset[Monster]) -> int:
        """Return the number of a node, a new one if it was not met before.

        Raises:
            BadData: there are too many.
        """
        if shape is not None and not self.kits.sees_repeats(kit):
            shape = None
        key = (kit, shape, turned)
        if key not in self._numbers:
            if len(self.nodes) == MOST_NODES:
                raise BadData(say("These tiles are too complicated for the odds."))
            self._numbers[key] = len(self.nodes)
            self.nodes.append(Node(*key))
        return self._numbers[key]

    def wins_fallen(self, node: int) -> bool:
        """Whether a hero who fell with this kit may still win by the cards."""
        tiles = self.kits.kits[self.nodes[node].kit].tiles
        return any(self.kits.tiles[tile].wins_if_all_differ for tile in tiles)

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

    def reached_from(self, nodes: Collection[int]) -> set[int]:
        """Return the nodes that any cards lead to from some nodes, which are among them."""
        nexts: dict[int, set[int]] = {}
        for (node, *_), ways in self._ways.items():
            nexts.setdefault(node, set()).update(piece.node for way in ways for piece in way.pieces)
        reached, waiting = set(nodes), list(nodes)
        while waiting:
            new = nexts.get(waiting.pop(), set()) - reached
            reached |= new
            waiting += new
        return reached

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
            way
            for node in range(len(self.nodes))
            for from_pile in ((False, True) if drawn else (False,))
            for way in self.ways(node, card, 1, from_pile=from_pile)
        )

    def facing(self) -> dict[Choice, tuple[int, int, bool]]:
        """Return where each choice about the waiting card leads: node, hit points, whether a swap follows."""
        question, start = self.question, self.start
        assert question.facing is not None
        left, position = len(question.kit.tiles), len(question.turned)
        face = face_of(question.facing, position=position, tiles_left=left, successes=question.successes)
        found: dict[Choice, tuple[int, int, bool]] = {}
        for course in self.kits.courses(question.kit, face, hp=question.hp, repeated=question.repeated):
            swaps = course.what is What.SWAPPED
            kit, hp = (
                (self.kits.number(course.kit), question.hp) if swaps else self.kits.after(course, question.hp)
            )
            node = self.number(kit, start.shape, start.turned)
            self.swaps |= {node} if swaps else set()
            found[course.what, course.tile, course.other] = (node, hp, swaps)
        return found

    def _find_ways(
        self, number: int, card: Monster, position: int, repeated: bool, from_pile: bool
    ) -> tuple[Way, ...]:
        here = self.nodes[number]
        if card in here.turned:
            return ()
        shape, turned = (here.shape, here.turned) if from_pile else self._with_turned(here, card, position)
        left = len(self.kits.kits[here.kit].tiles)
        face = face_of(card, position=position, tiles_left=left, successes=self.question.successes)
        fallen = Piece(self.number(self.kits.fallen(self.kits.kits[here.kit]), shape, turned), 0, 1, 0, 1)
        # Those who fell and cannot win any more go nowhere.
        dead = (fallen,) if self.wins_fallen(fallen.node) else ()
        ways: list[Way] = []
        for result in self.kits.results(here.kit, face, repeated=repeated):
            if result.swap is None:
                pieces = [Piece(self.number(kit, shape, turned), *span) for kit, *span in result.spans]
                ways.append(Way((*dead, *pieces)))
            elif not from_pile:
                swap = self.number(result.swap, shape, turned)
                self.swaps.add(swap)
                ways.append(Way((), swap))
        return tuple(ways)

    def _with_turned(
        self, node: Node, card: Monster, position: int
    ) -> tuple[Monster | None, frozenset[Monster]]:
        if card not in self.remembered:
            return node.shape, node.turned
        shape = node.shape
        if card is Monster.SHAPESHIFTER:
            shape = face_of(card, position=position, tiles_left=0, successes=0).kind
        return shape, node.turned | {card}
