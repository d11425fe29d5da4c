"""What the networks saw in a picture: possible cubes, before anything is decided about them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pictures import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """Possible cubes, N of them, one row each.

    Attributes:
        centre_px: shape (N, 2), where the middle of the cube's body is in the picture (not of its base).
        support_px: shape (N, 16), how far its outline reaches from there in vision.support.DIRECTIONS.
        unsure_px: shape (N, 16), how far off each of these may be, a standard deviation.
        kinds: shape (N, 14), how likely it is of each of vision.pieces.KINDS if it is a cube; rows sum to 1.
        presence: shape (N,), how likely it is a cube at all.
    """

    centre_px: Floats
    support_px: Floats
    unsure_px: Floats
    kinds: Floats
    presence: Floats

    def __len__(self) -> int:
        return len(self.centre_px)

    def picked(self, which: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Sightings:
        """Return some of them, by index or by mask."""
        return Sightings(
            self.centre_px[which],
            self.support_px[which],
            self.unsure_px[which],
            self.kinds[which],
            self.presence[which],
        )
