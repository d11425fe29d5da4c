"""Following a table through the pictures of one camera: looking only when there is something to see.

A full scan of every picture would be slow and would flicker. So the table is looked at when the picture has
come to rest after a change, a few times, and the scans vote; while a hand is in the picture the last table
stands. A step is a function of the state, the picture and the time, so that every evening can be replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

import numpy as np

from vision.changes import Changes, ChangeSettings, carried, match, what_changed
from vision.motion import Amount, Box, Motion, MotionSettings, SmallPicture, compare, reduced
from vision.pictures import FrameBGR
from vision.pieces import SIDE_MM, Size
from vision.plane import TablePlane
from vision.seen import Scan, SeenCube, Source
from vision.tracks import Track, begun_anew, carried_along, decided


class Scans(Protocol):
    """What looks at one picture."""

    def scan(self, frame: FrameBGR) -> Scan:
        """Tell which cubes are on the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowSettings:
    """When is looked, and how scans vote; times in seconds.

    Attributes:
        settle_s: a picture at rest for so long is worth a look: three pictures of a slow webcam, and shorter
            than a hand rests between two cubes.
        patience_s: something large that lies still at the border for so long is no hand any more.
        restless_s: small changes that never come to rest, such as a blinking light, are looked at anyway.
        votes: scans that decide together; of five, two may be wrong.
        remembered: scans that tell what a cube is, as long as nothing changes around it: two rounds of votes.
            The more, the less flickers, and the longer an exchange too faint to be noticed stays unseen.
        vote_every_s: pause between them, so that noise and flicker of lamps differ.
        renew_s: how often an unchanged picture becomes the one to compare with: daylight drifts in minutes.
        refresh_s: how often an unchanged table is looked at again, for changes too faint to notice.
        surest: more than this a single scan is not believed, or one could outvote four.
        exchanged: a cube where something changed that is so surely of another kind is another cube; else it
            is the one that stood there, and all earlier scans of it still vote. A guess.
        one_place_mm: nearer than this two cubes cannot stand, the small ones being 8 mm wide: what comes or
            goes so near to another is a matter of how scans read one thing, and voted on.
        motion: what counts as a change of the picture.
        changes: what counts as a change of the table.
    """

    settle_s: float = 0.3
    patience_s: float = 8.0
    restless_s: float = 3.0
    votes: int = 5
    remembered: int = 10
    vote_every_s: float = 0.25
    renew_s: float = 2.0
    refresh_s: float = 30.0
    surest: float = 0.99
    exchanged: float = 0.8
    one_place_mm: float = 7.0
    motion: MotionSettings = field(default_factory=MotionSettings)
    changes: ChangeSettings = field(default_factory=ChangeSettings)


class Activity(StrEnum):
    """What goes on in front of the camera."""

    STARTING = "starting"
    WATCHING = "watching"
    CHANGING = "changing"
    HAND = "hand"


@dataclass(frozen=True, slots=True, eq=False)
class Following:
    """What is known between two pictures; `Following()` before the first.

    Attributes:
        latest: the picture before.
        looked: the picture the table was looked at in, or one like it since.
        earlier: the one before something large came to rest at the border.
        moved_at: when two pictures last differed.
        changed_at: since when the picture has not been as it was looked at; None if it is.
        looked_at: when a scan was last made.
        renewed_at: when *looked* was last replaced.
        looks: scans made since the camera last moved, up to the number that vote.
        wanted: scans still to be made.
        tracks: the cubes, also those no longer or not yet shown.
        table: what is shown.
        next_id: ids are never used again.
    """

    latest: SmallPicture | None = None
    looked: SmallPicture | None = None
    earlier: SmallPicture | None = None
    moved_at: float = 0.0
    changed_at: float | None = None
    looked_at: float = 0.0
    renewed_at: float = 0.0
    looks: int = 0
    wanted: int = 0
    tracks: tuple[Track, ...] = ()
    table: Scan | None = None
    next_id: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Update:
    """What a picture brought.

    Attributes:
        activity: what goes on; while something changes or a hand is there, the table stands as it was.
        table: the cubes with stable ids, all in one plane's millimetres; None before the first look.
        changes: of the table, since the picture before.
        looked: a scan was made.
        settled: all scans that vote have been made.
        boxes: where the picture differs from the one that was looked at.
    """

    activity: Activity
    table: Scan | None
    changes: Changes
    looked: bool
    settled: bool
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Now:
    """The picture of this step, and what to do with it."""

    frame: FrameBGR
    small: SmallPicture
    time_s: float
    scanner: Scans
    settings: FollowSettings


