"""Two hundred random games through ``legal_events``, and what holds in every one of them."""

import random
from dataclasses import replace

import pytest

from companion.apprentis import RULES
from companion.apprentis.board import FIGURES, PLACES, Kind, Monsters
from companion.apprentis.events import (
    CODEC,
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
from companion.apprentis.legal import EFFECTS, legal_events
from companion.apprentis.objectives import COLOURS, of_colour
from companion.apprentis.rules import apply
from companion.apprentis.scoring import score
from companion.apprentis.state import Phase
from companion.errors import IllegalEvent
from companion.journal import Journal
from companion.logfile import read_log, write_log
from companion.rules import make_setup
from tests.companion.builders import NAMES, REDONE, entry, history, rewound, undone

GAMES = 200
LONGEST = 3000
CREATED = "2026-01-31T20:15:00.250+00:00"

# How often a kind of event is picked when it is possible: turns go on, games are rarely broken off.
WEIGHTS = {
    ThreatRevealed: 8,
    TurnEnded: 8,
    InnRevealed: 8,
    ScoringOpened: 0.02,
    SetupCorrected: 0.1,
    OthersStruck: 1,
    SheetSigned: 0.5,
}


def new_journal(rng):
    players = NAMES[: rng.randint(2, 4)]
    mode = rng.choice(("full", "full", "full", "score"))
    options = RULES.settle(make_setup(RULES, players, {"mode": mode, "spider": "draw-expert"}).options, rng)
    return Journal.begin(RULES, make_setup(RULES, players, options, first=rng.randrange(len(players))))


def pick(rng, legal):
    """Pick a kind of event, then one of that kind; typed-in numbers are made up."""
    kinds = list(dict.fromkeys(map(type, legal)))
    kind = rng.choices(kinds, [WEIGHTS.get(kind, 1) for kind in kinds])[0]
    event = rng.choice([event for event in legal if type(event) is kind])
    match event:
        case PlaceFilled():
            crowd = {str(kind): rng.choice((0, 0, 1, 2, FIGURES[kind])) for kind in Kind}
            return replace(event, monsters=Monsters(**crowd))
        case GroupsCounted():
            return replace(event, rooms=tuple(rng.choice((0, 0, 0, 1, 2, 28)) for _ in range(5)))
        case SetupCorrected():
            sides = tuple(rng.choice(of_colour(colour)).key for colour in COLOURS)
            return SetupCorrected(sides, tuple(rng.randint(0, 2) for _ in range(5)))
        case MalusCounted():
            return replace(event, tiles=rng.randint(0, 5))
        case _:
            return event


def steer(rng, journal, seat):
    """Sometimes undo, redo or go back."""
    if journal.steps and rng.random() < 0.03:
        target = journal.undo_target(seat)
        return undone(target.entry.seq)
    if journal.undone and rng.random() < 0.3:
        return REDONE
    if journal.steps and rng.random() < 0.002:
        return rewound(rng.choice(journal.steps).entry.seq - 1)
    return None


def check(state):
    """Assert what must hold after every event."""
    for dungeon in state.dungeons:
        assert dungeon.malus == (1, 2, 3, 4, 5)[: len(dungeon.malus)]
        assert min(dungeon.groups) >= 0
        assert dungeon.guardian or dungeon.covered == (0, 0, 0)
    assert state.phase is not Phase.PLAYING or 0 <= state.group_tokens_left <= 28
    assert 0 <= state.threat_left <= {2: 12, 3: 18, 4: 24}[len(state.players)]
    assert 0 <= state.icons <= len(state.players)
    assert 0 <= state.inn_left <= 7
    assert state.last_round == (state.threat_left == 0)
    assert (RULES.outcome(state) is not None) == all(dungeon.signed for dungeon in state.dungeons)


def play_out(seed):
    """Play one game to its end; return the journal."""
    rng = random.Random(seed)
    journal = new_journal(rng)
    while journal.outcome is None:
        assert journal.version < LONGEST, "this game does not end"
        seat = rng.randrange(len(journal.setup.players))
        if journal.state.dungeons[seat].signed and rng.random() < 0.9:
            continue  # who has signed mostly leaves it at that
        body = steer(rng, journal, seat) or CODEC.write(pick(rng, legal_events(journal.state, seat)))
        journal = journal.follow(entry(journal, seat, body, at=CREATED))
        check(journal.state)
    return journal


@pytest.fixture(scope="module")
def played():
    return [play_out(seed) for seed in range(GAMES)]


def test_every_game_ends_with_a_ranking(played):
    for journal in played:
        placings = journal.outcome.placings
        totals = [score(journal.state, placing.seat).total for placing in placings]

        assert sorted(placing.seat for placing in placings) == list(range(len(journal.setup.players)))
        assert totals == sorted(totals, reverse=True)
        assert sum(placing.winner for placing in placings) == (totals.count(totals[0]) == 1)


def test_every_type_of_event_occurs(played):
    seen = {entry.body["type"] for journal in played for entry in journal.entries}

    assert seen == {*CODEC.kinds, "undone", "redone", "rewound"}


def test_games_end_both_by_the_last_card_and_early(played):
    tracked = [journal.state for journal in played if journal.state.tracked]

    assert any(state.last_round for state in tracked)
    assert any(not state.last_round for state in tracked)


def test_replaying_the_exported_log_gives_the_same_game(played):
    for journal in played:
        again, created = read_log(write_log(journal, created=CREATED))

        assert again.state == journal.state
        assert again.version == journal.version
        assert history(again) == history(journal)
        assert created == CREATED


def table_events(players):
    """List every event of play a phone could think of, sensible or not."""
    seats = range(players)
    return [
        *(ThreatRevealed(effect, n, icon) for effect, n in EFFECTS for icon in (False, True)),
        *(InnRevealed(whom, effect, n) for whom in ("most", "fewest") for effect, n in EFFECTS),
        *(TurnEnded(seat) for seat in seats),
        ScoringOpened(),
        *(OthersStruck(seat, effect, n) for seat in seats for effect, n in EFFECTS),
        *(GroupEntered(seat) for seat in seats),
        *(GroupAdvanced(seat, n) for seat in seats for n in (1, 2, 3)),
        *(GroupRemoved(seat, room) for seat in seats for room in range(7)),
        *(GuardianRevealed(seat) for seat in seats),
        *(PowerUsed(seat, power) for seat in seats for power in range(5)),
        SetupCorrected(tuple(of_colour(colour)[3].key for colour in COLOURS), (1, 1, 1, 1, 1)),
        *(SheetSigned(seat) for seat in seats),
        *(SheetReopened(seat) for seat in seats),
        *(MalusCounted(seat, 0) for seat in seats),
        *(GroupsCounted(seat, (0, 0, 0, 0, 0)) for seat in seats),
        *(PlaceFilled(seat, place, Monsters()) for seat in seats for place in PLACES),
    ]


def some_states(played):
    """Take a few states out of every game."""
    rng = random.Random(7)
    for journal in played:
        for step in rng.sample(journal.steps, min(3, len(journal.steps))):
            yield step.state


def test_every_listed_event_is_accepted(played):
    for state in some_states(played):
        for seat in range(len(state.players)):
            legal = legal_events(state, seat)

            assert legal
            assert len(set(legal)) == len(legal)
            for event in legal:
                assert RULES.owner(event) in (None, seat)
                apply(state, event)


def test_an_event_that_is_not_listed_is_refused_or_changes_nothing(played):
    typed_in = (MalusCounted, GroupsCounted, PlaceFilled, SetupCorrected)  # listed once, with any numbers
    for state in some_states(played):
        for seat in range(len(state.players)):
            legal = legal_events(state, seat)
            kinds = set(map(type, legal))
            for event in table_events(len(state.players)):
                if RULES.owner(event) not in (None, seat) or event in legal:
                    continue
                if isinstance(event, typed_in) and type(event) in kinds:
                    continue
                try:
                    after = apply(state, event)
                except IllegalEvent:
                    continue
                assert after == state, event


def test_a_phase_never_runs_backwards_except_for_a_reopened_sheet(played):
    order = list(Phase)
    for journal in played:
        before = journal.start
        for step in journal.steps:
            back = order.index(step.state.phase) < order.index(before.phase)
            assert not back or isinstance(step.event, SheetReopened)
            before = step.state
