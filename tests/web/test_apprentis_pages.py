"""The pages of Les Apprentis Gardiens, read and pressed as a browser without scripts does."""

import csv
import io
import json
import random
import xml.etree.ElementTree as ElementTree
from urllib.parse import unquote

import pytest

from companion.apprentis.events import (
    CODEC,
    GroupRemoved,
    InnRevealed,
    OthersStruck,
    PowerUsed,
    ThreatRevealed,
)
from companion.apprentis.legal import legal_events
from tests.web.phone import OBJECTIVES, Phone, group_entered, place_filled, sheet_signed
from tests.web.random_table import RandomTable, body_of, illegal_offers, offered_events, offers, sheet_of

THREAT = {"type": "threat_revealed", "effect": "none", "icon": True}
NO_THREAT = {"type": "threat_revealed", "effect": "none"}
REVEALED = {"type": "guardian_revealed", "player": 0}
TITLE = "Donjon: Les Apprentis Gardiens"
MINUS = "\u2212"


def malus_counted(player, tiles):
    return {"type": "malus_counted", "player": player, "tiles": tiles}


def groups_counted(player, *rooms):
    return {"type": "groups_counted", "player": player, "rooms": list(rooms)}


def turn_ended(player):
    return {"type": "turn_ended", "player": player}


@pytest.fixture
def code(phone):
    """A game under way with both seats on one phone."""
    code = phone.create("Ana", "Ben")
    phone.sit_everywhere(code)
    return code


@pytest.fixture
def scoring(phone):
    """A game of which only the end is scored, both seats on one phone."""
    code = phone.create("Ana", "Ben", mode="score")
    phone.sit_everywhere(code)
    return code


def offered_types(page):
    return {body_of(form, button, **changes)["type"] for form, button, changes in offers(page)}


# A whole game by buttons


@pytest.fixture
def seated(app):
    """Build a table with one phone in each seat."""

    def sit(players, seed, **fields):
        phones = [Phone(app) for _ in range(players)]
        code = phones[0].create(*("Ana", "Ben", "Cleo", "Dan")[:players], **fields)
        for seat, phone in enumerate(phones):
            phone.sit(code, seat)
        return RandomTable(phones, code, random.Random(seed))

    return sit


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (4, 3)])
def test_a_game_is_played_to_its_end_by_plain_forms_and_every_button_drawn_is_legal(seated, players, seed):
    table = seated(players, seed, first=1)

    for _seat, page in table.pages_of_play():
        assert illegal_offers(page, table.journal) == []
    for seat in table.rng.sample(range(players), players):
        for page in table.fill_in(seat):
            assert illegal_offers(page, table.journal) == []

    assert table.journal.state.phase == "finished"
    result = table.phones[0].page(f"/t/{table.code}/result")
    assert str(table.journal.outcome.reason) in result.text


def test_the_buttons_of_the_table_are_exactly_what_the_rules_allow(seated):
    table, met = seated(3, seed=4), set()

    for seat, page in table.pages_of_play():
        state = table.journal.state
        legal = set(legal_events(state, seat))
        if state.inn_due:  # the inn card comes first; meanwhile no threat card is asked for
            legal = {event for event in legal if not isinstance(event, ThreatRevealed)}
        assert offered_events(page, CODEC) == legal
        met |= {type(event) for event in legal}

    assert {InnRevealed, PowerUsed, OthersStruck, GroupRemoved} <= met


# One moment of each kind, reached by these taps of Ana.
MOMENTS = [
    pytest.param((), id="the first turn"),
    pytest.param((NO_THREAT, group_entered(0)), id="after the threat card"),
    pytest.param((REVEALED, {"type": "power_used", "player": 0, "power": 2}), id="a used power"),
    pytest.param((REVEALED,), id="an unused power"),
    pytest.param((THREAT, turn_ended(0), THREAT), id="an inn card is due"),
    pytest.param(({"type": "scoring_opened"},), id="scoring"),
    pytest.param(({"type": "scoring_opened"}, sheet_signed(0)), id="a signed sheet"),
]


