"""Captions decoded word by word, each choice final: greedy decoding, and nucleus sampling from counted draws.

What is drawn is a function of (seed, image, sample, step) alone, whatever else stands in the batch.
"""

import hashlib
from collections.abc import Callable, Iterable

import torch
from torch import Tensor

from photocritic.captioning.captioner import Captioner, reorder
from photocritic.captioning.decoding.choice import Decoded, constrain, first_max
from photocritic.captioning.vocabulary import BOS, EOS, PAD
from photocritic.config import Decoding

BITS = 40  # of a draw: below 1 by more than float64 rounds, however it is scaled

Choose = Callable[[Tensor, Tensor, int], Tensor]  # (N, V) scores, (N,) rows, words so far: (N,) tokens


@torch.no_grad()
def greedy(model: Captioner, features: Tensor, options: Decoding) -> Decoded:
    """Choose the likeliest word at every step, the one with the lowest number among equals; see `decode`."""
    return _walk(model, features, options, 1, lambda scores, *_: first_max(scores)[1])


@torch.no_grad()
def sample(
    model: Captioner,
    features: Tensor,
    options: Decoding,
    *,
    samples: int = 1,
    seed: int = 0,
    keys: Tensor | None = None,
) -> Decoded:
    """Draw captions from the model's distribution, cut to the nucleus of each step.

    Parameters
    ----------
    model : Captioner
        In evaluation mode; in training mode dropout takes part in what is drawn.
    features : Tensor
        (B, R, C) image features on the model's device.
    options : Decoding
        `top_p`, `temperature`, and which words may come next; what is forbidden takes no part in the nucleus.
    samples : int
        Captions K drawn for each image.
    seed : int
        What is drawn is a function of the seed, the image's key and scores, and the number of the sample.
    keys : Tensor, optional
        (B,) int64 number of each image; without it, its position in `features`.

    Returns
    -------
    Decoded
        K captions an image, in the order in which they are drawn. Log-probabilities are the model's own, neither
        sharpened by the temperature nor cut to the nucleus.

    References
    ----------
    Holtzman et al. 2020, The Curious Case of Neural Text Degeneration, Eq. 2-3.
    """
    owners = torch.arange(len(features), device=features.device) if keys is None else keys.to(features.device)
    owner = owners.repeat_interleave(samples)
    number = torch.arange(samples, device=features.device).repeat(len(features))

    def choose(scores: Tensor, rows: Tensor, words: int) -> Tensor:
        return nucleus(scores / options.temperature, options.top_p, uniform(seed, owner[rows], number[rows], words))

    return _walk(model, features, options, samples, choose)


def nucleus(scores: Tensor, top_p: float, draw: Tensor) -> Tensor:
    """Choose words from the fewest likeliest ones that together have a share `top_p` of the probability.

    Parameters
    ----------
    scores : Tensor
        (N, V) unnormalised log-probabilities.
    top_p : float
        Share of the probability that is kept, in (0, 1]; the likeliest word is always kept.
    draw : Tensor
        (N,) float64 in [0, 1), by which the inverse of the distribution function is taken.

    Returns
    -------
    Tensor
        (N,) int64 words.
    """
    probabilities = torch.softmax(scores.double(), dim=1)
    if top_p == 1.0:
        return _inverse(probabilities, draw)
    sorted_, words = probabilities.sort(dim=1, descending=True, stable=True)
    before = sorted_.cumsum(dim=1) - sorted_
    kept = sorted_.masked_fill(before >= top_p, 0.0)
    return words.gather(1, _inverse(kept, draw)[:, None])[:, 0]


def _inverse(weights: Tensor, draw: Tensor) -> Tensor:
    """Return the first place whose cumulative weight exceeds the drawn share of the sum; it has weight itself."""
    cumulative = weights.cumsum(dim=1)
    return torch.searchsorted(cumulative, draw[:, None] * cumulative[:, -1:], right=True)[:, 0]


def _walk(model: Captioner, features: Tensor, options: Decoding, copies: int, choose: Choose) -> Decoded:
    """Decode `copies` captions an image; a caption that has ended leaves the batch."""
    rows = torch.arange(len(features) * copies, device=features.device)
    state = reorder(model.start(features), rows // copies)
    last = torch.full_like(rows, BOS)
    tokens = torch.full((len(rows), options.max_length), PAD, device=features.device)
    total = torch.zeros(len(rows), device=features.device)
    for words in range(options.max_length + 1):
        scores, state = model.step(last, state)
        last = choose(constrain(scores.clone(), tokens[rows], words, options), rows, words)
        total[rows] += scores.gather(1, last[:, None])[:, 0]
        going = (last != EOS).nonzero()[:, 0]
        if len(going) < len(rows):
            rows, last, state = rows[going], last[going], reorder(state, going)
        if not len(rows):
            break
        tokens[rows, words] = last
    return Decoded(tokens.reshape(-1, copies, options.max_length), total.reshape(-1, copies))


def uniform(seed: int, *counters: Tensor | int) -> Tensor:
    """Draw numbers from [0, 1).

    Parameters
    ----------
    seed : int
        The seed.
    counters : int64 Tensor or int
        What else a draw is a function of; at least one is a tensor, and their shapes broadcast.

    Returns
    -------
    Tensor
        float64, of the counters' common shape.

    References
    ----------
    Steele et al. 2014, Fast Splittable Pseudorandom Number Generators: the finaliser of SplitMix64, here a hash that
    takes in one counter after another.
    """
    mixed: Tensor | int = _signed(seed)
    for counter in counters:
        mixed = _mix(torch.as_tensor(mixed) * _signed(0x9E3779B97F4A7C15) + counter + 1)
    return _shift(_mix(torch.as_tensor(mixed)), 64 - BITS).double() * 2.0**-BITS


def keys_of(names: Iterable[str]) -> Tensor:
    """Number images by their names, so that a draw is the image's own whatever stands beside it; (B,) int64."""
    digests = (hashlib.blake2b(name.encode("utf-8"), digest_size=8).digest() for name in names)
    return torch.tensor([int.from_bytes(digest, "big", signed=True) for digest in digests], dtype=torch.int64)


def _mix(number: Tensor) -> Tensor:
    number = (number ^ _shift(number, 30)) * _signed(0xBF58476D1CE4E5B9)
    number = (number ^ _shift(number, 27)) * _signed(0x94D049BB133111EB)
    return number ^ _shift(number, 31)


def _shift(number: Tensor, bits: int) -> Tensor:
    """Shift right and fill with zeros, where torch would repeat the sign."""
    return (number >> bits) & ((1 << (64 - bits)) - 1)


def _signed(number: int) -> int:
    """Read 64 bits as two's complement, which is how int64 arithmetic wraps around."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)
