"""The loss of a batch of captions, and the perplexity of a set of them."""

import math
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from photocritic.captioning.pairs import Integers, Pairs
from photocritic.captioning.scheduled import with_own_words
from photocritic.captioning.vocabulary import PAD

CHUNKS = 4  # of similar length, in a training batch: padding falls from two fifths of a batch to a tenth


def loss(model: nn.Module, pairs: Pairs, rows: Integers, label_smoothing: float, own_share: float = 0.0) -> Tensor:
    """Give the mean cross-entropy a token over a batch of captions.

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
    own_share : float
        Share of the words read that are the model's own; see `scheduled.with_own_words`.

    Returns
    -------
    Tensor
        () float32, nats.
    """
    lengths = pairs.lengths_of(rows)
    parts = [rows[part] for part in chunks(lengths)]
    total = torch.stack([_summed(model, pairs, part, label_smoothing, own_share) for part in parts]).sum()
    return total / int(lengths.sum())


def chunks(lengths: Integers) -> list[Integers]:
    """Cut a batch by its captions' lengths, (B,), into at most `CHUNKS` parts, as places in the batch."""
    ordered = np.argsort(lengths, kind="stable")
    return [part for part in np.array_split(ordered, CHUNKS) if len(part)]


@torch.no_grad()
def mean_nll(model: nn.Module, pairs: Pairs, batch_size: int) -> float:
    """Give the mean negative log-likelihood a token over all captions, in nats, without smoothing."""
    batches = list(_by_length(pairs, batch_size))
    total = sum(float(_summed(model, pairs, rows, 0.0, 0.0)) for rows in batches)
    return total / int(pairs.offsets[-1])


def perplexity(nll: float) -> float:
    """Give the perplexity that belongs to a mean negative log-likelihood a token."""
    return math.exp(nll)


def _by_length(pairs: Pairs, batch_size: int) -> Iterator[Integers]:
    order = np.argsort(pairs.lengths_of(np.arange(len(pairs))), kind="stable")
    for begin in range(0, len(order), batch_size):
        yield order[begin : begin + batch_size]


def _summed(model: nn.Module, pairs: Pairs, rows: Integers, label_smoothing: float, own_share: float) -> Tensor:
    device = next(model.parameters()).device
    features, inputs, targets = (torch.from_numpy(part).to(device) for part in pairs.batch(rows))
    if own_share > 0.0:
        inputs = with_own_words(model, features, inputs, own_share)
    return summed(model(features, inputs), targets, label_smoothing)


def summed(logits: Tensor, targets: Tensor, label_smoothing: float, ignored: int = PAD) -> Tensor:
    """Sum the cross-entropy over all tokens of (B, T) targets but `ignored`, given (B, T, V) logits."""
    return functional.cross_entropy(
        logits.flatten(0, 1),
        targets.flatten(),
        ignore_index=ignored,
        reduction="sum",
        label_smoothing=label_smoothing,
    )
