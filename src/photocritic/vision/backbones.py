"""Backbones: classification networks of torchvision, or of timm, by name and without their classifier."""

from typing import Any

import torch
import torchvision
from torch import Tensor, nn

from photocritic.core.errors import ParamsError
from photocritic.vision import pretrained, timm_models

_TIMM = "timm/"
_RESNET_PARTS = ("conv1", "bn1", "relu", "maxpool", "layer1", "layer2", "layer3", "layer4")


def build(name: str) -> nn.Sequential:
    """Build a backbone with fresh weights, drawn from torch's global generator.

    Parameters
    ----------
    name : str
        A torchvision classification model of the ResNet kind, or one whose convolutions are its `features`; after
        `timm/`, a convolutional one of timm, such as timm/inception_resnet_v2 (CC 4.3), with or without the revision
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
        As in `build`.
    weights : str
        A file of the whole classifier's or the backbone's state in the library's names, .safetensors or .pth; when
        empty, the library downloads its own or takes them from its cache.

    Returns
    -------
    nn.Sequential
        As from `build`.

    Raises
    ------
    ParamsError
        The weights cannot be had, or are another model's.
    """
    origin = pretrained.Origin("cnn_pretrain.weights", weights, "imagenet")
    model = _classifier(name)
    pretrained.fill(model, name, _state(name, origin), origin, spare=_head(name, model))
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
        return timm_models.classifier(name.removeprefix(_TIMM))
    if name not in torchvision.models.list_models(module=torchvision.models):
        raise ParamsError(f"cnn_pretrain.backbone: torchvision has no model '{name}'; resnet18 and resnet101 are two")
    options: dict[str, Any] = {"init_weights": True} if name in ("googlenet", "inception_v3") else {}
    model: nn.Module = torchvision.models.get_model(name, weights=None, **options)
    return model


def _head(name: str, model: nn.Module) -> tuple[str, ...]:
    return (timm_models.head(model),) if name.startswith(_TIMM) else ("fc.", "classifier.")


def _trunk(name: str, model: nn.Module) -> nn.Sequential:
    if name.startswith(_TIMM):
        return timm_models.trunk(name.removeprefix(_TIMM), model)
    if all(hasattr(model, part) for part in _RESNET_PARTS):
        return nn.Sequential(*(getattr(model, part) for part in _RESNET_PARTS))
    if isinstance(features := getattr(model, "features", None), nn.Sequential):
        return features
    raise ParamsError(f"cnn_pretrain.backbone: '{name}' is not a plain convolutional network; take a resnet")


def _state(name: str, origin: pretrained.Origin) -> pretrained.State:
    if origin.file:
        return pretrained.read(origin)
    if name.startswith(_TIMM):
        return timm_models.download(name.removeprefix(_TIMM), origin)
    return pretrained.download(name, origin)
