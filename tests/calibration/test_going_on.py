"""Networks that were written for the scanner are read back and go on learning. Only where PyTorch is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is only installed to teach networks")

from calibration.training.export import export, export_arrays  # noqa: E402
from calibration.training.going_on import Written, read_arrays, read_back  # noqa: E402
from calibration.training.networks import Council, Judge, Spotter  # noqa: E402
from vision.networks import Network  # noqa: E402

WEIGHTS = Path("vision/weights")


def patches(count: int) -> np.ndarray:
    """Return smooth coloured patches: noise is nothing that networks were taught."""
    rng = np.random.default_rng(4)
    coarse = torch.from_numpy(rng.random((count, 3, 6, 6), np.float32))
    smooth = torch.nn.functional.interpolate(coarse, size=(48, 48), mode="bicubic").clamp(0, 1)
    return (smooth.permute(0, 2, 3, 1).numpy() * 255).round().astype(np.uint8)


def as_seen(pictures: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255


def test_a_judge_that_was_read_back_says_what_the_scanner_hears():
    pictures = patches(64)
    judge = Judge()

    read_back(judge, WEIGHTS / "judge.onnx", as_seen(pictures))

    judge.eval()
    with torch.no_grad():
        said = judge(as_seen(pictures[:20])).numpy()
    assert said == pytest.approx(Network("judge")(pictures[:20]), abs=2e-3)


def test_a_spotter_that_was_read_back_sees_what_the_scanner_sees():
    """Its last norm follows a sum, and is folded into nothing."""
    pictures = patches(8)
    spotter = Spotter()

    read_back(spotter, WEIGHTS / "spotter.onnx", as_seen(pictures))

    spotter.eval()
    with torch.no_grad():
        said = spotter(as_seen(pictures)).numpy()
    assert said == pytest.approx(Network("spotter")(pictures), abs=2e-3)


def test_while_it_learns_it_says_about_the_same():
    """Norms then go by the batch: without knowing what is usual, nothing that was learned would be left."""
    pictures = as_seen(patches(256))
    judge = Judge()
    read_back(judge, WEIGHTS / "judge.onnx", pictures)

    with torch.no_grad():
        known = judge.eval()(pictures)[:, :15]
        learning = judge.train()(pictures)[:, :15]

    assert (known.argmax(dim=1) == learning.argmax(dim=1)).float().mean() > 0.95


def test_a_council_is_read_back():
    council = Council()

    read_arrays(council, WEIGHTS / "council.npz")

    with np.load(WEIGHTS / "council.npz") as stored:
        read = council.state_dict()
        assert all(np.array_equal(read[name].numpy(), stored[name]) for name in stored.files)


def test_the_file_of_another_network_is_refused():
    with pytest.raises(ValueError, match="expected"):
        read_back(Judge(), WEIGHTS / "spotter.onnx", as_seen(patches(2)))
    with pytest.raises(ValueError, match="expected"):
        read_back(Judge((32, 64, 96)), WEIGHTS / "judge.onnx", as_seen(patches(2)))
    with pytest.raises(ValueError, match="expected"):
        read_back(Spotter(), WEIGHTS / "judge.onnx", as_seen(patches(2)))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_was_learned_is_averaged_with_what_was_known(tmp_path):
    before, after = tmp_path / "before", tmp_path / "after"
    networks = []
    for folder, seed in ((before, 1), (after, 2)):
        torch.manual_seed(seed)
        networks.append((Judge(), Council()))
        # Norms that have learned nothing are all alike, and written only once.
        for weight in networks[-1][0].parameters():
            weight.data.add_(0.01 * torch.randn_like(weight))
        export(networks[-1][0], torch.zeros(2, 3, 48, 48), folder / "judge.onnx")
        export_arrays(networks[-1][1], folder / "council.npz")

    Written.read(before).average_into(after)

    judge, council = Judge(), Council()
    read_back(judge, after / "judge.onnx", as_seen(patches(8)))
    read_arrays(council, after / "council.npz")
    for averaged, *both in zip((judge, council), *networks, strict=True):
        mean = torch.stack([one.state_dict()[NAMES[type(averaged)]] for one in both]).mean(dim=0)
        assert torch.allclose(averaged.state_dict()[NAMES[type(averaged)]], mean, atol=1e-6)


# Weights that no norm is folded into.
NAMES = {Judge: "classes.weight", Council: "rounds.1.tells.weight"}