def step(
    state: Following,
    frame: FrameBGR,
    time_s: float,
    scanner: Scans,
    settings: FollowSettings | None = None,
) -> tuple[Following, Update]:
    """Take in the next picture, made at a time that never goes back."""
    settings = settings or FollowSettings()
    now = _Now(frame, reduced(frame, settings.motion), time_s, scanner, settings)
    if state.latest is None or state.latest.size_px != now.small.size_px:
        state = replace(state, latest=now.small, looked=None, earlier=None, moved_at=time_s)
        return state, _update(state, Activity.STARTING)
    if state.looked is None:
        state = _noticed(state, now)
        if time_s - state.moved_at < settings.settle_s:
            return state, _update(state, Activity.STARTING)
        return _look(state, now, camera_moved=True)
    change = compare(state.looked, now.small, settings.motion)
    if change.amount is Amount.NOTHING:
        return _unchanged(replace(state, latest=now.small, changed_at=None), now)
    return _changing(_noticed(state, now), now, change)


def _noticed(state: Following, now: _Now) -> Following:
    """Note whether the picture moves."""
    moves = state.latest and compare(state.latest, now.small, now.settings.motion).amount != Amount.NOTHING
    since = now.time_s if state.changed_at is None else state.changed_at
    moved_at = now.time_s if moves else state.moved_at
    return replace(state, latest=now.small, moved_at=moved_at, changed_at=since)


def _unchanged(state: Following, now: _Now) -> tuple[Following, Update]:
    """Look again if scans are still wanted, else do nothing."""
    due = now.settings.vote_every_s if state.wanted else now.settings.refresh_s
    if now.time_s - state.looked_at >= due:
        return _look(state, now)
    if now.time_s - state.renewed_at >= now.settings.renew_s:
        state = replace(state, looked=now.small, renewed_at=now.time_s)
    return state, _update(state, Activity.WATCHING)


def _changing(state: Following, now: _Now, change: Motion) -> tuple[Following, Update]:
    """Wait until the change has come to rest, then look."""
    rests, boxes, earlier = now.settings.settle_s, change.boxes, state.earlier
    if change.amount is Amount.HAND:
        left = None if earlier is None else compare(earlier, now.small, now.settings.motion)
        if left is not None and left.amount is not Amount.HAND:
            # What had come to rest is gone again; what it hid is compared with what was there before.
            boxes, earlier = (*boxes, *left.boxes), None
        else:
            rests, earlier = now.settings.patience_s, state.looked
    changing_s = now.time_s - (now.time_s if state.changed_at is None else state.changed_at)
    restless = change.amount is Amount.SMALL and changing_s >= now.settings.restless_s
    if now.time_s - state.moved_at >= rests or restless:
        bumped = change.amount is Amount.BUMP
        return _look(replace(state, earlier=earlier), now, boxes, camera_moved=bumped)
    large = change.amount in (Amount.HAND, Amount.LARGE)
    return state, _update(state, Activity.HAND if large else Activity.CHANGING, boxes=change.boxes)


def _update(
    state: Following,
    activity: Activity,
    changes: Changes | None = None,
    looked: bool = False,
    boxes: tuple[Box, ...] = (),
) -> Update:
    settled = state.table is not None and not state.wanted
    return Update(activity, state.table, changes or Changes(), looked, settled, boxes)


def _look(
    state: Following, now: _Now, boxes: tuple[Box, ...] = (), camera_moved: bool = False
) -> tuple[Following, Update]:
    """Scan the picture and let the scan vote."""
    scan = now.scanner.scan(now.frame)
    before = state.table or replace(scan, cubes=())
    state, plane = _voted(state, scan, boxes, camera_moved, now.settings)
    shown = sorted((track.cube for track in state.tracks if track.shown), key=lambda cube: cube.id)
    told_by = before if plane is before.plane else scan
    table = replace(told_by, px_per_mm=scan.px_per_mm, cubes=tuple(shown), warnings=scan.warnings)
    anew = boxes or camera_moved or state.table is None
    state = replace(
        state,
        looked=now.small,
        latest=now.small,
        changed_at=None,
        looked_at=now.time_s,
        renewed_at=now.time_s,
        wanted=now.settings.votes - 1 if anew else max(0, state.wanted - 1),
        table=table,
    )
    changes = what_changed(before, table, now.settings.changes)
    return state, _update(state, Activity.WATCHING, changes, True, boxes)


