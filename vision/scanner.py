"""The scanner: a picture of a table in, all cubes on it out. Each stage has its file; this is their order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Final

import cv2
import numpy as np
from threadpoolctl import ThreadpoolController

from vision.boxes import Boxes, BoxSettings, fit_again, fit_boxes, fit_hidden, unseen_reaches
from vision.card_plane import solve_plane
from vision.council import Council
from vision.cube_plane import plane_assumed, plane_from_cubes
from vision.decide import DecideSettings, Decision, decide, standing_apart, without_doubles, without_shared
from vision.doubts import DoubtSettings, without_doubts
from vision.edges import MeetSettings, met
from vision.emptiness import EmptySettings, EmptyTable, without_table
from vision.judge import JudgeSettings, opinions, sightings
from vision.markers import CARD_MM, MARKER_MM, Marker, MarkerSettings, find_markers
from vision.networks import Network
from vision.pictures import Floats, FrameBGR
from vision.pieces import KINDS, SIDE_MM, SIZES
from vision.plane import TablePlane
from vision.profile import (
    Fit,
    Profile,
    ProfileLooks,
    adapted,
    believed,
    fitted,
    known_of,
    profile_looks,
)
from vision.quality import QualitySettings, warnings_about
from vision.seen import Scan, SeenCube, Source
from vision.settle import SettleSettings, settled
from vision.sightings import Sightings
from vision.sizes import SizeSettings, likely_sizes
from vision.swelling import SwellingSettings, swelling, without_swelling
from vision.upright import Upright
from vision.zoom import Zoomed, ZoomSettings, usual_reach_px, zoom

# How many times a cube is as large as one of the size before it.
STEP: Final = float(np.sqrt(SIDE_MM[SIZES[-1]] / SIDE_MM[SIZES[0]]))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanSettings:
    """The settings of all stages, and of the scanner itself.

    Attributes:
        marker_px: marker cards are looked for in a picture of at most this longer side, where a 40 mm square
            seen from a metre away still has 30 pixels; their edges are then measured in the whole picture.
        odd_sizes: if sizes and kinds do not go together by more than this for each cube, a logarithm, the
            scale of a picture without cards is wrong. Pictures read at the right scale have 0.04 to 0.71, the
            only one known that was not 1.7.
        least_usual: a picture of which not even half the cubes can be named this surely shows none: the test
            pictures had 0.95 or more with an earlier judge, noise 0.4 to 0.5.
    """

    zoom: ZoomSettings = field(default_factory=ZoomSettings)
    judge: JudgeSettings = field(default_factory=JudgeSettings)
    doubts: DoubtSettings = field(default_factory=DoubtSettings)
    boxes: BoxSettings = field(default_factory=BoxSettings)
    swelling: SwellingSettings = field(default_factory=SwellingSettings)
    sizes: SizeSettings = field(default_factory=SizeSettings)
    decide: DecideSettings = field(default_factory=DecideSettings)
    settle: SettleSettings = field(default_factory=SettleSettings)
    edges: MeetSettings = field(default_factory=MeetSettings)
    empty: EmptySettings = field(default_factory=EmptySettings)
    quality: QualitySettings = field(default_factory=QualitySettings)
    marker_px: int = 1280
    odd_sizes: float = 1.2
    least_usual: float = 0.6


class Scanner:
    """Scans pictures; loads its networks once, and may be shared by threads, which then take turns."""

    def __init__(self, settings: ScanSettings | None = None) -> None:
        self.settings = settings or ScanSettings()
        self.spotter = Network("spotter")
        self.network = Network("judge")
        self.council = Council()
        self._turn = Lock()
        # Matrices here are small. Threads that share them would go on turning idly for a while, on the very
        # cores that the networks need: scans take a tenth longer, on a busy machine many times as long.
        self._algebra = ThreadpoolController().select(user_api="blas")
        self._samples: tuple[Profile, ProfileLooks, Fit] | None = None

    def scan(
        self,
        frame: FrameBGR,
        *,
        focal_px: float | None = None,
        empty: FrameBGR | None = None,
        profile: Profile | None = None,
        solo: bool | None = None,
    ) -> Scan:
        """Find all cubes in a picture.

        Args:
            focal_px: what the photograph says of its focal length, if it does.
            empty: a picture of the same size of the same table without cubes.
            profile: how the pieces of this owner look.
            solo: whether the cubes for those who play alone may be on the table; None: nobody knows.
        """
        with self._turn, self._algebra.limit(limits=1):
            return self._scan(frame, focal_px, empty, profile, solo)

    def _scan(
        self,
        frame: FrameBGR,
        focal_px: float | None,
        empty: FrameBGR | None,
        profile: Profile | None,
        solo: bool | None,
    ) -> Scan:
        settings = self.settings
        size_px = (frame.shape[1], frame.shape[0])
        markers = _markers(frame, settings.marker_px)
        plane = solve_plane(markers, size_px, focal_px) if markers else None
        upright = Upright.of(frame)
        reach_px = usual_reach_px(plane, size_px) if plane is not None else None
        near = zoom(upright.frame, self.spotter, reach_px, settings.zoom)
        said = opinions(near.close, near.spots, self.network, settings.judge)
        heard = without_doubts(near.close, said, self.network, self.council, settings=settings.doubts)
        if profile is not None:
            samples, fit = self._known(profile)
            known = known_of(samples, believed(heard.scores, heard.looks, fit))
            if known is not None:
                heard = without_doubts(near.close, said, self.network, self.council, known, settings.doubts)
            scores = adapted(heard.scores, heard.looks, samples, fit=fit)
            heard = replace(heard, scores=scores)
        seen = without_doubles(sightings(heard, settings.judge), settings.decide)
        seen = _off_cards(upright.turned_back(_in_picture(seen, near)), markers)
        table = EmptyTable.of(frame, empty, settings.empty) if empty is not None else None
        if table is not None:
            seen = without_table(seen, table, settings.empty)
        source, plane = _plane(seen, plane, size_px, focal_px)
        boxes = fit_boxes(plane, seen, settings.boxes)
        if source is not Source.MARKERS:
            plane, boxes = _at_scale(seen, plane, boxes, settings)
        alone = standing_apart(boxes, seen.presence, settings.decide)
        seen, boxes = seen.picked(alone), boxes.picked(alone)
        unseen = unseen_reaches(plane, boxes)
        if source is Source.MARKERS:
            seen = _unswollen(seen, plane, boxes, settings)
            boxes = fit_again(plane, seen, boxes, settings.boxes)
        boxes = fit_hidden(plane, seen, boxes, unseen, settings.boxes)
        decision = decide(seen, likely_sizes(boxes, settings.sizes), settings.decide, solo=solo)
        shows_cubes = len(decision.which) and np.median(decision.confidence) >= settings.least_usual
        if source is Source.CUBES:
            plane = settled(frame, plane, boxes, *decision.pieces, focal_px, settings.settle)
            boxes = fit_again(plane, seen, boxes, settings.boxes, unseen)
        boxes = met(frame, plane, boxes, *decision.pieces, settings.edges)
        decision = without_shared(decision, boxes, settings.decide)
        cubes = _cubes(seen, boxes, decision, plane) if shows_cubes else ()
        return Scan(
            size_px,
            source,
            plane,
            plane.px_per_mm(_middle(cubes, plane, size_px)),
            cubes,
            warnings_about(frame, near, markers, plane, source, cubes, seen, table, settings.quality),
        )

    def _known(self, profile: Profile) -> tuple[ProfileLooks, Fit]:
        """Return what a profile's samples teach, worked out once for as long as the profile is used."""
        if self._samples is None or self._samples[0] is not profile:
            looks = profile_looks(profile, self.network)
            self._samples = profile, looks, fitted(looks)
        return self._samples[1:]


