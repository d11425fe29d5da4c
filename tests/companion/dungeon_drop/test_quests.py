"""Quest bonuses: each kind of term by hand, written and read, refused by name, and what a loot adds."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.codec import MAX_NUMBER
from companion.dungeon_drop.hero import Hero, Rival, final_bonus, standing
from companion.dungeon_drop.holdings import Held, Reserve
from companion.dungeon_drop.pieces import COLLECTED, Kind, Size
from companion.dungeon_drop.quests import MOST_TERMS, Term, What, When, bonus_points, read_bonus, write_bonus
from companion.errors import BadData
from tests.companion.dungeon_drop.heroes import (
    a_hero,
    a_rival,
    bonuses,
    heroes,
    judge_one,
    random_hero,
    slow_cubes,
    slow_score,
)

GOLD = (Kind.GOLD,)
GEMS = (Kind.GEM_CLEAR, Kind.GEM_BLUE, Kind.GEM_PINK)


def points(bonus, player, *others, typed=0):
    """Return what a bonus gives to a player as things are."""
    terms = (bonus,) if isinstance(bonus, Term) else bonus
    [found] = bonus_points(terms, standing(player, typed), [standing(other) for other in others]).tolist()
    return found


def holding(*held):
    """Build somebody with sized cubes: ``holding(("gold", 2, "small"))``; no size where nobody noted it."""
    return Rival(
        8, 0, Reserve(tuple(Held(Kind(kind), count, *map(Size, size)) for kind, count, *size in held))
    )


# Cubes and sets, for each and for at least


def test_no_terms_give_nothing():
    assert points((), a_rival(gold=3)) == 0


@pytest.mark.parametrize(
    ("reserve", "expected"),
    [
        ({}, 0),
        ({"gold": 1}, 2),
        ({"gold": 5}, 10),
        ({"gem_pink": 4, "troll": 1}, 0),
        ({"gold": 3, "key": 9}, 6),
    ],
)
def test_points_for_each_cube_of_a_kind(reserve, expected):
    assert points(Term(2, When.EACH, What.CUBES, GOLD), a_rival(**reserve)) == expected


def test_kinds_are_counted_together():
    term = Term(1, When.EACH, What.CUBES, GEMS)

    assert points(term, a_rival(gem_clear=1, gem_blue=2, gem_pink=4, gold=8)) == 7


@pytest.mark.parametrize("kind", COLLECTED)
def test_every_collected_kind_can_be_counted(kind):
    term = Term(3, When.EACH, What.CUBES, (kind,))

    assert points(term, a_rival(**{kind: 2})) == 6
    assert points(term, a_rival(**{other: 2 for other in COLLECTED if other != kind})) == 0


@pytest.mark.parametrize(("count", "expected"), [(0, 0), (1, 0), (2, 0), (3, 5), (5, 5), (6, 10), (20, 30)])
def test_points_for_each_three_cubes(count, expected):
    assert points(Term(5, When.EACH, What.CUBES, GOLD, number=3), a_rival(gold=count)) == expected


@pytest.mark.parametrize(("count", "expected"), [(0, 0), (2, 0), (3, 5), (4, 5), (9, 5)])
def test_points_for_at_least_three_cubes(count, expected):
    assert points(Term(5, When.AT_LEAST, What.CUBES, GOLD, number=3), a_rival(gold=count)) == expected


def test_points_for_at_least_one_cube():
    term = Term(4, When.AT_LEAST, What.CUBES, (Kind.DRAGON,))

    assert points(term, a_rival(dragon=1)) == 4
    assert points(term, a_rival(gold=1)) == 0


@pytest.mark.parametrize(
    ("gems", "sets"),
    [((0, 0, 0), 0), ((1, 1, 1), 1), ((4, 0, 4), 0), ((2, 3, 1), 1), ((2, 3, 4), 2), ((4, 4, 4), 4)],
)
def test_points_for_each_set(gems, sets):
    clear, blue, pink = gems
    player = a_rival(gem_clear=clear, gem_blue=blue, gem_pink=pink, gold=9)

    assert points(Term(4, When.EACH, What.SETS, GEMS), player) == 4 * sets


@pytest.mark.parametrize(("pairs", "expected"), [(0, 0), (1, 0), (2, 7), (3, 7), (4, 14)])
def test_points_for_each_two_sets(pairs, expected):
    term = Term(7, When.EACH, What.SETS, (Kind.GOLD, Kind.TROLL), number=2)

    assert points(term, a_rival(gold=pairs, troll=6)) == expected


@pytest.mark.parametrize(("pairs", "expected"), [(1, 0), (2, 7), (5, 7)])
def test_points_for_at_least_two_sets(pairs, expected):
    term = Term(7, When.AT_LEAST, What.SETS, (Kind.GOLD, Kind.TROLL), number=2)

    assert points(term, a_rival(gold=6, troll=pairs)) == expected


def test_points_may_be_negative():
    assert points(Term(-2, When.EACH, What.CUBES, (Kind.GOBLIN,)), a_rival(goblin=3)) == -6


# Sizes


def test_only_cubes_of_the_size_count():
    player = holding(("gold", 2, "small"), ("gold", 3, "large"), ("key", 1, "large"))

    assert points(Term(1, When.EACH, What.CUBES, GOLD), player) == 5
    assert points(Term(1, When.EACH, What.CUBES, GOLD, Size.SMALL), player) == 2
    assert points(Term(1, When.EACH, What.CUBES, GOLD, Size.LARGE), player) == 3
    assert points(Term(1, When.EACH, What.CUBES, GOLD, Size.HUGE), player) == 0
    assert points(Term(1, When.EACH, What.CUBES, (Kind.GOLD, Kind.KEY), Size.LARGE), player) == 4


def test_cubes_whose_size_nobody_noted_only_count_where_no_size_is_asked_for():
    player = holding(("gold", 2), ("gold", 1, "small"))

    assert points(Term(1, When.EACH, What.CUBES, GOLD), player) == 3
    assert points(Term(1, When.EACH, What.CUBES, GOLD, Size.SMALL), player) == 1
    assert points(Term(1, When.EACH, What.CUBES, GOLD, Size.LARGE), player) == 0


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("chest", "large"),
        ("potion", "small"),
        ("shield", "large"),
        ("relic", "small"),
        ("goblin", "small"),
        ("troll", "large"),
        ("dragon", "huge"),
    ],
)
def test_kinds_of_one_size_only_count_for_that_size_without_being_noted(kind, size):
    for asked in Size:
        term = Term(1, When.EACH, What.CUBES, (Kind(kind),), asked)
        assert points(term, holding((kind, 2))) == (2 if asked == size else 0)
        assert points(term, holding((kind, 2, size))) == (2 if asked == size else 0)


@pytest.mark.parametrize("kind", ["gold", "key", "gem_clear", "gem_blue", "gem_pink"])
def test_kinds_of_two_sizes_do_not_count_for_a_size_without_being_noted(kind):
    for asked in Size:
        assert points(Term(1, When.EACH, What.CUBES, (Kind(kind),), asked), holding((kind, 2))) == 0


def test_sets_of_one_size():
    player = holding(("gold", 3, "large"), ("key", 1, "large"), ("key", 2, "small"), ("gold", 1, "small"))

    assert points(Term(1, When.EACH, What.SETS, (Kind.GOLD, Kind.KEY)), player) == 3
    assert points(Term(1, When.EACH, What.SETS, (Kind.GOLD, Kind.KEY), Size.LARGE), player) == 1
    assert points(Term(1, When.EACH, What.SETS, (Kind.GOLD, Kind.KEY), Size.SMALL), player) == 1
    assert points(Term(1, When.EACH, What.SETS, (Kind.GOLD, Kind.CHEST), Size.LARGE), player) == 0


def test_at_least_so_many_of_one_size():
    term = Term(6, When.AT_LEAST, What.CUBES, GOLD, Size.SMALL, number=3)

    assert points(term, holding(("gold", 2, "small"), ("gold", 5, "large"))) == 0
    assert points(term, holding(("gold", 3, "small"))) == 6


def test_most_of_one_size():
    term = Term(6, When.MOST, What.CUBES, GOLD, Size.SMALL, ties=False)

    assert points(term, holding(("gold", 2, "small")), holding(("gold", 9, "large"))) == 6
    assert points(term, holding(("gold", 9, "large")), holding(("gold", 1, "small"))) == 0


# Damage, hit points, a number typed at the end


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        pytest.param(Term(1, When.EACH, What.DAMAGE), 5, id="each damage"),
        pytest.param(Term(3, When.EACH, What.DAMAGE, number=2), 6, id="each two damage"),
        pytest.param(Term(4, When.AT_LEAST, What.DAMAGE, number=5), 4, id="at least 5 damage"),
        pytest.param(Term(4, When.AT_LEAST, What.DAMAGE, number=6), 0, id="at least 6 damage"),
        pytest.param(Term(2, When.EACH, What.HIT_POINTS), 6, id="each hit point"),
        pytest.param(Term(2, When.EACH, What.HIT_POINTS, number=2), 2, id="each two hit points"),
        pytest.param(Term(4, When.AT_LEAST, What.HIT_POINTS, number=3), 4, id="at least 3 hit points"),
        pytest.param(Term(4, When.AT_LEAST, What.HIT_POINTS, number=4), 0, id="at least 4 hit points"),
        pytest.param(Term(-1, When.EACH, What.DAMAGE), -5, id="minus damage"),
    ],
)
def test_points_for_damage_and_for_hit_points_left(term, expected):
    assert points(term, a_rival(8, 5)) == expected


@pytest.mark.parametrize(
    ("when", "what", "expected"),
    [
        (When.MOST, What.DAMAGE, 7),
        (When.FEWEST, What.DAMAGE, 0),
        (When.MOST, What.HIT_POINTS, 0),
        (When.FEWEST, What.HIT_POINTS, 7),
    ],
)
def test_most_and_fewest_damage_and_hit_points(when, what, expected):
    assert points(Term(7, when, what), a_rival(8, 5), a_rival(8, 4), a_rival(9, 1)) == expected


def test_hit_points_left_depend_on_the_hero_and_damage_does_not():
    mine, other = a_rival(9, 3), a_rival(7, 2)

    assert points(Term(1, When.MOST, What.HIT_POINTS), mine, other) == 1
    assert points(Term(1, When.FEWEST, What.DAMAGE), mine, other) == 0


@pytest.mark.parametrize(("typed", "expected"), [(0, 0), (1, 1), (7, 7), (-2, -2)])
def test_a_number_typed_at_the_end_is_added(typed, expected):
    assert points(Term(1, When.EACH, What.TYPED), a_rival(), typed=typed) == expected


def test_a_typed_number_may_count_several_times():
    assert points(Term(3, When.EACH, What.TYPED), a_rival(), typed=4) == 12


def test_nothing_is_typed_during_play():
    assert points(Term(5, When.EACH, What.TYPED), a_rival(gold=3)) == 0
    assert judge_one(a_hero(bonus=(Term(5, When.EACH, What.TYPED),)), gold=1).gain == 1


# Most and fewest

MOST = Term(5, When.MOST, What.CUBES, GOLD)
MOST_ALONE = Term(5, When.MOST, What.CUBES, GOLD, ties=False)
FEWEST = Term(5, When.FEWEST, What.CUBES, GOLD)
FEWEST_ALONE = Term(5, When.FEWEST, What.CUBES, GOLD, ties=False)


@pytest.mark.parametrize(
    ("mine", "others", "most", "most_alone", "fewest", "fewest_alone"),
    [
        pytest.param(3, (1,), 5, 5, 0, 0, id="ahead of one"),
        pytest.param(1, (3,), 0, 0, 5, 5, id="behind one"),
        pytest.param(2, (2,), 5, 0, 5, 0, id="level with one"),
        pytest.param(0, (0,), 5, 0, 5, 0, id="nobody has any"),
        pytest.param(3, (1, 2, 0), 5, 5, 0, 0, id="ahead of three"),
        pytest.param(3, (1, 3, 0), 5, 0, 0, 0, id="level with the first"),
        pytest.param(3, (1, 4, 3), 0, 0, 0, 0, id="in the middle"),
        pytest.param(0, (1, 3, 0), 0, 0, 5, 0, id="level with the last"),
        pytest.param(0, (1, 3, 1), 0, 0, 5, 5, id="behind three"),
        pytest.param(2, (2, 2, 2), 5, 0, 5, 0, id="all level"),
        pytest.param(9, (), 0, 0, 0, 0, id="alone at the table"),
    ],
)
def test_most_and_fewest_among_players(mine, others, most, most_alone, fewest, fewest_alone):
    rivals = [a_rival(gold=count) for count in others]

    found = [points(term, a_rival(gold=mine), *rivals) for term in (MOST, MOST_ALONE, FEWEST, FEWEST_ALONE)]

    assert found == [most, most_alone, fewest, fewest_alone]


def test_the_order_of_rivals_does_not_matter():
    rivals = [a_rival(gold=count) for count in (1, 4, 2)]

    assert points(MOST, a_rival(gold=3), *rivals) == points(MOST, a_rival(gold=3), *reversed(rivals)) == 0


def test_most_and_fewest_sets():
    mine, other = a_rival(gold=5, key=1), a_rival(gold=2, key=2)

    assert points(Term(3, When.MOST, What.SETS, (Kind.GOLD, Kind.KEY)), mine, other) == 0
    assert points(Term(3, When.FEWEST, What.SETS, (Kind.GOLD, Kind.KEY)), mine, other) == 3


# Sums


def test_terms_add_up():
    bonus = (
        Term(2, When.EACH, What.CUBES, GOLD),
        Term(5, When.AT_LEAST, What.CUBES, (Kind.TROLL,), number=2),
        Term(-1, When.EACH, What.DAMAGE),
        Term(4, When.MOST, What.CUBES, (Kind.KEY,)),
        Term(1, When.EACH, What.TYPED),
    )

    found = points(bonus, a_rival(8, 3, gold=3, troll=2, key=1), a_rival(key=2), typed=10)

    assert found == 6 + 5 - 3 + 0 + 10


def test_the_same_term_twice_counts_twice():
    term = Term(2, When.EACH, What.CUBES, GOLD)

    assert points((term, term), a_rival(gold=3)) == 12


def test_the_whole_bonus_of_a_hero_at_the_end():
    bonus = (Term(2, When.EACH, What.CUBES, GOLD), MOST_ALONE, Term(1, When.EACH, What.TYPED))

    assert final_bonus(a_hero(gold=3, bonus=bonus, rivals=(a_rival(gold=2),))) == 6 + 5
    assert final_bonus(a_hero(gold=3, bonus=bonus, rivals=(a_rival(gold=3),)), typed=7) == 6 + 7


@settings(max_examples=300, deadline=None)
@given(heroes, st.integers(-5, 50))
def test_any_bonus_agrees_with_counting_on_fingers(hero, typed):
    found = points(hero.bonus, hero, *hero.rivals, typed=typed)

    cubes = slow_cubes(hero.reserve)
    bare = Hero(hero.hit_points, hero.damage, hero.reserve, hero.gem_values)
    expected = slow_score(hero, cubes, hero.damage, typed) - slow_score(bare, cubes, hero.damage)
    assert found == pytest.approx(expected, abs=1e-6)


def test_many_random_bonuses_agree_with_counting_on_fingers():
    rng = random.Random(1)

    for _ in range(2000):
        hero = random_hero(rng)
        cubes = slow_cubes(hero.reserve)
        bare = Hero(hero.hit_points, hero.damage, hero.reserve, hero.gem_values)
        expected = slow_score(hero, cubes, hero.damage, 3) - slow_score(bare, cubes, hero.damage)
        assert points(hero.bonus, hero, *hero.rivals, typed=3) == pytest.approx(expected, abs=1e-6), hero


# Written and read


@settings(max_examples=200, deadline=None)
@given(bonuses)
def test_a_bonus_survives_json(bonus):
    assert read_bonus(json.loads(json.dumps(write_bonus(bonus)))) == bonus


def test_a_bonus_is_written_field_by_field():
    bonus = (Term(2, When.EACH, What.CUBES, (Kind.GEM_BLUE, Kind.GOLD), Size.SMALL, 3, False),)

    assert json.loads(json.dumps(write_bonus(bonus))) == [
        {
            "points": 2,
            "when": "each",
            "what": "cubes",
            "kinds": ["gem_blue", "gold"],
            "size": "small",
            "number": 3,
            "ties": False,
        }
    ]


def test_only_points_and_what_for_must_be_said():
    assert read_bonus([{"points": 1, "when": "each", "what": "damage"}]) == (Term(1, When.EACH, What.DAMAGE),)
    assert read_bonus([]) == ()


def test_twenty_terms_are_accepted():
    term = {"points": 1, "when": "each", "what": "damage"}

    assert len(read_bonus([term] * MOST_TERMS)) == MOST_TERMS == 20


# Refused

NO_KINDS = "A bonus for cubes must say which kinds."
NEEDLESS = "Only a bonus for cubes or sets has kinds and a size."
TWICE = "A bonus must not name a kind twice."
NOT_COLLECTED = "A bonus can only count cubes that are collected."
SMALL_SET = "A set needs at least two kinds."
NONE_AT_ALL = "A bonus must be for at least one."
TYPED = "A number typed at the end is added as it is."
INVALID = [
    pytest.param({"what": "cubes"}, NO_KINDS, id="cubes without kinds"),
    pytest.param({"what": "sets"}, NO_KINDS, id="sets without kinds"),
    pytest.param({"what": "cubes", "size": "small"}, NO_KINDS, id="only a size"),
    pytest.param({"what": "damage", "kinds": ["gold"]}, NEEDLESS, id="damage of a kind"),
    pytest.param({"what": "damage", "size": "large"}, NEEDLESS, id="damage of a size"),
    pytest.param({"what": "hit_points", "kinds": ["gold"]}, NEEDLESS, id="hit points of a kind"),
    pytest.param({"what": "hit_points", "size": "huge"}, NEEDLESS, id="hit points of a size"),
    pytest.param({"what": "typed", "kinds": ["gold", "key"]}, NEEDLESS, id="typed kinds"),
    pytest.param({"what": "typed", "size": "small"}, NEEDLESS, id="typed size"),
    pytest.param({"what": "cubes", "kinds": ["gold", "gold"]}, TWICE, id="cubes twice"),
    pytest.param({"what": "sets", "kinds": ["gold", "key", "gold"]}, TWICE, id="sets twice"),
    pytest.param({"what": "cubes", "kinds": ["pillar"]}, NOT_COLLECTED, id="pillars"),
    pytest.param({"what": "sets", "kinds": ["gold", "stairs"]}, NOT_COLLECTED, id="stairs"),
    pytest.param({"what": "sets", "kinds": ["gold"]}, SMALL_SET, id="set of one"),
    pytest.param({"what": "cubes", "kinds": ["gold"], "number": 0}, NONE_AT_ALL, id="number 0"),
    pytest.param({"what": "damage", "number": -3}, NONE_AT_ALL, id="number below 0"),
    pytest.param({"what": "typed", "when": "at_least"}, TYPED, id="typed at least"),
    pytest.param({"what": "typed", "when": "most"}, TYPED, id="typed most"),
    pytest.param({"what": "typed", "when": "fewest"}, TYPED, id="typed fewest"),
]


def refused(data):
    with pytest.raises(BadData) as caught:
        read_bonus(data)
    return str(caught.value)


@pytest.mark.parametrize(("facts", "message"), INVALID)
def test_a_term_without_sense_is_refused_when_read(facts, message):
    assert refused([{"points": 1, "when": "each", **facts}]) == message


@pytest.mark.parametrize(("facts", "message"), INVALID)
def test_a_term_without_sense_cannot_be_made(facts, message):
    when, what = When(facts.get("when", "each")), What(facts["what"])
    kinds = tuple(map(Kind, facts.get("kinds", ())))
    size = Size(facts["size"]) if "size" in facts else None

    with pytest.raises(BadData) as caught:
        Term(1, when, what, kinds, size, facts.get("number", 1))

    assert str(caught.value) == message


def test_one_bad_term_spoils_the_bonus():
    good = {"points": 1, "when": "each", "what": "damage"}

    assert refused([good, {**good, "number": 0}, good]) == NONE_AT_ALL


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param("points", 1.5, id="broken points"),
        pytest.param("points", "1", id="points as text"),
        pytest.param("points", True, id="points as yes"),
        pytest.param("points", None, id="no points"),
        pytest.param("points", MAX_NUMBER + 1, id="endless points"),
        pytest.param("when", "always", id="no such condition"),
        pytest.param("when", "EACH", id="condition in capitals"),
        pytest.param("when", None, id="no condition"),
        pytest.param("what", "cards", id="nothing that is counted"),
        pytest.param("what", 1, id="number as what"),
        pytest.param("kinds", "gold", id="text as kinds"),
        pytest.param("kinds", ["ruby"], id="no such kind"),
        pytest.param("kinds", [None], id="nothing as kind"),
        pytest.param("kinds", None, id="nothing as kinds"),
        pytest.param("kinds", {"gold": 1}, id="object as kinds"),
        pytest.param("size", "tiny", id="no such size"),
        pytest.param("size", 8, id="number as size"),
        pytest.param("number", 1.0, id="broken number"),
        pytest.param("number", None, id="no number"),
        pytest.param("ties", 1, id="number as yes"),
        pytest.param("ties", "yes", id="text as yes"),
    ],
)
def test_a_field_that_does_not_fit_is_named(field, value):
    good = {"points": 1, "when": "each", "what": "cubes", "kinds": ["gold"]}

    assert refused([{**good, field: value}]) == f"The field '{field}' does not have a possible value."


@pytest.mark.parametrize("field", ["points", "when", "what"])
def test_a_missing_field_is_named(field):
    term = {"points": 1, "when": "each", "what": "damage"}

    assert refused([{key: term[key] for key in term if key != field}]) == f"The field '{field}' is missing."


def test_an_unknown_field_is_named():
    term = {"points": 1, "when": "each", "what": "damage", "colour": "red"}

    assert refused([term]) == "The field 'colour' is not known here."


@pytest.mark.parametrize("term", [None, 1, "each", [], ["points", 1]])
def test_a_term_must_be_an_object(term):
    assert refused([term]) == "The field 'bonus' does not have a possible value."


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(None, id="nothing"),
        pytest.param({}, id="object"),
        pytest.param("[]", id="text"),
        pytest.param(3, id="number"),
        pytest.param([{"points": 1, "when": "each", "what": "damage"}] * 21, id="21 terms"),
    ],
)
def test_a_bonus_must_be_a_short_list(data):
    assert refused(data) == "A bonus must be a list of at most 20 terms."


# What a loot adds


def gain(bonus, loot, **facts):
    """Return what a loot gains through the bonus alone."""
    with_bonus = judge_one(a_hero(bonus=bonus, **facts), **loot)
    without = judge_one(a_hero(**facts), **loot)
    return with_bonus.gain - without.gain


@pytest.mark.parametrize(
    ("before", "taken", "expected"), [(2, 1, 6), (2, 2, 6), (1, 1, 0), (3, 1, 0), (0, 3, 6)]
)
def test_a_loot_may_cross_the_threshold(before, taken, expected):
    bonus = (Term(6, When.AT_LEAST, What.CUBES, GOLD, number=3),)

    assert gain(bonus, {"gold": taken}, gold=before) == expected


@pytest.mark.parametrize(
    ("before", "taken", "expected"), [(0, 1, 0), (1, 1, 4), (1, 2, 4), (1, 3, 8), (3, 0, 0)]
)
def test_a_loot_may_fill_up_each_so_many(before, taken, expected):
    bonus = (Term(4, When.EACH, What.CUBES, GOLD, number=2),)

    assert gain(bonus, {"gold": taken}, gold=before) == expected


def test_a_loot_may_complete_a_set():
    bonus = (Term(5, When.EACH, What.SETS, GEMS),)

    assert gain(bonus, {"gem_pink": 2}, gem_clear=1, gem_blue=3) == 5
    assert gain(bonus, {"gem_pink": 2}, gem_clear=1) == 0


@pytest.mark.parametrize(
    ("term", "taken", "expected"),
    [
        pytest.param(MOST, 1, 0, id="still behind"),
        pytest.param(MOST, 2, 5, id="level"),
        pytest.param(MOST, 3, 5, id="ahead"),
        pytest.param(MOST_ALONE, 2, 0, id="level is not enough"),
        pytest.param(MOST_ALONE, 3, 5, id="ahead alone"),
        pytest.param(FEWEST, 1, 0, id="no longer, nor before, the fewest"),
    ],
)
def test_a_loot_may_overtake_the_rivals(term, taken, expected):
    rivals = (a_rival(gold=3), a_rival(gold=0), a_rival(gold=2))

    assert gain((term,), {"gold": taken}, gold=1, rivals=rivals) == expected


@pytest.mark.parametrize(
    ("term", "taken", "expected"),
    [
        pytest.param(FEWEST, 0, 0, id="nothing changes"),
        pytest.param(FEWEST, 1, 0, id="level is enough"),
        pytest.param(FEWEST, 2, -5, id="one too many"),
        pytest.param(FEWEST_ALONE, 1, -5, id="level is not enough"),
    ],
)
def test_a_loot_may_cost_having_the_fewest(term, taken, expected):
    rivals = (a_rival(gold=2), a_rival(gold=4))

    assert gain((term,), {"gold": taken}, gold=1, rivals=rivals) == expected


def test_a_lead_that_was_there_before_is_not_gained():
    assert gain((MOST,), {"gold": 3}, gold=5, rivals=(a_rival(gold=2),)) == 0


def test_using_a_shield_loses_its_bonus():
    bonus = (Term(4, When.EACH, What.CUBES, (Kind.SHIELD,)),)

    assert gain(bonus, {"goblin": 1}, hp=8, damage=7, shield=2) == -4
    assert gain(bonus, {"goblin": 1}, hp=8, damage=5, shield=2) == 0
    assert gain(bonus, {"dragon": 1, "shield": 1}, shield=1) == 0


@pytest.mark.parametrize(("kind", "size"), [(Kind.SHIELD, Size.LARGE), (Kind.POTION, Size.SMALL)])
def test_a_used_shield_or_potion_is_also_missing_among_its_size(kind, size):
    bonus = (Term(4, When.EACH, What.CUBES, (kind,), size),)

    assert gain(bonus, {"goblin": 1}, hp=8, damage=7, **{kind: 2}) == -4


def test_drinking_a_potion_loses_its_bonus():
    bonus = (Term(4, When.AT_LEAST, What.CUBES, (Kind.POTION,), number=2),)

    assert gain(bonus, {"goblin": 1}, hp=8, damage=7, potion=2) == -4
    assert gain(bonus, {"goblin": 1, "potion": 1}, hp=8, damage=7, potion=2) == 0


def test_using_a_shield_may_make_a_hero_have_the_fewest():
    bonus = (Term(4, When.FEWEST, What.CUBES, (Kind.SHIELD,)),)

    assert gain(bonus, {"dragon": 1}, shield=1, rivals=(a_rival(),)) == 4


@pytest.mark.parametrize(
    ("loot", "facts", "damage", "hit_points"),
    [
        pytest.param({"goblin": 2, "troll": 1}, {}, 4, -4, id="monsters"),
        pytest.param({"gold": 2}, {"damage": 3}, 0, 0, id="treasure"),
        pytest.param({"goblin": 2}, {"damage": 6, "potion": 1}, -1, 1, id="healed more than suffered"),
        pytest.param({"troll": 1}, {"damage": 6, "shield": 1}, 0, 0, id="stopped"),
        pytest.param({"dragon": 1, "goblin": 1}, {"shield": 1}, 1, -1, id="dragon stopped"),
    ],
)
def test_damage_and_hit_points_count_as_they_are_after_the_loot(loot, facts, damage, hit_points):
    assert gain((Term(1, When.EACH, What.DAMAGE),), loot, **facts) == damage
    assert gain((Term(1, When.EACH, What.HIT_POINTS),), loot, **facts) == hit_points


def test_sizes_of_looted_cubes_are_known():
    hero = a_hero(gold=2, bonus=(Term(3, When.EACH, What.CUBES, GOLD, Size.SMALL),))

    assert judge_one(hero, ("gold", "large"), ("gold", "large")).gain == 2
    assert judge_one(hero, ("gold", "small"), ("gold", "large")).gain == 2 + 3


def test_a_sized_threshold_counts_only_what_is_known_of_the_reserve():
    bonus = (Term(6, When.AT_LEAST, What.CUBES, GOLD, Size.SMALL, number=2),)
    known = Hero(reserve=Reserve((Held(Kind.GOLD, 1, Size.SMALL),)), bonus=bonus)
    unknown = Hero(reserve=Reserve((Held(Kind.GOLD, 1),)), bonus=bonus)

    assert judge_one(known, ("gold", "small")).gain == 7
    assert judge_one(unknown, ("gold", "small")).gain == 1


def test_a_bonus_comes_on_top_of_what_the_cubes_score():
    hero = a_hero(gems=(1, 2, 3), bonus=(Term(2, When.EACH, What.CUBES, GEMS),), key=1)

    assert judge_one(hero, gem_pink=2, chest=1, gold=1).gain == 2 * (3 + 2) + 3.5 + 1
