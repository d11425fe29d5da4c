"""Les Apprentis Gardiens, the final score: every objective around its thresholds, and the rest."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.apprentis.board import Kind, Place
from companion.apprentis.objectives import COLOURS, OBJECTIVES, of_colour
from companion.apprentis.scoring import counting_kinds, outcome, score, too_many_pieces
from companion.apprentis.state import Dungeon, Phase
from tests.companion.builders import NO_GROUPS, a_dungeon, a_scoring, piles, sides
from tests.companion.slow_score import slow_lines, slow_winner


def side_and_others(key):
    """Return objectives in play that include *key* once."""
    colour = OBJECTIVES[key].colour
    return tuple(key if c is colour else of_colour(c)[0].key for c in COLOURS)


def points(key, dungeon, *rivals, piles=(0, 2, 2, 2, 2)):
    """Return what objective or line *key* gives to *dungeon*."""
    objectives = side_and_others(key) if key in OBJECTIVES else ("spider-brou",)
    state = a_scoring(1 + max(1, len(rivals)), dungeon, *rivals, objectives=objectives, piles=piles)
    return {line.key: line.points for line in score(state, 0).lines}[key]


# The rulebook's example


def audreys_dungeon():
    """Build the dungeon behind the rulebook's worked example."""
    return a_dungeon(
        rooms={
            "spider": (0, 1, 1, 1, 0),
            "vampire": (0, 1, 1, 1, 1),
            "brou": (2, 1, 0, 1, 2),
            "dragon": (0, 0, 1, 2, 2),
            "skeleton": (1, 1, 1, 0, 0),
        },
        corridors={"vampire": (0, 1, 0, 0, 0), "spider": (1, 0, 0, 0, 0)},
        entrance={"vampire": 1, "vip": 1},
        guardian=True,
        beside=(1,),
        covered=(0, 2, 3),
        groups=(1, 1, 0, 0, 1),
    )


def test_the_rulebooks_example_gives_39_points():
    state = a_scoring(
        2,
        audreys_dungeon(),
        objectives=("spider-vampire", "brou-singles-and-pairs", "vampire-crowd", "dragon-hoards"),
    )

    sheet = score(state, 0)

    assert [(line.key, line.points) for line in sheet.lines] == [
        ("spider-vampire", 12),
        ("brou-singles-and-pairs", 14),
        ("vampire-crowd", 0),
        ("dragon-hoards", 6),
        ("varied-rooms", 21),
        ("malus", -6),
        ("groups", -8),
    ]
    assert sheet.total == 39


def test_every_line_says_what_was_found():
    state = a_scoring(
        2,
        audreys_dungeon(),
        objectives=("spider-vampire", "brou-singles-and-pairs", "vampire-crowd", "dragon-hoards"),
    )

    found = [str(line.why) for line in score(state, 0).lines]

    assert found == [
        "rooms 2, 3, 4",
        "one: rooms 2, 4; more: rooms 1, 5",
        "4 vampires in rooms",
        "rooms 4, 5",
        "rooms 2, 3, 4",
        "tiles 1 + 2 + 3",
        "rooms 1 + 2 + 5",
    ]


# Spiders


@pytest.mark.parametrize("other", ["brou", "dragon", "vampire", "skeleton"])
@pytest.mark.parametrize(
    ("spiders", "others", "expected"),
    [
        pytest.param((1, 0, 1, 0, 0), (0, 1, 0, 1, 0), 0, id="never together"),
        pytest.param((0, 0, 1, 0, 0), (0, 0, 1, 0, 0), 4, id="one room"),
        pytest.param((0, 0, 3, 0, 0), (0, 0, 2, 0, 0), 4, id="more in one room count once"),
        pytest.param((1, 1, 1, 0, 1), (1, 1, 0, 1, 1), 12, id="three rooms"),
        pytest.param((1, 1, 1, 1, 1), (1, 1, 1, 1, 1), 20, id="all rooms"),
    ],
)
def test_spiders_score_in_rooms_shared_with_their_partner(other, spiders, others, expected):
    dungeon = a_dungeon(rooms={"spider": spiders, other: others})

    assert points(f"spider-{other}", dungeon) == expected


