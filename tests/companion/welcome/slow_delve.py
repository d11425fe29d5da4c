"""A second, slow and literal reading of the dungeon phase, to judge the real one by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.welcome.monsters import Monster

HERO_HP = {
    "warrior": 3,
    "barbarian": 4,
    "mage": 2,
    "rogue": 3,
    "princess": 2,
    "ninja": 3,
    "bard": 3,
    "necromancer": 2,
}
TILE_HP = {
    "plate-armor": 5,
    "knight-shield": 3,
    "chainmail": 4,
    "leather-shield": 3,
    "wall-of-fire": 6,
    "bracelet-of-protection": 3,
    "mithril-armor": 5,
    "buckler": 3,
    "soupirant": 5,
    "chaperon": 3,
    "etrange-concoction": 5,
    "herbes-medicinales": 3,
    "tunic": 5,
    "hat": 2,
    "zombie": 6,
    "cape": 3,
}
POWER = {
    Monster.FAIRY: 0,
    Monster.GOBLIN: 1,
    Monster.SKELETON: 2,
    Monster.ORC: 3,
    Monster.VAMPIRE: 4,
    Monster.GOLEM: 5,
    Monster.LICH: 6,
    Monster.DEMON: 7,
    Monster.DRAGON: 9,
}
SHAPES = {power: monster for monster, power in POWER.items() if 1 <= power <= 7}
KINDS_THAT_REPEAT = {*SHAPES.values(), Monster.DRAGON}
OWN_NAMING = ("vorpal-sword", "vorpal-dagger")
RIVAL_NAMING = ("l-epee-a-papa",)
WEAK_HP = 5  # below this the gear and the harp work
AMULET = "amulette-porte-bonheur"
BOMB = "bombe-fumigene"
SCEPTRE = "sceptre-royal"
POTION = "healing-potion"


@dataclass(frozen=True)
class SlowHero:
    """Everything about a hero in the dungeon."""

    hero_id: str
    hp: int
    tiles: tuple[str, ...]
    named: tuple[tuple[str, Monster], ...]
    successes: int
    position: int = 0  # cards of the dungeon turned so far
    next_is_ignored: bool = False
    amulet_in_use: bool = False
    goblins_charmed: int = 0
    kinds_seen: frozenset[Monster] = frozenset()  # kept for the sceptre only
    dead: bool = False


@dataclass(frozen=True)
class Way:
    """One way in which meeting a card can go.

    Labels: ("free", None, None) nothing happens (dead, no damage, a cube with nothing to take);
    ("ignored", tile, None) by the first fitting tile of the kit; ("ignored", None, None) as promised by an
    earlier card or tile; ("used", tile, other) for pact, axe, sword, leash, the amulet's first time, and the
    bomb with the *other* tile it costs; ("swapped", tile, None); ("hit", None, None), brought back or not;
    ("helped", None, None) by the ally; ("lost", tile, None) to the cube.
    """

    label: tuple[str, str | None, str | None]
    hero: SlowHero | None


def enter(hero_id, tiles, named, successes):
    """Return the hero at the door."""
    hp = HERO_HP[hero_id] + sum(TILE_HP.get(tile, 0) for tile in tiles)
    named_by_my_tiles = tuple(sorted((tile, kind) for tile, kind in named.items() if tile in tiles))
    return SlowHero(hero_id, hp, tuple(tiles), named_by_my_tiles, successes)


def survived(hero: SlowHero, dungeon: Sequence[Monster]) -> bool:
    """Return whether the round is won after the last card."""
    return not hero.dead or ("omnipotence" in hero.tiles and len(set(dungeon)) == len(dungeon))


def ways(hero: SlowHero, card: Monster, pile_left: bool) -> list[Way]:
    """Return all ways in which turning *card* as the next one of the dungeon can go."""
    if hero.dead:
        return [Way(("free", None, None), hero)]
    return _meet(hero, _turned(hero, card), card, pile_left)


def swap(hero: SlowHero, card_out: Monster, tile: str, card_in: Monster) -> list[Way]:
    """Return all ways in which meeting *card_in* can go, which replaces the turned *card_out*."""
    hero = _without(hero, tile)
    after = _turned(hero, card_out)
    return _meet(replace(hero, kinds_seen=after.kinds_seen), after, card_in, False)


def _power_and_kind(hero, card):
    """Return the strength (None: has none) and the identity (None: has none) of a card met now."""
    if card is Monster.MIMIC:
        return len(hero.tiles), card
    if card is Monster.COUNT:
        return (8, None) if hero.successes else (4, Monster.VAMPIRE)
    if card is Monster.SHAPESHIFTER:
        return hero.position + 1, SHAPES.get(hero.position + 1)
    return POWER.get(card), card


def _turned(hero, card):
    """Return the hero once this card of the dungeon has been turned, before anything comes of it."""
    seen = hero.kinds_seen
    if SCEPTRE in hero.tiles:
        kind = _power_and_kind(hero, card)[1]
        if kind in KINDS_THAT_REPEAT:
            seen = seen | {kind}
    return replace(hero, position=hero.position + 1, kinds_seen=seen)


def _without(hero, *tiles):
    return replace(
        hero,
        tiles=tuple(tile for tile in hero.tiles if tile not in tiles),
        named=tuple(pair for pair in hero.named if pair[0] not in tiles),
        amulet_in_use=hero.amulet_in_use and AMULET not in tiles,
        kinds_seen=frozenset() if SCEPTRE in tiles else hero.kinds_seen,
    )


def _always_ignores(hero, tile, power, kind):
    """Return whether a tile ignores such a monster for good, without being asked."""
    if (tile, kind) in hero.named:
        return True
    if power is None:
        return False
    even = power % 2 == 0
    match tile:
        case "torch":
            return power <= 3
        case "holy-grail":
            return even
        case "dragon-spear":
            return kind is Monster.DRAGON
        case "war-hammer":
            return kind is Monster.GOLEM
        case "invisibility-cloak":
            return power >= 6
        case "ring-of-power":
            return power <= 2
        case "sceptre-royal":
            return kind in hero.kinds_seen
        case "wooden-shuriken" | "baguette-sanglante":
            return kind is Monster.VAMPIRE
        case "ninjato":
            return power >= 7
        case "shinobi-gear":
            return hero.hp < WEAK_HP and power in (1, 3, 5)
        case "charmeuse-de-gobelins":
            return kind is Monster.GOBLIN
        case "amulette-porte-bonheur":
            return hero.amulet_in_use and even
    return False


def _meet(hero, after, card, pile_left):
    """Return the ways to meet a card: *hero* before it, *after* the same hero with the card turned."""
    if hero.next_is_ignored:
        return [Way(("ignored", None, None), replace(after, next_is_ignored=False))]
    power, kind = _power_and_kind(hero, card)
    ignoring = [tile for tile in hero.tiles if _always_ignores(hero, tile, power, kind)]
    if ignoring:
        healed = sum(power for tile in ignoring if tile in ("ring-of-power", "baguette-sanglante"))
        charmed = after.goblins_charmed + ("charmeuse-de-gobelins" in ignoring)
        return [
            Way(("ignored", ignoring[0], None), replace(after, hp=after.hp + healed, goblins_charmed=charmed))
        ]
    if card is Monster.ALLY:
        return [Way(("helped", None, None), replace(after, next_is_ignored=True))]
    if card is Monster.CUBE:
        lost = [Way(("lost", tile, None), _without(after, tile)) for tile in hero.tiles]
        return lost or [Way(("free", None, None), after)]
    if kind is Monster.DEMON and "demonic-pact" in hero.tiles:
        promised = replace(_without(after, "demonic-pact"), next_is_ignored=True)
        return [Way(("used", "demonic-pact", None), promised)]
    return _fight(hero, after, power, kind, pile_left)


def _fight(hero, after, power, kind, pile_left):
    even = power % 2 == 0
    damage = power
    if "harpe-elfique" in hero.tiles and hero.hp < WEAK_HP:
        damage = min(damage, 2 if even else 1)
    damage -= hero.goblins_charmed
    damage -= 2 if "couronne-familiale" in hero.tiles else 0
    # The amulet goes with the first odd monster that no tile ignores, however little it hurts.
    met = _without(after, AMULET) if after.amulet_in_use and not even else after
    if damage <= 0:
        return [Way(("free", None, None), met)]
    found = [Way(("hit", None, None), _struck(met, damage))]
    for tile in hero.tiles:
        if tile == "vorpal-axe" or (tile == "epee-dansante" and not even):
            found.append(Way(("used", tile, None), _without(after, tile)))
        elif tile == BOMB:
            others = [other for other in hero.tiles if other != BOMB]
            found += [Way(("used", tile, other), _without(after, tile, other)) for other in others]
        elif tile == AMULET and even:
            found.append(Way(("used", tile, None), replace(after, amulet_in_use=True)))
        elif tile == "laisse-de-dragon" and kind is Monster.DRAGON:
            found.append(Way(("used", tile, None), replace(_without(after, tile), next_is_ignored=True)))
        elif tile == "polymorph" and pile_left:
            found.append(Way(("swapped", tile, None), None))
    return found


def _struck(hero, damage):
    """Return the hero after a blow, brought back by bones or potion where they can."""
    if hero.hp > damage:
        return replace(hero, hp=hero.hp - damage)
    for tile in hero.tiles:
        if tile == "osselets-de-resurrection" and hero.hp > 1:
            return replace(hero, hp=hero.hp - 1)
        if tile == POTION:
            return replace(_without(hero, POTION), hp=HERO_HP[hero.hero_id])
    return replace(hero, hp=0, dead=True)
