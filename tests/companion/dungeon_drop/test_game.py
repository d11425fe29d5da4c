"""A game of Dungeon Drop by the sentences of its rulebook: heroes, turns, looting, rounds."""

from __future__ import annotations

from functools import reduce

import pytest

from companion.dungeon_drop.game import RULES
from companion.dungeon_drop.game.cards import GemPoints, HeroCard, Quest
from companion.dungeon_drop.game.events import (
    AbilityUsed,
    CubesDropped,
    CubesFell,
    CubesGained,
    CubesReturned,
    GameBegun,
    Healed,
    HeroChosen,
    Hurt,
    LootSkipped,
    LootSpoilt,
    PotionDrunk,
    QuestWritten,
    RoomLooted,
    ScoringOpened,
    SheetSigned,
)
from companion.dungeon_drop.game.rules import apply
from companion.dungeon_drop.game.state import GameState, Phase, Step, new_game
from companion.dungeon_drop.game.view import view_for
from companion.dungeon_drop.holdings import Held, Reserve
from companion.dungeon_drop.pieces import Kind, Size
from companion.errors import BadData, IllegalEvent
from companion.rules import make_setup

NAMES = ("Ana", "Bo", "Cléo", "Dia")


def begun(count: int = 2, *, hit_points: int = 8, teamwork: bool = False) -> GameState:
    """A game that has begun; initiatives grow with the seats."""
    state = new_game(NAMES[:count], teamwork=teamwork)
    events = [HeroChosen(seat, HeroCard(10 + seat, hit_points)) for seat in range(count)]
    return after(state, *events, GameBegun())


def after(state: GameState, *events) -> GameState:
    return reduce(apply, events, state)


def exploring_done(state: GameState) -> GameState:
    return after(state, CubesDropped(state.turn))


def looted(state: GameState, *held: Held, **used) -> GameState:
    """The hero whose turn it is drops the cubes and takes a room."""
    return after(exploring_done(state), RoomLooted(state.turn, held, **used))


def holding(state: GameState, seat: int, *held: Held) -> GameState:
    return after(state, *(CubesGained(seat, part) for part in held))


def reserve(state: GameState, seat: int = 0) -> dict[Kind, int]:
    return {kind: count for kind in Kind if (count := state.adventurers[seat].reserve.count(kind))}


# Heroes and quests


def test_the_game_begins_when_every_hero_is_known() -> None:
    state = after(new_game(NAMES[:2]), HeroChosen(0, HeroCard(5, 8)))
    with pytest.raises(IllegalEvent, match="every player"):
        apply(state, GameBegun())
    state = after(state, HeroChosen(1, HeroCard(3, 7)), GameBegun())
    assert state.phase is Phase.PLAYING
    with pytest.raises(IllegalEvent, match="already begun"):
        apply(state, GameBegun())


def test_nothing_is_played_before_that() -> None:
    with pytest.raises(IllegalEvent, match="every player"):
        apply(new_game(NAMES[:2]), CubesDropped(0))


def test_the_first_round_goes_from_the_lowest_initiative_up() -> None:
    state = new_game(NAMES[:3])
    cards = [HeroChosen(seat, HeroCard(initiative, 8)) for seat, initiative in enumerate((7, 2, 5))]
    assert after(state, *cards, GameBegun()).order == (1, 2, 0)


@pytest.mark.parametrize(
    "card",
    [
        {"initiative": -1, "hit_points": 8},
        {"initiative": 1, "hit_points": 1},
        {"initiative": 1, "hit_points": 99},
    ],
)
def test_impossible_cards_are_refused(card: dict[str, int]) -> None:
    with pytest.raises(BadData):
        HeroCard(**card)


def test_a_card_can_be_corrected_but_not_below_the_damage() -> None:
    state = after(begun(), Hurt(0, 6), HeroChosen(0, HeroCard(10, 7, "Elf")))
    assert state.adventurers[0].title == "Elf"
    with pytest.raises(IllegalEvent, match="cannot die"):
        apply(state, HeroChosen(0, HeroCard(10, 6)))


