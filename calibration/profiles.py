"""Keeping owners' colour profiles: one JSON file each, read with care because people exchange them.

All functions take the user's data folder; the profiles are in a folder of their own in it. Names are compared
without regard to capitals, so that a profile has one file on every system.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import unicodedata
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import cv2
import numpy as np

from vision.patches import PATCH_PX, cut_patches
from vision.photo import BadPicture, picture_size
from vision.pictures import Floats, FrameBGR
from vision.pieces import Kind
from vision.profile import Patches, Profile
from vision.zoom import ZoomSettings

FOLDER: Final = "profiles"
SCHEMA: Final = 1
# A layout of 30 pieces takes 0.3 MB; these leave room for every piece of the box several times over.
MOST_BYTES: Final = 5_000_000
MOST_SAMPLES: Final = 500
# Of each kind; older ones go, because the light and the camera are those of the newest.
MOST_OF_A_KIND: Final = 12
LONGEST_NAME: Final = 40
# Windows keeps these for devices, whatever follows a dot.
DEVICES: Final = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}


class Why(StrEnum):
    """Why a profile cannot be had; {name} is its name."""

    MISSING = "there is no profile called {name}"
    BAD_NAME = "a profile's name has 1 to 40 letters, digits, spaces, - and _, and is no device: {name}"
    TAKEN = "there is already a profile called {name}"
    TOO_LARGE = "{name}: larger than 5 MB, not a profile"
    NOT_A_PROFILE = "{name}: this is not a profile, or it is damaged"
    NEWER = "{name}: this profile was made by a newer version"
    TOO_MANY = "{name}: more than 500 samples"
    BAD_PATCH = "{name}: a sample is not a picture of 48 x 48"


class NoProfile(ValueError):
    """A profile that is not there or cannot be used; *why* and *name* say it in words."""

    def __init__(self, why: Why, name: str) -> None:
        super().__init__(why.format(name=name))
        self.why = why
        self.name = name


@dataclass(frozen=True, slots=True)
class Listed:
    """One profile of a list: how many samples of how many kinds it has, or *why* it cannot be used."""

    name: str
    created: str
    samples: int
    kinds: int
    why: Why | None = None


def load_profile(name: str, folder: Path) -> Profile:
    """Return the profile of that name.

    Raises:
        NoProfile: it is not there, or damaged.
        OSError: its file cannot be read.
    """
    file = _file(name, folder)
    profile = _read(file, name)[0]
    # A file that somebody copied by hand answers to its own name.
    return profile if _file(profile.name, folder) == file else replace(profile, name=tidy_name(name))


def save_profile(profile: Profile, folder: Path) -> None:
    """Write a profile, whole or not at all; one of the same name is replaced and keeps its date.

    Raises:
        NoProfile: it cannot have that name, or has too many samples.
        OSError: it cannot be written.
    """
    file = _file(profile.name, folder)
    created = _now()
    with suppress(NoProfile):
        created = _read(file, profile.name)[1]
    file.parent.mkdir(parents=True, exist_ok=True)
    _write(replace(profile, name=tidy_name(profile.name)), created, file)


def list_profiles(folder: Path) -> tuple[Listed, ...]:
    """Return all profiles by name, damaged ones too, so that a person can delete them."""
    return tuple(_listed(file) for file in sorted((folder / FOLDER).glob("*.json")))


def rename_profile(old: str, new: str, folder: Path) -> None:
    """Give a profile another name; only its capitals may change too.

    Raises:
        NoProfile: there is none, it is damaged, or the new name is taken or cannot be one.
    """
    before, after = _file(old, folder), _file(new, folder)
    profile, created = _read(before, old)
    if after != before and after.exists():
        raise NoProfile(Why.TAKEN, tidy_name(new))
    _write(replace(profile, name=tidy_name(new)), created, after)
    if after != before:
        before.unlink()


def delete_profile(name: str, folder: Path) -> None:
    """Remove a profile, even a damaged one.

    Raises:
        NoProfile: there is none.
    """
    try:
        _file(name, folder).unlink()
    except FileNotFoundError:
        raise NoProfile(Why.MISSING, name) from None


def export_profile(name: str, folder: Path, file: Path) -> None:
    """Write a profile into a file that another companion can import."""
    _write(*_read(_file(name, folder), name), file)


def import_profile(file: Path, folder: Path, name: str | None = None) -> Profile:
    """Add a profile from a file, under another name if one is given.

    Raises:
        NoProfile: the file is no profile, or its name is taken.
        OSError: it cannot be read.
    """
    if not file.exists():
        raise FileNotFoundError(2, os.strerror(2), str(file))
    profile, created = _read(file, str(file))
    profile = replace(profile, name=tidy_name(profile.name if name is None else name))
    kept = _file(profile.name, folder)
    if kept.exists():
        raise NoProfile(Why.TAKEN, profile.name)
    kept.parent.mkdir(parents=True, exist_ok=True)
    _write(profile, created, kept)
    return profile


def with_samples(
    profile: Profile, frame: FrameBGR, centres_px: Floats, reach_px: Floats, kinds: Sequence[Kind]
) -> Profile:
    """Return a profile with more samples, cut from a photo around labelled cubes that reach so far.

    Corrections may be added for ever: of each kind the newest are kept.
    """
    return merged(profile, Profile(profile.name, tuple(kinds), _cut(frame, centres_px, reach_px)))


def merged(profile: Profile, newer: Profile) -> Profile:
    """Return a profile with the samples of another one added; of each kind the newest are kept."""
    every = (*profile.kinds, *newer.kinds)
    patches = np.concatenate((profile.patches, newer.patches))
    seen: Counter[Kind] = Counter()
    newest = []
    for place in reversed(range(len(every))):
        seen[every[place]] += 1
        if seen[every[place]] <= MOST_OF_A_KIND:
            newest.append(place)
    newest.reverse()
    return Profile(profile.name, tuple(every[place] for place in newest), patches[newest])


def _cut(frame: FrameBGR, centres_px: Floats, reach_px: Floats) -> Patches:
    """Cut patches from a picture as small as the scanner makes it before it looks closely.

    Cut from a large photograph they would be grainier than all that they are compared with.
    """
    scale = ZoomSettings().close_reach_px / float(np.median(reach_px)) if len(reach_px) else 1.0
    if scale >= 1.0:
        return cut_patches(frame, centres_px, reach_px)
    height, width = frame.shape[:2]
    size = max(8, round(width * scale)), max(8, round(height * scale))
    small = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
    real = np.array(size) / (width, height)
    return cut_patches(small, (centres_px + 0.5) * real - 0.5, reach_px * real.mean())


def tidy_name(name: str) -> str:
    """Return a name as it is kept: one way of writing accents, single spaces.

    Raises:
        NoProfile: it is no name, or no system could have a file called so.
    """
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    proper = all(letter.isalpha() or letter.isdecimal() or letter in " -_" for letter in tidy)
    # A dash in front would be an option.
    if not 1 <= len(tidy) <= LONGEST_NAME or not proper or tidy[0] == "-" or tidy.casefold() in DEVICES:
        raise NoProfile(Why.BAD_NAME, name)
    return tidy


def _file(name: str, folder: Path) -> Path:
    return folder / FOLDER / f"{unicodedata.normalize('NFC', tidy_name(name).casefold())}.json"


def _listed(file: Path) -> Listed:
    try:
        profile, created = _read(file, file.stem)
    except NoProfile as error:
        return Listed(file.stem, "", 0, 0, error.why)
    name = profile.name if _file(profile.name, Path()).name == file.name else file.stem
    return Listed(name, created, len(profile), len(set(profile.kinds)))


def _read(file: Path, name: str) -> tuple[Profile, str]:
    """Return a profile and when it was made."""
    try:
        with file.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise NoProfile(Why.MISSING, name) from None
    if len(data) > MOST_BYTES:
        raise NoProfile(Why.TOO_LARGE, name)
    try:
        values = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NoProfile(Why.NOT_A_PROFILE, name) from error
    if not isinstance(values, dict) or type(values.get("schema")) is not int:
        raise NoProfile(Why.NOT_A_PROFILE, name)
    if values["schema"] > SCHEMA:
        raise NoProfile(Why.NEWER, name)
    samples, created = values.get("samples"), values.get("created")
    if (
        not isinstance(samples, list)
        or not isinstance(created, str)
        or not isinstance(values.get("name"), str)
    ):
        raise NoProfile(Why.NOT_A_PROFILE, name)
    if len(samples) > MOST_SAMPLES:
        raise NoProfile(Why.TOO_MANY, name)
    try:
        inner = tidy_name(values["name"])
        made = datetime.fromisoformat(created).isoformat(timespec="seconds")
        kinds = tuple(Kind(sample["kind"]) for sample in samples)
        encoded = [base64.b64decode(sample["patch"], validate=True) for sample in samples]
    except (NoProfile, ValueError, TypeError, KeyError, binascii.Error) as error:
        raise NoProfile(Why.NOT_A_PROFILE, name) from error
    if not kinds:
        return Profile.empty(inner), made
    return Profile(inner, kinds, np.stack([_patch(data, name) for data in encoded])), made


def _patch(data: bytes, name: str) -> Patches:
    """Return the picture of one sample; its size is read before its pixels, as of any stranger's picture."""
    try:
        if picture_size(data) != (PATCH_PX, PATCH_PX):
            raise NoProfile(Why.BAD_PATCH, name)
        patch = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except (BadPicture, cv2.error) as error:
        raise NoProfile(Why.BAD_PATCH, name) from error
    if patch is None or patch.shape != (PATCH_PX, PATCH_PX, 3):
        raise NoProfile(Why.BAD_PATCH, name)
    return np.asarray(patch, np.uint8)


def _write(profile: Profile, created: str, file: Path) -> None:
    """Write a file beside its place and then move it there: whoever reads finds the old or the new one."""
    if len(profile) > MOST_SAMPLES:
        raise NoProfile(Why.TOO_MANY, profile.name)
    samples: list[dict[str, Any]] = []
    for kind, patch in zip(profile.kinds, profile.patches, strict=True):
        encoded = cv2.imencode(".png", patch)[1].tobytes()
        samples.append({"kind": str(kind), "patch": base64.b64encode(encoded).decode("ascii")})
    values = {"schema": SCHEMA, "name": profile.name, "created": created, "samples": samples}
    content = json.dumps(values, ensure_ascii=False, indent=1) + "\n"
    part = file.with_name(f".{uuid4().hex}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
