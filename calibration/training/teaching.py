"""What each network is taught: how its examples become batches, and what counts as wrong."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as functional
from torch import Tensor

from calibration.training.crops import Crop
from calibration.training.lessons import Batch, Lesson, teach
from calibration.training.networks import CLASS_COUNT, Judge, Spotter
from calibration.training.patches import Patches
from vision.patches import REACH_PX
from vision.support import DIRECTION_COUNT


def train_judge(patches: Patches, lesson: Lesson) -> Judge:
    """Teach a judge to name what patches show and how far cubes reach."""
    torch.manual_seed(lesson.seed)
    judge = Judge()
    pictures = torch.from_numpy(patches.pictures)
    classes = torch.from_numpy(patches.classes)
    reaches = torch.from_numpy(patches.reaches)
    counts = torch.bincount(classes, minlength=CLASS_COUNT).float().clamp(min=1)
    # Rare kinds count more, though not as much as they are rare.
    weights = (counts.sum() / counts) ** 0.4
    weights = weights / weights.mean()

    def batch_of(indices: np.ndarray, chance: torch.Generator) -> Batch:
        rows = torch.from_numpy(indices)
        return _jittered(as_input(pictures[rows]), chance), classes[rows], reaches[rows]

    def loss_of(batch: Batch) -> Tensor:
        seen, wanted, far = batch
        said = judge(seen)
        named = functional.cross_entropy(said[:, :CLASS_COUNT], wanted, weights, label_smoothing=0.02)
        cube = (wanted > 0).float()[:, None]
        off = said[:, CLASS_COUNT : CLASS_COUNT + DIRECTION_COUNT] - far / REACH_PX
        apart = functional.smooth_l1_loss(off * cube, torch.zeros_like(off), beta=0.05, reduction="sum")
        return named + 4.0 * apart / (cube.sum() * DIRECTION_COUNT + 1)

    teach("judge", judge, len(classes), batch_of, loss_of, lesson)
    return judge


def train_spotter(crops: list[Crop], lesson: Lesson) -> Spotter:
    """Teach a spotter where the middles of cubes are."""
    torch.manual_seed(lesson.seed)
    spotter = Spotter()

    def batch_of(indices: np.ndarray, chance: torch.Generator) -> Batch:
        chosen = [crops[n] for n in indices]
        seen = _jittered(as_input(torch.from_numpy(np.stack([crop.picture for crop in chosen]))), chance)
        rest = [
            torch.from_numpy(np.stack(values))
            for values in zip(*((c.heat, c.log_reach, c.told, c.judged) for c in chosen), strict=True)
        ]
        return seen, *rest

    def loss_of(batch: Batch) -> Tensor:
        seen, heat, log_reach, told, judged = batch
        said = spotter(seen)
        found = functional.pixel_shuffle(said[:, :4], 2)[:, 0]
        size = functional.smooth_l1_loss(said[:, 4] * told, log_reach * told, beta=0.05, reduction="sum")
        return _heat_loss(found, heat, judged) + 2.0 * size / (told.sum() + 1)

    teach("spotter", spotter, len(crops), batch_of, loss_of, lesson)
    return spotter


def as_input(pictures: Tensor) -> Tensor:
    """Return pictures (B, H, W, 3) of bytes as networks take them: (B, 3, H, W), 0 to 1."""
    scaled = pictures.permute(0, 3, 1, 2).float() / 255.0
    return scaled.contiguous(memory_format=torch.channels_last)


def _jittered(seen: Tensor, chance: torch.Generator) -> Tensor:
    """Change brightness, colour and noise a little, anew in every round."""
    many = len(seen)
    gain = torch.exp(torch.randn(many, 1, 1, 1, generator=chance) * 0.12)
    cast = torch.exp(torch.randn(many, 3, 1, 1, generator=chance) * 0.04)
    noise = torch.randn(seen.shape, generator=chance) * (torch.rand(many, 1, 1, 1, generator=chance) * 0.02)
    return (seen * gain * cast + noise).clamp(0, 1)


def _heat_loss(found: Tensor, heat: Tensor, judged: Tensor) -> Tensor:
    """Return the loss of CornerNet: middles must be sure, places near them may be half sure."""
    sure = torch.sigmoid(found).clamp(1e-4, 1 - 1e-4)
    middle = (heat > 0.9).float() * judged
    missed = -((1 - sure) ** 2) * torch.log(sure) * middle
    invented = -((1 - heat) ** 4) * sure**2 * torch.log(1 - sure) * (1 - middle) * judged
    return (missed.sum() + invented.sum()) / (middle.sum() + 1)
