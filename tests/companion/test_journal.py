"""A game as a growing log: undo, redo, versions, who may do what, and the story it tells."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.apprentis.board import Monsters, Place
from companion.apprentis.events import (
    CODEC,
    Effect,
    GroupAdvanced,
    GroupEntered,
    GroupRemoved,
    GroupsCounted,
    GuardianRevealed,
    InnRevealed,
    MalusCounted,
    OthersStruck,
    PlaceFilled,
    PowerUsed,
    ScoringOpened,
    SetupCorrected,
    SheetReopened,
    SheetSigned,
    ThreatRevealed,
    TurnEnded,
)
from companion.errors import BadData, CompanionError, IllegalEvent, NotYourSeat, StaleVersion
from companion.journal import MAX_ENTRIES
from tests.companion.builders import REDONE, a_journal, entry, events, follow, history, rewound, undone

CORRECTED = SetupCorrected(("spider-brou", "brou-crowd", "vampire-most", "dragon-each"), (2, 2, 2, 2, 0))
LOOK_AGAIN = "The table has changed in the meantime. Please look again."


def sequence(journal):
    """Return the numbers of the events that count."""
    return [step.entry.seq for step in journal.steps]


def fill(seat, room=1, **monsters):
    return PlaceFilled(seat, Place(f"room{room}"), Monsters(**(monsters or {"brou": 1})))


def refused(journal, by, event, error=IllegalEvent):
    """Return what is read when *event* is refused."""
    with pytest.raises(error) as caught:
        journal.follow(entry(journal, by, event))
    return str(caught.value)


# Undo, redo and going back


def test_undo_takes_the_last_event_back():
    before = follow(a_journal(), (0, GroupEntered(0)))

    after = follow(before, (1, GroupEntered(1)), (1, undone(2)))

    assert after.state == before.state
    assert sequence(after) == [1]


def test_the_version_only_grows():
    journal = a_journal()

    versions = [journal.version]
    for tap in (GroupEntered(0), GroupEntered(0), undone(2), REDONE, undone(2), rewound(0), REDONE):
        journal = follow(journal, (0, tap))
        versions.append(journal.version)

    assert versions == [0, 1, 2, 3, 4, 5, 6, 7]
    assert [kept.seq for kept in journal.entries] == [1, 2, 3, 4, 5, 6, 7]


def test_redo_brings_back_what_undo_took():
    full = follow(a_journal(), (0, GroupEntered(0)), (0, GroupAdvanced(0, 1)))

    back = follow(full, (0, undone(2)), (0, undone(1)))
    again = follow(back, (1, REDONE), (1, REDONE))

    assert back.state == back.start
    assert again.state == full.state
    assert sequence(again) == [1, 2]


def test_redo_steps_through_several_undos_one_by_one():
    journal = follow(a_journal(), (0, GroupEntered(0)), (0, GroupEntered(0)), (0, undone(2)), (0, undone(1)))

    once = follow(journal, (0, REDONE))

    assert sequence(once) == [1]


def test_a_new_event_ends_redo():
    journal = follow(a_journal(), (0, GroupEntered(0)), (0, undone(1)), (0, GroupEntered(0)))

    assert refused(journal, 0, REDONE) == "There is nothing to redo."


def test_there_is_nothing_to_redo_at_the_start():
    assert refused(a_journal(), 0, REDONE) == "There is nothing to redo."


def test_redo_is_over_when_everything_is_back():
    journal = follow(a_journal(), (0, GroupEntered(0)), (0, undone(1)), (0, REDONE))

    assert refused(journal, 0, REDONE) == "There is nothing to redo."


def test_an_undone_event_cannot_be_undone_again():
    journal = follow(a_journal(), (0, GroupEntered(0)), (0, undone(1)))

    assert refused(journal, 0, undone(1)) == "This has already been undone."


def test_only_what_nothing_else_builds_on_can_be_undone():
    journal = follow(a_journal(), (0, GroupEntered(0)), (1, GroupEntered(1)))

    assert refused(journal, 0, undone(1)) == "Other things have happened since; undo those first."


def test_going_back_keeps_everything_up_to_a_moment():
    journal = follow(a_journal(), *((0, GroupEntered(0)) for _ in range(5)))

    back = follow(journal, (1, rewound(2)))

    assert sequence(back) == [1, 2]
    assert back.state == journal.steps[1].state


def test_going_back_to_the_start_and_forward_again():
    journal = follow(a_journal(), (0, GroupEntered(0)), (0, GroupEntered(0)))

    start = follow(journal, (0, rewound(0)))
    again = follow(start, (0, REDONE))

    assert start.state == start.start
    assert again.state == journal.state


@pytest.mark.parametrize("to", [2, 99])
def test_going_back_to_now_is_refused(to):
    journal = follow(a_journal(), (0, GroupEntered(0)), (0, GroupEntered(0)))

    assert refused(journal, 0, rewound(to)) == "The table is already there."


# What undo offers


def test_undo_offers_the_last_event_of_anybody():
    journal = follow(a_journal(3), (0, GroupEntered(0)), (1, GroupEntered(1)))

    assert [journal.undo_target(seat).entry.seq for seat in range(3)] == [2, 2, 2]


def test_undo_offers_nothing_at_the_start():
    assert a_journal().undo_target(0) is None


def test_undo_offers_the_own_sheet_although_others_wrote_since():
    journal = follow(
        a_journal(3, mode="score"), (0, fill(0)), (1, fill(1)), (2, MalusCounted(2, 1)), (1, fill(1, 2))
    )

    assert [journal.undo_target(seat).entry.seq for seat in range(3)] == [1, 4, 3]


def test_undoing_the_own_sheet_keeps_what_others_wrote_since():
    journal = follow(a_journal(mode="score"), (0, fill(0, brou=3)), (1, fill(1, spider=2)))

    after = follow(journal, (0, undone(1)))

    assert sequence(after) == [2]
    assert after.state.dungeons[0].monsters(Place.ROOM_1) == Monsters()
    assert after.state.dungeons[1].monsters(Place.ROOM_1) == Monsters(spider=2)


def test_redo_brings_the_own_sheet_back_between_the_others():
    journal = follow(a_journal(mode="score"), (0, fill(0, brou=3)), (1, fill(1, spider=2)))

    again = follow(journal, (0, undone(1)), (0, REDONE))

    assert again.state == journal.state


def test_the_signature_of_another_player_does_not_stand_in_the_way():
    journal = follow(a_journal(mode="score"), (0, fill(0)), (1, SheetSigned(1)))

    after = follow(journal, (0, undone(journal.undo_target(0).entry.seq)))

    assert sequence(after) == [2]


def test_the_own_signature_is_undone_although_another_made_the_end():
    finished = follow(a_journal(mode="score"), (0, SheetSigned(0)), (1, SheetSigned(1)))

    after = follow(finished, (0, undone(finished.undo_target(0).entry.seq)))

    assert finished.outcome is not None
    assert after.outcome is None
    assert [dungeon.signed for dungeon in after.state.dungeons] == [False, True]


def test_a_correction_stands_in_the_way_of_undoing_an_earlier_entry():
    journal = follow(a_journal(mode="score"), (0, fill(0)), (1, CORRECTED))

    assert journal.undo_target(0).entry.seq == 2
    assert refused(journal, 0, undone(1)) == "Other things have happened since; undo those first."


def test_what_undo_offers_can_be_undone_even_when_groups_are_scarce():
    """Ana's first count would not fit beside Ben's, which only came after her correction."""
    journal = follow(
        a_journal(mode="score"),
        (0, GroupsCounted(0, (20, 0, 0, 0, 0))),
        (0, GroupsCounted(0, (5, 0, 0, 0, 0))),
        (1, GroupsCounted(1, (20, 0, 0, 0, 0))),
    )

    offered = journal.undo_target(0).entry.seq

    follow(journal, (0, undone(offered)))


# Two phones at once


def check(journal, seen, by, event):
    journal.check_version(seen, by, CODEC.write(event))


def test_an_event_tapped_on_the_current_page_passes():
    journal = follow(a_journal(), (0, GroupEntered(0)))

    check(journal, 1, 1, GroupEntered(1))


@pytest.mark.parametrize("seen", [-1, 0, 2, 1000])
def test_an_event_tapped_on_another_page_is_stale(seen):
    journal = follow(a_journal(), (0, GroupEntered(0)))

    with pytest.raises(StaleVersion, match=LOOK_AGAIN):
        check(journal, seen, 1, GroupEntered(1))


@pytest.mark.parametrize(
    "mine",
    [
        pytest.param(fill(1), id="place"),
        pytest.param(GroupsCounted(1, (1, 0, 0, 0, 0)), id="groups"),
        pytest.param(MalusCounted(1, 2), id="malus"),
        pytest.param(SheetSigned(1), id="signature"),
    ],
)
@pytest.mark.parametrize(
    "theirs",
    [fill(0), GroupsCounted(0, (0, 0, 0, 0, 1)), MalusCounted(0, 1), SheetSigned(0)],
    ids=["place", "groups", "malus", "signature"],
)
def test_score_sheets_of_two_players_can_be_filled_in_at_once(mine, theirs):
    journal = follow(a_journal(mode="score"), (0, theirs))

    check(journal, 0, 1, mine)


@pytest.mark.parametrize(
    ("by", "mine", "theirs"),
    [
        pytest.param(0, fill(0, 2), (0, fill(0)), id="the same sheet on two phones"),
        pytest.param(1, fill(1), (0, CORRECTED), id="writing while another corrects the objectives"),
    ],
)
def test_entries_that_could_disturb_each_other_are_stale(by, mine, theirs):
    journal = follow(a_journal(mode="score"), theirs)

    with pytest.raises(StaleVersion):
        check(journal, 0, by, mine)


@pytest.mark.parametrize(
    "steering",
    [
        pytest.param([(0, undone(1))], id="undo"),
        pytest.param([(0, undone(1)), (0, REDONE)], id="undo and redo"),
        pytest.param([(0, rewound(0))], id="going back"),
    ],
)
def test_a_page_from_before_an_undo_is_stale(steering):
    journal = follow(a_journal(mode="score"), (0, fill(0)), *steering)

    with pytest.raises(StaleVersion):
        check(journal, 1, 1, fill(1))


def test_one_disturbing_entry_among_independent_ones_is_enough():
    journal = follow(a_journal(3, mode="score"), (0, fill(0)), (2, CORRECTED), (0, fill(0, 2)))

    check(journal, 2, 1, fill(1))
    with pytest.raises(StaleVersion):
        check(journal, 1, 1, fill(1))


# Who may do what


@pytest.mark.parametrize(
    "event",
    [
        OthersStruck(0, Effect.NEW),
        GroupEntered(0),
        GroupAdvanced(0, 1),
        GroupRemoved(0, 1),
        GuardianRevealed(0),
        PowerUsed(0, 1),
        fill(0),
        GroupsCounted(0, (0, 0, 0, 0, 0)),
        MalusCounted(0, 1),
        SheetSigned(0),
        SheetReopened(0),
    ],
    ids=lambda event: type(event).__name__,
)
def test_nobody_acts_for_another_seat(event):
    assert refused(a_journal(), 1, event, NotYourSeat) == "Only the player of this seat can do that."


@pytest.mark.parametrize(
    "event",
    [ThreatRevealed(Effect.NEW), TurnEnded(0), ScoringOpened(), CORRECTED],
    ids=lambda event: type(event).__name__,
)
def test_anybody_may_report_what_happens_in_the_middle(event):
    assert follow(a_journal(), (1, event)).version == 1


def test_anybody_may_report_the_inn_card():
    journal = follow(
        a_journal(),
        (0, ThreatRevealed(Effect.NONE, 0, True)),
        (0, TurnEnded(0)),
        (1, ThreatRevealed(Effect.NONE, 0, True)),
        (0, InnRevealed("most", Effect.NEW)),
    )

    assert journal.state.icons == 0


@pytest.mark.parametrize("by", [-1, 2])
def test_an_entry_comes_from_a_seat_at_the_table(by):
    assert refused(a_journal(), by, TurnEnded(0), BadData) == "There is no such seat."


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"type": "undone"}, id="undo of nothing"),
        pytest.param({"type": "undone", "event": "1"}, id="undo of a text"),
        pytest.param({"type": "undone", "event": True}, id="undo of true"),
        pytest.param({"type": "undone", "event": 1, "why": "oops"}, id="undo with a reason"),
        pytest.param({"type": "rewound", "to": None}, id="back to nothing"),
        pytest.param({"type": "rewound", "to": False}, id="back to false"),
        pytest.param({"type": "redone", "event": 1}, id="redo of something"),
        pytest.param({}, id="nothing"),
        pytest.param({"type": "eaten"}, id="unknown type"),
    ],
)
def test_an_entry_without_a_known_form_is_refused(body):
    journal = follow(a_journal(), (0, GroupEntered(0)))

    with pytest.raises(CompanionError):
        journal.follow(entry(journal, 0, body))


def test_a_log_does_not_grow_for_ever():
    journal = replace(a_journal(), version=MAX_ENTRIES)

    assert refused(journal, 0, GroupEntered(0)) == "This game's log is full."


# The story


def test_the_history_tells_a_game_in_words():
    taps = [
        (0, ThreatRevealed(Effect.NEW)),
        (0, GuardianRevealed(0)),
        (0, PowerUsed(0, 2)),
        (0, GroupAdvanced(0, 3)),
        (0, GroupAdvanced(0, 3)),
        (0, GroupAdvanced(0, 3)),
        (0, GroupRemoved(0, 5)),
        (0, OthersStruck(0, Effect.ADVANCE, 1)),
        (0, TurnEnded(0)),
        (1, GroupEntered(1)),
        (1, CORRECTED),
        (1, ScoringOpened()),
        (0, fill(0, 3, brou=2, vip=1)),
        (0, PlaceFilled(0, Place.CORRIDOR_2, Monsters())),
        (0, GroupsCounted(0, (0, 0, 1, 0, 2))),
        (0, MalusCounted(0, 1)),
        (0, SheetSigned(0)),
        (0, SheetReopened(0)),
        (0, SheetSigned(0)),
        (1, SheetSigned(1)),
    ]

    told = history(follow(a_journal(), *taps))

    assert told == [
        "Threat card, all players: a new group in room 1.",
        "The guardian is revealed.",
        "Guardian power (middle): malus 1 covers it.",
        "A group goes from room 1 to room 4.",
        "A group goes from room 1 to room 4.",
        "A group goes from room 4 to room 5. Ana: a group reaches room 5: malus 2.",
        "A group leaves room 5.",
        "All the others: a group advances 1 room.",
        "Ana's turn is over.",
        "A new group enters room 1.",
        "The objectives or gold piles are corrected.",
        "The game is over: points are counted.",
        "Room 3: 2 x Brou, 1 x VIP.",
        "Corridor 2: empty.",
        "Adventurer groups in rooms 1 to 5: 0 0 1 0 2.",
        "1 malus tile.",
        "The score sheet is complete.",
        "The score sheet is open again.",
        "The score sheet is complete.",
        "The score sheet is complete. All score sheets are complete.",
    ]


def test_the_history_says_who_the_cards_hit():
    icon = ThreatRevealed(Effect.NONE, 0, True)
    taps = [
        (0, GroupAdvanced(0, 3)),
        (0, icon),
        (0, GroupEntered(0)),
        (0, TurnEnded(0)),
        (1, icon),
        (1, InnRevealed("most", Effect.NEW)),
        (1, TurnEnded(1)),
        (0, ThreatRevealed(Effect.ADVANCE, 2, True)),
        (0, TurnEnded(0)),
        (1, icon),
        (1, InnRevealed("fewest", Effect.NONE)),
    ]

    told = history(follow(a_journal(), *taps))

    assert told[1] == "Threat card, all players: no effect on the dungeons."
    assert told[4].endswith("As many threat icons as players: turn an inn card.")
    assert told[5] == "Inn card for Ana: a new group in room 1."
    assert told[7] == "Threat card, all players: a group advances 2 rooms."
    assert told[10] == "Inn card for Ben."


def test_the_history_names_everybody_a_threat_brings_to_room_5():
    far = [(seat, GroupAdvanced(seat, 3)) for seat in range(3)]

    journal = follow(a_journal(3), *far, (0, ThreatRevealed(Effect.ADVANCE, 1)))

    assert history(journal)[-1] == (
        "Threat card, all players: a group advances 1 room. Ana: a group reaches room 5: malus 1."
        " Ben: a group reaches room 5: malus 1. Cleo: a group reaches room 5: malus 1."
    )


def test_the_history_says_when_no_group_could_advance():
    journal = follow(a_journal(), (0, GroupRemoved(0, 1)), (0, GroupAdvanced(0, 2)))

    assert history(journal)[-1] == "No group can advance."


def test_the_history_announces_the_last_round_and_its_end():
    journal = a_journal(first=1)
    for turn in range(11):
        seat = (1 + turn) % 2
        journal = follow(journal, (seat, ThreatRevealed(Effect.NONE)), (seat, TurnEnded(seat)))

    journal = follow(journal, (0, ThreatRevealed(Effect.NONE)), (0, TurnEnded(0)))

    told = history(journal)
    assert told[-2].endswith("The last threat card: Ana plays the last turn.")
    assert told[-1] == "Ana's turn is over. The game is over: points are counted."
    assert sum("last threat card" in words for words in told) == 1


# Any taps at all

taps = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.one_of(
            events,
            st.just(REDONE),
            st.builds(undone, st.integers(0, 12)),
            st.builds(rewound, st.integers(0, 12)),
        ),
    ),
    max_size=25,
)


@settings(max_examples=150, deadline=None)
@given(taps, st.sampled_from(("full", "score")))
def test_whatever_is_tapped_the_log_alone_gives_the_game_again(taps, mode):
    start = a_journal(3, mode=mode)
    journal = start
    for by, event in taps:
        try:
            journal = follow(journal, (by, event))
        except CompanionError:
            continue

    again = start
    for kept in journal.entries:
        again = again.follow(kept)

    assert again.state == journal.state
    assert history(again) == history(journal)
    assert journal.version == len(journal.entries)
