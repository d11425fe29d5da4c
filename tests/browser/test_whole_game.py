"""A whole game on two phones, the way a family plays it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.journey import create, sit

LIVE_MS = 1000  # what one phone does shows on the others within a second


def fill(page, **counts):
    for kind, count in counts.items():
        for _ in range(count):
            page.locator(f"button[value='{kind}+']").click()


PLACES = {"Adventurers": "groups", "Malus tiles": "malus"}


def next_place(page, name):
    page.get_by_role("link", name=name).last.click()
    page.wait_for_url(re.compile(f"place={PLACES.get(name, name.lower().replace(' ', ''))}"))


# The dungeon of the rulebook's worked example: 39 points.
EXAMPLE = (
    {"brou": 2},
    {"spider": 1, "brou": 1, "vampire": 1, "skeleton": 1},
    {"spider": 1, "vampire": 2, "skeleton": 1, "vip": 1},
    {"spider": 1, "brou": 1, "vampire": 1, "dragon": 2},
    {"brou": 2, "dragon": 2},
)


def test_two_phones_play_undo_score_and_see_the_result(phone):
    ana, ben = phone(), phone()
    seats = create(ana, "Ana", "Ben")
    sit(ana, seats, "Ana")
    sit(ben, seats, "Ben")
    expect(ben.get_by_role("heading", name="Ana's turn")).to_be_visible()

    ana.get_by_label("It shows a threat icon").check()
    ana.get_by_role("button", name="New group").first.click()

    groups = ben.locator("section", has=ben.get_by_role("heading", name="My dungeon")).locator(".room b")
    expect(groups.first).to_have_text("2", timeout=LIVE_MS)
    expect(ben.locator(".facts .big").first).to_have_text("11")

    # A tap while another is on its way counts as a double tap, so each waits for the one before.
    for there in ("1", "2"):
        ben.get_by_role("button", name="My group advances: 3").click()
        expect(groups.nth(3)).to_have_text(there)
    ben.get_by_role("button", name="My group advances: 1").click()
    expect(ben.locator(".malus")).to_have_text("1")
    expect(ana.locator(".malus")).to_have_text("1", timeout=LIVE_MS)

    expect(ben.get_by_role("button", name=re.compile("Undo"))).to_contain_text(
        "A group goes from room 4 to room 5"
    )
    ben.get_by_role("button", name=re.compile("Undo")).click()
    expect(ben.locator(".malus")).to_have_count(0)
    expect(ana.locator(".malus")).to_have_count(0, timeout=LIVE_MS)
    ben.get_by_role("button", name="Redo").click()
    expect(ana.locator(".malus")).to_have_text("1", timeout=LIVE_MS)

    ana.get_by_role("button", name="End my turn").click()
    expect(ben.get_by_role("heading", name="Your turn, Ben")).to_be_visible(timeout=LIVE_MS)

    ana.get_by_text("Stop here and score").click()
    ana.get_by_role("button", name="Yes, count the points now").click()
    expect(ben.get_by_role("heading", name="Scoring: Ben")).to_be_visible(timeout=LIVE_MS)

    for number, room in enumerate(EXAMPLE, start=1):
        if number > 1:
            next_place(ana, f"Room {number}")
        fill(ana, **room)
    next_place(ana, "Adventurers")
    ana.locator("#count-room1").fill("1")
    ana.locator("#count-room2").fill("1")
    ana.locator("button[value='room5+']").click()
    next_place(ana, "Malus tiles")
    fill(ana, tiles=3)
    expect(ana.locator("#total")).to_have_text("39")
    expect(ben.get_by_role("row", name=re.compile("Ana"))).to_contain_text("39", timeout=2 * LIVE_MS)

    ana.get_by_role("button", name="All counted").click()
    expect(ana.get_by_text("Still counting: Ben")).to_be_visible()
    ben.locator("#place-malus").click()
    ben.get_by_role("button", name="All counted").click()

    expect(ben.get_by_role("heading", name="Ana succeeds the guardian.")).to_be_visible()
    expect(ana.get_by_role("heading", name="Ana succeeds the guardian.")).to_be_visible(timeout=LIVE_MS)
    assert "/result" in ana.url
    expect(ana.locator(".podium .big").first).to_have_text("39")


def test_a_whole_game_without_javascript(phone):
    ana, ben = phone(js=False), phone(js=False)
    seats = create(ana, "Ana", "Ben")
    sit(ana, seats, "Ana")
    sit(ben, seats, "Ben")

    ana.get_by_role("button", name="New group").first.click()
    ben.reload()
    expect(ben.locator(".facts .big").first).to_have_text("11")
    ana.get_by_role("button", name=re.compile("Undo")).click()
    expect(ana.locator(".facts .big").first).to_have_text("12")
    ana.get_by_text("Stop here and score").click()
    ana.get_by_role("button", name="Yes, count the points now").click()

    for number, room in enumerate(EXAMPLE, start=1):
        if number > 1:
            next_place(ana, f"Room {number}")
        fill(ana, **room)
    next_place(ana, "Adventurers")
    fill(ana, room2=1, room5=1)
    ana.locator("#place-malus").click()
    fill(ana, tiles=3)
    expect(ana.locator("#total")).to_have_text("39")
    ana.get_by_role("button", name="All counted").click()
    ben.reload()
    ben.locator("#place-malus").click()
    ben.get_by_role("button", name="All counted").click()

    expect(ben.get_by_role("heading", name="Ana succeeds the guardian.")).to_be_visible()
    ana.reload()
    assert "/result" in ana.url


def test_a_stale_page_without_javascript_is_told_and_refreshed(phone):
    ana, ben = phone(js=False), phone(js=False)
    seats = create(ana, "Ana", "Ben")
    sit(ana, seats, "Ana")
    sit(ben, seats, "Ben")

    ana.get_by_role("button", name="New group").first.click()
    ben.get_by_role("button", name="New group").first.click()

    expect(ben.get_by_role("alert").filter(has_text="The table has changed")).to_be_visible()
    expect(ben.locator(".facts .big").first).to_have_text("11")


def test_one_phone_scores_four_dungeons_with_few_taps(phone):
    page = phone()
    create(page, "Ana", "Ben", "Cleo", "Dan", mode="score")
    page.get_by_role("button", name="This phone is for all free seats").click()
    page.wait_for_url(re.compile(r"/t/[^/]+/(\?.*)?$"))
    taps = 0

    for name in ("Ana", "Ben", "Cleo", "Dan"):
        expect(page.get_by_role("heading", name=f"Scoring: {name}")).to_be_visible()
        for number, room in enumerate(EXAMPLE, start=1):
            if number > 1:
                next_place(page, f"Room {number}")
                taps += 1
            fill(page, **room)
            taps += sum(room.values())
        next_place(page, "Adventurers")
        fill(page, room1=1, room2=1, room5=1)
        next_place(page, "Malus tiles")
        fill(page, tiles=3)
        page.get_by_role("button", name="All counted").click()
        taps += 3 + 3 + 3  # three groups, three tiles, three buttons

    expect(page.get_by_role("heading", name="A tie: nobody succeeds the guardian.")).to_be_visible()
    # Two minutes for a four-player game leave nine tenths of a second for each of these.
    assert taps == 132


@pytest.mark.parametrize("language", ["fr-FR", "en-GB"])
def test_the_phone_chooses_the_language_and_can_change_it(phone, language):
    page = phone(locale=language)

    page.goto("/")

    other = "en" if language.startswith("fr") else "fr"
    expect(page.locator("html")).to_have_attribute("lang", language[:2])
    page.locator(f"button[name=language][value={other}]").click()
    expect(page.locator("html")).to_have_attribute("lang", other)
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", other)