@pytest.mark.parametrize("key", ["spider-brou", "spider-dragon", "spider-vampire", "spider-skeleton"])
def test_a_spiders_partner_is_the_one_on_the_tile(key):
    wrong = {"brou", "dragon", "vampire", "skeleton", "vip"} - {key.removeprefix("spider-")}

    dungeon = a_dungeon(rooms={"spider": (1, 1, 1, 1, 1), **{kind: (1, 1, 1, 1, 1) for kind in wrong}})

    assert points(key, dungeon) == 0


# Brous


@pytest.mark.parametrize(
    ("key", "brous", "expected"),
    [
        pytest.param("brou-singles-and-pairs", (0, 0, 0, 0, 0), 0, id="2/5: none"),
        pytest.param("brou-singles-and-pairs", (1, 0, 0, 0, 0), 2, id="2/5: one"),
        pytest.param("brou-singles-and-pairs", (2, 0, 0, 0, 0), 5, id="2/5: two"),
        pytest.param("brou-singles-and-pairs", (3, 0, 0, 0, 0), 5, id="2/5: three"),
        pytest.param("brou-singles-and-pairs", (1, 2, 0, 4, 1), 14, id="2/5: each room by itself"),
        pytest.param("brou-pairs", (1, 1, 1, 1, 1), 0, id="pairs: singles"),
        pytest.param("brou-pairs", (2, 0, 0, 0, 0), 4, id="pairs: two"),
        pytest.param("brou-pairs", (5, 1, 0, 0, 2), 8, id="pairs: five are still one pair"),
        pytest.param("brou-spread", (5, 1, 1, 0, 0), 0, id="spread: 3 rooms"),
        pytest.param("brou-spread", (1, 1, 0, 1, 1), 13, id="spread: 4 rooms"),
        pytest.param("brou-spread", (1, 1, 1, 1, 1), 20, id="spread: 5 rooms"),
        pytest.param("brou-crowd", (2, 0, 0, 0, 0), 0, id="crowd: 2"),
        pytest.param("brou-crowd", (2, 0, 0, 1, 0), 5, id="crowd: 3"),
        pytest.param("brou-crowd", (5, 0, 0, 0, 0), 5, id="crowd: 5"),
        pytest.param("brou-crowd", (2, 2, 2, 0, 0), 13, id="crowd: 6"),
        pytest.param("brou-crowd", (4, 4, 0, 0, 0), 13, id="crowd: 8"),
        pytest.param("brou-crowd", (0, 0, 0, 0, 9), 24, id="crowd: 9"),
        pytest.param("brou-crowd", (4, 4, 4, 4, 4), 24, id="crowd: all 20"),
    ],
)
def test_brous_score_in_rooms(key, brous, expected):
    assert points(key, a_dungeon(rooms={"brou": brous})) == expected


# Vampires


@pytest.mark.parametrize(
    ("vampires", "expected"), [((5, 0, 0, 0, 0), 0), ((2, 0, 3, 0, 1), 15), ((7, 0, 0, 0, 0), 15)]
)
def test_six_vampires_in_rooms_are_enough(vampires, expected):
    assert points("vampire-crowd", a_dungeon(rooms={"vampire": vampires})) == expected


@pytest.mark.parametrize(
    ("vampires", "patrol", "posts"),
    [
        pytest.param((0, 0, 0, 0, 0), 0, 0, id="none"),
        pytest.param((0, 3, 0, 0, 0), 2, 4, id="one corridor"),
        pytest.param((0, 1, 0, 0, 1), 6, 8, id="two"),
        pytest.param((1, 1, 0, 1, 0), 12, 12, id="three"),
        pytest.param((1, 1, 2, 1, 0), 20, 16, id="four"),
        pytest.param((1, 1, 1, 1, 1), 30, 20, id="five"),
    ],
)
def test_vampires_score_in_corridors(vampires, patrol, posts):
    dungeon = a_dungeon(corridors={"vampire": vampires})

    assert points("vampire-patrol", dungeon) == patrol
    assert points("vampire-posts", dungeon) == posts


