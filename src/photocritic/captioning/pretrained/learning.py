"""Fine-tuning a pretrained captioner on a variant's captions, with the one training loop."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from photocritic.captioning import curve, objective
from photocritic.captioning.data import learned_images
from photocritic.captioning.pairs import Integers
from photocritic.captioning.pretrained.adapters import adapt
from photocritic.captioning.pretrained.parts import Parts, read
from photocritic.captioning.pretrained.speaker import save
from photocritic.captioning.pretrained.texts import IGNORED, Lessons, Texts, read_texts
from photocritic.captioning.sight import pixel_files, stored_pixels
from photocritic.captioning.source import Pixels
from photocritic.config import LstmTrainParams, PretrainedOptions, Variant
from photocritic.core import files
from photocritic.core.environment import is_first_worker
from photocritic.core.outcome import Outcome
from photocritic.training.loop import History, Plan, clear, fit
from photocritic.training.optimizers import optimizer as make_optimizer
from photocritic.training.schedule import schedule as make_schedule

log = logging.getLogger(__name__)

WARMUP_SHARE = 0.1  # of all steps, while Adam's second moments settle


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
    on_epoch: Callable[[int, dict[str, float]], None] | None = None,
) -> Outcome:
    """Fine-tune a pretrained captioner on a variant's captions.

    Parameters
    ----------
    name, variant, captions, images, out, seed, checkpoint, on_epoch
        As in `photocritic.captioning.run.train`.
    shards : Path
        The folder of the shards that hold the photographs.
    params : LstmTrainParams
        The course of the training; its options tell which weights, and the rank of what is trained of them.

    Returns
    -------
    Outcome
        As of `photocritic.captioning.run.train`, without `unknown_share`; `trained_share` is that of the weights.

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
    finish = adapt(parts.model, options.lora)
    known = learned_images(images)
    lessons = read_texts(captions, known, variant.captions, params.max_length, parts.tokenizer, parts.marks)
    log.info("lstm_train %s: %d captions, a %s", name, len(lessons.train), parts.model.config.model_type)
    share = _trained_share(parts.model)
    file, identity = pixel_files(checkpoint)
    pixels = stored_pixels(images, known.ids.to_pylist(), shards, parts.side, file)
    key = "|".join([params.model_dump_json(), variant.captions, *map(files.sha256, (captions, images))])
    history = _fit(parts, lessons, pixels, name, params, seed, checkpoint, key, on_epoch)
    if not is_first_worker():
        return Outcome()
    finish()
    save(out, parts)
    for scratch in (checkpoint, file, identity):
        clear(scratch)
    return curve.outcome(name, _counts(lessons, parts) | {"trained_share": share}, history)


def _fit(
    parts: Parts,
    lessons: Lessons,
    pixels: Pixels,
    name: str,
    params: LstmTrainParams,
    seed: int,
    checkpoint: Path,
    key: str,
    on_epoch: Callable[[int, dict[str, float]], None] | None,
) -> History:
    plan = Plan(
        f"lstm_train {name}",
        params.epochs,
        params.batch_size,
        seed,
        params.precision,
        params.grad_clip,
        accumulate=params.accumulate,
        average=params.average,
        unit="captions",
    )
    optimizer = make_optimizer(params.optimizer, parts.forced, params.learning_rate, params.weight_decay)
    steps = plan.epochs * plan.steps(len(lessons.train))
    teacher = _Teacher(parts, pixels)

    def loss(model: nn.Module, rows: Integers) -> Tensor:
        total = teacher.summed(model, lessons.train, rows, params.label_smoothing)
        return total / int(lessons.train.lengths_of(rows).sum())

    def validate(model: nn.Module) -> dict[str, float]:
        total = sum(float(teacher.summed(model, lessons.val, rows, 0.0)) for rows in _by_length(lessons.val, params))
        nll = total / int(lessons.val.offsets[-1])
        return {"val_loss": nll, "perplexity": objective.perplexity(nll)}

    return fit(
        parts.forced,
        optimizer,
        make_schedule(params.schedule, optimizer, steps, WARMUP_SHARE),
        len(lessons.train),
        loss,
        plan,
        checkpoint,
        key=key,
        validate=validate if len(lessons.val) else None,
        best=("val_loss", "min") if len(lessons.val) else None,
        on_epoch=on_epoch,
        weigh=lambda rows: float(lessons.train.lengths_of(rows).sum()),
    )


class _Teacher:
    """Shows photographs and captions to a model."""

    def __init__(self, parts: Parts, pixels: Pixels) -> None:
        self._parts, self._pixels = parts, pixels

    def summed(self, model: nn.Module, texts: Texts, rows: Integers, label_smoothing: float) -> Tensor:
        """Sum the cross-entropy over the tokens of captions, (B,) of them."""
        device = next(model.parameters()).device
        values = self._parts.pixel_values(self._pixels[texts.images[rows]], device)
        tokens, mask, targets = (torch.from_numpy(part).to(device) for part in texts.batch(rows))
        return objective.summed(model(values, tokens, mask).float(), targets, label_smoothing, IGNORED)


def _by_length(texts: Texts, params: LstmTrainParams) -> Iterator[Integers]:
    order = np.argsort(texts.lengths_of(np.arange(len(texts))), kind="stable")
    for begin in range(0, len(order), params.batch_size):
        yield order[begin : begin + params.batch_size]


def _trained_share(model: Any) -> float:
    sizes = [(int(weight.numel()), bool(weight.requires_grad)) for weight in model.parameters()]
    return sum(size for size, trained in sizes if trained) / sum(size for size, _ in sizes)


def _counts(lessons: Lessons, parts: Parts) -> dict[str, float]:
    return {
        "train_captions": len(lessons.train),
        "val_captions": len(lessons.val),
        "vocabulary": len(parts.tokenizer),
        "cut_share": lessons.cut_share,
        "empty_captions": lessons.empty,
    }
