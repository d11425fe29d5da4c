"""Seats: who may sit where, who may act for whom, and who only watches."""

import threading

import pytest
from flask.sessions import SecureCookieSessionInterface

from tests.web.phone import Phone, group_entered, sheet_signed
from web.app import create_app


@pytest.fixture
def other(app):
    return Phone(app)


def acting_forms(page, code):
    """Return the forms that would change something at the table."""
    return [form for form in page.forms if form.action.startswith(f"/t/{code}/")]


def test_a_phone_without_a_seat_is_sent_to_the_seats_page(phone):
    code = phone.create("Ana", "Ben")

    answer = phone.get(f"/t/{code}/")

    assert answer.status_code == 303
    assert answer.location == f"/t/{code}/seats/"
    assert {"Ana", "Ben"} <= set(phone.page(answer.location).text.split())


def test_taking_a_seat_leads_to_its_table(phone):
    code = phone.create("Ana", "Ben")

    answer = phone.post(f"/t/{code}/seats/1/take")

    assert answer.status_code == 303
    assert answer.location == f"/t/{code}/?seat=1"
    assert "You are Ben" in phone.page(answer.location).text


def test_the_script_is_told_where_to_go_after_taking_a_seat(phone):
    code = phone.create()

    answer = phone.post(f"/t/{code}/seats/1/take", live=True)

    assert answer.json == {"ok": True, "go": f"/t/{code}/?seat=1"}


def test_taking_the_own_seat_again_changes_nothing(phone, tables):
    code = phone.create()
    phone.sit(code, 0)
    seating = tables.store.game(code).seating

    answer = phone.post(f"/t/{code}/seats/0/take")

    assert answer.status_code == 303
    assert tables.store.game(code).seating == seating


def test_a_seat_that_was_left_is_free_for_another_phone(phone, other):
    code = phone.create()
    phone.sit(code, 0)

    left = phone.post(f"/t/{code}/seats/0/free")
    taken = other.post(f"/t/{code}/seats/0/take")

    assert left.status_code == 303
    assert left.location == f"/t/{code}/seats/"
    assert taken.location == f"/t/{code}/?seat=0"


def test_the_host_frees_a_seat_and_the_old_phone_can_no_longer_act(phone, other):
    code = phone.create()
    other.sit(code, 1)
    other.must(code, group_entered(1), seat=1)

    freed = phone.post(f"/t/{code}/seats/1/free")
    late = other.act(code, group_entered(1), seat=1)

    assert freed.status_code == 303
    assert late.status_code == 403
    assert late.json == {"ok": False, "error": "This seat belongs to another phone."}
    assert phone.version(code) == 1


def test_a_guest_cannot_free_the_seat_of_another(phone, other, tables):
    code = phone.create()
    phone.sit(code, 0)
    other.sit(code, 1)

    answer = other.post(f"/t/{code}/seats/0/free")

    assert answer.status_code == 403
    assert "Only the phone that set up the game can free this seat." in answer.text
    assert len(tables.store.seats(code)) == 2


def test_only_the_host_is_offered_to_free_the_seats_of_others(phone, other):
    code = phone.create()
    phone.sit(code, 0)
    other.sit(code, 1)

    of_host, of_guest = (
        {form.action for form in p.page(f"/t/{code}/seats/").forms_to("/free")} for p in (phone, other)
    )

    assert of_host == {f"/t/{code}/seats/0/free", f"/t/{code}/seats/1/free"}
    assert of_guest == {f"/t/{code}/seats/1/free"}


def test_a_taken_seat_is_shown_but_cannot_be_tapped(phone, other):
    code = phone.create("Ana", "Ben")
    phone.sit(code, 0)

    page = other.page(f"/t/{code}/seats/")

    assert "Ana" in page.text
    assert "taken" in page.text
    assert [form.action for form in page.forms_to("/take")] == [f"/t/{code}/seats/1/take"]


def test_a_taken_seat_is_refused_with_a_sentence_on_the_page(phone, other):
    code = phone.create()
    phone.sit(code, 0)

    answer = other.post(f"/t/{code}/seats/0/take", {"back": f"/t/{code}/seats/"})

    assert answer.status_code == 303
    assert other.page(answer.location).notices == ["Somebody else has just taken this seat."]