@pytest.mark.parametrize(
    ("mine", "rivals", "expected"),
    [
        pytest.param(3, (2, 1), 12, id="most"),
        pytest.param(2, (3, 0), 0, id="not most"),
        pytest.param(2, (2, 1), 12, id="tied for most"),
        pytest.param(1, (1, 1), 12, id="all tied"),
        pytest.param(0, (0, 0), 0, id="nobody has any"),
        pytest.param(1, (0, 0), 12, id="the only one"),
        pytest.param(0, (0, 1), 0, id="none against one"),
    ],
)
def test_most_vampires_in_rooms(mine, rivals, expected):
    def with_vampires(count):
        return a_dungeon(rooms={"vampire": (0, count, 0, 0, 0)})

    assert points("vampire-most", with_vampires(mine), *map(with_vampires, rivals)) == expected


def test_a_rivals_vampires_in_corridors_are_not_the_most():
    mine = a_dungeon(rooms={"vampire": (1, 0, 0, 0, 0)})
    rival = a_dungeon(corridors={"vampire": (9, 0, 0, 0, 0)}, entrance={"vampire": 2})

    assert points("vampire-most", mine, rival) == 12


# Dragons and gold


@pytest.mark.parametrize(
    ("key", "dragons", "expected"),
    [
        pytest.param("dragon-each", (0, 0, 0, 0, 0), 0, id="each: none"),
        pytest.param("dragon-each", (0, 1, 0, 0, 0), 3, id="each: one"),
        pytest.param("dragon-each", (0, 2, 0, 1, 0), 9, id="each: three"),
        pytest.param("dragon-each", (0, 3, 0, 0, 0), 6, id="each: a third dragon has no pile"),
        pytest.param("dragon-each", (2, 0, 0, 0, 0), 0, id="each: room without piles"),
        pytest.param("dragon-each", (4, 4, 4, 4, 4), 24, id="each: all piles"),
        pytest.param("dragon-hoards-or-else", (3, 1, 1, 1, 1), -12, id="or else: no room"),
        pytest.param("dragon-hoards-or-else", (0, 2, 1, 0, 0), -5, id="or else: 1 room"),
        pytest.param("dragon-hoards-or-else", (0, 2, 2, 1, 0), 0, id="or else: 2 rooms"),
        pytest.param("dragon-hoards-or-else", (0, 2, 2, 5, 1), 7, id="or else: 3 rooms"),
        pytest.param("dragon-hoards-or-else", (0, 2, 2, 2, 2), 15, id="or else: 4 rooms"),
        pytest.param("dragon-hoards", (3, 1, 1, 1, 1), 0, id="hoards: no room"),
        pytest.param("dragon-hoards", (0, 2, 1, 0, 0), 1, id="hoards: 1 room"),
        pytest.param("dragon-hoards", (0, 2, 2, 1, 0), 6, id="hoards: 2 rooms"),
        pytest.param("dragon-hoards", (0, 2, 2, 5, 1), 15, id="hoards: 3 rooms"),
        pytest.param("dragon-hoards", (0, 2, 2, 2, 2), 24, id="hoards: 4 rooms"),
        pytest.param("dragon-halves", (2, 0, 0, 0, 0), 0, id="halves: none"),
        pytest.param("dragon-halves", (0, 1, 0, 0, 0), 2, id="halves: one pile"),
        pytest.param("dragon-halves", (0, 2, 0, 0, 0), 8, id="halves: both piles"),
        pytest.param("dragon-halves", (0, 4, 1, 1, 2), 20, id="halves: each room by itself"),
    ],
)
def test_dragons_score_on_gold_piles(key, dragons, expected):
    assert points(key, a_dungeon(rooms={"dragon": dragons})) == expected


