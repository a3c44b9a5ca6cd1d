"""What a captioner's training lowers, and what it is measured by after an epoch."""

import math
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from photocritic.captioning.caption_dataset import Dataset, Integers, Pairs
from photocritic.captioning.captioner import Captioner
from photocritic.captioning.decoding import Decoding, decode
from photocritic.captioning.reward import Reward
from photocritic.captioning.scheduled_sampling import scheduled_sampling
from photocritic.captioning.vocabulary import PAD
from photocritic.config import LstmTrainParams
from photocritic.training.loop import Best
from photocritic.training.recipe import Position, Task

SAMPLED_EVERY = 5  # epochs between two increases of scheduled sampling (ERG)
MOST_SAMPLED = 0.25  # of the words; more sampled words teach a caption's language at the expense of its image
CHUNKS = 4  # of similar length, in a training batch: padding falls from two fifths of a batch to a tenth
MIN_LOSS: Best = ("val_loss", "min")
MAX_CIDER_D: Best = ("val_cider_d", "max")


def caption_task(model: Captioner, dataset: Dataset, params: LstmTrainParams) -> Task:
    """Return what a captioner brings to its training by cross-entropy: an example is a caption.

    Where there is text in styles, every second step learns from it in the place of captions. Each caption then has two
    turns in an epoch, of which one, on average, falls on a step that learns from captions.

    Parameters
    ----------
    model : Captioner
        The model that is trained.
    dataset : Dataset
        Its captions; those in styles are learned from too, as text without images.
    params : LstmTrainParams
        Label smoothing, scheduled sampling, and the measure by which the best epoch is chosen.

    References
    ----------
    Gan et al. 2017, StyleNet: training alternates between images' factual captions and stylised text.
    """
    best, captions = selected_by(params), dataset.train
    turns = 2 if dataset.styled else 1

    def loss(captioner: nn.Module, rows: Integers, position: Position) -> Tensor:
        if position.step % turns:
            return style_cross_entropy(captioner, dataset.styled, len(rows), params.label_smoothing)
        share = sampled_share(position.epoch, params.scheduled_sampling)
        return cross_entropy(captioner, captions, rows % len(captions), params.label_smoothing, share)

    return Task(
        turns * len(captions),
        loss,
        best,
        Validation(model, dataset, params, best == MAX_CIDER_D) if len(dataset.val) else None,
        weigh=lambda rows: float(captions.lengths_of(rows % len(captions)).sum()),
    )


def selected_by(params: LstmTrainParams) -> Best:
    """Return the measure by which the best epoch is chosen."""
    return MAX_CIDER_D if params.select == "cider_d" else MIN_LOSS


def sampled_share(epoch: int, increase: float) -> float:
    """Return the share of sampled words in an epoch.

    Parameters
    ----------
    epoch : int
        The epoch, from 0.
    increase : float
        By how much the share rises every `SAMPLED_EVERY` epochs, to `MOST_SAMPLED` at most.
    """
    return min(epoch // SAMPLED_EVERY * increase, MOST_SAMPLED)


def cross_entropy(
    model: nn.Module, pairs: Pairs, rows: Integers, label_smoothing: float, sampled_share: float = 0.0
) -> Tensor:
    """Compute the mean cross-entropy a token over a batch of captions.

    The batch is cut by length into `CHUNKS` parts, each padded only to its own longest caption; the sum is the same
    as over the whole, and the time is spent on words rather than on padding.

    Parameters
    ----------
    model : nn.Module
        Called as `Captioner.forward`.
    pairs : Pairs
        The captions.
    rows : ndarray
        (B,) which captions.
    label_smoothing : float
        Share of the target spread evenly over the vocabulary (Szegedy et al. 2016, section 7).
    sampled_share : float
        Share of the words read that are drawn from the model itself; see `scheduled_sampling`.

    Returns
    -------
    Tensor
        () float32, nats.
    """
    lengths = pairs.lengths_of(rows)
    parts = [rows[part] for part in chunks(lengths)]
    total = torch.stack([_summed(model, pairs, part, label_smoothing, sampled_share) for part in parts]).sum()
    return total / int(lengths.sum())


def style_cross_entropy(model: nn.Module, styled: dict[str, Pairs], count: int, label_smoothing: float) -> Tensor:
    """Compute the mean cross-entropy a token over a batch of text in a style drawn at random.

    Instead of an image the model sees regions of nothing but zeros.

    Parameters
    ----------
    model : nn.Module
        Called as `StyleNet.forward`.
    styled : dict of str to Pairs
        The text by style.
    count : int
        Texts in a batch, at most.
    label_smoothing : float
        As in `cross_entropy`.

    Returns
    -------
    Tensor
        () float32, nats.

    References
    ----------
    Gan et al. 2017, StyleNet: on stylised text the captioner is trained as a language model.
    """
    style = list(styled)[int(torch.randint(len(styled), ()))]
    texts = styled[style]
    rows = torch.randperm(len(texts))[:count].numpy().astype(np.int64)
    device = next(model.parameters()).device
    features, inputs, targets = (torch.from_numpy(part).to(device) for part in texts.batch(rows))
    logits = model(torch.zeros_like(features), inputs, text_of=style)
    return functional.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), ignore_index=PAD, label_smoothing=label_smoothing
    )


