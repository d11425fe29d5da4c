"""One hero in the dungeon: cards turned, tiles used, hit points lost, to the last card or the last blow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from companion.errors import IllegalEvent
from companion.message import say
from companion.welcome.kit import Course, Kit, Tiles, What, courses, revived
from companion.welcome.monsters import Face, Monster, face_of
from companion.welcome.tiles import heroes

MOST_HP: Final = 99


@dataclass(frozen=True, slots=True)
class Met:
    """A card that was turned, and how that went.

    Attributes:
        hp: hit points afterwards.
        revived_by: the tile that brought the hero back.
        fell: whether this was the last blow.
    """

    card: Monster
    face: Face
    what: What
    change: int = 0
    hp: int = 0
    tile: str | None = None
    other: str | None = None
    revived_by: str | None = None
    fell: bool = False


@dataclass(frozen=True, slots=True)
class Delve:
    """A hero in the dungeon.

    Attributes:
        named: kinds that were named before entering, by tile.
        successes: success cards of the player who went in.
        turned: the cards of the dungeon so far.
        swapped_in: cards of the draw pile that took the place of others.
        kinds: what has been met, for those who look at repetitions.
        met: every encounter so far.
        facing: a card that waits for a choice.
    """

    hero: str
    entered_with: int
    hp: int
    kit: Kit
    successes: int = 0
    named: tuple[tuple[str, Monster], ...] = ()
    turned: tuple[Monster, ...] = ()
    swapped_in: tuple[Monster, ...] = ()
    kinds: frozenset[Monster] = frozenset()
    met: tuple[Met, ...] = ()
    facing: Monster | None = None
    fallen: bool = False

    @property
    def position(self) -> int:
        """How many cards of the dungeon were turned."""
        return len(self.turned)

    def face(self, card: Monster) -> Face:
        """Return what a card is that is met now, as the one turned last."""
        return face_of(card, position=self.position, tiles_left=len(self.kit.tiles), successes=self.successes)


def total_hp(hero: str, left: tuple[str, ...], tiles: Tiles) -> int:
    """Return the hit points of an adventurer with the tiles that are left."""
    return heroes()[hero].hp + sum(tiles[tile].hp for tile in left)


def enter(hero: str, left: tuple[str, ...], tiles: Tiles, *, successes: int = 0) -> Delve:
    """Send a hero into the dungeon with the tiles that are left."""
    hp = total_hp(hero, left, tiles)
    return Delve(hero, hp, hp, Kit(left), successes)


def to_name(delve: Delve, tiles: Tiles) -> tuple[str, ...]:
    """Return the tiles that want a kind to be named before the first card; what rivals name comes first."""
    wanting = [tile for tile in delve.kit.tiles if tiles[tile].names and tile not in dict(delve.named)]
    return tuple(sorted(wanting, key=lambda tile: tiles[tile].names != "rival"))


def name_kind(delve: Delve, tile: str, kind: Monster, tiles: Tiles) -> Delve:
    """Return the delve after a kind was named for a tile.

    Raises:
        IllegalEvent: the tile names nothing, or not this.
    """
    if tile not in to_name(delve, tiles) or delve.turned:
        raise IllegalEvent(say("This tile does not name a monster now."))
    if not tiles[tile].may_name(kind):
        raise IllegalEvent(say("This monster cannot be named for that tile."))
    return replace(delve, named=(*delve.named, (tile, kind)))


def is_over(delve: Delve, tiles: Tiles) -> bool:
    """Whether the hero fell and no tile asks for the rest of the dungeon."""
    return delve.fallen and not any(tiles[tile].wins_if_all_differ for tile in delve.kit.tiles)


def survived(delve: Delve, tiles: Tiles) -> bool:
    """Whether the dungeon, if this was all of it, was survived."""
    if not delve.fallen:
        return True
    return not is_over(delve, tiles) and len(set(delve.turned)) == len(delve.turned)


def turn(delve: Delve, card: Monster, tiles: Tiles, *, pile: bool) -> Delve:
    """Turn the next card; if there is something to choose, it waits in ``facing``.

    Args:
        pile: whether the draw pile has a card left.

    Raises:
        IllegalEvent: something else comes first.
    """
    if delve.facing is not None:
        raise IllegalEvent(say("First say what happens with the monster that was turned last."))
    if is_over(delve, tiles):
        raise IllegalEvent(say("The hero has fallen: no more cards are turned."))
    if to_name(delve, tiles):
        raise IllegalEvent(say("First a monster is named."))
    delve = replace(delve, turned=(*delve.turned, card))
    face = delve.face(card)
    if delve.fallen:
        return _noted(delve, Met(card, face, What.SEEN), face)
    return _meet(delve, card, tiles, pile=pile)


def choices(delve: Delve, tiles: Tiles, *, pile: bool) -> tuple[Course, ...]:
    """Return what can be done about the monster that waits."""
    return () if delve.facing is None else _courses(delve, delve.facing, tiles, pile=pile)


def choose(delve: Delve, course: Course, tiles: Tiles) -> Delve:
    """Go one of the ways of `choices` that does not swap the monster."""
    assert delve.facing is not None
    return _gone(replace(delve, facing=None), delve.facing, course, tiles)


def swap(delve: Delve, course: Course, card: Monster, tiles: Tiles) -> Delve:
    """Swap the waiting monster for *card* of the draw pile, and meet that one."""
    assert delve.facing is not None
    face = delve.face(delve.facing)
    swapped = replace(
        _noted(delve, Met(delve.facing, face, What.SWAPPED, 0, delve.hp, course.tile), face),
        kit=course.kit,
        swapped_in=(*delve.swapped_in, card),
        facing=None,
    )
    return _meet(swapped, card, tiles, pile=True)


def _courses(delve: Delve, card: Monster, tiles: Tiles, *, pile: bool) -> tuple[Course, ...]:
    face = delve.face(card)
    return courses(
        delve.kit,
        face,
        tiles,
        dict(delve.named),
        hp=delve.hp,
        repeated=face.kind in delve.kinds,
        pile=pile and not delve.swapped_in,
    )


def _meet(delve: Delve, card: Monster, tiles: Tiles, *, pile: bool) -> Delve:
    ways = _courses(delve, card, tiles, pile=pile)
    return _gone(delve, card, ways[0], tiles) if len(ways) == 1 else replace(delve, facing=card)


def _gone(delve: Delve, card: Monster, course: Course, tiles: Tiles) -> Delve:
    face, kit, by, fell = delve.face(card), course.kit, None, False
    hp = min(MOST_HP, delve.hp + course.change)
    if hp <= 0:
        back = revived(kit, delve.hp, heroes()[delve.hero].hp, tiles)
        if back is None:
            hp, fell = 0, True
        else:
            kit, hp, by = back
    met = Met(card, face, course.what, course.change, hp, course.tile, course.other, by, fell)
    return replace(_noted(delve, met, face), kit=kit, hp=hp, fallen=fell)


def _noted(delve: Delve, met: Met, face: Face) -> Delve:
    """Remember an encounter; kinds count that were in the dungeon, not those that were swapped in."""
    came_in = bool(delve.met) and delve.met[-1].what is What.SWAPPED
    kinds = delve.kinds if came_in or face.kind is None else delve.kinds | {face.kind}
    return replace(delve, met=(*delve.met, met), kinds=kinds)
