"""The pages of Dungeon Guilds: whole games by their buttons, secret choices, cards that are remembered."""

import json
import random
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.web.guilds_journey import (
    BOTTOM,
    ENDED,
    MIDDLE,
    NAMES,
    PLACING,
    RESOLVING,
    TOP,
    a_game,
    back,
    choose_all,
    dealt,
    disabled,
    placed,
    pushed,
    seated,
    written,
)
from tests.web.phone import FRENCH, Phone
from web.guilds.forms import read_form

MOST_PRESSES = 600
# What is there to put something right; a game goes on without.
ASIDE = ("HealingWritten", "MoneyWritten", "RoomCorrected")


def pressed(form, button, **changes):
    """Return the event that a button would send."""
    sent = {name: values[0] for name, values in form.sent_by(button, **changes).items()}
    return json.loads(sent["event"]) if "event" in sent else read_form(sent, int(sent["seat"]))


def form_called(page, name):
    return next(form for form in page.forms if form.value("form") == name)


def typed_dungeon(code, seat, rooms, rng):
    """Return the address that a page has when all backs were typed."""
    levels = sorted(rng.choice((1, 2, 3)) for _ in range(rooms))
    backs = [f"{level}.{level * 2 + 1}.{level * 2 + 3}.{level * 2}.{level * 3 + 1}" for level in levels]
    return f"/t/{code}/?seat={seat}&rooms={','.join(backs)}"


@pytest.mark.parametrize(
    ("seed", "players", "options"),
    [
        (1, 3, {}),
        (2, 4, {"teams": "two", "masters": "box"}),
        (3, 3, {"ghost": "yes", "masters": "counters"}),
    ],
)
def test_a_whole_game_can_be_played_by_pressing_what_the_pages_offer(app, seed, players, options):
    rng = random.Random(seed)
    code, phones = seated(app, players, **options)
    for _ in range(MOST_PRESSES):
        journal = phones[0].journal(code)
        if journal.outcome is not None:
            break
        press_something(phones, code, journal, rng)
    else:
        raise AssertionError("the game does not end")

    result = phones[1].page(f"/t/{code}/")
    for placing in journal.outcome.placings:
        assert journal.setup.players[placing.seat] in result.text
        assert placing.score == journal.state.books.of(placing.seat)
    assert "most money" in result.text or "strongest adventurer" in result.text or "share" in result.text


def press_something(phones, code, journal, rng):
    """Press a random button of a page that has one that goes on; all its buttons are allowed."""
    state, rules = journal.state, journal.rules
    seat = rng.randrange(len(phones)) if state.turn is None else state.turn
    address = f"/t/{code}/?seat={seat}"
    if state.phase == "dealing":
        address = typed_dungeon(code, seat, state.rooms_to_deal, rng)
    elif state.phase == "placing":
        address += f"&with={rng.choice(state.available(seat))}"
    page = phones[seat].page(address)
    assert page.notices == []
    changes = {}
    if state.phase == "disabling":
        one, other = rng.sample(range(1, 6), 2)
        changes = {f"strength-{one}": "on", f"strength-{other}": "on"}
    elif state.phase == "resolving":
        room = next(place.room for place in state.places if place.held is None)
        changes = {
            "defence": room.defence_low,
            "treasure": rng.choice((room.treasure_low, room.treasure_high)),
        }
    found = []
    for form in page.forms_to("/act"):
        mine = changes if form.value("form") in ("disable", "reveal") else {}
        for button in form.live_buttons:
            event = rules.codec.read(pressed(form, button, **mine))
            rules.apply(state, event)  # what is offered is allowed
            if type(event).__name__ not in ASIDE:
                found.append((form, button, mine))
    if not found:  # somebody who has chosen already
        assert state.chosen[seat] is not None
        return
    form, button, mine = rng.choice(found)
    assert phones[seat].submit(form, button, **mine).status_code == 303


# Secrets


