"""Colour profiles: they help in the light they were made in, and never do harm in another.

The network is simulated: it knows how each kind looks in ordinary light, and every light moves those looks.
"""

import numpy as np
import pytest

from vision.judge import CLASS_COUNT, LOOKS_COUNT
from vision.pieces import COUNTS, KINDS, Kind
from vision.profile import (
    TURN_COUNT,
    Profile,
    ProfileLooks,
    ProfileSettings,
    adapted,
    believed,
    fitted,
    known_of,
    profile_looks,
)

SEEDS = range(25)
NOISE = 0.35  # of one look of one cube, where kinds differ by 0.85 in the mean
IN_THE_BOX = [sum(count for (of, _), count in COUNTS.items() if of is kind) for kind in KINDS]
SOLO = 2  # the last kinds: relic and stairs
# As many samples as the layout has, two of nearly every kind.
SAMPLES = np.repeat(np.arange(len(KINDS) - SOLO), [4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 4])


# Half of the looks say something; the others are 0.
TELLING = LOOKS_COUNT // 2


class Table:
    """A table in some light, and the network's opinion of what is seen there."""

    def __init__(self, seed, light=0.7):
        self.rng = np.random.default_rng(seed)
        self.known = np.abs(self.rng.normal(0, 1, (CLASS_COUNT, TELLING)))
        self.light = self.another_light(light)
        taken = [self.rng.binomial(count, 0.65) for count in IN_THE_BOX]
        self.truth = np.repeat(np.arange(len(KINDS)), taken)
        self.scores, self.looks = self.seen(self.truth, self.light)

    def another_light(self, strength):
        """Move all looks by the same, and those of each kind by something of its own."""
        move = self.rng.normal(0, strength / 2, TELLING) + self.rng.normal(0, strength, self.known.shape)
        return self.known + move

    def seen(self, kinds, light, turns=()):
        middles = light[np.asarray(kinds) + 1] + self.rng.normal(0, NOISE, (len(kinds), TELLING))
        if turns:
            middles = middles[:, None] + self.rng.normal(0, NOISE / 2, (len(kinds), *turns, TELLING))
        scores = (middles @ self.known.T - (self.known**2).sum(axis=1) / 2) / (6 * NOISE**2)
        return scores, np.concatenate((middles, np.zeros_like(middles)), axis=-1)

    def samples(self, light=None, labels=None, kinds=SAMPLES):
        scores, looks = self.seen(kinds, self.light if light is None else light, (TURN_COUNT,))
        return ProfileLooks(np.asarray(kinds if labels is None else labels), scores, looks)

    def errors(self, scores):
        return int((scores.argmax(axis=1) - 1 != self.truth).sum())

    def errors_without_and_with(self, samples):
        return self.errors(self.scores), self.errors(adapted(self.scores, self.looks, samples))


def likely(scores):
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


# In its own light


def test_a_profile_of_this_light_helps():
    without, using = np.array(
        [table.errors_without_and_with(table.samples()) for table in map(Table, SEEDS)]
    ).T

    assert without.sum() > 2 * len(SEEDS)
    assert using.sum() < 0.7 * without.sum()
    assert (using <= without).all()


def test_a_network_that_needs_no_help_gets_none():
    table = Table(1, light=0.1)

    assert fitted(table.samples()).weight == 0
    assert adapted(table.scores, table.looks, table.samples()) is table.scores


def test_more_samples_help_more():
    few, many = 0, 0
    for table in map(Table, SEEDS):
        few += table.errors_without_and_with(table.samples())[1]
        many += table.errors_without_and_with(table.samples(kinds=np.repeat(SAMPLES, 4)))[1]

    assert many < few


# Where it does not belong


def other_light(table):
    return table.samples(table.another_light(0.7))


def slightly_other_light(table):
    return table.samples(table.light + 0.4 * (table.another_light(0.7) - table.known))


def ordinary_light(table):
    return table.samples(table.known)


def read_backwards(table):
    return table.samples(labels=SAMPLES[::-1])


def read_from_the_second(table):
    return table.samples(labels=np.roll(SAMPLES, 2))


def labelled_anyhow(table):
    return table.samples(labels=table.rng.permutation(SAMPLES))


def two_kinds_mixed_up(table):
    one, other = table.rng.choice(len(KINDS) - SOLO, 2, replace=False)
    swapped = {one: other, other: one}
    return table.samples(labels=[swapped.get(kind, kind) for kind in SAMPLES])


def one_slip(table):
    labels = SAMPLES.copy()
    labels[table.rng.integers(len(labels))] = table.rng.integers(len(KINDS) - SOLO)
    return table.samples(labels=labels)


@pytest.mark.parametrize("light", [0.1, 0.4, 0.7, 1.0])
@pytest.mark.parametrize(
    "samples_of",
    [
        other_light,
        slightly_other_light,
        ordinary_light,
        read_backwards,
        read_from_the_second,
        labelled_anyhow,
        two_kinds_mixed_up,
        one_slip,
    ],
)
def test_a_profile_that_does_not_fit_is_never_worse_than_none(samples_of, light):
    tables = [Table(seed, light) for seed in SEEDS]

    without, using = np.array([table.errors_without_and_with(samples_of(table)) for table in tables]).T

    assert using.sum() <= without.sum()
    # A single table may lose a cube by bad luck, not more.
    assert (using <= without + 1).all()


