"""Takes the pictures of docs/pictures anew: plays a sample game in French and English and looks at it.

Run through ``make screenshots``; needs the test environment and a Chromium.
"""

import os
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.find_chromium import find_chromium
from tests.browser.journey import create, create_guilds, create_welcome, table_code, type_room
from tests.running import Server

PICTURES = Path(__file__).parent / "pictures"
PHOTO = Path(__file__).parents[1] / "tests" / "pictures" / "rendered" / "table-900007.jpg"
PHONE = {"width": 390, "height": 844}
TV = {"width": 1280, "height": 720}
NAMES = ("Audrey", "Basile", "Chloé")
# Rooms 1 to 5 of each player: how many of which monster.
DUNGEONS = (
    "2 brou, 1 spider 1 brou 1 vampire 1 skeleton, 1 spider 2 vampire 1 vip, "
    "1 spider 1 brou 1 vampire 2 dragon, 2 brou 2 dragon",
    "2 spider 1 vampire, 3 brou 2 dragon, 1 dragon 2 skeleton, 1 vip, 1 brou",
    "1 brou 1 skeleton, 2 dragon, 1 spider 1 vampire 2 brou 1 vip, 2 dragon, 2 dragon 4 vampire",
)


def shoot(page, name):
    page.wait_for_timeout(250)
    page.screenshot(path=PICTURES / f"{name}.png")
    print(name)


def tap(page, selector):
    page.locator(selector).first.click()
    page.wait_for_timeout(350)


def play(page, language, theme):
    def named(name):
        return f"{name}-{language}{'' if theme == 'dark' else '-light'}"

    seats = create(page, *NAMES)
    shoot(page, named("seats"))
    tap(page, "form[action$='take-free'] button")
    page.locator("#threat-icon").check()
    tap(page, "button[value='new']")
    tap(page, "button[aria-label$=': 3']")
    tap(page, "button[aria-label$=': 2']")
    page.evaluate("scrollTo(0, 0)")
    shoot(page, named("playing"))
    tap(page, ".bar .last button")
    shoot(page, named("threat"))
    page.goto(seats.replace("seats/", "history/"))
    shoot(page, named("history"))
    page.goto(seats.replace("seats/", "?seat=0"))
    tap(page, "#finish summary")
    tap(page, "#finish button")
    for dungeon in DUNGEONS:
        for number, room in enumerate(dungeon.split(","), start=1):
            tap(page, f"#place-room{number}")
            page.locator(f"#sheet-room{number}").wait_for()
            words = room.split()
            for count, kind in zip(words[::2], words[1::2], strict=True):
                for _ in range(int(count)):
                    page.locator(f"button[value='{kind}+']").click()
            page.wait_for_timeout(800)
            if dungeon is DUNGEONS[0] and number == 4:
                page.evaluate("scrollTo(0, 0)")
                shoot(page, named("scoring"))
        tap(page, "#place-malus")
        tap(page, ".bar .last button")
        page.locator("#sheet-room1, .podium").wait_for()
    page.evaluate("scrollTo(0, 0)")
    shoot(page, named("result"))
    page.set_viewport_size(TV)
    page.goto(f"/t/{table_code(page)}/tv")
    shoot(page, named("tv"))
    page.set_viewport_size(PHONE)
    page.goto("/")
    shoot(page, named("home"))


def play_drop(page, language, theme):
    """Loot a room of a photo, correct a cube, and score."""

    def named(name):
        return f"drop-{name}-{language}{'' if theme == 'dark' else '-light'}"

    page.goto("/new/dungeon-drop")
    for field, name in zip(page.locator("input[name=player]").all(), NAMES[:2], strict=False):
        field.fill(name)
    page.locator("button[form=setup]").click()
    page.wait_for_url("**/seats/")
    table = page.url.replace("seats/", "")
    tap(page, "form[action$='take-free'] button")
    for seat, (race, calling) in enumerate((("Elfe", "Barde"), ("Nain", "Moine"))):
        page.goto(f"{table}?seat={seat}")
        page.locator("#hero input[name=race]").fill(race)
        page.locator("#hero input[name=calling]").fill(calling)
        page.locator("#hero input[name=initiative]").fill(str(4 + 3 * seat))
        tap(page, "#hero button.wide")
        page.evaluate("document.querySelector('#quest').open = true")
        tap(page, "#quest form > button")
    page.evaluate("scrollTo(0, 0)")
    shoot(page, named("heroes"))
    page.goto(f"{table}?seat=0")
    tap(page, ".bar .last button")
    tap(page, ".bar .last button")
    tap(page, ".card.now button.quiet")
    page.locator("input[type=file]").first.set_input_files(PHOTO)
    page.locator(".overlay").wait_for(timeout=60_000)
    page.wait_for_timeout(500)
    page.evaluate("scrollTo(0, 0)")
    shoot(page, named("rooms"))
    page.locator(".overlay .cube.inside").first.click(force=True)
    page.locator("#cube").scroll_into_view_if_needed()
    shoot(page, named("cube"))
    page.goto(f"{table}?seat=0")
    _close_up(page, named("edge"))
    page.goto(f"{table}?seat=0")
    tap(page, ".bar .last button.primary")
    page.goto(f"{table}?seat=0")
    page.evaluate("scrollTo(0, 0)")
    shoot(page, named("loot"))
    page.goto(f"{table}colours?seat=0")
    shoot(page, named("colours"))
    page.goto(f"{table}?seat=0")
    tap(page, "#finish summary")
    tap(page, "#finish button")
    for seat in (0, 1):
        page.goto(f"{table}?seat={seat}")
        for dice in page.locator("#dice fieldset").all():
            dice.locator("label", has_text="4").click()
        if page.locator("#dice").count():
            tap(page, "#dice button")
        page.evaluate("scrollTo(0, 0)")
        if seat == 0:
            shoot(page, named("scoring"))
        tap(page, ".bar .last button.primary")
    page.goto(f"{table}result")
    shoot(page, named("result"))


