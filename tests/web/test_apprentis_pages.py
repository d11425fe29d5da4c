"""The pages of Les Apprentis Gardiens, read and pressed as a browser without scripts does."""

import csv
import io
import json
import random
import xml.etree.ElementTree as ElementTree
from urllib.parse import unquote

import pytest

from companion.apprentis.events import CODEC, InnRevealed, ThreatRevealed
from companion.apprentis.legal import legal_events
from tests.web.phone import Phone, group_entered, place_filled, sheet_signed
from tests.web.random_table import RandomTable, body_of, illegal_offers, offered_events, offers

THREAT = {"type": "threat_revealed", "effect": "none", "icon": True}
NO_THREAT = {"type": "threat_revealed", "effect": "none"}
REVEALED = {"type": "guardian_revealed", "player": 0}
TITLE = "Donjon: Les Apprentis Gardiens"


def malus_counted(player, tiles):
    return {"type": "malus_counted", "player": player, "tiles": tiles}


def groups_counted(player, *rooms):
    return {"type": "groups_counted", "player": player, "rooms": list(rooms)}


def turn_ended(player):
    return {"type": "turn_ended", "player": player}


@pytest.fixture
def code(phone):
    """A game under way with both seats on one phone."""
    code = phone.create("Ana", "Ben")
    phone.sit_everywhere(code)
    return code


@pytest.fixture
def scoring(phone):
    """A game of which only the end is scored, both seats on one phone."""
    code = phone.create("Ana", "Ben", mode="score")
    phone.sit_everywhere(code)
    return code


def offered_types(page):
    return {body_of(form, button, **changes)["type"] for form, button, changes in offers(page)}


# A whole game by buttons


@pytest.mark.parametrize(("seed", "players"), [(1, 2), (2, 3), (3, 4)])
def test_a_game_can_be_played_to_its_end_by_plain_forms(app, seed, players):
    rng = random.Random(seed)
    phones = [Phone(app) for _ in range(players)]
    code = phones[0].create("Ana", "Ben", "Cleo", "Dan"[:players] if players == 4 else "", first=1)
    for seat, phone in enumerate(phones):
        phone.sit(code, seat)
    table = RandomTable(phones, code, rng)
    kinds = set()

    for seat, page in table.pages_of_play():
        assert illegal_offers(page, table.journal) == []
        offered, legal = offered_events(page, CODEC), set(legal_events(table.journal.state, seat))
        if table.journal.state.inn_due:  # the inn card comes first, so a threat card is not asked for
            legal -= {event for event in legal if isinstance(event, ThreatRevealed)}
        assert offered == legal
        kinds |= {type(event) for event in offered}
    for seat in rng.sample(range(players), players):
        for page in table.fill_in(seat):
            assert illegal_offers(page, table.journal) == []
            total = table.journal.rules.outcome  # the sheet is open, so there is no outcome yet
            assert total(table.journal.state) is None

    assert InnRevealed in kinds
    assert table.journal.state.phase == "finished"
    assert phones[0].page(f"/t/{code}/result").tables
