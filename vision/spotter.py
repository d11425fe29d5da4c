"""Spotting: where in a picture the middles of cubes may be, and about how big they are there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.nearness import distances, first_of_near
from vision.networks import Network
from vision.pictures import Floats, FrameBGR

# The network tells of each cell of 4 x 4 pixels how much a middle each of its four quarters is.
CELL_PX: Final = 4
HEAT_PX: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotSettings:
    """What counts as a spot.

    Attributes:
        least_heat: spots are only proposals for the judge: low enough to miss hardly any. With 0.14 / 0.16 /
            0.2 kinds right are 0.964 / 0.967 / 0.966 of all cubes on 97 pictures, and 47 / 44 / 48 pillars
            are lost: with less the judge is shown more that is no cube and takes it for one.
        most: more spots than a box has pieces, and a few for the judge to refuse.
        apart: of two spots nearer than this share of their reach the hotter one is kept: seen from above,
            small cubes that touch are 1.6 reaches apart; where one hides another they come nearer.
    """

    least_heat: float = 0.16
    most: int = 140
    apart: float = 0.55


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Possible cubes, hottest first: *centres_px* (N, 2), the mean reach of outlines (N,) and *heat* (N,)."""

    centres_px: Floats
    reach_px: Floats
    heat: Floats

    def __len__(self) -> int:
        return len(self.heat)


def spot(frame: FrameBGR, network: Network, settings: SpotSettings | None = None) -> Spots:
    """Look for cubes in a picture of the size the network was taught for."""
    settings = settings or SpotSettings()
    height, width = frame.shape[:2]
    padded = cv2.copyMakeBorder(frame, 0, -height % CELL_PX, 0, -width % CELL_PX, cv2.BORDER_REPLICATE)
    said = network(np.asarray(padded, np.uint8)[None])[0]
    cells = said.shape[1:]
    quarters = said[:4].reshape(2, 2, *cells).transpose(2, 0, 3, 1).reshape(2 * cells[0], 2 * cells[1])
    heat = (1.0 / (1.0 + np.exp(-quarters))).astype(np.float32)
    rows, columns = np.nonzero((heat >= settings.least_heat) & (heat == cv2.dilate(heat, np.ones((3, 3)))))
    hottest = np.argsort(-heat[rows, columns], kind="stable")[: 3 * settings.most]
    rows, columns = rows[hottest], columns[hottest]
    reach = np.exp(said[4, rows // 2, columns // 2].astype(np.float64))
    centres = (_peaks(heat, rows, columns) + 0.5) * HEAT_PX - 0.5
    near = distances(centres) < settings.apart * np.minimum(reach[:, None], reach[None])
    kept = np.flatnonzero(first_of_near(near))[: settings.most]
    return Spots(centres[kept], reach[kept], heat[rows, columns][kept].astype(np.float64))


def _peaks(
    heat: npt.NDArray[np.float32], rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]
) -> Floats:
    """Return where between the cells the tops of parabolas through each peak and its neighbours are."""
    edged = np.pad(heat, 1, mode="edge").astype(np.float64)
    here = edged[rows + 1, columns + 1]
    tops = []
    for across, down in ((1, 0), (0, 1)):
        before = edged[rows + 1 - down, columns + 1 - across]
        after = edged[rows + 1 + down, columns + 1 + across]
        bend = np.minimum(before + after - 2 * here, -1e-6)
        tops.append(np.clip((before - after) / (2 * bend), -0.5, 0.5))
    return np.stack((columns + tops[0], rows + tops[1]), axis=1)
