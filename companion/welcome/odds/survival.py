"""The probability to survive with best play, by going backwards through all that can be turned.

For every point of the lattice, every node (a kit) and every number of hit points: the best that can be done,
weighed by the hands of cards that agree with what was turned. Choices see only that, never what comes next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import prod
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.errors import BadData
from companion.message import say
from companion.welcome.monsters import Monster, face_of
from companion.welcome.odds.kits import Choice
from companion.welcome.odds.lattice import Floats, Layer, build_lattice
from companion.welcome.odds.maze import Maze
from companion.welcome.odds.plans import Columns, Plan
from companion.welcome.odds.question import Question

# By the cards a group of nodes remembers: (points of a layer, columns and one for "none"); with a third axis
# for cards that may have been swapped in.
Values = dict[frozenset[Monster], Floats]
Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
# Some seconds of work: what tiles that players write could ask for. Printed ones need less than a tenth.
MOST_VALUES: Final = 100_000_000


@dataclass(frozen=True, slots=True)
class Prospects:
    """How likely it is to survive.

    Attributes:
        survive: with best play from here.
        choices: what each choice about the waiting monster leads to, by what is done, tile and other tile.
    """

    survive: float
    choices: Mapping[Choice, float]


@lru_cache(maxsize=2048)
def prospects(question: Question) -> Prospects:
    """Return how likely a hero survives who has named what there is to name.

    Raises:
        BadData: there are not so many cards.
    """
    return _Search(question).result()


class _Search:
    """One question's way through the dungeon, from its end to now."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.pool, self.known = question.cards.pool(), Counter(question.cards.known)
        self.turned = turned = Counter(question.turned)
        in_all = {card: count for card in self.pool if (count := self.known[card] + self.pool[card])}
        self.maze = Maze(question)
        self.facing = {} if question.facing is None else self.maze.facing()
        positions = range(max(1, len(question.turned)), question.size + 1)
        drawn = [card for card, count in self.pool.items() if count] if question.can_swap else []
        left = [card for card, count in in_all.items() if count > turned[card]]
        self.maze.explore(left, drawn, positions)
        self.classes = self._classes(
            {c: n for c, n in in_all.items() if c not in self.maze.remembered}, drawn
        )
        # What was turned and is surely one of the known, or of the unknown, cards has left the lattice.
        self.gone = [sum(self._settled(card) for card in alike) for alike in self.classes]
        known = [sum(self._still_known(card) for card in alike) for alike in self.classes]
        pool = [sum(self._still_in_pool(card) for card in alike) for alike in self.classes]
        here = [
            sum(turned[c] for c in alike) - gone for alike, gone in zip(self.classes, self.gone, strict=True)
        ]
        self.lattice = build_lattice(known, pool, here, question.size - sum(self.gone))
        self.columns = Columns(self.maze, range(len(self.maze.nodes)))
        self.after_swap = Columns(self.maze, sorted(self.maze.reached_from(self.maze.swaps)))
        self.scratch = _Scratch()
        points = sum(len(layer.counts) for layer in self.lattice.layers)
        if points * len(self.maze.nodes) * self.columns.high > MOST_VALUES:
            raise BadData(say("These tiles are too complicated for the odds."))
        self.remembered = [card for card in in_all if card in self.maze.remembered]
        free = sum(self.pool.values()) - question.cards.unknown
        # What may be drawn for a swap: one card for all that are alike, and how likely it is.
        shares = [(alike[0], count) for alike, count in zip(self.classes, pool, strict=True)]
        shares += [(card, self.pool[card]) for card in self.remembered]
        self.drawn = [(card, count / free) for card, count in shares if count and drawn]

    def _settled(self, card: Monster) -> int:
        """Return how many turned cards are surely known or surely not; with both, nobody can tell."""
        return 0 if self.known[card] and self.pool[card] else self.turned[card]

    def _still_known(self, card: Monster) -> int:
        return self.known[card] - (self._settled(card) if self.known[card] else 0)

    def _still_in_pool(self, card: Monster) -> int:
        return self.pool[card] - (self._settled(card) if not self.known[card] else 0)

    def _classes(self, in_all: Mapping[Monster, int], drawn: list[Monster]) -> list[list[Monster]]:
        """Put cards together that lead the same way from everywhere: nobody needs to tell them apart.

        Where there is something to choose, it matters too how many of the unknown cards are left: cards that
        are known to be there stay apart from those that are not, and a kind with both stays alone.
        """
        if self.maze.sees_repeats:
            return [[card] for card in in_all]
        differ = any(self.maze.wins_fallen(node) for node in range(len(self.maze.nodes)))
        chooses = self.maze.chooses()
        alike: dict[object, list[Monster]] = {}
        for card, count in in_all.items():
            both = bool(self.known[card]) and bool(self.pool[card])
            mixed = both and (chooses or self.turned[card] > 0)
            if count == self.turned[card]:
                mixed = True  # it leads nowhere any more
            key: object = card
            if card is not Monster.SHAPESHIFTER and not mixed and not (differ and count > 1):
                key = (chooses and bool(self.known[card]), self.maze.signature(card, drawn=bool(drawn)))
            alike.setdefault(key, []).append(card)
        return list(alike.values())

    def result(self) -> Prospects:
        """Go back to where the hero stands."""
        first = len(self.question.turned)
        plain, swapped = self._ended(), self._ended_after_swap()
        for turned in range(self.question.size - 1, first - 1, -1):
            drawn = self._drawn(turned + 1, swapped)
            plain = self._before(self.columns, turned, plain, drawn)
            swapped = self._before(self.after_swap, turned, swapped, {})
        whole, here = self._hands(), self.maze.start.turned
        if whole <= 0:
            raise BadData(say("The cards that are known do not fit together."))
        if self.question.facing is None:
            hp = 0 if self.question.fallen else self.question.hp
            return Prospects(float(plain[here][0, self.columns.column(0, hp)]) / whole, {})
        drawn = self._drawn(first, swapped)
        choices = {}
        for choice, (node, hp, swaps) in self.facing.items():
            if swaps:
                place = self.columns.swapping[here].index(node) * self.columns.high + hp
                choices[choice] = float(drawn[here][0, place]) / whole
            else:
                choices[choice] = float(plain[here][0, self.columns.column(node, hp)]) / whole
        return Prospects(max(choices.values()), choices)

    def _layer(self, remembered: frozenset[Monster], turned: int) -> Layer | None:
        """Return the points there are when so many cards are turned, some of which are not in the lattice."""
        start = len(self.question.turned) - len(self.maze.start.turned)
        index = turned - len(remembered) - start
        return self.lattice.layers[index] if index >= 0 else None

    def _weights(self, remembered: frozenset[Monster], without: Monster | None = None) -> Floats:
        """Return how many hands each whole dungeon stands for that has these of the remembered cards."""
        layer = self._layer(remembered, self.question.size)
        place = next((i for i, alike in enumerate(self.classes) if without in alike), None)
        fits = all(
            self.known[card] or (self.pool[card] and card is not without)
            if card in remembered
            else not self.known[card]
            for card in self.remembered
        )
        if layer is None or not fits:
            return np.zeros(0 if layer is None else len(layer.counts))
        return self.lattice.weights(layer, place)

    def _hands(self) -> float:
        """Return the weight of all hands that agree with what was turned: what certain survival is worth."""
        start, size = self.maze.start.turned, self.question.size
        new = [card for card in self.remembered if card not in start]
        sets = [start | set(some) for count in range(len(new) + 1) for some in combinations(new, count)]
        hands = {some: self._weights(some) for some in sets}
        for turned in range(size - 1, len(self.question.turned) - 1, -1):
            earlier = {}
            for some in sets:
                layer = self._layer(some, turned)
                if layer is None:
                    earlier[some] = np.zeros(0)
                    continue
                total = np.zeros(len(layer.counts))
                for points, to in layer.steps:
                    total[points] += hands[some][to]
                total = total + sum(hands[some | {card}] for card in new if card not in some)
                earlier[some] = total / (size - turned)
            hands = earlier
        return float(hands[start][0])

    def _ended(self) -> Values:
        """Return the values of the whole dungeon."""
        groups = self.columns.groups
        return {group: self._wins(self.columns, group) * self._weights(group)[:, None] for group in groups}

    def _ended_after_swap(self) -> Values:
        """Return the same for those who swapped, by the card that was drawn."""
        ended: Values = {}
        for group in self.after_swap.groups if self.drawn else ():
            weights = np.stack([self._weights(group, card) for card, _ in self.drawn], axis=1)
            ended[group] = self._wins(self.after_swap, group)[:, :, None] * weights[:, None]
        return ended

    def _wins(self, columns: Columns, group: frozenset[Monster]) -> Floats:
        """Return 1 for those who stand at the end of a dungeon, or may win without, and 0 for the others."""
        layer = self._layer(group, self.question.size)
        differ = self._all_differ(layer) if layer is not None else np.zeros(0)
        wins = np.ones((len(differ), columns.count(group) + 1))
        for node in columns.groups[group]:
            wins[:, columns.column(node, 0)] = differ if self.maze.wins_fallen(node) else 0
        wins[:, -1] = 0
        return wins

    def _all_differ(self, layer: Layer) -> Floats:
        differ = np.ones(len(layer.counts))
        for place, alike in enumerate(self.classes):
            if len(alike) == 1:
                differ *= layer.counts[:, place] + self.gone[place] <= 1
        return differ

    def _before(self, columns: Columns, turned: int, values: Values, drawn: Values) -> Values:
        """Return all values when one card less is turned.

        Args:
            drawn: what meeting a card of the draw pile is worth, if swapping is possible.
        """
        before: Values = {}
        for group in values:
            layer = self._layer(group, turned)
            shape = values[group].shape[1:]
            if layer is None:
                before[group] = np.zeros((0, *shape))
                continue
            # Every other layer is kept in the same place.
            total = self.scratch.zeros((columns, group, turned % 2), (len(layer.counts), *shape))
            for card, points, to in self._nexts(group, layer):
                after = group | ({card} & self.maze.remembered)
                kind = self._kind(card, turned + 1) if self.maze.sees_repeats else None
                for repeated, some in _split(self._met(kind, layer)[points]):
                    plan = columns.plan(group, card, turned + 1, repeated, kind)
                    best = self._best(plan, values[after], drawn.get(after), to[some])
                    total[points[some]] += best
            total /= self.question.size - turned
            before[group] = total
        return before

    def _nexts(self, group: frozenset[Monster], layer: Layer) -> Iterator[tuple[Monster, Rows, Rows]]:
        """Return what can be turned next, at which points, and the points it leads to."""
        for place, alike in enumerate(self.classes):
            if any(self.known[card] + self.pool[card] > self.turned[card] for card in alike):
                yield alike[0], *layer.steps[place]
        every = np.arange(len(layer.counts))
        yield from ((card, every, every) for card in self.remembered if card not in group)

    def _met(self, kind: Monster | None, layer: Layer) -> Mask:
        """Return for each point whether a card of this kind was turned, the shapeshifter aside."""
        met = np.zeros(len(layer.counts), bool)
        for place, (other, *_) in enumerate(self.classes):
            if kind is not None and self._kind(other, 1) is kind:
                met |= layer.counts[:, place] + self.gone[place] > 0
        return met

    def _kind(self, card: Monster, position: int) -> Monster | None:
        return face_of(card, position=position, tiles_left=1, successes=self.question.successes).kind

    def _drawn(self, position: int, swapped: Values) -> Values:
        """Return what meeting a card of the draw pile is worth, each card with its probability."""
        found: Values = {}
        for group, values in swapped.items():
            layer = self._layer(group, position)
            if group not in self.columns.swapping or layer is None:
                continue
            total = np.zeros((len(values), len(self.columns.swapping[group]) * self.columns.high))
            for number, (card, share) in enumerate(self.drawn):
                kind = self._kind(card, position) if self.maze.sees_repeats else None
                for repeated, some in _split(self._met(kind, layer)):
                    first, others = self.after_swap.drawn(group, card, position, repeated, kind)
                    ahead = values[some, :, number]
                    best = ahead.take(first, axis=1)
                    for other in others:
                        np.maximum(best, ahead.take(other, axis=1), out=best)
                    total[some] += share * best
            found[group] = total
        return found

    def _best(self, plan: Plan, after: Floats, drawn: Floats | None, rows: Rows) -> Floats:
        """Return the best that each column of a group can do, at some points of the layer after."""
        ahead = self.scratch.take("ahead", after, rows, axis=0)
        best = self.scratch.take("best", ahead, plan.first, axis=1)
        for some, targets in plan.others:
            other = self.scratch.take("other", ahead, targets, axis=1)
            mine = self.scratch.take("mine", best, some, axis=1)
            best[:, some] = np.maximum(mine, other, out=mine)
        for some, targets in plan.swaps if drawn is not None else ():
            assert drawn is not None
            best[:, some] = np.maximum(best[:, some], drawn[rows][:, targets])
        return best


