"""The pages of the Welcome games: a whole game by their buttons, secrets, odds, tiles that are corrected."""

import io
import json
import random
import re
from dataclasses import replace

import pytest

from companion.errors import CompanionError
from companion.welcome.odds.entering import entry_odds
from companion.welcome.odds.question import Cards
from companion.welcome.tiles import heroes, printed_tiles
from tests.web.phone import FRENCH, Phone
from tests.web.welcome_journey import (
    CRYPT,
    ENDED,
    a_game,
    added,
    aside,
    chosen,
    passed,
    seated,
    skipped,
    turned,
)
from web.welcome.forms import read_form

MOST_PRESSES = 400


def pressed(form, button):
    """Return the event that a button would send."""
    sent = {name: values[0] for name, values in form.sent_by(button).items()}
    return json.loads(sent["event"]) if "event" in sent else read_form(sent, int(sent["seat"]))


def offers(page):
    return [(form, button) for form in page.forms_to("/act") for button in form.live_buttons]


@pytest.mark.parametrize(("game", "seed"), [("welcome", 1), ("welcome-back", 2), ("welcome-back", 3)])
def test_a_whole_game_can_be_played_by_pressing_what_the_pages_offer(app, game, seed):
    rng = random.Random(seed)
    code, phones = seated(app, 3, game=game, hero="draw", special_1="draw", special_2="draw")
    for _ in range(MOST_PRESSES):
        journal = phones[0].journal(code)
        if journal.outcome is not None:
            break
        seat = rng.choice((journal.state.turn, rng.randrange(3)))
        page = phones[seat].page(f"/t/{code}/?seat={seat}")
        assert page.notices == []
        found = []
        for form, button in offers(page):
            event = journal.rules.codec.read(pressed(form, button))
            journal.rules.apply(journal.state, event)  # what is offered is allowed
            found.append((form, button, type(event).__name__))
        found = [offer for offer in found if offer[2] not in ("CardsNoted", "BiddingSkipped")]
        if journal.state.phase == "delving" and journal.state.delve.position < journal.state.bids.in_dungeon:
            found = [offer for offer in found if offer[2] != "DelveEnded"] or found
        form, button, _kind = rng.choice(found)
        assert phones[seat].submit(form, button).status_code == 303
    else:
        raise AssertionError("the game does not end")

    result = phones[1].page(f"/t/{code}/")
    winner = next(placing for placing in journal.outcome.placings if placing.winner)
    assert journal.setup.players[winner.seat] in result.text
    assert "survived a second dungeon" in result.text or "is the last one standing" in result.text


def strangers_view(body, code):
    """Return a page without what differs by chance: codes, tokens, ids of taps, times, the drawn lot."""
    body = body.replace(code, "CODE")
    body = re.sub(r'name="(csrf_token|tap)" value="[^"]*"', "", body)
    body = re.sub(r"adventurer_chosen[^>]*>", "", body)
    body = re.sub(r'"action": "[^"]*"', "", body)
    return re.sub(r"\d\d:\d\d|T[\d:.+]+", "", body)


def everything(phone, code, seat):
    places = (f"?seat={seat}", "tv", "history/", "log.jsonl", "tiles/", "result", "?watch=1")
    return "\n".join(strangers_view(phone.get(f"/t/{code}/{place}").text, code) for place in places)


def test_what_others_get_is_the_same_whether_i_note_my_cards_or_not(app):
    """Two games with the same moves; in one of them Ana and Ben write down what they drew."""
    bodies = []
    for noting in (True, False):
        code, (ana, ben, caro) = seated(app, 3)
        seen = []
        moves = [
            (ana, 0, added(0, "dragon" if noting else None)),
            (ben, 1, aside(1, "torch", "lich" if noting else None)),
            (caro, 2, passed(2)),
            (ana, 0, added(0, "demon" if noting else None)),
            (ben, 1, passed(1)),
            (ana, 0, turned("dragon")),
        ]
        for phone, seat, event in moves:
            phone.must(code, event, seat=seat)
            seen.append(everything(caro, code, 2))
        bodies.append(seen)

    assert bodies[0] == bodies[1]


def test_my_notes_are_on_my_page_and_on_no_other(app):
    code, (ana, ben, _caro) = seated(app, 3)
    ana.must(code, added(0, "dragon"))
    ana.must(code, {"type": "cards_noted", "player": 0, "dungeon": ["dragon", "lich"], "aside": ["orc"]})

    assert "Dragon in the dungeon" in ana.page(f"/t/{code}/?seat=0").part("notes")
    assert "Orc set aside" in ana.page(f"/t/{code}/?seat=0").part("notes")
    for phone in (ben, Phone(app)):
        page = phone.page(f"/t/{code}/?watch=1")
        assert "drop-" not in page.source
        assert all(form.value("dungeon") in (None, "") for form in page.forms)


