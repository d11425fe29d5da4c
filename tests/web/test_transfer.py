"""Games as files: out, back in, and everything that is not a game."""

import io
import json
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from companion import games
from tests.web.french import in_french
from tests.web.phone import Phone, group_entered, place_filled

HEADER = {"schema": 1, "game": "apprentis", "players": ["Ana", "Zoë"], "options": {"mode": "score"}}
SIGNED = {"type": "sheet_signed", "player": 0}
GAMES = Path(__file__).parents[1] / "companion" / "games"


def a_file(*lines, **header):
    """Build the text of a log."""
    return "".join(json.dumps(line) + "\n" for line in ({**HEADER, **header}, *lines))


def bring(phone, content, name="game.jsonl"):
    """Import a file as the form on the start page does."""
    data = content.encode() if isinstance(content, str) else content
    parts = [('name="csrf_token"', phone.token.encode()), ('name="back"', b"/")]
    parts.append((f'name="file"; filename="{name}"', data))
    body = b"".join(
        b"--cut\r\nContent-Disposition: form-data; " + head.encode() + b"\r\n\r\n" + value + b"\r\n"
        for head, value in parts
    )
    return phone.client.post(
        "/import",
        data=body + b"--cut--\r\n",
        content_type="multipart/form-data; boundary=cut",
        headers={"Accept-Language": phone.language},
    )


def refusal(phone, answer):
    """Return the one sentence on the start page after a refused file."""
    assert answer.status_code == 303
    assert answer.location == "/"
    (notice,) = phone.page("/").notices
    return notice


def played(phone):
    """Play a little of everything that a log can hold."""
    code = phone.create("Ana", "Zoë")
    phone.sit_everywhere(code)
    phone.must(code, group_entered(0), group_entered(0), {"type": "threat_revealed", "effect": "new"})
    phone.steer(code, "undo", target=3)
    phone.steer(code, "redo", seen=4)
    phone.steer(code, "rewind", to=1, seen=5)
    phone.must(code, {"type": "scoring_opened"}, place_filled(0, brou=2))
    return code


def test_a_game_that_is_saved_and_opened_again_is_the_same_game(app, phone):
    code = played(phone)
    friend = Phone(app)

    saved = phone.get(f"/t/{code}/log.jsonl")
    answer = bring(friend, saved.data)
    copy = answer.location.split("/")[2]

    before, after = phone.journal(code), phone.journal(copy)
    assert answer.location == f"/t/{copy}/seats/" and copy != code
    assert (after.setup, after.entries, after.state) == (before.setup, before.entries, before.state)
    assert (after.version, after.steps, after.undone) == (before.version, before.steps, before.undone)
    assert friend.get(f"/t/{copy}/log.jsonl").data == saved.data


def test_a_saved_game_does_not_hold_the_code_of_its_table(phone):
    code = played(phone)

    assert code not in phone.get(f"/t/{code}/log.jsonl").text


def test_a_saved_game_is_a_file_of_json_lines(phone):
    code = phone.create()

    answer = phone.get(f"/t/{code}/log.jsonl")

    assert answer.mimetype == "application/jsonl"
    disposition = answer.headers["Content-Disposition"]
    assert disposition.startswith('attachment; filename="apprentis-20') and disposition.endswith('.jsonl"')
    assert json.loads(answer.text.splitlines()[0])["players"] == ["Ana", "Ben"]


@pytest.mark.parametrize("file", sorted(GAMES.glob("*.jsonl")), ids=lambda file: file.stem)
def test_the_recorded_games_can_be_opened_in_the_browser(phone, file):
    answer = bring(phone, file.read_bytes())

    assert answer.status_code == 303
    code = answer.location.split("/")[2]
    assert phone.get(f"/t/{code}/history/").status_code == 200
    assert phone.get(f"/t/{code}/?watch=1").status_code in (200, 303)


def test_who_brings_a_game_is_its_host_and_sits_down_again(app, phone):
    code = bring(phone, a_file()).location.split("/")[2]

    assert len(phone.page(f"/t/{code}/seats/").forms_to("/take")) == 2
    assert Phone(app).post(f"/t/{code}/delete/").status_code == 403
    assert phone.post(f"/t/{code}/delete/").status_code == 303


