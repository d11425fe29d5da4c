"""How judge and council are taught, together: photograph by photograph, as they will work.

The judge names every place alone; the council names them again, knowing all places of the same photograph.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import torch
import torch.nn.functional as functional
from torch import Tensor

from calibration.training.going_on import read_arrays, read_back
from calibration.training.lessons import Batch, Lesson, teach
from calibration.training.networks import Council, Judge
from calibration.training.patches import Patches
from calibration.training.seats import PLACES, seated
from calibration.training.teaching import as_input, jittered
from vision.judge import CLASS_COUNT, LOG_UNSURE, SAID
from vision.patches import REACH_PX
from vision.support import DIRECTION_COUNT

# A reach counts in twelfths of a patch's pixel; so many times as much as a name.
REACH_WEIGHT: Final = 6.0
# How unsure reaches are counts least.
UNSURE_WEIGHT: Final = 0.1
# So many patches tell what is usual in a network that was read back.
USUAL_PATCHES: Final = 1024


class Both(torch.nn.Module):
    """Judge and council as one, so that one lesson teaches both."""

    def __init__(self) -> None:
        super().__init__()
        self.judge = Judge()
        self.council = Council()


def train_judge(
    patches: Patches,
    variants: int,
    lesson: Lesson,
    kept_in: Path | None = None,
    taught: Path | None = None,
) -> Both:
    """Teach a judge to name what patches show and how far cubes reach, and a council to compare them.

    Args:
        variants: how many photographs follow each other that show the same table.
        kept_in: a file for what was learned so far, to go on from.
        taught: a folder of weights that were taught before and are to learn more; None: they begin anew.
    """
    torch.manual_seed(lesson.seed)
    both = Both()
    if taught:
        some = np.random.default_rng(lesson.seed).choice(len(patches.classes), USUAL_PATCHES)
        read_back(both.judge, taught / "judge.onnx", as_input(torch.from_numpy(patches.pictures[some])))
        read_arrays(both.council, taught / "council.npz")
    pictures = torch.from_numpy(patches.pictures)
    classes = torch.from_numpy(patches.classes)
    reaches = torch.from_numpy(patches.reaches)
    counts = torch.bincount(classes, minlength=CLASS_COUNT).float().clamp(min=1)
    # Rare kinds count more, though not as much as they are rare.
    weights = (counts.sum() / counts) ** 0.3
    weights = weights / weights.mean()
    edges = np.flatnonzero(np.diff(patches.photos, prepend=-1, append=patches.photos[-1] + 1))

    def batch_of(indices: np.ndarray, chance: torch.Generator) -> Batch:
        rng = np.random.default_rng(chance.initial_seed())
        seats = seated(indices, edges, variants, patches.classes, rng)
        rows = torch.from_numpy(seats.rows.ravel())
        turns, mirrored = int(rng.integers(4)), bool(rng.integers(2))
        seen, far = turned(pictures[rows], reaches[rows], turns, mirrored)
        return jittered(as_input(seen), PLACES, chance), classes[rows], far, torch.from_numpy(seats.told)

    def loss_of(batch: Batch) -> Tensor:
        seen, wanted, far, told = batch
        # Losses need all digits.
        said = both.judge(seen).float()
        alone, off, unsure, looks = said.split(SAID, dim=1)
        names = functional.one_hot(told + 1, CLASS_COUNT + 1)[:, :, 1:].float()
        together = alone + both.council(looks.unflatten(0, told.shape), names).float().flatten(0, 1)
        cube = (wanted > 0).float()[:, None]
        miss = (off - far / REACH_PX) * cube
        apart = functional.smooth_l1_loss(miss, torch.zeros_like(off), beta=0.03, reduction="sum")
        reach_count = cube.sum() * DIRECTION_COUNT + 1
        asked = told.flatten() < 0
        return (
            0.5 * functional.cross_entropy(alone, wanted, weights, label_smoothing=0.01)
            + functional.cross_entropy(together[asked], wanted[asked], weights, label_smoothing=0.01)
            + REACH_WEIGHT * apart / reach_count
            + UNSURE_WEIGHT * (surprise(miss.detach(), unsure) * cube).sum() / reach_count
        )

    teach("judge", both, len(edges) - 1, batch_of, loss_of, lesson, kept_in)
    return both


def surprise(miss: Tensor, unsure: Tensor) -> Tensor:
    """Return how surprising misses are to one who says how unsure it is, a logarithm: least if it is right.

    Only what it says is taught by this: reaches stay as good as they are where it is sure of itself.
    """
    spread = unsure.clamp(*LOG_UNSURE)
    return miss.abs() * torch.exp(-spread) + spread


def turned(seen: Tensor, reaches: Tensor, turns: int, mirrored: bool) -> tuple[Tensor, Tensor]:
    """Return patches (B, 48, 48, 3) turned by quarters and maybe mirrored, and their reaches (B, 16) too."""
    if mirrored:
        seen = seen.flip(2)
        reaches = reaches[:, (DIRECTION_COUNT // 2 - torch.arange(DIRECTION_COUNT)) % DIRECTION_COUNT]
    quarter = DIRECTION_COUNT // 4
    return torch.rot90(seen, turns, (1, 2)), reaches.roll(-quarter * turns, dims=1)
