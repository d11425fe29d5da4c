"""The final score of Dungeon Drop by the sentences of its rulebook, and two hundred random games."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import reduce

import pytest

from companion.dungeon_drop.game import RULES
from companion.dungeon_drop.game.cards import GemPoints, HeroCard, Quest
from companion.dungeon_drop.game.events import (
    CODEC,
    ChestsRolled,
    CubesGained,
    DamageCounted,
    HeroChosen,
    NumberTyped,
    PawnPointsCounted,
    QuestWritten,
    ReserveCounted,
    RoomLooted,
    ScoringOpened,
    SheetReopened,
    SheetSigned,
)
from companion.dungeon_drop.game.legal import legal_events
from companion.dungeon_drop.game.rules import apply
from companion.dungeon_drop.game.scoring import outcome, score
from companion.dungeon_drop.game.state import GameState, Phase, new_game
from companion.dungeon_drop.holdings import Held
from companion.dungeon_drop.pieces import COLLECTED, Kind
from companion.dungeon_drop.quests import Term, What, When
from companion.errors import IllegalEvent
from companion.journal import Journal
from companion.rules import make_setup
from tests.companion.builders import NAMES, entry


def scoring(
    *reserves: dict[Kind, int],
    quests: tuple[Quest, ...] = (),
    initiatives: tuple[int, ...] = (),
    teamwork: bool = False,
) -> GameState:
    """A table that only scores, with everything written down but the dice."""
    state = new_game(NAMES[: len(reserves)], teamwork=teamwork, tracked=False)
    for seat, held in enumerate(reserves):
        initiative = initiatives[seat] if initiatives else seat
        quest = quests[seat] if quests else Quest()
        for event in (
            HeroChosen(seat, HeroCard(initiative, 9)),
            QuestWritten(seat, quest),
            ReserveCounted(seat, tuple(Held(kind, count) for kind, count in held.items())),
        ):
            state = apply(state, event)
    return state


def points(state: GameState, key: str, seat: int = 0) -> int:
    return next(line.points for line in score(state, seat).lines if line.key == key)


def signed(state: GameState) -> GameState:
    return reduce(apply, (SheetSigned(seat) for seat in range(len(state.players))), state)


def test_what_each_cube_is_worth() -> None:
    held = {Kind.GOLD: 5, Kind.TROLL: 2, Kind.DRAGON: 1, Kind.GOBLIN: 4, Kind.POTION: 2, Kind.SHIELD: 1}
    state = scoring(held)
    assert (points(state, "gold"), points(state, "troll"), points(state, "dragon")) == (5, 4, 8)
    assert score(state, 0).total == 17


def test_gems_are_worth_what_the_quest_says() -> None:
    gems = {Kind.GEM_CLEAR: 1, Kind.GEM_BLUE: 2, Kind.GEM_PINK: 3}
    state = scoring(gems, quests=(Quest(GemPoints(4, 3, 0)),))
    assert [points(state, key) for key in ("gem_clear", "gem_blue", "gem_pink")] == [4, 6, 0]


def test_a_chest_is_rolled_for_each_pair_and_the_rest_is_worth_nothing() -> None:
    state = scoring({Kind.KEY: 2, Kind.CHEST: 3})
    with pytest.raises(IllegalEvent, match="one die"):
        apply(state, ChestsRolled(0, (3,)))
    with pytest.raises(IllegalEvent, match="one die"):
        apply(state, ChestsRolled(0, (3, 7)))
    with pytest.raises(IllegalEvent, match="Roll a chest"):
        apply(state, SheetSigned(0))
    state = apply(state, ChestsRolled(0, (3, 6)))
    assert points(state, "chests") == 9
    assert score(scoring({Kind.KEY: 4}), 0).total == 0


def test_dice_are_asked_for_anew_when_the_pairs_change() -> None:
    state = apply(scoring({Kind.KEY: 1, Kind.CHEST: 1}), ChestsRolled(0, (4,)))
    more = apply(state, ReserveCounted(0, (Held(Kind.KEY, 2), Held(Kind.CHEST, 2))))
    assert more.adventurers[0].dice == ()
    same = apply(state, ReserveCounted(0, (Held(Kind.KEY, 1), Held(Kind.CHEST, 1), Held(Kind.GOLD, 1))))
    assert same.adventurers[0].dice == (4,)


def test_the_bonus_counts_cubes_damage_and_a_typed_number() -> None:
    bonus = (
        Term(2, When.EACH, What.CUBES, (Kind.GOBLIN,)),
        Term(1, When.EACH, What.DAMAGE),
        Term(1, When.EACH, What.TYPED),
    )
    state = scoring({Kind.GOBLIN: 3}, quests=(Quest(bonus=bonus),))
    state = apply(apply(state, DamageCounted(0, 4)), NumberTyped(0, 5))
    assert points(state, "bonus") == 6 + 4 + 5


def test_the_bonus_compares_with_the_others() -> None:
    most = (Term(5, When.MOST, What.CUBES, (Kind.GOLD,), ties=False),)
    held = ({Kind.GOLD: 3}, {Kind.GOLD: 2})
    assert points(scoring(*held, quests=(Quest(bonus=most), Quest())), "bonus") == 5
    assert points(scoring(*held[::-1], quests=(Quest(bonus=most), Quest())), "bonus") == 0


def test_teamwork_points_count() -> None:
    state = apply(scoring({Kind.GOLD: 1}, teamwork=True), PawnPointsCounted(0, 3))
    assert score(state, 0).total == 4


def test_the_highest_score_wins() -> None:
    result = outcome(signed(scoring({Kind.GOLD: 3}, {Kind.GOLD: 5})))
    assert result is not None
    assert [(p.seat, p.score, p.rank, p.winner) for p in result.placings] == [
        (1, 5, 1, True),
        (0, 3, 2, False),
    ]


def test_of_equal_scores_the_higher_initiative_wins() -> None:
    held = {Kind.GOLD: 4}
    result = outcome(signed(scoring(held, held, {Kind.GOLD: 1}, initiatives=(3, 8, 9))))
    assert result is not None
    assert [(p.seat, p.rank, p.winner) for p in result.placings] == [
        (1, 1, True),
        (0, 2, False),
        (2, 3, False),
    ]
    assert "higher initiative" in str(result.reason)


def test_a_sheet_needs_a_quest_and_can_be_reopened() -> None:
    state = new_game(NAMES[:1], tracked=False)
    with pytest.raises(IllegalEvent, match="quest first"):
        apply(state, SheetSigned(0))
    state = signed(apply(state, QuestWritten(0, Quest())))
    assert state.phase is Phase.FINISHED
    with pytest.raises(IllegalEvent, match="complete"):
        apply(state, QuestWritten(0, Quest()))
    assert apply(state, SheetReopened(0)).phase is Phase.SCORING


def made_up(rng: random.Random, event: object) -> object:
    """Fill in what a player would type."""
    kind = rng.choice(COLLECTED)
    match event:
        case HeroChosen():
            return replace(event, card=HeroCard(rng.randint(0, 30), rng.randint(7, 9), "Orc"))
        case CubesGained():
            return replace(event, held=Held(kind, 1))
        case RoomLooted():
            return replace(event, loot=(Held(kind, rng.randint(0, 1)), Held(Kind.GOLD, 1)))
        case ReserveCounted():
            return replace(
                event, held=(Held(kind, 1), Held(Kind.KEY, rng.randint(0, 2)), Held(Kind.CHEST, 1))
            )
        case _:
            return event


@pytest.mark.parametrize("seed", range(200))
def test_random_games_end_and_replay_to_the_same_state(seed: int) -> None:
    rng = random.Random(seed)
    players = NAMES[: rng.randint(1, 4)]
    options = {"mode": rng.choice(("full", "full", "score")), "teamwork": rng.choice(("no", "yes"))}
    journal = Journal.begin(RULES, make_setup(RULES, players, options))
    for _ in range(3000):
        if journal.outcome is not None:
            break
        seat = rng.randrange(len(players))
        legal = legal_events(journal.state, seat)
        unlikely = (ScoringOpened, SheetReopened, CubesGained)
        likely = [each for each in legal if not isinstance(each, unlikely) or rng.random() < 0.03]
        if not likely:
            continue
        event = rng.choice(likely)
        try:
            body = CODEC.write(made_up(rng, event))
            journal = journal.follow(entry(journal, seat, body))
        except IllegalEvent as error:
            assert not isinstance(event, SheetSigned), error
        for them in journal.state.adventurers:
            assert 0 <= them.damage <= max(0, them.hit_points - 1)
            assert all(held.count > 0 for held in them.reserve.held)
    assert journal.outcome is not None
    assert sum(p.winner for p in journal.outcome.placings) >= 1
    again = Journal.begin(RULES, journal.setup)
    for each in journal.entries:
        again = again.follow(replace(each, body=json.loads(json.dumps(each.body))))
    assert again.state == journal.state


def test_every_event_that_is_offered_is_accepted() -> None:
    rng = random.Random(7)
    state = new_game(NAMES[:3], teamwork=True)
    for _ in range(400):
        offers = [event for seat in range(3) for event in legal_events(state, seat)]
        for event in offers:
            apply(state, event)
        state = apply(state, rng.choice(offers))
