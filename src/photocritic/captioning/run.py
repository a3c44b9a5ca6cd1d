"""Training a variant's captioner, from tables to a folder."""

import logging
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn

from photocritic.captioning import bundle, curve, data, models, objective, pretrained, styled
from photocritic.captioning.data import Dataset
from photocritic.captioning.finetuning import fine_tune
from photocritic.captioning.models import Captioner, ModelConfig
from photocritic.captioning.pairs import Integers
from photocritic.captioning.refining import refine
from photocritic.captioning.scheduled import own_share
from photocritic.captioning.sight import Photographs, pixel_files
from photocritic.captioning.validation import Validation
from photocritic.config import LstmTrainParams, Variant
from photocritic.core import files
from photocritic.core.environment import is_first_worker
from photocritic.core.errors import TrainingError
from photocritic.core.outcome import Outcome
from photocritic.training.loop import History, Plan, clear, fit
from photocritic.training.optimizers import optimizer as make_optimizer
from photocritic.training.schedule import schedule as make_schedule

log = logging.getLogger(__name__)

WARMUP_SHARE = 0.1  # of all steps, while Adam's second moments settle

OnEpoch = Callable[[int, dict[str, float]], None]


def train(
    name: str,
    variant: Variant,
    captions: Path,
    images: Path,
    features: Path,
    out: Path,
    params: LstmTrainParams,
    seed: int,
    checkpoint: Path,
    on_epoch: OnEpoch | None = None,
    photographs: Photographs | None = None,
) -> Outcome:
    """Train a captioner on a variant's captions and features, or on its photographs.

    Parameters
    ----------
    name : str
        The variant's name, for the log and the progress bar.
    variant : Variant
        Which captions are learned from; its features are those in `features`.
    captions, images, features : Path
        The tables.
    out : Path
        The folder to write; see `bundle.save`.
    params : LstmTrainParams
        Sizes and the course of the training.
    seed : int
        All randomness derives from it.
    checkpoint : Path
        Where training goes on from when it was killed; deleted after success.
    on_epoch : callable, optional
        Told each epoch (from 1) and its metrics.
    photographs : Photographs, optional
        Where the pixels are that `finetune_epochs` and the model `pretrained` ask for.

    Returns
    -------
    Outcome
        Metrics `train_captions`, `val_captions`, `vocabulary`, `unknown_share`, `cut_share`, `empty_captions`,
        `epochs`, `best_epoch`, `train_loss` (`policy_loss` where the best epoch was a self-critical one), and where
        there are validation captions `val_loss` (nats a token, without smoothing), `perplexity` and, where captions
        were scored, `val_cider_d`; the learning curve as plot and figure. Empty on all workers but the first.

    Raises
    ------
    TrainingError
        No caption is left to learn from, training diverged, or there are no photographs.
    """
    if params.model == pretrained.NAME:
        shards = _required(photographs).shards
        return pretrained.train(name, variant, captions, images, shards, out, params, seed, checkpoint, on_epoch)
    dataset = data.load(
        captions,
        images,
        features,
        variant.captions,
        params.min_count,
        params.vocabulary,
        params.max_length,
        out.parent,
        params.view,
        params.options.get("styles", ()),
    )
    key = "|".join([params.model_dump_json(), variant.captions, *map(files.sha256, (captions, images, features))])
    _, regions, channels = dataset.train.features.shape
    config = ModelConfig(
        features=channels,
        vocabulary=len(dataset.vocabulary),
        hidden=params.hidden,
        embedding=params.embedding,
        dropout=params.dropout,
        regions=regions,
        tied=params.tied,
    )
    torch.manual_seed(seed)
    model = models.build(params.model, config, params.options)
    log.info("lstm_train %s: %d captions, %d words", name, len(dataset.train), len(dataset.vocabulary))
    history = fit_captioner(model, dataset, name, params, seed, checkpoint, key, on_epoch)
    network = None
    seeing = checkpoint.with_stem(f"{checkpoint.stem}_seeing")
    if params.finetune_epochs:
        network, dataset, history = fine_tune(
            model, dataset, _required(photographs), images, name, params, seed, seeing, history, key, on_epoch
        )
    second = checkpoint.with_stem(f"{checkpoint.stem}_self_critical")
    if params.self_critical_epochs:
        label = f"lstm_train {name} self-critical"
        history = refine(model, dataset, label, params, seed, second, history, key, on_epoch)
    if not is_first_worker():
        return Outcome()
    bundle.save(out, bundle.Bundle(model, dataset.vocabulary, params.model, config, params.options, network))
    for scratch in (checkpoint, seeing, second, *pixel_files(seeing)):
        clear(scratch)
    return curve.outcome(name, _counts(dataset), history)


def _required(photographs: Photographs | None) -> Photographs:
    if photographs is None:
        raise TrainingError("lstm_train: this captioner is shown pixels; give `photographs`")
    return photographs


def fit_captioner(
    model: Captioner,
    dataset: Dataset,
    name: str,
    params: LstmTrainParams,
    seed: int,
    checkpoint: Path,
    key: str = "",
    on_epoch: OnEpoch | None = None,
) -> History:
    """Train a model on pairs in memory; it ends with the weights of the epoch that is best by `params.select`.

    Without validation captions it ends with the last epoch's. Parameters as in `train`; `key` as in `fit`.
    """
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
    optimizer = make_optimizer(params.optimizer, model, params.learning_rate, params.weight_decay)
    steps = plan.steps(len(dataset.train))
    schedule = make_schedule(params.schedule, optimizer, params.epochs * steps, WARMUP_SHARE)

    def loss(captioner: nn.Module, rows: Integers) -> Tensor:
        epoch = schedule.last_epoch // steps  # the schedule counts steps, and a resume restores it
        share = own_share(epoch, params.scheduled_sampling)
        factual = objective.loss(captioner, dataset.train, rows, params.label_smoothing, share)
        if not dataset.styled:
            return factual
        return factual + styled.loss(captioner, dataset.styled, len(rows), params.label_smoothing)

    by_cider = params.select == "cider_d"
    validation = (
        Validation(model, dataset, params.batch_size, params.max_length, by_cider) if len(dataset.val) else None
    )
    return fit(
        model,
        optimizer,
        schedule,
        len(dataset.train),
        loss,
        plan,
        checkpoint,
        key=key,
        validate=validation,
        best=(("val_cider_d", "max") if by_cider else ("val_loss", "min")) if validation else None,
        on_epoch=on_epoch,
        weigh=lambda rows: float(dataset.train.lengths_of(rows).sum()),
    )


def _counts(dataset: Dataset) -> dict[str, float]:
    return {
        "train_captions": len(dataset.train),
        "val_captions": len(dataset.val),
        "vocabulary": len(dataset.vocabulary),
        "unknown_share": dataset.train.unknown_share,
        "cut_share": dataset.train.cut_share,
        "empty_captions": dataset.empty,
    }
