"""The page of the accuracy report: whole, from nowhere else, with the figures and the mistakes on it."""

import re
from datetime import date
from html.parser import HTMLParser

import numpy as np

from calibration.accuracy.figures import judge
from calibration.accuracy.listing import list_set
from calibration.accuracy.page import report_page
from calibration.accuracy.run import MeasuredSet
from tests.calibration.accuracy_cases import a_perfect_scan, a_room, a_true_picture, as_seen
from tests.web.scans import a_scan
from web.dungeon_drop.score_kept import score_kept

ALONE = {"meta", "img", "image", "polygon"}


class Page(HTMLParser):
    """Checks that tags are closed in order, and keeps texts and addresses."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.addresses, self.images = [], [], [], 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.addresses += [value for name, value in attributes if name in ("href", "src")]
        self.images += tag in ("img", "image")
        if tag not in ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.texts.append(data)


def a_set(name="tests/<pictures>"):
    good = a_true_picture(*a_room(), photo="good.jpg", table="oak", tilt_deg=20, markers=3)
    bad = a_true_picture(*a_room(), photo="b&d.jpg", table="felt", tilt_deg=50, markers=0)
    pillar, _, _, gold, *others = bad.cubes
    seen = [as_seen(gold, 0, kind="potion"), as_seen(pillar, 1, size="large")]
    seen += [as_seen(cube, id) for id, cube in enumerate(others, start=2)]
    seen.append(as_seen(gold, 9, kind="troll", moved_px=(-240, 500)))
    rows = (
        judge(good, a_perfect_scan(good), score_kept, 0.5),
        judge(bad, a_scan(*seen), score_kept, 0.7),
    )
    return MeasuredSet(name, rows)


def a_photo(file):
    return np.full((480, 640, 3), 90, np.uint8)


def test_the_page_has_the_figures_and_is_whole():
    page = Page(report_page([a_set()], 3, date(2026, 7, 1), a_photo))
    words = " ".join(page.texts)

    assert page.open == []
    assert "2026-07-01" in words and "tests/<pictures>" in words
    assert f"{2 * 9 / 23:.4f}" in words  # 6 + 3 right of 12 true and 11 found
    assert "✗ not reached" in words and "✓ reached" in words
    assert {"felt", "oak", "15 to 30", "45 and more", "with cards", "no cards", "gem pink"} <= set(page.texts)


def test_the_page_needs_nothing_from_outside():
    text = report_page([a_set()], 3, date(2026, 7, 1), a_photo)

    page = Page(text)

    assert all(address.startswith(("data:image/jpeg;base64,", "#")) for address in page.addresses)
    assert not re.search(r"https?:|<script|@import|url\(", text)


def test_the_worst_pictures_are_shown_with_each_mistake_in_words():
    page = Page(report_page([a_set()], 3, date(2026, 7, 1), a_photo))
    words = " ".join(page.texts)

    assert "b&d" in words and "good" not in page.texts
    for mistake in ("gold read as potion", "small pillar read as large", "pillar missed", "troll invented"):
        assert mistake in words
    assert page.images == 1 + 5  # the picture; two pillars missed, one wrong kind, one size, one invented


def test_no_picture_is_shown_where_none_is_asked_for_or_none_is_bad():
    good = MeasuredSet("good", a_set().rows[:1])

    assert Page(report_page([a_set()], 0, date(2026, 7, 1), a_photo)).images == 0
    assert Page(report_page([good], 3, date(2026, 7, 1), a_photo)).images == 0


def test_an_outline_outside_the_picture_and_one_pixel_do_no_harm():
    page = report_page([a_set()], 3, date(2026, 7, 1), lambda file: np.zeros((1, 1, 3), np.uint8))

    assert Page(page).images == 6


def test_a_set_without_pictures_at_all_is_a_page():
    assert Page(report_page([MeasuredSet("none", ())], 3, date(2026, 7, 1), a_photo)).open == []


def test_the_lines_for_a_terminal_are_aligned():
    lines = list(list_set(a_set("pictures"), 3))

    assert lines[0] == "pictures: 2 pictures, 12 cubes, 0.60 s per picture"
    assert "  cubes of the right kind (F1)           0.7826  ≥ 0.97   NO  ≥ 0.995   NO" in lines
    head = next(place for place, line in enumerate(lines) if line.startswith("  by table"))
    assert len({len(line) for line in lines[head : head + 3]}) == 1
    assert "      1  gold read as potion" in lines
    assert lines[-1] == ("      4  b&d: 3 of 6 right, 2 missed, 1 invented, 1 of another kind, room 0.00")
    assert max(map(len, lines)) <= 120
