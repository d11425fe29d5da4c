"""French and English: which one a phone gets, and that no page mixes them."""

import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_file

from companion.apprentis.events import CODEC
from companion.apprentis.objectives import COLOURS, of_colour
from tests.web.all_pages import readable_pages
from tests.web.drop_journey import Journey, with_eye
from tests.web.french import CATALOGUE, in_french
from tests.web.guilds_journey import words_of_guilds
from tests.web.html_page import Page
from tests.web.phone import FRENCH, OBJECTIVES, Phone, group_entered, place_filled, sheet_signed
from tests.web.welcome_journey import words_of_welcome

ROOT = Path(__file__).parents[2]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")
SHORTEST = 12  # shorter words may be the same in both languages


def language_of(answer):
    return re.search(r'<html lang="([^"]*)"', answer.text)[1]


# Which language


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("fr", "fr"),
        ("fr-CA,fr;q=0.8,en;q=0.5", "fr"),
        ("en", "en"),
        ("en-GB,en;q=0.8,fr;q=0.5", "en"),
        ("de", "en"),
        ("de,fr;q=0.5,en;q=0.3", "fr"),
        ("de,en;q=0.5,fr;q=0.3", "en"),
        ("", "en"),
        ("\xff\xff", "en"),
    ],
)
def test_a_phone_gets_the_language_its_browser_asks_for(app, asked, given):
    answer = Phone(app, asked).get("/")

    assert language_of(answer) == given
    heading = "New game" if given == "en" else in_french("New game")
    assert heading in Page(answer.text).text


def test_a_tapped_language_is_remembered(phone):
    answer = phone.post("/language", {"language": "fr", "back": "/new/apprentis"})

    assert answer.status_code == 303
    assert answer.location == "/new/apprentis"
    assert [language_of(phone.get(path)) for path in ("/", "/new/apprentis", "/nothing")] == ["fr"] * 3


def test_a_tapped_language_can_be_tapped_away_again(french_phone):
    french_phone.post("/language", {"language": "en"})
    english = language_of(french_phone.get("/"))
    french_phone.post("/language", {"language": "fr"})

    assert english == "en"
    assert language_of(french_phone.get("/")) == "fr"


@pytest.mark.parametrize("language", ["de", "", "fr; DROP", "FR", "../fr"])
def test_an_unknown_language_changes_nothing(phone, language):
    answer = phone.post("/language", {"language": language})

    assert answer.status_code == 303
    assert language_of(phone.get("/")) == "en"


def test_the_buttons_say_which_language_is_shown(french_phone):
    tags = french_phone.page("/").tags

    pressed = {
        dict(attributes)["value"]: dict(attributes)["aria-pressed"]
        for tag, attributes in tags
        if tag == "button" and dict(attributes).get("name") == "language"
    }
    assert pressed == {"fr": "true", "en": "false"}


def test_each_phone_at_a_table_has_its_own_language(phone, french_phone):
    code = phone.create()

    assert language_of(phone.get(f"/t/{code}/seats/")) == "en"
    assert language_of(french_phone.get(f"/t/{code}/seats/")) == "fr"


# No English on French pages

EVENTS = [
    {"type": "threat_revealed", "effect": "new", "icon": True},
    group_entered(0),
    {"type": "group_advanced", "player": 0, "steps": 3},
    {"type": "group_advanced", "player": 0, "steps": 1},
    {"type": "group_advanced", "player": 0, "steps": 2},
    {"type": "group_advanced", "player": 0, "steps": 3},
    {"type": "group_removed", "player": 0, "room": 5},
    {"type": "guardian_revealed", "player": 0},
    {"type": "power_used", "player": 0, "power": 2},
    {"type": "others_struck", "player": 0, "effect": "advance", "steps": 1},
    {"type": "turn_ended", "player": 0},
    {"type": "threat_revealed", "effect": "advance", "steps": 2, "icon": True},
    {"type": "setup_corrected", "objectives": list(OBJECTIVES.values()), "piles": [0, 2, 2, 2, 2]},
]
INN = {"type": "inn_revealed", "whom": "most", "effect": "none"}
SHEET = [
    {"type": "scoring_opened"},
    place_filled(0, "room1", spider=20, brou=2, dragon=1, vampire=1),
    place_filled(0, "room2", spider=20),
    place_filled(0, "corridor1"),
    {"type": "groups_counted", "player": 0, "rooms": [1, 0, 1, 0, 0]},
    {"type": "malus_counted", "player": 0, "tiles": 2},
    sheet_signed(0),
]
REOPENED = {"type": "sheet_reopened", "player": 0}
PLACES = ("room1", "corridor1", "entrance", "groups", "malus")


