"""For eyes that need more: text at twice its size, no motion, names for screen readers."""

import json
import re
import time
from functools import cache

import pytest
from playwright.sync_api import expect

from tests.browser.journey import PHOTO
from tests.browser.test_looks import MEASURE
from tests.running import HttpPhone, Server
from tests.web.guilds_journey import PLACING, dealt, disabled, written
from tests.web.welcome_journey import added, skipped, turned
from web.dungeon_drop.marks import MARKS

NAMES = ("Maximilienne", "Anne-Charlotte de Lille", "Zoë")
HERO = {
    "initiative": 5,
    "hit_points": 9,
    "race": "Demi-elfe des bois profonds",
    "race_note": "",
    "calling": "",
}
QUEST = {"gems": {"clear": 1, "blue": 2, "pink": 3}, "bonus": []}

# Set before anything is drawn, as a browser does whose owner wants large text.
TWICE = """
const enlarge = () => document.documentElement && (document.documentElement.style.fontSize = "200%");
const soon = new MutationObserver(() => enlarge() && soon.disconnect());
if (!enlarge()) soon.observe(document, {childList: true});
"""

# Text that sticks out of the box it is written in. What undo takes back is told in a line or two at any size;
# the rest of it is in the history.
SPILT = """
() => {
  const boxes = "button, .button, summary, .card, .stepper, .facts div, .room, .board a, .space, .chamber, " +
    ".track li, .aid, .malus, .free-tile, .adventurers label, .dice label, .segments label, .purse li, .told";
  const found = new Set();
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = words.nextNode(); node; node = words.nextNode()) {
    const holder = node.parentElement, box = holder.closest(boxes), text = node.data.trim();
    if (!text || !box || !holder.checkVisibility()) continue;
    if (holder.closest("svg, option, .unseen, .skip, .undo small")) continue;
    const range = document.createRange(), edge = box.getBoundingClientRect();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      const down = Math.max(edge.top - line.top, line.bottom - edge.bottom);
      const aside = Math.max(edge.left - line.left, line.right - edge.right);
      if (Math.max(down, aside) > 3)
        found.add(`${text.slice(0, 30)} out of ${box.className || box.localName}`);
    }
  }
  return [...found];
}
"""

# The one action of the page is on the screen, under a finger, and leaves room to read to the end.
PRIMARY = """
() => {
  const bar = document.querySelector(".bar"), found = [];
  for (const button of document.querySelectorAll(".bar .last button, .bar .last a, .primary")) {
    if (!button.checkVisibility()) continue;
    button.scrollIntoView({block: "center"});
    const box = button.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (!hit || !(button.contains(hit) || hit.contains(button))) found.push(`covered: ${button.textContent}`);
  }
  if (bar && bar.offsetHeight > innerHeight / 3) found.push(`the bar is ${bar.offsetHeight} px high`);
  scrollTo(0, document.body.scrollHeight);
  const last = [...document.querySelectorAll("main *")].filter((e) => e.checkVisibility()).pop();
  const ends = last?.getBoundingClientRect().bottom ?? 0;
  if (bar && ends > bar.getBoundingClientRect().top + 1) found.push("the bar hides the end");
  return found;
}
"""


class Player:
    """Sets up tables by plain requests, which is quicker than tapping."""

    def __init__(self, server):
        self.phone = HttpPhone(server)

    def table(self, game, *names, **options):
        self.phone.open(f"/new/{game}")
        chosen = {f"option-{key}": value for key, value in options.items()}
        _text, url = self.phone.open(f"/new/{game}", {"player": names, **chosen})
        code = re.search(r"/t/([^/]+)/", url)[1]
        self.phone.open(f"/t/{code}/seats/take-free", {})
        return code

    def act(self, code, *events, seat=0):
        for event in events:
            text, _url = self.phone.open(f"/t/{code}/stamp")
            seen = json.loads(text)["stamp"].split(".")[0]
            answer = self.phone.act(code, event, seen=seen, tap=f"tap-{time.monotonic_ns()}", seat=seat)
            assert answer["ok"], (event, answer)

    def cookies(self):
        (jar,) = [h.cookiejar for h in self.phone.opener.handlers if hasattr(h, "cookiejar")]
        return [{"name": c.name, "value": c.value, "url": self.phone.server.address} for c in jar]


