"""Going on with a network that was written for the scanner: it is read back, ready to learn more.

What is written has no norms any more: they are folded into the convolutions before them. So every norm is
told what is usual of its input, and to change nothing about it; from there on it learns as any other does.

What it knew and what it has learned since are then averaged, weight by weight: of two networks of which one
went on from the other, the one in between has learned most of the new and forgotten least of the old.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


def read_back(network: nn.Module, file: Path, pictures: Tensor) -> None:
    """Give a network the weights of an ONNX file that was exported from one like it.

    Args:
        pictures: shape (B, 3, H, W), as it will see them: they tell its norms what is usual.

    Raises:
        ValueError: the file is of another network.
    """
    graph = onnx.load(str(file)).graph
    told = {array.name: torch.from_numpy(numpy_helper.to_array(array).copy()) for array in graph.initializer}
    known = network.state_dict()
    folded = [
        [told[name] for name in node.input[1:]]
        for node in graph.node
        if node.op_type == "Conv" and node.input[1] not in known
    ]
    # A norm after a sum has no convolution to be folded into: it kept its name, as did what has no norm.
    unnamed = [layer for name, layer in network.named_modules() if f"{name}.weight" not in told]
    kernels = [layer for layer in unnamed if isinstance(layer, nn.Conv2d)]
    norms = [layer for layer in unnamed if isinstance(layer, nn.BatchNorm2d)]
    if not len(folded) == len(kernels) == len(norms):
        raise ValueError(f"{file}: {len(folded)} convolutions, expected {len(kernels)} with a norm each")
    named = {name: weight for name, weight in told.items() if name in known}
    rest = network.load_state_dict(named, strict=False)
    unread = {name.split(".")[0] for name in rest.missing_keys} - {"body"}
    if unread:
        raise ValueError(f"{file}: nothing is told of {', '.join(sorted(unread))}")
    with torch.no_grad():
        for kernel, norm, (weight, bias) in zip(kernels, norms, folded, strict=True):
            if kernel.weight.shape != weight.shape:
                shapes = f"{tuple(weight.shape)}, expected {tuple(kernel.weight.shape)}"
                raise ValueError(f"{file}: a convolution of {shapes}")
            kernel.weight.copy_(weight)
            norm.running_mean, norm.running_var = torch.zeros_like(bias), torch.ones_like(bias) - norm.eps
            norm.weight.fill_(1.0)
            norm.bias.copy_(bias)
        _tell_usual(network, norms, pictures)


def read_arrays(network: nn.Module, file: Path) -> None:
    """Give a network the weights that were written by their names."""
    with np.load(file) as stored:
        network.load_state_dict({name: torch.from_numpy(stored[name]) for name in stored.files})


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """Judge and council as they were written into a folder."""

    judge: onnx.ModelProto
    council: dict[str, np.ndarray]

    @classmethod
    def read(cls, folder: Path) -> Written:
        """Read both."""
        with np.load(folder / "council.npz") as stored:
            council = {name: stored[name] for name in stored.files}
        return cls(onnx.load(str(folder / "judge.onnx")), council)

    def average_into(self, folder: Path) -> None:
        """Move those in a folder, which went on from these, halfway back."""
        now = Written.read(folder)
        for array, before in zip(now.judge.graph.initializer, self.judge.graph.initializer, strict=True):
            if array.name != before.name:
                raise ValueError(f"{folder}: this judge did not go on from the other")
            mean = (numpy_helper.to_array(array) + numpy_helper.to_array(before)) / 2
            array.CopyFrom(numpy_helper.from_array(mean.astype(np.float32), array.name))
        means = {name: (weight + self.council[name]) / 2 for name, weight in now.council.items()}
        stored = BytesIO()
        np.savez_compressed(stored, **means)
        _replace(folder / "judge.onnx", now.judge.SerializeToString())
        _replace(folder / "council.npz", stored.getvalue())


def _replace(file: Path, content: bytes) -> None:
    half = file.with_name(f".{file.name}")
    half.write_bytes(content)
    half.replace(file)


def _tell_usual(network: nn.Module, norms: list[nn.BatchNorm2d], pictures: Tensor) -> None:
    """Tell norms mean and spread of what comes in, without changing what comes out."""

    def tell(norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        mean, spread = inputs[0].mean(dim=(0, 2, 3)), inputs[0].var(dim=(0, 2, 3))
        norm.running_mean, norm.running_var = mean, spread
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias.add_(mean)

    hooks = [norm.register_forward_pre_hook(tell) for norm in norms]
    network.eval()
    network(pictures)
    for hook in hooks:
        hook.remove()
