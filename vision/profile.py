"""An owner's colour profile: labelled patches of these pieces in this light, and how they help the judge.

The patches are kept rather than what a network said of them, so that a profile outlives the network. Each
kind with samples is a cloud around its mean look. How near a cube is to each cloud is evidence, added to the
networks' own scores as strongly as two measurements allow: samples left out and named by the others, and the
cubes of the scan that the networks alone are sure of. If these speak against the profile (another light,
other pieces, wrong labels), the scores stay as they are. If not, samples also sit in the council, with their
names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy.special import bdtrc, log_softmax, logsumexp

from vision.council import Known
from vision.judge import LOOKS_COUNT, SAID, taken_apart
from vision.patches import PATCH_PX
from vision.pictures import Floats
from vision.pieces import KINDS, Kind

Integers = npt.NDArray[np.intp]
Patches = npt.NDArray[np.uint8]
# From pictures (N, 48, 48, 3) to (N, 95): scores, reaches and looks.
PatchNetwork = Callable[[Patches], npt.NDArray[np.floating[Any]]]

TURN_COUNT: Final = 8  # four quarter turns, each also mirrored: a cube may lie any way
_AT_ONCE: Final = 128  # patches given to the network together, so that memory stays small


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """Labelled samples, oldest first: the kind and the patch, shape (M, 48, 48, 3), of each."""

    name: str
    kinds: tuple[Kind, ...]
    patches: Patches

    def __len__(self) -> int:
        return len(self.kinds)

    @classmethod
    def empty(cls, name: str) -> Profile:
        """Return a profile without samples."""
        return cls(name, (), np.zeros((0, PATCH_PX, PATCH_PX, 3), np.uint8))


@dataclass(frozen=True, slots=True, eq=False)
class ProfileLooks:
    """What the network says of the samples, each turned T ways.

    Attributes:
        kinds: shape (M,), indices into vision.pieces.KINDS.
        scores: shape (M, T, 15).
        looks: shape (M, T, 64).
    """

    kinds: Integers
    scores: Floats
    looks: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileSettings:
    """How much a profile may say. Most were tried in the simulated light of its tests.

    Attributes:
        sharpness: how much of a squared distance counts, one is chosen by the samples. Looks are correlated,
            so a full count (1.0) would be too sure; the smallest leaves nearly no evidence.
        weights: how strongly the evidence counts beside the network, one is chosen by the samples; more than
            1 would count the same looks twice.
        worth: a larger weight must make the samples' mean loss smaller by this, in natural logarithms: 0.03
            is one more right name in some thirty, about what one layout can tell.
        prior_samples: the spread of looks is shrunk to its mean over all looks as if so many samples had said
            so; about as many as a layout leaves to measure it (27 samples of 12 kinds).
        least_tests: with fewer samples that others can name, nothing is measured and nothing is believed.
        sure: the network alone is taken to be right above this; the usual cube of the test pictures is named
            with 0.95 or more.
        least_sure: with fewer sure cubes in a scan a profile cannot be told from one of another light.
        least_varied: the same if they are of fewer kinds. Measured on 420 pairs of a profile and a picture of
            another table, with a judge hardly taught: sure cubes of one kind let 21 scans get worse, of three
            kinds one, of four none.
        chance: a profile that is contradicted by sure cubes more often than its own samples allow is dropped
            when luck alone would do that more rarely than this; the usual twentieth.
        farthest: how much farther, squared, the cubes of a scan may be from the nearest kind than
            samples left out are. On the same 22 photographs: at most 1.8 with samples of the same picture,
            2.1 of other pictures of the same table and light, usually 3.5 of other tables.
        most_known: so many samples of a kind, the newest, sit in the council.
        foreign: in squared distances of left-out samples to the nearest kind: what is farther from all kinds
            looks like no sample, and the profile says nothing of it.
    """

    sharpness: tuple[float, ...] = (0.05, 0.1, 0.2, 0.4, 0.8)
    weights: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
    worth: float = 0.03
    prior_samples: float = 16.0
    least_tests: int = 6
    sure: float = 0.9
    least_sure: int = 5
    least_varied: int = 4
    chance: float = 0.05
    farthest: float = 2.0
    most_known: int = 4
    foreign: float = 2.5


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """What the samples teach, and how well they name each other.

    Attributes:
        kinds: shape (K,), the kinds with samples, as indices into KINDS.
        means: shape (K, 64), the mean look of each kind.
        spread: shape (64,), the standard deviation of looks within a kind.
        sharpness: how much of a squared distance counts.
        weight: how strongly the evidence counts; 0 if the samples do not help to name each other.
        tests: how many samples could be left out and named by the others.
        errors: how many of these were named wrong by the looks alone, on average over the turns.
        typical: the usual squared distance of a left-out sample to the nearest kind.
    """

    kinds: Integers
    means: Floats
    spread: Floats
    sharpness: float
    weight: float
    tests: int
    errors: float
    typical: float


def profile_looks(profile: Profile, network: PatchNetwork) -> ProfileLooks:
    """Ask the network about every sample at every turn; do it once, not for every picture."""
    turned = np.stack(
        [
            np.rot90(side, turn, (1, 2))
            for side in (profile.patches, profile.patches[:, :, ::-1])
            for turn in range(4)
        ],
        axis=1,
    ).reshape(-1, PATCH_PX, PATCH_PX, 3)
    said = np.zeros((len(turned), sum(SAID)))
    for start in range(0, len(turned), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        said[some] = network(np.ascontiguousarray(turned[some]))
    scores, _, _, looks = taken_apart(said.reshape(len(profile), TURN_COUNT, said.shape[1]))
    kinds = np.array([KINDS.index(kind) for kind in profile.kinds], np.intp)
    return ProfileLooks(kinds, scores, looks)


def adapted(
    scores: Floats,
    looks: Floats,
    samples: ProfileLooks,
    settings: ProfileSettings | None = None,
    fit: Fit | None = None,
) -> Floats:
    """Return the scores (N, 15) of a scan's places with looks (N, 64), changed by what the samples say.

    The samples only share out anew, among the kinds they show, what the network gave these kinds together:
    they know nothing of empty places and of kinds they do not show, so those stay as likely as before.
    For many pictures give what fitted() returned once: it takes longer than all the rest.
    """
    settings = settings or ProfileSettings()
    fit = fit or fitted(samples, settings)
    if not len(scores) or fit.weight == 0.0:
        return scores
    trusted, doubt, farther = _checked(scores, looks, fit, settings)
    if len(trusted) < 2:
        return scores
    distances = _distances(looks, fit.means, fit.spread)[:, trusted] / farther
    evidence = _evidence(distances, fit.sharpness, settings.foreign * fit.typical, doubt)
    columns = fit.kinds[trusted] + 1
    changed = scores.copy()
    changed[:, columns] = _shared_out(scores[:, columns], fit.weight * evidence)
    return changed


def believed(scores: Floats, looks: Floats, fit: Fit, settings: ProfileSettings | None = None) -> Integers:
    """Return the kinds whose samples are believed in this scan, as indices into KINDS."""
    settings = settings or ProfileSettings()
    if not len(scores) or fit.weight == 0.0:
        return np.zeros(0, np.intp)
    return fit.kinds[_checked(scores, looks, fit, settings)[0]]


def known_of(samples: ProfileLooks, kinds: Integers, settings: ProfileSettings | None = None) -> Known | None:
    """Return the newest samples of some kinds, as places whose names the council knows, or None."""
    settings = settings or ProfileSettings()
    rows = [np.flatnonzero(samples.kinds == kind)[-settings.most_known :] for kind in kinds]
    if not rows:
        return None
    which = np.concatenate(rows)
    return Known(samples.looks[which, 0], samples.kinds[which] + 1)


def fitted(samples: ProfileLooks, settings: ProfileSettings | None = None) -> Fit:
    """Learn the clouds of all kinds, and measure how far they can be believed.

    Every sample is left out in turn and named by the others; one alone of its kind cannot be. Sharpness and
    weight are those with which the network and the others together name it best.
    """
    settings = settings or ProfileSettings()
    kinds, group = np.unique(samples.kinds, return_inverse=True)
    sums = np.zeros((len(kinds), LOOKS_COUNT))
    middles = samples.looks.mean(axis=1) if len(samples.kinds) else np.zeros((0, LOOKS_COUNT))
    np.add.at(sums, group, middles)
    counts = np.bincount(group, minlength=len(kinds)).astype(np.float64)
    means = sums / np.maximum(counts, 1)[:, None]
    spread = _spread(samples.looks, means[group], counts, settings.prior_samples)
    tested = np.flatnonzero(counts[group] >= 2)
    nothing = Fit(kinds, means, spread, 0.0, 0.0, len(tested), 0.0, 1.0)
    if len(tested) < settings.least_tests or len(kinds) < 2:
        return nothing
    # Shape (tests, turns, K): to the means of all kinds, its own without it.
    own = group[tested]
    without = (sums[own] - middles[tested]) / (counts[own] - 1)[:, None]
    distances = _distances(samples.looks[tested].reshape(-1, LOOKS_COUNT), means, spread)
    distances = distances.reshape(len(tested), -1, len(kinds))
    to_own = (((samples.looks[tested] - without[:, None]) / spread) ** 2).sum(axis=2)
    np.put_along_axis(distances, own[:, None, None], to_own[:, :, None], axis=2)
    wrong = (distances.argmin(axis=2) != own[:, None]).mean(axis=1)
    typical = max(float(np.median(distances.min(axis=2))), 1e-9)
    doubt = (wrong.sum() + 1) / (len(tested) + 2)
    alone = samples.scores[tested][..., kinds + 1]
    losses = np.zeros((len(settings.weights), len(settings.sharpness)))
    for column, sharp in enumerate(settings.sharpness):
        evidence = _evidence(distances, sharp, settings.foreign * typical, doubt)
        for row, strength in enumerate(settings.weights):
            named = log_softmax(alone + strength * evidence, axis=2)
            said = np.take_along_axis(named, own[:, None, None], axis=2).mean(axis=(1, 2))
            losses[row, column] = -_by_kind(said, own)
    # The smallest weight that is nearly the best: a network that needs no help gets none.
    row = int(np.argmax(losses.min(axis=1) < losses.min() + settings.worth))
    sharpness, weight = settings.sharpness[int(losses[row].argmin())], settings.weights[row]
    return Fit(kinds, means, spread, sharpness, weight, len(tested), float(wrong.sum()), typical)


def _checked(
    scores: Floats, looks: Floats, fit: Fit, settings: ProfileSettings
) -> tuple[Integers, float, float]:
    """Return which of the fit's kinds to believe in this scan, how likely they are wrong, and how far off.

    What the network alone is sure of is nearly always right; a profile that names these cubes otherwise more
    often than it misnames its own samples was made in another light, from other pieces or with wrong labels.
    So was one from which all cubes are far.
    """
    nobody = np.zeros(0, np.intp)
    likely = np.exp(log_softmax(scores, axis=1))
    distances = _distances(looks, fit.means, fit.spread)
    cubes = likely[:, 0] < 0.5
    farther = float(np.median(distances[cubes].min(axis=1))) / fit.typical if cubes.any() else np.inf
    sure = np.flatnonzero(
        (likely.max(axis=1) > settings.sure) & np.isin(scores.argmax(axis=1), fit.kinds + 1)
    )
    network = np.searchsorted(fit.kinds, scores[sure].argmax(axis=1) - 1)
    varied = len(np.unique(network)) >= settings.least_varied
    if farther > settings.farthest or len(sure) < settings.least_sure or not varied:
        return nobody, 1.0, 1.0
    profile = distances[sure].argmin(axis=1)
    apart = network != profile
    expected = (fit.errors + 1) / (fit.tests + 2)
    if bdtrc(apart.sum() - 1, len(sure), expected) < settings.chance:
        return nobody, 1.0, 1.0
    # Two kinds may be mixed up although the rest is right: one more often contradicted than confirmed goes.
    every = np.arange(len(fit.kinds))
    named = (network == every[:, None]) | (profile == every[:, None])
    against = (named & apart).sum(axis=1)
    trusted = np.flatnonzero(against <= (named & ~apart).sum(axis=1))
    doubt = float((fit.errors + apart.sum() + 1) / (fit.tests + len(sure) + 2))
    return trusted, doubt, max(farther, 1.0)


def _evidence(distances: Floats, sharpness: float, foreign: float, doubt: float) -> Floats:
    """Return the logarithm of how likely each kind (last axis) is by its looks alone.

    What is as far as *foreign* from all kinds may be any of them, and so it is with a chance of *doubt*.
    """
    count = distances.shape[-1]
    near = -0.5 * sharpness * distances
    other = np.full((*distances.shape[:-1], 1), -0.5 * sharpness * foreign)
    total = logsumexp(np.concatenate((near, other), axis=-1), axis=-1, keepdims=True)
    likely = np.exp(near - total) + np.exp(other - total) / count
    evidence: Floats = np.log((1 - doubt) * likely + doubt / count)
    return evidence


def _shared_out(scores: Floats, evidence: Floats) -> Floats:
    """Return scores of some classes with evidence added, such that they are together as likely as before."""
    before = logsumexp(scores, axis=1, keepdims=True)
    shared: Floats = before + log_softmax(scores + evidence, axis=1)
    return shared


def _spread(looks: Floats, means: Floats, counts: Floats, prior_samples: float) -> Floats:
    """Return the standard deviation of each look within a kind, shrunk to what is usual for all looks.

    A kind's mean was taken from its own samples, so n samples tell as much as n - 1.
    """
    told = max(float((counts - 1).sum()), 0.0)
    within = ((looks - means[:, None]) ** 2).mean(axis=1).sum(axis=0) / max(told, 1.0)
    usual = float(within.mean())
    variance = (told * within + prior_samples * usual) / (told + prior_samples)
    spread: Floats = np.sqrt(np.maximum(variance, 1e-9))
    return spread


def _distances(looks: Floats, means: Floats, spread: Floats) -> Floats:
    """Return squared distances, shape (N, K), counted in spreads."""
    squared: Floats = (((looks[:, None] - means[None]) / spread) ** 2).sum(axis=2)
    return squared


def _by_kind(values: Floats, group: Integers) -> float:
    """Return the mean over kinds of the mean within each: no kind outvotes the others by its number."""
    many = np.bincount(group)
    return float((np.bincount(group, values)[many > 0] / many[many > 0]).mean())
