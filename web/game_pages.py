"""How each game appears on the phones; the rules themselves live in ``companion``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from companion.message import Message
from companion.score_sheet import Sheet
from web.apprentis import look as apprentis
from web.apprentis.forms import read_form
from web.at_table import Visit
from web.dungeon_drop import forms as drop_forms
from web.dungeon_drop import shows as drop
from web.guilds import forms as guilds_forms
from web.guilds import look as guilds
from web.welcome import forms as welcome_forms
from web.welcome import look as welcome


class RankedSheet(Protocol):
    """What the result pages need of a player."""

    @property
    def name(self) -> str:
        """The player's name."""

    @property
    def sheet(self) -> Sheet:
        """The score, line by line."""


@dataclass(frozen=True, slots=True)
class GamePages:
    """One game's pages. Each function returns what its template needs."""

    icon: str
    tagline: Message
    players: Message
    table_template: str
    tv_template: str
    table: Callable[[Visit], dict[str, Any]]
    tv: Callable[[Visit], dict[str, Any]]
    # Every player's name and score sheet, best first.
    ranked: Callable[[Visit], tuple[RankedSheet, ...]]
    read_form: Callable[[Mapping[str, str], int], dict[str, Any]]
    # Told after an event was recorded, for what follows from it outside of the rules.
    happened: Callable[[str, Mapping[str, Any]], None] = lambda code, event: None
    # Told after a table was set up.
    created: Callable[[str], None] = lambda code: None
    # Whether everybody fills in a score sheet that can be corrected after the end.
    has_sheets: bool = True


def _welcome(icon: str, tagline: Message) -> GamePages:
    """Return the pages of one of the two Welcome games: they differ in their box only."""
    return GamePages(
        icon=icon,
        tagline=tagline,
        players=welcome.PLAYERS,
        table_template="welcome/table.html",
        tv_template="welcome/tv.html",
        table=welcome.table,
        tv=welcome.tv,
        ranked=welcome.ranked,
        read_form=welcome_forms.read_form,
        created=welcome.created,
        has_sheets=False,
    )


GAME_PAGES = {
    "dungeon-drop": GamePages(
        icon="gem",
        tagline=drop.TAGLINE,
        players=drop.PLAYERS,
        table_template="dungeon_drop/table.html",
        tv_template="dungeon_drop/tv.html",
        table=drop.table,
        tv=drop.tv,
        ranked=drop.ranked,
        read_form=drop_forms.read_form,
        happened=drop.happened,
    ),
    "welcome": _welcome("gate", welcome.TAGLINE),
    "welcome-back": _welcome("torch", welcome.TAGLINE_BACK),
    "apprentis": GamePages(
        icon="tower",
        tagline=apprentis.TAGLINE,
        players=apprentis.PLAYERS,
        table_template="apprentis/table.html",
        tv_template="apprentis/tv.html",
        table=apprentis.table,
        tv=apprentis.tv,
        ranked=apprentis.ranked,
        read_form=read_form,
    ),
    "guilds": GamePages(
        icon="banner",
        tagline=guilds.TAGLINE,
        players=guilds.PLAYERS,
        table_template="guilds/table.html",
        tv_template="guilds/tv.html",
        table=guilds.table,
        tv=guilds.tv,
        ranked=guilds.ranked,
        read_form=guilds_forms.read_form,
        created=guilds.created,
        has_sheets=False,
    ),
}
