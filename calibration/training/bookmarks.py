"""Where a lesson stopped, in a file: an hour of learning is not lost with the power or the terminal."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import torch


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What was learned by some step.

    Attributes:
        weights: the network's.
        moving: what the optimizers remember of earlier steps.
        half_digits: whether half the digits were still enough.
    """

    step: int
    weights: dict[str, Any]
    moving: list[dict[str, Any]]
    half_digits: bool


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A file that keeps what was learned, and the one lesson that may go on from it."""

    file: Path
    lesson: str

    def read(self) -> Learned | None:
        """Return what was learned in this lesson before, if it was this one."""
        try:
            kept = torch.load(self.file, weights_only=True)
        except FileNotFoundError:
            return None
        except Exception as unreadable:  # torch names no errors of its own for what is no file of its
            click.echo(f"{self.file} cannot be read, learning anew: {unreadable}", err=True)
            return None
        if kept["lesson"] != self.lesson:
            click.echo(f"{self.file} is of another lesson, learning anew", err=True)
            return None
        return Learned(kept["step"], kept["weights"], kept["moving"], kept["half_digits"])

    def write(self, learned: Learned) -> None:
        """Keep this instead of what was learned before; cut off halfway, that is still there."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        beside = self.file.with_suffix(".new")
        torch.save(
            {
                "lesson": self.lesson,
                "step": learned.step,
                "weights": learned.weights,
                "moving": learned.moving,
                "half_digits": learned.half_digits,
            },
            beside,
        )
        os.replace(beside, self.file)
