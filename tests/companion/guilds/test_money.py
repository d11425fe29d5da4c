"""Money that is written by hand, games in which only money is kept, and everybody's account."""

import pytest

from companion.errors import IllegalEvent
from companion.guilds import RULES
from companion.guilds.events import (
    AdventurerPlaced,
    AdventurersDisabled,
    CountingEnded,
    MoneyWritten,
    RoundEnded,
)
from companion.guilds.money import Reason
from companion.guilds.scoring import sheet_of
from companion.guilds.view import view_for
from tests.companion.guilds.tables import (
    a_dungeon,
    a_start,
    a_table,
    after,
    dealt,
    money_of,
    push,
    revealed,
    winners,
    with_money,
)


@pytest.fixture(params=["full", "score"])
def table(request):
    """A new table of three with $2 each, in both modes."""
    return a_start(mode=request.param)


def told(before, event):
    """Return what the table is told of an event."""
    return [str(sentence) for sentence in RULES.tell(before, event, after(before, event))]


# By hand


@pytest.mark.parametrize("amount", [1, 5, 997, -1, -2])
def test_money_is_written_by_hand(table, amount):
    later = after(table, MoneyWritten(1, amount))

    assert money_of(later) == (2, 2 + amount, 2)
    assert later.books.bank == table.books.bank - amount
    assert (later.phase, later.turn) == (table.phase, table.turn)


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason is not Reason.START])
def test_money_is_written_with_what_it_was_for(table, reason):
    later = after(table, MoneyWritten(1, 3, reason))

    assert later.books.sum_of(1, reason) == 3
    assert told(table, MoneyWritten(1, 3, Reason.OTHER, "pizza")) == ["Ben gets $3: pizza."]


@pytest.mark.parametrize("amount", [-3, -999])
@pytest.mark.parametrize("reason", [Reason.OTHER, Reason.FEES, Reason.TREASURE])
def test_nobody_has_less_than_nothing(table, amount, reason):
    with pytest.raises(IllegalEvent, match=r"less than \$0"):
        after(table, MoneyWritten(0, amount, reason))


@pytest.mark.parametrize(("amount", "left"), [(-1, 1), (-2, 0), (-3, 0), (-999, 0)])
def test_healing_written_by_hand_takes_what_there_is(table, amount, left):
    later = after(table, MoneyWritten(0, amount, Reason.HEALING))

    assert money_of(later) == (left, 2, 2)
    assert later.books.bank == table.books.bank + 2 - left
    assert told(table, MoneyWritten(0, amount, Reason.HEALING)) == [f"Ana pays ${2 - left}: Healing."]


@pytest.mark.parametrize("amount", [0, 1000, -1000])
def test_an_amount_is_something_but_not_everything(table, amount):
    with pytest.raises(IllegalEvent, match="from 1 to 999"):
        after(table, MoneyWritten(0, amount))


def test_nobody_has_more_than_999(table):
    with pytest.raises(IllegalEvent, match="so much money"):
        after(table, MoneyWritten(0, 998))


def test_the_money_of_the_start_is_not_written_again(table):
    with pytest.raises(IllegalEvent):
        after(table, MoneyWritten(0, 2, Reason.START))


@pytest.mark.parametrize("note", ["x" * 41, "a\nb", "\x07"])
def test_a_note_is_short_and_visible(table, note):
    with pytest.raises(IllegalEvent, match="A note can have at most 40"):
        after(table, MoneyWritten(0, 1, Reason.OTHER, note))


def test_written_money_can_be_spent_at_once():
    poor = after(a_table(levels=(3,), money=(4, 4, 0)), AdventurerPlaced(0, 3, 0), AdventurerPlaced(1, 4, 0))
    assert push(2, 5, 0, 0, 3) not in RULES.legal(poor, 2)

    assert push(2, 5, 0, 0, 3) in RULES.legal(after(poor, MoneyWritten(2, 3)), 2)


# Only money


def test_a_game_of_only_money_starts_with_two_dollars_and_goes_on_until_it_is_ended():
    table = a_start(mode="score")

    assert (table.phase, money_of(table), RULES.outcome(table)) == ("counting", (2, 2, 2), None)
    assert set(RULES.legal(table, 1)) == {MoneyWritten(1, 1), CountingEnded()}
    assert view_for(table, 0).players[0].available == ()


