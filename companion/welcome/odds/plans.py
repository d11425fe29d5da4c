"""Where each column (a node with some hit points) goes when a card is met, as index arrays for NumPy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.welcome.monsters import Monster
from companion.welcome.odds.maze import Maze, Piece

Indices = npt.NDArray[np.int64]
Remembered = frozenset[Monster]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The courses of all columns of a group when one card is met.

    Attributes:
        first: for every column, where its first course leads; the last, here and there, is worth nothing.
        others: further courses: of which columns, and where they lead.
        swaps: which columns may swap the card, and to which of the columns that meet a drawn one.
    """

    first: Indices
    others: tuple[tuple[Indices, Indices], ...]
    swaps: tuple[tuple[Indices, Indices], ...]


class Columns:
    """Nodes of a maze in groups that remember the same cards, each with a column for every hit points.

    The column after the last stands for what cannot be.
    """

    def __init__(self, maze: Maze, nodes: Iterable[int]) -> None:
        self.maze = maze
        self.high = maze.kits.most_hp + 1
        self.groups: dict[Remembered, list[int]] = {}
        self._base: dict[int, int] = {}
        self.swapping: dict[Remembered, list[int]] = {}
        for number in nodes:
            group = self.groups.setdefault(maze.nodes[number].turned, [])
            self._base[number] = len(group) * self.high
            group.append(number)
            if number in maze.swaps:
                self.swapping.setdefault(maze.nodes[number].turned, []).append(number)
        self._plans: dict[tuple[object, ...], Plan] = {}

    def count(self, group: Remembered) -> int:
        """Return how many columns a group has."""
        return len(self.groups[group]) * self.high

    def column(self, node: int, hp: int) -> int:
        """Return the column of a node with some hit points."""
        return self._base[node] + hp

    def plan(
        self, group: Remembered, card: Monster, position: int, repeated: bool, kind: Monster | None
    ) -> Plan:
        """Return where all columns of a group go when they meet a card.

        Args:
            repeated: whether one of its kind was turned before.
            kind: what it is; it is repeated too for those who met the shapeshifter as one.
        """
        key = (group, card, position if card is Monster.SHAPESHIFTER else 0, repeated, kind)
        if key not in self._plans:
            self._plans[key] = self._make(group, card, position, repeated, kind)
        return self._plans[key]

    def _make(
        self, group: Remembered, card: Monster, position: int, repeated: bool, kind: Monster | None
    ) -> Plan:
        after = group | ({card} & self.maze.remembered)
        # Plain lists while they grow by a few numbers at a time: so small, arrays would take longer.
        first = [self.count(after)] * (self.count(group) + 1)
        others: list[tuple[list[int], list[int]]] = []
        swaps: list[tuple[Indices, Indices]] = []
        for node in self.groups[group]:
            again = repeated or (kind is not None and self.maze.nodes[node].shape is kind)
            ways = self.maze.ways(node, card, position, repeated=again)
            swaps += [self._swap(node, way.swap, after) for way in ways if way.swap is not None]
            base = self._base[node]
            for place, way in enumerate(way for way in ways if way.swap is None):
                if place > len(others):
                    others.append(([], []))
                for piece in way.pieces:
                    start, stop = base + piece.start, base + piece.start + piece.length
                    if place == 0:
                        first[start:stop] = self._targets(piece)
                    else:
                        others[place - 1][0].extend(range(start, stop))
                        others[place - 1][1].extend(self._targets(piece))
        arrays = tuple((np.array(some), np.array(targets)) for some, targets in others if some)
        return Plan(np.array(first, np.int64), arrays, tuple(swaps))

    def drawn(
        self, group: Remembered, card: Monster, position: int, repeated: bool, kind: Monster | None
    ) -> tuple[Indices, tuple[Indices, ...]]:
        """Return where those who swap go when they draw a card: for each course, a target for every column.

        The columns are those of the group's swapping nodes, one after the other; the arguments as in `plan`.
        """
        nothing = self.count(group)
        courses: list[Indices] = []
        for place, node in enumerate(self.swapping[group]):
            again = repeated or (kind is not None and self.maze.nodes[node].shape is kind)
            ways = self.maze.ways(node, card, position, repeated=again, from_pile=True)
            for number, way in enumerate(ways):
                while len(courses) <= number:
                    courses.append(np.full(len(self.swapping[group]) * self.high, nothing))
                for piece in way.pieces:
                    at = place * self.high + piece.start
                    courses[number][at : at + piece.length] = self._targets(piece)
        empty = np.full(len(self.swapping[group]) * self.high, nothing)
        return (courses[0] if courses else empty), tuple(courses[1:])

    def _targets(self, piece: Piece) -> list[int]:
        end = self._base[piece.node] + piece.end
        return list(range(end, end + piece.length)) if piece.step else [end] * piece.length

    def _swap(self, node: int, swap: int, after: Remembered) -> tuple[Indices, Indices]:
        alive = np.arange(1, self.high)
        return alive + self._base[node], alive + self.swapping[after].index(swap) * self.high
