"""Welcome (Back) to the Dungeon: one pure ``apply`` for bidding, dungeon and cards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import assert_never

from companion.errors import BadData, IllegalEvent
from companion.message import say
from companion.welcome.delve import enter, survived
from companion.welcome.game.dungeon import explore
from companion.welcome.game.events import (
    AdventurerChosen,
    BiddingEvent,
    BiddingSkipped,
    CardsNoted,
    DelveEnded,
    DelveEvent,
    Event,
    MonsterAdded,
    MonsterSetAside,
    PlayerPassed,
    TilesRecalled,
    TileWritten,
)
from companion.welcome.game.state import (
    SUCCESSES_TO_WIN,
    Aid,
    Bidding,
    GameState,
    Notes,
    Phase,
    RoundEnd,
    with_hero,
)
from companion.welcome.monsters import Monster, deck
from companion.welcome.tiles import Tile, check_tile, heroes


def apply(state: GameState, event: Event) -> GameState:
    """Return the state after *event*; never change *state*.

    Raises:
        IllegalEvent: the message is one a player can read.
    """
    player = getattr(event, "player", None)
    if player is not None and not 0 <= player < len(state.players):
        raise IllegalEvent(say("There is no such player."))
    if state.phase is Phase.FINISHED:
        raise IllegalEvent(say("The game is over."))
    match event:
        case TilesRecalled():
            return _with_tiles(state, event.tiles)
        case TileWritten():
            return _with_tiles(state, (event.tile,))
        case AdventurerChosen():
            return _choose_hero(state, event.hero)
        case CardsNoted():
            return _note(state, event)
        case BiddingSkipped():
            return _skip_bidding(state, event)
        case MonsterAdded() | MonsterSetAside() | PlayerPassed():
            return _bid(state, event)
        case _:
            return _delve(state, event)


def _with_tiles(state: GameState, tiles: tuple[Tile, ...]) -> GameState:
    if state.phase is Phase.DELVING:
        raise IllegalEvent(say("A tile is corrected before somebody goes into the dungeon, or after."))
    corrected = {tile.id: tile for tile in state.corrected}
    for tile in tiles:
        try:
            check_tile(tile)
        except BadData as error:
            raise IllegalEvent(error.message) from error
        corrected[tile.id] = tile
    return replace(state, corrected=tuple(corrected.values()))


def _choose_hero(state: GameState, hero: str) -> GameState:
    if state.phase is not Phase.CHOOSING:
        raise IllegalEvent(say("The adventurer of this round has been chosen."))
    if hero not in state.heroes:
        raise IllegalEvent(say("This adventurer is not in the game."))
    return with_hero(state, hero)


def _bids(state: GameState) -> Bidding:
    if state.phase is Phase.CHOOSING or state.bids is None:
        raise IllegalEvent(say("First an adventurer is chosen."))
    if state.phase is not Phase.BIDDING:
        raise IllegalEvent(say("The bidding is over."))
    return state.bids


def must_add(state: GameState) -> bool:
    """Whether the variant, or the lack of tiles, leaves only adding to who draws now."""
    return bool(state.bids) and (_is_first_turn(state) or not (state.bids and state.bids.left))


def may_pass(state: GameState) -> bool:
    """Whether who bids now may pass."""
    return not _is_first_turn(state) or state.pile == 0


def _is_first_turn(state: GameState) -> bool:
    bids = state.bids
    return state.must_add_first and bids is not None and bids.turns[state.turn] == 0


def _bid(state: GameState, event: BiddingEvent) -> GameState:
    bids = _bids(state)
    if event.player != state.turn:
        raise IllegalEvent(say("It is %(player)s's turn.", player=state.players[state.turn]))
    if isinstance(event, PlayerPassed):
        if not may_pass(state):
            raise IllegalEvent(say("On the first turn everybody adds a monster."))
        return _next_bidder(replace(state, bids=replace(bids, passed=(*bids.passed, event.player))))
    if state.pile == 0:
        raise IllegalEvent(say("The draw pile is empty: you must pass."))
    if event.card is not None:
        notes = state.notes[event.player]
        state = _noted(state, event.player, _with_card(notes, event, event.card))
    match event:
        case MonsterAdded():
            bids = replace(bids, in_dungeon=bids.in_dungeon + 1)
        case MonsterSetAside():
            if _is_first_turn(state):
                raise IllegalEvent(say("On the first turn everybody adds a monster."))
            if event.tile not in bids.left:
                raise IllegalEvent(say("This tile is not there any more."))
            left = tuple(tile for tile in bids.left if tile != event.tile)
            bids = replace(bids, left=left, set_aside=bids.set_aside + 1)
        case _:
            assert_never(event)
    turns = tuple(count + (seat == event.player) for seat, count in enumerate(bids.turns))
    return _next_bidder(replace(state, bids=replace(bids, turns=turns)))


def _with_card(notes: Notes, event: MonsterAdded | MonsterSetAside, card: Monster) -> Notes:
    if isinstance(event, MonsterAdded):
        return replace(notes, dungeon=(*notes.dungeon, card))
    return replace(notes, aside=(*notes.aside, card))


def _next_bidder(state: GameState) -> GameState:
    left = state.bidders()
    turn = state.after(state.turn, left)
    return _enter(state, turn) if len(left) == 1 else replace(state, turn=turn)


def _enter(state: GameState, seat: int) -> GameState:
    assert state.bids is not None
    delve = enter(state.bids.hero, state.bids.left, state.tiles, successes=state.successes[seat])
    return replace(state, phase=Phase.DELVING, turn=seat, delve=delve)


def _skip_bidding(state: GameState, event: BiddingSkipped) -> GameState:
    bids = _bids(state)
    own = heroes()[bids.hero].tiles
    if state.aids[event.player] is Aid.OUT:
        raise IllegalEvent(say("This player is out of the game."))
    if len(set(event.tiles)) < len(event.tiles) or not set(event.tiles) <= set(own):
        raise IllegalEvent(say("This tile does not belong to the adventurer."))
    aside = len(own) - len(event.tiles)
    if not 0 <= event.cards <= state.deck_size - aside:
        raise IllegalEvent(say("There are not so many cards."))
    left = tuple(tile for tile in own if tile in event.tiles)
    others = tuple(seat for seat in state.bidders() if seat != event.player)
    skipped = replace(
        bids, left=left, in_dungeon=event.cards, set_aside=aside, passed=(*bids.passed, *others)
    )
    return _enter(replace(state, bids=skipped), event.player)


def _note(state: GameState, event: CardsNoted) -> GameState:
    if state.bids is None or state.phase is Phase.CHOOSING:
        raise IllegalEvent(say("First an adventurer is chosen."))
    return _noted(state, event.player, Notes(event.dungeon, event.aside))


def _noted(state: GameState, seat: int, notes: Notes) -> GameState:
    cards = deck(state.specials)
    for monster, count in Counter((*notes.dungeon, *notes.aside)).items():
        if count > cards.get(monster, 0):
            raise IllegalEvent(say("There are not so many of these monsters in the game."))
    return state.with_notes(seat, notes)


def _delve(state: GameState, event: DelveEvent) -> GameState:
    if state.phase is not Phase.DELVING or state.delve is None:
        raise IllegalEvent(say("Nobody is in the dungeon."))
    if not isinstance(event, DelveEnded):
        return explore(state, event)
    if state.delve.facing is not None:
        raise IllegalEvent(say("First say what happens with the monster that was turned last."))
    return _round_over(state, survived(state.delve, state.tiles))


def _round_over(state: GameState, success: bool) -> GameState:
    assert state.delve is not None
    seat = state.turn
    aids, successes = list(state.aids), list(state.successes)
    if success:
        successes[seat] += 1
    else:
        aids[seat] = Aid.RED if aids[seat] is Aid.WHITE else Aid.OUT
    standing = tuple(other for other, aid in enumerate(aids) if aid is not Aid.OUT)
    over = successes[seat] == SUCCESSES_TO_WIN or len(standing) == 1
    return replace(
        state,
        aids=tuple(aids),
        successes=tuple(successes),
        phase=Phase.FINISHED if over else Phase.CHOOSING,
        # Who went in chooses and starts; for somebody who is out, the next one at the table does.
        turn=seat if seat in standing else state.after(seat, standing),
        round=state.round if over else state.round + 1,
        bids=None,
        delve=None,
        notes=(Notes(),) * len(state.players),
        last=RoundEnd(seat, success, state.delve.position),
    )