@pytest.mark.parametrize(
    ("piles", "dragons", "each", "hoards", "or_else", "halves"),
    [
        pytest.param((2, 0, 2, 2, 2), (2, 2, 1, 0, 0), 9, 1, -5, 10, id="room 2 has no piles"),
        pytest.param((1, 1, 1, 1, 1), (2, 2, 1, 1, 1), 15, 24, 15, 10, id="a pile in every room"),
        pytest.param((0, 0, 0, 0, 0), (2, 2, 2, 2, 2), 0, 0, -12, 0, id="no piles at all"),
    ],
)
def test_the_piles_are_those_of_the_board_in_play(piles, dragons, each, hoards, or_else, halves):
    dungeon = a_dungeon(rooms={"dragon": dragons})

    assert points("dragon-each", dungeon, piles=piles) == each
    assert points("dragon-hoards", dungeon, piles=piles) == hoards
    assert points("dragon-hoards-or-else", dungeon, piles=piles) == or_else
    assert points("dragon-halves", dungeon, piles=piles) == halves


# What every dungeon scores


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        pytest.param(("spider", "brou", "dragon"), 0, id="3 kinds"),
        pytest.param(("spider", "brou", "dragon", "vampire"), 7, id="4 kinds"),
        pytest.param(("spider", "brou", "dragon", "vip"), 7, id="a VIP is a kind"),
        pytest.param(("spider", "brou", "dragon", "vampire", "skeleton"), 7, id="5 kinds"),
        pytest.param(("spider", "brou", "dragon", "vampire", "skeleton", "vip"), 7, id="6 kinds"),
    ],
)
def test_a_room_of_four_kinds_scores_seven(kinds, expected):
    dungeon = a_dungeon(rooms={kind: (0, 0, 2, 0, 0) for kind in kinds})

    assert points("varied-rooms", dungeon) == expected


def test_many_of_few_kinds_are_not_varied():
    assert points("varied-rooms", a_dungeon(rooms={"brou": (9, 9, 0, 0, 0), "vip": (5, 5, 0, 0, 0)})) == 0


def test_every_varied_room_counts():
    everywhere = {kind: (1, 1, 1, 1, 1) for kind in ("spider", "brou", "dragon", "vampire")}

    assert points("varied-rooms", a_dungeon(rooms=everywhere)) == 35


@pytest.mark.parametrize(
    "key", [*sorted(set(OBJECTIVES) - {"vampire-patrol", "vampire-posts"}), "varied-rooms"]
)
def test_corridors_and_the_entrance_are_not_rooms(key):
    everybody = {str(kind): 9 for kind in Kind}
    dungeon = a_dungeon(corridors={kind: (n,) * 5 for kind, n in everybody.items()}, entrance=everybody)

    assert points(key, dungeon) == points(key, Dungeon())


@pytest.mark.parametrize("key", ["vampire-patrol", "vampire-posts"])
def test_rooms_and_the_entrance_are_not_corridors(key):
    dungeon = a_dungeon(rooms={"vampire": (2, 2, 2, 2, 2)}, entrance={"vampire": 3})

    assert points(key, dungeon) == 0


@pytest.mark.parametrize("key", ["vampire-patrol", "vampire-posts"])
def test_only_vampires_patrol(key):
    others = {str(kind): (1, 1, 1, 1, 1) for kind in Kind if kind is not Kind.VAMPIRE}

    assert points(key, a_dungeon(corridors=others)) == 0


@pytest.mark.parametrize(
    ("beside", "covered", "expected"),
    [
        pytest.param((), (0, 0, 0), 0, id="none"),
        pytest.param((1,), (0, 0, 0), -1, id="beside room 5"),
        pytest.param((), (0, 1, 0), -1, id="on the guardian"),
        pytest.param((2, 4), (3, 0, 1), -10, id="both"),
        pytest.param((1, 2, 3, 4, 5), (0, 0, 0), -15, id="all five"),
    ],
)
def test_malus_tiles_cost_their_value(beside, covered, expected):
    assert points("malus", Dungeon(beside=beside, covered=covered)) == expected