@pytest.mark.parametrize("taps", MOMENTS)
def test_every_button_that_is_drawn_can_be_pressed_and_taken_back(phone, code, taps):
    phone.must(code, *taps)
    state = phone.journal(code).state
    count = len(offers(phone.page(f"/t/{code}/?seat=0")))

    for number in range(count):
        page = phone.page(f"/t/{code}/?seat=0")
        form, button, changes = offers(page)[number]
        pressed = phone.submit(form, button, **changes)
        version = phone.version(code)
        phone.steer(code, "undo", target=version)

        assert page.notices == []
        assert pressed.status_code == 303
        assert version == len(taps) + 2 * number + 1, body_of(form, button, **changes)
        assert phone.journal(code).state == state

    assert count


# Buttons that would not work


def test_a_second_threat_card_a_turn_is_not_offered(phone, code):
    phone.must(code, NO_THREAT)

    assert "threat_revealed" not in offered_types(phone.page(f"/t/{code}/"))


def test_an_inn_card_is_asked_for_only_when_it_is_due(phone, code):
    before = offered_types(phone.page(f"/t/{code}/"))
    phone.must(code, THREAT, turn_ended(0), THREAT)
    page = phone.page(f"/t/{code}/")

    assert "inn_revealed" not in before
    assert "inn_revealed" in offered_types(page)
    assert "turn_ended" not in offered_types(page)
    assert page.primary_link == "#inn"


def test_the_inn_card_names_whom_it_hits(phone, code):
    phone.must(code, group_entered(0), THREAT, turn_ended(0), THREAT)

    text = phone.page(f"/t/{code}/").part("inn")

    assert "Most groups Ana" in text
    assert "Fewest groups Ben" in text


def test_groups_are_removed_only_where_they_are(phone, code):
    phone.must(code, {"type": "group_advanced", "player": 0, "steps": 2}, group_entered(0))

    page = phone.page(f"/t/{code}/")

    rooms = {e["room"] for e in map(lambda o: body_of(*o[:2]), offers(page)) if e["type"] == "group_removed"}
    assert rooms == {1, 3}


def test_powers_are_offered_once_the_guardian_is_revealed(phone, code):
    before = offered_types(phone.page(f"/t/{code}/"))
    phone.must(code, REVEALED)
    after = offered_types(phone.page(f"/t/{code}/"))

    assert "guardian_revealed" in before and "power_used" not in before
    assert "power_used" in after and "guardian_revealed" not in after


def test_a_covered_power_shows_its_malus_and_no_other_is_offered_this_turn(phone, code):
    phone.must(code, REVEALED, {"type": "power_used", "player": 0, "power": 2})

    page = phone.page(f"/t/{code}/")

    assert "power_used" not in offered_types(page)
    assert "left middle 1 right" in page.part("guardian")


def test_powers_are_not_offered_out_of_turn(phone, code):
    phone.must(code, REVEALED, turn_ended(0))

    assert "power_used" not in offered_types(phone.page(f"/t/{code}/?seat=0"))


def test_no_group_is_offered_when_all_are_in_the_dungeons(phone, code):
    phone.must(code, *[group_entered(0)] * 26)

    assert "group_entered" not in offered_types(phone.page(f"/t/{code}/"))


def test_a_group_in_room_5_is_not_offered_to_advance(phone, code):
    step = {"type": "group_advanced", "player": 0, "steps": 3}
    phone.must(code, step, step)

    assert "group_advanced" not in offered_types(phone.page(f"/t/{code}/"))


def test_a_signed_sheet_offers_only_to_change_something(phone, scoring):
    phone.must(scoring, sheet_signed(0))

    assert offered_types(phone.page(f"/t/{scoring}/?seat=0")) == {"sheet_reopened", "setup_corrected"}


def enabled(page, step):
    """Whether the stepper button *step*, such as ``vip+``, can be pressed."""
    buttons = [b for form in page.forms_to("/act") for b in form.buttons if b.value == step]
    assert len(buttons) == 1, step
    return not buttons[0].disabled


@pytest.mark.parametrize(("kind", "most"), [("spider", 20), ("brou", 20), ("skeleton", 20), ("vip", 11)])
def test_no_more_monsters_are_offered_than_the_box_holds(phone, scoring, kind, most):
    phone.must(scoring, place_filled(0, **{kind: most - 1}))
    below = phone.page(f"/t/{scoring}/?seat=0")
    phone.must(scoring, place_filled(0, **{kind: most}))
    full = phone.page(f"/t/{scoring}/?seat=0")

    assert enabled(below, f"{kind}+")
    assert not enabled(full, f"{kind}+")
    assert sheet_of(full).numbers[kind] == most


