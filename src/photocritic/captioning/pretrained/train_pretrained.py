"""Fine-tuning a pretrained captioner on a variant's captions: all its weights, or low-rank changes to its matrices."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from photocritic.captioning.caption_dataset import Integers
from photocritic.captioning.caption_loading import training_images
from photocritic.captioning.captioner_recipe import captioner_plan, captioner_recipe, training_outcome
from photocritic.captioning.objective import MIN_LOSS, batches_by_length, likelihood_measures, summed_cross_entropy
from photocritic.captioning.photographs import pixel_files, stored_pixels
from photocritic.captioning.pretrained.parts import Parts, read
from photocritic.captioning.pretrained.tokenized import IGNORED, TokenizedCaptions, TokenizedDataset, read_tokenized
from photocritic.captioning.pretrained.transformers_predictor import TransformersPredictor
from photocritic.config import LstmTrainParams, PretrainedOptions, Variant
from photocritic.core import files
from photocritic.core.environment import is_first_worker
from photocritic.core.errors import ParamsError
from photocritic.core.outcome import Outcome
from photocritic.images.decoding import Pixels
from photocritic.training import recipe
from photocritic.training.loop import OnEpoch, clear
from photocritic.training.recipe import Position, Task, TrainingRun

log = logging.getLogger(__name__)

_UNUSED = ".pooler."  # a summary of the image that no caption is made from: it would have no gradient


def train(
    name: str,
    variant: Variant,
    captions: Path,
    images: Path,
    shards: Path,
    out: Path,
    params: LstmTrainParams,
    seed: int,
    checkpoint: Path,
    on_epoch: OnEpoch | None = None,
) -> Outcome:
    """Fine-tune a pretrained captioner on a variant's captions.

    Parameters
    ----------
    name, variant, captions, images, out, seed, checkpoint, on_epoch
        As in `photocritic.captioning.train`.
    shards : Path
        The folder of the shards that hold the photographs.
    params : LstmTrainParams
        The course of the training; its options name the weights, and the rank of what is trained of them.

    Returns
    -------
    Outcome
        As of `photocritic.captioning.train`, without `unknown_share`; `trained_share` is that of the weights.

    Raises
    ------
    ParamsError
        The weights cannot be loaded.
    TrainingError
        No caption is left to learn from, or training diverged.
    """
    options = PretrainedOptions.model_validate(params.options)
    parts = read(options.weights)
    torch.manual_seed(seed)
    merge = adapt(parts.model, options.lora)
    known = training_images(images)
    tokens = parts.special_tokens
    dataset = read_tokenized(
        captions,
        known,
        variant.captions,
        params.max_length,
        parts.tokenizer,
        tokens,
        params.punctuation,
        variant.aspect,
    )
    log.info("lstm_train %s: %d captions, a %s", name, len(dataset.train), parts.model.config.model_type)
    share = _trained_share(parts.model)
    file, identity = pixel_files(checkpoint)
    pixels = stored_pixels(images, known.ids.to_pylist(), shards, parts.side, file)
    learned = (params.model_dump_json(), variant.captions, variant.aspect or "")
    key = "|".join([*learned, *map(files.sha256, (captions, images))])
    plan = captioner_plan(f"lstm_train {name}", params, seed, params.epochs, params.batch_size)
    run = TrainingRun(seed, checkpoint, key, on_epoch)
    task = _task(parts, dataset, pixels, params)
    history = recipe.train(parts.teacher_forcing, task, captioner_recipe(plan, params), run)
    if not is_first_worker():
        return Outcome()
    merge()
    TransformersPredictor(parts).save(out)
    for scratch in (checkpoint, file, identity):
        clear(scratch)
    return training_outcome(name, _counts(dataset, parts) | {"trained_share": share}, history)


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
        To be called after the training: it adds the changes to the model's weights.

    Raises
    ------
    ParamsError
        peft is not installed.

    References
    ----------
    Hu et al. 2022, LoRA: Low-Rank Adaptation of Large Language Models, section 4.1.
    """
    model.requires_grad_(True)
    merge = _lora(model, rank) if rank else lambda: None
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
    """Return the names of the linear layers whose matrix is no embedding's too: the two must not change apart."""
    from transformers.pytorch_utils import Conv1D

    shared = {id(module.weight) for module in model.modules() if isinstance(module, nn.Embedding)}
    return [
        name
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear | Conv1D) and id(module.weight) not in shared and _UNUSED not in f"{name}."
    ]


def _task(parts: Parts, dataset: TokenizedDataset, pixels: Pixels, params: LstmTrainParams) -> Task:
    def summed(model: nn.Module, captions: TokenizedCaptions, rows: Integers, label_smoothing: float) -> Tensor:
        device = next(model.parameters()).device
        values = parts.pixel_values(pixels[captions.images[rows]], device)
        tokens, mask, targets = (torch.from_numpy(part).to(device) for part in captions.batch(rows))
        return summed_cross_entropy(model(values, tokens, mask).float(), targets, label_smoothing, IGNORED)

    def loss(model: nn.Module, rows: Integers, _: Position) -> Tensor:
        total = summed(model, dataset.train, rows, params.label_smoothing)
        return total / int(dataset.train.lengths_of(rows).sum())

    def validate(model: nn.Module) -> dict[str, float]:
        batches = batches_by_length(np.diff(dataset.val.offsets), params.batch_size)
        total = sum(float(summed(model, dataset.val, rows, 0.0)) for rows in batches)
        return likelihood_measures(total / int(dataset.val.offsets[-1]))

    return Task(
        len(dataset.train),
        loss,
        MIN_LOSS,
        validate if len(dataset.val) else None,
        weigh=lambda rows: float(dataset.train.lengths_of(rows).sum()),
    )


def _trained_share(model: Any) -> float:
    sizes = [(int(weight.numel()), bool(weight.requires_grad)) for weight in model.parameters()]
    return sum(size for size, trained in sizes if trained) / sum(size for size, _ in sizes)


def _counts(dataset: TokenizedDataset, parts: Parts) -> dict[str, float]:
    return {
        "train_captions": len(dataset.train),
        "val_captions": len(dataset.val),
        "vocabulary": len(parts.tokenizer),
        "cut_share": dataset.cut_share,
        "empty_captions": dataset.empty,
    }
