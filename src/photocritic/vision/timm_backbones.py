"""Backbones of timm, which has networks that torchvision lacks; it is imported when one is asked for."""

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from photocritic.core.errors import ParamsError
from photocritic.core.pretrained_name import PretrainedName, split_hub_name, warn_unless_pinned
from photocritic.vision.description import MEAN, STD
from photocritic.vision.pretrained_weights import Origin, State


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


def classifier(name: str) -> nn.Module:
    """Build a whole classifier with fresh weights; its name is timm's, a revision of the weights is passed over."""
    timm, name = _timm(name), _split(name).name
    if not timm.is_model(name):
        raise ParamsError(f"cnn_pretrain.backbone: timm has no model '{name}'; timm/inception_resnet_v2 is one it has")
    model: nn.Module = timm.create_model(name, pretrained=False)
    return model


def trunk(name: str, model: Any) -> nn.Sequential:
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


def head(model: Any) -> str:
    """Return the prefix of the classifier's names in its state."""
    return f"{model.pretrained_cfg['classifier']}."


def download(name: str, origin: Origin) -> State:
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
