"""Les Apprentis Gardiens during the game: every sentence of the rules digest."""

from dataclasses import replace

import pytest

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
from companion.apprentis.rules import apply
from companion.apprentis.state import Dungeon, GameState, Phase, new_game
from companion.apprentis.words import tell
from companion.errors import IllegalEvent
from tests.companion.builders import NO_GROUPS, OBJECTIVES, a_dungeon, a_game, a_scoring, play

QUIET = ThreatRevealed(Effect.NONE)
ICON = ThreatRevealed(Effect.NONE, icon=True)


def groups_of(state):
    return [dungeon.groups for dungeon in state.dungeons]


def refused(state, event):
    """Return what the players read when *event* is refused."""
    with pytest.raises(IllegalEvent) as caught:
        apply(state, event)
    return str(caught.value)


# The table is laid


@pytest.mark.parametrize(
    "kind", [GameState, Dungeon, Monsters, *CODEC.kinds.values()], ids=lambda kind: kind.__name__
)
def test_facts_and_events_never_change(kind):
    assert kind.__dataclass_params__.frozen


@pytest.mark.parametrize(("players", "cards"), [(2, 12), (3, 18), (4, 24)])
def test_the_threat_pile_grows_with_the_players(players, cards):
    state = a_game(players)

    assert state.threat_left == cards


def test_every_dungeon_starts_with_a_group_in_room_1():
    state = a_game(3)

    assert groups_of(state) == [(1, 0, 0, 0, 0)] * 3


def test_a_game_that_is_only_scored_starts_with_empty_sheets():
    state = new_game(("Ana", "Ben"), OBJECTIVES, tracked=False)

    assert groups_of(state) == [NO_GROUPS, NO_GROUPS]
    assert state.phase is Phase.SCORING


def test_the_first_player_has_the_first_turn():
    assert a_game(4, first=2).turn == 2


# Groups of adventurers


def test_a_new_group_enters_room_1():
    before = a_game(2, Dungeon(groups=(1, 0, 1, 0, 0)))

    after = apply(before, GroupEntered(0))

    assert after.dungeons[0].groups == (2, 0, 1, 0, 0)
    assert after.dungeons[1] == before.dungeons[1]
    assert after.group_tokens_left == before.group_tokens_left - 1


@pytest.mark.parametrize(
    ("groups", "rooms", "after"),
    [
        pytest.param((1, 0, 0, 0, 0), 1, (0, 1, 0, 0, 0), id="one room"),
        pytest.param((1, 0, 0, 0, 0), 3, (0, 0, 0, 1, 0), id="three rooms"),
        pytest.param((0, 1, 0, 1, 0), 1, (0, 0, 1, 1, 0), id="the lowest room is not room 1"),
        pytest.param((3, 0, 0, 0, 0), 2, (2, 0, 1, 0, 0), id="only one of several"),
        pytest.param((0, 2, 1, 0, 0), 1, (0, 1, 2, 0, 0), id="joins another group"),
        pytest.param((0, 0, 1, 0, 0), 2, (0, 0, 0, 0, 1), id="just reaches room 5"),
        pytest.param((0, 0, 1, 0, 0), 3, (0, 0, 0, 0, 1), id="no further than room 5"),
        pytest.param((0, 0, 0, 1, 2), 3, (0, 0, 0, 0, 3), id="from room 4, three rooms"),
    ],
)
def test_a_group_of_the_lowest_occupied_room_advances(groups, rooms, after):
    state = apply(a_game(2, Dungeon(groups=groups)), GroupAdvanced(0, rooms))

    assert state.dungeons[0].groups == after


@pytest.mark.parametrize(
    "groups", [pytest.param(NO_GROUPS, id="no group"), pytest.param((0, 0, 0, 0, 2), id="all in room 5")]
)
def test_nothing_happens_when_no_group_can_advance(groups):
    before = a_game(2, Dungeon(groups=groups))

    assert apply(before, GroupAdvanced(0, 2)) == before