def test_nobody_can_write_down_cards_for_another_seat(app):
    code, (_ana, ben, _caro) = seated(app, 3)

    for event in (added(0, "dragon"), {"type": "cards_noted", "player": 0, "dungeon": ["dragon"]}):
        assert ben.act(code, event, seat=1).status_code in (403, 409)
    assert ben.act(code, added(0), seat=1).status_code == 200


def test_a_saved_file_has_no_notes_and_can_be_opened(app):
    code, (ana, ben, _caro) = seated(app, 3)
    ana.must(code, added(0, "dragon"), {"type": "cards_noted", "player": 0, "dungeon": ["lich"]})
    saved = ben.get(f"/t/{code}/log.jsonl")

    assert saved.status_code == 200
    assert "dragon" not in saved.text and "lich" not in saved.text
    answer = ben.post("/import", {"file": (io.BytesIO(saved.data), "game.jsonl")})
    assert answer.status_code == 303
    copy = ben.journal(answer.location.split("/")[2])
    assert copy.state.bids == ben.journal(code).state.bids


# Odds


def shown_odds(page):
    return re.findall(r'class="ring[^>]*aria-label="([^"]*)"', page.source)


def test_the_ring_shows_the_odds_that_i_can_know(app):
    code, (ana, ben, _caro) = seated(app, 3, special_1="none", special_2="none")
    ana.must(code, added(0, "dragon"))
    ben.must(code, added(1), seat=1)
    tiles, left = printed_tiles(), heroes()["barbarian"].tiles

    def percent(known, unknown):
        odds = entry_odds("barbarian", left, tiles, Cards(known, (), unknown, ())).survive
        return f"{round(odds * 100)}%".replace("100%", ">99%" if odds < 1 else "100%")

    mine = ana.page(f"/t/{code}/?seat=0")
    assert shown_odds(mine) == [percent(("dragon",), 1)]
    assert shown_odds(ben.page(f"/t/{code}/?seat=1")) == [percent((), 2)]
    assert shown_odds(ben.page(f"/t/{code}/tv")) == []


def test_the_card_i_drew_brings_odds_for_every_option(app):
    code, (ana, ben, _caro) = seated(app, 3)
    page = ana.page(f"/t/{code}/?seat=0&drew=dragon&in=1-0")

    offered = [pressed(form, button) for form, button in offers(page)]
    told = [event for event in offered if event.get("card") == "dragon"]
    assert [event["type"] for event in told] == ["monster_added"] + ["monster_set_aside"] * 6
    assert "You drew: Dragon" in page.text
    assert len(re.findall(r"\d+%", page.text)) >= 8
    stranger = ben.page(f"/t/{code}/?seat=1&drew=dragon&in=1-0")
    assert "You drew" not in stranger.text


@pytest.mark.parametrize(
    "query", ["drew=dragon", "drew=dragon&in=9-9", "drew=unicorn&in=1-0", "drew=fairy&in=1-0"]
)
def test_an_old_or_wrong_address_names_no_card(app, query):
    code, (ana, *_others) = seated(app, 3)

    assert "You drew" not in ana.page(f"/t/{code}/?seat=0&{query}").text


def test_in_the_dungeon_every_choice_has_its_odds_and_the_best_is_marked(app):
    code, (ana, *_others) = seated(app, 3, hero="barbarian")
    ana.must(code, skipped(0, ["vorpal-axe", "chainmail"], 3), turned("lich"))
    page = ana.page(f"/t/{code}/?seat=0")

    events = [pressed(form, button)["type"] for form, button in offers(page)]
    assert events[:2] == ["tile_used", "hit_taken"]
    assert len(re.findall(r"<b>[<>]?\d+%</b>", page.source)) == 2
    assert "best" in page.text


def test_notes_that_cannot_be_true_are_left_out_and_said(app):
    code, (ana, *_others) = seated(app, 3)
    ana.must(code, {"type": "cards_noted", "player": 0, "dungeon": ["dragon", "lich"]})

    page = ana.page(f"/t/{code}/?seat=0")
    assert "do not fit" in page.text
    assert shown_odds(page) == ["100%"]  # nothing is in the dungeon


