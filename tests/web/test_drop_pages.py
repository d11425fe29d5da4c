"""Dungeon Drop on phones without a script: heroes, a photo, fixing, looting, three rounds, the score."""

from __future__ import annotations

import csv
import io
import json
import time
from urllib.parse import unquote

import cv2
import numpy as np
import pytest

from companion.dungeon_drop.game.state import Phase
from companion.dungeon_drop.pieces import Kind
from tests.web.conftest import KEY
from tests.web.phone import FRENCH, Phone
from tests.web.scans import RoomScanner, a_scan, one_room
from tests.web.test_drop_looks import photo
from vision.seen import Advice, Warning
from web.app import create_app
from web.dungeon_drop.camera_help import checklist
from web.dungeon_drop.learning import Learning
from web.dungeon_drop.look import ADDED_FROM, look_of

SECRET = {"form": "quest", "clear": "17", "blue": "19", "pink": "13", "name": "Queen's favour"}


@pytest.fixture
def app(tables, compiled_templates, tmp_path):
    app = create_app(tables, signing_key=KEY, photos=tmp_path / "photos", scanner=RoomScanner)
    app.jinja_env.bytecode_cache = compiled_templates
    yield app
    app.extensions["looks"].close()


@pytest.fixture
def other(app):
    return Phone(app)


def gathered(phone, *others, players=("Ana", "Bo"), **options):
    """A game in which everybody has a hero; the first phone holds the first seat, and so on."""
    fields = {f"option-{key}": value for key, value in options.items()}
    answer = phone.post("/new/dungeon-drop", {"player": list(players), "listed": "on", **fields})
    code = answer.location.split("/")[2]
    phones = (phone, *others)
    for seat in range(len(players)):
        holder = phones[seat] if seat < len(phones) else phone
        holder.sit(code, seat)
        assert act(holder, code, seat, form="hero", initiative=str(5 + seat), hit_points="8", race="Elf")
    return code


def act(phone, code, seat=0, event=None, **fields):
    answer = phone.act(code, event, seat=seat, **fields)
    assert answer.status_code == 200, answer.text
    return answer


def snap(phone, code, seat=0, data=None):
    """Send a photo and wait until it was read."""
    sent = {"seat": str(seat), "photo": (io.BytesIO(data or photo()), "table.jpg")}
    assert phone.post(f"/t/{code}/photo", sent).status_code == 303
    end = time.monotonic() + 5
    while phone.app.extensions["looks"].current(code).status in ("waiting", "reading"):
        assert time.monotonic() < end
        time.sleep(0.005)
    return phone.app.extensions["looks"].current(code)


def begun(phone, *others, **options):
    code = gathered(phone, *others, **options)
    act(phone, code, event={"type": "game_begun"})
    return code


def state(phone, code):
    return phone.journal(code).state


def form_to(page, path):
    return next(form for form in page.forms if form.action.endswith(path))


def test_heroes_gather_and_the_game_begins(phone):
    code = gathered(phone)
    page = phone.page(f"/t/{code}/")
    assert "Heroes gather" in page.text
    act(phone, code, event={"type": "game_begun"})
    assert "Round 1, your turn: explore" in phone.page(f"/t/{code}/").text


def test_a_photo_shows_the_best_room_and_looting_it_fills_the_reserve(phone):
    code = begun(phone)
    act(phone, code, event={"type": "cubes_dropped", "player": 0})
    look = snap(phone, code)
    page = phone.page(f"/t/{code}/?seat=0")
    assert "Loot this room" in page.text
    with phone.get(f"/t/{code}/photo/{look.number}.jpg") as shown:
        assert shown.mimetype == "image/jpeg"
    answer = phone.submit(form_to(page, "/loot"))
    assert answer.status_code == 303
    mine = state(phone, code).adventurers[0]
    assert (mine.reserve.count(Kind.GOLD), mine.reserve.count(Kind.GOBLIN), mine.damage) == (2, 1, 1)
    # The cubes are gone from the photo for the next player, and back after an undo.
    assert state(phone, code).taken == (3, 4, 6)
    rooms = phone.page(f"/t/{code}/?seat=1").text
    assert "empty" in rooms
    phone.steer(code, "undo", target=phone.version(code))
    assert state(phone, code).taken == ()


