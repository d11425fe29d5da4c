"""Whatever people may type into any field of any game is shown as text, letter by letter, and never run."""

from html import unescape

import pytest

from tests.web import guilds_journey as guilds
from tests.web import welcome_journey as welcome
from tests.web.all_pages import readable_pages
from tests.web.phone import Phone
from tests.web.test_strangers import inline_code

# The end of an attribute, a tag with a script, and a template, in no more letters than a name may have.
TEXT = '"><p onx=y>{{7*7777}}'


def seen_everywhere(phone, code, *more):
    """Return everything that anybody can read of a table, after making sure that nothing of it is run."""
    pages, stranger = [], Phone(phone.app)
    for address in (*readable_pages(code), f"/t/{code}/?seat=0", f"/t/{code}/?watch=1", *more):
        for answer in (phone.get(address), phone.get(address, live=True), stranger.get(address)):
            if answer.mimetype in ("text/html", "image/svg+xml"):
                assert inline_code(answer.text) == [], address
                assert "<p onx" not in answer.text, address
                assert str(7 * 7777) not in answer.text, address
                pages.append(unescape(answer.text))
    return " ".join(pages)


def test_names_of_tiles(app):
    phone = Phone(app)
    code = welcome.a_game(phone, hero="necromancer")
    phone.sit(code, 0)
    tile = {"id": "sixth-tile", "en": TEXT, "fr": TEXT, "hp": 3}
    phone.must(code, {"type": "tile_written", "tile": tile})

    assert TEXT in seen_everywhere(phone, code, f"/t/{code}/tiles/sixth-tile?seat=0")


def test_monsters_and_notes_of_the_guilds(app):
    code, phones = guilds.seated(app, 3)
    phone = phones[0]
    phone.must(code, guilds.dealt("guardian"))
    guilds.choose_all(phones, code)
    phone.must(code, *guilds.PLACING)
    phone.must(code, guilds.revealed(guilds.TOP, 4, 3, TEXT), guilds.written(0, 1, note=TEXT))

    assert TEXT in seen_everywhere(phone, code)
    # The card is offered again at the next table, in a button that sends it as JSON.
    later, others = guilds.seated(app, 3)
    others[0].must(later, guilds.dealt("guardian"))
    guilds.choose_all(others, later)
    others[0].must(later, *guilds.PLACING)
    assert TEXT in seen_everywhere(others[0], later)


def test_what_heroes_are_called(app):
    phone = Phone(app)
    answer = phone.post("/new/dungeon-drop", {"player": ["Ana", "Ben"], "listed": "on"})
    code = answer.location.split("/")[2]
    phone.sit(code, 0)
    fields = ("race", "race_note", "calling", "calling_note")
    card = {
        "initiative": 4,
        "hit_points": 8,
        **{field: f"{number}{TEXT}" for number, field in enumerate(fields)},
    }
    phone.must(code, {"type": "hero_chosen", "player": 0, "card": card})

    seen = seen_everywhere(phone, code)
    assert all(f"{number}{TEXT}" in seen for number in range(len(fields)))


def test_quests(app):
    phone = Phone(app)
    answer = phone.post("/new/dungeon-drop", {"player": ["Ana", "Ben"], "listed": "on"})
    code = answer.location.split("/")[2]
    phone.sit(code, 0)
    quest = {"gems": {"clear": 1, "blue": 3, "pink": 2}, "name": TEXT}
    phone.must(code, {"type": "quest_written", "player": 0, "quest": quest})

    assert TEXT in seen_everywhere(phone, code)


@pytest.mark.parametrize("game", ["apprentis", "welcome", "welcome-back", "guilds", "dungeon-drop"])
def test_players_of_every_game(app, game):
    phone = Phone(app)
    answer = phone.post(f"/new/{game}", {"player": [TEXT, "Ben", "Caro"], "listed": "on"})
    code = answer.location.split("/")[2]
    phone.sit(code, 0)

    assert TEXT in seen_everywhere(phone, code)
