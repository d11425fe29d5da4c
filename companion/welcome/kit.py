"""What a hero carries through the dungeon, and what can happen when a monster is met.

This is the only place that knows what tiles do. It keeps hit points out of the kit, because the odds look at
all hit points at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.welcome.monsters import Face, Monster
from companion.welcome.tiles import Revival, Tile, Use

Tiles = Mapping[str, Tile]
Named = Mapping[str, Monster]


@dataclass(frozen=True, slots=True)
class Kit:
    """The tiles that are left and what they remember.

    Attributes:
        streak: tiles that go on ignoring what fits.
        calm: by how much later damage is lowered.
        next_free: whether the next monster is ignored, whatever it is.
    """

    tiles: tuple[str, ...]
    streak: frozenset[str] = frozenset()
    calm: int = 0
    next_free: bool = False

    def without(self, tile: str) -> Kit:
        """Return the kit after one tile was discarded."""
        place = self.tiles.index(tile)
        left = (*self.tiles[:place], *self.tiles[place + 1 :])
        return replace(self, tiles=left, streak=self.streak - {tile})


class What(StrEnum):
    """What happens to a monster."""

    FREE = "free"  # ignored because of an earlier card or tile
    IGNORED = "ignored"  # by a tile that always does so
    USED = "used"  # ignored by a tile that was used for it
    SWAPPED = "swapped"
    HIT = "hit"
    HELPED = "helped"  # the ally: the next one is ignored
    LOST = "lost"  # the gelatinous cube: a tile is discarded
    SEEN = "seen"  # turned after the hero fell


@dataclass(frozen=True, slots=True)
class Course:
    """One way an encounter can go.

    Attributes:
        kit: what is left afterwards; hit points and revival come on top.
        change: hit points that are gained or, below 0, lost.
        tile: the tile that ignored, was used or is discarded.
        other: another tile that is discarded with it.
    """

    what: What
    kit: Kit
    change: int = 0
    tile: str | None = None
    other: str | None = None


def courses(
    kit: Kit,
    face: Face,
    tiles: Tiles,
    named: Named,
    *,
    hp: int,
    repeated: bool,
    pile: bool,
) -> tuple[Course, ...]:
    """Return every way in which meeting a monster can go; with one, there is nothing to choose.

    Args:
        named: the kinds named before entering, by tile.
        hp: hit points at this moment.
        repeated: whether one of its kind was met before in this dungeon.
        pile: whether the draw pile has a card to swap for.
    """
    if kit.next_free:
        return (Course(What.FREE, replace(kit, next_free=False)),)
    always = [tile for tile in _own(kit, tiles) if _always(tile, kit, face, named, hp, repeated)]
    if always:
        gain = sum(face.strength or 0 for tile in always if tile.heals)
        calm = kit.calm + sum(tile.calms for tile in always)
        # Those that do more than ignoring are the ones to tell about.
        told = next((tile for tile in always if tile.heals or tile.calms), always[0])
        return (Course(What.IGNORED, replace(kit, calm=calm), gain, told.id),)
    if face.kind is Monster.ALLY:
        return (Course(What.HELPED, replace(kit, next_free=True)),)
    if face.kind is Monster.CUBE:
        lost = tuple(Course(What.LOST, kit.without(tile), 0, tile) for tile in dict.fromkeys(kit.tiles))
        return lost or (Course(What.LOST, kit),)
    for tile in _own(kit, tiles):
        if tile.use is Use.FIRST and _fits(tile, face, hp, repeated):
            return (_using(kit, tile, face),)
    hit = _hit(kit, face, tiles, hp=hp)
    if hit.change == 0:
        return (hit,)
    return (*_choices(kit, face, tiles, hp=hp, repeated=repeated, pile=pile), hit)


def revived(kit: Kit, before: int, hero_hp: int, tiles: Tiles) -> tuple[Kit, int, str] | None:
    """Return kit, hit points and the tile that brings back a hero who fell; None if none does.

    Args:
        before: hit points before the last blow.
    """
    for tile in _own(kit, tiles):
        if tile.revives is Revival.ONE_LESS and before > 1:
            return kit, before - 1, tile.id
        if tile.revives is Revival.HERO:
            return kit.without(tile.id), hero_hp, tile.id
    return None


def damage_of(kit: Kit, face: Face, tiles: Tiles, *, hp: int) -> int:
    """Return the hit points a monster costs that nothing ignores."""
    damage = face.strength or 0
    for tile in _own(kit, tiles):
        most = tile.even_at_most if face.is_even else tile.odd_at_most
        if most is not None and (tile.limits_below_hp is None or hp < tile.limits_below_hp):
            damage = min(damage, most)
    return max(0, damage - kit.calm - sum(tile.less for tile in _own(kit, tiles)))


def _own(kit: Kit, tiles: Tiles) -> Iterator[Tile]:
    return (tiles[tile] for tile in kit.tiles)


def _always(tile: Tile, kit: Kit, face: Face, named: Named, hp: int, repeated: bool) -> bool:
    if tile.names:
        return face.kind is not None and named.get(tile.id) is face.kind
    runs = tile.use is Use.ALWAYS or (tile.use is Use.STREAK and tile.id in kit.streak)
    return runs and _fits(tile, face, hp, repeated)


def _fits(tile: Tile, face: Face, hp: int, repeated: bool) -> bool:
    return tile.ignores is not None and tile.ignores.fits(face, hp=hp, repeated=repeated)


def _hit(kit: Kit, face: Face, tiles: Tiles, *, hp: int) -> Course:
    for tile in kit.streak:
        # A streak ends with the first monster that does not fit and that nothing ignores.
        if not _fits(tiles[tile], face, hp, repeated=False):
            kit = kit.without(tile)
    return Course(What.HIT, kit, -damage_of(kit, face, tiles, hp=hp))


def _using(kit: Kit, tile: Tile, face: Face, other: str | None = None) -> Course:
    after = (
        kit.without(tile.id) if tile.use is not Use.STREAK else replace(kit, streak=kit.streak | {tile.id})
    )
    if other is not None:
        after = after.without(other)
    return Course(
        What.USED,
        replace(after, next_free=tile.next_too, calm=after.calm + tile.calms),
        (face.strength or 0) if tile.heals else 0,
        tile.id,
        other,
    )


def _choices(kit: Kit, face: Face, tiles: Tiles, *, hp: int, repeated: bool, pile: bool) -> Iterator[Course]:
    for name in dict.fromkeys(kit.tiles):
        tile = tiles[name]
        if tile.swaps and pile:
            yield Course(What.SWAPPED, kit.without(name), 0, name)
        elif tile.use in (Use.MAY, Use.STREAK) and _fits(tile, face, hp, repeated):
            if not tile.costs_tile:
                yield _using(kit, tile, face)
                continue
            for other in dict.fromkeys(kit.tiles):
                if other != name:
                    yield _using(kit, tile, face, other)