def test_a_finished_game_is_opened_with_its_result(phone):
    code = bring(phone, a_file(SIGNED, {**SIGNED, "player": 1})).location.split("/")[2]

    assert phone.get(f"/t/{code}/result").status_code == 200
    assert f"/t/{code}/result" in phone.page("/").links


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\xef\xbb\xbf" + a_file().encode(), id="a mark of UTF-8 in front"),
        pytest.param(a_file().replace("\n", "\r\n"), id="lines of Windows"),
        pytest.param(a_file().rstrip("\n"), id="no last newline"),
        pytest.param("\n\n" + a_file() + "\n  \n", id="empty lines"),
        pytest.param(json.dumps(HEADER, ensure_ascii=False), id="letters as they are"),
    ],
)
def test_harmless_differences_are_accepted(phone, content):
    answer = bring(phone, content)

    code = answer.location.split("/")[2]
    assert phone.journal(code).setup.players == ("Ana", "Zoë")


REFUSED = [
    pytest.param("", "Line 1: The file is empty.", id="empty"),
    pytest.param("\n \n", "Line 1: The file is empty.", id="only empty lines"),
    pytest.param("hello", "Line 1: This is not JSON.", id="words"),
    pytest.param("[1]", "Line 1: Every line must be a JSON object.", id="a list"),
    pytest.param("[" * 5000, "Line 1: This is not JSON.", id="nested for ever"),
    pytest.param('{"a": ' + "9" * 5000 + "}", "Line 1: This is not JSON.", id="an endless number"),
    pytest.param("{}", "Line 1: The game 'None' is not known.", id="no game"),
    pytest.param(a_file(game="chess"), "Line 1: The game 'chess' is not known.", id="another game"),
    pytest.param(a_file(schema=2), "Line 1: This file was written by a newer companion.", id="newer"),
    pytest.param(a_file(players=["Ana"]), "Line 1: ", id="one player"),
    pytest.param(a_file(players="Ana"), "Line 1: ", id="players are no list"),
    pytest.param(a_file(players=[1, 2]), "Line 1: Every player needs a name.", id="numbers as names"),
    pytest.param(a_file(players=["A\ud800", "B"]), "Line 1: A name can only have", id="half a character"),
    pytest.param(a_file(first=2), "Line 1: The first player must be one of the players.", id="first"),
    pytest.param(a_file(options={"mode": "fun"}), "Line 1: ", id="unknown choice"),
    pytest.param(a_file(options={"fun": 1}), "Line 1: The option 'fun' is not known.", id="unknown option"),
    pytest.param(a_file(created="yesterday"), "Line 1: A time must look like", id="no time"),
    pytest.param(a_file(created="2026-01-31T20:15:00"), "Line 1: A time must look like", id="no zone"),
    pytest.param(a_file({"type": "flown"}), "Line 2: The event type 'flown' is not known.", id="type"),
    pytest.param(a_file({**SIGNED, "by": 1}), "Line 2: Only the player of this seat", id="another seat"),
    pytest.param(a_file({**SIGNED, "by": 7}), "Line 2: There is no such seat.", id="no such seat"),
    pytest.param(a_file({**SIGNED, "by": True}), "Line 2: There is no such seat.", id="true as a seat"),
    pytest.param(a_file(SIGNED, SIGNED), "Line 3: This score sheet is complete.", id="illegal"),
    pytest.param(a_file({"type": "undone", "event": 1}), "Line 2: ", id="undo of nothing"),
    pytest.param(a_file({**SIGNED, "action": ""}), "Line 2: An action's id", id="empty id"),
    pytest.param(a_file({**SIGNED, "action": "x" * 65}), "Line 2: An action's id", id="long id"),
    pytest.param(
        a_file({**SIGNED, "action": "a"}, {**SIGNED, "player": 1, "action": "a"}),
        "Line 3: An action's id",
        id="an id twice",
    ),
    pytest.param(a_file({**SIGNED, "note": "x" * 30_000}), "Line 2: The line is too long.", id="long line"),
    pytest.param(b"\x89PNG\r\n\x1a\n\x00\xff", "This file is not a saved game.", id="a picture"),
    pytest.param(a_file().encode("utf-16"), "This file is not a saved game.", id="UTF-16"),
    pytest.param(b" " * 5_000_001, "This file is too large to be a game.", id="five million spaces"),
]


@pytest.mark.parametrize(("content", "sentence"), REFUSED)
def test_what_is_not_a_game_is_refused_with_one_sentence(phone, tables, content, sentence):
    answer = bring(phone, content)

    said = refusal(phone, answer)
    assert said.startswith(sentence)
    assert said.endswith(".") or "2026-01-31" in said
    assert tables.store.games_for(None) == []