@pytest.mark.parametrize("room", [1, 2, 3, 4, 5])
def test_a_group_can_be_removed_from_any_room(room):
    state = apply(a_game(2, Dungeon(groups=(1, 1, 1, 1, 1))), GroupRemoved(0, room))

    assert state.dungeons[0].groups == tuple(0 if number == room else 1 for number in (1, 2, 3, 4, 5))


def test_removing_a_group_leaves_its_malus_tile_behind():
    state = play(a_game(2, Dungeon(groups=(0, 0, 0, 1, 0))), GroupAdvanced(0, 1), GroupRemoved(0, 5))

    assert state.dungeons[0].group_count == 0
    assert state.dungeons[0].malus == (1,)


@pytest.mark.parametrize("room", [2, 0, 6, -1])
def test_a_group_that_is_not_there_cannot_be_removed(room):
    assert refused(a_game(2), GroupRemoved(0, room)) == "There is no group in that room."


@pytest.mark.parametrize("steps", [-1, 0, 4])
@pytest.mark.parametrize(
    "event",
    [
        pytest.param(lambda steps: GroupAdvanced(0, steps), id="own group"),
        pytest.param(lambda steps: ThreatRevealed(Effect.ADVANCE, steps), id="threat"),
        pytest.param(lambda steps: OthersStruck(0, Effect.ADVANCE, steps), id="others"),
        pytest.param(lambda steps: InnRevealed("most", Effect.ADVANCE, steps), id="inn"),
    ],
)
def test_a_group_advances_one_to_three_rooms(event, steps):
    state = a_game(2, icons=2)

    assert refused(state, event(steps)) == "A group advances 1 to 3 rooms."


# Malus tiles


def test_each_arrival_in_room_5_places_the_lowest_malus_tile_left():
    state = a_game(2, Dungeon(groups=(0, 0, 0, 6, 0)))

    tiles = []
    for _ in range(6):
        state = apply(state, GroupAdvanced(0, 1))
        tiles.append(state.dungeons[0].beside)

    assert tiles[:5] == [(1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2, 3, 4, 5)]
    assert tiles[5] == (1, 2, 3, 4, 5)
    assert state.dungeons[0].groups == (0, 0, 0, 0, 6)


def test_a_group_that_stops_before_room_5_places_no_tile():
    state = apply(a_game(2), GroupAdvanced(0, 3))

    assert state.dungeons[0].malus == ()


@pytest.mark.parametrize(
    ("event", "struck"),
    [
        pytest.param(GroupAdvanced(1, 1), [1], id="own group"),
        pytest.param(ThreatRevealed(Effect.ADVANCE, 1), [0, 1, 2], id="threat card"),
        pytest.param(InnRevealed("most", Effect.ADVANCE, 2), [0, 1, 2], id="inn card"),
        pytest.param(OthersStruck(1, Effect.ADVANCE, 3), [0, 2], id="somebody's card"),
    ],
)
def test_an_arrival_in_room_5_costs_its_owner_whatever_the_cause(event, struck):
    near = Dungeon(groups=(0, 0, 0, 1, 0))

    state = apply(a_game(3, near, near, near, icons=3), event)

    assert [seat for seat, dungeon in enumerate(state.dungeons) if dungeon.beside == (1,)] == struck


def test_tiles_on_the_guardian_and_beside_room_5_come_from_one_reserve():
    start = a_game(2, Dungeon(groups=(0, 0, 0, 2, 0), guardian=True))

    state = play(start, GroupAdvanced(0, 1), PowerUsed(0, 3), GroupAdvanced(0, 1))

    assert state.dungeons[0].beside == (1, 3)
    assert state.dungeons[0].covered == (0, 0, 2)
    assert state.dungeons[0].malus == (1, 2, 3)


# The guardian


def test_the_guardian_is_revealed_for_one_dungeon():
    state = apply(a_game(3), GuardianRevealed(1))

    assert [dungeon.guardian for dungeon in state.dungeons] == [False, True, False]


