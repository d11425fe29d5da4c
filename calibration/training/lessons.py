"""How a network is taught: many small steps, first fast and then ever slower, with a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

import click
import numpy as np
import torch
from torch import Tensor, nn

Batch = tuple[Tensor, ...]
# A line about how it goes after so many steps.
TOLD_STEPS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """How long and how fast to learn."""

    steps: int
    batch: int
    fastest: float
    seed: int
    weight_decay: float = 0.01


def teach(
    name: str,
    network: nn.Module,
    count: int,
    batch_of: Callable[[np.ndarray, torch.Generator], Batch],
    loss_of: Callable[[Batch], Tensor],
    lesson: Lesson,
) -> None:
    """Teach a network for a number of steps, in random order over and over through all examples."""
    torch.manual_seed(lesson.seed)
    chance = torch.Generator().manual_seed(lesson.seed)
    rng = np.random.default_rng(lesson.seed)
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-4, weight_decay=lesson.weight_decay)
    # Colours innermost: eight times as fast on processors.
    network.to(memory_format=torch.channels_last)
    network.train()
    started = time.monotonic()
    losses: list[float] = []
    for step, indices in enumerate(islice(_endless(count, lesson.batch, rng), lesson.steps), 1):
        for group in optimizer.param_groups:
            group["lr"] = lesson.fastest * _speed(step / lesson.steps)
        optimizer.zero_grad(set_to_none=True)
        batch = batch_of(indices, chance)
        # Half the digits are enough to learn from, and take little more than half the time.
        with torch.autocast("cpu", torch.bfloat16):
            loss = loss_of(batch)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        losses.append(float(loss.detach()))
        if step % TOLD_STEPS == 0:
            left = (time.monotonic() - started) / step * (lesson.steps - step) / 60
            recent = float(np.mean(losses[-TOLD_STEPS:]))
            click.echo(
                f"{name}: step {step} of {lesson.steps}, loss {recent:.4f}, {left:.0f} minutes left", err=True
            )
    network.eval()


def _speed(done: float) -> float:
    """Return how fast to learn after this share of the steps: up quickly, then down along a cosine."""
    if done < 0.08:
        return 0.05 + 0.95 * done / 0.08
    return float(0.002 + 0.998 * 0.5 * (1 + np.cos(np.pi * (done - 0.08) / 0.92)))


def _endless(count: int, batch: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    while True:
        order = rng.permutation(count)
        for start in range(0, max(1, count - batch + 1), batch):
            yield order[start : start + batch]