def test_a_doubtful_cube_is_decided_by_one_tap(phone):
    code = begun(phone)
    act(phone, code, event={"type": "cubes_dropped", "player": 0})
    snap(phone, code)
    page = phone.page(f"/t/{code}/?seat=0")
    assert "mm: look" in page.text
    form = form_to(page, "/call")
    assert phone.post(form.action, {**form.sent_by(None), "inside": "no"}).status_code == 303
    phone.submit(form_to(phone.page(f"/t/{code}/?seat=0"), "/loot"))
    assert state(phone, code).adventurers[0].reserve.count(Kind.GOLD) == 1


def test_a_doubtful_cube_is_shown_from_near(phone):
    code = begun(phone)
    act(phone, code, event={"type": "cubes_dropped", "player": 0})
    snap(phone, code, data=photo((2560, 1920)))
    page = phone.page(f"/t/{code}/?seat=0&room=0-1-2&doubt=6")
    assert "Measured" in page.text
    (address,) = (
        href for name, tag in page.tags if name == "image" and (href := dict(tag)["href"]).count("-") == 3
    )
    with phone.get(address) as part:
        shown = cv2.imdecode(np.frombuffer(part.data, np.uint8), cv2.IMREAD_COLOR)
    left, top, right, bottom = map(int, address.rsplit("/", 1)[1].removesuffix(".jpg").split("-"))
    # As many pixels as the phone's photo had there, not as few as the one on the page.
    assert shown.shape[:2] == (bottom - top, right - left)
    assert phone.page(f"/t/{code}/?seat=0&room=0-1-2&doubt=3").text.count("Measured") == 0


@pytest.mark.parametrize("place", ["2/1-1-9-9", "1/9-9-9-9", "1/99999-0-99999-9"])
def test_a_part_of_a_photo_that_is_not_there_is_not_shown(phone, place):
    code = begun(phone)
    snap(phone, code)
    assert phone.get(f"/t/{code}/photo/{place}.jpg").status_code == 404


def test_a_wrong_cube_is_fixed_removed_or_added(phone):
    code = begun(phone)
    look = snap(phone, code)
    fields = {"seat": "0", "look": str(look.number), "cube": "3", "piece": "dragon-huge"}
    assert phone.post(f"/t/{code}/fix", fields).status_code == 303
    now = phone.app.extensions["looks"].current(code)
    assert (now.cube(3).kind, now.cube(3).fixed) == (Kind.DRAGON, True)
    phone.post(f"/t/{code}/fix", {**fields, "piece": "none"})
    assert phone.app.extensions["looks"].current(code).cube(3) is None
    phone.post(f"/t/{code}/fix", {**fields, "cube": "-1", "piece": "key-small", "x": "320", "y": "240"})
    added = phone.app.extensions["looks"].current(code).cube(ADDED_FROM)
    assert added.kind is Kind.KEY
    x, y = (sum(point[axis] for point in added.footprint_mm) / 4 for axis in (0, 1))
    assert (x, y) == pytest.approx((0, 0), abs=0.5)


@pytest.mark.parametrize(
    "change",
    [
        {"piece": "unicorn"},
        {"piece": "gold"},
        {"look": "9"},
        {"look": "x"},
        {"cube": "-1", "x": "9999", "y": "1"},
    ],
)
def test_fixes_that_make_no_sense_are_refused(phone, change):
    code = begun(phone)
    snap(phone, code)
    fields = {"seat": "0", "look": "1", "cube": "3", "piece": "gold-small", **change}
    assert phone.post(f"/t/{code}/fix", fields).status_code == 400


@pytest.mark.parametrize(("solo", "offered"), [("no", False), ("yes", True)])
def test_solo_cubes_are_offered_and_seen_only_where_they_are_in_play(phone, monkeypatch, solo, offered):
    asked = []
    see = RoomScanner.scan
    monkeypatch.setattr(
        RoomScanner, "scan", lambda self, frame, **told: asked.append(told["solo"]) or see(self, frame)
    )
    code = begun(phone, solo=solo)
    snap(phone, code)
    page = phone.get(f"/t/{code}/?seat=0&cube=3").text
    assert ("relic-small" in page, "stairs-small" in page) == (offered, offered)
    assert asked == [offered]


def test_what_is_no_photo_is_said_on_the_page(phone):
    code = begun(phone)
    snap(phone, code, data=b"not a picture")
    assert "not a JPEG or PNG" in phone.page(f"/t/{code}/").text


