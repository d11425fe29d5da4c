"""Every kind of input under random and half-right values for a moment, and what longer runs have found.

The long runs are ``make fuzz``; a case it prints becomes a test here.
"""

import dataclasses
from contextlib import closing, suppress

import pytest

from companion.games import GAMES
from companion.logfile import BadLine, read_log, write_log
from tests.fuzz import picture_bytes
from tests.fuzz.__main__ import main
from tests.fuzz.bounded import Bounded, Broken
from tests.fuzz.limits import TookTooLong, can_interrupt, limited
from tests.fuzz.logs import long_file
from tests.fuzz.sending import send
from tests.fuzz.subjects import SUBJECTS, opened
from tests.fuzz.world import World
from tests.web.phone import group_entered
from vision.photo import BadPicture, read_photo
from web.dungeon_drop.look import Status

SECONDS = 1.0
SEED = 7


@pytest.mark.parametrize("name", SUBJECTS)
def test_nothing_breaks_for_a_moment(name):
    with opened(name) as subject:
        report = Bounded(name, subject, seconds=SECONDS, seed=SEED).run()

    assert report.cases > 0
    assert report.found == []


# The fuzzer itself must be able to fail


class Breaks:
    """A subject that breaks in two ways, one of them only seldom."""

    LIMIT_S = 5.0

    def one(self, case):
        number = sum(case.chance(2) for _ in range(6))
        case.do(f"add({number})")
        case.answered("added")
        if number > 2:
            raise ValueError("too large")
        if number == 2:
            raise Broken("two is wrong")


def test_each_failure_is_told_once_with_its_smallest_case():
    report = Bounded("breaks", Breaks(), seconds=0.4, seed=SEED).run()

    assert sorted((found.name.split(":")[0], found.lines) for found in report.found) == [
        ("ValueError at tests/web/test_fuzz_short.py", ["add(3)"]),
        ("two is wrong", ["add(2)"]),
    ]
    assert report.answers["added"] >= report.cases > 2


def test_the_same_seed_finds_the_same():
    runs = [Bounded("breaks", Breaks(), seconds=0.3, seed=SEED).run() for _ in range(2)]

    assert {found.name for found in runs[0].found} == {found.name for found in runs[1].found}


def test_the_command_tells_of_a_failure_and_fails(monkeypatch, capsys):
    monkeypatch.setattr("tests.fuzz.__main__.opened", lambda name: closing(Closable()))

    status = main(["events", "--seconds", "0.3"])

    told = capsys.readouterr().out
    assert status == 1
    assert "2 failures" in told and "two is wrong" in told and "add(2)" in told


class Closable(Breaks):
    def close(self):
        pass


def test_the_command_is_content_if_nothing_is_found(monkeypatch, capsys):
    class Fine(Closable):
        def one(self, case):
            case.answered("fine")

    monkeypatch.setattr("tests.fuzz.__main__.opened", lambda name: closing(Fine()))

    assert main(["tables", "--seconds", "0.1"]) == 0
    assert capsys.readouterr().out.startswith("tables: ")


@pytest.mark.skipif(not can_interrupt(), reason="a case cannot be interrupted here")
def test_a_case_that_never_ends_is_ended():
    with pytest.raises(TookTooLong), limited(0.05):
        while True:
            pass


@pytest.fixture
def world():
    with closing(World()) as world:
        yield world


def test_a_change_at_the_other_table_is_noticed(world):
    world.phone.must(world.other, group_entered(0))

    with pytest.raises(Broken, match="nobody touched"):
        world.check_other()


def test_a_log_that_differs_from_what_the_companion_knows_is_noticed(world):
    journal = world.tables.open(world.other)
    world.tables._journals[world.other] = dataclasses.replace(journal, entries=(), steps=(), version=0)

    with pytest.raises(Broken, match="leads elsewhere"):
        world.check_table(world.other)


def test_a_crash_behind_a_page_is_noticed(world):
    def broken(code):
        raise RuntimeError("a mistake of ours")

    world.app.view_functions["play.tv"] = broken

    with pytest.raises(Broken, match="a page crashed"):
        world.check_pages(world.other, ())


# What was found


@pytest.fixture
def photographed(world):
    code = world.tables.create("dungeon-drop", ("Ana", "Ben"), {})
    world.phone.sit_everywhere(code)
    world.photograph(code)
    return code


@pytest.mark.parametrize("created", ["1970-01-01T00:00:00+14:00", "2999-12-31T23:59:59-12:00"])
def test_a_game_is_read_again_whatever_time_zone_its_year_changed_in(created):
    head = long_file(0, 0)[0].replace("2026-02-14T22:40:00.000+00:00", created)
    with suppress(BadLine):  # to refuse it at once is a way as well
        journal, read = read_log([head])
        lines = list(write_log(journal, created=read))

        assert reading(lines) == (journal.setup, read)


def reading(lines):
    """Return what a file says of its game, or why it cannot be read."""
    try:
        journal, created = read_log(lines)
    except BadLine as error:
        return str(error)
    return journal.setup, created


def test_undoing_again_and_again_what_lies_far_back_does_not_hold_up_the_companion(monkeypatch):
    rules, applied = GAMES["apprentis"], []

    def counted(state, event):
        applied.append(event)
        return rules.apply(state, event)

    monkeypatch.setitem(GAMES, "apprentis", dataclasses.replace(rules, apply=counted))

    with suppress(BadLine):  # to refuse it is a way as well
        read_log(long_file(300, 30))

    assert len(applied) < 20 * 300


@pytest.mark.parametrize("path", ["{number}.jpg", "{number}/0-0-9-9.jpg"])
def test_a_photo_with_an_endless_number_does_not_exist(world, photographed, path):
    answer = send(world.phone, "GET", f"/t/{photographed}/photo/{path.format(number='9' * 300)}")

    assert answer.status_code == 404


def test_a_close_up_with_an_endless_edge_is_no_crash(world, photographed):
    answer = send(world.phone, "GET", f"/t/{photographed}/photo/1/0-0-{10**330}-9.jpg")

    assert answer.status_code in (200, 404)


@pytest.mark.parametrize("path", ["/", "seats"])
def test_a_host_name_too_long_for_a_qr_code_is_no_crash(world, path):
    path = f"/t/{world.other}/seats/" if path == "seats" else path

    answer = send(world.phone, "GET", path, headers=(("Host", ".".join(["abcdefgh"] * 260)),))

    assert answer.status_code in (200, 400)


@pytest.mark.parametrize("size", [(1, 5000), (5000, 1)])
def test_a_picture_as_thin_as_a_line_is_looked_at(world, photographed, size):
    looks = world.app.extensions["looks"]
    looks.take(photographed, picture_bytes.flat(*size))
    world.wait_for_photos(photographed)

    assert looks.current(photographed).status is Status.READ
    assert world.errors.caught == []


def test_a_moving_png_is_refused():
    with pytest.raises(BadPicture):
        read_photo(picture_bytes.animated(30, 30))


def test_a_jpeg_of_thousands_of_scans_is_refused():
    with pytest.raises(BadPicture):
        read_photo(picture_bytes.with_scans(picture_bytes.flat(64, 64, "progressive"), 3_000))


@pytest.mark.parametrize("form", ["JPEG", "progressive", "PNG"])
def test_a_picture_without_lies_is_read(form):
    assert read_photo(picture_bytes.a_picture(0, 320, form)).shape == (180, 320, 3)
