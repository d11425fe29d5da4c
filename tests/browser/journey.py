"""The steps that several browser tests share: creating a table, sitting down, writing down a hero."""

import re
from pathlib import Path

from playwright.sync_api import expect

PHOTO = Path(__file__).parents[1] / "pictures" / "rendered" / "table-900007.jpg"


def create(page, *names, mode="full"):
    """Set up a game with the objectives of the rulebook's example; return the seats' address."""
    page.goto("/new/apprentis")
    for field, name in zip(page.locator("input[name=player]").all(), names, strict=False):
        field.fill(name)
    page.locator(f"input[name=option-mode][value={mode}]").check()
    for colour, side in (
        ("spider", "spider-vampire"),
        ("brou", "brou-singles-and-pairs"),
        ("vampire", "vampire-crowd"),
        ("dragon", "dragon-hoards"),
    ):
        page.locator(f"select[name=option-{colour}]").select_option(side)
    page.locator("button[form=setup]").click()
    page.wait_for_url("**/seats/")
    return page.url


def create_drop(page, *names, teamwork=False, solo=False):
    """Set up a game of Dungeon Drop; return the seats' address."""
    page.goto("/new/dungeon-drop")
    for field, name in zip(page.locator("input[name=player]").all(), names, strict=False):
        field.fill(name)
    if teamwork:
        page.locator("input[name=option-teamwork][value=yes]").check()
    if solo:
        page.locator("input[name=option-solo][value=yes]").check()
    page.locator("button[form=setup]").click()
    page.wait_for_url("**/seats/")
    return page.url


def gather(page, initiative, gems=(1, 2, 3), race=""):
    """Write down a hero and a quest."""
    hero = page.locator("form#hero")
    hero.locator("input[name=race]").fill(race)
    hero.locator("input[name=initiative]").fill(str(initiative))
    hero.locator("button.primary").click()
    expect(hero.locator("button.primary")).to_have_count(0)
    quest = page.locator("#quest")
    if quest.get_attribute("open") is None:
        quest.locator("> summary").click()
    for colour, value in zip(("clear", "blue", "pink"), gems, strict=True):
        quest.locator(f"input[name={colour}]").fill(str(value))
    quest.locator("form > button").click()
    expect(page.locator("tr", has_text=race or "").locator(".icon").first).to_be_visible()


def sit(page, seats_address, name):
    """Take the seat of *name*."""
    page.goto(seats_address)
    page.locator("button.seat", has_text=name).click()
    page.wait_for_url(re.compile(r"\?seat=\d$"))


def table_code(page):
    """Return the code of the table a page shows."""
    return re.search(r"/t/([^/]+)/", page.url)[1]


def create_welcome(page, *names, game="welcome", **options):
    """Set up a game of Welcome (Back) to the Dungeon; return the seats' address."""
    page.goto(f"/new/{game}")
    for field, name in zip(page.locator("input[name=player]").all(), names, strict=False):
        field.fill(name)
    for option, value in options.items():
        page.locator(f"select[name=option-{option}]").select_option(value)
    page.locator("button[form=setup]").click()
    page.wait_for_url("**/seats/")
    return page.url


def create_guilds(page, *names, **options):
    """Set up a game of Dungeon Guilds; return the seats' address."""
    page.goto("/new/guilds")
    for field, name in zip(page.locator("input[name=player]").all(), names, strict=False):
        field.fill(name)
    for option, value in options.items():
        radio = page.locator(f"input[name=option-{option}][value={value}]")
        if radio.count():
            radio.check()
        else:
            page.locator(f"select[name=option-{option}]").select_option(value)
    page.locator("button[form=setup]").click()
    page.wait_for_url("**/seats/")
    return page.url


def type_room(page, level, *numbers):
    """Type the back of a room: its level, defence from and to, treasure from and to."""
    missing = page.locator("section.now h2").inner_text()
    if page.locator("#type").get_attribute("open") is None:
        page.locator("#type > summary").click()
    page.locator(f"#type label:has(#level-{level})").click()
    for field, value in zip(
        ("defence_low", "defence_high", "treasure_low", "treasure_high"), numbers, strict=True
    ):
        page.locator(f"#type input[name={field}]").fill(str(value))
    page.locator("#type form button").click()
    expect(page.locator("section.now h2")).not_to_have_text(missing)
