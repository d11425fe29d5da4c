"""The cards of Dungeon Guilds: rooms as their backs and fronts show them, adventurers, dungeon masters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from companion.errors import BadData
from companion.message import Message, named, say

STRENGTHS: Final = (1, 2, 3, 4, 5)
LEVELS: Final = (1, 2, 3)
SPACES: Final = 2
# No card we know comes near; a slip of the finger does.
MOST_DEFENCE, MOST_TREASURE, MOST_HEALING = 20, 40, 9
MAX_MONSTER_NAME: Final = 30
# In no source we have: to be checked once against the cards.
USUAL_HEALING: Final = (1, 1, 2, 2, 3)


@dataclass(frozen=True, slots=True)
class Room:
    """The back of a room card: what everybody sees before it is revealed."""

    level: int
    defence_low: int
    defence_high: int
    treasure_low: int
    treasure_high: int


@dataclass(frozen=True, slots=True)
class Front:
    """The front of a room card."""

    defence: int
    treasure: int
    monster: str = ""


class Master(StrEnum):
    """The dungeon masters; those from HELLO_DUCK on are promotional cards."""

    SUCCUBUS = "succubus"
    BEHOLDER = "beholder"
    LICH_KING = "lich-king"
    GUARDIAN = "guardian"
    VAMPIRE_LORD = "vampire-lord"
    RED_DRAGON = "red-dragon"
    HELLO_DUCK = "hello-duck"
    BIGFUN_KING = "bigfun-king"
    NAUGHTY_KID = "naughty-kid"
    BOARDGAME_LORD = "boardgame-lord"
    CAVEMAN = "caveman"


MASTERS: Final = tuple(Master)[:6]
PROMOS: Final = tuple(Master)[6:]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a dungeon master changes.

    Attributes:
        rooms: of which rooms defence and treasure change, counted from the top; below 0 from the bottom.
        equals: treasure that rooms gain whose two adventurers are equally strong.
        wounds: what healing costs more, by strength.
        banned: strengths that may not be placed.
        alms: money for those who placed the least strength, before the first room is revealed.
        disables: adventurers that everybody disables in the preparation; all others are available.
    """

    rooms: tuple[int, ...] = ()
    defence: int = 0
    treasure: int = 0
    equals: int = 0
    wounds: tuple[int, ...] = (0, 0, 0, 0, 0)
    banned: tuple[int, ...] = ()
    alms: int = 0
    disables: tuple[int, ...] = ()


NO_EFFECT: Final = Effect()
EFFECTS: Final = {
    Master.SUCCUBUS: Effect(banned=(1,)),
    Master.BEHOLDER: Effect(rooms=(0,), treasure=3),
    Master.LICH_KING: Effect(rooms=(1,), defence=2, treasure=3),
    Master.GUARDIAN: Effect(wounds=(0, 0, 0, 2, 2)),
    Master.VAMPIRE_LORD: Effect(rooms=(0, 1), treasure=-2),
    Master.RED_DRAGON: Effect(rooms=(-1,), treasure=10),
    Master.HELLO_DUCK: Effect(rooms=(-1, -2), treasure=4),
    Master.BIGFUN_KING: Effect(rooms=(-1,), defence=-3, treasure=-5),
    Master.NAUGHTY_KID: Effect(equals=3),
    Master.BOARDGAME_LORD: Effect(alms=3),
    Master.CAVEMAN: Effect(disables=(1, 2)),
}

MASTER_NAMES: Final[dict[Master, Message]] = {
    Master.SUCCUBUS: named("The Succubus", fr="La Succube"),
    Master.BEHOLDER: named("The Beholder", fr="L'Observateur"),
    Master.LICH_KING: named("The Lich King"),
    Master.GUARDIAN: named("The Guardian", fr="Le Gardien"),
    Master.VAMPIRE_LORD: named("The Vampire Lord", fr="Lord Vampire"),
    Master.RED_DRAGON: named("The Red Dragon", fr="Le Dragon Rouge"),
    Master.HELLO_DUCK: named("Hello Duck"),
    Master.BIGFUN_KING: named("Bigfun King"),
    Master.NAUGHTY_KID: named("The Naughty Kid"),
    Master.BOARDGAME_LORD: named("Boardgame Lord"),
    Master.CAVEMAN: named("The Caveman"),
}

MASTER_RULES: Final[dict[Master, Message]] = {
    Master.SUCCUBUS: say("Nobody may place an adventurer of strength 1."),
    Master.BEHOLDER: say("The first room has $3 more treasure."),
    Master.LICH_KING: say("The second room has 2 more defence and $3 more treasure."),
    Master.GUARDIAN: say("Healing an adventurer of strength 4 or 5 costs $2 more."),
    Master.VAMPIRE_LORD: say("The first two rooms have $2 less treasure."),
    Master.RED_DRAGON: say("The last room has $10 more treasure."),
    Master.HELLO_DUCK: say("The last two rooms have $4 more treasure."),
    Master.BIGFUN_KING: say("The last room has 3 less defence and $5 less treasure."),
    Master.NAUGHTY_KID: say("A room with two equally strong adventurers has $3 more treasure."),
    Master.BOARDGAME_LORD: say("Who placed the least strength gets $3 before the first room is revealed."),
    Master.CAVEMAN: say("Everybody disables 1 and 2 and has 3, 4 and 5."),
}


def effect_of(master: Master | None) -> Effect:
    """Return what a master changes; nothing where masters only count the rounds."""
    return NO_EFFECT if master is None else EFFECTS[master]


def check_room(room: Room) -> None:
    """Refuse a room that cannot be.

    Raises:
        BadData: what is wrong, for players.
    """
    if room.level not in LEVELS:
        raise BadData(say("A room has level 1, 2 or 3."))
    if not 0 <= room.defence_low <= room.defence_high <= MOST_DEFENCE:
        raise BadData(
            say("A room's defence goes from a number up to another, %(most)d at most.", most=MOST_DEFENCE)
        )
    if not 0 <= room.treasure_low <= room.treasure_high <= MOST_TREASURE:
        raise BadData(
            say("A room's treasure goes from a number up to another, %(most)d at most.", most=MOST_TREASURE)
        )


def check_healing(costs: tuple[int, ...]) -> None:
    """Refuse healing costs that cannot be.

    Raises:
        BadData: what is wrong, for players.
    """
    if len(costs) != len(STRENGTHS) or not all(0 <= cost <= MOST_HEALING for cost in costs):
        raise BadData(say("Healing needs five numbers from 0 to %(most)d.", most=MOST_HEALING))


def check_front(room: Room, front: Front) -> None:
    """Refuse a front that cannot belong to a back.

    Raises:
        BadData: what is wrong, for players.
    """
    if not room.defence_low <= front.defence <= room.defence_high:
        raise BadData(
            say(
                "The back of this room says a defence from %(low)d to %(high)d.",
                low=room.defence_low,
                high=room.defence_high,
            )
        )
    if not room.treasure_low <= front.treasure <= room.treasure_high:
        raise BadData(
            say(
                "The back of this room says a treasure from $%(low)d to $%(high)d.",
                low=room.treasure_low,
                high=room.treasure_high,
            )
        )
    if len(front.monster) > MAX_MONSTER_NAME or not (front.monster.isprintable() or not front.monster):
        raise BadData(say("A monster's name can have at most %(count)d letters.", count=MAX_MONSTER_NAME))