def test_notes_are_added_and_taken_out_by_the_form(app):
    code, (ana, *_others) = seated(app, 3)
    ana.must(code, added(0), seat=0)

    def form():
        return next(f for f in ana.page(f"/t/{code}/?seat=0").forms if f.value("form") == "note")

    def press(value, **changes):
        button = next(b for b in form().live_buttons if b.value == value)
        assert ana.submit(form(), button, **changes).status_code == 303

    press("dungeon", monster="orc")
    press("aside", monster="lich")
    assert ana.journal(code).state.notes[0].dungeon == ("orc",)
    press("drop-dungeon-orc")
    assert ana.journal(code).state.notes[0].dungeon == ()
    assert ana.journal(code).state.notes[0].aside == ("lich",)


# Tiles


def tile_form(phone, code, tile):
    return next(f for f in phone.page(f"/t/{code}/tiles/{tile}?seat=0").forms if f.value("form") == "tile")


@pytest.mark.parametrize("tile", sorted(printed_tiles()))
def test_a_tile_that_is_saved_as_it_is_shown_stays_what_it_was(app, tile):
    phone = Phone(app)
    code = a_game(phone)
    phone.sit(code, 0)
    form = tile_form(phone, code, tile)

    assert phone.submit(form, form.live_buttons[0]).status_code == 303

    saved = phone.journal(code).state.tiles[tile]
    assert saved == replace(printed_tiles()[tile], sure=True)


def test_a_written_tile_is_there_in_the_next_game(app):
    phone = Phone(app)
    code = a_game(phone, hero="necromancer")
    phone.sit(code, 0)
    form = tile_form(phone, code, "sixth-tile")
    phone.submit(form, form.live_buttons[0], en="Crypt", fr="Crypte", hp=4)

    later = a_game(phone, game="welcome", hero="choose")

    assert phone.journal(later).state.tiles["sixth-tile"].hp == 4
    assert "Crypt" in phone.page(f"/t/{later}/tiles/").text
    assert "Crypte" in Phone(app, FRENCH).page(f"/t/{later}/tiles/").text


def test_a_correction_that_was_undone_is_not_kept(app):
    phone = Phone(app)
    code = a_game(phone)
    phone.sit(code, 0)
    phone.must(code, {"type": "tile_written", "tile": CRYPT})
    phone.steer(code, "undo", target=1)

    assert phone.journal(a_game(phone)).state.corrected == ()


def test_uncertain_tiles_are_marked_and_every_tile_and_monster_is_explained(app):
    phone = Phone(app)
    code = a_game(phone)
    page = phone.page(f"/t/{code}/tiles/")

    unsure = [tile for tile in printed_tiles().values() if not tile.sure]
    assert page.source.count('class="unsure"') == len(unsure)
    for words in (
        "Ignores" not in page.text,
        "You ignore even monsters.",
        "Strength 9. There is one of them.",
    ):
        assert words is True or words in page.text
    assert "What it does is not known" in page.text


def test_a_game_of_another_kind_has_no_tiles(app, phone):
    code = phone.create()

    assert phone.get(f"/t/{code}/tiles/").status_code == 404
    assert phone.get(f"/t/{a_game(phone)}/tiles/excalibur").status_code == 404


@pytest.mark.parametrize(
    "fields",
    [
        {"form": "tile", "tile": "torch", "en": "Torch", "fr": "Torche", "hp": "many"},
        {"form": "tile", "tile": "excalibur", "en": "A", "fr": "B"},
        {"form": "tile", "tile": "torch"},
        {"form": "tile", "tile": "torch", "en": "A", "fr": "B", "use": "sometimes"},
        {"form": "note", "what": "fly"},
        {"form": "note", "what": "dungeon", "monster": "unicorn"},
        {"form": "skip", "delver": "9", "cards": "3"},
        {"form": "skip", "delver": "0", "cards": "99"},
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


def test_the_first_success_and_the_red_card_are_on_every_phone(app):
    code, phones = seated(app, 3)
    phones[0].must(
        code, skipped(1, [], 1), turned("dragon"), ENDED, chosen("rogue"), skipped(2, [], 0), ENDED
    )

    for phone in phones:
        text = phone.page(f"/t/{code}/?watch=1").text
        assert "Caro survives and takes a success card." in text
        assert "red" in text


def test_rules_errors_are_told_and_change_nothing(app):
    code, (ana, *_others) = seated(app, 3)
    with pytest.raises(CompanionError):
        ana.journal(code).rules.apply(ana.journal(code).state, ana.journal(code).rules.codec.read(added(1)))

    answer = ana.act(code, added(1))

    assert answer.status_code == 409
    assert "Ana's turn" in answer.json["error"]
