"""Weights that others have trained: read from a file or downloaded, and checked against the model they are for."""

from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError

import torch
import torchvision
from safetensors.torch import load_file
from torch import Tensor, nn

from photocritic.core.errors import ParamsError

State = dict[str, Tensor]

_COUNTER = "num_batches_tracked"  # of batch normalisation: older files lack it, and nothing here reads it


@dataclass(frozen=True)
class Origin:
    """Where weights shall come from.

    Attributes
    ----------
    key : str
        The key of params.yaml that names the file, such as cnn_pretrain.weights.
    file : str
        The file, .safetensors or .pth; empty: the library's own download, or its cache.
    features : str
        The kind of features that needs them.
    """

    key: str
    file: str
    features: str

    def unavailable(self, library: str, name: str, reason: str) -> ParamsError:
        """Return the error that says why a download failed, and what to do."""
        return ParamsError(
            f"cnn_pretrain: {library}'s weights of {name} cannot be downloaded ({reason}); set {self.key} to a local "
            f".pth or .safetensors file, or drop {self.features} from cnn_pretrain.features"
        )


def read(origin: Origin) -> State:
    """Read a file of weights, names to tensors.

    Raises
    ------
    ParamsError
        There is no such file, or it holds something else.
    """
    file = Path(origin.file)
    try:
        if file.suffix == ".safetensors":
            return load_file(file)
        state = torch.load(file, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise ParamsError(f"{origin.key}: {file}: no such file") from None
    except Exception as error:
        raise ParamsError(f"{origin.key}: {file}: not a file of weights ({type(error).__name__})") from None
    if not isinstance(state, dict) or not all(isinstance(value, Tensor) for value in state.values()):
        raise ParamsError(f"{origin.key}: {file}: must hold a state dict, names to tensors")
    return state


def download(name: str, origin: Origin) -> State:
    """Download the best weights that torchvision has for a model, or take them from its cache.

    Raises
    ------
    ParamsError
        They cannot be had.
    """
    chosen = torchvision.models.get_model_weights(name)["DEFAULT"]
    try:
        return dict(chosen.get_state_dict(progress=False, check_hash=True, weights_only=True))
    except (URLError, OSError, RuntimeError) as error:
        raise origin.unavailable("torchvision", name, str(error)) from None


def fill(model: nn.Module, name: str, state: State, origin: Origin, spare: tuple[str, ...] = ()) -> None:
    """Load the weights of a state into a model.

    Parameters
    ----------
    model : nn.Module
        What to fill.
    name : str
        The model's name, for the message.
    state : dict of str to Tensor
        The weights; what the model does not know is passed over.
    origin : Origin
        Where they come from, for the message.
    spare : tuple of str
        What the names of tensors begin with that may be missing.

    Raises
    ------
    ParamsError
        Tensors are missing or of another shape.
    """
    own = model.state_dict()
    fitting = {key: value for key, value in state.items() if key in own and value.shape == own[key].shape}
    missing = sorted(key for key in own.keys() - fitting.keys() if not key.startswith(spare) and _COUNTER not in key)
    if missing:
        raise ParamsError(
            f"{origin.key}: {origin.file or 'the download'} is not a {name}: "
            f"{len(missing)} of its tensors are missing or of another shape, such as {missing[0]}"
        )
    model.load_state_dict(fitting, strict=False)