def test_no_more_groups_are_offered_in_a_room_than_the_box_holds(phone, scoring):
    phone.must(scoring, groups_counted(0, 27, 0, 0, 0, 0))
    below = phone.page(f"/t/{scoring}/?seat=0&place=groups")
    phone.must(scoring, groups_counted(0, 28, 0, 0, 0, 0))
    full = phone.page(f"/t/{scoring}/?seat=0&place=groups")

    assert enabled(below, "room1+")
    assert not enabled(full, "room1+")


def test_no_more_malus_tiles_are_offered_than_there_are(phone, scoring):
    phone.must(scoring, malus_counted(0, 4))
    below = phone.page(f"/t/{scoring}/?seat=0&place=malus")
    phone.must(scoring, malus_counted(0, 5))
    full = phone.page(f"/t/{scoring}/?seat=0&place=malus")

    assert enabled(below, "tiles+") and enabled(below, "tiles-")
    assert not enabled(full, "tiles+")


def test_nothing_is_taken_away_where_nothing_is(phone, scoring):
    page = phone.page(f"/t/{scoring}/?seat=0")

    assert not enabled(page, "spider-")
    assert enabled(page, "spider+")


# Correcting the set-up


def test_objectives_and_gold_piles_can_be_corrected_while_counting(phone, scoring):
    phone.must(scoring, place_filled(0, spider=1, skeleton=1, dragon=2))
    form = next(f for f in phone.page(f"/t/{scoring}/?seat=0").forms_to("/act") if f.value("form") == "setup")

    answer = phone.submit(form, form.buttons[0], **{"objective-spider": "spider-skeleton", "piles1": 2})

    page = phone.page(answer.location)
    assert page.part("line-spider-skeleton").startswith("Spider + skeleton room 1 4 ")
    assert page.part("line-dragon-each").startswith("Dragons on gold 2 dragons on a pile 6 ")
    assert "line-spider-brou" not in page.ids


def test_the_set_up_of_a_finished_game_is_not_offered_to_be_corrected(phone, scoring):
    phone.finish(scoring)

    assert offered_types(phone.page(f"/t/{scoring}/?seat=0&place=room1")) == {"sheet_reopened"}


def setup_corrected(*objectives, piles=(0, 2, 2, 2, 2)):
    return {"type": "setup_corrected", "objectives": list(objectives), "piles": list(piles)}


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(setup_corrected("spider-brou"), id="too few objectives"),
        pytest.param(
            setup_corrected("brou-pairs", "spider-brou", "vampire-crowd", "dragon-each"), id="wrong order"
        ),
        pytest.param(
            setup_corrected("spider-brou", "brou-pairs", "vampire-crowd", "dragon-each", "elf-most"),
            id="an unknown objective too many",
        ),
        pytest.param(
            setup_corrected("elf-most", "spider-brou", "brou-pairs", "vampire-crowd", "dragon-each"),
            id="an unknown objective first",
        ),
        pytest.param(
            setup_corrected(*OBJECTIVES.values(), piles=(0, 2, 2, 2, 3)), id="more gold than fits in a room"
        ),
        pytest.param(setup_corrected(*OBJECTIVES.values(), piles=(0, 2, 2)), id="too few rooms"),
    ],
)
def test_an_impossible_set_up_is_refused_and_the_table_stays_whole(phone, scoring, event):
    answer = phone.act(scoring, event)

    assert answer.status_code in (400, 409)
    assert phone.version(scoring) == 0
    assert phone.get(f"/t/{scoring}/").status_code == 200


# Playing


def test_the_top_of_the_page_says_whose_turn_it_is(phone, code):
    mine, other = phone.page(f"/t/{code}/?seat=0").text, phone.page(f"/t/{code}/?seat=1").text

    assert "Your turn, Ana" in mine
    assert "Ana's turn" in other and "You are Ben" in other


def test_the_last_round_is_announced(phone, code):
    for turn in range(12):
        phone.must(code, NO_THREAT, seat=turn % 2)
        if turn < 11:
            phone.must(code, turn_ended(turn % 2), seat=turn % 2)

    assert "Last round: Ben plays the last turn." in phone.page(f"/t/{code}/").text
    assert "Last round: Ben plays the last turn." in phone.page(f"/t/{code}/tv").text


def test_the_big_screen_shows_every_dungeon(phone, code):
    phone.must(code, *[group_entered(0)] * 7)

    text = phone.page(f"/t/{code}/tv").text

    assert "Ana's turn" in text and TITLE in text
    assert "Adventurer groups in rooms 1 to 5 1 8" in text