def strangers_view(body, code):
    """Return a page without what differs by chance: codes, tokens, ids of taps, times, the drawn lot."""
    body = body.replace(code, "CODE")
    body = re.sub(r'name="(csrf_token|tap)" value="[^"]*"', "", body)
    return re.sub(r"\d\d:\d\d|T[\d:.+]+", "", body)


def everything(phone, code, seat):
    places = (f"?seat={seat}", "tv", "history/", "log.jsonl", "result", "?watch=1", f"?seat={1 - seat}")
    return "\n".join(strangers_view(phone.get(f"/t/{code}/{place}").text, code) for place in places)


def test_what_others_get_is_the_same_whatever_i_disable_until_all_have_chosen(app):
    bodies = []
    for mine in ((1, 2), (4, 5)):
        code, (ana, ben, caro) = seated(app, 3)
        ana.must(code, dealt("guardian"), disabled(0, *mine))
        seen = [everything(ben, code, 1), everything(Phone(app), code, 0)]
        ben.must(code, disabled(1, 2, 3), seat=1)
        bodies.append([*seen, everything(ben, code, 1)])
        caro.must(code, disabled(2), seat=2)
        assert f"Ana disables {mine[0]} and {mine[1]}" in ben.page(f"/t/{code}/?seat=1").text
    assert bodies[0] == bodies[1]


def test_my_own_choice_is_on_my_page_and_undo_takes_it_back(app):
    code, (ana, ben, _caro) = seated(app, 3)
    ana.must(code, dealt("guardian"), disabled(0, 4, 5))
    ben.must(code, disabled(1), seat=1)

    assert "You disable 4 and 5." in ana.page(f"/t/{code}/?seat=0").text
    undo = next(form for form in ana.page(f"/t/{code}/?seat=0").forms_to("/undo"))
    assert ana.submit(undo, undo.live_buttons[0]).status_code == 303
    assert ana.journal(code).state.chosen[0] is None
    assert ana.journal(code).state.chosen[1] == (1, 2)


def test_nobody_can_choose_for_another_seat(app):
    code, (ana, ben, _caro) = seated(app, 3)
    ana.must(code, dealt("guardian"))

    assert ben.act(code, disabled(0), seat=1).status_code == 403
    assert ben.act(code, disabled(0), seat=0).status_code == 403


def test_the_log_can_be_saved_when_the_game_is_over_and_not_before(app):
    code, (ana, *_others) = seated(app, 3, mode="score")
    ana.must(code, written(0, 1))
    assert ana.get(f"/t/{code}/log.jsonl").status_code == 409
    ana.must(code, {"type": "counting_ended"})
    assert ana.get(f"/t/{code}/log.jsonl").status_code == 200


def test_two_phones_may_choose_at_the_same_moment(app):
    code, (ana, ben, _caro) = seated(app, 3)
    ana.must(code, dealt("guardian"))
    seen = ana.version(code)

    assert ana.act(code, disabled(0), seat=0, seen=seen).status_code == 200
    assert ben.act(code, disabled(1), seat=1, seen=seen).status_code == 200


# Dealing


def test_rooms_are_typed_one_by_one_and_dealt_from_the_top(app):
    phone = Phone(app)
    code = a_game(phone)
    phone.sit(code, 0)
    typing = {"defence_low": 7, "defence_high": 10, "treasure_low": 9, "treasure_high": 6}
    query = "&".join(f"{field}={value}" for field, value in typing.items())

    page = phone.page(f"/t/{code}/?seat=0&rooms=2.5.8.4.7,1.3.5.2.4&level=3&{query}")
    form = form_called(page, "deal")
    assert (
        phone.submit(form, form.live_buttons[0] if form.live_buttons else None, master="beholder").status_code
        == 303
    )

    state = phone.journal(code).state
    assert [place.room.level for place in state.places] == [1, 2, 3]
    assert (state.places[2].room.treasure_low, state.places[2].room.treasure_high) == (6, 9)
    assert state.master == "beholder"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("level=1&defence_low=3", "A room needs its level and all four numbers of its back."),
        ("level=4&defence_low=1&defence_high=2&treasure_low=1&treasure_high=2", "level 1, 2 or 3"),
        ("level=1&defence_low=1&defence_high=99&treasure_low=1&treasure_high=2", "20 at most"),
        ("level=1&defence_low=1&defence_high=2&treasure_low=1&treasure_high=99", "40 at most"),
    ],
)
def test_a_room_that_cannot_be_is_said_and_not_added(app, query, words):
    phone = Phone(app)
    code = a_game(phone)
    phone.sit(code, 0)

    page = phone.page(f"/t/{code}/?seat=0&{query}")

    assert words in page.text
    assert "3 rooms are missing" in page.text