def spoken(answer):
    """Return every word of an answer that a person can see or hear."""
    if answer.mimetype == "application/json":
        return answer.json.get("error", "")
    if answer.mimetype not in ("text/html", "image/svg+xml"):
        return ""
    page = Page(answer.text)
    kept_for_later = (
        value for _tag, attrs in page.tags for name, value in attrs if name.startswith("data-text")
    )
    return " ".join([page.text, *kept_for_later])


def every_word(app, language, folder):
    """Play each game and return all words that two phones and a spectator meet, by address."""
    drop = Journey(with_eye(app, folder), language, spoken).travel()
    welcome = words_of_welcome(app, language, spoken, readable_pages)
    guilds = words_of_guilds(app, language, spoken, readable_pages)
    return {**words_of_apprentis(app, language), **drop, **welcome, **guilds}


def words_of_apprentis(app, language):
    """Play a whole game and return all words that two phones and a spectator meet, by address."""
    phone, guest, watcher = (Phone(app, language) for _ in range(3))
    code = phone.create("Ana", "Zoë")
    met = {}

    def look(stage):
        places = [f"/t/{code}/?seat=0&place={place}" for place in PLACES]
        extra = [f"/t/{code}/?seat=1", f"/t/{code}/?watch=1"]
        for address in [*readable_pages(code), *places, *extra]:
            for who, visitor in (("host", phone), ("guest", guest), ("watcher", watcher)):
                met[f"{stage}: {who}: {address}"] = spoken(visitor.get(address))

    look("nobody sits")
    phone.sit(code, 0)
    guest.sit(code, 1)
    look("the first turn")
    phone.must(code, *EVENTS)
    look("an inn card is due")
    phone.must(code, INN, {"type": "turn_ended", "player": 1})
    for turn in range(10):
        phone.must(code, {"type": "threat_revealed", "effect": "none"})
        if turn < 9:
            phone.must(code, {"type": "turn_ended", "player": turn % 2})
    look("the last round")
    phone.steer(code, "rewind", to=len(EVENTS), seen=phone.version(code))
    phone.must(code, *SHEET)
    look("a signed sheet")
    for sides in zip(*(of_colour(colour) for colour in COLOURS), strict=True):
        keys = [side.key for side in sides]
        phone.must(code, {"type": "setup_corrected", "objectives": keys, "piles": [0, 2, 2, 2, 2]})
        met[f"objectives {keys}"] = spoken(phone.get(f"/t/{code}/?seat=0"))
    phone.must(code, REOPENED, sheet_signed(0))
    guest.must(code, sheet_signed(1), seat=1)
    look("the end")
    met.update(complaints(phone, guest, code))
    phone.post(f"/t/{code}/delete/")
    met["deleted"] = spoken(phone.get(f"/t/{code}/delete/done"))
    met["gone"] = spoken(guest.get(f"/t/{code}/"))
    return met


