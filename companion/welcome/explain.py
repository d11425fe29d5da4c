"""Tiles and encounters in words: what a tile does, what happened and why."""

from __future__ import annotations

from collections.abc import Mapping

from companion.message import Message, say, say_many
from companion.welcome.delve import Met
from companion.welcome.kit import What
from companion.welcome.monsters import Monster
from companion.welcome.names import MONSTER_NAMES
from companion.welcome.tiles import Match, Revival, Tile, Use


def tile_rule(tile: Tile) -> tuple[Message, ...]:
    """Explain in a few sentences what a tile does."""
    found: list[Message] = []
    if tile.hp:
        found.append(say_many("+%(count)d hit point.", "+%(count)d hit points.", tile.hp))
    found += _ignoring(tile)
    if tile.less:
        found.append(say("All damage is %(count)d less.", count=tile.less))
    found += _limits(tile)
    if tile.revives is Revival.HERO:
        found.append(say("At 0 hit points or less you go on with the adventurer's own hit points. Once."))
    elif tile.revives is Revival.ONE_LESS:
        found.append(
            say("At 0 hit points or less you go on with one less than before the blow, if that is not 0.")
        )
    if tile.swaps:
        found.append(say("Swap a monster for the next of the draw pile, once; not if the pile is empty."))
    if tile.wins_if_all_differ:
        found.append(say("After the whole dungeon: if all its monsters differ, you win even if you fell."))
    return tuple(found) or (say("What it does is not known. Read your tile and write it down."),)


def _ignoring(tile: Tile) -> list[Message]:
    found: list[Message] = []
    if tile.names == "me":
        found.append(say("Before the first card you name a monster. You ignore all of that kind."))
    elif tile.names == "rival":
        found.append(
            say("Before the first card another player names a monster, and you ignore all of that kind.")
        )
    if tile.names and (tile.names_low is not None or tile.names_high is not None):
        found.append(
            say(
                "Its strength is from %(low)d to %(high)d.",
                low=tile.names_low or 0,
                high=tile.names_high or 9,
            )
        )
    if tile.ignores is not None:
        what = _monsters(tile.ignores)
        match tile.use:
            case Use.ALWAYS:
                found.append(say("You ignore %(what)s.", what=what))
            case Use.FIRST:
                found.append(say("You ignore %(what)s, the first time; then it is discarded.", what=what))
            case Use.MAY:
                found.append(
                    say("You may ignore %(what)s, once; decide before you see the next card.", what=what)
                )
            case Use.STREAK:
                found.append(
                    say(
                        "You may ignore %(what)s, then every one after it, until another monster strikes.",
                        what=what,
                    )
                )
        if tile.ignores.below_hp is not None:
            found.append(
                say("Only while you have fewer than %(count)d hit points.", count=tile.ignores.below_hp)
            )
    if tile.next_too:
        found.append(say("The next monster is ignored too."))
    if tile.costs_tile:
        found.append(say("Another tile is discarded with it."))
    if tile.heals:
        found.append(say("Its strength is added to your hit points."))
    if tile.calms:
        found.append(say("Each one lowers all later damage by %(count)d.", count=tile.calms))
    return found


def _monsters(match: Match) -> Message:
    if match.repeats:
        return say("the second and every later monster of each kind")
    if match.kinds:
        return _listed(match.kinds)
    odd = match.parity == "odd"
    if match.low is not None and match.high is not None:
        if match.parity:
            words = (
                say("odd monsters of strength %(low)d to %(high)d", low=match.low, high=match.high)
                if odd
                else say("even monsters of strength %(low)d to %(high)d", low=match.low, high=match.high)
            )
            return words
        return say("monsters of strength %(low)d to %(high)d", low=match.low, high=match.high)
    if match.high is not None:
        if match.parity:
            return (
                say("odd monsters of strength %(high)d or less", high=match.high)
                if odd
                else say("even monsters of strength %(high)d or less", high=match.high)
            )
        return say("monsters of strength %(high)d or less", high=match.high)
    if match.low is not None:
        if match.parity:
            return (
                say("odd monsters of strength %(low)d or more", low=match.low)
                if odd
                else say("even monsters of strength %(low)d or more", low=match.low)
            )
        return say("monsters of strength %(low)d or more", low=match.low)
    if match.parity:
        return say("odd monsters") if odd else say("even monsters")
    return say("a monster")


