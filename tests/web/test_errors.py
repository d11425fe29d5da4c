"""When something breaks: a sentence, a way back, and the game unharmed."""

import logging

import pytest

from tests.web.french import in_french
from tests.web.html_page import Page
from tests.web.phone import FRENCH, Phone, group_entered

BROKE = "Something broke in the companion. Nothing that was recorded is lost."


@pytest.fixture
def code(phone):
    code = phone.create()
    phone.sit(code, 0)
    phone.must(code, group_entered(0))
    return code


def break_view(app, endpoint):
    """Put a mistake into a page."""

    def broken(**_arguments):
        raise RuntimeError("a mistake of ours: secret details")

    app.view_functions[endpoint] = broken


# A page that crashes


@pytest.mark.parametrize(("language", "sentence"), [("en", BROKE), (FRENCH, in_french(BROKE))])
def test_a_crash_is_a_page_in_the_phones_language_with_a_way_back(app, code, language, sentence):
    break_view(app, "history.read")
    visitor = Phone(app, language)

    answer = visitor.get(f"/t/{code}/history/")

    page = Page(answer.text)
    assert answer.status_code == 500
    assert sentence in page.text
    assert page.primary_link == f"/t/{code}/"
    assert "secret details" not in answer.text and "Traceback" not in answer.text


def test_a_crash_of_the_table_leads_to_the_start_page(app, phone, code):
    break_view(app, "play.table")

    answer = phone.get(f"/t/{code}/")

    assert answer.status_code == 500
    assert Page(answer.text).primary_link == "/"


def test_a_crash_is_told_to_the_script_as_a_sentence(app, phone, code):
    break_view(app, "play.act")

    answer = phone.act(code, group_entered(0))

    assert answer.status_code == 500
    assert answer.json == {"ok": False, "error": BROKE}


def test_a_crash_leaves_the_game_and_the_other_pages_whole(app, phone, code, tables):
    break_view(app, "history.read")
    before = tables.open(code).entries

    phone.get(f"/t/{code}/history/")

    assert tables.open(code).entries == before
    assert phone.get(f"/t/{code}/").status_code == 200
    assert phone.act(code, group_entered(0)).json["ok"] is True


def test_a_crash_is_written_to_the_log_of_the_machine(app, phone, code, caplog):
    break_view(app, "history.read")

    with caplog.at_level(logging.ERROR, "dungeon"):
        phone.get(f"/t/{code}/history/")

    assert f"a page crashed: GET /t/{code}/history/" in caplog.text
    assert "secret details" in caplog.text


def test_a_crash_still_carries_the_strict_policy(app, phone, code):
    break_view(app, "history.read")

    assert "default-src 'self'" in phone.get(f"/t/{code}/history/").headers["Content-Security-Policy"]


def test_a_crash_in_the_middle_of_writing_records_nothing(phone, code, tables, monkeypatch):
    def fail(_journal, _created):
        raise RuntimeError("a mistake of ours")

    with monkeypatch.context() as broken:
        broken.setattr("companion.tables.result_of", fail)
        answer = phone.act(code, group_entered(0))

    assert answer.status_code == 500
    assert phone.version(code) == 1
    assert len(list(tables.store.entries(code))) == 1
    assert phone.act(code, group_entered(0)).json["version"] == 2


# A disk that cannot be written


@pytest.fixture
def read_only(tables):
    """Make the record refuse every change, as a full or worn-out card does."""

    def switch(on):
        tables.store._db.execute(f"PRAGMA query_only = {'ON' if on else 'OFF'}")

    yield switch
    switch(False)


@pytest.mark.parametrize("live", [True, False])
def test_what_cannot_be_written_down_is_refused_with_a_sentence(phone, code, read_only, live):
    read_only(True)

    answer = phone.act(code, group_entered(0), live=live, back=f"/t/{code}/")

    said = answer.json["error"] if live else Page(answer.text).text
    assert answer.status_code == 503
    assert "This could not be written down" in said and "Nothing was changed." in said


def test_what_could_not_be_written_down_did_not_happen(phone, code, read_only, tables):
    read_only(True)
    phone.act(code, group_entered(0), tap="mine")
    shown = phone.journal(code)
    read_only(False)

    assert shown.version == 1
    assert len(list(tables.store.entries(code))) == 1
    assert phone.act(code, group_entered(0), tap="mine").json["version"] == 2


def test_the_sentence_is_in_the_phones_language(app, code, tables, read_only):
    visitor = Phone(app, FRENCH).sit(code, 1)
    visitor.page(f"/t/{code}/")
    read_only(True)

    answer = visitor.act(code, group_entered(1), seat=1)

    start = in_french("This could not be written down (%(why)s). Nothing was changed.").split("%")[0]
    assert answer.status_code == 503
    assert answer.json["error"].startswith(start)


@pytest.mark.parametrize("route", ["seats/1/take", "seats/0/free", "delete/"])
def test_seats_and_games_stay_as_they_are(phone, code, read_only, tables, route):
    before = tables.store.game(code), tables.store.seats(code)
    read_only(True)

    answer = phone.post(f"/t/{code}/{route}")

    read_only(False)
    assert answer.status_code == 503
    assert (tables.store.game(code), tables.store.seats(code)) == before


def test_a_game_that_cannot_be_written_down_is_not_created(phone, read_only, tables):
    assert phone.token
    read_only(True)

    answer = phone.post("/new/apprentis", {"player": ["Ana", "Ben"]})

    assert answer.status_code == 503
    assert tables.store.games_for(None) == []


def test_a_player_can_still_read_what_is_there(phone, code, read_only):
    read_only(True)

    paths = ["", "history/", "seats/", "tv", "log.jsonl", "stamp"]
    assert {phone.get(f"/t/{code}/{path}").status_code for path in paths} == {200}
    assert phone.get("/").status_code == 200


def test_the_trouble_is_written_to_the_log_of_the_machine(phone, code, read_only, caplog):
    read_only(True)

    with caplog.at_level(logging.ERROR, "dungeon"):
        phone.act(code, group_entered(0))

    assert "This could not be written down" in caplog.text


# Requests that are broken themselves


@pytest.mark.parametrize(
    "host", [pytest.param("x" * 70, id="a name that is too long"), pytest.param("a..b", id="an empty label")]
)
def test_an_impossible_host_name_is_refused(phone, host):
    answer = phone.get("/", Host=host)

    assert answer.status_code == 400


def test_a_missing_slash_is_added(phone, code):
    answer = phone.get(f"/t/{code}")

    assert answer.status_code == 308
    assert answer.location.endswith(f"/t/{code}/")
