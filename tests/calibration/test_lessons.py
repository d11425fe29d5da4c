"""How networks are taught. PyTorch is only needed to teach, so these tests run where it is installed."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is only installed to teach networks")

from calibration.training.judging import surprise  # noqa: E402
from calibration.training.lessons import KEPT_STEPS, MOST_RETURNS, WRITTEN_STEPS, Lesson, teach  # noqa: E402
from calibration.training.networks import Judge, Slim, Spotter  # noqa: E402
from calibration.training.optimizers import Optimizers  # noqa: E402


def small_network() -> torch.nn.Sequential:
    torch.manual_seed(3)
    return torch.nn.Sequential(
        torch.nn.Conv2d(24, 32, 3, padding=1, bias=False),
        torch.nn.BatchNorm2d(32),
        torch.nn.ReLU(),
        torch.nn.Flatten(),
        torch.nn.Linear(32 * 16, 2),
    ).to(memory_format=torch.channels_last)


def lesson(steps: int) -> Lesson:
    return Lesson(steps=steps, batch=4, fastest=3e-3, seed=1, half_digits=True)


def test_every_weight_of_both_networks_moves():
    for network, picture in ((Judge(), torch.rand(8, 3, 48, 48)), (Spotter(), torch.rand(2, 3, 64, 64))):
        network.to(memory_format=torch.channels_last)
        before = {name: weight.detach().clone() for name, weight in network.named_parameters()}
        optimizers = Optimizers(network, weight_decay=0.0)
        # Twice: a slope may be exactly zero at the start, behind weights that are still zero.
        for _ in range(2):
            network.zero_grad()
            network(picture).square().sum().backward()
            optimizers.step(1e-2)
        still = [name for name, weight in network.named_parameters() if torch.equal(weight, before[name])]
        assert still == []


def test_a_kernel_moves_as_a_matrix_equally_far_in_all_directions():
    network = small_network()
    kernel = network[0].weight
    before = kernel.detach().clone()
    optimizers = Optimizers(network, weight_decay=0.0)
    network(torch.rand(4, 24, 4, 4)).square().sum().backward()
    optimizers.step(1e-2)
    moved = (kernel.detach() - before).permute(0, 2, 3, 1).flatten(1)
    lengths = torch.linalg.svdvals(moved)
    assert lengths.min() > 0.4 * lengths.max()


def test_a_network_learns_what_it_is_shown():
    rng = np.random.default_rng(5)
    pictures = torch.from_numpy(rng.normal(size=(64, 24, 4, 4)).astype(np.float32))
    wanted = (pictures.mean(dim=(1, 2, 3)) > 0).long()
    network = small_network()

    def loss_of(batch):
        return torch.nn.functional.cross_entropy(network(batch[0]).float(), batch[1])

    teach("test", network, 64, lambda rows, _: (pictures[rows], wanted[rows]), loss_of, lesson(150))
    with torch.no_grad():
        assert (network(pictures).argmax(dim=1) == wanted).float().mean() > 0.9


def test_a_step_without_a_slope_spoils_nothing():
    network = small_network()
    pictures = torch.rand(8, 24, 4, 4)
    steps = 0

    def batch_of(rows, _):
        nonlocal steps
        steps += 1
        return (pictures[rows] * (float("nan") if steps == 3 else 1.0),)

    teach("test", network, 8, batch_of, lambda batch: network(batch[0]).float().square().mean(), lesson(6))
    assert steps == 6
    assert all(torch.isfinite(value).all() for value in network.state_dict().values())


def test_weights_that_are_spoiled_are_as_they_were_kept():
    network = small_network()
    pictures = torch.rand(8, 24, 4, 4)
    kept = {}
    steps = 0

    def loss_of(batch):
        nonlocal steps, kept
        steps += 1
        if steps == KEPT_STEPS + 1:
            kept = {name: value.clone() for name, value in network.state_dict().items()}
        if steps == KEPT_STEPS + 3:
            with torch.no_grad():
                network[0].weight[0, 0, 0, 0] = float("nan")
        return network(batch[0]).float().square().mean()

    teach("test", network, 8, lambda rows, _: (pictures[rows],), loss_of, lesson(KEPT_STEPS + 3))
    assert all(torch.equal(value, kept[name]) for name, value in network.state_dict().items())


def test_slopes_that_never_come_back_are_told():
    network = small_network()

    def loss_of(batch):
        return network(batch[0]).float().square().mean() * float("nan")

    with pytest.raises(ArithmeticError, match="no numbers"):
        teach(
            "test", network, 8, lambda rows, _: (torch.rand(4, 24, 4, 4),), loss_of, lesson(MOST_RETURNS + 5)
        )


def test_a_slim_block_that_has_learned_nothing_new_keeps_what_it_is_given():
    block = Slim(8).eval()
    torch.nn.init.zeros_(block.back.weight)
    seen = torch.rand(1, 8, 5, 5)
    assert torch.equal(block(seen), seen)


def test_who_says_rightly_how_unsure_it_is_is_surprised_least():
    misses = torch.from_numpy(np.random.default_rng(2).laplace(0, 0.08, 20_000).astype(np.float32))
    said = torch.log(torch.tensor([0.02, 0.04, 0.08, 0.16, 0.32]))
    surprises = [float(surprise(misses, torch.full_like(misses, float(one))).mean()) for one in said]
    assert int(np.argmin(surprises)) == 2


def taught(steps: int, kept_in: Path, stop_at: int | None = None) -> torch.nn.Module:
    """Teach a small network with chance in its batches, and maybe pull the plug before a step."""
    pictures = torch.rand(16, 24, 4, 4, generator=torch.Generator().manual_seed(4))
    network, done = small_network(), 0

    def batch_of(rows, chance):
        nonlocal done
        done += 1
        if done == stop_at:
            raise KeyboardInterrupt
        return (pictures[rows] + torch.rand(4, 24, 4, 4, generator=chance),)

    with contextlib.suppress(KeyboardInterrupt):
        teach(
            "test",
            network,
            16,
            batch_of,
            lambda batch: network(batch[0]).float().square().mean(),
            lesson(steps),
            kept_in,
        )
    network.steps_done = done
    return network


def test_a_lesson_that_was_cut_off_goes_on_and_ends_as_if_it_had_not(tmp_path):
    steps = WRITTEN_STEPS + 30
    straight = taught(steps, tmp_path / "straight")
    taught(steps, tmp_path / "cut", stop_at=WRITTEN_STEPS + 20)
    again = taught(steps, tmp_path / "cut")
    assert again.steps_done == 30
    told = again.state_dict()
    assert all(torch.equal(value, told[name]) for name, value in straight.state_dict().items())


def test_a_lesson_that_was_done_is_not_learned_twice(tmp_path):
    once = taught(20, tmp_path / "kept")
    again = taught(20, tmp_path / "kept")
    assert again.steps_done == 0
    told = again.state_dict()
    assert all(torch.equal(value, told[name]) for name, value in once.state_dict().items())


@pytest.mark.parametrize("spoil", ["another lesson", "broken file"])
def test_what_was_kept_of_another_lesson_or_cannot_be_read_is_not_gone_on_from(tmp_path, capsys, spoil):
    taught(30, tmp_path / "kept")
    if spoil == "broken file":
        (tmp_path / "kept").write_bytes(b"no weights at all")
    steps = 30 if spoil == "broken file" else 20
    assert taught(steps, tmp_path / "kept").steps_done == steps
    assert "learning anew" in capsys.readouterr().err
