"""A trained model on disk: safetensors for the numbers, JSON for what is needed to build it again."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from photocritic.core import declaration
from photocritic.core.errors import TrainingError
from photocritic.core.files import atomic_dir

WEIGHTS, CONFIG = "weights.safetensors", "config.json"


def save_weights(folder: Path, model: nn.Module, config: dict[str, Any]) -> None:
    """Write a model and its configuration; the folder appears whole or not at all.

    Parameters
    ----------
    folder : Path
        Where to write them; a folder that is there is replaced.
    model : nn.Module
        The model; its state is written from host memory, tensors that share storage each in full.
    config : dict
        All that is needed to build the model again, as JSON.
    """
    state = {name: value.detach().cpu().contiguous().clone() for name, value in model.state_dict().items()}
    with atomic_dir(folder) as temporary:
        save_file(state, temporary / WEIGHTS)
        text = json.dumps(config, indent=2, sort_keys=True, ensure_ascii=False)
        (temporary / CONFIG).write_text(text + "\n", encoding="utf-8")


def load_weights(folder: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Read what `save_weights` wrote.

    Parameters
    ----------
    folder : Path
        The model's folder.

    Returns
    -------
    (dict, dict of str to Tensor)
        The configuration and the model's state.

    Raises
    ------
    TrainingError
        The folder or a file in it is missing or damaged.
    """
    if declaration.VARIABLE in os.environ:  # a stage is running, which reads nothing but what dvc.yaml lists for it
        declaration.require_declared(folder)
    with _clear_errors(folder):
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        return config, load_file(folder / WEIGHTS)


@contextmanager
def _clear_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise TrainingError(f"{error.filename or folder}: no such file; run the stage that trains this model") from None
    except (SafetensorError, json.JSONDecodeError, UnicodeDecodeError, OSError) as error:
        raise TrainingError(f"{folder}: damaged model ({error}); run the stage that trains it again") from None