def apprentis(player):
    code = player.table("apprentis", *NAMES, mode="full")
    player.act(
        code, {"type": "group_entered", "player": 0}, {"type": "group_advanced", "player": 0, "steps": 3}
    )
    done = player.table("apprentis", *NAMES[:2], mode="score")
    for seat in (0, 1):
        player.act(done, {"type": "sheet_signed", "player": seat}, seat=seat)
    sheet = player.table("apprentis", *NAMES[:2], mode="score")
    places = (f"/t/{sheet}/?seat=0&place={place}" for place in ("room1", "groups", "malus"))
    pages = ("seats/", "?seat=0", "history/?seat=0", "tv", "delete/")
    return [*(f"/t/{code}/{page}" for page in pages), *places, f"/t/{done}/result"]


def dungeon_drop(player):
    code, scoring, gathering = (player.table("dungeon-drop", *NAMES[:2]) for _ in range(3))
    for table in (code, scoring):
        for seat in (0, 1):
            card = {**HERO, "initiative": 5 + seat}
            player.act(table, {"type": "hero_chosen", "player": seat, "card": card}, seat=seat)
            player.act(table, {"type": "quest_written", "player": seat, "quest": QUEST}, seat=seat)
        player.act(table, {"type": "game_begun"})
    player.act(code, {"type": "cubes_dropped", "player": 0})
    player.act(scoring, {"type": "scoring_opened"})
    status, answer = player.phone.send(code, PHOTO.read_bytes())
    assert status == 200, answer
    end = time.monotonic() + 30
    while 'class="overlay"' not in (text := player.phone.open(f"/t/{code}/?seat=0")[0]):
        assert time.monotonic() < end
        time.sleep(0.2)
    cube = re.search(r'data-cube="(\d+)"', text)[1]
    pages = ("?seat=0", f"?seat=0&cube={cube}", "camera?seat=0", "colours?seat=0", "tv")
    return [f"/t/{gathering}/?seat=0", *(f"/t/{code}/{page}" for page in pages), f"/t/{scoring}/?seat=0"]


def welcome(player):
    bids = player.table("welcome", *NAMES[:2], hero="warrior")
    player.act(bids, added(0, "dragon"))
    player.act(bids, added(1, "orc"), seat=1)
    inside = player.table("welcome-back", *NAMES[:2], hero="ninja")
    tiles = ["bombe-fumigene", "herbes-medicinales"]
    player.act(inside, skipped(0, tiles, 3), turned("orc"))
    pages = ("?seat=0", "?seat=0&drew=vampire", "tiles/?seat=0", "tiles/torch?seat=0")
    return [*(f"/t/{bids}/{page}" for page in pages), f"/t/{inside}/?seat=0", f"/t/{inside}/tv"]


def guilds(player):
    dealing, choosing, placing, revealing = (player.table("guilds", *NAMES) for _ in range(4))
    for code in (choosing, placing, revealing):
        player.act(code, dealt("guardian"))
    for code, moves in ((placing, PLACING[:3]), (revealing, PLACING)):
        for seat in range(3):
            player.act(code, disabled(seat), seat=seat)
        player.act(code, *moves)
    money = player.table("guilds", *NAMES, mode="score")
    player.act(money, written(0, 5, reason="treasure"))
    done = player.table("guilds", *NAMES, mode="score")
    player.act(done, {"type": "counting_ended", "unplaced": [5, 4, 0]})
    tables = (dealing, choosing, placing, revealing, money)
    return [*(f"/t/{code}/?seat=0" for code in tables), f"/t/{placing}/?seat=2&with=4", f"/t/{done}/result"]


def everywhere(_player):
    games = ("apprentis", "dungeon-drop", "welcome-back", "guilds")
    return ["/", *(f"/new/{game}" for game in games), "/https", "/offline", "/nowhere"]


GAMES = (apprentis, dungeon_drop, welcome, guilds, everywhere)


@pytest.fixture(scope="module")
def player(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("readable") / "data").start()
    yield Player(server)
    server.kill()


@pytest.fixture(scope="module")
def pages(player):
    """Return the addresses of what each game shows; every table is set up once."""
    return cache(lambda game: game(player))


@pytest.fixture
def reader(chromium, player):
    """Return a function that opens a page on a narrow phone that sits at all tables."""
    contexts = []

    def open_with(script=None, **options):
        contexts.append(
            chromium.new_context(
                base_url=player.phone.server.address, viewport={"width": 360, "height": 740}, **options
            )
        )
        contexts[-1].add_cookies(player.cookies())
        if script:
            contexts[-1].add_init_script(script)
        return contexts[-1].new_page()

    yield open_with
    for context in contexts:
        context.close()