@pytest.mark.parametrize(
    "rooms",
    ["x", "1.2", "9.9.9.9.9", "1.3.5.2.4," * 200, "\u0661.\u0662.\u0663.\u0664.\u0665", ",,,", "1.-3.5.2.4"],
)
def test_an_address_that_anybody_could_write_breaks_nothing(app, rooms):
    phone = Phone(app)
    code = a_game(phone)
    phone.sit(code, 0)

    assert phone.client.get(f"/t/{code}/", query_string={"seat": 0, "rooms": rooms}).status_code == 200


def test_cards_that_were_seen_are_offered_in_the_next_game(app):
    code, (ana, *_others) = seated(app, 3)
    ana.must(code, dealt("red-dragon"))
    choose_all([ana, *_others], code)
    ana.must(code, *PLACING, *RESOLVING)

    later, (ana, *others) = seated(app, 3)
    page = ana.page(f"/t/{later}/?seat=0")
    links = [
        dict(attrs)["href"]
        for tag, attrs in page.tags
        if tag == "a" and "rooms=" in dict(attrs).get("href", "")
    ]
    assert [parse_qs(urlsplit(link).query)["rooms"] for link in links] == [
        ["1.3.5.2.4"],
        ["2.5.8.4.7"],
        ["3.7.10.6.9"],
    ]
    ana.must(later, dealt("red-dragon"))
    choose_all([ana, *others], later)
    ana.must(later, *PLACING)
    page = ana.page(f"/t/{later}/?seat=0")
    offered = [
        pressed(form, button)
        for form in page.forms_to("/act")
        for button in form.live_buttons
        if button.name == "event"
    ]
    assert {
        "type": "room_revealed",
        "room": TOP,
        "front": {"defence": 4, "treasure": 3, "monster": "Orc"},
    } in offered
    assert "Orc" in page.text


def test_healing_that_was_checked_once_is_known_in_the_next_game(app):
    phone = Phone(app)
    code = a_game(phone)
    phone.sit(code, 0)
    assert "not checked yet" in phone.page(f"/t/{code}/?seat=0").text
    form = form_called(phone.page(f"/t/{code}/?seat=0"), "healing")
    costs = {f"cost-{strength}": strength for strength in range(1, 6)}
    assert phone.submit(form, form.live_buttons[0], **costs).status_code == 303

    later = a_game(phone)
    phone.sit(later, 0)

    assert phone.journal(later).state.healing == (1, 2, 3, 4, 5)
    assert "not checked yet" not in phone.page(f"/t/{later}/?seat=0").text


# Placing


def test_every_place_says_what_it_needs_costs_and_brings(app):
    code, phones = seated(app, 3)
    ana = phones[0]
    ana.must(code, dealt("beholder"))
    choose_all(phones, code)
    ana.must(code, placed(0, 3, 1), placed(1, 3, 1))
    page = phones[2].page(f"/t/{code}/?seat=2&with=5")

    assert "Needs 3 to 5 more." in page.text  # the empty room at the top
    assert "May be up to 2 too weak." in page.text  # 3 and 3 against 5 to 8
    assert "Push Ana's 3 out" in page.text and "Push Ben's 3 out" in page.text
    assert "\u2212$2" in page.text  # level 2: 1 to the bank and 1 to the owner
    assert "Won: $2 to $7." in page.text  # the beholder's 2 to 4 and 3, half of it or both places
    assert "Failed: healing $3." in page.text


