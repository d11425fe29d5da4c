"""The council: every place is judged again, knowing how all others on the same table look.

Alone, a red cube under a warm lamp may be a key or a dragon; beside the other it is neither's double. The
network compares all places of a picture with each other, in three rounds (self-attention), and says what to
add to the judge's scores. Places whose names are known, an owner's samples for one, may sit among them.

It is so small that NumPy runs it in a few milliseconds; OpenCV 4 cannot read a network for any number of
places.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.resources import files
from math import sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy.special import softmax

from vision.judge import CLASS_COUNT, Opinions
from vision.pictures import Floats

HEADS: Final = 4
Weights = dict[str, npt.NDArray[Any]]


class Council:
    """The network with its weights, as `python -m calibration.training` writes them."""

    def __init__(self, weights: Weights | None = None) -> None:
        self._weights = weights if weights is not None else _read()
        self._rounds = sum(name.endswith("asks.weight") for name in self._weights)

    def __call__(self, looks: Floats, names: Floats) -> Floats:
        """Return what to add to the scores of places, shape (N, 15).

        Args:
            looks: shape (N, 64), as the judge describes them.
            names: shape (N, 15), 1 for the class of a place that is known; all 0 for the others.
        """
        precision = self._weights["enter.weight"].dtype
        x = self._layer("enter", np.concatenate((looks, names), axis=1).astype(precision))
        for number in range(self._rounds):
            x = self._round(f"rounds.{number}.", x)
        return self._layer("leave", x).astype(np.float64)

    def _round(self, name: str, x: Floats) -> Floats:
        asks, offers, tells = (
            self._layer(name + part, x).reshape(len(x), HEADS, -1).transpose(1, 0, 2)
            for part in ("asks", "offers", "tells")
        )
        heed = softmax(asks @ offers.transpose(0, 2, 1) / sqrt(asks.shape[2]), axis=2)
        told = (heed @ tells).transpose(1, 0, 2).reshape(len(x), -1)
        x = x + self._layer(name + "heard", told)
        changed: Floats = x + self._layer(name + "second", np.maximum(self._layer(name + "first", x), 0))
        return changed

    def _layer(self, name: str, x: Floats) -> Floats:
        out: Floats = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Places whose names are known: their *looks* (M, 64) and *classes* (M,), the kind + 1."""

    looks: Floats
    classes: npt.NDArray[np.intp]


def consulted(said: Opinions, council: Council, known: Known | None = None, heed: float = 1.0) -> Opinions:
    """Return opinions with the scores that all places together lead to.

    Args:
        heed: how much of what the council adds counts.
    """
    many = len(said.looks)
    if not many:
        return said
    looks, names = said.looks, np.zeros((many, CLASS_COUNT))
    if known is not None:
        looks = np.concatenate((looks, known.looks))
        names = np.concatenate((names, np.eye(CLASS_COUNT)[known.classes]))
    return replace(said, scores=said.scores + heed * council(looks, names)[:many])


def _read() -> Weights:
    with files("vision").joinpath("weights", "council.npz").open("rb") as file, np.load(file) as stored:
        # As they were taught: twice the digits would take twice the time and tell nothing more.
        return {name: stored[name].astype(np.float32) for name in stored.files}
