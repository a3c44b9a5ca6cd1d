"""What a captioner is worth on the validation captions, epoch by epoch."""

import numpy as np
import torch
from torch import nn

from photocritic.captioning import objective
from photocritic.captioning.data import Dataset
from photocritic.captioning.decoding import Decoding, decode
from photocritic.captioning.models import Captioner
from photocritic.captioning.reward import Reward


class Validation:
    """Measures of a captioner in training; what `photocritic.training.loop.fit` calls after an epoch.

    Parameters
    ----------
    captioner : Captioner
        Who speaks: the model that is trained, without what the loop wraps around it.
    dataset : Dataset
        Its validation captions, of which there must be some.
    batch_size : int
        Captions read and images decoded at once.
    max_length : int
        Words in a caption, at most.
    cider : bool
        Whether to decode the validation images, greedily, and give the captions' `val_cider_d`.
    """

    def __init__(self, captioner: Captioner, dataset: Dataset, batch_size: int, max_length: int, cider: bool) -> None:
        self._captioner, self._pairs = captioner, dataset.val
        self._batch_size, self._max_length = batch_size, max_length
        self._reward = Reward(dataset.val, len(dataset.vocabulary), ends=False) if cider else None

    def __call__(self, model: nn.Module) -> dict[str, float]:
        """Give `val_loss` (nats a token), `perplexity` and, where asked for, `val_cider_d` (0 to 10)."""
        nll = objective.mean_nll(model, self._pairs, self._batch_size)
        measures = {"val_loss": nll, "perplexity": objective.perplexity(nll)}
        if self._reward is not None:
            measures["val_cider_d"] = self._cider_d(self._reward)
        return measures

    def _cider_d(self, reward: Reward) -> float:
        """Give the mean CIDEr-D of the images' greedy captions, as `photocritic.metrics` would for the same words."""
        device = next(self._captioner.parameters()).device
        scores = []
        for begin in range(0, len(reward), self._batch_size):
            images = np.arange(begin, min(begin + self._batch_size, len(reward)))
            features = torch.from_numpy(self._pairs.features[reward.images[images]]).to(device)
            greedy = Decoding.model_validate({"strategy": "greedy", "max_length": self._max_length})
            said = decode(self._captioner, features, greedy)
            scores.append(reward.score(images, said.tokens[:, 0].cpu().numpy()))
        return float(np.concatenate(scores).mean())
