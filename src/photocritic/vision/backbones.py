"""Backbones: classification networks of torchvision, or of timm, by name and without their classifier."""

from pathlib import Path
from typing import Any
from urllib.error import URLError

import torch
import torchvision
from safetensors.torch import load_file
from torch import Tensor, nn

from photocritic.errors import ParamsError
from photocritic.vision import timm_models

_TIMM = "timm/"
_RESNET_PARTS = ("conv1", "bn1", "relu", "maxpool", "layer1", "layer2", "layer3", "layer4")


def build(name: str) -> nn.Sequential:
    """Build a backbone with fresh weights, drawn from torch's global generator.

    Parameters
    ----------
    name : str
        A torchvision classification model of the ResNet kind, or one whose convolutions are its `features`; after
        `timm/`, a convolutional one of timm, such as timm/inception_resnet_v2 (CC 4.3).

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
    model = _classifier(name)
    state = _read(Path(weights)) if weights else _download(name)
    own = model.state_dict()
    heads = {key for key in own if key.startswith(_head(name, model))}
    fitting = {key: value for key, value in state.items() if key in own and value.shape == own[key].shape}
    if missing := sorted(key for key in own if key not in fitting and key not in heads):
        raise ParamsError(
            f"cnn_pretrain.weights: {weights or 'the download'} is not a {name}: "
            f"{len(missing)} of its tensors are missing or of another shape, such as {missing[0]}"
        )
    model.load_state_dict(fitting, strict=False)
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


def _read(file: Path) -> dict[str, Tensor]:
    try:
        if file.suffix == ".safetensors":
            return load_file(file)
        state = torch.load(file, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise ParamsError(f"cnn_pretrain.weights: {file}: no such file") from None
    except Exception as error:
        raise ParamsError(f"cnn_pretrain.weights: {file}: not a file of weights ({type(error).__name__})") from None
    if not isinstance(state, dict) or not all(isinstance(value, Tensor) for value in state.values()):
        raise ParamsError(f"cnn_pretrain.weights: {file}: must hold a state dict, names to tensors")
    return state


def _download(name: str) -> dict[str, Tensor]:
    if name.startswith(_TIMM):
        return timm_models.download(name.removeprefix(_TIMM))
    chosen = torchvision.models.get_model_weights(name)["DEFAULT"]
    try:
        state: dict[str, Tensor] = dict(chosen.get_state_dict(progress=False, check_hash=True, weights_only=True))
    except (URLError, OSError, RuntimeError) as error:
        raise ParamsError(
            f"cnn_pretrain: torchvision's ImageNet weights of {name} cannot be downloaded ({error}); set "
            "cnn_pretrain.weights to a local .pth or .safetensors file, or drop imagenet from cnn_pretrain.features"
        ) from None
    return state
