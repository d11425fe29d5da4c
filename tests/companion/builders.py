"""Ready-made games, dungeons and logs for tests, and random ones for hypothesis."""

import threading
from dataclasses import replace

from hypothesis import strategies as st

from companion.apprentis import RULES
from companion.apprentis.board import DEFAULT_PILES, FIGURES, NOBODY, PLACES, Kind, Monsters, Place
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
from companion.apprentis.objectives import COLOURS, of_colour
from companion.apprentis.rules import apply
from companion.apprentis.state import Dungeon, Phase, new_game
from companion.errors import CompanionError
from companion.journal import Journal
from companion.rules import make_setup
from companion.store import GameRow
from companion.trail import Entry

NAMES = ("Ana", "Ben", "Cleo", "Dan")
OBJECTIVES = ("spider-brou", "brou-pairs", "vampire-crowd", "dragon-each")
NO_GROUPS = (0, 0, 0, 0, 0)

WHEN = "2026-01-31T20:15:00+00:00"


def a_dungeon(*, rooms=None, corridors=None, entrance=None, **facts):
    """Build a dungeon; ``rooms={"brou": (1, 0, 2, 0, 0)}`` puts brous in rooms 1 and 3."""
    crowds = {place: {} for place in PLACES}
    for kind, counts in (rooms or {}).items():
        for number, count in enumerate(counts, start=1):
            crowds[Place(f"room{number}")][kind] = count
    for kind, counts in (corridors or {}).items():
        for number, count in enumerate(counts, start=1):
            crowds[Place(f"corridor{number}")][kind] = count
    crowds[Place.ENTRANCE].update(entrance or {})
    contents = tuple(Monsters(**crowds[place]) if crowds[place] else NOBODY for place in PLACES)
    return Dungeon(contents=contents, **facts)


def a_game(players=2, *dungeons, objectives=OBJECTIVES, first=0, piles=DEFAULT_PILES, **changes):
    """Build a game in play; given dungeons replace the first ones, *changes* any other fact."""
    state = new_game(NAMES[:players], objectives, first=first, piles=piles)
    for seat, dungeon in enumerate(dungeons):
        state = state.with_dungeon(seat, dungeon)
    return replace(state, **changes)


def a_scoring(players=2, *dungeons, phase=Phase.SCORING, **changes):
    """Build a game whose points are being counted; dungeons not given are empty."""
    empty = (Dungeon(),) * (players - len(dungeons))
    return a_game(players, *dungeons, *empty, phase=phase, **changes)


def play(state, *events):
    """Apply several events."""
    for event in events:
        state = apply(state, event)
    return state


def a_journal(players=2, *, mode="full", first=0, **options):
    """Open the log of a new game."""
    return Journal.begin(RULES, make_setup(RULES, NAMES[:players], {"mode": mode, **options}, first=first))


def entry(journal, by, event, *, at="", action=None):
    """Make the next entry of *journal* from an event or from a ready body."""
    body = event if isinstance(event, dict) else CODEC.write(event)
    seq = journal.version + 1
    return Entry(seq, by, at, action or f"tap-{seq}", body)


def follow(journal, *taps, at=""):
    """Add several ``(seat, event)`` to a journal."""
    for by, event in taps:
        journal = journal.follow(entry(journal, by, event, at=at))
    return journal


def undone(seq):
    """Make the body that takes one event back."""
    return {"type": "undone", "event": seq}


def rewound(seq):
    """Make the body that goes back to the moment after an event."""
    return {"type": "rewound", "to": seq}


REDONE = {"type": "redone"}


def history(journal):
    """Return the whole story in English, one string per event."""
    return [" ".join(map(str, journal.words(place))) for place in range(len(journal.steps))]


def at_once(*jobs):
    """Run all jobs at the same moment in threads; return what each returned or raised."""
    barrier = threading.Barrier(len(jobs))
    found = [None] * len(jobs)

    def run(number, job):
        barrier.wait()
        try:
            found[number] = job()
        except CompanionError as error:
            found[number] = error

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


# Random values. Numbers stay near what the rules allow, so that both sides of each limit are met.

seats = st.integers(0, 3)
effects = st.sampled_from(Effect)
steps = st.integers(0, 4)
small = st.sampled_from((0, 0, 0, 0, 1, 1, 2, 3))
crowds = st.builds(Monsters, **{str(kind): small for kind in Kind})
full_crowds = st.builds(Monsters, **{str(kind): st.integers(0, most) for kind, most in FIGURES.items()})

sides = st.tuples(*(st.sampled_from([side.key for side in of_colour(colour)]) for colour in COLOURS))
piles = st.lists(st.integers(0, 2), min_size=5, max_size=5).map(tuple)

events = st.one_of(
    st.builds(ThreatRevealed, effects, steps, st.booleans()),
    st.builds(InnRevealed, st.sampled_from(("most", "fewest")), effects, steps),
    st.builds(OthersStruck, seats, effects, steps),
    st.builds(GroupEntered, seats),
    st.builds(GroupAdvanced, seats, steps),
    st.builds(GroupRemoved, seats, st.integers(0, 6)),
    st.builds(GuardianRevealed, seats),
    st.builds(PowerUsed, seats, st.integers(0, 4)),
    st.builds(TurnEnded, seats),
    st.builds(ScoringOpened),
    st.builds(SetupCorrected, sides, piles),
    st.builds(PlaceFilled, seats, st.sampled_from(Place), full_crowds),
    st.builds(GroupsCounted, seats, st.tuples(small, small, small, small, small)),
    st.builds(MalusCounted, seats, st.integers(-1, 6)),
    st.builds(SheetSigned, seats),
    st.builds(SheetReopened, seats),
)


def a_row(code="abc", **changes):
    """Build a game that can be stored."""
    row = GameRow(
        code=code,
        game="apprentis",
        players=("Ana", "Zoë"),
        first=1,
        options={"mode": "full", "piles": (0, 2, 2, 2, 2)},
        created=WHEN,
        touched=WHEN,
        host=None,
        listed=True,
        seating=0,
        result=None,
        deleted=None,
    )
    return replace(row, **changes)


def an_entry(seq=1, *, action=None, at=WHEN, **body):
    return Entry(seq, 0, at, action or f"tap-{seq}", body or {"type": "group_entered", "player": 0})