def _voted(
    state: Following, scan: Scan, boxes: tuple[Box, ...], camera_moved: bool, settings: FollowSettings
) -> tuple[Following, TablePlane]:
    """Let a scan vote on every cube; return the state with its tracks, and the plane they are in.

    Around what changed only this scan counts; elsewhere it is one voice among the last ones. What changed
    too faintly to be noticed is thereby still put right, by a majority.
    """
    known = replace(state.table or scan, cubes=tuple(track.cube for track in state.tracks))
    matching = match(known, scan, settings.changes)
    camera_moved = camera_moved or matching.camera_moved
    tracks, cubes, plane = state.tracks, scan.cubes, known.plane
    if camera_moved:
        plane = scan.plane
        tracks = tuple(
            begun_anew(track, where, known.plane, plane)
            for track, where in zip(tracks, matching.where_mm, strict=True)
        )
    elif _worth(scan) > _worth(known):
        plane = scan.plane
        tracks = tuple(carried_along(track, known.plane, plane) for track in tracks)
    else:
        cubes = carried(cubes, scan.plane, plane)
    grown = [_grown(box, SIDE_MM[Size.LARGE] * scan.px_per_mm) for box in boxes if not camera_moved]
    pairs = {
        old: new
        for old, new in matching.pairs
        if _may_be(tracks[old], cubes[new], grown, camera_moved, settings.changes.stays_mm)
    }
    kept: list[Track] = []
    for place, track in enumerate(tracks):
        cube = cubes[pairs[place]] if place in pairs else None
        stood = _near(track.cube, cubes, settings) if cube is None else _stood_there(track, cube, settings)
        touched = _inside(track.cube, grown) and not (track.shown and stood)
        alone = touched or (camera_moved and cube is not None)
        sightings = (cube,) if alone else (*track.sightings, cube)[-settings.remembered :]
        if any(sightings[-settings.votes :]) or len(sightings) < settings.votes:
            kept.append(decided(replace(track, sightings=sightings), settings.surest, settings.votes))
    next_id = state.next_id
    missed: tuple[SeenCube | None, ...] = (None,) * min(state.looks, settings.votes - 1)
    for place in sorted(set(range(len(cubes))) - set(pairs.values())):
        cube = replace(cubes[place], id=next_id)
        fresh = _inside(cube, grown) and not _near(
            cube, [track.cube for track in kept if track.shown], settings
        )
        sightings = (cube,) if camera_moved or fresh else (*missed, cube)
        kept.append(decided(Track(cube, sightings, shown=False), settings.surest, settings.votes))
        next_id += 1
    looks = 1 if camera_moved else state.looks + 1
    return replace(state, tracks=tuple(kept), looks=looks, next_id=next_id), plane


def _may_be(track: Track, cube: SeenCube, grown: Sequence[Box], camera_moved: bool, stays_mm: float) -> bool:
    """Tell whether a cube can be the one it matches: nothing is pushed where the picture did not change."""
    if np.hypot(*(cube.centre_mm - track.cube.centre_mm)) <= stays_mm:
        return True
    return track.shown and (camera_moved or (_inside(track.cube, grown) and _inside(cube, grown)))


def _stood_there(track: Track, cube: SeenCube, settings: FollowSettings) -> bool:
    """Tell whether a cube was only passed over by a hand: what is doubtful of it must not flicker."""
    moved = np.hypot(*(cube.centre_mm - track.cube.centre_mm)) > settings.changes.moved_mm
    return not moved and (cube.kind is track.cube.kind or cube.confidence < settings.exchanged)


def _near(cube: SeenCube, others: Sequence[SeenCube], settings: FollowSettings) -> bool:
    """Tell whether one of the others is where this cube is."""
    return any(np.hypot(*(cube.centre_mm - other.centre_mm)) < settings.one_place_mm for other in others)


def _worth(scan: Scan) -> tuple[bool, bool, int]:
    """Return by what a plane is preferred: cards over cubes over nothing, then more cards."""
    return scan.source is Source.MARKERS, scan.source is Source.CUBES, len(scan.plane.markers)


def _grown(box: Box, by_px: float) -> Box:
    left, top, right, bottom = box
    by = round(by_px)
    return left - by, top - by, right + by, bottom + by


def _inside(cube: SeenCube, boxes: Sequence[Box]) -> bool:
    x, y = cube.centre_px
    return any(left <= x < right and top <= y < bottom for left, top, right, bottom in boxes)
