"""Words and captions drawn from a captioner's distribution."""

import torch
from torch import Tensor

from photocritic.captioning.models import Captioner, reorder
from photocritic.captioning.vocabulary import BOS, EOS, PAD, UNK

SILENT = (PAD, BOS, UNK)  # what decoding never says


@torch.no_grad()
def sample(model: Captioner, features: Tensor, count: int, max_length: int) -> Tensor:
    """Draw captions from the model's distribution.

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
        (B * count, L) int64, the captions of an image together, each with its `EOS`, filled up with `PAD`.
    """
    speaking = torch.arange(len(features) * count, device=features.device)
    state = reorder(model.start(features), speaking // count)
    tokens = torch.full((len(speaking), max_length), PAD, device=features.device)
    last = torch.full_like(speaking, BOS)
    for position in range(max_length):
        scores, state = model.step(last, state)
        last = draw(hushed(scores, SILENT))
        tokens[speaking, position] = last
        going = torch.nonzero(last != EOS)[:, 0]
        if len(going) == 0:
            break
        if len(going) < len(last):  # spend no time on captions that have ended
            speaking, last, state = speaking[going], last[going], reorder(state, going)
    return tokens


def draw(logits: Tensor) -> Tensor:
    """Draw from distributions, (..., V) logits to (...) numbers, by the Gumbel-max trick.

    Unlike torch.multinomial, all its kernels are deterministic on a GPU too, and on a processor uniform numbers come
    several times faster than the exponential ones that torch.multinomial draws.
    """
    return (logits - torch.rand_like(logits).log_().neg_().log_()).argmax(dim=-1)


def hushed(logits: Tensor, silent: tuple[int, ...]) -> Tensor:
    """Give (..., V) logits by which the silent numbers are impossible."""
    return logits.index_fill(-1, torch.tensor(silent, device=logits.device), -torch.inf)
