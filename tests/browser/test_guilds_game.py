"""Dungeon Guilds on three real phones: secret choices that stay secret, a round by taps."""

import re

from playwright.sync_api import expect

from tests.browser.journey import create_guilds, sit, type_room
from tests.browser.test_drop_game import everything_sent_to

LIVE_MS = 4000
# What tells a choice: the event, the own page's sentence, the sentence of the reveal.
CHOICE = re.compile(r"adventurers_disabled|strengths|You disable \d|désactive[zr]? \d|disables \d")


def disables(page, *strengths):
    for strength in strengths:
        page.locator(f"label:has(#strength-{strength})").click()
    page.locator("button[form=disable]").click()


def places(page, strength, room, words):
    """Choose an adventurer, then one of the buttons of a room."""
    page.locator(".adventurers a", has_text=re.compile(rf"^{strength}")).click()
    expect(page.locator(".adventurers a[aria-current]")).to_have_text(re.compile(rf"^{strength}"))
    page.locator(".chamber").nth(room).get_by_role("button", name=words).click()


def reveals(page, defence, treasure):
    title = page.get_by_role("heading", level=1).inner_text()
    page.locator(f"#reveal label:has(#defence-{defence})").click()
    page.locator(f"#reveal label:has(#treasure-{treasure})").click()
    page.locator("button[form=reveal]").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text(title)


def money(page):
    return [int(text.strip("$\u00a0")) for text in page.locator(".purse .big").all_inner_texts()]


def turn_of(page, words):
    expect(page.get_by_role("heading", name=re.compile(words))).to_be_visible(timeout=LIVE_MS)


def test_three_phones_choose_in_secret_and_play_a_round(phone):
    ana, ben, caro = phone(), phone(locale="fr-FR"), phone(scheme="light")
    seats = create_guilds(ana, "Ana", "Ben", "Caro")
    for page, name in ((ana, "Ana"), (ben, "Ben"), (caro, "Caro")):
        sit(page, seats, name)

    for room in ((1, 3, 5, 2, 4), (2, 5, 8, 4, 7), (3, 7, 10, 6, 9)):
        type_room(ana, *room)
    ana.locator("#master-choice").select_option("beholder")
    ana.locator("button[form=deal]").click()

    # Everybody chooses on the own phone; the others only see that it was done.
    for page, words in ((ben, "Désactivez deux aventuriers"), (caro, "Disable two adventurers")):
        turn_of(page, words)
    sent = {name: everything_sent_to(page) for name, page in (("ana", ana), ("caro", caro))}
    disables(ana, 4, 5)
    expect(ana.get_by_role("heading", name="You disable 4 and 5.")).to_be_visible()
    expect(ben.locator(".purse li").first).to_contain_text("a choisi", timeout=LIVE_MS)
    disables(ben, 1, 2)
    expect(caro.locator(".purse li").nth(1)).to_contain_text("has chosen", timeout=LIVE_MS)
    before = {name: [text_of(answer) for answer in answers] for name, answers in sent.items()}
    for place in ("", "tv", "history/", "log.jsonl", "result", "?watch=1", "?seat=0", "?seat=2"):
        before["caro"].append(caro.request.get(seats.replace("seats/", place)).text())
    assert any(CHOICE.search(body) for body in before["ana"])
    assert len(before["caro"]) > 9
    assert [found[0] for body in before["caro"] if (found := CHOICE.search(body))] == []

    # The last choice reveals all of them, and everybody gets the money.
    disables(caro, 1, 2)
    turn_of(ana, "Your turn, Ana")
    expect(ben.locator(".told")).to_contain_text("Ana désactive 4 et 5", timeout=LIVE_MS)
    assert money(ana) == [7, 4, 4]

    # Snake order with somebody pushed out: Ana places twice in a row.
    places(ana, 3, 1, "Place 3 here")
    turn_of(ben, "À vous de jouer, Ben|Ben")
    places(ben, 3, 1, "Placer le 3 ici")
    turn_of(caro, "Your turn, Caro")
    places(caro, 3, 2, "Place 3 here")
    expect(caro.locator(".told")).to_contain_text("Caro places 3 in room 3")
    places(caro, 5, 1, "Push Ana's 3 out")
    expect(ana.locator(".told")).to_contain_text("$1 to the bank and $1 to the owner", timeout=LIVE_MS)
    turn_of(ben, "Ben")
    places(ben, 4, 2, "Placer le 4 ici")
    turn_of(ana, "Your turn, Ana")
    places(ana, 1, 0, "Place 1 here")
    expect(ana.locator(".told")).to_contain_text("Ana places 1 in room 1")
    turn_of(ana, "Your turn, Ana")
    # Only a free space is left, and the undo button brings a moment back on all phones.
    places(ana, 2, 0, "Place 2 here")
    turn_of(caro, "Reveal room 1")
    assert money(caro) == [8, 4, 2]
    caro.locator("button.undo").click()
    turn_of(ana, "Your turn, Ana")
    places(ana, 3, 0, "Place 3 here")
    turn_of(caro, "Reveal room 1")

    # Rooms are revealed; Ana's own pair takes the beholder's whole treasure, room 3 fails.
    reveals(caro, 4, 4)
    expect(ben.locator(".told")).to_contain_text("Ana reçoit 7", timeout=LIVE_MS)
    reveals(caro, 8, 5)
    reveals(caro, 9, 9)
    turn_of(ana, "Healing and cleaning up")
    expect(ana.locator(".chamber.failed")).to_have_count(1)
    ana.get_by_role("button", name="Pay, next round").click()
    for page, words in ((ben, "Créez le donjon"), (caro, "Deal the dungeon")):
        turn_of(page, words)
    # Room 2: 5 split 3 (Caro's 5) and 2 (Ben's 3); healing Caro's 3 and Ben's 4 costs 2 each.
    assert money(ana) == [15, 4, 3]
    # The cards of this round are there to be tapped in the next one.
    expect(ana.locator(".backs a")).to_have_count(3)


def text_of(answer):
    """Return what an answer says; redirects say nothing."""
    return answer.text() if answer.status == 200 else ""


def test_only_money_is_kept_on_a_phone_without_scripts(phone):
    ana = phone(js=False)
    seats = create_guilds(ana, "Ana", "Ben", "Caro", mode="score")
    sit(ana, seats, "Ana")
    ana.locator("#who-1").check()
    ana.locator("#count-amount").fill("12")
    ana.locator("select[name=reason]").select_option("treasure")
    ana.get_by_role("button", name="Write down").click()
    expect(ana.locator(".told")).to_contain_text("Ben gets $12: Treasure.")
    ana.locator("#who-2").check()
    ana.locator("#way-out").check()
    ana.locator("select[name=reason]").select_option("healing")
    ana.locator("#count-amount").fill("5")
    ana.get_by_role("button", name="Write down").click()
    expect(ana.locator(".told")).to_contain_text("Caro pays $2: Healing.")
    assert money(ana) == [2, 14, 0]
    ana.locator("#finish > summary").click()
    ana.get_by_role("button", name="Yes, show the result").click()
    expect(ana.get_by_role("heading", name="Ben: the most money, $14")).to_be_visible()