def _listed(kinds: tuple[Monster, ...]) -> Message:
    """Name kinds one after the other; nested, because a message has a fixed number of places."""
    first, *rest = kinds
    if not rest:
        return MONSTER_NAMES[first]
    return say("%(first)s, %(rest)s", first=MONSTER_NAMES[first], rest=_listed(tuple(rest)))


def _limits(tile: Tile) -> list[Message]:
    found: list[Message] = []
    if tile.odd_at_most is not None:
        found.append(say("Odd monsters deal at most %(count)d damage.", count=tile.odd_at_most))
    if tile.even_at_most is not None:
        found.append(say("Even monsters deal at most %(count)d damage.", count=tile.even_at_most))
    if found and tile.limits_below_hp is not None:
        found.append(say("Only while you have fewer than %(count)d hit points.", count=tile.limits_below_hp))
    return found


def encounter(met: Met, tiles: Mapping[str, Tile]) -> tuple[Message, ...]:
    """Tell what happened when a card was turned, and why."""
    found = [_what_happened(met, tiles)]
    if met.other is not None:
        found.append(say("%(tile)s is discarded.", tile=tiles[met.other].name))
    if met.revived_by is not None:
        found.append(
            say_many(
                "%(tile)s: back with %(count)d hit point.",
                "%(tile)s: back with %(count)d hit points.",
                met.hp,
                tile=tiles[met.revived_by].name,
            )
        )
    elif met.fell:
        found.append(say("The hero falls."))
    return tuple(found)


def _what_happened(met: Met, tiles: Mapping[str, Tile]) -> Message:
    who = met_name(met)
    tile = tiles[met.tile].name if met.tile else say("nothing")
    match met.what:
        case What.FREE:
            return say("%(monster)s: ignored, as promised before.", monster=who)
        case What.IGNORED if met.change:
            return say(
                "%(monster)s: ignored (%(tile)s), +%(count)d.", monster=who, tile=tile, count=met.change
            )
        case What.IGNORED:
            return say("%(monster)s: ignored (%(tile)s).", monster=who, tile=tile)
        case What.USED:
            return say("%(monster)s: %(tile)s is used to ignore it.", monster=who, tile=tile)
        case What.SWAPPED:
            return say("%(monster)s: swapped (%(tile)s).", monster=who, tile=tile)
        case What.HELPED:
            return say("%(monster)s: the next monster is ignored.", monster=who)
        case What.LOST if met.tile is None:
            return say("%(monster)s: there is no tile to discard.", monster=who)
        case What.LOST:
            return say("%(monster)s: %(tile)s is discarded.", monster=who, tile=tile)
        case What.SEEN:
            return say("%(monster)s: it can do no more harm.", monster=who)
        case _ if met.change == 0:
            return say("%(monster)s: no damage.", monster=who)
        case _ if -met.change != (met.face.strength or 0):
            return say(
                "%(monster)s strikes: %(count)d instead of %(strength)d damage.",
                monster=who,
                count=-met.change,
                strength=met.face.strength or 0,
            )
        case _:
            return say("%(monster)s strikes: %(count)d damage.", monster=who, count=-met.change)


def met_name(met: Met) -> Message:
    """Name a monster that was met, and what it was at that moment if it is a changing one."""
    name = MONSTER_NAMES[met.card]
    kind, strength = met.face.kind, met.face.strength
    if kind is not None and kind is not met.card:
        return say("%(monster)s as %(kind)s", monster=name, kind=MONSTER_NAMES[kind])
    if met.card in (Monster.MIMIC, Monster.COUNT, Monster.SHAPESHIFTER) and strength is not None:
        return say("%(monster)s of strength %(strength)d", monster=name, strength=strength)
    return name