def complaints(phone, guest, code):
    """Return the words of each kind of error."""
    return {
        "no token": spoken(phone.post("/language", token=False)),
        "other site": spoken(phone.post("/language", Origin="http://evil.example")),
        "no page": spoken(phone.get("/nothing")),
        "wrong method": spoken(phone.get("/language")),
        "not the host": spoken(guest.post(f"/t/{code}/delete/")),
        "not your seat": spoken(guest.act(code, group_entered(0))),
        "illegal": spoken(phone.act(code, group_entered(0))),
        "stale": spoken(phone.act(code, group_entered(0), seen=99)),
        "not JSON": spoken(phone.act(code, "{")),
        "no event": spoken(phone.act(code, "[]")),
        "unknown event": spoken(phone.act(code, {"type": "flown"})),
        "missing field": spoken(phone.act(code, {"type": "group_entered"})),
        "unknown field": spoken(phone.act(code, {**group_entered(0), "times": 2})),
        "impossible field": spoken(phone.act(code, {"type": "group_entered", "player": "me"})),
        "unknown form": spoken(phone.act(code, form="flight")),
        "number in words": spoken(phone.act(code, form="malus", tiles="five")),
        "complete": spoken(phone.act(code, place_filled(0))),
        "no such seat": spoken(phone.act(code, group_entered(0), seat=9)),
        "long id": spoken(phone.act(code, group_entered(0), tap="x" * 99)),
        "no redo": spoken(phone.steer(code, "redo", seen=phone.version(code))),
        "already there": spoken(phone.steer(code, "rewind", to=999, seen=phone.version(code))),
        "taken": spoken(guest.post(f"/t/{code}/seats/0/take", live=True)),
        "not freed": spoken(guest.post(f"/t/{code}/seats/0/free", live=True)),
        "no file": spoken(phone.post("/import", live=True)),
        "one player": spoken(phone.post("/new/apprentis", {"player": ["Ana"]})),
        "long name": spoken(phone.post("/new/apprentis", {"player": ["A" * 25, "B"]})),
        "same names": spoken(phone.post("/new/apprentis", {"player": ["Ana", "ana"]})),
    }


def english_texts():
    """Return the longer parts of English texts that French says otherwise, by the text they come from."""
    texts = {}
    for key, french in CATALOGUE._catalog.items():
        english = key[0] if isinstance(key, tuple) else key
        for part in PLACEHOLDER.split(english):
            if len(part.strip()) > SHORTEST and part not in french:
                texts[part.strip()] = english
    return texts


def test_no_french_page_shows_an_english_text(app, tmp_path):
    english = english_texts()

    met = every_word(app, FRENCH, tmp_path)

    found = {(where, text) for where, words in met.items() for part, text in english.items() if part in words}
    assert found == set()


def texts_of_the_command_line():
    """Return the texts of commands, and of what only they use of Dungeon Drop."""
    folders = ("companion/dungeon_drop", "web/dungeon_drop", "web/commands")
    sources = [path for folder in folders for path in (ROOT / folder).glob("*.py")]
    keywords = {"say": None, "say_many": (1, 2)}
    entries = [entry[1] for path in sources for entry in extract_from_file("python", path, keywords)]
    found = {text for entry in entries for text in ([entry] if isinstance(entry, str) else entry)}
    assert len(found) > 30
    return found


def test_the_games_in_that_test_meet_most_texts_so_that_it_can_fail(app, tmp_path):
    elsewhere = texts_of_the_command_line()
    english = {part: text for part, text in english_texts().items() if text not in elsewhere}

    words = " ".join(every_word(app, "en", tmp_path).values())

    met = {part for part in english if part in words}
    assert len(english) > 150
    assert len(met) > 0.7 * len(english)
    assert {event["type"] for event in (*EVENTS, INN, *SHEET, REOPENED)} == set(CODEC.kinds)


def test_times_are_written_in_the_phones_language(app, tables, monkeypatch):
    monkeypatch.setattr(tables, "_clock", lambda: "2026-02-14T22:40:00+00:00")
    Phone(app).create()

    assert "Feb" in Phone(app).page("/").text
    assert "févr." in Phone(app, FRENCH).page("/").text