def test_the_most_money_wins_when_only_money_is_kept():
    table = after(a_start(mode="score"), MoneyWritten(1, 4), MoneyWritten(2, 3), CountingEnded())

    assert winners(table) == {1}
    assert [(p.seat, p.score, p.rank) for p in RULES.outcome(table).placings] == [
        (1, 6, 1),
        (2, 5, 2),
        (0, 2, 3),
    ]


@pytest.mark.parametrize(
    ("unplaced", "won"),
    [
        ((), {0, 1, 2}),
        ((0, 0, 0), {0, 1, 2}),
        ((5, 4, 3), {0}),
        ((3, 5, 5), {1, 2}),
        ((0, 0, 1), {2}),
    ],
)
def test_a_tie_of_only_money_goes_to_the_strongest_adventurer_that_was_not_placed(unplaced, won):
    assert winners(after(a_start(mode="score"), CountingEnded(unplaced))) == won


def test_the_adventurer_that_was_not_placed_matters_only_in_a_tie():
    table = after(a_start(mode="score"), MoneyWritten(0, 1), CountingEnded((3, 5, 4)))

    assert winners(table) == {0}


def test_teams_of_only_money_are_compared_by_their_sums():
    table = after(a_start(4, mode="score", teams="two"), MoneyWritten(0, 3), MoneyWritten(1, 4))

    assert winners(after(table, CountingEnded())) == {1, 3}
    tied = after(table, MoneyWritten(2, 1))
    assert winners(after(tied, CountingEnded((3, 4, 5, 4)))) == {0, 2}


@pytest.mark.parametrize("unplaced", [(5,), (5, 4, 3, 5), (6, 5, 5), (-1, 5, 5)])
def test_there_is_one_strongest_adventurer_for_each_player(unplaced):
    with pytest.raises(IllegalEvent, match="one strongest adventurer for each player"):
        after(a_start(mode="score"), CountingEnded(unplaced))


def test_a_game_that_is_followed_ends_with_its_last_round():
    with pytest.raises(IllegalEvent, match="ends with its last round"):
        after(a_table(), CountingEnded())


def test_a_game_of_only_money_is_not_timed_when_it_is_over():
    assert RULES.timed(a_table())
    assert not RULES.timed(after(a_start(mode="score"), CountingEnded()))


# Everybody's account


def lines(state, seat):
    """Return a player's account."""
    return {line.key: line.points for line in sheet_of(state, seat).lines}


def test_an_account_says_what_money_came_and_went_for():
    rooms = ((0, 5), (1, 3)), ((1, 4), (2, 3)), ((2, 4), (0, 3))
    table = after(revealed(a_dungeon(*rooms), (0, 5), (20, 0)), RoundEnded())
    account = lines(table, 0)

    assert (account["start"], account["disabled"], account["treasure"], account["healing"]) == (2, 2, 3, -2)
    assert sum(account.values()) == table.books.of(0)


def test_fees_and_what_pushed_players_get_are_told_apart():
    table = a_table(levels=(3,))
    table = after(table, AdventurerPlaced(0, 3, 0), AdventurerPlaced(1, 4, 0), push(2, 5, 0, 0, 3))

    assert (lines(table, 0)["pushed"], lines(table, 2)["fees"]) == (2, -3)


def test_whatever_happens_an_account_adds_up_to_the_money():
    table = with_money(a_table(), 7, 0, 1)

    assert [sum(lines(table, seat).values()) for seat in range(3)] == [7, 0, 1]


# Small faults that were found


def test_the_reveal_tells_what_the_disabled_adventurers_brought():
    table = after(dealt(a_start(masters="counters")), MoneyWritten(0, 5, Reason.DISABLED))
    table = after(table, AdventurersDisabled(0, (1, 2)), AdventurersDisabled(1, (1, 2)))

    assert "Ana disables 1 and 2 and gets $2." in told(table, AdventurersDisabled(2, (1, 2)))


def test_who_has_nothing_pays_nothing_for_healing():
    table = after(a_start(mode="score"), MoneyWritten(0, -2))

    assert told(table, MoneyWritten(0, -3, Reason.HEALING)) == ["Ana pays $0: Healing."]


def test_what_is_offered_to_the_richest_can_be_done():
    table = after(a_start(mode="score"), MoneyWritten(0, 997))

    for event in RULES.legal(table, 0):
        after(table, event)
