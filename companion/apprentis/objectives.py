"""The sixteen objectives (eight tiles, two sides each) and what each is worth to one dungeon."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.apprentis.board import ROOMS, Kind, Monsters
from companion.message import Message, say, say_many


@dataclass(frozen=True, slots=True)
class Halls:
    """What the objectives look at: one dungeon's rooms and corridors, and the rivals' vampires."""

    rooms: tuple[Monsters, ...]
    corridors: tuple[Monsters, ...]
    piles: tuple[int, ...]
    rival_vampires: tuple[int, ...] = ()

    def total(self, kind: Kind) -> int:
        """Count *kind* in all rooms together."""
        return sum(room.count(kind) for room in self.rooms)

    def rooms_where(self, test: Callable[[Monsters], bool]) -> tuple[int, ...]:
        """Return the numbers of the rooms that pass *test*."""
        return tuple(number for number, room in zip(ROOMS, self.rooms, strict=True) if test(room))

    def covered(self, number: int) -> int:
        """Count the gold piles of a room that have their dragon (one dragon each)."""
        return min(self.rooms[number - 1].dragon, self.piles[number - 1])

    def fully_covered(self) -> tuple[int, ...]:
        """Return the rooms whose piles all have a dragon; a room without piles is none of them."""
        return tuple(n for n in ROOMS if self.piles[n - 1] and self.covered(n) == self.piles[n - 1])


Worth = tuple[int, Message]


@dataclass(frozen=True, slots=True)
class Objective:
    """One side of an objective tile."""

    key: str
    colour: Kind
    starred: bool
    label: Message
    rule: Message
    worth: Callable[[Halls], Worth]


def name_rooms(numbers: tuple[int, ...]) -> Message:
    """Say which rooms, such as "rooms 2, 3"."""
    if not numbers:
        return say("no room")
    listed = ", ".join(map(str, numbers))
    return say_many("room %(rooms)s", "rooms %(rooms)s", len(numbers), rooms=listed)


def step_points(count: int, scale: dict[int, int]) -> int:
    """Return the points of the highest step of *scale* that *count* reaches, 0 below the first."""
    reached = [step for step in scale if step <= count]
    return scale[max(reached)] if reached else 0


def _spider_with(other: Kind) -> Callable[[Halls], Worth]:
    def worth(halls: Halls) -> Worth:
        rooms = halls.rooms_where(lambda room: room.spider > 0 and room.count(other) > 0)
        return 4 * len(rooms), name_rooms(rooms)

    return worth


def _brou_singles_and_pairs(halls: Halls) -> Worth:
    single = halls.rooms_where(lambda room: room.brou == 1)
    more = halls.rooms_where(lambda room: room.brou >= 2)
    why = say("one: %(single)s; more: %(more)s", single=name_rooms(single), more=name_rooms(more))
    return 2 * len(single) + 5 * len(more), why


def _brou_pairs(halls: Halls) -> Worth:
    rooms = halls.rooms_where(lambda room: room.brou >= 2)
    return 4 * len(rooms), name_rooms(rooms)


def _brou_spread(halls: Halls) -> Worth:
    rooms = halls.rooms_where(lambda room: room.brou > 0)
    return step_points(len(rooms), {4: 13, 5: 20}), name_rooms(rooms)


def _brou_crowd(halls: Halls) -> Worth:
    count = halls.total(Kind.BROU)
    points = step_points(count, {3: 5, 6: 13, 9: 24})
    return points, say_many("%(count)d brou in rooms", "%(count)d brous in rooms", count)


def _vampire_crowd(halls: Halls) -> Worth:
    count = halls.total(Kind.VAMPIRE)
    return 15 if count >= 6 else 0, _vampires_in_rooms(count)


def _vampires_in_rooms(count: int) -> Message:
    return say_many("%(count)d vampire in rooms", "%(count)d vampires in rooms", count)


def _vampire_corridors(halls: Halls) -> int:
    return sum(corridor.vampire > 0 for corridor in halls.corridors)


def _corridors(count: int) -> Message:
    return say_many("%(count)d corridor with a vampire", "%(count)d corridors with a vampire", count)


def _vampire_patrol(halls: Halls) -> Worth:
    count = _vampire_corridors(halls)
    return step_points(count, {1: 2, 2: 6, 3: 12, 4: 20, 5: 30}), _corridors(count)


def _vampire_posts(halls: Halls) -> Worth:
    count = _vampire_corridors(halls)
    return 4 * count, _corridors(count)


def _vampire_most(halls: Halls) -> Worth:
    mine, rivals = halls.total(Kind.VAMPIRE), max(halls.rival_vampires, default=0)
    why = say("%(mine)s; best of the others: %(rivals)d", mine=_vampires_in_rooms(mine), rivals=rivals)
    return 12 if mine and mine >= rivals else 0, why


def _dragon_each(halls: Halls) -> Worth:
    count = sum(halls.covered(number) for number in ROOMS)
    why = say_many("%(count)d dragon on a pile", "%(count)d dragons on a pile", count)
    return 3 * count, why


def _dragon_hoards(scale: dict[int, int]) -> Callable[[Halls], Worth]:
    def worth(halls: Halls) -> Worth:
        rooms = halls.fully_covered()
        return step_points(len(rooms), scale), name_rooms(rooms)

    return worth


def _dragon_halves(halls: Halls) -> Worth:
    one = tuple(number for number in ROOMS if halls.covered(number) == 1)
    both = tuple(number for number in ROOMS if halls.covered(number) == 2)
    why = say("one pile: %(one)s; both: %(both)s", one=name_rooms(one), both=name_rooms(both))
    return 2 * len(one) + 8 * len(both), why


# Which tiles carry a star is read off the order of the rulebook's list; players can always choose.
_ALL = (
    Objective(
        "spider-brou",
        Kind.SPIDER,
        False,
        say("Spider + brou"),
        say("4 points for each room with at least a spider and a brou."),
        _spider_with(Kind.BROU),
    ),
    Objective(
        "spider-dragon",
        Kind.SPIDER,
        False,
        say("Spider + dragon"),
        say("4 points for each room with at least a spider and a dragon."),
        _spider_with(Kind.DRAGON),
    ),
    Objective(
        "spider-vampire",
        Kind.SPIDER,
        True,
        say("Spider + vampire"),
        say("4 points for each room with at least a spider and a vampire."),
        _spider_with(Kind.VAMPIRE),
    ),
    Objective(
        "spider-skeleton",
        Kind.SPIDER,
        True,
        say("Spider + skeleton"),
        say("4 points for each room with at least a spider and a skeleton."),
        _spider_with(Kind.SKELETON),
    ),
    Objective(
        "brou-singles-and-pairs",
        Kind.BROU,
        False,
        say("Brous: one 2, more 5"),
        say("For each room: a single brou 2 points, two or more 5 points."),
        _brou_singles_and_pairs,
    ),
    Objective(
        "brou-pairs",
        Kind.BROU,
        False,
        say("Brous by two"),
        say("4 points for each room with two brous or more."),
        _brou_pairs,
    ),
    Objective(
        "brou-spread",
        Kind.BROU,
        True,
        say("Brous in 4 or 5 rooms"),
        say("Brous in 4 rooms 13 points, in all 5 rooms 20 points."),
        _brou_spread,
    ),
    Objective(
        "brou-crowd",
        Kind.BROU,
        True,
        say("Brous: 3, 6 or 9"),
        say("Brous in all rooms together: 3 give 5 points, 6 give 13, 9 give 24."),
        _brou_crowd,
    ),
    Objective(
        "vampire-crowd",
        Kind.VAMPIRE,
        False,
        say("6 vampires"),
        say("15 points with at least 6 vampires in all rooms together."),
        _vampire_crowd,
    ),
    Objective(
        "vampire-patrol",
        Kind.VAMPIRE,
        False,
        say("Vampires on patrol"),
        say("Vampires in 1, 2, 3, 4 or 5 corridors: 2, 6, 12, 20 or 30 points."),
        _vampire_patrol,
    ),
    Objective(
        "vampire-most",
        Kind.VAMPIRE,
        True,
        say("Most vampires"),
        say("12 points for everybody with the most vampires in rooms, at least one."),
        _vampire_most,
    ),
    Objective(
        "vampire-posts",
        Kind.VAMPIRE,
        True,
        say("Vampires in corridors"),
        say("4 points for each corridor with a vampire."),
        _vampire_posts,
    ),
    Objective(
        "dragon-each",
        Kind.DRAGON,
        False,
        say("Dragons on gold"),
        say("3 points for each dragon on a gold pile, one dragon a pile."),
        _dragon_each,
    ),
    Objective(
        "dragon-hoards-or-else",
        Kind.DRAGON,
        False,
        say("Guarded gold, or else"),
        say("Rooms with a dragon on every gold pile: 0, 1, 2, 3 or 4 rooms give -12, -5, 0, 7 or 15 points."),
        _dragon_hoards({0: -12, 1: -5, 2: 0, 3: 7, 4: 15}),
    ),
    Objective(
        "dragon-hoards",
        Kind.DRAGON,
        True,
        say("Guarded gold"),
        say("Rooms with a dragon on every gold pile: 1, 2, 3 or 4 rooms give 1, 6, 15 or 24 points."),
        _dragon_hoards({1: 1, 2: 6, 3: 15, 4: 24}),
    ),
    Objective(
        "dragon-halves",
        Kind.DRAGON,
        True,
        say("Dragons: one 2, both 8"),
        say("For each room: one gold pile with a dragon 2 points, both 8 points."),
        _dragon_halves,
    ),
)

OBJECTIVES = {objective.key: objective for objective in _ALL}
COLOURS = (Kind.SPIDER, Kind.BROU, Kind.VAMPIRE, Kind.DRAGON)


def of_colour(colour: Kind) -> tuple[Objective, ...]:
    """Return the four objectives of one colour."""
    return tuple(objective for objective in _ALL if objective.colour is colour)