# A turn


@pytest.mark.parametrize(("players", "cubes"), [(1, 4), (2, 6), (3, 4), (4, 3)])
def test_exploring_drops_cubes_by_the_number_of_players(players: int, cubes: int) -> None:
    assert begun(players).explored == cubes


def test_a_turn_is_explore_then_one_ability_then_loot() -> None:
    state = begun()
    with pytest.raises(IllegalEvent, match="Explore first"):
        apply(state, RoomLooted(0, ()))
    with pytest.raises(IllegalEvent, match="Explore first"):
        apply(state, AbilityUsed(0, "race"))
    state = exploring_done(state)
    with pytest.raises(IllegalEvent, match="have been dropped"):
        apply(state, CubesDropped(0))
    state = apply(state, AbilityUsed(0, "class"))
    assert state.step is Step.LOOT
    with pytest.raises(IllegalEvent, match="One ability a turn"):
        apply(state, AbilityUsed(0, "race"))
    assert apply(state, RoomLooted(0, ())).turn == 1


def test_the_ability_may_be_left_out() -> None:
    assert looted(begun(), Held(Kind.GOLD, 1, Size.SMALL)).turn == 1


def test_only_the_hero_whose_turn_it_is_takes_one() -> None:
    with pytest.raises(IllegalEvent, match="It is Ana's turn"):
        apply(begun(), CubesDropped(1))


def test_cubes_from_the_floor_wait_for_the_next_exploration() -> None:
    state = after(exploring_done(begun()), CubesFell(2), CubesFell(1), LootSkipped(0))
    assert state.waiting == 3
    assert exploring_done(state).waiting == 0
    for count in (0, -1, 94):
        with pytest.raises(IllegalEvent):
            apply(state, CubesFell(count))


def test_abilities_heal_hurt_give_and_take() -> None:
    state = after(begun(), Hurt(1, 3), Healed(1, 2), CubesGained(1, Held(Kind.KEY, 1, Size.SMALL)))
    assert state.adventurers[1].damage == 1
    assert reserve(state, 1) == {Kind.KEY: 1}
    assert reserve(after(state, CubesReturned(1, Held(Kind.KEY, 1))), 1) == {}


def test_nobody_loses_the_last_hit_point_by_an_ability() -> None:
    assert after(begun(), Hurt(0, 7)).adventurers[0].damage == 7
    with pytest.raises(IllegalEvent, match="cannot die"):
        apply(begun(), Hurt(0, 8))


@pytest.mark.parametrize(
    "event", [Healed(0, 1), Hurt(0, 0), CubesReturned(0, Held(Kind.GOLD, 1)), PotionDrunk(0)]
)
def test_abilities_do_nothing_impossible(event) -> None:
    with pytest.raises(IllegalEvent):
        apply(begun(), event)


@pytest.mark.parametrize(
    "held",
    [Held(Kind.PILLAR, 1), Held(Kind.STAIRS, 1), Held(Kind.TROLL, 1, Size.SMALL), Held(Kind.GOLD, 21)],
)
def test_what_the_box_does_not_give_is_not_collected(held: Held) -> None:
    with pytest.raises(IllegalEvent):
        apply(begun(), CubesGained(0, held))


def test_sizes_are_kept_where_they_are_known() -> None:
    state = holding(
        begun(), 0, Held(Kind.GOLD, 2, Size.SMALL), Held(Kind.GOLD, 1, Size.LARGE), Held(Kind.GOLD, 1)
    )
    state = after(state, CubesReturned(0, Held(Kind.GOLD, 3, Size.SMALL)))
    # Two small ones, and one whose size nobody noted.
    assert state.adventurers[0].reserve == Reserve((Held(Kind.GOLD, 1, Size.LARGE),))


# Looting


def test_everything_in_the_room_is_collected() -> None:
    state = looted(
        begun(), Held(Kind.GOLD, 2, Size.SMALL), Held(Kind.GEM_BLUE, 1, Size.LARGE), Held(Kind.GOBLIN, 2)
    )
    assert reserve(state) == {Kind.GOLD: 2, Kind.GEM_BLUE: 1, Kind.GOBLIN: 2}
    assert state.adventurers[0].damage == 2