# Scoring

DUNGEON = [
    place_filled(0, "room1", spider=1, brou=2, dragon=1, vampire=1),  # no gold in room 1
    place_filled(0, "room2", dragon=3, vampire=5),  # two gold piles
    malus_counted(0, 2),
    groups_counted(0, 1, 0, 1, 0, 0),
]
LINES = [
    ("spider-brou", "Spider + brou", "room 1", "4"),
    ("brou-pairs", "Brous by two", "room 1", "4"),
    ("vampire-crowd", "6 vampires", "6 vampires in rooms", "15"),
    ("dragon-each", "Dragons on gold", "2 dragons on a pile", "6"),
    ("varied-rooms", "Varied rooms", "room 1", "7"),
    ("malus", "Malus tiles", "tiles 1 + 2", MINUS + "3"),
    ("groups", "Adventurers", "rooms 1 + 3", MINUS + "4"),
]
TOTAL = "29"


def test_the_score_page_shows_the_total_and_every_line(phone, scoring):
    phone.must(scoring, *DUNGEON)

    page = phone.page(f"/t/{scoring}/?seat=0")

    assert page.part("total") == TOTAL
    for key, label, why, points in LINES:
        assert page.part(f"line-{key}").startswith(f"{label} {why} {points} ")
    assert [row[0::2] for row in page.tables[-1]] == [["Ana", TOTAL], ["Ben", "0"]]


def test_a_negative_total_has_a_true_minus(phone, scoring):
    phone.must(scoring, malus_counted(0, 5))

    assert phone.page(f"/t/{scoring}/?seat=0").part("total") == MINUS + "15"


def test_every_line_tells_its_rule(phone, scoring):
    text = phone.page(f"/t/{scoring}/?seat=0").part("line-spider-brou")

    assert text.endswith("4 points for each room with at least a spider and a brou.")


def test_a_game_that_is_only_scored_starts_at_the_scoring_page(phone, scoring):
    page = phone.page(f"/t/{scoring}/?seat=0")

    assert "Scoring: Ana" in page.text
    assert offered_types(page) == {"place_filled", "setup_corrected"}


def test_a_game_that_was_followed_brings_its_groups_and_malus_to_the_score_sheet(phone, code):
    step = {"type": "group_advanced", "player": 0, "steps": 3}
    phone.must(code, step, step, group_entered(0), {"type": "scoring_opened"})

    groups = sheet_of(phone.page(f"/t/{code}/?seat=0&place=groups"))
    malus = sheet_of(phone.page(f"/t/{code}/?seat=0&place=malus"))

    assert [groups.value(f"room{room}") for room in range(1, 6)] == ["1", "0", "0", "0", "1"]
    assert malus.value("tiles") == "1"


@pytest.mark.parametrize(
    ("step", "spiders", "brous"),
    [("spider+", 3, 1), ("spider-", 1, 1), ("brou+", 2, 2), ("brou-", 2, 0)],
)
def test_a_stepper_changes_one_number_and_keeps_the_others(phone, scoring, step, spiders, brous):
    phone.must(scoring, place_filled(0, spider=2, brou=1))
    form = sheet_of(phone.page(f"/t/{scoring}/?seat=0"))
    button = next(button for button in form.buttons if button.value == step)

    phone.submit(form, button)

    room = phone.journal(scoring).state.dungeons[0].monsters("room1")
    assert (room.spider, room.brou, room.total) == (spiders, brous, spiders + brous)


def test_a_stepper_steps_from_what_was_typed(phone, scoring):
    form = sheet_of(phone.page(f"/t/{scoring}/?seat=0"))
    button = next(button for button in form.buttons if button.value == "spider+")

    phone.submit(form, button, spider=4, vip=3)

    room = phone.journal(scoring).state.dungeons[0].monsters("room1")
    assert (room.spider, room.vip) == (5, 3)


def test_steppers_of_groups_and_malus_step_too(phone, scoring):
    for place, step in (("groups", "room4+"), ("malus", "tiles+")):
        form = sheet_of(phone.page(f"/t/{scoring}/?seat=0&place={place}"))
        phone.submit(form, next(button for button in form.buttons if button.value == step))

    dungeon = phone.journal(scoring).state.dungeons[0]
    assert dungeon.groups == (0, 0, 0, 1, 0)
    assert dungeon.malus == (1,)


