"""Backbones: classification networks of torchvision, or of timm, by name and without their classifier."""

from dataclasses import replace
from typing import Any

import torch
import torchvision
from torch import Tensor, nn

from photocritic.core.errors import ParamsError
from photocritic.core.pretrained_name import PretrainedName, split_hub_name, warn_unless_pinned
from photocritic.vision import pretrained_weights
from photocritic.vision.description import MEAN, STD
from photocritic.vision.pretrained_weights import Origin, State

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
        return _timm_classifier(name.removeprefix(_TIMM))
    if name not in torchvision.models.list_models(module=torchvision.models):
        raise ParamsError(f"cnn_pretrain.backbone: torchvision has no model '{name}'; resnet18 and resnet101 are two")
    options: dict[str, Any] = {"init_weights": True} if name in ("googlenet", "inception_v3") else {}
    model: nn.Module = torchvision.models.get_model(name, weights=None, **options)
    return model


def _head(name: str, model: nn.Module) -> tuple[str, ...]:
    return (_timm_head(model),) if name.startswith(_TIMM) else ("fc.", "classifier.")


def _trunk(name: str, model: nn.Module) -> nn.Sequential:
    if name.startswith(_TIMM):
        return _timm_trunk(name.removeprefix(_TIMM), model)
    if all(hasattr(model, part) for part in _RESNET_PARTS):
        return nn.Sequential(*(getattr(model, part) for part in _RESNET_PARTS))
    if isinstance(features := getattr(model, "features", None), nn.Sequential):
        return features
    raise ParamsError(f"cnn_pretrain.backbone: '{name}' is not a plain convolutional network; take a resnet")


def _state(name: str, origin: Origin) -> State:
    if origin.file:
        return pretrained_weights.read(origin)
    if name.startswith(_TIMM):
        return _timm_download(name.removeprefix(_TIMM), origin)
    return pretrained_weights.download(name, origin)


class Renormalise(nn.Module):
    """Turns images normalised by ImageNet's statistics into what a network was trained on.

    Parameters
    ----------
    mean, std : sequence of float, (3,)
        The network's own statistics, in [0, 1].
    """

    scale: Tensor
    offset: Tensor

    def __init__(self, mean: tuple[float, ...], std: tuple[float, ...]) -> None:
        super().__init__()
        ours, theirs = (torch.tensor(values).reshape(3, 1, 1) for values in (STD, std))
        shift = torch.tensor(MEAN).reshape(3, 1, 1) - torch.tensor(mean).reshape(3, 1, 1)
        self.register_buffer("scale", ours / theirs, persistent=False)
        self.register_buffer("offset", shift / theirs, persistent=False)

    def forward(self, images: Tensor) -> Tensor:
        """Return images (B, 3, S, S) by the network's statistics."""
        return images * self.scale + self.offset


def _timm_classifier(name: str) -> nn.Module:
    """Build a whole classifier with fresh weights; its name is timm's, a revision of the weights is passed over."""
    timm, name = _timm(name), _split(name).name
    if not timm.is_model(name):
        raise ParamsError(f"cnn_pretrain.backbone: timm has no model '{name}'; timm/inception_resnet_v2 is one it has")
    model: nn.Module = timm.create_model(name, pretrained=False)
    return model


def _timm_trunk(name: str, model: Any) -> nn.Sequential:
    """Take a classifier's head off; what is left computes maps (B, C, s, s).

    Raises
    ------
    ParamsError
        It computes no maps, as transformers do not.
    """
    given = model.pretrained_cfg
    model.reset_classifier(0, "")
    backbone = nn.Sequential(Renormalise(given["mean"], given["std"]), model)
    with torch.no_grad():
        try:
            maps = backbone.eval()(torch.zeros(1, 3, 96, 96))
        except (RuntimeError, AssertionError):  # one that takes images of its own size alone
            maps = torch.zeros(0)
    if maps.ndim != 4 or maps.shape[1] != model.num_features:
        raise ParamsError(f"cnn_pretrain.backbone: 'timm/{name}' is not convolutional; take timm/inception_resnet_v2")
    return backbone.train()


def _timm_head(model: Any) -> str:
    """Return the prefix of the classifier's names in its state."""
    return f"{model.pretrained_cfg['classifier']}."


def _timm_download(name: str, origin: Origin) -> State:
    """Download ImageNet weights, or take them from timm's cache.

    Parameters
    ----------
    name : str
        Of timm, such as NAME@REVISION.
    origin : Origin
        For the message.

    Raises
    ------
    ParamsError
        They cannot be had, or a revision is asked of weights that are not on the hub.
    """
    timm, chosen = _timm(name), _split(name)
    warn_unless_pinned(replace(chosen, name=f"timm/{chosen.name}"), "cnn_pretrain.backbone")
    place = _place(timm, chosen) if chosen.revision else None
    try:
        state: State = timm.create_model(chosen.name, pretrained=True, pretrained_cfg_overlay=place).state_dict()
    except Exception as error:  # whatever the hub's client and its network library raise
        raise origin.unavailable("timm", name, _brief(error)) from None
    return state


def _split(name: str) -> PretrainedName:
    try:
        return split_hub_name(name)
    except ValueError as error:
        raise ParamsError(f"cnn_pretrain.backbone: {error}") from None


def _place(timm: Any, chosen: PretrainedName) -> dict[str, str]:
    """Return the setting by which timm takes a revision of the weights from the hub."""
    repository = timm.get_pretrained_cfg(chosen.name).hf_hub_id
    if not repository:
        raise ParamsError(
            f"cnn_pretrain.backbone: timm/{chosen.name} has no weights on the hub; write it without @{chosen.revision}"
        )
    return {"hf_hub_id": f"{repository}@{chosen.revision}"}


def _timm(name: str) -> Any:
    try:
        import timm
    except ModuleNotFoundError:
        raise ParamsError(
            f"cnn_pretrain.backbone: timm/{name} needs timm; install it with '.venv/bin/python -m pip install timm'"
        ) from None
    return timm


def _brief(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
