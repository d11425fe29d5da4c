"""Judging: a close look at every spot, for what it is and exactly how far its outline reaches."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from vision.networks import Network
from vision.patches import PATCH_PX, cut_patches
from vision.pictures import Floats, FrameBGR, Indices
from vision.pieces import KINDS
from vision.sightings import Sightings
from vision.spotter import Spots
from vision.support import DIRECTION_COUNT, DIRECTIONS

# What the network says of a patch, in this order: a score for no cube and for each kind; reaches; logarithms
# of how far off each of them may be; its looks.
CLASS_COUNT: Final = len(KINDS) + 1
NO_CUBE: Final = 0
LOOKS_COUNT: Final = 64
SAID: Final = (CLASS_COUNT, DIRECTION_COUNT, DIRECTION_COUNT, LOOKS_COUNT)
# How far off a reach may be, by the mean reach, stays within these logarithms: nobody is surer than that.
LOG_UNSURE: Final = (-6.0, 1.0)
# It tells how large misses are in the mean; the standard deviation of normal ones is so many times that.
SPREAD: Final = 1.25


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """When to look twice.

    Attributes:
        least_presence: what is less likely a cube is forgotten; the final decision weighs the rest.
        far_off: in reaches: a spot that was so far from the cube's middle is looked at again.
        wrong_size: as a logarithm of the reach, the same; 0.22 and 0.2 take longer and are no better.
        sharpened: how many times its scores count: with less than all of the council's word they are less
            sure than they are right; with 1.5 they are about as sure (docs/accuracy.md).
        no_cube: what is added to the score of no cube. Rare kinds count more in the lessons, and no cube, the
            most frequent class, least: pens and beads were taken for cubes too easily. With 0 / 0.5 / 1 /
            1.5 kinds right are 0.945 / 0.947 / 0.948 / 0.948 in the mean of six sets that were not taught
            (docs/training.md); with 1.5 more pillars and best rooms are lost.
    """

    least_presence: float = 0.05
    far_off: float = 0.28
    wrong_size: float = 0.25
    sharpened: float = 1.5
    no_cube: float = 1.0


@dataclass(frozen=True, slots=True)
class Glance:
    """One way to look at a place: with the head *turned* by so many of the 16 directions, *around* it by so
    many of its reaches as the network expects."""

    turned: int = 0
    around: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Opinions:
    """What the network says of N places.

    Attributes:
        centre_px: shape (N, 2), the middles of outlines.
        support_px: shape (N, 16), how far they reach from there.
        unsure_px: shape (N, 16), how far off each reach may be, a standard deviation: far where something
            hides the cube.
        scores: shape (N, 15), for no cube and for each kind: logarithms of how likely, but for a constant.
        looks: shape (N, 64), a description of how it looks, alike for things that look alike.
    """

    centre_px: Floats
    support_px: Floats
    unsure_px: Floats
    scores: Floats
    looks: Floats

    @classmethod
    def none(cls) -> Opinions:
        """Return what is said of no place."""
        widths = (2, DIRECTION_COUNT, DIRECTION_COUNT, CLASS_COUNT, LOOKS_COUNT)
        return cls(*(np.zeros((0, width)) for width in widths))

    def with_rows(self, which: Indices, others: Opinions) -> Opinions:
        """Return the opinions with others of some places."""
        changed = {field.name: getattr(self, field.name).copy() for field in fields(self)}
        for name, values in changed.items():
            values[which] = getattr(others, name)
        return Opinions(**changed)

    @property
    def reach_px(self) -> Floats:
        """The mean reach of each."""
        reach: Floats = self.support_px.mean(axis=1)
        return reach


def opinions(
    frame: FrameBGR, spots: Spots, network: Network, settings: JudgeSettings | None = None
) -> Opinions:
    """Look closely at all spots, and again at those that were not well aimed."""
    settings = settings or JudgeSettings()
    first = look(frame, spots.centres_px, spots.reach_px, network)
    if not len(spots):
        return first
    moved = np.hypot(*(first.centre_px - spots.centres_px).T) / spots.reach_px
    grown = np.abs(np.log(first.reach_px / spots.reach_px))
    astray = (moved > settings.far_off) | (grown > settings.wrong_size)
    again = np.flatnonzero(astray & (_likely(first.scores, settings)[:, 0] < 1 - settings.least_presence))
    if not len(again):
        return first
    second = look(frame, first.centre_px[again], first.reach_px[again], network)
    return first.with_rows(again, second)


def look(
    frame: FrameBGR,
    centres_px: Floats,
    reach_px: Floats,
    network: Network,
    glances: tuple[Glance, ...] = (Glance(),),
) -> Opinions:
    """Ask the network about places (N, 2) where something reaches about so far (N,).

    Args:
        glances: the ways to look at each; of several the mean is told.
    """
    if not len(centres_px):
        return Opinions.none()
    told = []
    for glance in glances:
        around = np.clip(glance.around * reach_px, 1.0, PATCH_PX * 20.0)[:, None]
        patches = cut_patches(frame, centres_px, around[:, 0], glance.turned)
        scores, reaches, log_unsure, looks = taken_apart(network(patches).astype(np.float64))
        unsure = SPREAD * np.exp(np.clip(log_unsure, *LOG_UNSURE))
        turned_back = (np.roll(part * around, glance.turned, axis=1) for part in (reaches, unsure))
        told.append((scores, *turned_back, looks))
    scores, reaches, unsure, looks = (np.mean(parts, axis=0) for parts in zip(*told, strict=True))
    # The middle of a shape that is the same from both sides is the mean of its opposite edges.
    shift = 2.0 / DIRECTION_COUNT * reaches @ DIRECTIONS
    least = 0.05 * np.maximum(reach_px, 1.0)[:, None]
    return Opinions(
        centres_px + shift, np.maximum(reaches - shift @ DIRECTIONS.T, least), unsure, scores, looks
    )


def taken_apart(said: Floats) -> list[Floats]:
    """Return what the network said, shape (..., 111), as scores, reaches, how unsure they are, and looks."""
    return np.split(said, np.cumsum(SAID)[:-1], axis=-1)


def sightings(said: Opinions, settings: JudgeSettings | None = None) -> Sightings:
    """Return opinions as likelihoods, without those that are hardly cubes."""
    settings = settings or JudgeSettings()
    likely = _likely(settings.sharpened * said.scores, settings)
    presence = 1.0 - likely[:, 0]
    kinds = likely[:, 1:] / np.maximum(presence, 1e-9)[:, None]
    seen = Sightings(said.centre_px, said.support_px, said.unsure_px, kinds, presence)
    return seen.picked(presence > settings.least_presence)


def _likely(scores: Floats, settings: JudgeSettings) -> Floats:
    """Return how likely each class is, (N, 15), by their scores."""
    scores = scores + settings.no_cube * (np.arange(scores.shape[1]) == NO_CUBE)
    raised = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
    likely: Floats = raised / raised.sum(axis=1, keepdims=True)
    return likely