# What a hostile file can hold: all of it passes as JSON, none of it may break a page.
HOSTILE = [
    pytest.param(a_file({**SIGNED, "action": "\ud800"}), id="half a character as id"),
    pytest.param(a_file(created="2026-01-31\ud80020:15:00+00:00"), id="half a character in a time"),
    pytest.param(a_file({**SIGNED, "at": "2026-01-31\ud80020:15:00+00:00"}), id="and in an entry's time"),
    pytest.param(a_file(created="20260131\n201500+0000"), id="a newline in a time"),
    pytest.param(a_file(created='20260131"201500+0000'), id="a quote in a time"),
    pytest.param(a_file({"type": "\ud800"}), id="half a character as type"),
    pytest.param(
        a_file(*({**SIGNED, "player": n, "at": "0001-01-01T00:00:00+23:00"} for n in (0, 1))),
        id="ended before the first day",
    ),
    pytest.param(
        a_file(*({**SIGNED, "player": n, "at": "9999-12-31T23:59:59-23:00"} for n in (0, 1))),
        id="ended after the last day",
    ),
    pytest.param(
        a_file(created="0001-01-01T00:00:00+23:00"),
        id="begun before the first day",
    ),
]


@pytest.mark.parametrize("content", HOSTILE)
def test_a_hostile_file_is_refused_or_harmless(phone, content):
    answer = bring(phone, content)

    assert answer.status_code == 303
    assert phone.get("/").status_code == 200
    if answer.location != "/":
        code = answer.location.split("/")[2]
        pages = ["seats/", "?watch=1", "history/", "tv", "result", "result.svg", "result.csv", "log.jsonl"]
        assert {phone.get(f"/t/{code}/{page}").status_code for page in pages} <= {200, 303}
        disposition = phone.get(f"/t/{code}/log.jsonl").headers["Content-Disposition"]
        assert re.fullmatch(r'attachment; filename="[\w.-]+"', disposition)


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="Windows keeps one time zone")
@pytest.mark.parametrize(
    ("zone", "ended"),
    [
        pytest.param("WEST+11", "0001-01-01T00:00:00+00:00", id="the first day, west of Greenwich"),
        pytest.param("EAST-13", "9999-12-31T23:59:59+00:00", id="the last day, east of Greenwich"),
    ],
)
def test_the_edges_of_time_are_refused_or_harmless_in_every_time_zone(phone, monkeypatch, zone, ended):
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", zone)
        time.tzset()

        bring(phone, a_file(*({**SIGNED, "player": seat, "at": ended} for seat in (0, 1))))
        answer = phone.get("/")

    time.tzset()
    assert answer.status_code == 200


@pytest.mark.parametrize("fields", [{}, {"file": "text"}, {"file": (io.BytesIO(b""), "")}])
def test_without_a_file_the_start_page_asks_for_one(phone, fields):
    answer = phone.post("/import", {"back": "/", **fields})

    assert refusal(phone, answer) == "Please choose a file first."


def test_a_refused_file_is_explained_in_the_phones_language(app, french_phone):
    answer = bring(french_phone, a_file(game="chess"))

    why = in_french("The game '%(game)s' is not known.", game="chess")
    line = in_french("Line %(line)d: %(why)s", line=1, why=why)
    assert refusal(french_phone, answer) == line


def test_the_form_on_the_start_page_sends_a_file(phone):
    form = phone.page("/").forms_to("/import")[0]

    answer = phone.submit(form, form.buttons[0], file=[(io.BytesIO(a_file().encode()), "x.jsonl")])

    assert answer.status_code == 303
    assert answer.location.startswith("/t/")


# Games that keep secrets


@pytest.fixture
def secretive(monkeypatch):
    """The same game, but as one in which players hold something hidden."""
    rules = replace(games.GAMES["apprentis"], keeps_secrets=True)
    monkeypatch.setitem(games.GAMES, "apprentis", rules)


def test_a_game_with_secrets_is_not_saved_before_its_end(secretive, phone):
    code = phone.create(mode="score")
    phone.sit_everywhere(code)

    answer = phone.get(f"/t/{code}/log.jsonl")

    assert answer.status_code == 409
    assert "This game holds secrets; it can be saved to a file once it is finished." in answer.text
    assert "place_filled" not in answer.text and "schema" not in answer.text


def test_a_game_with_secrets_is_saved_after_its_end(secretive, phone):
    code = phone.create(mode="score")
    phone.sit_everywhere(code).finish(code)

    answer = phone.get(f"/t/{code}/log.jsonl")

    assert answer.status_code == 200
    assert len(answer.text.splitlines()) == 3


def test_a_game_without_secrets_is_saved_at_any_time(phone):
    code = phone.create()

    assert phone.get(f"/t/{code}/log.jsonl").status_code == 200
