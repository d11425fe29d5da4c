"""What cannot be is refused with a sentence; what was misread can be corrected."""

from dataclasses import replace

import pytest

from companion.errors import BadData, IllegalEvent
from companion.guilds import RULES
from companion.guilds.cards import Front, Master, Room
from companion.guilds.events import (
    CODEC,
    AdventurerPlaced,
    AdventurerPushed,
    AdventurerReplaced,
    AdventurersDisabled,
    CountingEnded,
    HealingWritten,
    MoneyWritten,
    RoomCorrected,
    RoomRevealed,
    RoomsDealt,
    RoundEnded,
)
from companion.guilds.money import Reason
from companion.guilds.state import Piece
from tests.companion.guilds.tables import (
    a_dungeon,
    a_room,
    a_round,
    a_start,
    a_table,
    after,
    all_placed,
    chosen,
    dealt,
    inside,
    money_of,
    push,
    revealed,
)

ROOMS = tuple(a_room(level) for level in (1, 2, 3))
FULL = ((0, 5), (1, 3)), ((1, 4), (2, 3)), ((2, 4), (0, 3))


def at(phase):
    """Return a table of three in some phase."""
    return {
        "dealing": lambda: a_start(masters="counters"),
        "disabling": lambda: dealt(a_start(masters="counters")),
        "placing": a_table,
        "resolving": lambda: a_dungeon(*FULL),
        "cleanup": lambda: revealed(a_dungeon(*FULL), (20, 0)),
        "counting": lambda: a_start(mode="score"),
        "finished": lambda: after(a_start(mode="score"), CountingEnded()),
    }[phase]()


PHASES = ("dealing", "disabling", "placing", "resolving", "cleanup", "counting", "finished")
BELONG = {
    RoomsDealt(ROOMS): {"dealing"},
    RoomCorrected(0, a_room(1, (1, 2))): {"disabling", "placing", "resolving"},
    AdventurersDisabled(0, (1, 2)): {"disabling"},
    AdventurerPlaced(0, 3, 0): {"placing"},
    AdventurerPushed(0, 3, 0, Piece(1, 2)): set(),
    AdventurerReplaced(0, 3, 0, 2): set(),
    RoomRevealed(ROOMS[0], Front(3, 3)): {"resolving"},
    RoundEnded(): {"cleanup"},
    CountingEnded(): {"counting"},
    MoneyWritten(0, 1): set(PHASES) - {"finished"},
}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("event", BELONG, ids=lambda event: type(event).__name__)
def test_every_event_has_its_time(event, phase):
    table = at(phase)
    assert table.phase == phase

    if phase in BELONG[event]:
        assert after(table, event) != table
        return
    with pytest.raises(IllegalEvent) as refused:
        after(table, event)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("seat", [-1, 3, 1000])
@pytest.mark.parametrize(
    ("phase", "event"),
    [
        ("disabling", AdventurersDisabled(0, (1, 2))),
        ("placing", AdventurerPlaced(0, 3, 0)),
        ("placing", AdventurerPushed(0, 3, 0, Piece(1, 2))),
        ("placing", AdventurerReplaced(0, 3, 0, 2)),
        ("placing", MoneyWritten(0, 1)),
        ("counting", MoneyWritten(0, 1)),
    ],
)
def test_there_is_no_such_player(seat, phase, event):
    with pytest.raises(IllegalEvent, match="There is no such player"):
        after(at(phase), replace(event, player=seat))


@pytest.mark.parametrize("pair", [(), (1,), (1, 2, 3), (3, 3), (0, 1), (5, 6), (-1, 2)])
def test_two_different_adventurers_are_disabled(pair):
    with pytest.raises(IllegalEvent, match="Two different adventurers"):
        after(at("disabling"), AdventurersDisabled(0, pair))


@pytest.mark.parametrize("phase", PHASES[:-1])
def test_what_is_offered_can_be_done(phase):
    table = at(phase)

    for seat in range(3):
        for event in RULES.legal(table, seat):
            assert RULES.apply(table, CODEC.read(CODEC.write(event)))


def test_nothing_is_offered_when_the_game_is_over():
    assert RULES.legal(at("finished"), 0) == ()


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"type": "monster_added"},
        {"type": "round_ended", "player": 0},
        {"type": "adventurer_placed", "player": 0, "strength": 3},
        {"type": "adventurer_placed", "player": True, "strength": 3, "place": 0},
        {"type": "adventurer_placed", "player": 0, "strength": "3", "place": 0},
        {"type": "adventurer_placed", "player": 0, "strength": 3.0, "place": 0},
        {"type": "adventurer_pushed", "player": 0, "strength": 3, "place": 0, "pushed": 2},
        {"type": "adventurer_pushed", "player": 0, "strength": 3, "place": 0, "pushed": {"owner": 0}},
        {"type": "adventurers_disabled", "player": 0, "strengths": 12},
        {"type": "rooms_dealt", "rooms": [[1, 2, 3, 4, 5]]},
        {"type": "rooms_dealt", "rooms": [], "master": "dragon"},
        {"type": "money_written", "player": 0, "amount": 1, "reason": "bribe"},
        {"type": "money_written", "player": 0, "amount": 10_000_000},
        {"type": "healing_written", "costs": [1, 2, None, 4, 5]},
    ],
)
def test_what_has_no_known_form_is_not_read(data):
    with pytest.raises(BadData):
        CODEC.read(data)


