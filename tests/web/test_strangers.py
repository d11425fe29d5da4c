"""Strangers: guessed addresses, forged forms, foreign sites, scripts in names, and too much of everything."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from urllib.parse import urljoin, urlsplit

import pytest

from tests.web.all_pages import readable_pages, routes
from tests.web.html_page import Page
from tests.web.phone import Phone, group_entered, place_filled, sheet_signed

TOKEN_SENTENCE = "This page was too old or came from elsewhere. Please try again."
OTHER_SITE_SENTENCE = "This was sent from another site and was not accepted."


@pytest.fixture
def stranger(app):
    return Phone(app)


def snapshot(app):
    """Return everything that posts could change."""
    store = app.extensions["tables"].store
    rows = store.games_for(None)
    return [(row, store.seats(row.code), list(store.entries(row.code))) for row in rows]


# Guessed addresses


@pytest.mark.parametrize("address", routes("GET", at_a_table=True))
def test_an_unknown_table_cannot_be_read(phone, address):
    answer = phone.get(address)

    assert answer.status_code == 404
    assert "There is no such table." in answer.text


@pytest.mark.parametrize("address", routes("POST", at_a_table=True))
def test_nothing_can_be_sent_to_an_unknown_table(phone, address):
    form, tap = phone.post(address), phone.post(address, live=True)

    assert form.status_code == tap.status_code == 404
    assert "There is no such table." in form.text
    assert tap.json == {"ok": False, "error": "There is no such table."}


def test_the_walk_finds_the_routes_of_a_table():
    assert {"/t/CODE/act", "/t/CODE/undo", "/t/CODE/seats/0/take"} <= set(routes("POST", at_a_table=True))
    assert {"/t/CODE/", "/t/CODE/live", "/t/CODE/log.jsonl"} <= set(routes("GET", at_a_table=True))
    assert {"/import", "/language", "/new/apprentis"} <= set(routes("POST"))


@pytest.mark.parametrize(
    "path", ["/nothing", "/t/", "/new/chess", "/t/CODE/seats/-1/take", "/static/../app.py"]
)
def test_an_address_without_a_page_says_so(phone, path):
    answer = phone.get(path)

    assert answer.status_code == 404
    assert "There is nothing here." in answer.text


def test_a_post_address_cannot_be_read(phone):
    answer = phone.get(f"/t/{phone.create()}/act")

    assert answer.status_code == 405
    assert "This page cannot be used that way." in answer.text


def test_a_game_that_is_not_listed_is_found_only_by_its_address(phone, stranger):
    fields = {"player": ["Ana", "Ben"], "option-mode": "score"}
    code = phone.post("/new/apprentis", fields).location.split("/")[2]
    phone.sit_everywhere(code).finish(code)

    before = stranger.get("/").text + stranger.get("/results.csv").text
    assert stranger.get(f"/t/{code}/seats/").status_code == 200
    after = stranger.get("/").text + stranger.get("/results.csv").text

    assert code not in before and "Ana" not in before
    assert code in after and "Ana" in after


# Forged forms


@pytest.mark.parametrize("address", routes("POST"))
def test_a_form_without_the_right_token_is_refused(app, phone, stranger, address):
    code = phone.create()
    phone.sit(code, 0)
    phone.must(code, group_entered(0))
    before = snapshot(app)
    address = address.replace("CODE", code)
    fields = {"seat": 0, "seen": 1, "tap": "x", "target": 1, "to": 0, "player": ["A", "B"], "language": "fr"}
    event = {"event": json.dumps(group_entered(0))}

    answers = [
        phone.post(address, {**fields, **event}, token=False),
        phone.post(address, {**fields, **event, "csrf_token": ""}),
        phone.post(address, {**fields, **event, "csrf_token": "x"}),
        phone.post(address, {**fields, **event, "csrf_token": stranger.token}),
    ]

    assert [answer.status_code for answer in answers] == [400] * 4
    assert all(TOKEN_SENTENCE in answer.text for answer in answers)
    assert snapshot(app) == before


FOREIGN = [
    pytest.param({"Origin": "http://evil.example"}, id="another site"),
    pytest.param({"Origin": "http://localhost:81"}, id="another port"),
    pytest.param({"Origin": "http://localhost.evil.example"}, id="a name that begins like ours"),
    pytest.param({"Origin": "http://evil.example/localhost"}, id="our name in its path"),
    pytest.param({"Origin": "http://localhost@evil.example"}, id="our name as a user"),
    pytest.param({"Origin": "null"}, id="a sandboxed frame"),
    pytest.param({"Origin": ""}, id="an empty origin"),
    pytest.param({"Origin": "http://["}, id="a malformed origin"),
    pytest.param({"Sec-Fetch-Site": "cross-site"}, id="cross-site"),
    pytest.param({"Sec-Fetch-Site": "same-site"}, id="a neighbour on the same site"),
    pytest.param({"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"}, id="contradiction"),
]


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_post_from_another_site_is_refused(app, phone, headers):
    code = phone.create()
    phone.sit(code, 0)
    before = snapshot(app)

    answer = phone.post(f"/t/{code}/seats/1/take", **headers)

    assert answer.status_code == 403
    assert OTHER_SITE_SENTENCE in answer.text
    assert snapshot(app) == before


@pytest.mark.parametrize("address", routes("POST"))
def test_every_route_refuses_posts_from_another_site(app, phone, address):
    code = phone.create()
    before = snapshot(app)

    answer = phone.post(address.replace("CODE", code), Origin="http://evil.example")

    assert answer.status_code == 403
    assert snapshot(app) == before


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Origin": "http://localhost"}, id="own origin"),
        pytest.param({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, id="same origin"),
        pytest.param({"Sec-Fetch-Site": "none"}, id="typed by the person"),
        pytest.param({}, id="an old browser"),
    ],
)
def test_a_post_from_our_own_page_is_accepted(phone, headers):
    code = phone.create()

    assert phone.post(f"/t/{code}/seats/1/take", **headers).status_code == 303


@pytest.mark.parametrize(
    ("referer", "statuses"),
    [
        pytest.param("https://localhost/", {303}, id="our own page"),
        pytest.param("http://[", {303, 400, 403}, id="malformed"),
    ],
)
def test_a_post_to_the_secure_address_is_answered_whatever_it_says_it_came_from(app, referer, statuses):
    client, secure = app.test_client(), "https://localhost/"
    token = Page(client.get("/", base_url=secure).text).forms[0].value("csrf_token")
    fields = {"csrf_token": token, "language": "fr"}

    answer = client.post("/language", base_url=secure, data=fields, headers={"Referer": referer})

    assert answer.status_code in statuses


# What every answer carries


def test_the_cookie_is_kept_from_scripts_and_from_other_sites(phone):
    set_cookie = phone.get("/").headers["Set-Cookie"]

    parts = [part.strip() for part in set_cookie.split(";")]
    assert parts[0].startswith("dungeon=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(parts)
    assert any(part.startswith("Expires=") for part in parts)


def every_answer(phone, stranger):
    """Yield every readable page of a game at every stage, and the error pages."""
    code = phone.create("Ana", "Ben")
    phone.sit_everywhere(code)
    stages = [
        lambda: phone.must(code, group_entered(0)),
        lambda: phone.must(code, {"type": "scoring_opened"}, place_filled(0, vampire=3, brou=2)),
        lambda: phone.finish(code),
    ]
    for play_on in stages:
        play_on()
        for address in readable_pages(code):
            for visitor in (phone, stranger):
                for live in (False, True):
                    yield address, visitor.get(address, live=live)
    yield from errors(phone, stranger, code)


def errors(phone, stranger, code):
    """Yield an answer of each kind of error."""
    yield "400", phone.post("/language", token=False)
    yield "403", stranger.post(f"/t/{code}/delete/")
    yield "404", phone.get("/nothing")
    yield "405", phone.get("/language")
    yield "409", phone.act(code, group_entered(0), live=False)
    yield "413", phone.post("/language", {"language": "x" * 300_000})
    yield "setup", phone.post("/new/apprentis", {"player": ["Ana"]})


def inline_code(text):
    """Return what of a page a strict policy would have to block."""
    found = []
    for tag, attributes in Page(text).tags:
        names = dict(attributes)
        if tag == "style" or (tag == "script" and not names.get("src", "").startswith("/static/")):
            found.append(tag)
        if tag in ("iframe", "object", "embed", "base"):
            found.append(tag)
        for name, value in attributes:
            if name == "style" or name.startswith("on"):
                found.append(f"{tag} {name}")
            if (value or "").strip().lower().startswith(("javascript:", "data:text")):
                found.append(f"{tag} {name}={value}")
    if re.search(r"<script[^>]*>\s*[^\s<]", text):
        found.append("script with content")
    return found


def test_every_answer_carries_a_strict_policy_and_no_page_needs_more(phone, stranger):
    seen = 0

    for address, answer in every_answer(phone, stranger):
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe" not in policy, address
        assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy, address
        assert answer.headers["X-Content-Type-Options"] == "nosniff", address
        assert answer.headers["Referrer-Policy"] == "same-origin", address
        assert answer.status_code < 500, address
        if answer.mimetype in ("text/html", "image/svg+xml"):
            assert inline_code(answer.text) == [], address
            seen += 1

    assert seen > 80


def test_nothing_of_a_table_is_kept_in_caches(phone):
    code = phone.create()

    headers = [phone.get(address).headers for address in readable_pages(code)]

    assert {h["Cache-Control"] for h in headers} == {"no-store"}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<script>x()</script>", id="script"),
        pytest.param('<script src="http://evil/x.js"></script>', id="foreign script"),
        pytest.param("<style>b{}</style>", id="style"),
        pytest.param('<p style="color:red">', id="style attribute"),
        pytest.param('<p onclick="x()">', id="handler"),
        pytest.param('<a href="javascript:x()">', id="script address"),
        pytest.param("<iframe></iframe>", id="frame"),
    ],
)
def test_the_check_for_inline_code_notices(text):
    assert inline_code(text)


def test_the_check_for_inline_code_lets_our_own_files_through():
    assert inline_code('<script src="/static/live.js" type="module"></script><p class="x">') == []


# Scripts in names

NAMES = ("<script>x()</script>", '"><img onerror=x>', "{{7*7777}}{%x%}", "=1+'&amp;\"")


def test_names_are_only_ever_shown_as_names(phone, stranger):
    code = phone.create(*NAMES)
    places = [f"/t/{code}/?place={place}" for place in ("room1", "groups", "malus", "corridor1")]
    stages = [
        lambda: None,  # all seats are free
        lambda: phone.sit(code, 0),
        lambda: phone.sit_everywhere(code).must(code, {"type": "turn_ended", "player": 0}),
        lambda: phone.must(code, {"type": "scoring_opened"}),
        lambda: phone.finish(code, range(4)),
    ]

    for play_on in stages:
        play_on()
        for address in [*readable_pages(code), *places]:
            for answer in (phone.get(address), stranger.get(address), phone.get(address, live=True)):
                if answer.mimetype in ("text/html", "image/svg+xml"):
                    assert inline_code(answer.text) == [], address
                    assert "<img" not in answer.text, address
                    assert str(7 * 7777) not in answer.text, address


@pytest.mark.parametrize("path", ["seats/", "?watch=1", "tv", "history/", "result", "delete/"])
def test_pages_that_name_players_do_so_letter_by_letter(phone, path):
    code = phone.create(*NAMES, mode="score")
    phone.sit_everywhere(code).finish(code, range(4))

    text = phone.page(f"/t/{code}/{path}").text

    assert all(name in text for name in NAMES)


def test_the_start_page_names_players_letter_by_letter(phone):
    phone.create(*NAMES)

    text = phone.page("/").text

    assert all(name in text for name in NAMES)


def test_the_shared_picture_names_players_letter_by_letter(phone):
    code = phone.create(*NAMES, mode="score")
    phone.sit_everywhere(code).finish(code, range(4))

    root = ElementTree.fromstring(phone.get(f"/t/{code}/result.svg").data)

    texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert set(NAMES) <= texts
    assert {element.tag.split("}")[1] for element in root.iter()} <= {"svg", "rect", "path", "text"}


def test_the_tables_for_spreadsheets_run_no_formula_and_break_no_row(phone):
    code = phone.create(*NAMES, mode="score")
    phone.sit_everywhere(code).finish(code, range(4))

    for address in (f"/t/{code}/result.csv", "/results.csv"):
        answer = phone.get(address)

        rows = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))
        assert {row["player"] for row in rows} == {*NAMES[:3], "'" + NAMES[3]}
        assert answer.headers["Content-Disposition"].startswith("attachment;")


def test_a_refused_set_up_shows_the_typed_names_as_typed(phone):
    too_long = '"><script>x()</script>, who is too long'

    answer = phone.post("/new/apprentis", {"player": [too_long, "Ben"]})

    assert answer.status_code == 400
    assert inline_code(answer.text) == []
    form = Page(answer.text).forms_to("/new/apprentis")[0]
    assert form.value("player") == too_long


@pytest.mark.parametrize("live", [True, False])
def test_what_an_error_quotes_is_only_shown_as_text(phone, live):
    code = phone.create()
    phone.sit(code, 0)
    back = f"/t/{code}/"

    answer = phone.act(code, {"type": "<img onerror=x>"}, live=live, back=back)

    said = answer.json["error"] if live else phone.page(answer.location).notices[0]
    assert said == "The event type '<img onerror=x>' is not known."
    assert "<img" not in phone.get(back).text


def test_a_forged_host_name_is_only_shown_as_text(phone):
    answer = phone.get("/", Host='"><script>x()</script>')

    assert inline_code(answer.text) == []


# Leading people elsewhere

ELSEWHERE = [
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "http://evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "evil.example",
    " //evil.example",
    "/\n/evil.example",
    "/\t/evil.example",
    "/\r\nLocation: http://evil.example",
    "\n//evil.example",
    "/\x00/evil.example",
    "/\u2028/evil.example",
    "",
]


def leads_to(location):
    """Return the host a browser would go to; it drops controls and takes backslashes for slashes."""
    tidy = re.sub(r"[\t\r\n]", "", location).replace("\\", "/")
    return urlsplit(urljoin("http://localhost/page", tidy)).netloc


@pytest.mark.parametrize("back", ELSEWHERE)
def test_no_form_leads_to_another_site(phone, back):
    code = phone.create()
    phone.sit(code, 0)

    answers = [
        phone.post("/language", {"language": "en", "back": back}),
        phone.act(code, group_entered(0), live=False, back=back),
        phone.act(code, {"type": "nonsense"}, live=False, back=back),
        phone.post(f"/t/{code}/seats/9/take", {"back": back}),
        phone.post("/import", {"back": back}),
    ]

    for answer in answers:
        assert answer.status_code in (303, 400)
        if answer.status_code == 303:
            assert answer.location.startswith("/")
            assert leads_to(answer.location) == "localhost"
            assert "evil" not in answer.location


def test_a_form_does_lead_back_to_a_page_of_ours(phone):
    answer = phone.post("/language", {"language": "en", "back": "/new/apprentis?x=1"})

    assert answer.location == "/new/apprentis?x=1"


def test_the_browser_in_these_tests_would_be_fooled():
    assert leads_to("/\\evil.example") == leads_to("//evil.example") == "evil.example"


# Too much


@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize("encoding", ["application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_form_that_is_too_large_is_refused(app, phone, encoding, live):
    code = phone.create()
    phone.sit(code, 0)
    before = snapshot(app)
    fields = {"csrf_token": phone.token, "seat": 0, "seen": 0, "tap": "x", "event": "x" * 250_000}

    headers = {"X-Live": "1"} if live else {}
    answer = phone.client.post(f"/t/{code}/act", data=fields, content_type=encoding, headers=headers)

    assert answer.status_code == 413
    assert "This file is too large." in (answer.json["error"] if live else answer.text)
    assert snapshot(app) == before


@pytest.mark.parametrize(
    ("encoding", "count"),
    [("application/x-www-form-urlencoded", 20_000), ("multipart/form-data", 1_100)],
)
def test_a_form_with_very_many_fields_is_refused(phone, encoding, count):
    code = phone.create()
    phone.sit(code, 0)
    many = {f"field{n}": "x" * 10 for n in range(count)}
    fields = {"csrf_token": phone.token, "seat": 0, "seen": 0, "tap": "x", **many}

    answer = phone.client.post(
        f"/t/{code}/act", data={**fields, "event": json.dumps(group_entered(0))}, content_type=encoding
    )

    assert answer.status_code == 413
    assert phone.version(code) == 0


def test_a_body_that_is_larger_than_any_file_is_refused_by_its_announced_length(phone):
    answer = phone.client.post(
        "/import",
        content_type="multipart/form-data; boundary=x",
        headers={"X-CSRFToken": phone.token},
        environ_overrides={"CONTENT_LENGTH": "20000001"},
    )

    assert answer.status_code == 413
    assert "This file is too large." in answer.text


# Deleting


def test_only_the_host_can_delete_a_game(app, phone, stranger):
    code = phone.create()
    stranger.sit(code, 0)
    before = snapshot(app)

    answer = stranger.post(f"/t/{code}/delete/")

    assert answer.status_code == 403
    assert "Only the phone that set up the game can delete it." in answer.text
    assert snapshot(app) == before


def test_only_the_host_is_offered_to_delete(phone, stranger):
    code = phone.create()

    of_host, of_guest = (p.page(f"/t/{code}/delete/").forms_to("/delete/") for p in (phone, stranger))

    assert len(of_host) == 1
    assert of_guest == []


def test_a_deleted_game_is_gone_for_everybody(phone, stranger):
    code = phone.create("Ana", "Ben")
    phone.sit(code, 0)

    answer = phone.post(f"/t/{code}/delete/")

    assert answer.location == f"/t/{code}/delete/done"
    here = [address for address in readable_pages(code) if code in address]
    assert {phone.get(address).status_code for address in here} == {404}
    assert {stranger.get(address).status_code for address in here} == {404}
    assert phone.get(f"/t/{code}/live").status_code == 404
    assert phone.act(code, group_entered(0), seen=0).status_code == 404
    assert "Ana" not in phone.page("/").text


def test_only_the_host_can_bring_a_deleted_game_back(phone, stranger):
    code = phone.create()
    phone.sit(code, 0)
    phone.must(code, group_entered(0))
    phone.post(f"/t/{code}/delete/")

    refused = stranger.post(f"/t/{code}/delete/restore")
    still_gone = phone.get(f"/t/{code}/")
    form = phone.page(f"/t/{code}/delete/done").forms_to("/restore")[0]
    restored = phone.submit(form, form.buttons[0])

    assert refused.status_code == 403
    assert still_gone.status_code == 404
    assert restored.status_code == 303
    assert phone.get(f"/t/{code}/").status_code == 200
    assert phone.version(code) == 1


def test_a_game_that_is_not_deleted_cannot_be_restored(phone):
    code = phone.create()

    assert phone.post(f"/t/{code}/delete/restore").status_code == 404
    assert phone.get(f"/t/{code}/delete/done").status_code == 404


def test_a_game_nobody_hosts_can_be_tidied_up_by_anybody(phone, tables):
    code = tables.create("apprentis", ("Ana", "Ben"), {})

    assert phone.post(f"/t/{code}/delete/").status_code == 303


def test_a_score_sheet_is_signed_by_its_player_only(phone, stranger):
    code = phone.create(mode="score")
    phone.sit(code, 0)
    stranger.sit(code, 1)

    answer = stranger.act(code, sheet_signed(0), seat=1)

    assert answer.status_code == 403
    assert phone.version(code) == 0
