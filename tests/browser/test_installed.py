"""The companion as an app on a phone: a page for lost connections, a screen that stays on, nothing stale."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.journey import create, sit, table_code
from tests.running import HttpPhone, Server

BACK_MS = 15_000

# Notes every lock that the browser really gave, so that a test can count them and take them away.
LOCKS = """
window.locks = [];
const request = navigator.wakeLock.request.bind(navigator.wakeLock);
navigator.wakeLock.request = async (kind) => {
  const lock = await request(kind);
  window.locks.push(lock);
  return lock;
};
"""
HELD = "window.locks.filter((lock) => !lock.released).length"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One companion for all these tests; whoever kills it starts it again."""
    running = Server(tmp_path_factory.mktemp("installed") / "data").start()
    yield running
    running.kill()


def until(page, condition):
    """Wait for something that only a script can see; the strict policy forbids Playwright's own way."""
    script = f"async () => {{ while (!({condition})) await new Promise((wake) => setTimeout(wake, 30)); }}"
    page.evaluate(f"Promise.race([({script})(), new Promise((_, late) => setTimeout(late, 10000))])")


def wait_for_worker(page, language="en"):
    """Wait until the phone keeps the page for lost connections."""
    until(page, f"navigator.serviceWorker.controller?.scriptURL.endsWith('language={language}')")


def kept(page):
    """Return the addresses of everything in the phone's caches."""
    script = """
    async () => {
      const found = [];
      for (const name of await caches.keys()) {
        for (const request of await (await caches.open(name)).keys()) found.push(request.url);
      }
      return found;
    }
    """
    return sorted(re.sub(r"^https?://[^/]+", "", address) for address in page.evaluate(script))


def test_a_lost_companion_is_explained_and_a_tap_before_it_counts_once(phone, server):
    page = phone()
    sit(page, create(page, "Ana", "Ben"), "Ana")
    wait_for_worker(page)

    server.kill()
    page.get_by_role("button", name="New group").first.click()
    expect(page.locator("#connection")).to_contain_text("Your tap is kept")
    page.reload()
    expect(page.get_by_role("heading", name="The companion cannot be reached")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius") == "12px"
    assert page.evaluate("fetch('/static/favicon.svg?offline=1').then((icon) => icon.ok)")
    page.locator("#retry").click()
    expect(page.locator("#retry")).to_be_visible()
    server.start()

    expect(page.locator(".facts .big").first).to_have_text("11", timeout=BACK_MS)
    entries = HttpPhone(server).log(table_code(page))
    assert [entry["type"] for entry in entries] == ["threat_revealed"]


def test_the_explanation_is_in_the_language_that_was_tapped(phone, server):
    page = phone(locale="en-GB")
    page.goto("/")
    wait_for_worker(page)
    page.locator("button[name=language][value=fr]").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    wait_for_worker(page, "fr")

    server.kill()
    page.goto("/new/guilds")

    expect(page.locator("#retry")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    server.start()


def test_nothing_but_that_page_is_kept_and_all_else_goes_to_the_companion(phone):
    page, other = phone(), phone()
    seats = create(page, "Ana", "Ben")
    wait_for_worker(page)
    answers = []
    page.on("response", lambda answer: answers.append(answer))
    sit(page, seats, "Ana")
    sit(other, seats, "Ben")
    other.get_by_role("button", name="New group").first.click()
    expect(page.locator(".facts .big").first).to_have_text("11", timeout=2000)
    page.reload()
    expect(page.locator(".facts .big").first).to_have_text("11")

    through_worker = {answer.request.resource_type for answer in answers if answer.from_service_worker}
    assert through_worker == {"document"}
    assert {"stylesheet", "script", "fetch"} <= {answer.request.resource_type for answer in answers}
    files = [f"/static/{name}?offline=1" for name in ("app.css", "favicon.svg", "offline.js")]
    assert kept(page) == sorted(["/offline?language=en", "/offline?language=fr", *files])


def test_numbers_typed_just_before_leaving_are_not_lost_in_the_worker(phone, server):
    page = phone()
    sit(page, create(page, "Ana", "Ben", mode="score"), "Ana")
    wait_for_worker(page)
    table = page.url

    for count in ("1", "2", "3"):
        page.locator("button[value='spider+']").click()
        page.goto("/")
        page.goto(table)
        expect(page.locator("#count-spider")).to_have_value(count)

    assert len(HttpPhone(server).log(table_code(page))) == 3


def test_a_table_holds_the_screen_and_the_start_page_does_not(phone):
    page = phone()
    page.add_init_script(LOCKS)
    page.goto("/")
    assert page.evaluate("window.locks.length") == 0
    sit(page, create(page, "Ana", "Ben"), "Ana")
    until(page, f"{HELD} === 1")

    # A phone takes the lock away when the page is hidden.
    page.evaluate("window.locks.at(-1).release()")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(page, f"{HELD} === 1 && window.locks.length > 1")
    page.get_by_role("button", name="New group").first.click()
    expect(page.locator(".facts .big").first).to_have_text("11")
    assert page.evaluate(HELD) == 1

    page.locator("#menu summary").click()
    page.get_by_label("Keep the screen on").uncheck()
    until(page, f"{HELD} === 0")
    page.reload()
    page.locator("#menu summary").click()
    expect(page.get_by_label("Keep the screen on")).not_to_be_checked()
    assert page.evaluate("window.locks.length") == 0
    page.get_by_label("Keep the screen on").check()
    until(page, f"{HELD} === 1")


@pytest.fixture
def plain(open_chromium, server):
    """A page at an address that browsers do not trust: plain http, another machine's name."""
    browser = open_chromium("--host-resolver-rules=MAP kitchen.test 127.0.0.1")
    page = browser.new_page(
        base_url=f"http://kitchen.test:{server.port}", viewport={"width": 360, "height": 740}
    )
    errors = []
    page.on("pageerror", lambda error: errors.append(error))
    yield page
    browser.close()
    assert errors == []


def test_over_plain_http_nothing_is_installed_nothing_breaks_and_the_menu_says_why(plain):
    sit(plain, create(plain, "Ana", "Ben"), "Ana")
    plain.get_by_role("button", name="New group").first.click()
    expect(plain.locator(".facts .big").first).to_have_text("11")
    plain.locator("#menu summary").click()

    assert plain.evaluate("[isSecureContext, 'serviceWorker' in navigator]") == [False, False]
    expect(plain.get_by_label("Keep the screen on")).to_be_hidden()
    plain.get_by_role("link", name="Only over the secure address can a page keep the screen on.").click()
    expect(plain.get_by_role("heading", name="The secure address")).to_be_visible()
