"""The course of the Welcome games: bidding, who goes in, success and aid cards, who wins."""

import random

import pytest

from companion.errors import BadData, IllegalEvent
from companion.games import GAMES
from companion.rules import make_setup
from companion.welcome.game.events import (
    AdventurerChosen,
    BiddingSkipped,
    CardsNoted,
    DelveEnded,
    HitTaken,
    KindNamed,
    MonsterAdded,
    MonsterSetAside,
    MonsterSwapped,
    MonsterTurned,
    PlayerPassed,
    TileLost,
    TilesRecalled,
    TileUsed,
    TileWritten,
    independent,
    owner,
    without_secrets,
)
from companion.welcome.game.memory import tiles_written
from companion.welcome.game.scoring import outcome
from companion.welcome.game.view import view_for
from companion.welcome.game.words import tell
from companion.welcome.monsters import SPECIAL, Monster
from companion.welcome.tiles import Tile, heroes, printed_tiles
from tests.companion.welcome.tables import a_delve, a_table, after

M = Monster
HARMLESS, DEADLY = (M.GOBLIN,), (M.DRAGON, M.DEMON)


def setup_of(game="welcome-back", *, seed=1, players=("Ana", "Ben"), **options):
    rules = GAMES[game]
    checked = make_setup(rules, players, options)
    return make_setup(rules, players, rules.settle(checked.options, random.Random(seed)))


def start_of(game="welcome-back", **more):
    return GAMES[game].start(setup_of(game, **more))


# Setting up


def test_a_drawn_adventurer_is_one_of_the_box_and_the_bidding_begins():
    drawn = {start_of("welcome", seed=seed).bids.hero for seed in range(40)}

    assert drawn == {"warrior", "barbarian", "mage", "rogue"}


def test_both_boxes_have_eight_adventurers():
    assert len(start_of("welcome", boxes="both").heroes) == 8


def test_the_first_player_may_choose_the_first_adventurer():
    table = start_of("welcome", hero="choose")

    assert table.phase == "choosing"
    assert after(table, AdventurerChosen("mage")).bids.left == heroes()["mage"].tiles


def test_welcome_back_draws_two_different_special_monsters():
    drawn = [start_of(seed=seed).specials for seed in range(40)]

    assert all(len(set(pair)) == 2 for pair in drawn)
    assert {monster for pair in drawn for monster in pair} == set(SPECIAL)
    assert all(len(pair) + 13 == 15 for pair in drawn)


def test_welcome_to_the_dungeon_has_13_cards():
    assert start_of("welcome").deck_size == 13


def test_the_same_special_monster_cannot_be_chosen_twice():
    with pytest.raises(BadData, match="only one of each"):
        setup_of(special_1="fairy", special_2="fairy")


def test_an_adventurer_of_the_other_box_cannot_be_chosen():
    with pytest.raises(BadData, match="other box"):
        setup_of("welcome", hero="ninja")


def test_a_recorded_set_up_with_a_doubled_special_monster_is_refused():
    rules = GAMES["welcome-back"]
    broken = make_setup(rules, ("Ana", "Ben"), {"special_1": "fairy", "special_2": "fairy", "hero": "ninja"})

    with pytest.raises(BadData, match="only one of each"):
        rules.start(broken)


# Bidding


def test_an_added_monster_is_one_card_more_in_the_dungeon_and_the_next_one_bids():
    table = after(a_table(), MonsterAdded(0))

    assert (table.bids.in_dungeon, table.pile, table.turn) == (1, 12, 1)


def test_a_monster_set_aside_leaves_with_the_tile():
    table = after(a_table(), MonsterSetAside(0, "torch"))

    assert (table.bids.in_dungeon, table.bids.set_aside, table.pile) == (0, 1, 12)
    assert "torch" not in table.bids.left


