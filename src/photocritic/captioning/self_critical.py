"""Self-critical sequence training: after cross-entropy, a captioner learns from the CIDEr-D of its own captions."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from photocritic.captioning.caption_dataset import Dataset, Floats, Integers, Pairs
from photocritic.captioning.captioner import Captioner
from photocritic.captioning.captioner_recipe import captioner_plan
from photocritic.captioning.decoding import Decoding, decode
from photocritic.captioning.objective import MAX_CIDER_D, Validation, chunks
from photocritic.captioning.reward import Reward
from photocritic.captioning.scheduled_sampling import NEVER_DECODED, append_end, exclude, sample
from photocritic.captioning.vocabulary import BOS, EOS, PAD
from photocritic.config import LstmTrainParams
from photocritic.training.checkpoint import copy_weights
from photocritic.training.loop import History
from photocritic.training.recipe import Position, Recipe, Task, TrainingRun, train

log = logging.getLogger(__name__)


def train_self_critical(
    model: Captioner, dataset: Dataset, label: str, params: LstmTrainParams, run: TrainingRun, before: History
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
    label : str
        What is trained, for the log and the progress bar.
    params : LstmTrainParams
        Its keys `self_critical_...`, and the course of the training.
    run : TrainingRun
        Its epochs are reported as they are counted here, from those before.
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
    validation = Validation(model, dataset, params, cider=True) if len(dataset.val) else None
    weights, start = copy_weights(model), _cider_d(model, validation)
    images = max(1, params.batch_size // params.self_critical_samples)
    plan = captioner_plan(label, params, run.seed, params.self_critical_epochs, images, unit="images")
    recipe = Recipe(plan, params.self_critical_learning_rate, optimizer="adam", decay_all=True, fused=False)
    task = Task(len(reward), PolicyLoss.of(model, dataset.train, reward, params), MAX_CIDER_D, validation)
    report = run.on_epoch
    renamed = replace(run, on_epoch=(lambda epoch, metrics: report(epoch, _renamed(metrics))) if report else None)
    history = train(model, task, recipe, renamed)
    epochs = [*before.epochs, *map(_renamed, history.epochs)]
    if validation and history.best[MAX_CIDER_D[0]] <= start:
        log.info("%s: no epoch raised %s above %.4f; the weights before it are kept", label, MAX_CIDER_D[0], start)
        model.load_state_dict(weights)
        return History(epochs, before.best_epoch, before.averaged)
    return History(epochs, len(before.epochs) + history.best_epoch, history.averaged)


def _cider_d(model: Captioner, validation: Validation | None) -> float:
    if validation is None:
        return 0.0
    model.eval()
    with torch.no_grad():
        return validation(model)[MAX_CIDER_D[0]]


def _renamed(metrics: dict[str, float]) -> dict[str, float]:
    return {"policy_loss" if name == "train_loss" else name: value for name, value in metrics.items()}


@dataclass(frozen=True)
class PolicyLoss:
    """The loss whose gradient raises the expected reward of a captioner's own captions.

    Attributes
    ----------
    captioner : Captioner
        The model that is trained.
    features : ndarray
        (N, R, C) float32, the regions of all images.
    reward : Reward
        What captions are worth.
    samples : int
        Captions k sampled for each image.
    baseline : "samples" or "greedy"
        What a caption must surpass: the mean reward of the image's other samples (Luo 2020), which costs no decoding
        of its own and varies less, or the reward of the greedy caption (Rennie et al. 2017).
    max_length : int
        Words in a caption, at most.

    References
    ----------
    Rennie et al. 2017, Self-critical Sequence Training for Image Captioning, Eq. 9; Luo 2020, A Better Variant of
    Self-Critical Sequence Training, Eq. 2.
    """

    captioner: Captioner
    features: Floats
    reward: Reward
    samples: int
    baseline: Literal["samples", "greedy"]
    max_length: int

    @classmethod
    def of(cls, captioner: Captioner, pairs: Pairs, reward: Reward, params: LstmTrainParams) -> "PolicyLoss":
        """Make the loss that the parameters ask for, for the images of `pairs`."""
        return cls(
            captioner,
            pairs.features,
            reward,
            params.self_critical_samples,
            params.self_critical_baseline,
            params.max_length,
        )

    def __call__(self, model: nn.Module, rows: Integers, _: Position | None = None) -> Tensor:
        """Compute the mean over sampled captions of -(reward - baseline) log p(caption), for images of the reward.

        Dropout is left out: what is rewarded is the captioner as it decodes.
        """
        with _as_decoding(self.captioner):
            device = next(self.captioner.parameters()).device
            features = torch.from_numpy(self.features[self.reward.images[rows]]).to(device)
            tokens = sample(self.captioner, features, self.samples, self.max_length)
            advantage = torch.from_numpy(self.advantage(features, rows, tokens)).to(device, torch.float32)
            images = torch.arange(len(rows), device=device).repeat_interleave(self.samples)
            parts = chunks((tokens != PAD).sum(dim=1).cpu().numpy())
            total = torch.stack(
                [
                    (advantage[part] * log_probabilities(model, features[images[part]], tokens[part])).sum()
                    for part in (torch.from_numpy(part).to(device) for part in parts)
                ]
            ).sum()
            return -total / len(tokens)

    def advantage(self, features: Tensor, rows: Integers, tokens: Tensor) -> NDArray[np.float64]:
        """Compute by how much each sampled caption's reward surpasses the baseline, (B * k,)."""
        rewards = self.reward.score(np.repeat(rows, self.samples), tokens.cpu().numpy())
        each = rewards.reshape(len(rows), self.samples)
        if self.baseline == "greedy":
            greedy = Decoding.model_validate({"strategy": "greedy", "max_length": self.max_length})
            captions = append_end(decode(self.captioner, features, greedy).tokens[:, 0])
            others = self.reward.score(rows, captions.cpu().numpy())[:, None]
        else:
            others = (each.sum(axis=1, keepdims=True) - each) / (self.samples - 1)
        surplus: NDArray[np.float64] = (each - others).reshape(-1)
        return surplus


def log_probabilities(model: nn.Module, features: Tensor, tokens: Tensor) -> Tensor:
    """Compute captions' log-probabilities, with gradients, by reading each at once.

    Parameters
    ----------
    model : nn.Module
        Called as `Captioner.forward`.
    features : Tensor
        (S, R, C) features of each caption's image.
    tokens : Tensor
        (S, L) as `sample` returns them.

    Returns
    -------
    Tensor
        (S,) float32, nats.
    """
    tokens = tokens[:, : int((tokens != PAD).sum(dim=1).max())]
    inputs = functional.pad(tokens, (1, 0), value=BOS)[:, :-1].masked_fill(tokens == PAD, PAD)
    logits = exclude(model(features, inputs).float(), NEVER_DECODED)
    logits[:, 0, EOS] = -torch.inf  # a caption has a word at least
    nll = functional.cross_entropy(logits.flatten(0, 1), tokens.flatten(), ignore_index=PAD, reduction="none")
    return -nll.reshape(tokens.shape).sum(dim=1)


@contextmanager
def _as_decoding(model: nn.Module) -> Iterator[None]:
    """Leave out dropout inside the block; cuDNN's LSTM has no gradients then, so that PyTorch's own is used."""
    training = model.training
    model.eval()
    try:
        with torch.backends.cudnn.flags(enabled=False):
            yield
    finally:
        model.train(training)
