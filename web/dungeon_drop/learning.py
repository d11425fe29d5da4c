"""What players correct is remembered: a sample of this owner's pieces for the next photo."""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final

import cv2
import numpy as np

from calibration.profiles import (
    NoProfile,
    delete_profile,
    load_profile,
    merged,
    save_profile,
    with_samples,
)
from companion.errors import StoreTrouble
from companion.message import say
from vision.pieces import Kind
from vision.profile import Profile
from vision.support import support
from web.dungeon_drop.look import Look, LookCube

# One companion belongs to one owner, so all tables teach the same profile.
NAME: Final = "corrections"

_LOG = logging.getLogger(__name__)


class Learning:
    """The profile that corrections make; safe to use from many threads."""

    def __init__(self, folder: Path) -> None:
        """Keep the profile in the companion's data *folder*."""
        self._folder = folder
        self._lock = Lock()
        self._profile: Profile | None = None
        self._read = False

    @property
    def profile(self) -> Profile | None:
        """What has been learned so far; None before the first correction."""
        with self._lock:
            return self._known()

    def learn(self, photo: Path | None, look: Look, cube: LookCube) -> None:
        """Remember what players said of a cube; a photo that is gone or a full disk teaches nothing."""
        frame = None if photo is None else cv2.imread(str(photo), cv2.IMREAD_COLOR)
        if frame is None:
            return
        # The photo may be kept smaller than it was taken.
        scale = frame.shape[1] / look.size_px[0]
        outline = np.array(cube.outline_px) * scale
        middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
        reach = support((outline - middle)[None]).mean(axis=1)
        with self._lock:
            after = with_samples(
                self._before(), np.asarray(frame, np.uint8), middle[None], reach, [Kind(str(cube.kind))]
            )
            with suppress(StoreTrouble):
                self._keep(after)

    def would_be(self, samples: Profile) -> Profile:
        """Return what would be known with some more samples, without keeping them."""
        with self._lock:
            return merged(self._before(), samples)

    def add(self, samples: Profile) -> None:
        """Know some more samples from now on.

        Raises:
            StoreTrouble: only until the companion ends, because they could not be written.
        """
        with self._lock:
            self._keep(merged(self._before(), samples))

    def forget(self) -> None:
        """Forget everything that was learned.

        Raises:
            StoreTrouble: it could not be deleted and will be known again after a restart.
        """
        with self._lock:
            self._profile, self._read = None, True
            try:
                delete_profile(NAME, self._folder)
            except NoProfile:
                pass
            except OSError as error:
                raise StoreTrouble(say("What was learned could not be deleted.")) from error

    def _keep(self, profile: Profile) -> None:
        self._profile = profile
        try:
            save_profile(profile, self._folder)
        except OSError as error:
            _LOG.warning("what was learned could not be kept")
            raise StoreTrouble(say("What was learned could not be kept: is the disk full?")) from error

    def _before(self) -> Profile:
        return self._known() or Profile.empty(NAME)

    def _known(self) -> Profile | None:
        if not self._read:
            self._read = True
            try:
                self._profile = load_profile(NAME, self._folder)
            except (NoProfile, OSError):
                self._profile = None
        return self._profile