def test_others_may_tap_for_somebody_without_a_phone_at_hand(app):
    code, phones = seated(app, 3)
    phones[0].must(code, dealt("beholder"))
    choose_all(phones, code)

    quiet = phones[1].page(f"/t/{code}/?seat=1")
    assert not any(
        "adventurer_placed" in (button.value or "") for form in quiet.forms for button in form.live_buttons
    )
    loud = phones[1].page(f"/t/{code}/?seat=1&for=1")
    form, button = next(
        (form, button)
        for form in loud.forms
        for button in form.live_buttons
        if "adventurer_placed" in (button.value or "")
    )
    assert phones[1].submit(form, button).status_code == 303
    assert phones[1].journal(code).state.placed(0) == (5,)


def test_a_player_who_is_pushed_out_sees_whose_turn_it_is_and_the_money(app):
    code, phones = seated(app, 3)
    phones[0].must(code, dealt("beholder"))
    choose_all(phones, code)
    phones[0].must(code, placed(0, 3, 1), placed(1, 3, 1), placed(2, 3, 2), pushed(2, 4, 1, 0, 3))

    text = phones[0].page(f"/t/{code}/?seat=0").text
    assert "Caro pushes Ana's 3 out of room 2 with 4: $1 to the bank and $1 to the owner." in text
    assert "Ben's turn" in text and "then Ana, Ana" in text
    assert [phones[0].journal(code).state.books.of(seat) for seat in range(3)] == [5, 4, 2]


# Resolution, money, end


def test_the_round_is_explained_and_paid(app):
    code, phones = seated(app, 3)
    ana = phones[0]
    ana.must(code, dealt("guardian"))
    choose_all(phones, code)
    ana.must(code, *PLACING)
    form = form_called(ana.page(f"/t/{code}/?seat=0"), "reveal")
    assert ana.submit(form, None, defence=4, treasure=3, monster=" Big  Orc ").status_code == 303
    assert "Room 1 is won: strength 9 against defence 4. Ana gets $3." in ana.page(f"/t/{code}/").text
    ana.must(code, *RESOLVING[1:])
    page = ana.page(f"/t/{code}/?seat=0")
    assert "Big Orc" in page.text

    assert "Room 3 fails: strength 8 against defence 10." in page.text
    assert "heals for $5" in page.text  # Ben's 5 costs 3, and 2 more because of the guardian
    ana.must(code, ENDED)
    assert ana.journal(code).state.places == ()
    assert "Round 2 of 3" in ana.page(f"/t/{code}/").text


def test_only_money_is_kept_by_one_form_with_undo(app):
    phone = Phone(app)
    code = a_game(phone, mode="score")
    phone.sit(code, 0)
    form = form_called(phone.page(f"/t/{code}/?seat=0"), "money")
    phone.submit(form, None, who=1, amount=7, way="in", reason="treasure", note="the dragon's")
    phone.submit(
        form_called(phone.page(f"/t/{code}/?seat=0"), "money"),
        None,
        who=1,
        amount=99,
        way="out",
        reason="healing",
    )

    text = phone.page(f"/t/{code}/?seat=0").text
    assert "Ben pays $9: Healing." in text
    history = phone.page(f"/t/{code}/history/").text
    assert "Ben gets $7: the dragon's." in history
    assert phone.journal(code).state.books.of(1) == 0
    phone.steer(code, "undo", target=2)
    assert phone.journal(code).state.books.of(1) == 9