def test_minus_on_an_empty_place_stays_at_nothing(phone, scoring):
    answer = phone.act(scoring, form="place", place="room1", spider="0", step="spider-")

    assert answer.json["ok"] is True
    assert phone.journal(scoring).state.dungeons[0].monsters("room1").spider == 0


def test_saving_a_place_leads_back_to_that_place(phone, scoring):
    form = sheet_of(phone.page(f"/t/{scoring}/?seat=0&place=room4"))

    answer = phone.submit(form, form.buttons[0], dragon=2)

    assert answer.location == f"/t/{scoring}/?seat=0&place=room4"
    assert phone.journal(scoring).state.dungeons[0].monsters("room4").dragon == 2


def walked_places(phone, code):
    """Follow the big button from the first place to the last; return the places it visits."""
    page, places = phone.page(f"/t/{code}/?seat=0"), []
    while page.primary_link is not None:
        places.append(page.primary_link.rpartition("place=")[2])
        page = phone.page(page.primary_link)
    return places


@pytest.mark.parametrize("objective", ["vampire-patrol", "vampire-posts"])
def test_corridors_are_asked_for_when_an_objective_counts_vampires_there(phone, objective):
    code = phone.create(mode="score", **{"option-vampire": objective})
    phone.sit(code, 0)

    corridor = phone.page(f"/t/{code}/?seat=0&place=corridor2")

    assert [place for place in walked_places(phone, code) if "corridor" in place] == [
        f"corridor{number}" for number in range(1, 6)
    ]
    before, _fold, after = corridor.text.partition("Others do not count here")
    assert "Vampire: one more" in before
    assert "Spider: one more" in after


@pytest.mark.parametrize("objective", ["vampire-crowd", "vampire-most"])
def test_corridors_are_not_asked_for_when_no_objective_counts_them(phone, objective):
    code = phone.create(mode="score", **{"option-vampire": objective})
    phone.sit(code, 0)

    corridor = phone.page(f"/t/{code}/?seat=0&place=corridor2")

    assert walked_places(phone, code) == ["room2", "room3", "room4", "room5", "groups", "malus"]
    assert "one more" not in corridor.text.partition("Others do not count here")[0]


def test_more_figures_than_the_box_holds_are_pointed_out(phone, scoring):
    phone.must(scoring, place_filled(0, "room1", brou=12), place_filled(0, "room2", brou=12))

    assert (
        "Brou: 24 written down, but the box holds only 20. Please check."
        in phone.page(f"/t/{scoring}/?seat=0").text
    )


def test_more_groups_than_the_box_holds_are_pointed_out(phone, scoring):
    phone.must(scoring, groups_counted(0, 20, 0, 0, 0, 0))
    phone.must(scoring, groups_counted(1, 9, 0, 0, 0, 0), seat=1)

    text = phone.page(f"/t/{scoring}/?seat=0").text

    assert "29 groups written down, but the box holds only 28. Please check." in text


def test_a_signed_sheet_says_who_is_still_counting(phone, scoring):
    phone.must(scoring, sheet_signed(0))

    text = phone.page(f"/t/{scoring}/?seat=0").text

    assert "Your sheet is complete." in text
    assert "Still counting: Ben" in text


def test_a_phone_with_two_seats_is_led_from_one_sheet_to_the_next(phone, scoring):
    page = phone.page(f"/t/{scoring}/?seat=0&place=malus")
    form = page.forms_to("/act")[-1]

    answer = phone.submit(form, form.buttons[0])

    assert answer.location == f"/t/{scoring}/?seat=1"


def test_an_unknown_place_shows_the_first_one(phone, scoring):
    form = sheet_of(phone.page(f"/t/{scoring}/?seat=0&place=%3Cattic%3E"))

    assert form.value("place") == "room1"


# The result


@pytest.fixture
def finished(phone, scoring):
    """A finished game: Ana 29, Ben -1."""
    phone.must(scoring, *DUNGEON)
    phone.must(scoring, malus_counted(1, 1), seat=1)
    phone.finish(scoring)
    return scoring


