"""Words and captions drawn from a captioner's own distribution while it is trained."""

import torch
from torch import Tensor, nn

from photocritic.captioning import decoding
from photocritic.captioning.captioner import Captioner
from photocritic.captioning.decoding import Decoding
from photocritic.captioning.vocabulary import BOS, EOS, PAD, UNK

NEVER_DECODED = (PAD, BOS, UNK)


@torch.no_grad()
def scheduled_sampling(model: nn.Module, features: Tensor, inputs: Tensor, share: float) -> Tensor:
    """Replace some of the words that a model reads by words drawn from its own distribution.

    A first pass over the captions as they are gives each place's distribution. Bengio et al. read word by word, so that
    a sampled word follows on sampled words; two passes cost the same for any model, whatever the captions' length.

    Parameters
    ----------
    model : nn.Module
        Called as `Captioner.forward`.
    features : Tensor
        (B, R, C) image features.
    inputs : Tensor
        (B, T) what the model would read, from `BOS`, padding only at the end.
    share : float
        Probability of a sampled word at each place after `BOS`.

    Returns
    -------
    Tensor
        (B, T) what it reads instead; padding stays.

    References
    ----------
    Bengio et al. 2015, Scheduled Sampling for Sequence Prediction with Recurrent Neural Networks, section 2.4;
    Mihaylova & Martins 2019, Scheduled Sampling for Transformers, section 3 (two passes).
    """
    words = draw(exclude(model(features, inputs)[:, :-1].float(), (PAD, BOS, EOS)))
    replaced = torch.rand(words.shape, device=words.device) < share
    replaced &= inputs[:, 1:] != PAD
    return torch.cat([inputs[:, :1], torch.where(replaced, words, inputs[:, 1:])], dim=1)


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
    return append_end(drawn.tokens.flatten(0, 1))


def append_end(tokens: Tensor) -> Tensor:
    """Put an `EOS` behind captions filled up with `PAD`, except those that fill their row: they were made to end."""
    lengths = (tokens != PAD).sum(dim=1, keepdim=True)
    return torch.where(torch.arange(tokens.shape[1], device=tokens.device) == lengths, EOS, tokens)


def draw(logits: Tensor) -> Tensor:
    """Draw from distributions, (..., V) logits to (...) numbers, by the Gumbel-max trick.

    Unlike torch.multinomial, all its kernels are deterministic on a GPU too, and on a processor uniform numbers come
    several times faster than the exponential ones that torch.multinomial draws.
    """
    return (logits - torch.rand_like(logits).log_().neg_().log_()).argmax(dim=-1)


def exclude(logits: Tensor, tokens: tuple[int, ...]) -> Tensor:
    """Return (..., V) logits by which some tokens are impossible."""
    return logits.index_fill(-1, torch.tensor(tokens, device=logits.device), -torch.inf)