def test_damage_goblins_1_trolls_2() -> None:
    state = looted(begun(), Held(Kind.GOBLIN, 3), Held(Kind.TROLL, 2))
    assert state.adventurers[0].damage == 7


def test_a_room_that_costs_the_last_hit_point_may_not_be_looted() -> None:
    with pytest.raises(IllegalEvent, match="cannot die"):
        looted(begun(), Held(Kind.GOBLIN, 8))


def test_the_dragon_needs_a_shield() -> None:
    tough = begun(hit_points=20)
    with pytest.raises(IllegalEvent, match="with a shield"):
        looted(tough, Held(Kind.DRAGON, 1))
    state = looted(holding(tough, 0, Held(Kind.SHIELD, 1)), Held(Kind.DRAGON, 1), shields=1)
    assert (state.adventurers[0].damage, reserve(state)) == (0, {Kind.DRAGON: 1})


def test_a_shield_goes_on_the_most_damaging_monster() -> None:
    state = holding(begun(), 0, Held(Kind.SHIELD, 2))
    state = looted(state, Held(Kind.GOBLIN, 2), Held(Kind.TROLL, 1), shields=1)
    assert state.adventurers[0].damage == 2
    assert reserve(state) == {Kind.SHIELD: 1, Kind.GOBLIN: 2, Kind.TROLL: 1}


def test_shields_and_potions_must_be_in_the_reserve_before() -> None:
    for kind, used in ((Kind.SHIELD, {"shields": 1}), (Kind.POTION, {"potions": 1})):
        with pytest.raises(IllegalEvent, match="before the loot"):
            looted(begun(), Held(kind, 1), Held(Kind.GOBLIN, 1), **used)


def test_a_shield_needs_a_monster() -> None:
    with pytest.raises(IllegalEvent, match="against a monster"):
        looted(holding(begun(), 0, Held(Kind.SHIELD, 1)), Held(Kind.GOLD, 1), shields=1)


def test_a_potion_heals_three_of_the_damage_before_and_goes_back_to_the_table() -> None:
    state = after(holding(begun(), 0, Held(Kind.POTION, 1)), Hurt(0, 6))
    with pytest.raises(IllegalEvent, match="cannot die"):
        looted(state, Held(Kind.TROLL, 2))
    state = looted(state, Held(Kind.TROLL, 2), potions=1)
    assert state.adventurers[0].damage == 7
    assert reserve(state) == {Kind.TROLL: 2}


def test_a_potion_does_not_heal_what_the_same_loot_costs() -> None:
    state = holding(begun(), 0, Held(Kind.POTION, 1))
    with pytest.raises(IllegalEvent, match="cannot die"):
        looted(state, Held(Kind.TROLL, 4), potions=1)


def test_a_potion_may_be_drunk_on_its_own() -> None:
    state = after(holding(begun(), 0, Held(Kind.POTION, 1)), Hurt(0, 2), PotionDrunk(0))
    assert (state.adventurers[0].damage, reserve(state)) == (0, {})


def test_healed_monsters_stay_in_the_reserve() -> None:
    state = looted(begun(), Held(Kind.TROLL, 1))
    assert reserve(after(state, Healed(0, 2))) == {Kind.TROLL: 1}


def test_a_forbidden_room_looted_by_accident_costs_the_turn_and_gives_nothing() -> None:
    state = after(exploring_done(begun()), LootSpoilt(0))
    assert (state.turn, reserve(state), state.adventurers[0].damage) == (1, {}, 0)


# Teamwork


def test_a_pawn_in_the_looted_room_is_a_point_for_its_owner() -> None:
    state = looted(begun(3, teamwork=True), Held(Kind.GOLD, 1), pawns=(1, 2))
    assert [adventurer.pawn_points for adventurer in state.adventurers] == [0, 1, 1]


