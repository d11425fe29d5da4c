"""Setting up a game by its form, and the start page it appears on."""

import pytest

from companion.apprentis.objectives import OBJECTIVES
from tests.web.html_page import Page
from tests.web.phone import Phone
from web.app import ServedAt
from web.sample import add_sample

LAN = "http://192.168.1.20:8000/"


def set_up(phone, names=("Ana", "Ben"), **typed):
    """Fill in the form of the page and send it."""
    form = phone.page("/new/apprentis").forms_to("/new/apprentis")[0]
    changes = {name.replace("_", "-"): value for name, value in typed.items()}
    return phone.submit(form, form.buttons[0], player=[*names, "", ""][:4], **changes)


def created(phone, answer):
    assert answer.status_code == 303, Page(answer.text).notices
    return phone.journal(answer.location.split("/")[2])


def test_the_form_as_it_stands_needs_only_names(phone):
    answer = set_up(phone)

    journal = created(phone, answer)
    assert answer.location.endswith("/seats/")
    assert journal.setup.players == ("Ana", "Ben")
    assert journal.setup.first == 0
    assert journal.state.tracked is True


def test_objectives_left_to_chance_are_drawn_one_of_each_colour_without_a_star(phone):
    for _ in range(8):
        drawn = [OBJECTIVES[key] for key in created(phone, set_up(phone)).state.objectives]

        assert [side.colour for side in drawn] == ["spider", "brou", "vampire", "dragon"]
        assert not any(side.starred for side in drawn)


def test_what_is_chosen_is_played(phone):
    answer = set_up(
        phone,
        option_mode="score",
        option_spider="spider-skeleton",
        option_piles=["1", "1", "0", "2", "2"],
    )

    state = created(phone, answer).state
    assert state.objectives[0] == "spider-skeleton"
    assert state.piles == (1, 1, 0, 2, 2)
    assert state.phase == "scoring"


@pytest.mark.parametrize(
    ("names", "ticked", "first"),
    [
        pytest.param(("Ana", "Ben", "Cleo"), 2, 2, id="the third"),
        pytest.param(("Ana", "", "Cleo"), 2, 1, id="after an empty row"),
        pytest.param(("Ana", "", "Cleo"), 1, 0, id="an empty row"),
        pytest.param(("Ana", "Ben"), 9, 0, id="a row that is not there"),
        pytest.param(("Ana", "Ben"), "me", 0, id="no number"),
    ],
)
def test_the_ticked_row_begins(phone, names, ticked, first):
    journal = created(phone, set_up(phone, names, first=ticked))

    assert journal.setup.first == first


def test_names_are_tidied(phone):
    journal = created(phone, set_up(phone, ("  Ana   Maria ", "Zoë")))

    assert journal.setup.players == ("Ana Maria", "Zoë")


REFUSED = [
    pytest.param({"names": ("Ana",)}, "is for 2 to 4 players.", id="one player"),
    pytest.param({"names": ()}, "is for 2 to 4 players.", id="nobody"),
    pytest.param({"names": ("Ana", "ANA")}, "Two players have the same name.", id="the same name"),
    pytest.param({"names": ("A" * 25, "Ben")}, "A name can have at most 24 letters.", id="a long name"),
    pytest.param({"names": ("A\u202eB", "Ben")}, "A name can only have visible letters.", id="a hidden mark"),
    pytest.param({"names": ("A\x00", "Ben")}, "A name can only have visible letters.", id="a control"),
    pytest.param({"option_mode": "fun"}, "has no such choice.", id="unknown choice"),
    pytest.param({"option_piles": ["0", "2"]}, "needs 5 numbers from 0 to 2.", id="too few rooms"),
    pytest.param({"option_piles": ["3", "2", "2", "2", "2"]}, "needs 5 numbers", id="too much gold"),
    pytest.param({"option_piles": ["x", "2", "2", "2", "2"]}, "needs 5 numbers", id="gold in words"),
    pytest.param({"option_piles": ["", "2", "2", "2", "2"]}, "needs 5 numbers", id="no number"),
]


