"""Words and captions drawn from a captioner's distribution."""

import torch
from torch import Tensor

from photocritic.captioning import decoding
from photocritic.captioning.decoding import Decoding
from photocritic.captioning.models import Captioner
from photocritic.captioning.vocabulary import BOS, EOS, PAD, UNK

SILENT = (PAD, BOS, UNK)  # what decoding never says


def sample(model: Captioner, features: Tensor, count: int, max_length: int) -> Tensor:
    """Draw captions from the model's distribution, as training wants them.

    Parameters
    ----------
    model : Captioner
        In evaluation mode.
    features : Tensor
        (B, R, C) image features on the model's device.
    count : int
        Captions for each image.
    max_length : int
        Words in a caption, at most; a longer one is cut and has no end mark, as a training caption is.

    Returns
    -------
    Tensor
        (B * count, L) int64, the captions of an image together, each with its `EOS`, filled up with `PAD`. What is
        drawn follows torch's global generator.
    """
    seed = int(torch.randint(2**62, ()))
    options = Decoding.model_validate({"strategy": "sample", "top_p": 1.0, "max_length": max_length})
    drawn = decoding.sample(model, features, options, samples=count, seed=seed)
    return ended(drawn.tokens.flatten(0, 1))


def ended(tokens: Tensor) -> Tensor:
    """Put an `EOS` behind captions filled up with `PAD`, those that fill their row excepted: they were made to end."""
    lengths = (tokens != PAD).sum(dim=1, keepdim=True)
    return torch.where(torch.arange(tokens.shape[1], device=tokens.device) == lengths, EOS, tokens)


def draw(logits: Tensor) -> Tensor:
    """Draw from distributions, (..., V) logits to (...) numbers, by the Gumbel-max trick.

    Unlike torch.multinomial, all its kernels are deterministic on a GPU too, and on a processor uniform numbers come
    several times faster than the exponential ones that torch.multinomial draws.
    """
    return (logits - torch.rand_like(logits).log_().neg_().log_()).argmax(dim=-1)


def hushed(logits: Tensor, silent: tuple[int, ...]) -> Tensor:
    """Give (..., V) logits by which the silent numbers are impossible."""
    return logits.index_fill(-1, torch.tensor(silent, device=logits.device), -torch.inf)
