"""How the spotter is taught: how its examples become batches, and what counts as wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import torch
import torch.nn.functional as functional
from torch import Tensor

from calibration.training.crops import Crop
from calibration.training.going_on import read_back
from calibration.training.lessons import Batch, Lesson, teach
from calibration.training.networks import Spotter

# So many crops tell what is usual in a network that was read back.
USUAL_CROPS: Final = 64
# Noise is drawn once and laid on at ever other places: drawing it anew takes a tenth of the lesson.
_GRAIN = torch.randn(2**20, generator=torch.Generator().manual_seed(0))


def train_spotter(
    crops: list[Crop], lesson: Lesson, kept_in: Path | None = None, taught: Path | None = None
) -> Spotter:
    """Teach a spotter where the middles of cubes are.

    Args:
        kept_in: a file for what was learned so far, to go on from.
        taught: a folder of weights that were taught before and are to learn more; None: it begins anew.
    """
    torch.manual_seed(lesson.seed)
    spotter = Spotter()
    if taught:
        some = np.random.default_rng(lesson.seed).choice(len(crops), USUAL_CROPS)
        pictures = np.stack([crops[n].picture for n in some])
        read_back(spotter, taught / "spotter.onnx", as_input(torch.from_numpy(pictures)))

    def batch_of(indices: np.ndarray, chance: torch.Generator) -> Batch:
        chosen = [crops[n] for n in indices]
        seen = jittered(as_input(torch.from_numpy(np.stack([crop.picture for crop in chosen]))), 1, chance)
        rest = [
            torch.from_numpy(np.stack(values))
            for values in zip(*((c.heat, c.log_reach, c.told, c.judged) for c in chosen), strict=True)
        ]
        return seen, *rest

    def loss_of(batch: Batch) -> Tensor:
        seen, heat, log_reach, told, judged = batch
        said = spotter(seen).float()
        found = functional.pixel_shuffle(said[:, :4], 2)[:, 0]
        size = functional.smooth_l1_loss(said[:, 4] * told, log_reach * told, beta=0.05, reduction="sum")
        return _heat_loss(found, heat, judged) + 2.0 * size / (told.sum() + 1)

    teach("spotter", spotter, len(crops), batch_of, loss_of, lesson, kept_in)
    return spotter


def as_input(pictures: Tensor) -> Tensor:
    """Return pictures (B, H, W, 3) of bytes as networks take them: (B, 3, H, W), 0 to 1."""
    scaled = pictures.permute(0, 3, 1, 2).float() / 255.0
    return scaled.contiguous(memory_format=torch.channels_last)


def jittered(seen: Tensor, together: int, chance: torch.Generator) -> Tensor:
    """Change brightness and colour, the same for so many that belong together, and add noise, ever anew."""
    groups = len(seen) // together
    gain = torch.exp(torch.randn(groups, 1, 1, 1, generator=chance) * 0.25)
    cast = torch.exp(torch.randn(groups, 3, 1, 1, generator=chance) * 0.09)
    light = (gain * cast).repeat_interleave(together, dim=0)
    strength = torch.rand(len(seen), 1, 1, 1, generator=chance) * 0.02
    start = int(torch.randint(len(_GRAIN) - seen[0].numel(), (1,), generator=chance))
    grain = _GRAIN[start : start + seen[0].numel()].view(seen.shape[2], seen.shape[3], -1).permute(2, 0, 1)
    return torch.addcmul(seen * light, strength, grain.expand_as(seen)).clamp_(0, 1)


def _heat_loss(found: Tensor, heat: Tensor, judged: Tensor) -> Tensor:
    """Return the loss of CornerNet: middles must be sure, places near them may be half sure."""
    sure = torch.sigmoid(found).clamp(1e-4, 1 - 1e-4)
    middle = (heat > 0.9).float() * judged
    missed = -((1 - sure) ** 2) * torch.log(sure) * middle
    invented = -((1 - heat) ** 4) * sure**2 * torch.log(1 - sure) * (1 - middle) * judged
    return (missed.sum() + invented.sum()) / (middle.sum() + 1)