@pytest.mark.parametrize(
    ("groups", "expected"),
    [((0, 0, 0, 0, 0), 0), ((1, 0, 0, 0, 0), -1), ((0, 0, 0, 0, 2), -10), ((2, 1, 1, 1, 1), -16)],
)
def test_every_group_costs_the_number_of_its_room(groups, expected):
    assert points("groups", Dungeon(groups=groups)) == expected


# The end


def finished(*groups, phase=Phase.FINISHED):
    """Build a finished game in which each player's score is minus the number of groups in room 1."""
    dungeons = [Dungeon(groups=(count, 0, 0, 0, 0), signed=True) for count in groups]
    return a_scoring(len(groups), *dungeons, phase=phase)


def test_there_is_no_outcome_before_every_sheet_is_complete():
    assert outcome(finished(0, 1, phase=Phase.SCORING)) is None
    assert outcome(finished(0, 1, phase=Phase.PLAYING)) is None


def test_the_highest_score_wins():
    end = outcome(finished(3, 0, 5, 1))

    assert [(p.seat, p.score, p.rank, p.winner) for p in end.placings] == [
        (1, 0, 1, True),
        (3, -1, 2, False),
        (0, -3, 3, False),
        (2, -5, 4, False),
    ]
    assert str(end.reason) == "Ben succeeds the guardian."


def test_a_tie_for_first_has_no_winner():
    end = outcome(finished(2, 0, 0))

    assert [(p.seat, p.rank, p.winner) for p in end.placings] == [(1, 1, False), (2, 1, False), (0, 3, False)]
    assert str(end.reason) == "A tie: nobody succeeds the guardian."


def test_a_tie_further_down_does_not_matter():
    end = outcome(finished(1, 4, 4))

    assert [(p.seat, p.rank, p.winner) for p in end.placings] == [(0, 1, True), (1, 2, False), (2, 2, False)]


# Filling in the sheet


def test_only_what_can_change_the_score_is_asked_for():
    patrol, crowd = ("spider-brou", "vampire-patrol"), ("spider-brou", "vampire-crowd")

    assert counting_kinds(crowd, Place.ROOM_3) == tuple(Kind)
    assert counting_kinds(crowd, Place.CORRIDOR_3) == ()
    assert counting_kinds(patrol, Place.CORRIDOR_3) == (Kind.VAMPIRE,)
    assert counting_kinds(patrol, Place.ENTRANCE) == ()


def test_all_figures_of_the_box_are_not_too_many():
    half = a_dungeon(rooms={"spider": (4, 0, 6, 0, 0)}, corridors={"vip": (0, 5, 0, 0, 0)})

    assert too_many_pieces(a_scoring(2, half, half)) == ()


def test_more_figures_than_the_box_holds_are_pointed_out():
    heap = a_dungeon(
        rooms={"brou": (6, 0, 0, 0, 0), "vip": (0, 5, 0, 0, 0)}, corridors={"brou": (5, 0, 0, 0, 0)}
    )

    assert too_many_pieces(a_scoring(2, heap)) == ()
    assert [str(words) for words in too_many_pieces(a_scoring(2, heap, heap))] == [
        "Brou: 22 written down, but the box holds only 20. Please check."
    ]


@pytest.mark.parametrize(
    ("groups", "warnings"),
    [
        pytest.param((14, 0, 14, 0, 0), [], id="28"),
        pytest.param(
            (14, 0, 14, 0, 1),
            ["29 groups written down, but the box holds only 28. Please check."],
            id="29",
        ),
    ],
)
def test_more_groups_than_the_box_holds_are_pointed_out(groups, warnings):
    one, other = Dungeon(groups=groups), Dungeon(groups=NO_GROUPS)

    assert [str(words) for words in too_many_pieces(a_scoring(2, one, other))] == warnings


