"""The steps that several browser tests share: creating a table and sitting down."""

import re


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


def sit(page, seats_address, name):
    """Take the seat of *name*."""
    page.goto(seats_address)
    page.locator("button.seat", has_text=name).click()
    page.wait_for_url(re.compile(r"\?seat=\d$"))


def table_code(page):
    """Return the code of the table a page shows."""
    return re.search(r"/t/([^/]+)/", page.url)[1]
