"""What monsters are called."""

from __future__ import annotations

from typing import Final

from companion.message import Message, say
from companion.welcome.monsters import Monster

MONSTER_NAMES: Final[dict[Monster, Message]] = {
    Monster.GOBLIN: say("Goblin"),
    Monster.SKELETON: say("Skeleton"),
    Monster.ORC: say("Orc"),
    Monster.VAMPIRE: say("Vampire"),
    Monster.GOLEM: say("Golem"),
    Monster.LICH: say("Lich"),
    Monster.DEMON: say("Demon"),
    Monster.DRAGON: say("Dragon"),
    Monster.FAIRY: say("Fairy"),
    Monster.ALLY: say("Ally"),
    Monster.MIMIC: say("Mimic"),
    Monster.CUBE: say("Gelatinous cube"),
    Monster.COUNT: say("The count"),
    Monster.SHAPESHIFTER: say("Shapeshifter"),
}
MONSTER_RULES: Final[dict[Monster, Message]] = {
    Monster.FAIRY: say("Strength 0, even. It does nothing."),
    Monster.ALLY: say("No strength, neither even nor odd. The next monster is ignored."),
    Monster.MIMIC: say("As strong as you have tiles left at that moment, from 0 to 6."),
    Monster.CUBE: say(
        "No strength, neither even nor odd. You discard a tile of your choice, if any is left."
    ),
    Monster.COUNT: say("Without a success card: a vampire of strength 4. With one: strength 8, no vampire."),
    Monster.SHAPESHIFTER: say(
        "As strong as its place in the dungeon, and the monster of that strength: the 4th is a vampire. "
        "From the 8th on it is nothing in particular."
    ),
}


def monster_rule(monster: Monster, strength: int | None, copies: int) -> Message:
    """Explain a monster in a line."""
    if monster in MONSTER_RULES:
        return MONSTER_RULES[monster]
    if copies == 2:
        return say("Strength %(strength)d. There are two of them.", strength=strength or 0)
    return say("Strength %(strength)d. There is one of them.", strength=strength or 0)
