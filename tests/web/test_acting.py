"""Tapping: what is recorded, what is refused and how, undo and the history, and nonsense of all kinds."""

import json
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.apprentis.events import CODEC
from companion.store import Store
from companion.tables import Tables
from tests.web.french import in_french
from tests.web.phone import NOBODY, Phone, group_entered, place_filled, sheet_signed
from web.app import create_app

LOOK_AGAIN = "The table has changed in the meantime. Please look again."
TURN_ENDED = {"type": "turn_ended", "player": 0}


@pytest.fixture
def code(phone):
    """A game under way in which the phone holds Ana's seat."""
    code = phone.create("Ana", "Ben")
    phone.sit(code, 0)
    return code


@pytest.fixture
def other(app, code):
    """The phone in Ben's seat."""
    return Phone(app).sit(code, 1)


# Taps that are accepted


def test_a_tap_of_the_script_is_answered_with_the_new_version(phone, code):
    answer = phone.act(code, group_entered(0), seen=0)

    assert answer.status_code == 200
    assert answer.json == {"ok": True, "version": 1, "stamp": "1.1.0"}
    assert phone.get(f"/t/{code}/stamp").json == {"stamp": "1.1.0"}


def test_a_form_leads_back_to_its_page(phone, code):
    answer = phone.act(code, group_entered(0), live=False, back=f"/t/{code}/?seat=0&place=room2")

    assert answer.status_code == 303
    assert answer.location == f"/t/{code}/?seat=0&place=room2"
    assert phone.version(code) == 1


def test_a_form_that_does_not_say_where_it_came_from_leads_to_the_table(phone, code):
    answer = phone.act(code, group_entered(0), live=False)

    assert answer.location == f"/t/{code}/?seat=0"


def test_what_was_tapped_is_on_disk_when_the_answer_comes(phone, code, tmp_path):
    phone.must(code, group_entered(0))

    reopened = Store(tmp_path / "data")
    bodies = [entry.body for entry in reopened.entries(code)]
    reopened.close()

    assert bodies == [group_entered(0)]


def test_an_answer_to_the_script_is_a_part_of_a_page(phone, code):
    whole, part = phone.get(f"/t/{code}/").text, phone.get(f"/t/{code}/", live=True).text

    assert "<!doctype html>" in whole
    assert "<html" not in part and '<div id="live"' in part


# Two phones at once


def test_of_two_taps_on_the_same_version_one_is_applied(phone, code, other):
    first = phone.act(code, TURN_ENDED, seat=0, seen=0)
    second = other.act(code, TURN_ENDED, seat=1, seen=0)

    assert first.json["ok"] is True
    assert second.status_code == 409
    assert second.json == {"ok": False, "error": LOOK_AGAIN}
    assert phone.version(code) == 1


def test_without_a_script_the_late_phone_sees_the_refreshed_page_and_a_sentence(phone, code, other):
    form = other.page(f"/t/{code}/").forms_to("/act")[-1]
    phone.must(code, group_entered(0))

    answer = other.submit(form, form.buttons[0])
    page = other.page(answer.location)

    assert answer.status_code == 303
    assert page.notices == [LOOK_AGAIN]
    assert {f.value("seen") for f in page.forms_to("/act")} == {"1"}
    assert phone.version(code) == 1


def test_the_sentence_is_shown_once(phone, code, other):
    other.act(code, TURN_ENDED, seat=1, seen=7, live=False, back=f"/t/{code}/")

    assert other.page(f"/t/{code}/").notices == [LOOK_AGAIN]
    assert other.page(f"/t/{code}/").notices == []


