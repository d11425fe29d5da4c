"""The odds for one player at a table: now, for every option of a turn, at every choice in the dungeon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import BadData
from companion.welcome.delve import total_hp
from companion.welcome.game.state import Notes, Phase
from companion.welcome.game.view import TableView
from companion.welcome.kit import Kit, courses
from companion.welcome.monsters import Monster, face_of
from companion.welcome.odds.entering import Entry, entry_odds, naming_odds
from companion.welcome.odds.kits import Choice
from companion.welcome.odds.question import Cards, question_of
from companion.welcome.odds.survival import prospects


@dataclass(frozen=True, slots=True)
class Threat:
    """The monster that does most harm to expect: how likely it is there, and its damage."""

    monster: Monster
    likely: float
    damage: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """How likely the dungeon is survived, as one player can know it.

    Attributes:
        survive: for the player who asks, or who is in the dungeon.
        others: by seat, where it differs from that: the count looks at success cards.
        named: what is best named before entering.
        threat: the main reason; None if nothing can hurt.
    """

    survive: float
    hp: int
    others: Mapping[int, float]
    named: Mapping[str, Monster]
    threat: Threat | None


@dataclass(frozen=True, slots=True)
class Option:
    """What could be done with a card that was drawn: add it (no tile) or set it aside with a tile."""

    tile: str | None
    outlook: Outlook


def notes_fit(view: TableView) -> bool:
    """Whether the own notes can be true for what everybody sees."""
    if view.bids is None:
        return True
    turned = Counter(view.delve.turned if view.delve else ())
    mine = Counter(view.notes.dungeon)
    strangers = sum((turned - mine).values())
    fits = len(view.notes.dungeon) + strangers <= view.bids.in_dungeon
    swapped = Counter(view.delve.swapped_in if view.delve else ())
    left = view.unseen
    there = all(
        max(0, mine[card] - turned[card]) + view.notes.aside.count(card) <= left.get(card, 0) + swapped[card]
        for card in set(mine) | set(view.notes.aside)
    )
    return fits and there and len(view.notes.aside) <= view.bids.set_aside


def cards_of(view: TableView, *, add: Monster | None = None, aside: Monster | None = None) -> Cards:
    """Return what the viewer knows of the cards, with one more that was drawn just now."""
    assert view.bids is not None
    notes = view.notes if notes_fit(view) else Notes()
    known = (*notes.dungeon, *((add,) if add else ()))
    swapped = view.delve.swapped_in if view.delve else ()
    gone = (*notes.aside, *swapped, *((aside,) if aside else ()))
    size = view.bids.in_dungeon + (add is not None)
    drawn = add is not None or aside is not None
    return Cards(_sorted(known), _sorted(gone), size - len(known), view.specials, view.pile - drawn > 0)


def _sorted(cards: tuple[Monster, ...]) -> tuple[Monster, ...]:
    # One order, so that equal questions are answered once.
    return tuple(sorted(cards))


def outlook(view: TableView) -> Outlook | None:
    """Return the odds of whoever is in the dungeon, or of the asker if they went in; None between rounds."""
    if view.bids is None or view.phase is Phase.FINISHED:
        return None
    try:
        if view.delve is not None:
            return _inside(view)
        return _entering(view, view.bids.left, cards_of(view))
    except BadData:
        return None  # what was noted cannot be true


def options(view: TableView, drawn: Monster) -> tuple[Option, ...]:
    """Return what adding a drawn card, or setting it aside with each tile, would do to the odds."""
    assert view.bids is not None
    left = view.bids.left
    found: list[Option] = []
    try:
        found.append(Option(None, _entering(view, left, cards_of(view, add=drawn))))
        for tile in () if view.must_add else left:
            without = tuple(other for other in left if other != tile)
            found.append(Option(tile, _entering(view, without, cards_of(view, aside=drawn))))
    except BadData:
        return ()
    return tuple(found)


def choice_odds(view: TableView) -> Mapping[Choice, float]:
    """Return how likely the hero survives after each choice about the monster that waits."""
    if view.delve is None or view.delve.facing is None:
        return {}
    try:
        return prospects(question_of(view.delve, view.tiles, cards_of(view))).choices
    except BadData:
        return {}


def _inside(view: TableView) -> Outlook:
    assert view.delve is not None
    entry = naming_odds(question_of(view.delve, view.tiles, cards_of(view)), view.tiles)
    return Outlook(entry.survive, view.delve.hp, {}, entry.named, None)


def _entering(view: TableView, left: tuple[str, ...], cards: Cards) -> Outlook:
    assert view.bids is not None
    hero = view.bids.hero
    mine = view.players[view.seat].successes if view.seat is not None else 0
    entries = {
        wins: entry_odds(hero, left, view.tiles, cards, successes=wins)
        for wins in ({player.successes for player in view.players} if _looks(cards) else {mine}) | {mine}
    }
    own = entries[mine]
    others = {
        player.seat: entries[player.successes].survive
        for player in view.players
        if player.successes in entries and entries[player.successes].survive != own.survive
    }
    return Outlook(own.survive, own.hp, others, own.named, _threat(view, left, cards, own, mine))


def _looks(cards: Cards) -> bool:
    """Whether the count may be in the dungeon, who looks at success cards."""
    return Monster.COUNT in cards.specials and Monster.COUNT not in cards.gone


def _threat(
    view: TableView, left: tuple[str, ...], cards: Cards, entry: Entry, successes: int
) -> Threat | None:
    """Return the monster that costs most hit points on average, one by one."""
    assert view.bids is not None
    pool = cards.pool()
    total = sum(pool.values())
    kit = Kit(left)
    hp = total_hp(view.bids.hero, left, view.tiles)
    found: list[tuple[float, Threat]] = []
    for card, count in pool.items():
        face = face_of(card, position=1, tiles_left=len(left), successes=successes)
        ways = courses(kit, face, view.tiles, entry.named, hp=hp, repeated=False, pile=False)
        damage = -ways[-1].change  # the last way is to take the damage
        missing = 1.0
        for place in range(count):
            missing *= max(0.0, (total - cards.unknown - place) / (total - place))
        likely = 1.0 if card in cards.known else 1 - missing
        if damage and likely > 0:
            found.append((damage * likely, Threat(card, likely, damage)))
    return max(found, key=lambda pair: pair[0])[1] if found else None