def test_turns_go_clockwise_past_those_who_passed():
    table = after(a_table(), MonsterAdded(0), PlayerPassed(1), MonsterAdded(2), MonsterAdded(0))

    assert table.turn == 2


def test_the_last_one_who_has_not_passed_goes_in():
    table = after(a_table(), MonsterAdded(0), PlayerPassed(1), PlayerPassed(2))

    assert (table.phase, table.turn) == ("delving", 0)
    assert table.delve.hp == 3 + 5 + 3


def test_an_empty_dungeon_is_survived():
    table = after(a_table(2), PlayerPassed(0), KindNamed("vorpal-sword", M.DRAGON), DelveEnded())

    assert table.successes == (0, 1)


def test_without_tiles_a_drawn_monster_must_be_added():
    table = a_table(2)
    for seat, tile in zip((0, 1) * 3, heroes()["warrior"].tiles, strict=True):
        table = after(table, MonsterSetAside(seat, tile))

    assert view_for(table, 0).must_add
    with pytest.raises(IllegalEvent, match="not there any more"):
        after(table, MonsterSetAside(0, "torch"))
    assert after(table, MonsterAdded(0)).bids.in_dungeon == 1


def test_with_an_empty_draw_pile_only_passing_is_left():
    table = after(a_table(2), *(MonsterAdded(seat) for seat in (0, 1) * 6), MonsterAdded(0))

    assert table.pile == 0
    with pytest.raises(IllegalEvent, match="must pass"):
        after(table, MonsterAdded(1))
    assert after(table, PlayerPassed(1)).turn == 0


def test_in_the_variant_everybody_adds_on_the_first_turn():
    table = a_table(2, must_add_first=True)

    for event in (PlayerPassed(0), MonsterSetAside(0, "torch")):
        with pytest.raises(IllegalEvent, match="first turn"):
            after(table, event)
    later = after(table, MonsterAdded(0), MonsterAdded(1))
    assert after(later, MonsterSetAside(0, "torch")).turn == 1
    assert after(later, PlayerPassed(0)).phase == "delving"


@pytest.mark.parametrize(
    ("event", "words"),
    [
        pytest.param(MonsterAdded(1), "Ana's turn", id="out of turn"),
        pytest.param(PlayerPassed(2), "Ana's turn", id="passing out of turn"),
        pytest.param(MonsterAdded(7), "no such player", id="a stranger"),
        pytest.param(MonsterSetAside(0, "ninjato"), "not there", id="another adventurer's tile"),
        pytest.param(AdventurerChosen("mage"), "has been chosen", id="a second adventurer"),
        pytest.param(MonsterTurned(M.ORC), "Nobody is in the dungeon", id="no delve"),
        pytest.param(DelveEnded(), "Nobody is in the dungeon", id="nothing to end"),
        pytest.param(MonsterAdded(0, M.FAIRY), "not so many", id="a card that is not in the game"),
        pytest.param(BiddingSkipped(0, ("ninjato",), 2), "does not belong", id="a foreign tile"),
        pytest.param(BiddingSkipped(0, ("torch", "torch"), 2), "does not belong", id="a tile twice"),
        pytest.param(BiddingSkipped(0, (), 8), "not so many cards", id="more cards than are left"),
    ],
)
def test_what_the_bidding_forbids_is_said_in_a_sentence(event, words):
    with pytest.raises(IllegalEvent, match=words):
        after(a_table(), event)


def test_before_an_adventurer_is_chosen_nobody_bids():
    with pytest.raises(IllegalEvent, match="First an adventurer"):
        after(a_table(hero=None), MonsterAdded(0))


def test_the_bidding_can_be_skipped_straight_to_the_dungeon():
    table = after(a_table(), BiddingSkipped(2, ("torch", "plate-armor"), 4))

    assert (table.turn, table.phase, table.delve.hp) == (2, "delving", 8)
    assert (table.bids.in_dungeon, table.bids.set_aside, table.pile) == (4, 4, 5)


