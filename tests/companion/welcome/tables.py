"""Tables of the Welcome games for tests."""

from companion.welcome.game.events import AdventurerChosen, BiddingSkipped, DelveEnded, MonsterTurned
from companion.welcome.game.options import heroes_of
from companion.welcome.game.rules import apply
from companion.welcome.game.state import new_game

NAMES = ("Ana", "Ben", "Caro", "Dora")


def a_table(players=3, *, hero="warrior", boxes="both", **more):
    """Return a table at the start of the bidding; with hero None, before an adventurer is chosen."""
    return new_game(NAMES[:players], heroes=heroes_of(boxes), hero=hero, **more)


def after(state, *events):
    """Return the table after some events."""
    for event in events:
        state = apply(state, event)
    return state


def a_delve(state, player, *cards, tiles=(), hero="barbarian"):
    """Return the table after *player* went through a dungeon of *cards* with few tiles, bidding untold."""
    if state.phase == "choosing":
        state = after(state, AdventurerChosen(hero))
    inside = after(state, BiddingSkipped(player, tuple(tiles), len(cards)))
    return after(inside, *(MonsterTurned(card) for card in cards), DelveEnded())