@pytest.mark.parametrize("pawns", [(0,), (1, 1), (7,)])
def test_the_own_pawn_gives_nothing_and_each_has_one(pawns: tuple[int, ...]) -> None:
    with pytest.raises(IllegalEvent, match="one pawn"):
        looted(begun(3, teamwork=True), pawns=pawns)


def test_without_teamwork_there_are_no_pawns() -> None:
    with pytest.raises(IllegalEvent, match="teamwork"):
        looted(begun(), pawns=(1,))


# Rounds


def test_the_next_round_goes_from_the_lightest_to_the_heaviest() -> None:
    state = looted(begun(3), Held(Kind.GOLD, 3), Held(Kind.GOBLIN, 1))
    state = looted(state, Held(Kind.GOBLIN, 5), Held(Kind.KEY, 1))
    state = looted(state, Held(Kind.POTION, 2))
    # Monsters do not weigh: 3, 1 and 2 treasures.
    assert (state.round, state.order, state.step) == (2, (1, 2, 0), Step.EXPLORE)


def test_of_equal_weights_the_lower_initiative_goes_first() -> None:
    state = new_game(NAMES[:2])
    state = after(state, HeroChosen(0, HeroCard(9, 8)), HeroChosen(1, HeroCard(4, 8)), GameBegun())
    state = looted(looted(state, Held(Kind.GOLD, 2)), Held(Kind.CHEST, 2))
    assert state.order == (1, 0)


def test_after_three_rounds_points_are_counted() -> None:
    state = begun()
    for _ in range(6):
        assert state.phase is Phase.PLAYING
        state = looted(state)
    assert state.phase is Phase.SCORING
    assert state.turn is None
    with pytest.raises(IllegalEvent, match="The game is over"):
        apply(state, CubesFell(1))


def test_a_table_may_stop_earlier() -> None:
    assert after(begun(), ScoringOpened()).phase is Phase.SCORING


def test_points_are_not_counted_before() -> None:
    with pytest.raises(IllegalEvent, match="at the end"):
        apply(begun(), SheetSigned(0))


# Secrets


def test_a_quest_is_seen_by_its_owner_only_until_the_end() -> None:
    secret = Quest(GemPoints(17, 19, 13), name="Queen's favour")
    state = after(begun(), QuestWritten(0, secret))
    assert view_for(state, 0).heroes[0].quest == secret
    for watcher in (1, None):
        seen = view_for(state, watcher)
        assert seen.heroes[0].quest is None
        assert seen.heroes[0].has_quest
        assert seen.heroes[0].sheet is None
        assert "17" not in repr(seen)
        assert "favour" not in repr(seen)
    assert view_for(after(state, ScoringOpened()), 1).heroes[0].quest == secret


def test_the_history_does_not_tell_a_quest() -> None:
    state = begun()
    event = QuestWritten(0, Quest(GemPoints(17, 19, 13), name="Queen's favour"))
    words = " ".join(map(str, RULES.tell(state, event, apply(state, event))))
    assert "17" not in words
    assert "favour" not in words


# Photos


def test_cubes_of_a_photo_that_were_looted_are_gone_until_the_next_photo() -> None:
    state = looted(begun(), Held(Kind.GOLD, 1), look=3, cubes=(7, 9))
    assert (state.look, state.taken) == (3, (7, 9))
    state = looted(state, Held(Kind.KEY, 1), look=3, cubes=(2,))
    assert state.taken == (7, 9, 2)
    assert looted(state, look=4, cubes=(1,)).taken == (1,)
    assert looted(state, Held(Kind.GOLD, 1)).taken == (7, 9, 2)


@pytest.mark.parametrize(
    ("options", "recorded", "solo"), [({}, False, False), ({}, True, True), ({"solo": "no"}, True, False)]
)
def test_games_older_than_the_choice_of_solo_cubes_may_have_them(options, recorded, solo):
    setup = make_setup(RULES, NAMES[:2], options, recorded=recorded)
    assert RULES.start(setup).solo is solo