def test_of_many_taps_at_the_same_moment_exactly_one_is_applied(app, phone):
    code = phone.create("Ana", "Ben", "Cleo", "Dan")
    phones = [Phone(app).sit(code, seat) for seat in range(4)]
    start, answers = threading.Barrier(4), []

    def tap(seat):
        start.wait()
        answers.append(phones[seat].act(code, TURN_ENDED, seat=seat, seen=0).status_code)

    threads = [threading.Thread(target=tap, args=(seat,)) for seat in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(answers) == [200, 409, 409, 409]
    assert phone.version(code) == 1
    assert phone.journal(code).state.turn == 1


def test_score_sheets_of_two_seats_are_accepted_at_the_same_old_version(app, phone):
    code = phone.create(mode="score")
    phone.sit(code, 0)
    other = Phone(app).sit(code, 1)

    answers = [
        phone.act(code, place_filled(0, brou=2), seat=0, seen=0),
        other.act(code, place_filled(1, spider=1), seat=1, seen=0),
        other.act(code, {"type": "malus_counted", "player": 1, "tiles": 2}, seat=1, seen=2),
        phone.act(code, {"type": "groups_counted", "player": 0, "rooms": [1, 0, 0, 0, 0]}, seat=0, seen=1),
    ]

    assert [answer.status_code for answer in answers] == [200] * 4
    assert phone.version(code) == 4


def test_one_seat_cannot_use_an_old_version_of_its_own_sheet(phone):
    code = phone.create(mode="score")
    phone.sit(code, 0)
    phone.must(code, place_filled(0, brou=2))

    answer = phone.act(code, place_filled(0, brou=3), seen=0)

    assert answer.status_code == 409
    assert phone.version(code) == 1


@pytest.mark.parametrize("seen", [-1, 1, 10**20])
def test_a_version_that_never_was_is_refused(phone, code, seen):
    answer = phone.act(code, group_entered(0), seen=seen)

    assert answer.status_code == 409
    assert answer.json["error"] == LOOK_AGAIN
    assert phone.version(code) == 0


# Repeated taps


def test_a_tap_that_is_sent_again_is_applied_once_and_still_answered_ok(phone, code):
    first = phone.act(code, group_entered(0), seen=0, tap="mine")
    again = phone.act(code, group_entered(0), seen=0, tap="mine")

    assert first.json == again.json == {"ok": True, "version": 1, "stamp": "1.1.0"}
    assert phone.version(code) == 1


def test_a_tap_that_is_sent_again_much_later_is_still_known(phone, code, other):
    phone.act(code, group_entered(0), seen=0, tap="mine")
    other.must(code, group_entered(1), seat=1)

    again = phone.act(code, group_entered(0), seen=0, tap="mine")

    assert again.json["ok"] is True
    assert phone.version(code) == 2


def test_pressing_a_button_twice_without_a_script_counts_once(phone, code):
    form = phone.page(f"/t/{code}/").forms_to("/act")[0]

    answers = [phone.submit(form, form.live_buttons[0]) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [303, 303]
    assert phone.version(code) == 1


@pytest.mark.parametrize("what", ["undo", "redo", "rewind"])
def test_undo_redo_and_rewind_sent_again_count_once(phone, code, what):
    phone.must(code, group_entered(0), group_entered(0))
    if what == "redo":
        phone.steer(code, "undo", target=2)
    fields = {"target": 2, "to": 1, "seen": phone.version(code)}
    before = phone.version(code)

    answers = [phone.steer(code, what, tap="again", **fields) for _ in range(2)]

    assert [answer.json["ok"] for answer in answers] == [True, True]
    assert phone.version(code) == before + 1


def test_the_id_of_another_seats_tap_is_refused(phone, code, other):
    phone.act(code, group_entered(0), tap="mine")

    answer = other.act(code, group_entered(1), seat=1, tap="mine")

    assert answer.status_code == 400
    assert phone.version(code) == 1


# Illegal taps

ILLEGAL = [
    pytest.param(
        {"type": "turn_ended", "player": 1}, "It is %(player)s's turn.", {"player": "Ana"}, id="turn"
    ),
    pytest.param(
        {"type": "power_used", "player": 0, "power": 1},
        "The guardian has not been revealed yet: bring five monsters to room 5.",
        {},
        id="power of a hidden guardian",
    ),
    pytest.param(
        {"type": "group_removed", "player": 0, "room": 5},
        "There is no group in that room.",
        {},
        id="empty room",
    ),
    pytest.param(
        {"type": "group_advanced", "player": 0, "steps": 4},
        "A group advances 1 to %(most)d rooms.",
        {"most": 3},
        id="too far",
    ),
    pytest.param(
        {"type": "inn_revealed", "whom": "most", "effect": "new"},
        "An inn card is turned when as many threat icons lie open as there are players.",
        {},
        id="inn card too early",
    ),
    pytest.param(sheet_signed(0), "Points are counted at the end of the game.", {}, id="sheet too early"),
]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("event", "sentence", "values"), ILLEGAL)
def test_an_illegal_tap_is_answered_with_a_sentence_in_the_phones_language(
    app, phone, event, sentence, values, language
):
    visitor = Phone(app, language)
    code = visitor.create("Ana", "Ben")
    visitor.sit(code, 0)
    expected = sentence % values if language == "en" else in_french(sentence, **values)

    tap = visitor.act(code, event)
    form = visitor.act(code, event, live=False, back=f"/t/{code}/")

    assert tap.status_code == 409
    assert tap.json == {"ok": False, "error": expected}
    assert visitor.page(form.location).notices == [expected]
    assert visitor.version(code) == 0


def test_an_illegal_form_without_a_page_to_go_back_to_is_an_error_page(phone, code):
    answer = phone.act(code, {"type": "turn_ended", "player": 1}, live=False)

    assert answer.status_code == 409
    assert "It is Ana&#39;s turn." in answer.text
    assert f'href="/t/{code}/"' in answer.text


# Undo, redo, rewind


def test_undo_names_what_it_takes_back(phone, code, other):
    phone.must(code, group_entered(0))

    assert "Undo Ana: A new group enters room 1." in phone.page(f"/t/{code}/").text
    assert "Undo Ana: A new group enters room 1." in other.page(f"/t/{code}/").text


def test_there_is_nothing_to_undo_at_the_start(phone, code):
    page = phone.page(f"/t/{code}/")

    form = page.forms_to("/undo")[0]
    assert form.live_buttons == []
    assert "Undo nothing yet" in page.text
    assert page.forms_to("/redo") == []


def test_undo_and_redo_work_by_their_buttons(phone, code):
    phone.must(code, group_entered(0))
    start = phone.journal(code).start

    undo = phone.page(f"/t/{code}/").forms_to("/undo")[0]
    undone = phone.submit(undo, undo.buttons[0])
    state_after_undo = phone.journal(code).state
    redo = phone.page(undone.location).forms_to("/redo")[0]
    redone = phone.submit(redo, redo.buttons[0])

    assert (undone.status_code, redone.status_code) == (303, 303)
    assert state_after_undo == start
    assert phone.journal(code).state.dungeons[0].groups[0] == 2
    assert phone.version(code) == 3
    assert phone.page(redone.location).forms_to("/redo") == []


def test_undo_takes_back_only_what_it_named(phone, code, other):
    phone.must(code, group_entered(0))
    other.must(code, group_entered(1), seat=1)

    late = phone.steer(code, "undo", target=1)

    assert late.status_code == 409
    assert late.json["error"] == LOOK_AGAIN
    assert phone.version(code) == 2


def test_undo_of_the_own_sheet_works_while_another_player_wrote_later(app, phone):
    code = phone.create(mode="score")
    phone.sit(code, 0)
    other = Phone(app).sit(code, 1)
    phone.must(code, place_filled(0, brou=2))
    other.must(code, place_filled(1, spider=3), seat=1)
    page = phone.page(f"/t/{code}/")

    form = page.forms_to("/undo")[0]
    answer = phone.submit(form, form.buttons[0])

    assert "Undo Ana: Room 1: 2 x Brou." in page.text
    assert answer.status_code == 303
    state = phone.journal(code).state
    assert state.dungeons[0].monsters("room1").brou == 0
    assert state.dungeons[1].monsters("room1").spider == 3


def test_nothing_that_was_undone_twice_is_undone_twice(phone, code):
    phone.must(code, group_entered(0), group_entered(0))
    phone.steer(code, "undo", target=2)

    answer = phone.steer(code, "undo", target=2)

    assert answer.status_code == 409
    assert phone.version(code) == 3


def test_redo_with_nothing_undone_is_refused(phone, code):
    answer = phone.steer(code, "redo", seen=0)

    assert answer.status_code == 409
    assert answer.json["error"] == "There is nothing to redo."


@pytest.mark.parametrize(("what", "fields"), [("redo", {}), ("rewind", {"to": 0})])
def test_redo_and_rewind_of_an_old_page_are_refused(phone, code, what, fields):
    phone.must(code, group_entered(0), group_entered(0))
    phone.steer(code, "undo", target=2)

    answer = phone.steer(code, what, seen=2, **fields)

    assert answer.status_code == 409
    assert answer.json["error"] == LOOK_AGAIN
    assert phone.version(code) == 3


def test_undoing_the_last_signature_opens_the_game_again(phone):
    code = phone.create(mode="score")
    phone.sit_everywhere(code).finish(code)
    page = phone.page(f"/t/{code}/result")

    form = page.forms_to("/undo")[0]
    phone.submit(form, form.buttons[0])

    answer = phone.get(f"/t/{code}/result")
    assert answer.status_code == 303
    assert answer.location == f"/t/{code}/?watch=1"


def test_the_history_tells_the_game_in_words_newest_first(phone, code, other):
    phone.must(code, {"type": "threat_revealed", "effect": "new"}, TURN_ENDED)
    other.must(code, group_entered(1), seat=1)

    text = phone.page(f"/t/{code}/history/").text

    sentences = [
        "A new group enters room 1.",
        "Ana's turn is over.",
        "Threat card, all players: a new group in room 1.",
    ]
    places = [text.index(sentence) for sentence in sentences]
    assert places == sorted(places)


def test_an_empty_history_says_so(phone, code):
    assert "Nothing has happened yet." in phone.page(f"/t/{code}/history/").text


def test_the_history_leads_back_to_every_moment_but_the_newest(phone, code):
    phone.must(code, group_entered(0), group_entered(0), group_entered(0))

    forms = phone.page(f"/t/{code}/history/").forms_to("/rewind")

    assert [form.value("to") for form in forms] == ["2", "1"]


def test_going_back_undoes_everything_after_and_can_be_redone(phone, code):
    phone.must(code, group_entered(0), group_entered(0), TURN_ENDED)
    form = phone.page(f"/t/{code}/history/").forms_to("/rewind")[-1]

    answer = phone.submit(form, form.buttons[0])
    groups_then = phone.journal(code).state.dungeons[0].groups
    redo = phone.page(answer.location).forms_to("/redo")[0]
    phone.submit(redo, redo.buttons[0])

    assert answer.location == f"/t/{code}/history/"
    assert groups_then == (2, 0, 0, 0, 0)
    assert phone.journal(code).state.dungeons[0].groups == (3, 0, 0, 0, 0)
    assert phone.journal(code).state.turn == 1


def test_going_back_to_where_the_table_is_changes_nothing(phone, code):
    phone.must(code, group_entered(0))

    answer = phone.steer(code, "rewind", to=1, seen=1)

    assert answer.status_code == 409
    assert answer.json["error"] == "The table is already there."


# Nonsense


def nested(depth):
    return "[" * depth + "]" * depth


NONSENSE_EVENTS = [
    pytest.param("", id="nothing"),
    pytest.param("{", id="half an object"),
    pytest.param("null", id="null"),
    pytest.param("3", id="a number"),
    pytest.param('"group_entered"', id="a string"),
    pytest.param("[]", id="a list"),
    pytest.param("{}", id="an empty object"),
    pytest.param('{"type": null}', id="no type"),
    pytest.param('{"type": ["group_entered"]}', id="a list as type"),
    pytest.param('{"type": {"a": 1}}', id="an object as type"),
    pytest.param('{"type": "game_won", "player": 0}', id="unknown type"),
    pytest.param('{"type": "GroupEntered", "player": 0}', id="a class's name"),
    pytest.param('{"type": "group_entered"}', id="missing field"),
    pytest.param('{"type": "group_entered", "player": 0, "times": 5}', id="unknown field"),
    pytest.param('{"type": "group_entered", "player": "0"}', id="text for a number"),
    pytest.param('{"type": "group_entered", "player": 0.0}', id="decimals"),
    pytest.param('{"type": "group_entered", "player": true}', id="true for a number"),
    pytest.param('{"type": "group_entered", "player": NaN}', id="not a number"),
    pytest.param('{"type": "group_entered", "player": Infinity}', id="infinity"),
    pytest.param('{"type": "group_advanced", "player": 0, "steps": 1e3}', id="exponent"),
    pytest.param('{"type": "group_advanced", "player": 0, "steps": %s}' % ("9" * 30), id="huge number"),
    pytest.param('{"type": "group_advanced", "player": 0, "steps": %s}' % ("9" * 5000), id="endless number"),
    pytest.param('{"type": "group_advanced", "player": 0, "steps": -%s}' % ("9" * 30), id="huge negative"),
    pytest.param(f'{{"type": "group_entered", "player": {nested(50)}}}', id="lists in lists"),
    pytest.param(nested(4_900), id="nested for ever"),
    pytest.param('{"a":' * 1_600 + "1" + "}" * 1_600, id="objects in objects"),
    pytest.param('{"type": "group_entered", "player": 0}' + " " * 10_000, id="too long"),
    pytest.param('{"type": "undone", "event": 1}', id="undo as an event"),
    pytest.param('{"type": "rewound", "to": 0}', id="rewind as an event"),
    pytest.param('{"type": "redone"}', id="redo as an event"),
    pytest.param('{"type": "threat_revealed", "effect": "burn"}', id="unknown effect"),
    pytest.param('{"type": "threat_revealed", "effect": "advance"}', id="no steps"),
    pytest.param('{"type": "inn_revealed", "whom": "all", "effect": "new"}', id="unknown choice"),
    pytest.param('{"type": "\\u0000", "player": 0}', id="a control character"),
    pytest.param(json.dumps(place_filled(0, "attic")), id="unknown place"),
    pytest.param(json.dumps({**place_filled(0), "monsters": [0] * 6}), id="a list of monsters"),
    pytest.param(json.dumps({**place_filled(0), "monsters": {**NOBODY, "elf": 1}}), id="unknown monster"),
    pytest.param('{"type": "groups_counted", "player": 0, "rooms": [0, 0]}', id="too few rooms"),
    pytest.param('{"type": "groups_counted", "player": 0, "rooms": {}}', id="no rooms"),
]


@pytest.mark.parametrize("event", NONSENSE_EVENTS)
def test_a_nonsense_event_is_refused_with_one_sentence(phone, code, event):
    answer = phone.act(code, event)

    assert answer.status_code in (400, 409)
    assert answer.json["ok"] is False
    assert answer.json["error"].endswith(".") and "\n" not in answer.json["error"]
    assert phone.version(code) == 0


NONSENSE_FIELDS = [
    pytest.param({"seen": "one"}, id="seen is a word"),
    pytest.param({"seen": ""}, id="seen is empty"),
    pytest.param({"seen": "1.5"}, id="seen has decimals"),
    pytest.param({"seen": "9" * 5000}, id="seen is endless"),
    pytest.param({"seat": "Ana"}, id="seat is a word"),
    pytest.param({"seat": ""}, id="seat is empty"),
    pytest.param({"seat": "-1"}, id="negative seat"),
    pytest.param({"seat": "2"}, id="a seat too many"),
    pytest.param({"seat": "9" * 5000}, id="seat is endless"),
    pytest.param({"tap": ""}, id="no id"),
    pytest.param({"tap": "x" * 65}, id="a long id"),
    pytest.param({"tap": "é" * 500}, id="a long id with accents"),
]


@pytest.mark.parametrize("fields", NONSENSE_FIELDS)
def test_a_nonsense_field_is_refused_with_one_sentence(phone, code, fields):
    right = {"seat": 0, "seen": 0, "tap": "x", "event": json.dumps(group_entered(0))}

    answer = phone.post(f"/t/{code}/act", {**right, **fields}, live=True)

    assert answer.status_code == 400
    assert answer.json["error"].endswith(".")
    assert phone.version(code) == 0


@pytest.mark.parametrize("field", ["seat", "seen", "tap", "event"])
def test_a_missing_field_is_refused_with_one_sentence(phone, code, field):
    fields = {"seat": 0, "seen": 0, "tap": "x", "event": json.dumps(group_entered(0))}
    del fields[field]

    answer = phone.post(f"/t/{code}/act", fields, live=True)

    assert answer.status_code == 400
    assert answer.json["error"].endswith(".")
    assert phone.version(code) == 0


@pytest.mark.parametrize(
    ("what", "fields"),
    [
        pytest.param("undo", {}, id="undo of nothing"),
        pytest.param("undo", {"target": "last"}, id="undo of a word"),
        pytest.param("redo", {}, id="redo without a version"),
        pytest.param("rewind", {"seen": 0}, id="rewind to nothing"),
        pytest.param("rewind", {"to": "start", "seen": 0}, id="rewind to a word"),
        pytest.param("rewind", {"to": 0}, id="rewind without a version"),
    ],
)
def test_nonsense_undo_and_rewind_is_refused(phone, code, what, fields):
    answer = phone.steer(code, what, **fields)

    assert answer.status_code == 400
    assert phone.version(code) == 0


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"form": "attack"}, id="unknown form"),
        pytest.param({"form": ""}, id="empty form"),
        pytest.param({"form": "threat"}, id="no effect"),
        pytest.param({"form": "threat", "effect": "advance-9"}, id="nine steps"),
        pytest.param({"form": "threat", "effect": "advance-"}, id="no steps"),
        pytest.param({"form": "inn", "effect": "new"}, id="inn for nobody"),
        pytest.param({"form": "others", "effect": "fly"}, id="unknown effect"),
        pytest.param({"form": "place"}, id="no place"),
        pytest.param({"form": "place", "place": "room1", "spider": "many"}, id="monsters in words"),
        pytest.param({"form": "place", "place": "room1", "spider": "-1"}, id="negative monsters"),
        pytest.param({"form": "place", "place": "room1", "spider": "21"}, id="more than the box holds"),
        pytest.param({"form": "place", "place": "room1", "vip": "9" * 50}, id="endless monsters"),
        pytest.param({"form": "groups", "room1": "29"}, id="more groups than the box holds"),
        pytest.param({"form": "groups", "room1": "1.5"}, id="half a group"),
        pytest.param({"form": "malus", "tiles": "6"}, id="a sixth malus"),
        pytest.param({"form": "malus", "tiles": "²"}, id="a raised two"),
        pytest.param({"form": "malus", "tiles": "five"}, id="malus in words"),
    ],
)
@pytest.mark.parametrize("mode", ["full", "score"])
def test_a_nonsense_form_is_refused_with_one_sentence(phone, mode, fields):
    code = phone.create(mode=mode)
    phone.sit(code, 0)

    answer = phone.act(code, **fields)

    assert answer.status_code in (400, 409)
    assert answer.json["error"].endswith(".")
    assert phone.version(code) == 0