def test_the_wrong_profiles_would_do_harm_if_they_were_believed():
    # The guard of the test above: named by the nearest samples alone, most tables get worse.
    worse = 0
    for table in map(Table, SEEDS):
        fit = fitted(other_light(table))
        nearest = fit.kinds[((table.looks[:, None] - fit.means) ** 2).sum(axis=2).argmin(axis=1)]
        worse += (nearest != table.truth).sum() > table.errors(table.scores)

    assert worse > 0.8 * len(SEEDS)


# What it does not know


def test_no_cube_and_kinds_without_samples_stay_exactly_as_likely():
    for table in map(Table, SEEDS):
        before, after = likely(table.scores), likely(adapted(table.scores, table.looks, table.samples()))

        others = [0, *range(CLASS_COUNT - SOLO, CLASS_COUNT)]
        np.testing.assert_allclose(after[:, others], before[:, others], rtol=1e-9, atol=1e-12)


def test_a_cube_unlike_all_samples_keeps_the_scores_of_the_network():
    changed = [table for table in map(Table, SEEDS) if fitted(table.samples()).weight]
    for table in changed:
        table.looks[0] += 50.0
        # Whatever the network says of it, it must not be sure of what it says: that would be a contradiction.
        table.scores[0] = np.linspace(0, 1, CLASS_COUNT)

        after = adapted(table.scores, table.looks, table.samples())

        np.testing.assert_allclose(likely(after)[0], likely(table.scores)[0], atol=1e-3)
    assert changed


def test_a_scan_with_nothing_to_check_it_by_is_left_alone():
    table = Table(3)
    flat = 0.05 * table.scores

    assert adapted(flat, table.looks, table.samples()) is flat


@pytest.mark.parametrize(
    "kinds",
    [
        pytest.param([], id="no samples"),
        pytest.param([0], id="one"),
        pytest.param([0] * 20, id="of one kind"),
        pytest.param(range(12), id="one of each, which cannot be tested"),
        pytest.param([0, 0, 1, 1], id="too few to test"),
    ],
)
def test_too_few_samples_change_nothing(kinds):
    table = Table(4)

    samples = table.samples(kinds=np.array(kinds, int))

    assert fitted(samples).weight == 0
    assert adapted(table.scores, table.looks, samples) is table.scores


def test_an_empty_scan_stays_empty():
    table = Table(5)

    after = adapted(np.zeros((0, CLASS_COUNT)), np.zeros((0, LOOKS_COUNT)), table.samples())

    assert after.shape == (0, CLASS_COUNT)


def test_the_given_scores_are_not_changed():
    table = Table(6)
    before = table.scores.copy()

    after = adapted(table.scores, table.looks, table.samples())

    assert (table.scores == before).all()
    assert (after != before).any()


def test_samples_all_alike_are_no_division_by_zero():
    table = Table(7)
    samples = table.samples()

    same = ProfileLooks(samples.kinds, samples.scores, np.zeros_like(samples.looks))

    assert np.isfinite(adapted(table.scores, table.looks, same)).all()


# What the network says of samples


def test_the_network_is_asked_about_every_sample_at_every_turn():
    asked = []

    def network(patches):
        assert patches.flags.c_contiguous and patches.dtype == np.uint8
        asked.append(patches)
        said = np.arange(111, dtype=np.float32) + patches[:, 0, 0, :1]
        return said

    patch = np.zeros((48, 48, 3), np.uint8)
    patch[0, 0], patch[0, 47], patch[47, 0], patch[47, 47] = 10, 20, 30, 40
    profile = Profile("mine", (Kind.KEY,) * 20, np.stack([patch] * 20))

    looks = profile_looks(profile, network)

    assert sum(map(len, asked)) == 20 * TURN_COUNT
    assert max(map(len, asked)) <= 128
    assert looks.scores.shape == (20, TURN_COUNT, CLASS_COUNT)
    assert looks.looks.shape == (20, TURN_COUNT, LOOKS_COUNT)
    assert set(looks.kinds) == {KINDS.index(Kind.KEY)}
    # Each corner comes to the top left twice, and the looks are the last 64 numbers.
    np.testing.assert_array_equal(np.sort(looks.scores[7, :, 0]), [10, 10, 20, 20, 30, 30, 40, 40])
    np.testing.assert_array_equal(looks.looks[0, 0] - looks.scores[0, 0, 0], np.arange(47, 111))


def test_a_profile_without_samples_is_asked_nothing():
    looks = profile_looks(Profile.empty("new"), lambda patches: pytest.fail("nothing to ask"))

    assert looks.looks.shape == (0, TURN_COUNT, LOOKS_COUNT)


# In the council


def test_samples_that_are_believed_are_known_to_the_council():
    table = Table(6)
    samples = table.samples()
    kinds = believed(table.scores, table.looks, fitted(samples))
    known = known_of(samples, kinds)
    assert len(kinds) > 3
    assert set(known.classes) == set(kinds + 1)
    assert known.looks.shape == (len(known.classes), LOOKS_COUNT)
    assert max(np.bincount(known.classes)) <= ProfileSettings().most_known


def test_of_many_samples_the_newest_are_known():
    table = Table(6)
    samples = table.samples(kinds=np.repeat(np.arange(3), 9))
    known = known_of(samples, np.array([1]), ProfileSettings(most_known=2))
    np.testing.assert_array_equal(known.looks, samples.looks[[16, 17], 0])


def test_samples_that_are_not_believed_do_not_sit_in_the_council():
    table = Table(6)
    strange = table.samples(light=np.random.default_rng(1).permutation(table.light))
    kinds = believed(table.scores, table.looks, fitted(strange))
    assert len(kinds) < 2
    assert known_of(strange, np.zeros(0, np.intp)) is None