def test_five_monsters_can_gather_on_somebody_elses_turn():
    state = apply(a_game(2, turn=0), GuardianRevealed(1))

    assert state.dungeons[1].guardian


def test_a_revealed_guardian_stays_revealed():
    state = a_game(2, Dungeon(guardian=True))

    assert refused(state, GuardianRevealed(0)) == "This guardian has already been revealed."


@pytest.mark.parametrize(("power", "covered"), [(1, (1, 0, 0)), (2, (0, 1, 0)), (3, (0, 0, 1))])
def test_using_a_power_covers_it_with_the_lowest_tile(power, covered):
    state = apply(a_game(2, Dungeon(guardian=True)), PowerUsed(0, power))

    assert state.dungeons[0].covered == covered
    assert state.dungeons[0].beside == ()


def test_caros_second_power_is_covered_with_her_second_tile():
    before = a_game(2, Dungeon(guardian=True, covered=(1, 0, 0)))

    after = apply(before, PowerUsed(0, 3))

    assert after.dungeons[0].covered == (1, 0, 2)


def test_audreys_turn_with_a_threat_and_her_middle_power():
    before = a_game(2, Dungeon(groups=(0, 1, 0, 1, 0), guardian=True))

    after = play(
        before,
        ThreatRevealed(Effect.NEW),
        PowerUsed(0, 2),
        GroupRemoved(0, 4),
        GroupRemoved(0, 2),
        TurnEnded(0),
    )

    assert groups_of(after) == [(1, 0, 0, 0, 0), (2, 0, 0, 0, 0)]
    assert after.dungeons[0].covered == (0, 1, 0)
    assert after.icons == 0
    assert after.turn == 1


def test_another_power_can_be_used_on_the_next_own_turn():
    state = a_game(2, Dungeon(guardian=True))

    state = play(state, PowerUsed(0, 1), TurnEnded(0), TurnEnded(1), PowerUsed(0, 2))

    assert state.dungeons[0].covered == (1, 2, 0)


def test_the_limit_of_one_power_does_not_hold_for_the_next_player():
    both = Dungeon(guardian=True)

    state = play(a_game(2, both, both), PowerUsed(0, 1), TurnEnded(0), PowerUsed(1, 1))

    assert [dungeon.covered for dungeon in state.dungeons] == [(1, 0, 0), (1, 0, 0)]


@pytest.mark.parametrize(
    ("state", "event", "message"),
    [
        pytest.param(
            a_game(2, Dungeon(), Dungeon(guardian=True)),
            PowerUsed(1, 1),
            "A guardian's power is used on one's own turn.",
            id="not the own turn",
        ),
        pytest.param(
            a_game(2),
            PowerUsed(0, 1),
            "The guardian has not been revealed yet: bring five monsters to room 5.",
            id="guardian face down",
        ),
        pytest.param(
            a_game(2, Dungeon(guardian=True, covered=(1, 0, 0)), power_used=True),
            PowerUsed(0, 2),
            "Only one power of the guardian a turn.",
            id="second power in a turn",
        ),
        pytest.param(
            a_game(2, Dungeon(guardian=True)),
            PowerUsed(0, 4),
            "A guardian has three powers: left, middle and right.",
            id="a fourth power",
        ),
        pytest.param(
            a_game(2, Dungeon(guardian=True, covered=(0, 1, 0))),
            PowerUsed(0, 2),
            "This power is already covered by a malus tile.",
            id="covered power",
        ),
        pytest.param(
            a_game(2, Dungeon(guardian=True, beside=(1, 2, 3, 4, 5))),
            PowerUsed(0, 1),
            "There is no malus tile left to pay for the power.",
            id="no tile left",
        ),
    ],
)
def test_a_guardians_power_is_refused(state, event, message):
    assert refused(state, event) == message


