"""What happened at the table, in sentences that all may read."""

from __future__ import annotations

from companion.message import Message, say
from companion.welcome.explain import encounter
from companion.welcome.game.events import (
    AdventurerChosen,
    BiddingSkipped,
    CardsNoted,
    DelveEnded,
    Event,
    KindNamed,
    MonsterAdded,
    MonsterSetAside,
    PlayerPassed,
    TilesRecalled,
    TileWritten,
)
from companion.welcome.game.state import Aid, GameState, Phase
from companion.welcome.names import MONSTER_NAMES
from companion.welcome.tiles import heroes


def tell(before: GameState, event: Event, after: GameState) -> tuple[Message, ...]:
    """Tell what an event did; never what only one player knows."""
    name = before.players[event.player] if hasattr(event, "player") else ""
    match event:
        case TilesRecalled():
            return (say("Tiles are as they were corrected in earlier games."),)
        case TileWritten():
            return (say("The tile %(tile)s is corrected.", tile=event.tile.name),)
        case AdventurerChosen():
            return (say("The adventurer is the %(hero)s.", hero=heroes()[event.hero].name),)
        case CardsNoted():
            return (say("%(player)s writes down own cards.", player=name),)
        case MonsterAdded():
            return (say("%(player)s adds a monster.", player=name), *_who_goes_in(after))
        case MonsterSetAside():
            tile = before.tiles[event.tile].name
            aside = say("%(player)s sets a monster aside with %(tile)s.", player=name, tile=tile)
            return (aside, *_who_goes_in(after))
        case PlayerPassed():
            return (say("%(player)s passes.", player=name), *_who_goes_in(after))
        case BiddingSkipped():
            return _who_goes_in(after)
        case KindNamed():
            tile, kind = before.tiles[event.tile].name, MONSTER_NAMES[event.kind]
            return (say("%(tile)s: all of the kind %(kind)s are ignored.", tile=tile, kind=kind),)
        case DelveEnded():
            return _round_end(after)
        case _:
            return _last_encounters(before, after)


def _who_goes_in(after: GameState) -> tuple[Message, ...]:
    if after.phase is not Phase.DELVING:
        return ()
    return (say("%(player)s goes into the dungeon.", player=after.players[after.turn]),)


def _last_encounters(before: GameState, after: GameState) -> tuple[Message, ...]:
    assert before.delve is not None and after.delve is not None
    new = after.delve.met[len(before.delve.met) :]
    told = tuple(sentence for met in new for sentence in encounter(met, before.tiles))
    if after.delve.facing is not None:
        return (*told, say("%(monster)s is turned.", monster=MONSTER_NAMES[after.delve.facing]))
    return told


def _round_end(after: GameState) -> tuple[Message, ...]:
    assert after.last is not None
    seat = after.last.player
    name = after.players[seat]
    if after.last.survived:
        return (say("%(player)s survives and takes a success card.", player=name),)
    if after.aids[seat] is Aid.OUT:
        return (say("%(player)s fails for the second time and is out.", player=name),)
    return (say("%(player)s fails: the aid card turns red.", player=name),)