def play_welcome(page, language, theme):
    """Bid with a drawn card, go in, choose, survive."""

    def named(name):
        return f"welcome-{name}-{language}{'' if theme == 'dark' else '-light'}"

    specials = {"special_1": "mimic", "special_2": "shapeshifter"}
    seats = create_welcome(page, *NAMES, game="welcome-back", hero="ninja", **specials)
    table = seats.replace("seats/", "")
    tap(page, "form[action$='take-free'] button")
    for card in ("dragon", "goblin", "vampire"):
        tap(page, f".keypad a[href*='drew={card}']")
        tap(page, "button.odd")
    page.evaluate("scrollTo(0, 0)")
    shoot(page, named("bidding"))
    tap(page, ".keypad a[href*='drew=lich']")
    page.evaluate("scrollTo(0, 0)")
    shoot(page, named("odds"))
    tap(page, "button.odd")
    for _ in range(2):
        tap(page, ".bar .last button")
    tap(page, ".keypad button >> nth=0")
    tap(page, "button.odd >> nth=-1")
    tap(page, ".keypad button >> nth=5")
    page.evaluate("scrollTo(0, 0)")
    shoot(page, named("choice"))
    tap(page, "button.odd >> nth=0")
    page.evaluate("scrollTo(0, 0)")
    shoot(page, named("delve"))
    page.goto(f"{table}tiles/?seat=0")
    tap(page, "#hero-ninja summary")
    shoot(page, named("tiles"))


def play_guilds(page, language, theme):
    """Deal a dungeon, choose in secret, place and push, reveal."""

    def named(name):
        return f"guilds-{name}-{language}{'' if theme == 'dark' else '-light'}"

    seats = create_guilds(page, *NAMES)
    table = seats.replace("seats/", "")
    tap(page, "form[action$='take-free'] button")
    for room in ((1, 3, 5, 2, 4), (2, 5, 8, 4, 7)):
        type_room(page, *room)
    page.evaluate("scrollTo(0, 0)")
    shoot(page, named("dealing"))
    type_room(page, 3, 7, 10, 6, 9)
    page.locator("#master-choice").select_option("lich-king")
    tap(page, "button[form=deal]")
    for seat, (one, other) in enumerate(((1, 2), (2, 3), (1, 5))):
        page.goto(f"{table}?seat={seat}")
        for strength in (one, other):
            page.locator(f"label:has(#strength-{strength})").click()
        if seat == 0:
            shoot(page, named("secret"))
        tap(page, "button[form=disable]")
    for strength, room in ((3, 1), (4, 2), (3, 1)):
        tap(page, f".adventurers a >> text=/^{strength}/")
        tap(page, f".chamber >> nth={room} >> button")
    page.goto(f"{table}?seat=2&with=4")
    page.evaluate("scrollTo(0, 280)")
    shoot(page, named("placing"))
    while page.locator("#reveal").count() == 0:
        tap(page, ".dungeon button")
    page.goto(f"{table}?seat=0")
    shoot(page, named("revealing"))
    while page.locator("#reveal").count():
        tap(page, "#reveal label:has(input[name=defence])")
        page.locator("#reveal label:has(input[name=treasure])").last.click()
        tap(page, "button[form=reveal]")
    page.evaluate("scrollTo(0, 0)")
    shoot(page, named("healing"))


def _close_up(page, name):
    """Open the first cube that is too close to call, in whichever of the best rooms there is one."""
    for room in range(page.locator(".rooms-list a").count()):
        page.locator(".rooms-list a").nth(room).click()
        page.wait_for_timeout(400)
        if page.locator(".doubt a").count():
            page.locator(".doubt a").first.click()
            page.locator("#close-up").wait_for()
            page.evaluate("document.querySelector('#room').scrollIntoView()")
            shoot(page, name)
            return


def main():
    PICTURES.mkdir(exist_ok=True)
    chromium = find_chromium()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        args = ["--disable-gpu", *(["--no-sandbox"] if root else [])]
        browser = playwright.chromium.launch(executable_path=chromium, args=args)
        for language, locale, theme in (
            ("fr", "fr-FR", "dark"),
            ("en", "en-GB", "dark"),
            ("fr", "fr-FR", "light"),
        ):
            server = Server(Path(folder) / f"{language}-{theme}", "--address", "192.168.1.20")
            server.port = 8000  # the address on the pictures is the one people will see
            server.start()
            context = browser.new_context(
                base_url=server.address, viewport=PHONE, locale=locale, color_scheme=theme
            )
            play(context.new_page(), language, theme)
            play_drop(context.new_page(), language, theme)
            play_welcome(context.new_page(), language, theme)
            play_guilds(context.new_page(), language, theme)
            context.close()
            server.stop()
        browser.close()


if __name__ == "__main__":
    main()
