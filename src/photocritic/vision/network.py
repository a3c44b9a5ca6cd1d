"""The network that learns what people say about a photograph: a backbone, and one linear head a question."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from photocritic.errors import TrainingError
from photocritic.training.weights import load_weights, save_weights
from photocritic.vision import backbones

_FLOOR = 1e-4  # a feature that hardly varies over the training images is not blown up into noise


@dataclass(frozen=True)
class NetworkConfig:
    """All that is needed to build a network again.

    Attributes
    ----------
    feature : str
        Which kind of supervision it had: weak, labels, imagenet or random.
    backbone : str
        torchvision's name.
    image_size, eval_size : int
        Side of the crops in training, and of the whole square that features are taken from, in pixels.
    grid : int
        Beside the pooled vector features are given on grid x grid cells; 1: on none.
    outputs : dict of str to int
        Heads and their number of outputs: topics (with or without words), labels, or none.
    labels : list of str
        What the outputs of the head `labels` stand for.
    """

    feature: str
    backbone: str
    image_size: int
    eval_size: int
    grid: int
    outputs: dict[str, int]
    labels: list[str]


class Description(NamedTuple):
    """What a network sees in a batch of images.

    Attributes
    ----------
    pooled : Tensor of float32, (B, C)
        A vector an image.
    grid : Tensor of float32, (B, R, C)
        A vector a cell, row by row; R is 0 where no grid is made.
    probabilities : dict of str to Tensor, (B, outputs)
        By head.
    """

    pooled: Tensor
    grid: Tensor
    probabilities: dict[str, Tensor]


class Network(nn.Module):
    """A backbone with pooled features and linear heads.

    Parameters
    ----------
    config : NetworkConfig
        What to build.
    backbone : nn.Sequential, optional
        The backbone, where it has weights already.
    """

    mean: Tensor
    std: Tensor
    cell_mean: Tensor
    cell_std: Tensor

    def __init__(self, config: NetworkConfig, backbone: nn.Sequential | None = None) -> None:
        super().__init__()
        self.config = config
        self.backbone = backbone if backbone is not None else backbones.build(config.backbone)
        channels = backbones.width(self.backbone)
        self.heads = nn.ModuleDict({name: nn.Linear(channels, size) for name, size in config.outputs.items()})
        for name in ("mean", "cell_mean"):
            self.register_buffer(name, torch.zeros(channels))
        for name in ("std", "cell_std"):
            self.register_buffer(name, torch.ones(channels))
        self.to(memory_format=torch.channels_last)  # twice as fast on CPUs

    @property
    def width(self) -> int:
        """Numbers C in an image's pooled vector, and in each cell of its grid."""
        return len(self.mean)

    @property
    def cells(self) -> int:
        """Cells R of an image's grid; 0 where there is none."""
        return self.config.grid**2 if self.config.grid > 1 else 0

    def forward(self, images: Tensor) -> dict[str, Tensor]:
        """Give each head's logits, (B, outputs), for images (B, 3, S, S)."""
        pooled = self.backbone(images).mean(dim=(2, 3))
        return {name: head(pooled) for name, head in self.heads.items()}

    def describe(self, images: Tensor) -> "Description":
        """Give raw features and each head's probabilities, as the mean of each image and its mirror image.

        Parameters
        ----------
        images : Tensor of float32, (B, 3, S, S)
            Normalised images.

        Returns
        -------
        Description
            Pooled vectors, grids and the heads' probabilities.
        """
        one, two = self.backbone(images), self.backbone(images.flip(3))
        maps = (one + two.flip(3)) / 2
        grid = functional.adaptive_avg_pool2d(maps, self.config.grid).flatten(2).transpose(1, 2)
        probabilities = {
            name: (head(one.mean(dim=(2, 3))).softmax(1) + head(two.mean(dim=(2, 3))).softmax(1)) / 2
            for name, head in self.heads.items()
        }
        return Description(maps.mean(dim=(2, 3)), grid[:, : self.cells], probabilities)

    def standardise(self, raw: "Description") -> "Description":
        """Give features zero mean and unit variance over the training images, by channel.

        Pooled activations are never negative and share a large constant part, which would drive the gates of an LSTM
        and make all cosines alike; and the scale of an untrained network says nothing.

        Parameters
        ----------
        raw : Description
            From `describe`.

        Returns
        -------
        Description
            Pooled vectors and cells each by their own statistics; the probabilities as they were.
        """
        pooled = (raw.pooled - self.mean) / self.std.clamp(min=_FLOOR)
        grid = (raw.grid - self.cell_mean) / self.cell_std.clamp(min=_FLOOR)
        return Description(pooled, grid, raw.probabilities)

    def save(self, folder: Path) -> None:
        """Write weights and configuration."""
        save_weights(folder, self, asdict(self.config))

    @classmethod
    def load(cls, folder: Path) -> "Network":
        """Read what `save` wrote.

        Raises
        ------
        TrainingError
            The folder is missing, damaged, or holds another kind of model.
        """
        config, state = load_weights(folder)
        try:
            network = cls(NetworkConfig(**_known(config)))
            network.load_state_dict(state)
        except (TypeError, RuntimeError) as error:
            raise TrainingError(f"{folder}: not a network of photocritic ({' '.join(str(error).split())})") from None
        return network


def _known(config: Any) -> dict[str, Any]:
    if not isinstance(config, dict):
        raise TypeError("its configuration is not an object")
    return config