@pytest.mark.parametrize("room", ["", "0-1", "0-1-x", "0-1-99", "0-1-5"])
def test_a_room_that_is_none_is_not_looted(phone, room):
    code = begun(phone)
    act(phone, code, event={"type": "cubes_dropped", "player": 0})
    snap(phone, code)
    fields = {"seat": "0", "look": "1", "room": room, "seen": str(phone.version(code)), "tap": "a-tap-1"}
    assert phone.post(f"/t/{code}/loot", fields).status_code == 400


def test_loot_by_hand_without_any_camera(phone):
    code = begun(phone)
    act(phone, code, event={"type": "cubes_dropped", "player": 0})
    fields = {"gold-small": "2", "key-large": "1", "goblin-small": "3"}
    act(phone, code, form="loot", **fields)
    mine = state(phone, code).adventurers[0]
    assert (mine.reserve.weight, mine.damage) == (3, 3)


def test_strangers_and_other_seats_cannot_touch_a_table(phone, other):
    code = begun(phone)
    look = snap(phone, code)
    sent = {"seat": "0", "photo": (io.BytesIO(photo()), "x.jpg")}
    assert other.post(f"/t/{code}/photo", sent).status_code == 403
    fix = {"seat": "0", "look": str(look.number), "cube": "3", "piece": "none"}
    assert other.post(f"/t/{code}/fix", fix).status_code == 403
    assert other.post(f"/t/{code}/roll", {"seat": "0", "seen": "1", "tap": "t-123456"}).status_code == 403


def test_a_quest_never_reaches_another_phone(phone, other):
    code = begun(phone, other)
    act(phone, code, 0, **SECRET)
    bodies = []
    for _ in range(2):
        for path in ("", "?seat=1", "?watch=1", "tv", "history/", "stamp", "seats/"):
            answer = other.client.get(f"/t/{code}/{path}", follow_redirects=True)
            bodies.append(answer.get_data(as_text=True))
        snap(other, code, 1)
    assert not any("favour" in body or 'value="17"' in body for body in bodies)
    assert "favour" in phone.get(f"/t/{code}/?seat=0").text
    assert other.get(f"/t/{code}/log").status_code in (403, 404, 409)


def test_a_whole_game_and_its_score(phone):
    code = gathered(phone)
    act(phone, code, 0, form="quest", clear="1", blue="2", pink="3")
    act(
        phone, code, 1, form="quest", clear="3", blue="1", pink="1", points0="2", when0="each", what0="damage"
    )
    act(phone, code, event={"type": "game_begun"})
    loots = iter(({"gold-small": "2", "chest-large": "1"}, {"gem_clear-small": "2", "goblin-small": "3"}) * 3)
    for _ in range(6):
        now = state(phone, code)
        seat = now.turn
        act(phone, code, seat, {"type": "cubes_dropped", "player": seat})
        loot = {"key-small": "1"} if now.round == 3 else next(loots)
        act(phone, code, seat, form="loot", **loot)
    assert state(phone, code).phase is Phase.SCORING
    page = phone.page(f"/t/{code}/?seat=0")
    for seat in (0, 1):
        pairs = state(phone, code).adventurers[seat].pairs
        if pairs:
            act(phone, code, seat, form="dice", pairs=str(pairs), **{f"die{n}": "4" for n in range(pairs)})
        act(phone, code, seat, {"type": "sheet_signed", "player": seat})
    assert phone.journal(code).outcome is not None
    # By hand. After round one Bo is lighter and begins round two, so both have 2 gold, 2 clear gems, 3 damage
    # and a chest that the key of round three opens with a four: 2 + 4 + 2 x 1, and 2 + 4 + 2 x 3 + 3 x 2.
    page = phone.page(f"/t/{code}/result?seat=0")
    link = next(address for address in page.links if "bgstats" in address)
    play = json.loads(unquote(link.partition("?data=")[2]))
    assert [(who["name"], who["score"], who["winner"]) for who in play["players"]] == [
        ("Bo", "18", True),
        ("Ana", "8", False),
    ]
    rows = list(csv.DictReader(io.StringIO(phone.get(f"/t/{code}/result.csv").text.removeprefix("\ufeff"))))
    assert [(row["player"], row["score"], row["rank"]) for row in rows] == [
        ("Bo", "18", "1"),
        ("Ana", "8", "2"),
    ]


def test_the_companion_rolls_the_chests(phone):
    code = gathered(phone, players=("Ana",), mode="score")
    act(phone, code, form="reserve", **{"key-small": "2", "chest-large": "2"})
    fields = {"seat": "0", "seen": str(phone.version(code)), "tap": "roll-it-1"}
    assert phone.post(f"/t/{code}/roll", fields).status_code == 303
    dice = state(phone, code).adventurers[0].dice
    assert len(dice) == 2
    assert set(dice) <= set(range(1, 7))