def test_the_groups_of_all_dungeons_come_from_one_box():
    many = Dungeon(groups=(0, 0, 15, 0, 0))

    assert len(too_many_pieces(a_scoring(2, many, many))) == 1


# The same count, made twice


def test_the_sixteen_objectives_are_four_of_each_colour():
    assert [len(of_colour(colour)) for colour in COLOURS] == [4, 4, 4, 4]
    assert [sum(not side.starred for side in of_colour(colour)) for colour in COLOURS] == [2, 2, 2, 2]


KINDS = [str(kind) for kind in Kind]
heaps = st.lists(
    st.tuples(st.sampled_from(list(Place)[1:]), st.sampled_from(KINDS), st.integers(1, 3)), max_size=24
)
plain_dungeons = st.fixed_dictionaries(
    {
        "heaps": heaps,
        "tiles": st.permutations((1, 2, 3, 4, 5)),
        "beside": st.integers(0, 5),
        "on_guardian": st.integers(0, 3),
        "groups": st.lists(st.integers(0, 2), min_size=5, max_size=5),
    }
)
plain_tables = st.fixed_dictionaries(
    {
        "objectives": sides,
        "piles": piles,
        "dungeons": st.lists(plain_dungeons, min_size=2, max_size=4),
    }
)


def split_tiles(plain):
    """Return which tiles lie beside room 5 and which on the guardian."""
    tiles, beside = list(plain["tiles"]), plain["beside"]
    on_guardian = tiles[beside : beside + plain["on_guardian"]]
    return tuple(tiles[:beside]), (*on_guardian, 0, 0, 0)[:3]


def for_the_slow_count(table):
    """Lay the table out in plain dicts."""
    dungeons = []
    for plain in table["dungeons"]:
        crowds = {place: {} for place in Place}
        for place, kind, count in plain["heaps"]:
            crowds[place][kind] = crowds[place].get(kind, 0) + count
        beside, covered = split_tiles(plain)
        dungeons.append(
            {
                "corridors": [crowds[Place(f"corridor{n}")] for n in (1, 2, 3, 4, 5)],
                "rooms": [crowds[Place(f"room{n}")] for n in (1, 2, 3, 4, 5)],
                "malus": [*beside, *covered],
                "groups": plain["groups"],
            }
        )
    return {**table, "dungeons": dungeons}


def for_the_rules(table):
    """Lay the same table out as the game knows it."""
    dungeons = []
    for plain in table["dungeons"]:
        rows = {"room": {}, "corridor": {}}
        for place, kind, count in plain["heaps"]:
            row = rows[place[:-1]].setdefault(kind, [0] * 5)
            row[int(place[-1]) - 1] += count
        beside, covered = split_tiles(plain)
        dungeons.append(
            a_dungeon(
                rooms=rows["room"],
                corridors=rows["corridor"],
                beside=beside,
                covered=covered,
                groups=tuple(plain["groups"]),
                signed=True,
            )
        )
    return a_scoring(len(dungeons), *dungeons, objectives=table["objectives"], piles=table["piles"])


@settings(max_examples=400, deadline=None)
@given(plain_tables)
def test_two_ways_of_counting_agree(table):
    state, plain = for_the_rules(table), for_the_slow_count(table)

    for seat in range(len(state.players)):
        assert {line.key: line.points for line in score(state, seat).lines} == slow_lines(plain, seat)


@settings(max_examples=100, deadline=None)
@given(plain_tables)
def test_two_ways_of_counting_name_the_same_winner(table):
    end = outcome(replace(for_the_rules(table), phase=Phase.FINISHED))

    winners = [placing.seat for placing in end.placings if placing.winner]
    expected = slow_winner(for_the_slow_count(table))
    assert winners == ([] if expected is None else [expected])