def _split(met: Mask) -> list[tuple[bool, Rows]]:
    """Return where not and where, without those that are nowhere."""
    places = [(False, np.flatnonzero(~met)), (True, np.flatnonzero(met))]
    return [(what, some) for what, some in places if len(some)]


class _Scratch:
    """Memory that is used over and over: asking for new pages takes longer than all the arithmetic."""

    def __init__(self) -> None:
        self._rooms: dict[Hashable, Floats] = {}

    def take(self, name: Hashable, values: Floats, indices: Rows, *, axis: int) -> Floats:
        """Return what NumPy's ``take`` returns, in the room called *name*; the next call overwrites it."""
        room = self._room(name, (*values.shape[:axis], len(indices), *values.shape[axis + 1 :]))
        # All indices are in range; without "clip" NumPy would fill another array first.
        return np.take(values, indices, axis=axis, out=room, mode="clip")

    def zeros(self, name: Hashable, shape: tuple[int, ...]) -> Floats:
        """Return zeros in the room called *name*."""
        room = self._room(name, shape)
        room[...] = 0
        return room

    def _room(self, name: Hashable, shape: tuple[int, ...]) -> Floats:
        size = prod(shape)
        if name not in self._rooms or self._rooms[name].size < size:
            self._rooms[name] = np.empty(size)
        return self._rooms[name][:size].reshape(shape)
