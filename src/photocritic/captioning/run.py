"""Training a variant's captioner, from tables to a folder."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import nn

from photocritic import files
from photocritic.captioning import bundle, data, models, objective
from photocritic.captioning.data import Dataset
from photocritic.captioning.models import Captioner, ModelConfig
from photocritic.captioning.pairs import Pairs
from photocritic.outcome import Outcome
from photocritic.params import LstmTrainParams, Variant
from photocritic.training.loop import History, Plan, clear, fit
from photocritic.training.optimizers import optimizer as make_optimizer
from photocritic.training.schedule import schedule as make_schedule

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
) -> Outcome:
    """Train a captioner on a variant's captions and features.

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

    Returns
    -------
    Outcome
        Metrics `train_captions`, `val_captions`, `vocabulary`, `unknown_share`, `cut_share`, `empty_captions`,
        `epochs`, `best_epoch`, `train_loss`, and where there are validation captions `val_loss` (nats a token, without
        smoothing) and `perplexity`; the learning curve as plot and figure.

    Raises
    ------
    TrainingError
        No caption is left to learn from, or training diverged.
    """
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
    bundle.save(out, bundle.Bundle(model, dataset.vocabulary, params.model, config, params.options))
    clear(checkpoint)
    return _outcome(name, dataset, history)


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
    """Train a model on pairs in memory; it ends with the weights of the epoch with the lowest validation loss.

    Without validation captions it ends with the last epoch's. Parameters as in `train`; `key` as in `fit`.
    """
    plan = Plan(f"lstm_train {name}", params.epochs, params.batch_size, seed, params.precision, params.grad_clip)
    optimizer = make_optimizer("adamw", model, params.learning_rate, params.weight_decay)
    steps = params.epochs * plan.steps(len(dataset.train))
    return fit(
        model,
        optimizer,
        make_schedule("one_cycle", optimizer, steps, WARMUP_SHARE),
        len(dataset.train),
        lambda captioner, rows: objective.loss(captioner, dataset.train, rows, params.label_smoothing),
        plan,
        checkpoint,
        key=key,
        validate=(lambda captioner: _validate(captioner, dataset.val, params.batch_size)) if len(dataset.val) else None,
        best=("val_loss", "min") if len(dataset.val) else None,
        on_epoch=on_epoch,
    )


def _validate(model: nn.Module, pairs: Pairs, batch_size: int) -> dict[str, float]:
    nll = objective.mean_nll(model, pairs, batch_size)
    return {"val_loss": nll, "perplexity": objective.perplexity(nll)}


def _outcome(name: str, dataset: Dataset, history: History) -> Outcome:
    metrics = {
        "train_captions": len(dataset.train),
        "val_captions": len(dataset.val),
        "vocabulary": len(dataset.vocabulary),
        "unknown_share": dataset.train.unknown_share,
        "cut_share": dataset.train.cut_share,
        "empty_captions": dataset.empty,
        "epochs": len(history.epochs),
        "best_epoch": history.best_epoch,
        **{key: value for key, value in history.best.items() if key != "learning_rate"},
    }
    curve = history.rows()
    return Outcome(
        metrics={key: float(value) for key, value in metrics.items()},
        plots={"learning_curve": curve},
        figures={"learning_curve": _figure(name, curve)},
    )


def _figure(name: str, curve: list[dict[str, float]]) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3.2), layout="constrained")
    axes = figure.add_subplot(xlabel="epoch", ylabel="nats a token", title=f"lstm_train {name}")
    epochs = [row["epoch"] for row in curve]
    for key, label in (("train_loss", "training (smoothed, with dropout)"), ("val_loss", "validation")):
        if key in curve[0]:
            axes.plot(epochs, [row[key] for row in curve], marker="o", label=label)
    axes.legend()
    return figure
