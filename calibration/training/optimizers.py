"""What moves the weights while a network learns: Muon for its matrices, AdamW for the rest.

AdamW judges every weight alone. Of a matrix most steps then go along the few directions that every example
asks for, and what tells two rare kinds apart is learned last. Muon makes the step equally long in all
directions of a matrix; the judge learns about twice as much in as many steps.
"""

from __future__ import annotations

from typing import Any, Final

import torch
from torch import Tensor, nn

# Both sides of a matrix that Muon moves: smaller ones, single numbers and what looks at one channel alone (a
# depthwise convolution has nine weights each) are AdamW's.
LEAST_SIDE: Final = 24


class Optimizers:
    """Both in step. Kernels are moved as flat matrices: the network must have its colours innermost."""

    def __init__(self, network: nn.Module, weight_decay: float) -> None:
        weights = list(network.parameters())
        matrices = [weight for weight in weights if _is_matrix(weight)]
        others = [weight for weight in weights if not _is_matrix(weight)]
        # The same numbers in memory, seen as a matrix: Muon knows nothing of kernels.
        self._matrices = [(weight, nn.Parameter(_flat(weight.detach()))) for weight in matrices]
        self._optimizers = [
            torch.optim.Muon(
                [matrix for _, matrix in self._matrices],
                weight_decay=weight_decay,
                # Steps as long as AdamW's, so that one speed suits both.
                adjust_lr_fn="match_rms_adamw",
            ),
            torch.optim.AdamW(others, weight_decay=weight_decay),
        ]

    def step(self, speed: float) -> None:
        """Move all weights along their slopes."""
        for weight, matrix in self._matrices:
            matrix.grad = None if weight.grad is None else _flat(weight.grad)
        for optimizer in self._optimizers:
            for group in optimizer.param_groups:
                group["lr"] = speed
            optimizer.step()

    def state(self) -> list[dict[str, Any]]:
        """Return what they remember of earlier steps."""
        return [optimizer.state_dict() for optimizer in self._optimizers]

    def restore(self, state: list[dict[str, Any]]) -> None:
        """Remember only this again."""
        for optimizer, one in zip(self._optimizers, state, strict=True):
            optimizer.load_state_dict(one)


def _is_matrix(weight: Tensor) -> bool:
    return bool(weight.ndim > 1 and min(len(weight), weight[0].numel()) >= LEAST_SIDE)


def _flat(values: Tensor) -> Tensor:
    """Return values as a matrix, a row for each output: of weights a view, or nothing would move."""
    return values if values.ndim == 2 else values.permute(0, 2, 3, 1).flatten(1)