# Healing


@pytest.mark.parametrize(
    "costs", [(), (1, 1, 2, 2), (1, 1, 2, 2, 3, 3), (1, 1, 2, 2, -1), (1, 1, 2, 2, 10)], ids=str
)
def test_a_healing_table_has_five_numbers(costs):
    with pytest.raises(IllegalEvent, match="five numbers from 0 to 9"):
        after(a_start(), HealingWritten(costs))


def test_healing_is_unchecked_until_somebody_looked_at_the_cards():
    table = a_start()
    assert (table.healing, table.healing_checked) == ((1, 1, 2, 2, 3), False)

    table = after(table, HealingWritten((0, 1, 2, 3, 9)))
    assert (table.healing, table.healing_checked) == ((0, 1, 2, 3, 9), True)


def test_corrected_healing_counts_in_the_next_cleanup():
    table = after(revealed(a_dungeon(*FULL), (20, 0)), HealingWritten((1, 1, 1, 1, 1)), RoundEnded())

    assert money_of(table) == (8, 8, 8)


def test_corrected_healing_corrects_what_everybody_got_for_the_disabled_ones():
    table = a_table(3, disabled=((1, 2), (4, 5), (1, 5)), money=(4, 7, 1))

    assert money_of(after(table, HealingWritten((2, 2, 2, 2, 2)))) == (6, 6, 1)
    assert money_of(after(table, HealingWritten((0, 0, 0, 0, 0)))) == (2, 2, 0)


def test_healing_is_not_asked_for_where_only_money_is_kept():
    with pytest.raises(IllegalEvent, match="only the money is kept"):
        after(a_start(mode="score"), HealingWritten((1, 1, 1, 1, 1)))


# Correcting a room


def test_a_corrected_room_is_closed_by_its_new_range():
    table = after(a_table(), AdventurerPlaced(0, 3, 0), AdventurerPlaced(1, 4, 0))
    assert push(2, 5, 0, 0, 3) in RULES.legal(table, 2)

    closed = after(table, RoomCorrected(0, a_room(1, (3, 7))))
    assert closed.places[0].is_closed and inside(closed, 0) == inside(table, 0)
    assert push(2, 5, 0, 0, 3) not in RULES.legal(closed, 2)
    opened = after(closed, RoomCorrected(0, a_room(1, (3, 8))))
    assert push(2, 5, 0, 0, 3) in RULES.legal(opened, 2)


def test_a_corrected_room_can_be_revealed_with_a_front_of_its_new_range():
    table = all_placed(a_table(3, *(a_room(level, (3, 4), (1, 2)) for level in (1, 2, 3))))
    with pytest.raises(IllegalEvent, match="defence from 3 to 4"):
        revealed(table, (5, 2))

    table = after(table, RoomCorrected(0, a_room(1, (3, 5), (1, 2))))
    assert revealed(table, (5, 2)).places[0].held


def test_rooms_further_below_can_be_corrected_while_others_are_revealed():
    table = after(revealed(a_dungeon(*FULL), (0, 0)), RoomCorrected(2, a_room(3, (1, 2), (3, 4))))

    assert table.places[2].room == a_room(3, (1, 2), (3, 4))


@pytest.mark.parametrize(
    ("place", "room", "words"),
    [
        (-1, a_room(1), "no such room"),
        (3, a_room(1), "no such room"),
        (0, a_room(2), "level of a room stays"),
        (0, Room(1, 5, 4, 0, 1), "defence goes from"),
        (0, Room(1, 0, 4, 2, 1), "treasure goes from"),
    ],
)
def test_a_correction_that_cannot_be_is_refused(place, room, words):
    with pytest.raises(IllegalEvent, match=words):
        after(a_table(), RoomCorrected(place, room))


def test_a_revealed_room_is_not_corrected():
    table = revealed(a_dungeon(*FULL), (0, 0))

    with pytest.raises(IllegalEvent, match="has been revealed"):
        after(table, RoomCorrected(0, a_room(1, (1, 2))))


def test_between_rounds_there_is_no_room_to_correct():
    with pytest.raises(IllegalEvent, match="no such room"):
        after(a_round(a_start(masters="counters")), RoomCorrected(0, a_room(1, (1, 2))))


# Words


def test_reasons_and_masters_are_read_as_they_are_written():
    for reason in Reason:
        event = MoneyWritten(1, 2, reason, "pizza")
        assert CODEC.read(CODEC.write(event)) == event
    for master in (*Master, None):
        event = RoomsDealt(ROOMS, master)
        assert CODEC.read(CODEC.write(event)) == event


def test_all_phases_are_told_in_sentences():
    for phase in PHASES[:-1]:
        before = at(phase)
        for event in RULES.legal(before, 0):
            words = [str(one) for one in RULES.tell(before, event, after(before, event))]
            assert words and all(one and "%(" not in one for one in words)


def test_after_the_secret_choice_the_reveal_is_told_once():
    before = after(at("disabling"), AdventurersDisabled(0, (1, 2)), AdventurersDisabled(1, (1, 2)))
    event = AdventurersDisabled(2, (4, 5))
    words = [str(one) for one in RULES.tell(before, event, after(before, event))]

    assert len(words) == 1 + 3
    assert chosen(at("disabling")).phase == "placing"
