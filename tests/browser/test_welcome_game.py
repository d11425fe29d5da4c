"""Welcome to the Dungeon on three real phones: a whole game by taps, and private notes that stay private."""

import re

from playwright.sync_api import expect

from tests.browser.journey import create_welcome, sit
from tests.browser.test_drop_game import everything_sent_to

LIVE_MS = 4000
# What a page holds that tells notes: a card in a bid, a way to take it out, the list itself.
NOTED = re.compile(
    r'card[^>]*monster_(added|set_aside)|drop-(dungeon|aside)-|name="(dungeon|aside)" value="[a-z]|drew='
)


def draws(page, monster, choice):
    """Draw a monster, tell the own phone, and choose."""
    page.locator(".keypad a", has_text=monster).click()
    expect(page.get_by_role("heading", name=f"You drew: {monster}")).to_be_visible()
    expect(page.locator("button.odd > b").first).to_contain_text("%")
    page.locator("button.odd", has_text=choice).click()


def turn_of(page, name):
    return expect(page.get_by_role("heading", name=re.compile(name))).to_be_visible(timeout=LIVE_MS)


def turns(page, monster):
    before = page.locator("text=/Card \\d+ of/").inner_text()
    page.locator(".keypad button", has_text=monster).first.click()
    expect(page.locator("text=/Card \\d+ of/")).not_to_have_text(before)


def test_three_phones_play_a_whole_game_and_notes_stay_private(phone):
    ana, ben, caro = phone(), phone(locale="fr-FR"), phone(scheme="light")
    sent = {name: everything_sent_to(page) for name, page in (("ben", ben), ("caro", caro))}
    seats = create_welcome(ana, "Ana", "Ben", "Caro", hero="warrior")
    for page, name in ((ana, "Ana"), (ben, "Ben"), (caro, "Caro")):
        sit(page, seats, name)

    # Round 1: Ana adds the dragon, Ben taps for himself without a note, Caro sets a demon aside.
    turn_of(ana, "Your turn, Ana")
    draws(ana, "Dragon", "Into the dungeon")
    turn_of(ben, "À vous de jouer, Ben|Ben")
    ben.locator("#untold summary").click()
    ben.locator("#untold button").first.click()
    turn_of(caro, "Your turn, Caro")
    caro.locator(".keypad a", has_text="Demon").click()
    caro.locator("button.odd", has_text="Dragon Spear").click()
    turn_of(ana, "Your turn, Ana")
    expect(ana.locator(".facts .big").first).to_have_text("2")
    # Ana's phone knows the dragon is there, and that nothing but the sword stops it now.
    expect(ana.locator("section.odds")).to_contain_text("name Dragon")
    expect(ana.locator("#notes summary")).to_contain_text("1")
    ana.get_by_role("button", name="I pass").click()
    turn_of(ben, "Ben")
    expect(ben.locator("#notes summary")).to_contain_text("0")
    ben.get_by_role("button", name="Je passe").click()

    # Caro is in: she names, cards are turned on two phones, the track follows on all.
    turn_of(caro, "You are in the dungeon")
    turn_of(ana, "Caro is in the dungeon")
    caro.locator(".keypad button", has_text="Golem").click()
    expect(ana.get_by_role("heading", name="Turn the next card: which is it?")).to_be_visible(timeout=LIVE_MS)
    turns(caro, "Golem")
    expect(ana.locator(".told")).to_contain_text("Golem: ignored (Vorpal Sword)", timeout=LIVE_MS)
    turns(ana, "Dragon")
    for page in (ana, ben, caro):
        expect(page.locator("#hp")).to_have_text("2", timeout=LIVE_MS)
    caro.get_by_role("button", name="Survived!").click()
    turn_of(caro, "Choose the adventurer")
    expect(ben.locator(".success.won")).to_have_count(1, timeout=LIVE_MS)

    # Round 2: straight to the dungeon with few tiles; a choice with its odds, taken back, chosen again.
    caro.locator(".heroes button", has_text="Barbarian").click()
    turn_of(caro, "Your turn, Caro")
    caro.locator("#skip > summary").click()
    for tile in ("torch", "war-hammer", "healing-potion", "leather-shield"):
        caro.locator(f"#left-{tile}").uncheck()
    caro.locator("#skip button[value='cards+']").click()
    caro.locator("#skip button[value='cards+']").click()
    caro.locator("#skip form > button").click()
    turn_of(caro, "You are in the dungeon")
    caro.locator(".keypad button", has_text="Lich").click()
    expect(caro.locator("button.odd", has_text="Use Vorpal Axe")).to_contain_text("%")
    caro.locator("button.odd", has_text="Take 6 damage").click()
    expect(caro.locator("#hp")).to_have_text("2")
    caro.locator("button.undo").click()
    caro.locator("button.odd", has_text="Use Vorpal Axe").click()
    expect(caro.locator("#hp")).to_have_text("8")
    turns(caro, "Orc")
    expect(caro.locator("#hp")).to_have_text("5")
    caro.get_by_role("button", name="Survived!").click()

    for page, words in ((ana, "Caro survived a second dungeon"), (ben, "Caro a traversé un deuxième donjon")):
        expect(page.get_by_role("heading", name=words)).to_be_visible(timeout=LIVE_MS)
    # Caro told her phone a card, so hers holds what is looked for; Ben told his none.
    assert any(NOTED.search(body) for body in bodies(sent["caro"]))
    assert len(bodies(sent["ben"])) > 10
    assert [found[0] for body in bodies(sent["ben"]) if (found := NOTED.search(body))] == []