def _markers(frame: FrameBGR, longest_px: int) -> tuple[Marker, ...]:
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    return find_markers(grey, MarkerSettings(longest_px=longest_px))


def _in_picture(seen: Sightings, near: Zoomed) -> Sightings:
    """Return sightings in pixels of the whole picture."""
    return replace(
        seen,
        centre_px=(seen.centre_px + 0.5) / near.scale - 0.5,
        support_px=seen.support_px / near.scale,
        unsure_px=seen.unsure_px / near.scale,
    )


def _off_cards(seen: Sightings, markers: tuple[Marker, ...]) -> Sightings:
    """Return sightings off the cards: their squares look like cubes, and a card under a cube is not found."""
    off = np.ones(len(seen), bool)
    for marker in markers:
        middle = marker.corners_px.mean(axis=0)
        card = (middle + (marker.corners_px - middle) * (CARD_MM / MARKER_MM)).astype(np.float32)
        off &= [cv2.pointPolygonTest(card, (x, y), False) < 0 for x, y in seen.centre_px.tolist()]
    return seen.picked(off)


def _plane(
    seen: Sightings, plane: TablePlane | None, size_px: tuple[int, int], focal_px: float | None
) -> tuple[Source, TablePlane]:
    if plane is not None:
        return Source.MARKERS, plane
    from_cubes = plane_from_cubes(seen, size_px, focal_px)
    if from_cubes is not None:
        return Source.CUBES, from_cubes
    return Source.NONE, plane_assumed(seen, size_px, focal_px)


