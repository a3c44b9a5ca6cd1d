"""Scheduled sampling: a captioner in training reads some of its own words, as it will when it speaks."""

import torch
from torch import Tensor, nn

from photocritic.captioning.sampling import draw, hushed
from photocritic.captioning.vocabulary import BOS, EOS, PAD

EVERY = 5  # epochs between two increases (ERG)
MOST = 0.25  # of the words; more own words teach a caption's language at the expense of its image


def own_share(epoch: int, increase: float) -> float:
    """Give the share of own words in an epoch, which counts from 0.

    Parameters
    ----------
    epoch : int
        The epoch.
    increase : float
        By how much the share rises every `EVERY` epochs, to `MOST` at most.
    """
    return min(epoch // EVERY * increase, MOST)


@torch.no_grad()
def with_own_words(model: nn.Module, features: Tensor, inputs: Tensor, share: float) -> Tensor:
    """Put words that the model draws itself in the place of some words that it reads.

    A first reading of the captions as they are gives, for each place, what the model says there. Bengio et al. read
    word by word, so that an own word follows on own words; reading twice costs two forward passes for any model,
    whatever the captions' length.

    Parameters
    ----------
    model : nn.Module
        Called as `Captioner.forward`.
    features : Tensor
        (B, R, C) image features.
    inputs : Tensor
        (B, T) what the model would read, from `BOS`, padding only at the end.
    share : float
        Probability of an own word at each place after `BOS`.

    Returns
    -------
    Tensor
        (B, T) what it reads instead; padding stays.

    References
    ----------
    Bengio et al. 2015, Scheduled Sampling for Sequence Prediction with Recurrent Neural Networks, section 2.4;
    Mihaylova & Martins 2019, Scheduled Sampling for Transformers, section 3 (two passes).
    """
    words = draw(hushed(model(features, inputs)[:, :-1].float(), (PAD, BOS, EOS)))
    own = torch.rand(words.shape, device=words.device) < share
    own &= inputs[:, 1:] != PAD
    return torch.cat([inputs[:, :1], torch.where(own, words, inputs[:, 1:])], dim=1)