def troubles(page):
    """Return what somebody with large text cannot read or reach."""
    page.evaluate("document.querySelectorAll('main details').forEach((part) => (part.open = true))")
    measured = {**page.evaluate(MEASURE), "spilt": page.evaluate(SPILT), "primary": page.evaluate(PRIMARY)}
    return {what: found for what, found in measured.items() if found}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.__name__)
def test_text_at_twice_its_size_is_neither_cut_nor_out_of_reach(reader, pages, game):
    # The tables first: a phone only sits at those that are there when it is taken out.
    addresses = pages(game)
    page = reader(TWICE, locale="fr-FR")
    found = {}

    for address in addresses:
        page.goto(address)
        found[address] = troubles(page)

    assert {address: what for address, what in found.items() if what} == {}


def test_the_menu_at_twice_its_size_can_be_read_to_its_end(reader, pages):
    page = reader(TWICE, locale="fr-FR")
    page.goto(pages(apprentis)[1])
    page.locator("#menu summary").click()

    assert page.evaluate(MEASURE) == {"small": [], "wide": [], "cut": [], "scroll": False}
    page.locator("#menu nav button").last.scroll_into_view_if_needed()
    expect(page.locator("#menu nav button").last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        pytest.param('<button style="height:20px;width:90px">three words high</button>', "spilt", id="spilt"),
        pytest.param('<main><p style="width:500px">wide</p></main>', "wide", id="wide"),
        pytest.param(
            '<button class="primary">go</button><nav class="bar" style="inset:0">', "primary", id="covered"
        ),
        pytest.param('<main>x</main><nav class="bar" style="height:400px">', "primary", id="a huge bar"),
    ],
)
def test_the_measure_notices(reader, content, found):
    page = reader()
    bar = "<style>.bar { position: fixed; bottom: 0 } main { height: 900px }</style>"
    page.set_content(f"<!doctype html>{bar}{content}")

    assert found in troubles(page)


MOVING = """
() => {
  const found = [];
  for (const element of document.querySelectorAll("*")) {
    for (const part of [undefined, "::before", "::after"]) {
      const style = getComputedStyle(element, part);
      const times = `${style.transitionDuration},${style.animationDuration}`.split(",").map(parseFloat);
      if (Math.max(...times) > 0.01 || style.scrollBehavior === "smooth") found.push(element.localName);
    }
  }
  return [...new Set(found)];
}
"""


def test_nothing_moves_for_somebody_who_asked_for_less_motion(reader, pages):
    page = reader(reduced_motion="reduce")
    moving = {}

    for address in ("/", *(pages(game)[1] for game in (dungeon_drop, guilds))):
        page.goto(address)
        moving[address] = page.evaluate(MOVING)

    assert {address: what for address, what in moving.items() if what} == {}


def test_something_does_move_otherwise_so_that_the_test_above_can_fail(reader):
    page = reader(reduced_motion="no-preference")
    page.goto("/")

    assert "button" in page.evaluate(MOVING)


def heard(page, selector, role):
    """Return the names of everything of a role in an element, as Chromium tells them to a screen reader."""
    session = page.context.new_cdp_session(page)
    root = session.send("Runtime.evaluate", {"expression": f"document.querySelector({json.dumps(selector)})"})
    session.send("Accessibility.enable")
    query = {"objectId": root["result"]["objectId"], "role": role}
    nodes = session.send("Accessibility.queryAXTree", query)["nodes"]
    return [node.get("name", {}).get("value", "") for node in nodes if not node["ignored"]]


def test_a_screen_reader_names_every_cube_and_room_that_can_be_tapped(reader, pages):
    page = reader(locale="en-GB")
    page.goto(pages(dungeon_drop)[1])
    overlay = page.locator(".overlay")
    kinds = {mark.letter: mark.name.text for mark in MARKS.values()}
    cubes = [kinds[letter] for letter in overlay.locator("a.cube text").all_text_contents()]
    rooms = [f"Room {number}" for number in overlay.locator("a.badge text").all_text_contents()]

    names = [name.split(",")[0] for name in heard(page, ".overlay", "link")]

    assert len(cubes) > 50 and len(rooms) > 1
    assert sorted(names) == sorted(cubes + rooms)
    assert overlay.locator("a").count() == len(names)
