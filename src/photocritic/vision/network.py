"""The network that is trained on what people write about photographs: a backbone, and linear heads."""

from dataclasses import dataclass
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from photocritic.vision import backbones
from photocritic.vision.description import Describer, Description


@dataclass(frozen=True)
class NetworkConfig:
    """All that is needed to build a network again.

    Attributes
    ----------
    feature : str
        Which kind of supervision it had: weak, labels, imagenet or random.
    backbone : str
        torchvision's name.
    image_size : int
        Side in pixels of the crops in training, and of the whole square that features are taken from.
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
    grid: int
    outputs: dict[str, int]
    labels: list[str]


class Network(Describer):
    """A backbone with pooled features and linear heads.

    Parameters
    ----------
    config : NetworkConfig
        What to build.
    backbone : nn.Sequential, optional
        The backbone, where it has weights already.
    """

    config: NetworkConfig

    def __init__(self, config: NetworkConfig, backbone: nn.Sequential | None = None) -> None:
        backbone = backbone if backbone is not None else backbones.build(config.backbone)
        channels = backbones.width(backbone)
        super().__init__(config, channels)
        self.backbone = backbone
        self.heads = nn.ModuleDict({name: nn.Linear(channels, size) for name, size in config.outputs.items()})
        self.to(memory_format=torch.channels_last)  # twice as fast on CPUs

    @classmethod
    def build(cls, config: dict[str, Any]) -> Self:
        """Build a network with fresh weights from its configuration as `save` wrote it."""
        return cls(NetworkConfig(**config))

    @property
    def cells(self) -> int:
        """Cells R of an image's grid; 0 where there is none."""
        return self.config.grid**2 if self.config.grid > 1 else 0

    @property
    def topics(self) -> int:
        """Topics whose probabilities it gives, K; 0 where it has learned none."""
        return self.config.outputs.get("topics", 0)

    def forward(self, images: Tensor) -> dict[str, Tensor]:
        """Compute each head's logits, (B, outputs), for images (B, 3, S, S)."""
        pooled = self.backbone(images).mean(dim=(2, 3))
        return {name: head(pooled) for name, head in self.heads.items()}

    def describe(self, images: Tensor) -> Description:
        """Compute raw features and each head's probabilities, as the mean of each image and its mirror image.

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
