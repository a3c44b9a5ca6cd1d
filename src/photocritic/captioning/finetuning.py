"""The CNN trained along with its captioner: after the epochs on fixed features, before the self-critical ones."""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from torch import nn

from photocritic.captioning.data import Dataset, scratch_matrix
from photocritic.captioning.models import Captioner
from photocritic.captioning.scheduled import own_share
from photocritic.captioning.seeing import Lessons, Seeing
from photocritic.captioning.sight import Photographs, features_of, pixel_files, stored_pixels
from photocritic.captioning.source import Floats, Pixels
from photocritic.captioning.validation import Validation
from photocritic.config import LstmTrainParams
from photocritic.training.checkpoint import copy_weights
from photocritic.training.loop import Best, History, Plan, fit
from photocritic.training.optimizers import optimizer as make_optimizer
from photocritic.training.schedule import schedule as make_schedule
from photocritic.vision.network import Network

log = logging.getLogger(__name__)

WARMUP_SHARE = 0.1  # of the steps, while Adam's second moments settle


def fine_tune(
    captioner: Captioner,
    dataset: Dataset,
    photographs: Photographs,
    images: Path,
    name: str,
    params: LstmTrainParams,
    seed: int,
    checkpoint: Path,
    before: History,
    key: str = "",
    on_epoch: Callable[[int, dict[str, float]], None] | None = None,
) -> tuple[Network, Dataset, History]:
    """Train a captioner and the CNN of its features together, from the pixels.

    An example is an image with all its training captions; a step takes so many images that their captions make a batch
    on average, so that an epoch is one over the captions and takes as many steps as one before it.

    Parameters
    ----------
    captioner : Captioner
        It ends with the weights of the best epoch by `params.select`, or with those that it came with where no epoch
        is better. Without validation captions it ends with the last epoch's.
    dataset : Dataset
        The captions, beside the features that the CNN gave until now.
    photographs : Photographs
        The pixels, and the CNN.
    images : Path
        The images table.
    name, seed, key, on_epoch
        As in `photocritic.captioning.run.train`; epochs are counted on from those before.
    params : LstmTrainParams
        Its keys `finetune_...`, and the course of the training.
    checkpoint : Path
        As in `fit`; the decoded images lie beside it, see `pixel_files`.
    before : History
        Of the training on fixed features.

    Returns
    -------
    (Network, Dataset, History)
        The CNN; the captions beside the features that it gives now; the history of both trainings.

    References
    ----------
    Karpathy 2016, NeuralTalk2: training first with a fixed CNN, then with a small learning rate for it.
    """
    network = Network.load(photographs.network)
    file, _ = pixel_files(checkpoint)
    pixels = stored_pixels(images, dataset.image_ids, photographs.shards, network.size, file)
    model = Seeing(network, captioner, params.view)
    validation = _Validation(model, dataset, pixels, params) if len(dataset.val) else None
    best: Best | None = None
    if validation is not None:
        best = ("val_cider_d", "max") if params.select == "cider_d" else ("val_loss", "min")
    weights = copy_weights(model)
    label, known = f"lstm_train {name} with its CNN", len(before.epochs)
    history = _fit(model, dataset, pixels, label, params, seed, checkpoint, known, key, validation, best, on_epoch)
    chosen = History([*before.epochs, *history.epochs], known + history.best_epoch, history.averaged)
    if best is not None and not _is_better(history.best[best[0]], before.best[best[0]], best):
        log.info("%s: no epoch was better by %s; the weights before it are kept", label, best[0])
        model.load_state_dict(weights)
        chosen = History(chosen.epochs, before.best_epoch, before.averaged)
    return network, dataset.seen_as(_seen(model, pixels, checkpoint.parent)), chosen


def _fit(
    model: Seeing,
    dataset: Dataset,
    pixels: Pixels,
    label: str,
    params: LstmTrainParams,
    seed: int,
    checkpoint: Path,
    known: int,
    key: str,
    validation: "_Validation | None",
    best: Best | None,
    on_epoch: Callable[[int, dict[str, float]], None] | None,
) -> History:
    rates: dict[nn.Module, float] = {model.network: params.finetune_learning_rate}
    optimizer = make_optimizer(params.optimizer, model.captioner, params.learning_rate, params.weight_decay, rates)

    def share() -> float:
        return own_share(known + schedule.last_epoch // steps, params.scheduled_sampling)

    lessons = Lessons(dataset.train, pixels, model.network.config.image_size, params.label_smoothing, share)
    plan = Plan(
        label,
        params.finetune_epochs,
        max(1, round(params.batch_size * len(lessons) / len(dataset.train))),
        seed,
        params.precision,
        params.grad_clip,
        accumulate=params.accumulate,
        average=params.average,
        unit="images",
    )
    steps = plan.steps(len(lessons))
    schedule = make_schedule(params.schedule, optimizer, plan.epochs * steps, WARMUP_SHARE)
    return fit(
        model,
        optimizer,
        schedule,
        len(lessons),
        lessons,
        plan,
        checkpoint,
        key=key,
        validate=validation,
        best=best,
        on_epoch=(lambda epoch, metrics: on_epoch(known + epoch, metrics)) if on_epoch else None,
        weigh=lessons.weigh,
    )


class _Validation:
    """Measures on the validation images as the CNN sees them now; what `fit` calls after an epoch."""

    def __init__(self, model: Seeing, dataset: Dataset, pixels: Pixels, params: LstmTrainParams) -> None:
        self._model, self._pixels, self._params = model, pixels, params
        self._rows, places = np.unique(dataset.val.images.astype(np.int64), return_inverse=True)
        val = replace(dataset.val, images=places.astype(np.int32))
        self._dataset = replace(dataset, val=val)

    def __call__(self, _: nn.Module) -> dict[str, float]:
        """Measure the bare captioner, as `Validation` does."""
        seen = features_of(self._model.network, self._pixels, self._rows, view=self._model.view)
        val = replace(self._dataset.val, features=np.concatenate([*seen]))
        params, dataset = self._params, replace(self._dataset, val=val)
        by_cider = params.select == "cider_d"
        captioner = self._model.captioner
        return Validation(captioner, dataset, params.batch_size, params.max_length, by_cider)(captioner)


def _seen(model: Seeing, pixels: Pixels, scratch: Path) -> Floats:
    """Extract the features of all images anew."""
    network, row = model.network, 0
    cells = 1 if model.view == "pooled" else network.cells
    matrix = scratch_matrix(scratch, len(pixels), (cells, network.width))
    for features in features_of(network, pixels, view=model.view):
        matrix[row : row + len(features)] = features
        row += len(features)
    return matrix


def _is_better(value: float, than: float, best: Best) -> bool:
    return value > than if best[1] == "max" else value < than