@pytest.mark.parametrize(("typed", "sentence"), REFUSED)
def test_an_impossible_set_up_is_refused_and_nothing_that_was_typed_is_lost(phone, tables, typed, sentence):
    answer = set_up(phone, **typed, option_spider="spider-dragon")

    page = Page(answer.text)
    (notice,) = page.notices
    assert answer.status_code == 400
    assert sentence in notice
    form = page.forms_to("/new/apprentis")[0]
    assert form.value("option-spider") == "spider-dragon"
    assert [value for name, value in form.fields if name == "player" and value] == list(
        typed.get("names", ("Ana", "Ben"))
    )
    assert tables.store.games_for(None) == []


def test_five_names_are_too_many(phone):
    answer = phone.post("/new/apprentis", {"player": ["A", "B", "C", "D", "E"]})

    assert answer.status_code == 400


def test_playing_again_starts_with_the_same_people(phone):
    code = phone.create("Ana", "Ben", "Cleo", mode="score")
    phone.sit_everywhere(code).finish(code, (0, 1, 2))

    link = phone.page(f"/t/{code}/result").primary_link
    form = phone.page(link).forms_to("/new/apprentis")[0]

    assert [value for name, value in form.fields if name == "player"] == ["Ana", "Ben", "Cleo", ""]


def test_playing_again_after_an_unknown_table_is_an_unknown_table(phone):
    assert phone.get("/new/apprentis?again=unknown").status_code == 404


# The start page


def test_games_are_listed_for_everybody_unless_unticked(app, phone):
    listed = phone.create("Ana", "Ben")
    form = phone.page("/new/apprentis").forms_to("/new/apprentis")[0]
    form.fields = [pair for pair in form.fields if pair[0] != "listed"]
    unlisted = phone.submit(form, player=["Cleo", "Dan"]).location.split("/")[2]

    mine, others = phone.page("/").links, Phone(app).page("/").links

    assert {f"/t/{listed}/", f"/t/{unlisted}/"} <= set(mine)
    assert f"/t/{listed}/" in others
    assert f"/t/{unlisted}/" not in others


def test_a_companion_that_lists_nothing_leaves_the_box_unticked(app, phone):
    app.extensions["served_at"] = ServedAt(list_games=False)

    form = phone.page("/new/apprentis").forms_to("/new/apprentis")[0]

    assert form.value("listed") is None


def test_on_the_machine_itself_the_address_for_phones_is_shown(app, phone):
    app.extensions["served_at"] = ServedAt(http=(LAN,))
    code = phone.create()

    assert LAN in phone.page("/").text
    assert f"{LAN}t/{code}/" in phone.page(f"/t/{code}/seats/").text


def test_on_a_phone_the_address_it_used_is_shown(app, phone):
    app.extensions["served_at"] = ServedAt(http=(LAN,))

    answer = phone.get("/", Host="kitchen.local:8000")

    assert "http://kitchen.local:8000/" in Page(answer.text).text
    assert LAN not in answer.text


def test_the_secure_address_is_told_if_there_is_one(app, phone):
    secure = "https://192.168.1.20:8443/"
    without = phone.page("/").links
    app.extensions["served_at"] = ServedAt(http=(LAN,), https=(secure,))

    assert secure not in without
    assert secure in phone.page("/").links


def test_only_the_host_finds_a_bin_on_the_start_page(app, phone):
    code = phone.create()

    assert f"/t/{code}/delete/" in phone.page("/").links
    assert f"/t/{code}/delete/" not in Phone(app).page("/").links


# The sample game


NEXT = {
    "dungeon-drop": {"type": "loot_skipped", "player": 0},
    "apprentis": {"type": "threat_revealed", "effect": "new"},
    "welcome": {"type": "player_passed", "player": 2},
    "guilds": {"type": "adventurer_placed", "player": 2, "strength": 4, "place": 0},
}


def test_the_sample_games_are_under_way_and_can_be_played_on(phone, tables):
    shown = add_sample(tables)

    games = tables.store.games_for(None)
    assert {row.game for row in games} == set(NEXT)
    for row in games:
        phone.sit_everywhere(row.code)
        assert tables.open(row.code).version > 5
        assert phone.act(row.code, NEXT[row.game]).json["ok"] is True
    assert tables.open(shown).setup.game == "dungeon-drop"


def test_the_sample_game_is_added_to_an_empty_record_only(phone, tables):
    phone.create()

    assert add_sample(tables) is None
    assert len(tables.store.games_for(None)) == 1