def test_the_result_has_the_ranking_and_every_line(phone, finished):
    page = phone.page(f"/t/{finished}/result")

    assert "Ana succeeds the guardian." in page.text
    assert f"Ranking winner Ana {TOTAL} 2 Ben {MINUS}1" in page.text
    assert page.tables[0] == [
        ["", "Ana", "Ben"],
        ["Spider + brou", "4", "0"],
        ["Brous by two", "4", "0"],
        ["6 vampires", "15", "0"],
        ["Dragons on gold", "6", "0"],
        ["Varied rooms", "7", "0"],
        ["Malus tiles", MINUS + "3", MINUS + "1"],
        ["Adventurers", MINUS + "4", "0"],
        ["Total", TOTAL, MINUS + "1"],
    ]


def test_the_result_ranks_the_best_first_whatever_their_seat(phone, scoring):
    phone.must(scoring, malus_counted(0, 1)).finish(scoring)

    page = phone.page(f"/t/{scoring}/result")

    assert page.tables[0][0] == ["", "Ben", "Ana"]
    assert page.tables[0][-1] == ["Total", "0", MINUS + "1"]


def test_the_result_hands_the_play_to_bg_stats(phone, finished):
    link = next(a for a in phone.page(f"/t/{finished}/result").links if "bgstats" in a)

    address, _mark, data = link.partition("?data=")
    play = json.loads(unquote(data))
    assert address == "https://app.bgstatsapp.com/createPlay.html"
    assert play["game"]["name"] == TITLE
    assert [(p["name"], p["score"], p["winner"], p["rank"]) for p in play["players"]] == [
        ("Ana", "29", True, 1),
        ("Ben", "-1", False, 2),
    ]
    assert finished not in unquote(link)


@pytest.mark.parametrize("address", ["/t/{code}/result.csv", "/results.csv"])
def test_the_result_is_a_table_for_spreadsheets(phone, finished, address):
    answer = phone.get(address.format(code=finished))

    rows = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))
    assert answer.mimetype == "text/csv"
    assert answer.data.startswith(b"\xef\xbb\xbf")
    assert [(row["player"], row["score"], row["rank"], row["winner"]) for row in rows] == [
        ("Ana", "29", "1", "1"),
        ("Ben", "-1", "2", "0"),
    ]


def test_the_table_of_a_game_under_way_is_empty(phone, code):
    assert len(phone.get(f"/t/{code}/result.csv").text.splitlines()) == 1


def test_the_picture_of_the_result_is_sound_xml_with_names_scores_and_lines(phone, finished):
    answer = phone.get(f"/t/{finished}/result.svg")

    root = ElementTree.fromstring(answer.data)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert answer.mimetype == "image/svg+xml"
    assert {"Ana succeeds the guardian.", "Ana", "Ben", TOTAL, MINUS + "1", "Varied rooms", TITLE} <= set(
        texts
    )
    assert root.get("width") == "720"


@pytest.mark.parametrize("path", ["result", "result.svg"])
def test_while_a_game_is_played_its_result_is_its_table(phone, code, path):
    answer = phone.get(f"/t/{code}/{path}")

    assert answer.status_code == 303
    assert answer.location == f"/t/{code}/?watch=1"


def test_in_a_tie_nobody_wins(phone, scoring):
    phone.finish(scoring)

    page = phone.page(f"/t/{scoring}/result")
    rows = list(csv.DictReader(io.StringIO(phone.get(f"/t/{scoring}/result.csv").text)))

    assert "A tie: nobody succeeds the guardian." in page.text
    assert "Ranking 1 Ana 0 1 Ben 0" in page.text
    assert "winner" not in page.text
    assert [(row["rank"], row["winner"]) for row in rows] == [("1", "0"), ("1", "0")]
    assert "A tie: nobody succeeds the guardian." in phone.page(f"/t/{scoring}/tv").text


def test_the_table_of_a_finished_game_is_its_result(phone, finished):
    answer = phone.get(f"/t/{finished}/?seat=1")

    assert answer.status_code == 303
    assert answer.location == f"/t/{finished}/result?seat=1"


def test_a_finished_game_moves_to_the_finished_ones_on_the_start_page(phone, finished):
    page = phone.page("/")

    assert "Go on playing" not in page.text
    assert "Finished games" in page.text
    assert f"/t/{finished}/result" in page.links


def test_a_reopened_sheet_brings_the_game_back_to_scoring(phone, finished):
    phone.must(finished, {"type": "sheet_reopened", "player": 1}, seat=1)

    assert phone.get(f"/t/{finished}/result").status_code == 303
    assert "Go on playing" in phone.page("/").text
