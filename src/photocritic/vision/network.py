"""The network that is trained on what people write about photographs: a backbone, and linear heads."""

from dataclasses import dataclass
from typing import Any, Self

import torch
import torchvision
from torch import Tensor, nn
from torch.nn import functional

from photocritic.core.errors import ParamsError
from photocritic.vision import pretrained_weights, timm_backbones
from photocritic.vision.description import Describer, Description
from photocritic.vision.pretrained_weights import Origin, State

_TIMM = "timm/"
_RESNET_PARTS = ("conv1", "bn1", "relu", "maxpool", "layer1", "layer2", "layer3", "layer4")


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
        Heads and their number of outputs: topics, words or both, labels, or none.
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
        backbone = backbone if backbone is not None else build_backbone(config.backbone)
        channels = width(backbone)
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
        pooled = self.pool(images)
        return {name: head(pooled) for name, head in self.heads.items()}

    def pool(self, images: Tensor) -> Tensor:
        """Compute pooled vectors, (B, C), of images (B, 3, S, S) as they are."""
        pooled: Tensor = self.backbone(images).mean(dim=(2, 3))
        return pooled

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


def build_backbone(name: str) -> nn.Sequential:
    """Build a backbone with fresh weights, drawn from torch's global generator.

    Parameters
    ----------
    name : str
        A torchvision classification model of the ResNet kind, or one whose convolutions are its `features`; after
        `timm/`, a convolutional one of timm, such as timm/inception_resnet_v2 (CC 4), with or without the revision
        of its weights (@REVISION).

    Returns
    -------
    nn.Sequential
        From images (B, 3, S, S) to maps (B, C, s, s).

    Raises
    ------
    ParamsError
        There is no such model, it is not convolutional, or timm is not installed.
    """
    return _trunk(name, _classifier(name))


def load_imagenet(name: str, weights: str) -> nn.Sequential:
    """Build a backbone with ImageNet weights.

    Parameters
    ----------
    name : str
        As in `build_backbone`.
    weights : str
        A file of the whole classifier's or the backbone's state in the library's names, .safetensors or .pth; when
        empty, the library downloads its own or takes them from its cache.

    Returns
    -------
    nn.Sequential
        As from `build_backbone`.

    Raises
    ------
    ParamsError
        The weights cannot be had, or are another model's.
    """
    origin = Origin("cnn_pretrain.weights", weights, "imagenet")
    model = _classifier(name)
    pretrained_weights.fill(model, name, _state(name, origin), origin, spare=_head(name, model))
    return _trunk(name, model)


def width(backbone: nn.Sequential) -> int:
    """Count the channels that a backbone gives."""
    training = backbone.training
    with torch.no_grad():
        maps: Tensor = backbone.eval()(torch.zeros(1, 3, 96, 96))
    backbone.train(training)
    return maps.shape[1]


def _classifier(name: str) -> nn.Module:
    if name.startswith(_TIMM):
        return timm_backbones.classifier(name.removeprefix(_TIMM))
    if name not in torchvision.models.list_models(module=torchvision.models):
        raise ParamsError(f"cnn_pretrain.backbone: torchvision has no model '{name}'; resnet18 and resnet101 are two")
    options: dict[str, Any] = {"init_weights": True} if name in ("googlenet", "inception_v3") else {}
    model: nn.Module = torchvision.models.get_model(name, weights=None, **options)
    return model


def _head(name: str, model: nn.Module) -> tuple[str, ...]:
    return (timm_backbones.head(model),) if name.startswith(_TIMM) else ("fc.", "classifier.")


def _trunk(name: str, model: nn.Module) -> nn.Sequential:
    if name.startswith(_TIMM):
        return timm_backbones.trunk(name.removeprefix(_TIMM), model)
    if all(hasattr(model, part) for part in _RESNET_PARTS):
        return nn.Sequential(*(getattr(model, part) for part in _RESNET_PARTS))
    if isinstance(features := getattr(model, "features", None), nn.Sequential):
        return features
    raise ParamsError(f"cnn_pretrain.backbone: '{name}' is not a plain convolutional network; take a resnet")


def _state(name: str, origin: Origin) -> State:
    if origin.file:
        return pretrained_weights.read(origin)
    if name.startswith(_TIMM):
        return timm_backbones.download(name.removeprefix(_TIMM), origin)
    return pretrained_weights.download(name, origin)