def _at_scale(
    seen: Sightings, plane: TablePlane, boxes: Boxes, settings: ScanSettings
) -> tuple[TablePlane, Boxes]:
    """Return plane and boxes at the scale at which the sizes suit the kinds.

    Without a card nobody knows how far away the camera is: small cubes from near look like large ones from
    afar. But goblins are always small and trolls always large.
    """

    def surprise(boxes: Boxes) -> float:
        return decide(seen, likely_sizes(boxes, settings.sizes), settings.decide).surprise

    now = surprise(boxes)
    if now <= settings.odd_sizes * len(seen):
        return plane, boxes
    for factor in (1 / STEP, STEP):
        other_plane = plane.scaled(factor)
        other = fit_boxes(other_plane, seen, settings.boxes)
        if surprise(other) < min(now, settings.odd_sizes * len(seen)):
            return other_plane, other
    return plane, boxes


def _unswollen(seen: Sightings, plane: TablePlane, boxes: Boxes, settings: ScanSettings) -> Sightings:
    """Return sightings without what makes all outlines of a picture look large, or small."""
    first = decide(seen, likely_sizes(boxes, settings.sizes), settings.decide)
    return without_swelling(seen, swelling(seen, plane, boxes, *first.pieces, settings.swelling))


def _cubes(seen: Sightings, boxes: Boxes, decision: Decision, plane: TablePlane) -> tuple[SeenCube, ...]:
    which, sizes = decision.which, decision.sizes
    outlines = boxes.outlines_px(plane, which, sizes)
    footprints = boxes.footprint_mm()[which, sizes]
    accuracy = np.sqrt((boxes.accuracy_mm[which, sizes] ** 2).mean(axis=1))
    return tuple(
        SeenCube(
            id,
            KINDS[decision.kinds[id]],
            SIZES[sizes[id]],
            float(decision.confidence[id]),
            outlines[id],
            seen.centre_px[n],
            boxes.centre_mm[n, sizes[id]],
            footprints[id],
            float(accuracy[id]),
        )
        for id, n in enumerate(which)
    )


def _middle(cubes: tuple[SeenCube, ...], plane: TablePlane, size_px: tuple[int, int]) -> Floats:
    """Return where on the table the scale is told: amid the cubes, or of the picture."""
    if cubes:
        return np.asarray(np.mean([cube.centre_mm for cube in cubes], axis=0), np.float64)
    width, height = size_px
    middle: Floats = plane.to_mm(np.array([((width - 1) / 2, (height - 1) / 2)]))[0]
    return middle
