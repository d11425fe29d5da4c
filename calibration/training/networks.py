"""The small networks of the scanner, as PyTorch trains them.

The spotter looks over the whole picture, made small, for middles of cubes; the judge looks at each of them
closely and tells what it is and how far it reaches. Both use only what OpenCV runs fast everywhere:
convolutions, sums and cut-offs. The council then compares all places of a picture with each other: a cube is
hard to name alone, and easier beside others under the same lamp.
"""

from __future__ import annotations

from typing import Final

import torch
import torch.nn.functional as functional
from torch import Tensor, nn

from vision.council import HEADS
from vision.judge import CLASS_COUNT, LOOKS_COUNT
from vision.patches import PATCH_PX
from vision.support import DIRECTION_COUNT

# What the judge looks at of a patch.
MIDDLE_PX: Final = 40
# Where a judge that has learned nothing begins: reaches are off by a twelfth of themselves, a logarithm.
USUALLY_OFF: Final = -2.5


class Residual(nn.Module):
    """Two convolutions beside a short cut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(width)
        self.second = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(width)

    def forward(self, x: Tensor) -> Tensor:
        inner = torch.relu(self.first_norm(self.first(x)))
        return torch.relu(x + self.second_norm(self.second(inner)))


class Slim(nn.Module):
    """Every channel looks around on its own, then all are mixed, beside a short cut: a fifth of the work."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.around = nn.Conv2d(
            width, width, 3, padding=dilation, dilation=dilation, groups=width, bias=False
        )
        self.around_norm = nn.BatchNorm2d(width)
        self.mix = nn.Conv2d(width, 2 * width, 1, bias=False)
        self.mix_norm = nn.BatchNorm2d(2 * width)
        self.back = nn.Conv2d(2 * width, width, 1, bias=False)
        self.back_norm = nn.BatchNorm2d(width)

    def forward(self, x: Tensor) -> Tensor:
        mixed = torch.relu(self.mix_norm(self.mix(self.around_norm(self.around(x)))))
        out: Tensor = x + self.back_norm(self.back(mixed))
        return out


def _start(wide: int) -> nn.Sequential:
    """From colours to channels, at half the size."""
    return nn.Sequential(
        nn.Conv2d(3, wide, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(wide), nn.ReLU()
    )


def _halved(narrow: int, wide: int) -> nn.Sequential:
    """Half the size, four pixels into one: OpenCV needs a quarter of what kernels that overlap take."""
    return nn.Sequential(nn.Conv2d(narrow, wide, 2, stride=2, bias=False), nn.BatchNorm2d(wide))


class Spotter(nn.Module):
    """From pictures (B, 3, H, W) to (B, 5, H/4, W/4): is each quarter of a cell a middle; the log reach."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _start(16),
            _halved(16, width),
            # Far enough to see a cube's neighbours: 21 cells.
            *(Slim(width, dilation) for dilation in (1, 2, 3, 1, 2, 1)),
            nn.BatchNorm2d(width),
            nn.ReLU(),
        )
        self.head = nn.Conv2d(width, 5, 1)
        nn.init.constant_(self.head.bias[:4], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.head(self.body(x))
        return found


class Judge(nn.Module):
    """From patches (B, 3, 48, 48) to (B, 111): classes, reaches, how unsure they are, how it looks.

    It looks at the middle of a patch, which holds even a badly aimed cube and the table around it:
    the rim of four pixels would take a third of the time.
    """

    def __init__(self, widths: tuple[int, int, int] = (32, 64, 128)) -> None:
        super().__init__()
        one, two, three = widths
        self.body = nn.Sequential(
            _start(one),
            Slim(one),
            _halved(one, two),
            Residual(two),
            Residual(two),
            _halved(two, three),
            Residual(three),
            Residual(three),
            nn.Conv2d(three, 48, 1, bias=False),
            nn.BatchNorm2d(48),
            nn.ReLU(),
            nn.Flatten(),
        )
        cells = (MIDDLE_PX // 8) ** 2
        self.whole = nn.Sequential(nn.Linear(48 * cells, 160), nn.ReLU())
        self.looks = nn.Sequential(nn.Linear(160, LOOKS_COUNT), nn.ReLU())
        self.classes = nn.Linear(LOOKS_COUNT, CLASS_COUNT)
        self.reaches = nn.Linear(160, DIRECTION_COUNT)
        self.unsure = nn.Linear(160, DIRECTION_COUNT)
        nn.init.constant_(self.unsure.bias, USUALLY_OFF)

    def forward(self, x: Tensor) -> Tensor:
        rim = (PATCH_PX - MIDDLE_PX) // 2
        whole = self.whole(self.body(x[:, :, rim:-rim, rim:-rim]))
        looks = self.looks(whole)
        return torch.cat((self.classes(looks), self.reaches(whole), self.unsure(whole), looks), dim=1)


class Round(nn.Module):
    """One round of the council: each place hears those it heeds, and thinks about it."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.asks = nn.Linear(width, width)
        self.offers = nn.Linear(width, width)
        self.tells = nn.Linear(width, width)
        self.heard = nn.Linear(width, width)
        self.first = nn.Linear(width, 2 * width)
        self.second = nn.Linear(2 * width, width)
        # Rounds start silent: a council that has learned nothing leaves the judge's word alone.
        nn.init.zeros_(self.heard.weight)
        nn.init.zeros_(self.second.weight)

    def forward(self, x: Tensor) -> Tensor:
        asks, offers, tells = (self._heads(layer(x)) for layer in (self.asks, self.offers, self.tells))
        told = functional.scaled_dot_product_attention(asks, offers, tells)
        x = x + self.heard(told.transpose(1, 2).flatten(2))
        changed: Tensor = x + self.second(torch.relu(self.first(x)))
        return changed

    @staticmethod
    def _heads(x: Tensor) -> Tensor:
        return x.unflatten(2, (HEADS, -1)).transpose(1, 2)


class Council(nn.Module):
    """From the looks of all places of a picture (B, N, 64), and the names of those that are known
    (B, N, 15), to what to add to the judge's scores (B, N, 15)."""

    def __init__(self, width: int = 160, rounds: int = 3) -> None:
        super().__init__()
        self.enter = nn.Linear(LOOKS_COUNT + CLASS_COUNT, width)
        self.rounds = nn.ModuleList(Round(width) for _ in range(rounds))
        self.leave = nn.Linear(width, CLASS_COUNT)

    def forward(self, looks: Tensor, names: Tensor) -> Tensor:
        x = self.enter(torch.cat((looks, names), dim=2))
        for hold in self.rounds:
            x = hold(x)
        added: Tensor = self.leave(x)
        return added
