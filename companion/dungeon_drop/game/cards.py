"""The cards in front of a hero: race and class, which lie open, and the quest, which is secret.

No source we have prints them, so players type what they hold; only what the rules need has a form.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.dungeon_drop.hero import GemValues
from companion.dungeon_drop.quests import MOST_TERMS, Bonus, What
from companion.errors import BadData
from companion.message import Message, say

MOST_HIT_POINTS = 20  # cards have 7 to 9
MOST_INITIATIVE = 99
MOST_GEM_VALUE = 20
LONGEST_NAME = 40
LONGEST_NOTE = 300


@dataclass(frozen=True, slots=True)
class HeroCard:
    """A race and a class: who goes first, what can be endured, and notes on what both can do."""

    initiative: int
    hit_points: int
    race: str = ""
    race_note: str = ""
    calling: str = ""  # the class; the word itself means something else here
    calling_note: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.initiative <= MOST_INITIATIVE:
            raise BadData(say("An initiative is a number from 0 to %(most)d.", most=MOST_INITIATIVE))
        if not 2 <= self.hit_points <= MOST_HIT_POINTS:
            raise BadData(say("A hero has 2 to %(most)d hit points.", most=MOST_HIT_POINTS))
        for text, longest in (
            (self.race, LONGEST_NAME),
            (self.calling, LONGEST_NAME),
            (self.race_note, LONGEST_NOTE),
            (self.calling_note, LONGEST_NOTE),
        ):
            if fault := _fault(text, longest):
                raise BadData(fault)

    @property
    def title(self) -> str:
        """What the hero is called: both names, or as many as were typed."""
        return " ".join(name for name in (self.race, self.calling) if name)


@dataclass(frozen=True, slots=True)
class GemPoints:
    """What each gem pays at the end, in whole points."""

    clear: int = 1
    blue: int = 2
    pink: int = 3

    def __post_init__(self) -> None:
        if not all(0 <= value <= MOST_GEM_VALUE for value in (self.clear, self.blue, self.pink)):
            raise BadData(say("A gem is worth 0 to %(most)d points.", most=MOST_GEM_VALUE))

    @property
    def values(self) -> GemValues:
        """The same as the advice on rooms takes it."""
        return GemValues(self.clear, self.blue, self.pink)


@dataclass(frozen=True, slots=True)
class Quest:
    """A secret quest: what gems pay, and a bonus."""

    gems: GemPoints = field(default_factory=GemPoints)
    bonus: Bonus = ()
    name: str = ""

    def __post_init__(self) -> None:
        if len(self.bonus) > MOST_TERMS:
            raise BadData(say("A bonus must be a list of at most %(count)d terms.", count=MOST_TERMS))
        if fault := _fault(self.name, LONGEST_NAME):
            raise BadData(fault)

    @property
    def asks_for_a_number(self) -> bool:
        """Whether a number has to be typed at the end."""
        return any(term.what is What.TYPED for term in self.bonus)


def _fault(text: str, longest: int) -> Message | None:
    if len(text) > longest:
        return say("A card's text can have at most %(count)d letters.", count=longest)
    if not all(letter.isprintable() or letter == "\n" for letter in text):
        return say("A card's text can only have visible letters.")
    return None