# In the dungeon


def test_a_kind_is_named_before_the_first_card():
    inside = after(a_table(), BiddingSkipped(0, ("vorpal-sword",), 1))

    assert view_for(inside, 0).naming == "vorpal-sword"
    with pytest.raises(IllegalEvent, match="named"):
        after(inside, MonsterTurned(M.ORC))
    named = after(inside, KindNamed("vorpal-sword", M.ORC), MonsterTurned(M.ORC))
    assert named.delve.hp == 3


def test_a_special_monster_that_is_not_in_the_game_cannot_be_named():
    with pytest.raises(IllegalEvent, match="cannot be named"):
        after(a_table(), BiddingSkipped(0, ("vorpal-sword",), 1), KindNamed("vorpal-sword", M.MIMIC))


def test_a_choice_waits_until_it_is_made():
    inside = after(a_table(hero="barbarian"), BiddingSkipped(0, ("vorpal-axe", "chainmail"), 2))
    facing = after(inside, MonsterTurned(M.LICH))

    assert facing.delve.facing is M.LICH
    for event in (MonsterTurned(M.ORC), DelveEnded()):
        with pytest.raises(IllegalEvent, match="turned last"):
            after(facing, event)
    assert after(facing, TileUsed("vorpal-axe")).delve.hp == 8
    assert after(facing, HitTaken()).delve.hp == 2
    with pytest.raises(IllegalEvent, match="cannot be done"):
        after(facing, TileUsed("chainmail"))


def test_polymorph_takes_a_card_of_the_draw_pile():
    inside = after(a_table(hero="mage"), BiddingSkipped(0, ("polymorph", "wall-of-fire"), 2))
    swapped = after(inside, MonsterTurned(M.DRAGON), MonsterSwapped("polymorph", M.GOBLIN))

    assert swapped.delve.hp == 7
    assert swapped.pile == inside.pile - 1
    assert swapped.delve.kit.tiles == ("wall-of-fire",)


def test_the_cube_takes_a_tile_of_ones_choice():
    table = a_table(hero="warrior", specials=(M.CUBE,))
    facing = after(table, BiddingSkipped(0, ("torch", "plate-armor"), 1), MonsterTurned(M.CUBE))

    assert after(facing, TileLost("plate-armor")).delve.hp == 8


def test_no_more_cards_of_a_kind_than_there_are():
    inside = after(a_table(), BiddingSkipped(0, ("plate-armor", "torch"), 5), MonsterTurned(M.ORC))
    both = after(inside, MonsterTurned(M.ORC))

    assert view_for(both, 1).unseen[M.ORC] == 0
    with pytest.raises(IllegalEvent, match="have been seen"):
        after(both, MonsterTurned(M.ORC))


def test_a_dungeon_that_was_counted_wrongly_can_be_longer_or_shorter():
    inside = after(a_table(), BiddingSkipped(0, ("plate-armor", "torch"), 1), MonsterTurned(M.ORC))

    assert after(inside, MonsterTurned(M.GOBLIN)).bids.in_dungeon == 2
    assert after(a_table(), BiddingSkipped(0, ("torch",), 5), DelveEnded()).successes == (1, 0, 0)


def test_after_the_last_blow_no_card_is_turned():
    inside = after(a_table(), BiddingSkipped(0, (), 3), MonsterTurned(M.DRAGON))

    with pytest.raises(IllegalEvent, match="has fallen"):
        after(inside, MonsterTurned(M.ORC))


# Success and aid cards


def test_who_survives_takes_a_success_card_chooses_and_starts():
    table = a_delve(a_table(hero="barbarian"), 1, *HARMLESS)

    assert (table.successes, table.aids) == ((0, 1, 0), ("white",) * 3)
    assert (table.phase, table.turn, table.round) == ("choosing", 1, 2)