def bodies(answers):
    """Return all pages, without the links of the keypad, which name every monster there is."""
    texts = [answer.text() for answer in answers if answer.status == 200]
    return [re.sub(r'<a class="button"[^>]*drew=[^>]*>', "", text) for text in texts]


def test_a_tile_is_corrected_on_the_phone_and_kept(phone):
    ana = phone()
    seats = create_welcome(ana, "Ana", "Ben", game="welcome-back", hero="necromancer")
    sit(ana, seats, "Ana")
    ana.get_by_role("link", name="Tiles and monsters explained").click()
    ana.locator("#hero-necromancer summary").click()
    ana.get_by_role("link", name="Correct The sixth tile").click()
    ana.locator("input[name=en]").fill("Crypt")
    ana.locator("input[name=hp]").fill("4")
    ana.get_by_role("button", name="Save the tile").click()
    ana.wait_for_url(re.compile("/tiles/"))
    ana.get_by_role("link", name="Back to the table").click()
    expect(ana.locator("#token-sixth-tile summary")).to_have_text("Crypt")
    expect(ana.locator(".hearts .big")).to_have_text("15")

    later = create_welcome(ana, "Ana", "Ben", game="welcome-back", hero="necromancer")
    sit(ana, later, "Ana")
    ana.locator("#token-sixth-tile summary").click()
    expect(ana.locator("#token-sixth-tile")).to_contain_text("+4 hit points.")


def test_a_round_without_scripts(phone):
    ana = phone(js=False)
    seats = create_welcome(ana, "Ana", "Ben", hero="rogue")
    sit(ana, seats, "Ana")
    ana.locator(".keypad a", has_text="Skeleton").click()
    ana.locator("button.odd", has_text="Into the dungeon").click()
    ana.get_by_role("button", name="Ben passes").click()
    ana.locator(".keypad button", has_text="Dragon").click()
    ana.locator(".keypad button", has_text="Skeleton").click()
    expect(ana.locator(".told")).to_contain_text("Skeleton: ignored (Ring of Power), +2.")
    ana.get_by_role("button", name="Survived!").click()
    expect(ana.locator(".success.won")).to_have_count(1)