# Half of a character outside the first plane: legal in JSON, impossible in UTF-8.
HALF = '{"type": "\\ud800"}'


def test_half_a_character_is_refused_on_an_error_page(phone, code):
    answer = phone.act(code, HALF, live=False)

    assert answer.status_code == 400


def test_half_a_character_does_not_break_the_page_that_tells_about_it(phone, code):
    answer = phone.act(code, HALF, live=False, back=f"/t/{code}/")

    assert phone.page(answer.location).notices


@pytest.fixture(scope="module")
def battered(tmp_path_factory):
    """A companion at which random forms are thrown: two tables, a phone in every seat."""
    store = Store(tmp_path_factory.mktemp("battered"))
    phone = Phone(create_app(Tables(store), signing_key=b"k"))
    codes = [phone.create(mode="full"), phone.create(mode="score")]
    for code in codes:
        phone.sit_everywhere(code)
    yield phone, codes
    store.close()


words = st.one_of(
    st.text(max_size=30), st.sampled_from(["", "-1", "0", "1", "2", "99", "9" * 400, "٣", "1_0"])
)
numbers = st.one_of(st.integers(-3, 30), st.integers(), words)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
field_names = sorted({name for kind in CODEC.kinds.values() for name in kind.__dataclass_fields__})
good_values = st.sampled_from([0, 1, 2, "new", "advance", "none", "most", "room1", NOBODY, [0, 0, 0, 0, 0]])
near_events = st.builds(
    lambda kind, fields: {"type": kind, **fields},
    st.sampled_from(sorted(CODEC.kinds)),
    st.dictionaries(st.sampled_from(field_names), st.one_of(good_values, values), max_size=4),
)
events = st.one_of(
    near_events.map(json.dumps),
    values.map(json.dumps),
    st.text(max_size=50),
    st.just(json.dumps(group_entered(0))),
)
forms = st.fixed_dictionaries(
    {},
    optional={
        "seat": st.one_of(st.integers(0, 1), numbers),
        "seen": numbers,
        "tap": words,
        "event": events,
        "target": numbers,
        "to": numbers,
        "back": st.one_of(words, st.text(max_size=20).map("/".__add__)),
        "form": st.sampled_from(["threat", "inn", "others", "place", "groups", "malus", "?"]),
        "effect": st.one_of(st.sampled_from(["none", "new", "advance-1", "advance-4", "advance-"]), words),
        "whom": st.one_of(st.sampled_from(["most", "fewest"]), words),
        "place": st.one_of(st.sampled_from(["room1", "entrance", "corridor3"]), words),
        "icon": words,
        "step": st.one_of(st.sampled_from(["spider+", "spider-", "room1+", "tiles+"]), words),
        "spider": numbers,
        "room1": numbers,
        "tiles": numbers,
    },
)


@settings(max_examples=250, deadline=None)
@given(
    fields=forms,
    table=st.integers(0, 1),
    route=st.sampled_from(["act", "act", "act", "undo", "redo", "rewind"]),
    live=st.booleans(),
    current=st.booleans(),
)
def test_whatever_is_sent_the_server_answers_and_never_breaks(battered, fields, table, route, live, current):
    phone, codes = battered
    code = codes[table]
    if current:
        fields = {"seat": 0, "tap": f"{phone.version(code)}", **fields, "seen": phone.version(code)}

    answer = phone.post(f"/t/{code}/{route}", fields, live=live)

    assert answer.status_code in (200, 303, 400, 403, 409)
    assert answer.status_code == 200 or not live or answer.json["error"]
    assert phone.get(f"/t/{code}/").status_code == 200