@pytest.mark.parametrize("power", [-1, 0, 4])
def test_a_guardian_has_three_powers(power):
    with pytest.raises(IllegalEvent):
        apply(a_game(2, Dungeon(guardian=True)), PowerUsed(0, power))


# Threat cards


@pytest.mark.parametrize(
    ("event", "groups"),
    [
        pytest.param(QUIET, [(1, 0, 0, 0, 0), (0, 1, 0, 1, 0), NO_GROUPS], id="no effect"),
        pytest.param(
            ThreatRevealed(Effect.NEW), [(2, 0, 0, 0, 0), (1, 1, 0, 1, 0), (1, 0, 0, 0, 0)], id="new group"
        ),
        pytest.param(
            ThreatRevealed(Effect.ADVANCE, 1), [(0, 1, 0, 0, 0), (0, 0, 1, 1, 0), NO_GROUPS], id="advance 1"
        ),
        pytest.param(
            ThreatRevealed(Effect.ADVANCE, 2), [(0, 0, 1, 0, 0), (0, 0, 0, 2, 0), NO_GROUPS], id="advance 2"
        ),
    ],
)
def test_a_threat_card_hits_every_dungeon(event, groups):
    before = a_game(3, Dungeon(groups=(1, 0, 0, 0, 0)), Dungeon(groups=(0, 1, 0, 1, 0)), Dungeon())

    after = apply(before, event)

    assert groups_of(after) == groups
    assert after.threat_left == before.threat_left - 1


def test_one_threat_card_is_turned_a_turn():
    state = apply(a_game(2), QUIET)

    assert refused(state, QUIET) == "A threat card has already been turned this turn."


def test_the_next_player_turns_a_threat_card_again():
    state = play(a_game(2), QUIET, TurnEnded(0), QUIET)

    assert state.threat_left == 10


def test_no_card_is_turned_when_forest_and_swamp_are_full():
    state = play(a_game(2), TurnEnded(0))

    assert state.threat_left == 12
    assert state.turn == 1


def test_somebodys_card_hits_all_the_others():
    before = a_game(3, turn=1)

    after = apply(before, OthersStruck(1, Effect.NEW))

    assert groups_of(after) == [(2, 0, 0, 0, 0), (1, 0, 0, 0, 0), (2, 0, 0, 0, 0)]
    assert after.threat_left == before.threat_left


# The inn


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_inn_card_is_due_when_icons_equal_players(players):
    state = a_game(players)

    due = []
    for seat in range(players):
        state = apply(state, ICON)
        due.append(state.inn_due)
        if not state.inn_due:
            state = apply(state, TurnEnded(seat))

    assert due == [False] * (players - 1) + [True]


def test_cards_without_an_icon_bring_no_inn_card():
    state = play(a_game(2), QUIET, TurnEnded(0), QUIET, TurnEnded(1), QUIET)

    assert state.icons == 0
    assert not state.inn_due


@pytest.mark.parametrize("icons", [0, 2])
def test_an_inn_card_waits_for_the_icons(icons):
    state = a_game(3, icons=icons)

    assert refused(state, InnRevealed("most", Effect.NEW)) == (
        "An inn card is turned when as many threat icons lie open as there are players."
    )


def test_a_turn_does_not_end_before_the_inn_card_is_turned():
    state = a_game(2, icons=2)

    assert refused(state, TurnEnded(0)) == "Turn the inn card first."


@pytest.mark.parametrize(
    ("whom", "counts", "struck"),
    [
        pytest.param("most", (1, 3, 2), [1], id="most"),
        pytest.param("most", (3, 1, 3), [0, 2], id="two with most"),
        pytest.param("fewest", (1, 3, 2), [0], id="fewest"),
        pytest.param("fewest", (2, 1, 1), [1, 2], id="two with fewest"),
        pytest.param("fewest", (2, 0, 1), [1], id="fewest is nobody at all"),
        pytest.param("most", (2, 2, 2), [0, 1, 2], id="most, all equal"),
        pytest.param("fewest", (2, 2, 2), [0, 1, 2], id="fewest, all equal"),
        pytest.param("most", (0, 0, 0), [0, 1, 2], id="most, no groups anywhere"),
    ],
)
def test_the_inn_hits_those_with_most_or_fewest_groups(whom, counts, struck):
    dungeons = [Dungeon(groups=(0, count, 0, 0, 0)) for count in counts]

    state = apply(a_game(3, *dungeons, icons=3), InnRevealed(whom, Effect.NEW))

    assert [seat for seat, dungeon in enumerate(state.dungeons) if dungeon.groups[0]] == struck


