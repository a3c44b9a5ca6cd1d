"""The second training of a captioner: self-critical, after cross-entropy."""

import logging
from collections.abc import Callable
from pathlib import Path

import torch
from torch.optim import Adam

from photocritic.captioning.data import Dataset
from photocritic.captioning.models import Captioner
from photocritic.captioning.reward import Reward
from photocritic.captioning.self_critical import SelfCritical
from photocritic.captioning.validation import Validation
from photocritic.config import LstmTrainParams
from photocritic.training.checkpoint import copy_weights
from photocritic.training.loop import History, Plan, fit

log = logging.getLogger(__name__)

GOAL = "val_cider_d"


def refine(
    model: Captioner,
    dataset: Dataset,
    label: str,
    params: LstmTrainParams,
    seed: int,
    checkpoint: Path,
    before: History,
    key: str = "",
    on_epoch: Callable[[int, dict[str, float]], None] | None = None,
) -> History:
    """Raise the CIDEr-D of the captions of a captioner that was trained on cross-entropy.

    An example is an image with all its training captions; a step takes so many images that their sampled captions make
    a batch. The learning rate is constant, and there is neither dropout nor weight decay.

    Parameters
    ----------
    model : Captioner
        It ends with the weights of the epoch of the highest `val_cider_d`, or with those that it came with where no
        epoch raises it. Without validation captions it ends with the last epoch's.
    dataset : Dataset
        Its training captions are the references, and what document frequencies are counted in.
    label, seed, checkpoint, key, on_epoch
        As in `photocritic.training.loop.fit` and its `Plan`; epochs are counted on from those before.
    params : LstmTrainParams
        Its keys `self_critical_...`, and the course of the training.
    before : History
        Of the training on cross-entropy.

    Returns
    -------
    History
        Of both trainings. The second's epochs have a `policy_loss` in the place of `train_loss`; its slope is that of
        the expected reward, and its value means nothing.

    References
    ----------
    Rennie et al. 2017, Self-critical Sequence Training for Image Captioning, section 3.
    """
    reward = Reward(dataset.train, len(dataset.vocabulary), ends=True)
    validation = (
        Validation(model, dataset, params.batch_size, params.max_length, cider=True) if len(dataset.val) else None
    )
    weights, start = copy_weights(model), _score(model, validation)
    images = max(1, params.batch_size // params.self_critical_samples)
    history = fit(
        model,
        Adam(model.parameters(), lr=params.self_critical_learning_rate),
        None,
        len(reward),
        SelfCritical.of(model, dataset.train, reward, params),
        Plan(
            label,
            params.self_critical_epochs,
            images,
            seed,
            params.precision,
            params.grad_clip,
            accumulate=params.accumulate,
            average=params.average,
            unit="images",
        ),
        checkpoint,
        key=key,
        validate=validation,
        best=(GOAL, "max") if validation else None,
        on_epoch=lambda epoch, metrics: on_epoch(len(before.epochs) + epoch, _renamed(metrics)) if on_epoch else None,
    )
    epochs = [*before.epochs, *map(_renamed, history.epochs)]
    if validation and history.best[GOAL] <= start:
        log.info("%s: no epoch raised %s above %.4f; the weights before it are kept", label, GOAL, start)
        model.load_state_dict(weights)
        return History(epochs, before.best_epoch, before.averaged)
    return History(epochs, len(before.epochs) + history.best_epoch, history.averaged)


def _score(model: Captioner, validation: Validation | None) -> float:
    if validation is None:
        return 0.0
    model.eval()
    with torch.no_grad():
        return validation(model)[GOAL]


def _renamed(metrics: dict[str, float]) -> dict[str, float]:
    return {"policy_loss" if name == "train_loss" else name: value for name, value in metrics.items()}
