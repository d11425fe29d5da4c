"""Every page at its narrowest, in both languages and themes: nothing clipped, small or unreadable."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.journey import (
    PHOTO,
    create,
    create_drop,
    create_guilds,
    create_welcome,
    gather,
    sit,
    table_code,
    type_room,
)

TARGET_PX = 44

# Measured in the page: what a finger has to hit, and what sticks out sideways.
MEASURE = """
() => {
  const seen = (e) => e.checkVisibility({checkOpacity: false}) && !e.closest(".unseen, .skip")
    && getComputedStyle(e).clipPath === "none";
  const small = [];
  for (const e of document.querySelectorAll("a, button, summary, select, input:not([type=hidden])")) {
    if (!seen(e)) continue;
    const target = e.matches("input[type=checkbox], input[type=radio]") ? e.closest("label") : e;
    // Cubes are as small as they are on the photo; two fingers make it larger.
    if (e.closest("p, svg") || e.matches(".total a, .stepper input, [type=file]")) continue;
    const box = target.getBoundingClientRect();
    if (box.width < TARGET || box.height < TARGET) small.push(e.outerHTML.slice(0, 120) + " " + box.height);
  }
  const wide = [];
  for (const e of document.querySelectorAll("main *, header *, nav *")) {
    if (!seen(e) || e.closest(".tabs, .offers, .photo, svg")) continue;
    const box = e.getBoundingClientRect();
    if (box.right > innerWidth + 1 || box.left < -1) wide.push(e.outerHTML.slice(0, 120));
  }
  const cut = [];
  for (const e of document.querySelectorAll("button, .button, .stepper span, .board a, .facts small")) {
    if (seen(e) && e.scrollWidth > e.clientWidth + 1) cut.push(e.outerHTML.slice(0, 120));
  }
  return {small, wide, cut, scroll: document.documentElement.scrollWidth > innerWidth};
}
""".replace("TARGET", str(TARGET_PX))


def check(page, name):
    found = page.evaluate(MEASURE)
    assert found == {"small": [], "wide": [], "cut": [], "scroll": False}, name
    serious = [
        (v["id"], [node["html"][:160] for node in v["nodes"]])
        for v in Axe().run(page).response["violations"]
        if v["impact"] in ("serious", "critical")
    ]
    assert serious == [], name


@pytest.mark.parametrize(("locale", "scheme"), [("fr-FR", "light"), ("en-GB", "dark")])
def test_every_page_is_usable_at_360_pixels(phone, locale, scheme):
    page = phone(locale=locale, scheme=scheme, width=360, height=740)
    page.goto("/new/apprentis")
    check(page, "setup")
    seats = create(page, "Maximilienne", "Ben", "Anne-Charlotte de Lille", "Jo")
    check(page, "seats")
    sit(page, seats, "Maximilienne")
    check(page, "playing")
    code = table_code(page)
    for kind in ("new", "advance-3"):
        page.locator(f"button[name=effect][value={kind}]").first.click()
        expect(page.locator(".undo:not([disabled])")).to_be_visible()
        page.locator(".undo").click()
        expect(page.locator(".undo[disabled]")).to_be_visible()
    for details in page.locator("details.fold").all():
        details.locator("> summary").click()
    check(page, "playing, unfolded")
    page.locator(".menu summary").click()
    check(page, "menu")
    page.locator(".menu summary").click()
    page.locator("#finish button").click()
    expect(page.locator("#sheet-room1")).to_be_visible()
    page.locator("button[value='skeleton+']").click()
    check(page, "scoring")
    for place in ("entrance", "corridor1", "groups", "malus"):
        page.locator(f"#place-{place}").click()
        expect(page.locator(f"#sheet-{place}")).to_be_visible()
        check(page, place)
    page.goto(f"/t/{code}/history/?seat=0")
    check(page, "history")
    page.goto(f"/t/{code}/tv")
    check(page, "tv")
    page.goto(f"/t/{code}/delete/")
    check(page, "delete")
    page.goto("/")
    check(page, "home")
    page.goto("/t/nowhere/")
    check(page, "error")


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("locale", ["fr-FR", "en-GB"])
def test_the_result_page_is_usable_at_360_pixels(phone, locale, scheme):
    page = phone(locale=locale, scheme=scheme, width=360, height=740)
    create(page, "Maximilienne", "Ben", "Anne-Charlotte de Lille", "Jo", mode="score")
    page.locator("form[action$='take-free'] button").click()
    for _ in range(4):
        page.locator("#place-malus").click()
        expect(page.locator("#sheet-malus")).to_be_visible()
        page.locator(".last button").click()
        expect(page.locator("#sheet-malus")).to_have_count(0)

    expect(page.locator(".podium")).to_be_visible()
    page.locator("details.fold").first.locator("> summary").click()
    check(page, "result")
    with page.expect_download() as download:
        page.locator("a[data-picture]").click()
    assert download.value.suggested_filename == "dungeon.png"


@pytest.mark.parametrize(("locale", "scheme"), [("fr-FR", "light"), ("en-GB", "dark")])
def test_dungeon_drop_is_usable_at_360_pixels(phone, locale, scheme):
    page = phone(locale=locale, scheme=scheme, width=360, height=740)
    seats = create_drop(page, "Maximilienne", "Anne-Charlotte de Lille", teamwork=True)
    check(page, "seats")
    page.locator("form[action$='take-free'] button").click()
    # Left at once, the page would take its tap with it.
    expect(page.locator("form#hero").first).to_be_visible()
    for seat in (0, 1):
        page.goto(seats.replace("seats/", f"?seat={seat}"))
        gather(page, initiative=4 + seat, race="Demi-elfe des bois profonds")
    unfold(page)
    check(page, "gathering")
    page.goto(seats.replace("seats/", "?seat=0"))
    page.locator(".bar .last button").click()
    expect(page.locator(".undo:not([disabled])")).to_be_visible()
    check(page, "explore")
    page.locator(".bar .last button").click()
    expect(page.locator(".card.now button.quiet")).to_be_visible()
    check(page, "ability")
    page.locator("input[type=file]").first.set_input_files(PHOTO)
    expect(page.locator(".overlay")).to_be_visible(timeout=30_000)
    unfold(page)
    check(page, "photo")
    page.locator(".overlay .cube.inside").first.click(force=True)
    expect(page.locator("#cube")).to_be_visible()
    check(page, "cube")
    page.goto(seats.replace("seats/", "?seat=0"))
    for room in range(page.locator(".rooms-list a").count()):
        page.locator(".rooms-list a").nth(room).click()
        expect(page.locator(".rooms-list a").nth(room)).to_have_attribute("aria-current", "true")
        if page.locator(".doubt a").count():
            page.locator(".doubt a").first.click()
            expect(page.locator("#close-up")).to_be_visible()
            check(page, "close-up")
            break
    page.goto(seats.replace("seats/", "camera?seat=0"))
    check(page, "camera")
    page.goto(seats.replace("seats/", "colours?seat=0"))
    check(page, "colours")
    page.goto(seats.replace("seats/", "?seat=1"))
    check(page, "waiting")
    page.goto(seats.replace("seats/", "tv"))
    check(page, "tv")
    page.goto(seats.replace("seats/", "?seat=0"))
    page.locator("#finish summary").click()
    page.locator("#finish button").click()
    expect(page.locator("#total")).to_be_visible()
    unfold(page)
    check(page, "scoring")


@pytest.mark.parametrize(("locale", "scheme"), [("fr-FR", "light"), ("en-GB", "dark")])
def test_the_welcome_games_are_usable_at_360_pixels(phone, locale, scheme):
    page = phone(locale=locale, scheme=scheme, width=360, height=740)
    page.goto("/new/welcome-back")
    check(page, "setup")
    specials = {"special_1": "gelatinous-cube", "special_2": "shapeshifter"}
    seats = create_welcome(
        page, "Maximilienne", "Anne-Charlotte de Lille", game="welcome-back", hero="ninja", **specials
    )
    page.locator("form[action$='take-free'] button").click()
    expect(page.locator(".keypad")).to_be_visible()
    unfold(page)
    check(page, "bidding")
    for monster in ("gelatinous-cube", "dragon"):
        page.locator(f".keypad a[href*='drew={monster}']").click()
        expect(page.locator("button.odd").first).to_be_visible()
        check(page, "drawn")
        page.locator("button.odd").first.click()
        expect(page.locator(".keypad a").first).to_be_visible()
    for token in page.locator(".token").all()[2:4]:
        token.locator("summary").click()
    check(page, "tokens")
    page.locator(".bar .last button").click()
    expect(page.locator("#hp")).to_be_visible()
    check(page, "inside")
    page.locator(".keypad button").nth(4).click()
    expect(page.locator("button.odd").first).to_be_visible()
    check(page, "choice")
    page.locator("button.odd").last.click()
    expect(page.locator("button.odd")).to_have_count(0)
    unfold(page)
    check(page, "after a blow")
    page.goto(seats.replace("seats/", "tv"))
    check(page, "tv")
    page.goto(seats.replace("seats/", "tiles/?seat=0"))
    unfold(page)
    check(page, "learn")
    page.goto(seats.replace("seats/", "tiles/sixth-tile?seat=0"))
    unfold(page)
    check(page, "tile")
    page.goto(seats.replace("seats/", "?seat=0"))
    page.locator("#miscounted summary").click()
    page.locator("#miscounted button").click()
    expect(page.locator(".heroes")).to_be_visible()
    check(page, "choosing")


@pytest.mark.parametrize(("locale", "scheme"), [("fr-FR", "light"), ("en-GB", "dark")])
def test_the_guilds_are_usable_at_360_pixels(phone, locale, scheme):
    page = phone(locale=locale, scheme=scheme, width=360, height=740)
    page.goto("/new/guilds")
    check(page, "setup")
    seats = create_guilds(
        page, "Maximilienne", "Anne-Charlotte de Lille", "Zoë", "Jean", ghost="yes", teams="two"
    )
    page.locator("form[action$='take-free'] button").click()
    expect(page.locator("#type")).to_be_visible()
    unfold(page)
    check(page, "dealing")
    for room in ((1, 3, 5, 2, 4), (1, 2, 4, 1, 3), (2, 5, 8, 4, 7), (3, 7, 10, 6, 9), (3, 9, 14, 8, 20)):
        type_room(page, *room)
    page.locator("#master-choice").select_option("lich-king")
    check(page, "dealt")
    page.locator("button[form=deal]").click()
    expect(page.locator("#disable")).to_be_visible()
    unfold(page)
    check(page, "disabling")
    for seat in range(4):
        page.goto(seats.replace("seats/", f"?seat={seat}"))
        for strength in (1, 2):
            page.locator(f"label:has(#strength-{strength})").click()
        page.locator("button[form=disable]").click()
        expect(page.locator("#disable")).to_have_count(0)
        if seat == 0:
            check(page, "chosen")
    for _ in range(6):
        told = page.locator(".told").inner_text()
        page.locator(".dungeon button").last.click()
        expect(page.locator(".told")).not_to_have_text(told)
    unfold(page)
    check(page, "placing")
    while page.locator("#reveal").count() == 0:
        told = page.locator(".told").inner_text()
        page.locator(".dungeon button").first.click()
        expect(page.locator(".told")).not_to_have_text(told)
    unfold(page)
    check(page, "revealing")
    page.goto(seats.replace("seats/", "tv"))
    check(page, "tv")
    page.goto(seats.replace("seats/", "?seat=0"))
    page.locator("#reveal label:has(input[name=defence])").last.click()
    page.locator("#reveal label:has(input[name=treasure])").last.click()
    page.locator("button[form=reveal]").click()
    expect(page.locator("#reveal, .chamber.failed").first).to_be_visible()
    check(page, "revealed")


def unfold(page):
    for details in page.locator("main details.fold:not([open])").all():
        if details.is_visible():
            details.locator("> summary").click()
