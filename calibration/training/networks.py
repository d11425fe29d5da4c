"""The two small networks of the scanner, as PyTorch trains them.

The spotter looks over the whole picture, made small, for middles of cubes; the judge looks at each of them
closely and tells what it is and how far it reaches. Both use only what OpenCV runs fast everywhere:
convolutions, sums and cut-offs.
"""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn

from vision.pieces import KINDS
from vision.support import DIRECTION_COUNT

# What the judge says of a patch: no cube, or one of the kinds; then reaches.
CLASS_COUNT: Final = len(KINDS) + 1


class Residual(nn.Module):
    """Two convolutions beside a short cut."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=dilation, dilation=dilation, bias=False)
        self.first_norm = nn.BatchNorm2d(width)
        self.second = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(width)

    def forward(self, x: Tensor) -> Tensor:
        inner = torch.relu(self.first_norm(self.first(x)))
        return torch.relu(x + self.second_norm(self.second(inner)))


def _step(narrow: int, wide: int, stride: int = 2) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(narrow, wide, 3, stride=stride, padding=1, bias=False), nn.BatchNorm2d(wide), nn.ReLU()
    )


class Spotter(nn.Module):
    """From pictures (B, 3, H, W) to (B, 5, H/4, W/4): is each quarter of a cell a middle; the log reach."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _step(3, 16),
            _step(16, width),
            Residual(width),
            Residual(width, 2),
            Residual(width, 3),
            Residual(width),
        )
        self.head = nn.Conv2d(width, 5, 1)
        nn.init.constant_(self.head.bias[:4], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.head(self.body(x))
        return found


class Judge(nn.Module):
    """From patches (B, 3, 48, 48) to (B, 15 + 16 + 32): classes, reaches, and a description of its looks."""

    def __init__(self, widths: tuple[int, int, int] = (24, 48, 96), looks: int = 32) -> None:
        super().__init__()
        one, two, three = widths
        self.body = nn.Sequential(
            _step(3, one),
            Residual(one),
            _step(one, two),
            Residual(two),
            _step(two, three),
            Residual(three),
            _step(three, three),
            nn.Flatten(),
        )
        self.whole = nn.Sequential(nn.Linear(three * 9, 128), nn.ReLU())
        self.looks = nn.Sequential(nn.Linear(128, looks), nn.ReLU())
        self.classes = nn.Linear(looks, CLASS_COUNT)
        self.reaches = nn.Linear(128, DIRECTION_COUNT)

    def forward(self, x: Tensor) -> Tensor:
        whole = self.whole(self.body(x))
        looks = self.looks(whole)
        return torch.cat((self.classes(looks), self.reaches(whole), looks), dim=1)
