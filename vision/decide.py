"""Deciding all cubes together: what each is, under what the box holds."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment
from scipy.special import logit

from vision.boxes import Boxes
from vision.nearness import distances, first_of_near
from vision.pictures import Floats
from vision.pieces import COUNTS, KINDS, SIDE_MM, SIZES, SOLO_KINDS
from vision.sightings import Sightings

_PIECES = [(KINDS.index(kind), SIZES.index(size)) for kind, size in COUNTS]
_COUNT = np.array(list(COUNTS.values()))
_KIND = np.array([kind for kind, _ in _PIECES])
_SIZE = np.array([size for _, size in _PIECES])
_SOLO = np.array([kind in SOLO_KINDS for kind, _ in COUNTS])


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideSettings:
    """How much is believed.

    Attributes:
        least_likely: nothing is ever less likely than this, so that one wrong measurement can be outvoted.
        surely: what is likelier a cube than this is one. The front of a cube that is seen as one more has 0.5
            to 0.9; if the box has no piece left for it, that speaks against it too.
        left_out: how many times over, as a logarithm, what surely is a cube has to be unlikely as every piece
            left in the box before it is taken for none; a guess.
        solo_odds: how much less likely than others the cubes are for those who play alone, if nobody knows
            how many play; of 1, 0.3, 0.1 and 0.03 the best on all pictures.
        same_cube: of two sightings nearer than this share of their reach, the surer is kept.
        most_shared: of two cubes that in the end share more of their bases than this, the surer is kept.
        shared_place: cubes do not stand inside each other, but places are measured and cubes may lean. One
            that shares this part of its base with a surer one is believed only if its presence is e times
            as likely as not; one that shares twice as much, e squared times.
    """

    least_likely: float = 1e-5
    surely: float = 0.95
    left_out: float = 5.0
    solo_odds: float = 0.3
    same_cube: float = 0.55
    most_shared: float = 0.35
    shared_place: float = 0.07


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """What sightings are.

    Attributes:
        which: shape (M,), those that are cubes.
        kinds: shape (M,), indices into vision.pieces.KINDS.
        sizes: shape (M,), indices into vision.pieces.SIZES.
        confidence: shape (M,), how sure kind and size are.
        surprise: how unlikely all of it is together, as a negative logarithm but for a constant.
    """

    which: npt.NDArray[np.intp]
    kinds: npt.NDArray[np.intp]
    sizes: npt.NDArray[np.intp]
    confidence: Floats
    surprise: float

    def picked(self, which: npt.NDArray[np.bool_]) -> Decision:
        """Return the decision about some of the cubes (M,)."""
        return Decision(
            self.which[which], self.kinds[which], self.sizes[which], self.confidence[which], self.surprise
        )

    @property
    def pieces(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Which sightings are cubes, and of which size each is."""
        return self.which, self.sizes


def decide(
    seen: Sightings, sizes: Floats, settings: DecideSettings | None = None, *, solo: bool | None = None
) -> Decision:
    """Give every sighting a piece of the box, or none.

    Args:
        sizes: shape (N, 3), how likely each is of each size; rows sum to 1.
        solo: whether the cubes for those who play alone may be on the table; None: nobody knows.
    """
    settings = settings or DecideSettings()
    if not len(seen):
        none = np.zeros(0, np.intp)
        return Decision(none, none, none, np.zeros(0), 0.0)
    kinds = np.maximum(seen.kinds, settings.least_likely)[:, _KIND]
    likely = kinds * np.maximum(sizes, settings.least_likely)[:, _SIZE]
    counts = _COUNT
    if solo is None:
        likely[:, _SOLO] *= settings.solo_odds
    elif not solo:
        counts = np.where(_SOLO, 0, _COUNT)
        likely[:, _SOLO] = np.finfo(float).tiny
    presence = np.clip(seen.presence, settings.least_likely, 1 - settings.least_likely)[:, None]
    # Whether there is a cube is told by its presence alone: a strange one is still a cube.
    cost = -np.log(presence) - np.log(likely / likely.max(axis=1, keepdims=True))
    left_out = -np.log(1 - presence) + np.where(presence > settings.surely, settings.left_out, 0.0)
    nothing = np.repeat(left_out, len(seen), axis=1)
    columns = np.repeat(np.arange(len(counts)), counts)
    costs = np.concatenate((cost[:, columns], nothing), axis=1)
    rows, chosen = linear_sum_assignment(costs)
    cubes = chosen < len(columns)
    which, piece = rows[cubes], columns[chosen[cubes]]
    sure = likely[which, piece] / likely[which].sum(axis=1) * presence[which, 0]
    surprise = float(costs[rows[~cubes], chosen[~cubes]].sum() - np.log(likely[which, piece]).sum())
    return Decision(which, _KIND[piece], _SIZE[piece], np.minimum(sure, 1.0), surprise)


def without_doubles(seen: Sightings, settings: DecideSettings | None = None) -> Sightings:
    """Return the sightings without those of a cube that was seen more surely from another spot."""
    settings = settings or DecideSettings()
    order = np.argsort(-seen.presence, kind="stable")
    ordered = seen.picked(order)
    reach = ordered.support_px.mean(axis=1)
    near = distances(ordered.centre_px) < settings.same_cube * np.minimum(reach[:, None], reach[None])
    return ordered.picked(first_of_near(near))


def standing_apart(
    boxes: Boxes, presence: Floats, settings: DecideSettings | None = None
) -> npt.NDArray[np.bool_]:
    """Tell which boxes have their place on the table to themselves: two cubes cannot stand in one place.

    The front of a cube is easily seen as one more cube; it would stand inside the first.
    """
    settings = settings or DecideSettings()
    order = np.argsort(-presence, kind="stable")
    sure = logit(np.clip(presence, settings.least_likely, 1 - settings.least_likely))[order]
    shared = shared_bases(boxes.picked(order), boxes.surprise[order].argmin(axis=1))
    doubted = shared / settings.shared_place > np.maximum(sure, 0)[:, None]
    kept = np.empty(len(boxes), bool)
    kept[order] = first_of_near(doubted)
    return kept


def without_shared(decision: Decision, boxes: Boxes, settings: DecideSettings | None = None) -> Decision:
    """Return the decision without cubes that ended up where a surer one stands.

    Two sightings of one cube may lie apart, until the edges of the picture draw both to the same place.
    """
    settings = settings or DecideSettings()
    order = np.argsort(-decision.confidence, kind="stable")
    shared = shared_bases(boxes.picked(decision.which[order]), decision.sizes[order])
    kept = np.empty(len(order), bool)
    kept[order] = first_of_near(shared > settings.most_shared)
    return decision.picked(kept)


def shared_bases(boxes: Boxes, sizes: npt.NDArray[np.intp]) -> Floats:
    """Return which part of its base each box, of these sizes, shares with each other, (N, N).

    Of two of different sizes it is the part of the smaller.
    """
    rows = np.arange(len(boxes))
    sides = np.array([SIDE_MM[size] for size in SIZES])[sizes]
    bases = boxes.footprint_mm()[rows, sizes].astype(np.float32)
    near = distances(boxes.centre_mm[rows, sizes]) < (sides[:, None] + sides[None]) * np.sqrt(0.5)
    shared = np.zeros((len(boxes), len(boxes)))
    for one, other in np.argwhere(np.triu(near, 1)):
        area, _ = cv2.intersectConvexConvex(bases[one], bases[other])
        shared[one, other] = shared[other, one] = area / min(sides[one], sides[other]) ** 2
    return shared
