"""The network that learns what people say about a photograph: a backbone, and one linear head a question."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

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
        Features are pooled into grid x grid cells.
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

    def __init__(self, config: NetworkConfig, backbone: nn.Sequential | None = None) -> None:
        super().__init__()
        self.config = config
        self.backbone = backbone if backbone is not None else backbones.build(config.backbone)
        channels = backbones.width(self.backbone)
        self.heads = nn.ModuleDict({name: nn.Linear(channels, size) for name, size in config.outputs.items()})
        self.register_buffer("mean", torch.zeros(channels))
        self.register_buffer("std", torch.ones(channels))
        self.to(memory_format=torch.channels_last)  # twice as fast on CPUs

    @property
    def width(self) -> int:
        """Numbers in an image's feature vector."""
        return len(self.mean) * self.config.grid**2

    def forward(self, images: Tensor) -> dict[str, Tensor]:
        """Give each head's logits, (B, outputs), for images (B, 3, S, S)."""
        pooled = self.backbone(images).mean(dim=(2, 3))
        return {name: head(pooled) for name, head in self.heads.items()}

    def describe(self, images: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        """Give raw features and each head's probabilities, as the mean of each image and its mirror image.

        Parameters
        ----------
        images : Tensor of float32, (B, 3, S, S)
            Normalised images.

        Returns
        -------
        (Tensor, dict of str to Tensor)
            Features (B, grid * grid, C), cells row by row; probabilities (B, outputs) by head.
        """
        one, two = self.backbone(images), self.backbone(images.flip(3))
        maps = (one + two.flip(3)) / 2
        cells = functional.adaptive_avg_pool2d(maps, self.config.grid)
        probabilities = {
            name: (head(one.mean(dim=(2, 3))).softmax(1) + head(two.mean(dim=(2, 3))).softmax(1)) / 2
            for name, head in self.heads.items()
        }
        return cells.flatten(2).transpose(1, 2), probabilities

    def standardise(self, raw: Tensor) -> Tensor:
        """Give features zero mean and unit variance over the training images, by channel.

        Pooled activations are never negative and share a large constant part, which would drive the gates of an LSTM
        and make all cosines alike; and the scale of an untrained network says nothing.

        Parameters
        ----------
        raw : Tensor of float32, (B, grid * grid, C)
            Features from `describe`.

        Returns
        -------
        Tensor of float32, (B, grid * grid * C)
            Flattened: cells row by row, channels within.
        """
        return ((raw - self.mean) / self.std.clamp(min=_FLOOR)).flatten(1)

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
