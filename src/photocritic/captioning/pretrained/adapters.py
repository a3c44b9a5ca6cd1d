"""Which weights of a pretrained captioner are trained: all, or low-rank changes to its matrices."""

from collections.abc import Callable
from typing import Any

from torch import nn

from photocritic.core.errors import ParamsError

_UNUSED = ".pooler."  # a summary of the image that no caption is made from: it would have no gradient


def adapt(model: Any, rank: int) -> Callable[[], None]:
    """Prepare a model for training.

    Parameters
    ----------
    model : transformers.PreTrainedModel
        It is changed in place.
    rank : int
        Of the change to each matrix; 0 trains all weights as they are.

    Returns
    -------
    callable
        To be called after the training: it leaves the model as it came, with the changes added to its weights.

    Raises
    ------
    ParamsError
        peft is not installed.

    References
    ----------
    Hu et al. 2022, LoRA: Low-Rank Adaptation of Large Language Models, section 4.1.
    """
    model.requires_grad_(True)
    merge = _lora(model, rank) if rank else _nothing
    for name, weight in model.named_parameters():
        if _UNUSED in name:
            weight.requires_grad_(False)
    return merge


def _lora(model: Any, rank: int) -> Callable[[], None]:
    try:
        from peft import LoraConfig, get_peft_model
    except ModuleNotFoundError:
        raise ParamsError(
            "lstm_train.options.lora needs peft; install it with '.venv/bin/python -m pip install peft'"
        ) from None
    # Twice the rank is the scale that peft's and most others' recipes take.
    adapted = get_peft_model(model, LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=_matrices(model)))

    def merge() -> None:
        adapted.merge_and_unload()

    return merge


def _matrices(model: Any) -> list[str]:
    """Name the linear layers, but for those that share their matrix with an embedding, which must not change apart."""
    from transformers.pytorch_utils import Conv1D

    shared = {id(module.weight) for module in model.modules() if isinstance(module, nn.Embedding)}
    return [
        name
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear | Conv1D) and id(module.weight) not in shared and _UNUSED not in f"{name}."
    ]


def _nothing() -> None:
    """Stand in where all weights were trained as they are."""