def test_a_tie_of_money_is_asked_about_and_broken(app):
    phone = Phone(app)
    code = a_game(phone, mode="score")
    phone.sit(code, 0)
    form = form_called(phone.page(f"/t/{code}/?seat=0"), "end")
    assert phone.submit(form, None, **{"unplaced-0": 3, "unplaced-1": 5, "unplaced-2": 5}).status_code == 303

    text = phone.page(f"/t/{code}/").text
    assert "Ben and Caro: $2, and the strongest adventurer that was not placed" in text


def test_teams_see_what_they_have_together(app):
    code, phones = seated(app, 4, teams="two")
    phones[0].must(code, written(2, 5))

    text = phones[0].page(f"/t/{code}/?seat=0").text
    assert text.count("Team 1: $9") == 2 and text.count("Team 2: $4") == 2


def test_a_finished_game_is_kept_as_csv_with_everybodys_money(app):
    phone = Phone(app)
    code = a_game(phone, mode="score")
    phone.sit(code, 0).must(code, written(2, 5), {"type": "counting_ended"})

    table = phone.get(f"/t/{code}/result.csv").text
    assert "Caro" in table and "7" in table and "Dungeon Guilds" in table


@pytest.mark.parametrize(
    "fields",
    [
        {"form": "deal", "rooms": ""},
        {"form": "deal", "rooms": "1.3.5.2.4,1.3.5.2.4,1.3.5.2.4", "master": "nobody"},
        {"form": "deal", "rooms": "1.3.5.2.4,1.3.5.2.4,1.3.5.2.4"},
        {"form": "disable", "strength-1": "on", "strength-2": "on"},
        {"form": "healing", "cost-1": "many"},
        {"form": "healing", "cost-1": "10"},
        {"form": "room", "place": "0"},
        {"form": "reveal", "room": "", "defence": "3", "treasure": "3"},
        {"form": "money", "who": "7", "amount": "3"},
        {"form": "money", "who": "0", "amount": "3", "reason": "theft"},
        {"form": "money", "who": "0", "amount": "0"},
        {"form": "money", "who": "0", "amount": "3", "note": "x" * 41},
        {"form": "end"},
        {"form": "flight"},
    ],
)
def test_a_form_that_makes_no_sense_is_refused_in_words(app, fields):
    phone = Phone(app)
    code = a_game(phone)
    phone.sit(code, 0)
    answer = phone.act(code, **fields)

    assert answer.status_code in (400, 409)
    assert answer.json["error"]
    assert phone.version(code) == 0


@pytest.mark.parametrize(
    ("players", "options", "words"),
    [
        (3, {"teams": "two"}, "Two teams need 4 or 6 players."),
        (4, {"teams": "three"}, "Three teams need 6 players."),
        (6, {"ghost": "yes"}, "The ghost plays with 3 to 5 players."),
    ],
)
def test_a_table_that_cannot_be_is_refused_at_the_set_up(app, players, options, words):
    chosen = {f"option-{key}": value for key, value in options.items()}
    answer = Phone(app).post("/new/guilds", {"player": list(NAMES[:players]), **chosen})

    assert answer.status_code == 400
    assert words in answer.text


def test_money_is_written_the_french_way(app):
    phone = Phone(app, FRENCH)
    code = a_game(phone)
    phone.sit(code, 0)

    assert "2\u00a0$" in phone.page(f"/t/{code}/?seat=0").source


def test_a_room_typed_wrong_is_corrected_while_adventurers_stay(app):
    code, phones = seated(app, 3)
    phones[0].must(code, dealt("beholder", (TOP, MIDDLE, BOTTOM)))
    choose_all(phones, code)
    phones[0].must(code, placed(0, 5, 0))
    form = form_called(phones[1].page(f"/t/{code}/?seat=1"), "room")
    right = back(1, (4, 6))
    assert phones[1].submit(form, form.live_buttons[0], **right).status_code == 303

    place = phones[0].journal(code).state.places[0]
    assert (place.room.defence_low, place.room.defence_high, place.strength) == (4, 6, 5)
