"""Self-critical sequence training: a captioner learns from the CIDEr-D of what it says itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from photocritic.captioning.decoding import Decoding, decode
from photocritic.captioning.models import Captioner
from photocritic.captioning.objective import chunks
from photocritic.captioning.pairs import Floats, Integers, Pairs
from photocritic.captioning.reward import Reward
from photocritic.captioning.sampling import SILENT, ended, hushed, sample
from photocritic.captioning.vocabulary import BOS, EOS, PAD
from photocritic.config import LstmTrainParams


@dataclass(frozen=True)
class SelfCritical:
    """The loss whose gradient raises the expected reward of a captioner's own captions.

    Attributes
    ----------
    captioner : Captioner
        Who speaks.
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
    def of(cls, captioner: Captioner, pairs: Pairs, reward: Reward, params: LstmTrainParams) -> "SelfCritical":
        """Make the loss that the parameters ask for, for the images of `pairs`."""
        return cls(
            captioner,
            pairs.features,
            reward,
            params.self_critical_samples,
            params.self_critical_baseline,
            params.max_length,
        )

    def __call__(self, model: nn.Module, rows: Integers) -> Tensor:
        """Give the mean over sampled captions of -(reward - baseline) log p(caption), for images of the reward.

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
        """Give by how much each sampled caption's reward surpasses the baseline, (B * k,)."""
        rewards = self.reward.score(np.repeat(rows, self.samples), tokens.cpu().numpy())
        each = rewards.reshape(len(rows), self.samples)
        if self.baseline == "greedy":
            greedy = Decoding.model_validate({"strategy": "greedy", "max_length": self.max_length})
            said = ended(decode(self.captioner, features, greedy).tokens[:, 0])
            others = self.reward.score(rows, said.cpu().numpy())[:, None]
        else:
            others = (each.sum(axis=1, keepdims=True) - each) / (self.samples - 1)
        surplus: NDArray[np.float64] = (each - others).reshape(-1)
        return surplus


def log_probabilities(model: nn.Module, features: Tensor, tokens: Tensor) -> Tensor:
    """Give captions' log-probabilities, with gradients, by reading each at once.

    Parameters
    ----------
    model : nn.Module
        Called as `Captioner.forward`.
    features : Tensor
        (S, R, C) features of each caption's image.
    tokens : Tensor
        (S, L) as `sample` gives them.

    Returns
    -------
    Tensor
        (S,) float32, nats.
    """
    tokens = tokens[:, : int((tokens != PAD).sum(dim=1).max())]
    inputs = functional.pad(tokens, (1, 0), value=BOS)[:, :-1].masked_fill(tokens == PAD, PAD)
    logits = hushed(model(features, inputs).float(), SILENT)
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