def test_who_fails_turns_the_aid_card_red_and_still_chooses():
    table = a_delve(a_table(hero="barbarian"), 2, *DEADLY[:1])

    assert table.aids == ("white", "white", "red")
    assert (table.successes, table.turn) == ((0, 0, 0), 2)


def test_damage_equal_to_the_hit_points_is_a_failure():
    assert a_delve(a_table(hero="barbarian"), 0, M.VAMPIRE).aids[0] == "red"


def test_a_second_failure_eliminates_and_the_next_one_chooses():
    table = a_delve(a_delve(a_table(hero="barbarian"), 0, M.DRAGON), 0, M.DRAGON)

    assert table.aids == ("out", "white", "white")
    assert table.turn == 1
    bidding = after(table, AdventurerChosen("rogue"), MonsterAdded(1), MonsterAdded(2))
    assert bidding.turn == 1


def test_an_eliminated_player_cannot_go_in():
    table = a_delve(a_delve(a_table(hero="barbarian"), 0, M.DRAGON), 0, M.DRAGON)

    with pytest.raises(IllegalEvent, match="out of the game"):
        after(table, AdventurerChosen("rogue"), BiddingSkipped(0, (), 1))


def test_a_second_success_wins_the_game():
    table = a_delve(a_delve(a_table(hero="barbarian"), 1, *HARMLESS), 1, *HARMLESS)
    ending = outcome(table)

    assert str(ending.reason) == "Ben survived a second dungeon"
    assert [(p.seat, p.rank, p.winner) for p in ending.placings] == [
        (1, 1, True),
        (0, 2, False),
        (2, 2, False),
    ]
    with pytest.raises(IllegalEvent, match="over"):
        after(table, AdventurerChosen("mage"))


def test_the_last_one_who_is_not_eliminated_wins():
    table = a_table(2, hero="barbarian")
    for _ in range(2):
        table = a_delve(table, 0, M.DRAGON)

    assert str(outcome(table).reason) == "Ben is the last one standing"
    assert outcome(table).placings[0].seat == 1


def test_while_the_game_goes_on_nobody_has_won():
    assert outcome(a_table()) is None


def test_all_monsters_are_shuffled_after_each_round():
    table = after(a_delve(a_table(hero="barbarian"), 1, *HARMLESS), AdventurerChosen("mage"))

    assert table.pile == 13
    assert table.bids.left == heroes()["mage"].tiles


def test_the_count_looks_at_the_success_cards_of_who_went_in():
    table = a_delve(a_table(hero="barbarian", specials=(M.COUNT,)), 1, *HARMLESS)
    inside = after(table, AdventurerChosen("warrior"), BiddingSkipped(1, ("plate-armor",), 1))

    assert after(inside, MonsterTurned(M.COUNT)).delve.fallen


# Notes that nobody else sees


def test_a_noted_card_is_in_the_own_view_and_in_no_other():
    table = after(a_table(), MonsterAdded(0, M.DRAGON), MonsterSetAside(1, "torch", M.ORC))

    assert view_for(table, 0).notes.dungeon == (M.DRAGON,)
    assert view_for(table, 1).notes.aside == (M.ORC,)
    assert view_for(table, 2).notes == view_for(table, None).notes == view_for(a_table(), 0).notes


def test_only_the_phone_of_a_seat_may_write_what_that_seat_drew():
    assert owner(MonsterAdded(1, M.ORC)) == owner(CardsNoted(1)) == 1
    assert owner(MonsterSetAside(2, "torch", M.ORC)) == 2
    assert owner(MonsterAdded(1)) is owner(PlayerPassed(1)) is owner(MonsterTurned(M.ORC)) is None


def test_no_sentence_names_a_noted_card():
    table = a_table()
    events = (MonsterAdded(0, M.DRAGON), MonsterSetAside(1, "torch", M.DEMON), CardsNoted(0, (M.LICH,)))
    words = ""
    for event in events:
        later = after(table, event)
        words += " ".join(str(sentence) for sentence in tell(table, event, later))
        table = later

    assert not any(name in words for name in ("Dragon", "Demon", "Lich"))
    assert "Torch" in words


