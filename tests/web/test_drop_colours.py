"""Teaching the companion one's own pieces on a phone: lay out, take a photo, see the effect, say yes."""

from __future__ import annotations

import io

import pytest

from calibration.profiles import load_profile
from calibration.sample_layout import COUNTS, LAYOUT
from tests.web.conftest import KEY
from tests.web.phone import FRENCH, Phone
from tests.web.scans import RoomScanner, a_scan, a_seen_cube
from tests.web.test_calibrate_command import layout_scan
from tests.web.test_drop_looks import photo
from tests.web.test_drop_pages import begun, form_to, snap
from web.app import create_app
from web.dungeon_drop.colours import MOST_LESSONS, Lessons
from web.dungeon_drop.learning import NAME

BRIGHT, DIM = 200, 150


class Eye(RoomScanner):
    """Sees the layout in bright photos, half of it in dim ones, and takes the gem for a key once it knows."""

    def scan(self, frame, *, focal_px=None, profile=None, solo=True):
        if frame[0, 0, 0] == BRIGHT:
            return layout_scan(LAYOUT)
        if frame[0, 0, 0] == DIM:
            return layout_scan(LAYOUT[:2])
        seen = super().scan(frame)
        if profile is None:
            return seen
        gem = a_seen_cube(5, "key", -80, 60)
        cubes = (*(cube for cube in seen.cubes if cube.id != 5), gem)
        return a_scan(*cubes, size_px=(frame.shape[1], frame.shape[0]))


@pytest.fixture
def app(tables, compiled_templates, tmp_path):
    app = create_app(tables, signing_key=KEY, photos=tmp_path / "data" / "photos", scanner=Eye)
    app.jinja_env.bytecode_cache = compiled_templates
    yield app
    app.extensions["looks"].close()


def teach(phone, code, grey=BRIGHT, live=False):
    sent = {"seat": "0", "photo": (io.BytesIO(photo(grey=grey)), "pieces.jpg")}
    return phone.post(f"/t/{code}/colours", sent, live=live)


def test_the_effect_is_shown_before_anything_is_kept(phone, tmp_path):
    code = begun(phone)
    snap(phone, code)
    address = teach(phone, code).location
    page = phone.page(address)
    assert "Of 7 cubes on the newest photo 1 would be read differently" in page.text
    assert "pink gem → key" in page.text
    assert phone.app.extensions["learning"].profile is None
    form = form_to(page, "/colours/keep")
    assert phone.post(form.action, {**form.sent_by(None), "keep": "yes"}).status_code == 303
    kept = load_profile(NAME, tmp_path / "data")
    assert len(kept) == COUNTS[0] == len(phone.app.extensions["learning"].profile)
    # The next photo is read with it.
    assert snap(phone, code).cube(5).kind == "key"
    assert f"{COUNTS[0]} pieces" in phone.page(f"/t/{code}/colours?seat=0").text


def test_what_was_learned_meanwhile_is_not_undone_by_a_lesson(phone):
    code = begun(phone)
    look = snap(phone, code)
    form = form_to(phone.page(teach(phone, code).location), "/colours/keep")
    fix = {"seat": "0", "look": str(look.number), "cube": "3", "piece": "dragon-huge"}
    phone.post(f"/t/{code}/fix", fix)
    phone.post(form.action, {**form.sent_by(None), "keep": "yes"})
    assert len(phone.app.extensions["learning"].profile) == COUNTS[0] + 1


def test_a_lesson_can_be_thrown_away(phone, tmp_path):
    code = begun(phone)
    page = phone.page(teach(phone, code).location)
    assert "no photo of the table yet" in page.text
    form = form_to(page, "/colours/keep")
    phone.post(form.action, {**form.sent_by(None), "keep": "no"})
    assert phone.app.extensions["learning"].profile is None
    again = phone.post(form.action, {**form.sent_by(None), "keep": "yes"}, live=True)
    assert (again.status_code, "forgotten" in again.text) == (400, True)


def test_everything_learned_can_be_forgotten(phone, tmp_path):
    code = begun(phone)
    form = form_to(phone.page(teach(phone, code).location), "/colours/keep")
    phone.post(form.action, {**form.sent_by(None), "keep": "yes"})
    page = phone.page(f"/t/{code}/colours?seat=0")
    assert phone.submit(form_to(page, "/colours/forget")).status_code == 303
    assert phone.app.extensions["learning"].profile is None
    assert not list((tmp_path / "data" / "profiles").glob("*.json"))


@pytest.mark.parametrize(
    ("data", "words"),
    [(photo(grey=DIM), "but the layout has"), (b"a text", "JPEG"), (b"", "Choose a photo")],
)
def test_a_photo_of_something_else_is_refused_with_what_to_do(phone, data, words):
    code = begun(phone)
    sent = {"seat": "0", "photo": (io.BytesIO(data), "pieces.jpg")}
    answer = phone.post(f"/t/{code}/colours", sent, live=True)
    assert (answer.status_code, words in answer.text) == (400, True)
    # The scanner goes on.
    assert snap(phone, code).status == "read"


def test_only_players_teach(phone, app):
    code = begun(phone)
    stranger = Phone(app)
    assert stranger.get(f"/t/{code}/colours").status_code == 200
    assert teach(stranger, code).status_code in (403, 409)
    assert stranger.post(f"/t/{code}/colours/forget", {"seat": "0"}).status_code in (403, 409)


def test_the_page_is_in_french_too(phone):
    code = begun(phone)
    snap(phone, code)
    phone.language = FRENCH
    text = phone.page(teach(phone, code).location).text
    assert "Disposez-les ainsi" in text
    assert "Des 7 cubes de la dernière photo, 1 serait lu autrement" in text


def test_only_so_many_lessons_wait():
    lessons = Lessons()
    tokens = [lessons.put(number) for number in range(MOST_LESSONS + 1)]
    assert lessons.get(tokens[0]) is None
    assert lessons.get(tokens[-1]) == MOST_LESSONS
