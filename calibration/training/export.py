"""Writing trained networks as files that are read without PyTorch: ONNX for OpenCV, arrays for NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn


def export(network: nn.Module, example: torch.Tensor, path: Path) -> None:
    """Write a network; the first and the spatial sizes of its input stay open."""
    path.parent.mkdir(parents=True, exist_ok=True)
    network.to(memory_format=torch.contiguous_format).eval()
    open_sizes = (
        {0: "batch", 2: "height", 3: "width"} if example.shape[2] != example.shape[3] else {0: "batch"}
    )
    half = path.with_name(f".{path.name}")
    torch.onnx.export(
        network,
        (example,),
        str(half),
        input_names=["pictures"],
        output_names=["said"],
        dynamic_axes={"pictures": open_sizes, "said": {0: "batch"}},
        opset_version=13,
        dynamo=False,
    )
    half.replace(path)


def export_arrays(network: nn.Module, path: Path) -> None:
    """Write the weights of a network by their names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}")
    with half.open("wb") as file:
        np.savez_compressed(file, **{name: value.numpy() for name, value in network.state_dict().items()})
    half.replace(path)
