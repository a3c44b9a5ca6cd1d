"""The CNN trained along with its captioner: after the epochs on fixed features, before the self-critical ones."""

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
from torch import nn

from photocritic.captioning.caption_dataset import Dataset, Floats, scratch_matrix
from photocritic.captioning.captioner import Captioner
from photocritic.captioning.captioner_recipe import captioner_plan, captioner_recipe
from photocritic.captioning.end_to_end import EndToEndCaptioner, EndToEndLoss
from photocritic.captioning.objective import MAX_CIDER_D, Validation, selected_by
from photocritic.captioning.photographs import Photographs, pixel_files, stored_pixels
from photocritic.config import LstmTrainParams
from photocritic.images.decoding import Pixels
from photocritic.training.checkpoint import copy_weights
from photocritic.training.loop import Best, History
from photocritic.training.recipe import Task, TrainingRun, train
from photocritic.vision.description import features_of
from photocritic.vision.network import Network

log = logging.getLogger(__name__)


def fine_tune(
    captioner: Captioner,
    dataset: Dataset,
    photographs: Photographs,
    images: Path,
    name: str,
    params: LstmTrainParams,
    run: TrainingRun,
    before: History,
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
    name : str
        The variant's name, for the log and the progress bar.
    params : LstmTrainParams
        Its keys `finetune_...`, and the course of the training.
    run : TrainingRun
        The decoded images lie beside its checkpoint, see `pixel_files`.
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
    file, _ = pixel_files(run.checkpoint)
    pixels = stored_pixels(images, dataset.image_ids, photographs.shards, network.size, file)
    model = EndToEndCaptioner(network, captioner, params.view)
    weights = copy_weights(model)
    label, known = f"lstm_train {name} with its CNN", len(before.epochs)
    loss = EndToEndLoss(dataset.train, pixels, network.config.image_size, params, known)
    validation = _Validation(model, dataset, pixels, params) if len(dataset.val) else None
    batch_size = max(1, round(params.batch_size * len(loss) / len(dataset.train)))
    plan = captioner_plan(label, params, run.seed, params.finetune_epochs, batch_size, unit="images")
    best = selected_by(params)
    rates: dict[nn.Module, float] = {network: params.finetune_learning_rate}
    task = Task(len(loss), loss, best, validation, loss.weigh)
    history = train(model, task, captioner_recipe(plan, params), run, rates)
    chosen = History([*before.epochs, *history.epochs], known + history.best_epoch, history.averaged)
    if validation is not None and not _is_better(history.best[best[0]], before.best[best[0]], best):
        log.info("%s: no epoch was better by %s; the weights before it are kept", label, best[0])
        model.load_state_dict(weights)
        chosen = History(chosen.epochs, before.best_epoch, before.averaged)
    return network, dataset.with_features(_features(model, pixels, run.checkpoint.parent)), chosen


class _Validation:
    """Measures on the validation images' features as the CNN computes them now; what `fit` calls after an epoch."""

    def __init__(self, model: EndToEndCaptioner, dataset: Dataset, pixels: Pixels, params: LstmTrainParams) -> None:
        self._model, self._pixels, self._params = model, pixels, params
        self._rows, places = np.unique(dataset.val.images.astype(np.int64), return_inverse=True)
        val = replace(dataset.val, images=places.astype(np.int32))
        self._dataset = replace(dataset, val=val)

    def __call__(self, _: nn.Module) -> dict[str, float]:
        """Measure the bare captioner, as `Validation` does."""
        features = features_of(self._model.network, self._pixels, self._rows, view=self._model.view)
        val = replace(self._dataset.val, features=np.concatenate([*features]))
        dataset, by_cider = replace(self._dataset, val=val), selected_by(self._params) == MAX_CIDER_D
        captioner = self._model.captioner
        return Validation(captioner, dataset, self._params, by_cider)(captioner)


def _features(model: EndToEndCaptioner, pixels: Pixels, scratch: Path) -> Floats:
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
