"""Who sits together in a batch: some places of each of a few photographs.

In some of them a few names are told in advance, as an owner's samples tell them: of places of the same
photograph, of one of the same pieces in another light, or of a stranger's table, where the council has to
learn not to listen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.judge import CLASS_COUNT

# Places of a photograph that are judged together in a batch.
PLACES: Final = 40
# How often some names are told, and where the named ones are then from.
TOLD: Final = 0.4
SAME_PHOTO, SAME_TABLE, STRANGER = range(3)
FROM: Final = (0.35, 0.45, 0.2)
# Players mislabel one sample in fifty.
MISLABELLED: Final = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Seats:
    """Who sits in a batch: *rows* of the patches (P, 40), and the class told of each, or -1 (P, 40)."""

    rows: npt.NDArray[np.int64]
    told: npt.NDArray[np.int64]


def seated(
    photos: npt.NDArray[np.integer],
    edges: npt.NDArray[np.integer],
    variants: int,
    classes: npt.NDArray[np.int64],
    rng: np.random.Generator,
) -> Seats:
    """Choose places of each photograph, and in some of them put named ones in the first seats.

    Args:
        edges: where in the patches each photograph begins, and the end.
        variants: how many photographs follow each other that show the same table.
        classes: shape (N,), what all patches show.
    """
    rows = np.stack([_chosen(int(photo), PLACES, edges, rng) for photo in photos])
    told = np.full(rows.shape, -1, np.int64)
    for n, photo in enumerate(photos):
        if rng.random() >= TOLD:
            continue
        many = int(rng.integers(4, PLACES // 2))
        source = int(rng.choice(3, p=FROM))
        if source == SAME_TABLE:
            photo = photo - photo % variants + rng.integers(variants)
        elif source == STRANGER:
            photo = rng.integers(len(edges) - 1)
        rows[n, :many] = _chosen(int(photo), many, edges, rng)
        told[n, :many] = classes[rows[n, :many]]
        wrong = rng.random(many) < MISLABELLED
        told[n, :many][wrong] = rng.integers(1, CLASS_COUNT, int(wrong.sum()))
    # Only cubes are ever named: nobody shows the companion a piece of bare table.
    told[told == 0] = -1
    return Seats(rows, told)


def _chosen(
    photo: int, many: int, edges: npt.NDArray[np.integer], rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    start, end = int(edges[photo]), int(edges[photo + 1])
    return start + rng.choice(end - start, many, replace=end - start < many)
