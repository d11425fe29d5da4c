"""Lost and found connections: a visible sign, nothing tapped is lost, nothing counts twice."""

import re
import time

from playwright.sync_api import expect

from tests.browser.journey import create, sit, table_code
from tests.running import HttpPhone


def test_a_tap_during_an_outage_is_kept_and_sent_once(phone, server):
    page = phone()
    sit(page, create(page, "Ana", "Ben"), "Ana")

    server.kill()
    sign = page.locator("#connection")
    expect(sign).to_be_visible()
    page.get_by_role("button", name="New group").first.click()
    expect(sign).to_contain_text("Your tap is kept")
    server.start()

    expect(sign).to_be_hidden(timeout=15_000)
    expect(page.locator(".facts .big").first).to_have_text("11")
    entries = HttpPhone(server).log(table_code(page))
    assert [entry["type"] for entry in entries] == ["threat_revealed"]


def test_a_page_follows_again_after_the_server_comes_back(phone, server):
    ana, ben = phone(), phone()
    seats = create(ana, "Ana", "Ben")
    sit(ana, seats, "Ana")
    sit(ben, seats, "Ben")

    server.kill()
    expect(ben.locator("#connection")).to_be_visible()
    server.start()
    expect(ben.locator("#connection")).to_be_hidden(timeout=15_000)
    expect(ana.locator("#connection")).to_be_hidden(timeout=15_000)
    ana.get_by_role("button", name="New group").first.click()

    expect(ben.locator(".facts .big").first).to_have_text("11", timeout=2_000)


def test_a_double_tap_counts_once(phone, server):
    page = phone()
    sit(page, create(page, "Ana", "Ben"), "Ana")

    page.get_by_role("button", name="New group").nth(1).dblclick()

    expect(page.get_by_text("2 groups")).to_be_visible()
    page.wait_for_timeout(500)
    assert len(HttpPhone(server).log(table_code(page))) == 1


def test_two_phones_tapping_the_same_thing_one_is_told_and_refreshed(phone, server):
    ana, ben = phone(), phone()
    seats = create(ana, "Ana", "Ben")
    sit(ana, seats, "Ana")
    sit(ben, seats, "Ben")
    # Ben's phone hears nothing for a while, as in a lift: its page stays old.
    ben.route("**/live", lambda route: route.abort())
    ben.route("**/stamp", lambda route: route.abort())
    ben.reload()

    ana.get_by_role("button", name="New group").first.click()
    expect(ana.locator(".facts .big").first).to_have_text("11")
    ben.get_by_role("button", name="New group").first.click()

    expect(ben.locator("#toast")).to_contain_text("The table has changed")
    expect(ben.locator(".facts .big").first).to_have_text("11")
    assert len(HttpPhone(server).log(table_code(ana))) == 1


def test_numbers_typed_just_before_leaving_are_saved(phone, server):
    page = phone()
    sit(page, create(page, "Ana", "Ben", mode="score"), "Ana")

    page.locator("button[value='spider+']").click()
    page.goto("/")

    page.go_back()
    expect(page.locator("#count-spider")).to_have_value("1")
    assert len(HttpPhone(server).log(table_code(page))) == 1


def test_holding_a_stepper_repeats(phone):
    page = phone()
    sit(page, create(page, "Ana", "Ben", mode="score"), "Ana")

    page.locator("button[value='brou+']").hover()
    page.mouse.down()
    page.wait_for_timeout(1000)
    page.mouse.up()

    value = int(page.locator("#count-brou").input_value())
    assert 3 <= value <= 8
    expect(page.locator("#place-room1 .brou")).to_contain_text(str(value))


def test_a_tick_survives_what_another_phone_does(phone):
    ana, ben = phone(), phone()
    seats = create(ana, "Ana", "Ben")
    sit(ana, seats, "Ana")
    sit(ben, seats, "Ben")

    ana.get_by_label("It shows a threat icon").check()
    ben.get_by_role("button", name="New group").nth(1).click()

    expect(ana.locator("section", has_text=re.compile("^Ben")).get_by_text("2 groups")).to_be_visible()
    expect(ana.get_by_label("It shows a threat icon")).to_be_checked()


def test_the_keyboard_alone_can_play(phone):
    page = phone()
    sit(page, create(page, "Ana", "Ben"), "Ana")

    page.get_by_role("button", name="End my turn").focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Ben's turn")).to_be_visible()


def test_news_from_the_table_does_not_swallow_where_the_person_is_going(phone, server):
    page, other = phone(), HttpPhone(server)
    page.goto(create(page, "Ana", "Ben"))
    seats = f"/t/{table_code(page)}/seats"

    def meanwhile(route):
        # Ben sits down while Ana's next page is still on its way.
        other.open(f"{seats}/")
        other.open(f"{seats}/1/take", {})
        time.sleep(0.5)
        route.continue_()

    page.route(re.compile(r"\?seat=0$"), meanwhile, times=1)
    page.locator("button.seat", has_text="Ana").click()

    expect(page.get_by_role("heading", name="Your turn, Ana")).to_be_visible()
    assert page.url.endswith("?seat=0")
