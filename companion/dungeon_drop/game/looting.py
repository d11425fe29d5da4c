"""What taking a room does to a hero, and why some may not be taken."""

from __future__ import annotations

from dataclasses import replace

from companion.dungeon_drop.game.events import RoomLooted
from companion.dungeon_drop.game.reserves import tidied, with_cubes, without_cubes
from companion.dungeon_drop.game.state import Adventurer
from companion.dungeon_drop.holdings import Held
from companion.dungeon_drop.pieces import DAMAGE, MONSTERS, POTION_HEALS, Kind
from companion.errors import IllegalEvent
from companion.message import say


def looted(hero: Adventurer, event: RoomLooted) -> Adventurer:
    """Return the hero after looting.

    Shields stop the worst monsters. Potions are drunk first: they heal what was taken before.

    Raises:
        IllegalEvent: the room may not be looted, or something that is used was not there before.
    """
    loot = tidied(event.loot)
    monsters = _monsters(loot)
    for kind, used in ((Kind.SHIELD, event.shields), (Kind.POTION, event.potions)):
        if not 0 <= used <= hero.reserve.count(kind):
            raise IllegalEvent(
                say("Only shields and potions that were in the reserve before the loot can be used.")
            )
    if event.shields > len(monsters):
        raise IllegalEvent(say("A shield is used against a monster of the room."))
    if Kind.DRAGON in monsters and not event.shields:
        raise IllegalEvent(say("The dragon can only be taken with a shield."))
    damage = sum(DAMAGE[kind] for kind in monsters[event.shields :])
    healed = drunk(hero, event.potions)
    after = wounded(healed, damage)
    reserve = without_cubes(after.reserve, Held(Kind.SHIELD, event.shields))
    return replace(after, reserve=with_cubes(reserve, loot))


def drunk(hero: Adventurer, potions: int) -> Adventurer:
    """Return the hero after drinking potions, which leave the reserve.

    Raises:
        IllegalEvent: there are not so many.
    """
    healed = max(0, hero.damage - POTION_HEALS * potions)
    return replace(hero, damage=healed, reserve=without_cubes(hero.reserve, Held(Kind.POTION, potions)))


def wounded(hero: Adventurer, damage: int) -> Adventurer:
    """Return the hero with more hit points covered.

    Raises:
        IllegalEvent: it would be the last one.
    """
    if hero.damage + damage > hero.hit_points - 1:
        raise IllegalEvent(say("Heroes cannot die: the last hit point is never covered."))
    return replace(hero, damage=hero.damage + damage)


def _monsters(loot: tuple[Held, ...]) -> list[Kind]:
    """Return each monster of a loot, the worst first."""
    worst_first = sorted(MONSTERS, key=lambda kind: -DAMAGE[kind])
    return [kind for kind in worst_first for held in loot if held.kind == kind for _ in range(held.count)]