def summed_cross_entropy(logits: Tensor, targets: Tensor, label_smoothing: float, ignored: int = PAD) -> Tensor:
    """Sum the cross-entropy over all tokens of (B, T) targets but `ignored`, given (B, T, V) logits."""
    return functional.cross_entropy(
        logits.flatten(0, 1),
        targets.flatten(),
        ignore_index=ignored,
        reduction="sum",
        label_smoothing=label_smoothing,
    )


def chunks(lengths: Integers) -> list[Integers]:
    """Cut a batch by its captions' lengths, (B,), into at most `CHUNKS` parts, as places in the batch."""
    ordered = np.argsort(lengths, kind="stable")
    return [part for part in np.array_split(ordered, CHUNKS) if len(part)]


def batches_by_length(lengths: Integers, batch_size: int) -> Iterator[Integers]:
    """Yield the rows of captions of similar length, given all lengths, so that little is padding."""
    order = np.argsort(lengths, kind="stable")
    for begin in range(0, len(order), batch_size):
        yield order[begin : begin + batch_size]


@torch.no_grad()
def mean_nll(model: nn.Module, pairs: Pairs, batch_size: int) -> float:
    """Compute the mean negative log-likelihood a token over all captions, in nats, without smoothing."""
    batches = batches_by_length(np.diff(pairs.offsets), batch_size)
    return sum(float(_summed(model, pairs, rows, 0.0, 0.0)) for rows in batches) / int(pairs.offsets[-1])


def likelihood_measures(nll: float) -> dict[str, float]:
    """Return `val_loss` and `perplexity`, given the mean negative log-likelihood a token."""
    return {"val_loss": nll, "perplexity": math.exp(nll)}


def _summed(model: nn.Module, pairs: Pairs, rows: Integers, label_smoothing: float, sampled_share: float) -> Tensor:
    device = next(model.parameters()).device
    features, inputs, targets = (torch.from_numpy(part).to(device) for part in pairs.batch(rows, model.training))
    if sampled_share > 0.0:
        inputs = scheduled_sampling(model, features, inputs, sampled_share)
    return summed_cross_entropy(model(features, inputs), targets, label_smoothing)


class Validation:
    """Measures of a captioner in training; what `photocritic.training.loop.fit` calls after an epoch.

    Parameters
    ----------
    captioner : Captioner
        The model that is trained, without what the loop wraps around it.
    dataset : Dataset
        Its validation captions, of which there must be some.
    params : LstmTrainParams
        Captions read and images decoded at once, and the words of a caption, at most.
    cider : bool
        Whether to decode the validation images, greedily, and measure the captions' `val_cider_d`.
    """

    def __init__(self, captioner: Captioner, dataset: Dataset, params: LstmTrainParams, cider: bool) -> None:
        self._captioner, self._pairs, self._batch_size = captioner, dataset.val, params.batch_size
        self._greedy = Decoding.model_validate({"strategy": "greedy", "max_length": params.max_length})
        self._reward = Reward(dataset.val, len(dataset.vocabulary), ends=False) if cider else None

    def __call__(self, model: nn.Module) -> dict[str, float]:
        """Compute `val_loss` (nats a token), `perplexity` and, where asked for, `val_cider_d` (0 to 10)."""
        measures = likelihood_measures(mean_nll(model, self._pairs, self._batch_size))
        if self._reward is not None:
            measures[MAX_CIDER_D[0]] = self._cider_d(self._reward)
        return measures

    def _cider_d(self, reward: Reward) -> float:
        """Compute the mean CIDEr-D of the images' greedy captions, as `photocritic.metrics` would."""
        device = next(self._captioner.parameters()).device
        scores = []
        for begin in range(0, len(reward), self._batch_size):
            images = np.arange(begin, min(begin + self._batch_size, len(reward)))
            features = torch.from_numpy(self._pairs.features[reward.images[images]]).to(device)
            captions = decode(self._captioner, features, self._greedy)
            scores.append(reward.score(images, captions.tokens[:, 0].cpu().numpy()))
        return float(np.concatenate(scores).mean())
