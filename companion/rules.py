"""What every game provides to the shared machinery: its set-up, its one pure ``apply``, its words."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from companion.codec import EventCodec
from companion.errors import BadData
from companion.message import Message, quoted, say

S = TypeVar("S")
E = TypeVar("E")

MAX_NAME = 24


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several named values."""

    key: str
    label: Message
    choices: tuple[tuple[str, Message], ...]
    default: str
    help: Message | None = None
    earlier: str | None = None  # what games meant that were recorded before there was this choice

    def check(self, value: object) -> str:
        """Return *value* if it is one of the choices."""
        if isinstance(value, str) and value in dict(self.choices):
            return value
        raise BadData(say("'%(option)s' has no such choice.", option=self.label))


@dataclass(frozen=True, slots=True)
class Numbers:
    """A short row of small numbers, one per named place."""

    key: str
    label: Message
    places: tuple[Message, ...]
    low: int
    high: int
    default: tuple[int, ...]
    help: Message | None = None

    def check(self, value: object) -> tuple[int, ...]:
        """Return *value* as a tuple if every number is there and in range."""
        if (
            isinstance(value, list | tuple)
            and len(value) == len(self.places)
            and all(type(n) is int and self.low <= n <= self.high for n in value)
        ):
            return tuple(value)
        raise BadData(
            say(
                "'%(option)s' needs %(count)d numbers from %(low)d to %(high)d.",
                option=self.label,
                count=len(self.places),
                low=self.low,
                high=self.high,
            )
        )


Option = Choice | Numbers

# Every game can be followed turn by turn, or only scored.
MODE = Choice(
    "mode",
    say("What the companion does"),
    (
        ("full", say("Follow the game, then score")),
        ("score", say("Only score the end")),
    ),
    "full",
)


@dataclass(frozen=True, slots=True)
class Setup:
    """The header of a game's log: everything that was decided before the first event."""

    game: str
    players: tuple[str, ...]
    first: int
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Placing:
    """How one player ended."""

    seat: int
    score: int | None
    rank: int
    winner: bool
    role: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended, best player first."""

    placings: tuple[Placing, ...]
    reason: Message


@dataclass(frozen=True, kw_only=True)
class GameRules(Generic[S, E]):
    """One game, as the journal and the pages know it."""

    key: str
    title: str
    min_players: int
    max_players: int
    options: tuple[Option, ...]
    codec: EventCodec[E]
    # Settles what the table leaves to chance ("draw for us"), so that the header replays exactly.
    settle: Callable[[Mapping[str, Any], random.Random], dict[str, Any]]
    start: Callable[[Setup], S]
    apply: Callable[[S, E], S]
    # Which seat an event belongs to; None: anyone at the table may report it.
    owner: Callable[[E], int | None]
    # Whether two events of different phones may be accepted in either order.
    independent: Callable[[E, E], bool]
    tell: Callable[[S, E, S], tuple[Message, ...]]
    legal: Callable[[S, int], tuple[E, ...]]
    outcome: Callable[[S], Outcome | None]
    keeps_secrets: bool
    # What a file of the game may hold that is saved from a phone.
    without_secrets: Callable[[E], E] = lambda event: event
    highest_wins: bool = True
    # How long the companion saw the game being played; False when it only wrote down the end.
    timed: Callable[[S], bool]


def make_setup(
    rules: GameRules[Any, Any],
    players: tuple[str, ...],
    options: Mapping[str, object],
    *,
    first: int = 0,
    recorded: bool = False,
) -> Setup:
    """Check names and options and fill in defaults.

    Args:
        recorded: the game is read again: options that are missing did not exist when it was recorded.

    Raises:
        BadData: saying which name or option cannot be accepted.
    """
    names = tuple(check_name(name) for name in players)
    if not rules.min_players <= len(names) <= rules.max_players:
        raise BadData(
            say(
                "%(game)s is for %(low)d to %(high)d players.",
                game=rules.title,
                low=rules.min_players,
                high=rules.max_players,
            )
        )
    if len({name.casefold() for name in names}) != len(names):
        raise BadData(say("Two players have the same name."))
    if not 0 <= first < len(names):
        raise BadData(say("The first player must be one of the players."))
    known = {option.key: option for option in rules.options}
    for key in options:
        if key not in known:
            raise BadData(say("The option '%(option)s' is not known.", option=quoted(key)))
    settled = {
        key: option.check(options.get(key, _missing(option, recorded))) for key, option in known.items()
    }
    return Setup(rules.key, names, first, settled)


def _missing(option: Option, recorded: bool) -> object:
    earlier = option.earlier if recorded and isinstance(option, Choice) else None
    return option.default if earlier is None else earlier


def check_name(name: object) -> str:
    """Return the tidied name of a player.

    Raises:
        BadData: it is empty, too long or not printable.
    """
    if not isinstance(name, str) or not name.strip():
        raise BadData(say("Every player needs a name."))
    tidy = " ".join(name.split())
    if len(tidy) > MAX_NAME:
        raise BadData(say("A name can have at most %(count)d letters.", count=MAX_NAME))
    if not tidy.isprintable():
        raise BadData(say("A name can only have visible letters."))
    return tidy


def rank(scores: tuple[int, ...], *, tie: Literal["none", "shared"]) -> tuple[Placing, ...]:
    """Order seats by score, highest first; equal scores share a rank.

    With ``tie="none"`` nobody wins when several share the first place.
    """
    best = max(scores)
    alone = scores.count(best) == 1
    placings = [
        Placing(
            seat,
            score,
            1 + sum(other > score for other in scores),
            score == best and (alone or tie == "shared"),
        )
        for seat, score in enumerate(scores)
    ]
    return tuple(sorted(placings, key=lambda placing: (placing.rank, placing.seat)))
