"""How a network is taught: many small steps, first fast and then ever slower, with a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import click
import numpy as np
import torch
from torch import Tensor, nn

from calibration.training.bookmarks import Bookmark, Learned
from calibration.training.memory import kept_memory
from calibration.training.optimizers import Optimizers

Batch = tuple[Tensor, ...]
# A line about how it goes after so many steps.
TOLD_STEPS: Final = 100
# Slopes are cut off at this length.
STEEPEST: Final = 5.0
# Numbers of half the digits have ended as no number at all after some hundred or thousand steps, and not come
# back with other examples or earlier weights. After so many steps what was learned is kept; it is gone back
# to at most so often, and from then on all digits are used.
KEPT_STEPS: Final = 50
MOST_RETURNS: Final = 20
# After so many steps, about two minutes, what was learned is written to disk as well.
WRITTEN_STEPS: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """How long and how fast to learn, and whether half the digits are enough to learn from.

    With 64 channels and more they take little more than half the time, with fewer hardly less.
    """

    steps: int
    batch: int
    fastest: float
    seed: int
    half_digits: bool
    weight_decay: float = 0.01


@kept_memory()
def teach(
    name: str,
    network: nn.Module,
    count: int,
    batch_of: Callable[[np.ndarray, torch.Generator], Batch],
    loss_of: Callable[[Batch], Tensor],
    lesson: Lesson,
    kept_in: Path | None = None,
) -> None:
    """Teach a network for a number of steps, in random order over and over through all examples.

    Args:
        batch_of: returns a batch of these examples; all its chance comes from the generator.
        kept_in: a file for what was learned so far. The same lesson goes on from there, and ends as if it had
            never stopped.
    """
    torch.manual_seed(lesson.seed)
    chance, rng = torch.Generator(), np.random.default_rng(lesson.seed)
    # Colours innermost: eight times as fast on processors.
    network.to(memory_format=torch.channels_last)
    network.train()
    optimizers = Optimizers(network, lesson.weight_decay)
    bookmark = Bookmark(kept_in, f"{name} of {count}: {lesson}") if kept_in else None
    kept = _learned(0, network, optimizers, lesson.half_digits)
    if bookmark and (before := bookmark.read()):
        click.echo(f"{name}: goes on after step {before.step}", err=True)
        kept = before
        _restore(kept, network, optimizers)
    first, returns, half_digits = kept.step, 0, kept.half_digits
    started = time.monotonic()
    losses: list[float] = []
    batches = islice(_endless(count, lesson.batch, rng), first, lesson.steps)
    for step, indices in enumerate(batches, first + 1):
        network.zero_grad(set_to_none=True)
        # Every step has its own chance, so that it is the same after a stop.
        batch = batch_of(indices, chance.manual_seed(lesson.seed * 1_000_003 + step))
        with torch.autocast("cpu", torch.bfloat16, enabled=half_digits):
            loss = loss_of(batch)
        loss.backward()
        slope = float(nn.utils.clip_grad_norm_(network.parameters(), STEEPEST))
        if not np.isfinite(slope):
            returns += 1
            if returns > MOST_RETURNS:
                raise ArithmeticError(f"{name}: its slopes are no numbers any more, at step {step}")
            click.echo(f"{name}: no number at step {step}, back and on with all digits", err=True)
            _restore(kept, network, optimizers)
            half_digits = False
            continue
        optimizers.step(lesson.fastest * _speed(step / lesson.steps))
        losses.append(float(loss.detach()))
        if step % KEPT_STEPS == 0 and _sound(network):
            kept = _learned(step, network, optimizers, half_digits)
        if bookmark and step % WRITTEN_STEPS == 0:
            bookmark.write(kept)
        if step % TOLD_STEPS == 0:
            left = (time.monotonic() - started) / (step - first) * (lesson.steps - step) / 60
            recent = float(np.mean(losses[-TOLD_STEPS:]))
            click.echo(
                f"{name}: step {step} of {lesson.steps}, loss {recent:.4f}, {left:.0f} minutes left", err=True
            )
    if not _sound(network):
        _restore(kept, network, optimizers)
    if bookmark and first < lesson.steps:
        bookmark.write(_learned(lesson.steps, network, optimizers, half_digits))
    network.eval()


def _learned(step: int, network: nn.Module, optimizers: Optimizers, half_digits: bool) -> Learned:
    weights, moving = deepcopy((network.state_dict(), optimizers.state()))
    return Learned(step, weights, moving, half_digits)


def _restore(learned: Learned, network: nn.Module, optimizers: Optimizers) -> None:
    network.load_state_dict(deepcopy(learned.weights))
    optimizers.restore(deepcopy(learned.moving))


def _sound(network: nn.Module) -> bool:
    """Tell whether all that it learned are numbers."""
    return all(bool(torch.isfinite(value).all()) for value in network.state_dict().values())


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
