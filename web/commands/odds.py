"""``dungeon odds``: how likely a dungeon of Welcome (Back) to the Dungeon is survived."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from companion.welcome.monsters import Monster
    from companion.welcome.odds.entering import Entry

Key = TypeVar("Key", bound=str)
PLACES = 6  # digits after the point


@click.command()
@click.option(
    "--hero", required=True, metavar="HERO", help="The adventurer: warrior, barbarian, mage, bard..."
)
@click.option(
    "--tiles", default=None, metavar="TILES", help="The tiles left: torch,plate-armor  [default: all]"
)
@click.option("--known", default="", metavar="CARDS", help="Cards you know in the dungeon: goblin,orc")
@click.option("--aside", default="", metavar="CARDS", help="Cards you know not to be in it: dragon")
@click.option(
    "--unknown",
    default=0,
    show_default=True,
    type=click.IntRange(0, 15),
    help="Further cards in the dungeon.",
)
@click.option("--specials", default="", metavar="CARDS", help="Special monsters of this game: fairy,count")
@click.option(
    "--successes",
    default=0,
    show_default=True,
    type=click.IntRange(0, 1),
    help="Success cards of who goes in.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def odds(
    hero: str,
    tiles: str | None,
    known: str,
    aside: str,
    unknown: int,
    specials: str,
    successes: int,
    as_json: bool,
) -> None:
    """How likely is the dungeon survived with best play?

    Every choice in the dungeon is made as well as what has been turned so far allows. Unknown cards are any
    of those that are not known, in any order.

    \b
    dungeon odds --hero warrior --tiles torch,plate-armor --known goblin,orc --aside dragon --unknown 3
    """
    from companion.welcome.monsters import SPECIAL, Monster
    from companion.welcome.odds.entering import entry_odds
    from companion.welcome.odds.question import Cards
    from companion.welcome.tiles import heroes, printed_tiles

    adventurers, printed = heroes(), printed_tiles()
    who = adventurers[
        _pick(hero, adventurers, lambda key: (adventurers[key].en, adventurers[key].fr), "adventurer")
    ]

    def of_list(text: str, among: Iterable[Monster], what: str) -> tuple[Monster, ...]:
        return tuple(Monster(_pick(name, among, lambda _: (), what)) for name in _split(text))

    left = who.tiles
    if tiles is not None:
        names = (
            _pick(name, who.tiles, lambda key: (printed[key].en, printed[key].fr), "tile")
            for name in _split(tiles)
        )
        chosen = tuple(names)
        if len(set(chosen)) < len(chosen):
            raise click.BadParameter("a tile is there only once", param_hint="--tiles")
        left = tuple(tile for tile in who.tiles if tile in chosen)
    in_game = of_list(specials, SPECIAL, "special monster")
    if len(set(in_game)) < len(in_game):
        raise click.BadParameter("there is one of each special monster", param_hint="--specials")
    cards = Cards(of_list(known, Monster, "monster"), of_list(aside, Monster, "monster"), unknown, in_game)
    answer = entry_odds(who.id, left, printed, cards, successes=successes)
    click.echo(_as_json(answer) if as_json else _as_text(answer))


def _split(text: str) -> list[str]:
    return [name for name in (part.strip() for part in text.split(",")) if name]


def _plain(name: str) -> str:
    """Return a name as ids are written: lower case, hyphens, no accents, no leading article."""
    letters = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"^(the|l|le|la|les)-", "", re.sub(r"[^a-z0-9]+", "-", letters).strip("-"))


def _pick(name: str, among: Iterable[Key], also: Callable[[Key], tuple[str, ...]], what: str) -> Key:
    """Return the one that is meant: by id, or by its English or French name."""
    keys = list(among)
    for key in keys:
        if _plain(name) in {_plain(key), *map(_plain, also(key))}:
            return key
    raise click.UsageError(f"no {what} is called '{name}'; there are {', '.join(keys)}")


def _as_json(answer: Entry) -> str:
    return json.dumps(
        {
            "schema": 1,
            "survive": round(answer.survive, PLACES),
            "hp": answer.hp,
            "before_entry": {tile: str(kind) for tile, kind in answer.named.items()},
        }
    )


def _as_text(answer: Entry) -> str:
    from companion.welcome.names import MONSTER_NAMES
    from companion.welcome.tiles import printed_tiles

    lines = [f"{answer.survive:.1%} to survive with {answer.hp} hit points"]
    for tile, kind in answer.named.items():
        by = "worst case" if printed_tiles()[tile].names == "rival" else "best"
        lines.append(f"{printed_tiles()[tile].en}: {MONSTER_NAMES[kind]} ({by})")
    return "\n".join(lines)