def test_the_inn_counts_groups_in_all_rooms():
    spread, heap = Dungeon(groups=(1, 1, 1, 0, 0)), Dungeon(groups=(0, 0, 0, 0, 2))

    state = apply(a_game(2, spread, heap, icons=2), InnRevealed("most", Effect.ADVANCE, 1))

    assert groups_of(state) == [(0, 2, 1, 0, 0), (0, 0, 0, 0, 2)]


def test_an_inn_card_the_players_carry_out_themselves_moves_no_group():
    before = a_game(2, icons=2)

    after = apply(before, InnRevealed("fewest", Effect.NONE))

    assert groups_of(after) == groups_of(before)
    assert after.inn_left == before.inn_left - 1


def test_an_inn_card_clears_the_icons():
    state = apply(a_game(2, icons=2), InnRevealed("most", Effect.NEW))

    assert state.icons == 0
    assert not state.inn_due
    assert apply(state, TurnEnded(0)).turn == 1


def test_there_are_seven_inn_cards():
    state = a_game(2, icons=2)

    turned = 0
    while state.inn_due and turned < 20:
        state = replace(apply(state, InnRevealed("most", Effect.NONE)), icons=2)
        turned += 1

    assert turned == 7


def test_without_inn_cards_the_game_goes_on():
    state = a_game(2, icons=2, inn_left=0)

    assert not state.inn_due
    assert apply(state, TurnEnded(0)).turn == 1


# Turns and the end of the game


def test_turns_go_round_the_table():
    state = a_game(3, first=1)

    turns = [state.turn]
    for _ in range(4):
        state = apply(state, TurnEnded(state.turn))
        turns.append(state.turn)

    assert turns == [1, 2, 0, 1, 2]


def test_only_the_turn_that_is_on_can_end():
    state = a_game(2, first=1)

    assert refused(state, TurnEnded(0)) == "It is Ben's turn."


@pytest.mark.parametrize(
    ("players", "first", "drawer", "still_to_play"),
    [
        pytest.param(2, 0, 0, [0, 1], id="two, the first player draws it"),
        pytest.param(2, 1, 0, [0], id="two, the last player draws it"),
        pytest.param(3, 1, 1, [1, 2, 0], id="three, a whole round follows"),
        pytest.param(3, 2, 0, [0, 1], id="three, in the middle of the round"),
        pytest.param(4, 2, 0, [0, 1], id="four, the round passes seat 0"),
        pytest.param(4, 0, 3, [3], id="four, the last player draws it"),
        pytest.param(4, 3, 3, [3, 0, 1, 2], id="four, first player is the last seat"),
    ],
)
def test_the_last_threat_card_ends_the_game_with_the_player_right_of_the_first(
    players, first, drawer, still_to_play
):
    state = apply(a_game(players, first=first, turn=drawer, threat_left=1), QUIET)

    played = []
    while state.phase is Phase.PLAYING and len(played) < 10:
        played.append(state.turn)
        state = apply(state, TurnEnded(state.turn))

    assert played == still_to_play
    assert state.phase is Phase.SCORING


def test_the_round_before_the_last_card_does_not_end_the_game():
    state = play(a_game(2, threat_left=3), QUIET, TurnEnded(0), QUIET, TurnEnded(1))

    assert state.threat_left == 1
    assert state.phase is Phase.PLAYING
    assert not state.last_round