def test_a_saved_file_holds_no_secrets():
    assert without_secrets(MonsterAdded(1, M.ORC)) == MonsterAdded(1)
    assert without_secrets(MonsterSetAside(1, "torch", M.ORC)) == MonsterSetAside(1, "torch")
    assert without_secrets(CardsNoted(2, (M.ORC,), (M.LICH,))) == CardsNoted(2)
    assert without_secrets(MonsterTurned(M.ORC)) == MonsterTurned(M.ORC)


def test_notes_are_of_one_round():
    table = a_delve(after(a_table(hero="barbarian"), MonsterAdded(0, M.DRAGON)), 1, *HARMLESS)

    assert view_for(table, 0).notes.dungeon == ()


def test_notes_wait_for_nobody_but_belong_to_their_round():
    note = CardsNoted(0, (M.ORC,))

    assert independent(note, MonsterAdded(1)) and independent(MonsterTurned(M.ORC), note)
    assert not independent(note, MonsterAdded(0)) and not independent(note, CardsNoted(0))
    assert not independent(note, DelveEnded()) and not independent(note, AdventurerChosen("mage"))
    assert not independent(MonsterAdded(1), PlayerPassed(2))


# Tiles that players correct


def test_a_corrected_tile_counts_from_then_on():
    stronger = Tile("sixth-tile", "Crypt", "Crypte", hp=4)
    table = after(a_table(hero="necromancer"), TileWritten(stronger))

    inside = after(table, BiddingSkipped(0, ("sixth-tile",), 1))
    assert inside.delve.hp == 2 + 4


def test_tiles_of_earlier_games_come_back_together():
    table = after(a_table(), TilesRecalled((Tile("torch", "Torch", "Torche", hp=1),)))

    assert table.tiles["torch"].hp == 1
    assert table.tiles["plate-armor"] == printed_tiles()["plate-armor"]


@pytest.mark.parametrize(
    ("tile", "words"),
    [
        pytest.param(Tile("excalibur", "A", "B"), "no such tile", id="unknown"),
        pytest.param(Tile("torch", " ", "B"), "needs a name", id="no name"),
        pytest.param(Tile("torch", "A" * 41, "B"), "needs a name", id="long name"),
        pytest.param(Tile("torch", "A\x07", "B"), "needs a name", id="unprintable"),
        pytest.param(Tile("torch", "A", "B", hp=10), "at most 9", id="too strong"),
        pytest.param(Tile("torch", "A", "B", less=-1), "from 0 to 18", id="below 0"),
        pytest.param(
            Tile("torch", "A", "B", swaps=True, names="me", ignores=printed_tiles()["torch"].ignores),
            "either",
            id="everything at once",
        ),
    ],
)
def test_a_tile_that_makes_no_sense_is_refused(tile, words):
    with pytest.raises(IllegalEvent, match=words):
        after(a_table(), TileWritten(tile))


def test_in_the_dungeon_no_tile_is_corrected():
    inside = after(a_table(), BiddingSkipped(0, ("torch",), 1))

    with pytest.raises(IllegalEvent, match="before somebody"):
        after(inside, TileWritten(printed_tiles()["torch"]))


def test_the_newest_correction_of_a_tile_is_remembered_and_broken_ones_are_not():
    def written(**changes):
        return {"tile": {"id": "torch", "en": "Torch", "fr": "Torche", **changes}}

    events = [written(hp=2), written(hp=1), {"tile": {"id": "torch", "glow": 3}}, {"tile": None}]

    assert [tile.hp for tile in tiles_written(events)] == [2]
    as_printed = {"tile": {**written()["tile"], "ignores": {"high": 3}}}
    assert tiles_written([as_printed, *events]) == ()