def test_of_phones_that_race_for_a_seat_exactly_one_wins(app, tables):
    code = Phone(app).create()
    racers = [Phone(app) for _ in range(6)]
    for racer in racers:
        assert racer.token  # everybody has the page open
    start, statuses = threading.Barrier(len(racers)), []

    def race(racer):
        start.wait()
        statuses.append(racer.post(f"/t/{code}/seats/0/take", live=True).status_code)

    threads = [threading.Thread(target=race, args=(racer,)) for racer in racers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(statuses) == [200, 409, 409, 409, 409, 409]
    assert list(tables.store.seats(code)) == [0]


def test_one_phone_may_hold_several_seats_and_act_for_each(phone):
    code = phone.create("Ana", "Ben", "Cleo", mode="score")
    phone.sit_everywhere(code)

    answers = [phone.act(code, sheet_signed(seat), seat=seat) for seat in (2, 0, 1)]

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert [step.entry.by for step in phone.journal(code).steps] == [2, 0, 1]


def test_a_phone_with_several_seats_can_switch_between_them(phone):
    code = phone.create("Ana", "Ben")
    phone.sit_everywhere(code)

    page = phone.page(f"/t/{code}/?seat=1")

    assert "You are Ben" in page.text
    assert f"/t/{code}/?seat=0" in page.links


def test_the_page_of_a_phone_with_several_seats_follows_the_turn(phone):
    code = phone.create("Ana", "Ben")
    phone.sit_everywhere(code)

    phone.must(code, {"type": "turn_ended", "player": 0})

    assert "Your turn, Ben" in phone.page(f"/t/{code}/").text


def test_taking_all_free_seats_leaves_the_taken_ones_alone(phone, other, tables):
    code = phone.create("Ana", "Ben", "Cleo")
    other.sit(code, 1)

    phone.sit_everywhere(code)

    seats = tables.store.seats(code)
    assert seats[0] == seats[2] != seats[1]


@pytest.mark.parametrize("path", ["?watch=1", "tv", "history/", "history/?watch=1"])
@pytest.mark.parametrize("mode", ["full", "score"])
def test_a_spectator_sees_the_page_but_no_form_that_acts(phone, other, mode, path):
    code = phone.create("Ana", "Ben", mode=mode)
    phone.sit(code, 0)
    phone.must(code, group_entered(0) if mode == "full" else sheet_signed(0))

    page = other.page(f"/t/{code}/{path}")

    assert "Ana" in page.text
    assert acting_forms(page, code) == []


def test_a_spectator_of_a_finished_game_gets_no_form_that_acts(phone, other):
    code = phone.create(mode="score")
    phone.sit_everywhere(code).finish(code)

    pages = [other.page(f"/t/{code}/{path}") for path in ("result", "?watch=1", "tv", "history/")]

    assert [acting_forms(page, code) for page in pages] == [[], [], [], []]


def test_the_player_whose_page_it_is_does_get_forms_that_act(phone):
    code = phone.create()
    phone.sit(code, 0)

    assert acting_forms(phone.page(f"/t/{code}/"), code)


def test_the_big_screen_has_no_forms_even_for_a_player(phone):
    code = phone.create()
    phone.sit(code, 0)

    assert phone.page(f"/t/{code}/tv").forms == []


@pytest.mark.parametrize(
    ("route", "fields"),
    [
        pytest.param("act", {"event": '{"type": "group_entered", "player": 0}', "seen": 1}, id="act"),
        pytest.param("undo", {"target": 1}, id="undo"),
        pytest.param("redo", {"seen": 1}, id="redo"),
        pytest.param("rewind", {"to": 0, "seen": 1}, id="rewind"),
    ],
)
def test_the_cookie_of_one_seat_cannot_act_as_another(phone, other, route, fields):
    code = phone.create()
    phone.sit(code, 0)
    other.sit(code, 1)
    phone.must(code, group_entered(0))

    answer = other.post(f"/t/{code}/{route}", {"seat": 0, "tap": "theft", **fields}, live=True)

    assert answer.status_code == 403
    assert phone.version(code) == 1


def test_a_seat_cannot_report_what_belongs_to_another_seat(phone, other):
    code = phone.create()
    phone.sit(code, 0)
    other.sit(code, 1)

    answer = other.act(code, group_entered(0), seat=1)

    assert answer.status_code == 403
    assert answer.json["error"] == "Only the player of this seat can do that."
    assert phone.version(code) == 0


def test_a_spectator_cannot_act(phone, other):
    code = phone.create()
    phone.sit(code, 0)
    assert other.get(f"/t/{code}/?watch=1").status_code == 200

    answer = other.act(code, group_entered(0))

    assert answer.status_code == 403
    assert phone.version(code) == 0


@pytest.mark.parametrize("seat", [2, 99, 10**30])
def test_a_seat_that_does_not_exist_cannot_be_taken(phone, tables, seat):
    code = phone.create("Ana", "Ben")

    answers = [phone.post(f"/t/{code}/seats/{seat}/{verb}", live=True) for verb in ("take", "free")]

    assert [answer.status_code for answer in answers] == [400, 400]
    assert [answer.json["error"] for answer in answers] == ["There is no such seat."] * 2
    assert tables.store.seats(code) == {}


def tampered(cookie):
    return cookie[:-3] + ("AAA" if cookie[-3:] != "AAA" else "BBB")


def signed_elsewhere(app):
    """Return the cookie of the same phone, but signed by another companion."""

    def forge(cookie):
        ours = SecureCookieSessionInterface().get_signing_serializer(app).loads(cookie)
        stranger = create_app(app.extensions["tables"], signing_key=b"another machine's key")
        return SecureCookieSessionInterface().get_signing_serializer(stranger).dumps(ours)

    return forge


@pytest.mark.parametrize("way", ["tampered", "signed elsewhere", "garbage", "empty"])
def test_a_forged_cookie_is_a_new_phone(app, phone, way):
    code = phone.create()
    phone.sit(code, 0)
    forge = {
        "tampered": tampered,
        "signed elsewhere": signed_elsewhere(app),
        "garbage": lambda _cookie: "e30.garbage.%00",
        "empty": lambda _cookie: "",
    }[way]
    thief = Phone(app)

    thief.client.set_cookie("dungeon", forge(phone.client.get_cookie("dungeon").value))
    seats_page, act = thief.get(f"/t/{code}/"), thief.act(code, group_entered(0))

    assert seats_page.location == f"/t/{code}/seats/"
    assert act.status_code == 403
    assert phone.version(code) == 0


def test_the_very_cookie_is_the_same_phone(app, phone):
    code = phone.create()
    phone.sit(code, 0)
    twin = Phone(app)

    twin.client.set_cookie("dungeon", phone.client.get_cookie("dungeon").value)

    assert "Your turn, Ana" in twin.page(f"/t/{code}/").text