def test_the_page_is_in_french_too(app, phone):
    code = begun(phone)
    act(phone, code, event={"type": "cubes_dropped", "player": 0})
    snap(phone, code)
    phone.language = FRENCH
    text = phone.page(f"/t/{code}/?seat=0").text
    assert "Piller cette salle" in text
    assert "Loot" not in text


def test_cards_typed_once_are_offered_in_the_next_game(phone):
    first = gathered(phone, players=("Ana",), mode="score")
    act(phone, first, form="hero", initiative="7", hit_points="9", race="Dwarf", calling="Bard")
    act(phone, first, form="quest", clear="4", blue="4", pink="1", name="Sapphires")
    code = gathered(phone, players=("Zoë",))
    page = phone.page(f"/t/{code}/?seat=0")
    assert "Dwarf Bard" in page.text
    # A quest is secret until its game is over.
    assert "Sapphires" not in page.text
    act(phone, first, event={"type": "sheet_signed", "player": 0})
    assert "Sapphires" in phone.page(f"/t/{code}/?seat=0").text
    filled = phone.get(f"/t/{code}/?seat=0&hero=1&quest=0").text
    assert 'value="Dwarf"' in filled
    assert 'name="clear" min="0" max="20" required value="4"' in filled


def test_a_card_that_is_not_there_is_not_offered(phone):
    code = gathered(phone, players=("Ana",))
    for asked in ("hero=99", "quest=-1", "hero=x"):
        assert phone.get(f"/t/{code}/?seat=0&{asked}").status_code == 200


def test_what_players_fix_is_learned_for_the_next_photo(phone):
    code = begun(phone)
    look = snap(phone, code)
    learning = phone.app.extensions["learning"]
    assert learning.profile is None
    fields = {"seat": "0", "look": str(look.number), "cube": "3", "piece": "troll-large"}
    phone.post(f"/t/{code}/fix", fields)
    phone.post(f"/t/{code}/fix", {**fields, "cube": "4", "piece": "none"})
    assert [str(kind) for kind in learning.profile.kinds] == ["troll"]
    again = Learning(learning._folder)
    assert len(again.profile) == 1


def test_a_flick_shows_other_rooms_and_changes_nothing(phone):
    code = begun(phone)
    act(phone, code, event={"type": "cubes_dropped", "player": 0})
    before = snap(phone, code)
    page = phone.page(f"/t/{code}/?seat=0&flick=3&x=30&y=30")
    assert "What if" in page.text
    assert "Loot this room" not in page.text
    assert phone.app.extensions["looks"].current(code) is before
    for asked in ("flick=99&x=1&y=1", "flick=3&x=9999&y=1", "flick=x&x=1&y=1"):
        assert "What if" not in phone.page(f"/t/{code}/?seat=0&{asked}").text


def test_pawn_advice_is_for_those_who_wait(phone):
    code = begun(phone, teamwork="yes")
    act(phone, code, event={"type": "cubes_dropped", "player": 0})
    snap(phone, code)
    assert "Best places for your pawn" in phone.page(f"/t/{code}/?seat=1").text
    assert "Best places for your pawn" not in phone.page(f"/t/{code}/?seat=0").text


def test_the_camera_page_says_what_to_do_better(phone):
    code = begun(phone)
    assert "Marker cards" in phone.page(f"/t/{code}/camera?seat=0").text
    snap(phone, code)
    page = phone.page(f"/t/{code}/camera?seat=0")
    assert "7 cubes" in page.text
    assert "Cards seen: 0, 1, 3" in page.text
    assert phone.get(f"/t/{code}/camera?watch=1").status_code == 200


def test_marker_cards_can_be_printed(phone):
    for paper, wide in (("a4", "210mm"), ("letter", "215.9mm"), ("nonsense", "210mm")):
        answer = phone.get(f"/cards.svg?paper={paper}")
        assert answer.mimetype == "image/svg+xml"
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert f'width="{wide}"' in answer.text


def test_a_checklist_line_tells_the_advice_that_belongs_to_it():
    warnings = (Warning(Advice.BLURRED), Warning(Advice.MARKER_BENT, marker=1))
    checks = checklist(look_of(1, a_scan(*one_room(), warnings=warnings)))
    assert [check.good for check in checks] == [False, True, False, True, True]
    assert "flat" in str(checks[0].todo)