def test_tom_draws_the_last_card_and_caro_still_turns_a_shuffled_one():
    jo, tom, caro = 1, 2, 0
    state = a_game(3, first=jo, turn=tom, threat_left=1)

    state = play(state, QUIET, TurnEnded(tom), ThreatRevealed(Effect.NEW), TurnEnded(caro))

    assert state.phase is Phase.SCORING
    assert state.threat_left == 0
    assert groups_of(state) == [(2, 0, 0, 0, 0)] * 3


def test_a_shuffled_card_in_the_last_round_can_still_bring_the_inn():
    state = a_game(2, threat_left=1, icons=1)

    state = play(state, QUIET, TurnEnded(0), ICON)

    assert state.inn_due
    assert state.last_round
    assert refused(state, TurnEnded(1)) == "Turn the inn card first."


def test_the_table_can_stop_and_count_at_any_time():
    state = apply(a_game(2), ScoringOpened())

    assert state.phase is Phase.SCORING


# The 28 tokens


def crowded_game(players, left, **changes):
    """Build a game with *left* tokens at the inn."""
    spare = 28 - left
    heaps = [
        Dungeon(groups=(spare // players + (seat < spare % players), 0, 0, 0, 0)) for seat in range(players)
    ]
    return a_game(players, *heaps, **changes)


def test_the_box_holds_28_groups():
    state = crowded_game(2, left=1)

    full = apply(state, GroupEntered(0))

    assert full.group_tokens_left == 0
    assert refused(full, GroupEntered(1)) == "All 28 groups are already in the dungeons."


def test_a_removed_group_can_enter_again():
    state = play(crowded_game(2, left=0), GroupRemoved(0, 1), GroupEntered(1))

    assert state.group_tokens_left == 0


def test_the_last_tokens_go_round_from_the_player_whose_turn_it_is():
    before = crowded_game(4, left=2, turn=3, first=1)

    after = apply(before, ThreatRevealed(Effect.NEW))

    more = [
        new.group_count - old.group_count for old, new in zip(before.dungeons, after.dungeons, strict=True)
    ]
    assert more == [1, 0, 0, 1]


@pytest.mark.parametrize(
    ("event", "left", "short"),
    [
        pytest.param(ThreatRevealed(Effect.NEW), 3, True, id="threat, one short"),
        pytest.param(ThreatRevealed(Effect.NEW), 4, False, id="threat, just enough"),
        pytest.param(OthersStruck(0, Effect.NEW), 2, True, id="others, one short"),
        pytest.param(OthersStruck(0, Effect.NEW), 3, False, id="others, just enough"),
        pytest.param(InnRevealed("most", Effect.NEW), 0, True, id="inn, none left"),
        pytest.param(ThreatRevealed(Effect.ADVANCE, 1), 0, False, id="nobody enters"),
    ],
)
def test_the_history_says_when_the_inn_is_empty(event, left, short):
    before = crowded_game(4, left=left, icons=4)

    words = [str(sentence) for sentence in tell(before, event, apply(before, event))]

    assert ("The inn is empty: not everybody got a group." in words) == short


# Score sheets

CROWD = Monsters(spider=1)


@pytest.mark.parametrize(
    "event",
    [
        QUIET,
        InnRevealed("most", Effect.NONE),
        OthersStruck(0, Effect.NEW),
        GroupEntered(0),
        GroupAdvanced(0, 1),
        GroupRemoved(0, 1),
        GuardianRevealed(0),
        PowerUsed(0, 1),
        TurnEnded(0),
        ScoringOpened(),
    ],
    ids=lambda event: type(event).__name__,
)
@pytest.mark.parametrize("phase", [Phase.SCORING, Phase.FINISHED])
def test_once_points_are_counted_nobody_plays_on(event, phase):
    state = a_game(2, Dungeon(guardian=True, groups=(1, 0, 0, 0, 0)), phase=phase, icons=2)

    assert refused(state, event) == "The game is over; only the scoring is left."


@pytest.mark.parametrize(
    "event",
    [
        PlaceFilled(0, Place.ROOM_1, CROWD),
        GroupsCounted(0, NO_GROUPS),
        MalusCounted(0, 1),
        SheetSigned(0),
        SheetReopened(0),
    ],
    ids=lambda event: type(event).__name__,
)
def test_nothing_is_counted_during_the_game(event):
    assert refused(a_game(2), event) == "Points are counted at the end of the game."


@pytest.mark.parametrize(
    "event",
    [
        PlaceFilled(0, Place.ROOM_1, CROWD),
        GroupsCounted(0, NO_GROUPS),
        MalusCounted(0, 1),
        SheetSigned(0),
    ],
    ids=lambda event: type(event).__name__,
)
def test_a_complete_sheet_is_not_changed_by_accident(event):
    state = a_scoring(2, Dungeon(signed=True))

    assert refused(state, event) == "This score sheet is complete. Reopen it to change something."


def test_an_open_sheet_cannot_be_reopened():
    assert refused(a_scoring(2), SheetReopened(0)) == "This score sheet is open."


@pytest.mark.parametrize(
    "event",
    [
        OthersStruck(2, Effect.NEW),
        GroupEntered(2),
        GroupAdvanced(-1, 1),
        GroupRemoved(2, 1),
        GuardianRevealed(2),
        PowerUsed(-1, 1),
        TurnEnded(2),
        PlaceFilled(2, Place.ROOM_1, CROWD),
        GroupsCounted(-1, NO_GROUPS),
        MalusCounted(2, 1),
        SheetSigned(2),
        SheetReopened(-1),
    ],
    ids=lambda event: type(event).__name__,
)
@pytest.mark.parametrize("phase", [Phase.PLAYING, Phase.SCORING])
def test_an_event_needs_a_player_of_this_game(event, phase):
    assert refused(a_game(2, phase=phase), event) == "There is no such player."


def test_a_place_is_filled_and_filled_again():
    state = play(
        a_scoring(2),
        PlaceFilled(1, Place.ROOM_2, Monsters(brou=2)),
        PlaceFilled(1, Place.CORRIDOR_2, Monsters(vampire=1)),
        PlaceFilled(1, Place.ROOM_2, Monsters(dragon=1)),
    )

    assert state.dungeons[1] == a_dungeon(
        rooms={"dragon": (0, 1, 0, 0, 0)}, corridors={"vampire": (0, 1, 0, 0, 0)}
    )
    assert state.dungeons[0] == Dungeon()


@pytest.mark.parametrize(
    ("monsters", "message"),
    [
        pytest.param(Monsters(brou=21), "Brou: from 0 to 20 figures.", id="too many brous"),
        pytest.param(Monsters(vip=12), "VIP: from 0 to 11 figures.", id="too many VIPs"),
        pytest.param(Monsters(skeleton=-1), "Skeleton: from 0 to 20 figures.", id="negative"),
    ],
)
def test_a_place_holds_no_more_than_the_box(monsters, message):
    assert refused(a_scoring(2), PlaceFilled(0, Place.ROOM_1, monsters)) == message


def test_all_figures_of_the_box_may_stand_in_one_place():
    everybody = Monsters(20, 20, 20, 20, 20, 11)

    state = apply(a_scoring(2), PlaceFilled(0, Place.ENTRANCE, everybody))

    assert state.dungeons[0].monsters(Place.ENTRANCE).total == 111


@pytest.mark.parametrize(
    "rooms",
    [
        pytest.param((0, 29, 0, 0, 0), id="29 in a room"),
        pytest.param((-1, 2, 0, 0, 0), id="negative"),
        pytest.param((0, 0, 0, 0), id="four rooms"),
        pytest.param((0, 0, 0, 0, 0, 0), id="six rooms"),
        pytest.param((), id="no room"),
    ],
)
def test_groups_are_counted_in_all_five_rooms(rooms):
    assert refused(a_scoring(2), GroupsCounted(0, rooms)) == "Every room has 0 to 28 groups."


def test_counted_groups_replace_those_of_the_sheet():
    state = a_scoring(2, Dungeon(groups=(3, 0, 0, 0, 0)), Dungeon(groups=(20, 0, 0, 0, 0)))

    state = apply(state, GroupsCounted(0, (0, 0, 0, 0, 8)))

    assert state.dungeons[0].groups == (0, 0, 0, 0, 8)


@pytest.mark.parametrize(("count", "tiles"), [(0, ()), (3, (1, 2, 3)), (5, (1, 2, 3, 4, 5))])
def test_counted_malus_tiles_are_always_the_lowest(count, tiles):
    state = a_scoring(2, Dungeon(beside=(1,), covered=(0, 2, 0), guardian=True))

    state = apply(state, MalusCounted(0, count))

    assert state.dungeons[0].malus == tiles


@pytest.mark.parametrize("count", [-1, 6])
def test_a_player_has_five_malus_tiles(count):
    assert refused(a_scoring(2), MalusCounted(0, count)) == "A player has 5 malus tiles."


def test_the_game_is_finished_when_every_sheet_is_complete():
    one = apply(a_scoring(2), SheetSigned(1))
    both = apply(one, SheetSigned(0))

    assert one.phase is Phase.SCORING
    assert both.phase is Phase.FINISHED


def test_reopening_a_sheet_takes_the_result_back():
    state = a_scoring(2, Dungeon(signed=True), Dungeon(signed=True))

    reopened = apply(state, SheetReopened(0))

    assert reopened.phase is Phase.SCORING
    assert [dungeon.signed for dungeon in reopened.dungeons] == [False, True]
    assert apply(reopened, SheetSigned(0)).phase is Phase.FINISHED


# Corrections of the set-up

OTHER_SIDES = ("spider-skeleton", "brou-crowd", "vampire-most", "dragon-halves")


@pytest.mark.parametrize("phase", [Phase.PLAYING, Phase.SCORING])
def test_objectives_and_piles_can_be_corrected_until_the_end(phase):
    before = a_game(2, phase=phase)

    after = apply(before, SetupCorrected(OTHER_SIDES, (2, 2, 0, 2, 2)))

    assert (after.objectives, after.piles) == (OTHER_SIDES, (2, 2, 0, 2, 2))
    assert replace(after, objectives=before.objectives, piles=before.piles) == before


def test_the_objectives_of_a_finished_game_stay():
    state = a_scoring(2, Dungeon(signed=True), Dungeon(signed=True), phase=Phase.FINISHED)

    assert refused(state, SetupCorrected(OTHER_SIDES, state.piles)) == (
        "Reopen a score sheet before you change the objectives."
    )


@pytest.mark.parametrize(
    "objectives",
    [
        pytest.param((), id="none"),
        pytest.param(OTHER_SIDES[:3], id="three"),
        pytest.param(("spider-brou", *OTHER_SIDES), id="two of a colour"),
        pytest.param(OTHER_SIDES[::-1], id="in another order"),
        pytest.param(("spider-elf", *OTHER_SIDES[1:]), id="unknown"),
        pytest.param((*OTHER_SIDES, "elf"), id="unknown beside the four"),
        pytest.param(("draw-plain", *OTHER_SIDES), id="left to chance beside the four"),
    ],
)
def test_one_objective_of_each_colour_is_in_play(objectives):
    state = a_game(2)

    assert refused(state, SetupCorrected(objectives, state.piles)) == "There is one objective of each colour."


@pytest.mark.parametrize(
    "piles", [(0, 2, 2, 2), (0, 2, 2, 2, 2, 2), (), (0, 3, 2, 2, 2), (-1, 2, 2, 2, 2)], ids=str
)
def test_a_room_has_up_to_two_piles(piles):
    state = a_game(2)

    assert refused(state, SetupCorrected(OTHER_SIDES, piles)) == "A room has 0 to 2 gold piles."
