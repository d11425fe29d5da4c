"""Guessing the codes of tables: strangers have to wait, those who sit at a table do not notice."""

import pytest

from tests.web.phone import Phone
from web.guessing import MOST_WATCHED, TRIES, WITHIN_S, Guesses


def guess(phone, times=TRIES):
    """Ask for tables that do not exist; return the answers' statuses."""
    return [phone.get(f"/t/{number:020d}/").status_code for number in range(times)]


def test_who_tries_many_codes_has_to_wait(app):
    stranger = Phone(app)

    assert set(guess(stranger)) == {404}
    refused = stranger.get("/t/abcdefghjkmnpqrstuvw/")
    assert refused.status_code == 429
    assert "Please wait a minute." in refused.text


def test_a_right_guess_is_refused_like_a_wrong_one(app):
    code = Phone(app).create()
    stranger = Phone(app)
    guess(stranger)

    for address in (
        f"/t/{code}/",
        f"/t/{code}/tv",
        f"/t/{code}/live",
        f"/t/{code}/stamp",
        f"/t/{code}/history/",
    ):
        assert stranger.get(address).status_code == 429
    assert stranger.post(f"/t/{code}/seats/0/take").status_code == 429


def test_who_was_at_the_table_goes_on_playing(app):
    guest = Phone(app)
    code = guest.create()
    guest.sit(code, 0)
    guess(Phone(app))  # from the same address

    assert guest.get(f"/t/{code}/?seat=0").status_code == 200
    assert guest.act(code, {"type": "group_entered", "player": 0}).status_code == 200


def test_the_start_page_and_new_games_are_for_everybody(app):
    guess(Phone(app))

    assert Phone(app).get("/").status_code == 200
    assert Phone(app).create()


def test_some_old_bookmarks_are_no_reason_to_wait(app):
    phone = Phone(app)
    code = Phone(app).create()

    guess(phone, TRIES - 1)

    assert phone.get(f"/t/{code}/tv").status_code == 200


def test_what_is_missing_elsewhere_is_no_guess(app):
    phone = Phone(app)
    for number in range(2 * TRIES):
        assert phone.get(f"/nothing/{number}").status_code == 404

    assert phone.get(f"/t/{Phone(app).create()}/tv").status_code == 200


def test_after_a_minute_one_may_try_again():
    now = [0.0]
    guesses = Guesses(lambda: now[0])
    for _ in range(TRIES):
        guesses.missed("a")
        now[0] += 0.1

    assert guesses.must_wait("a") and not guesses.must_wait("b")
    now[0] = WITHIN_S - 0.01
    assert guesses.must_wait("a")
    now[0] = WITHIN_S + 0.01
    assert not guesses.must_wait("a")


@pytest.mark.parametrize("addresses", [MOST_WATCHED * 3])
def test_many_addresses_do_not_fill_the_memory(addresses):
    guesses = Guesses()
    for number in range(addresses):
        guesses.missed(f"10.0.{number}")

    assert len(guesses._misses) == MOST_WATCHED
