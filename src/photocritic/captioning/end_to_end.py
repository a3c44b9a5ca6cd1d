"""A captioner and the CNN before it as one model, and the loss that trains both."""

from collections.abc import Sequence
from typing import Self

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from photocritic.captioning.caption_dataset import Integers, Pairs
from photocritic.captioning.captioner import Captioner
from photocritic.captioning.objective import chunks, sampled_share, summed_cross_entropy
from photocritic.captioning.scheduled_sampling import scheduled_sampling
from photocritic.config import LstmTrainParams
from photocritic.images.decoding import Pixels
from photocritic.tables import Stored
from photocritic.training.recipe import Position
from photocritic.vision.description import Description
from photocritic.vision.network import Network
from photocritic.vision.random_views import random_view

CROP_SHARE = 0.75  # a caption describes the whole photograph; NeuralTalk2 crops 224 of 256 pixels a side, .77 of it
JITTER = 0.0  # captions name colours


class EndToEndCaptioner(nn.Module):
    """A captioner behind the CNN whose features it reads.

    Parameters
    ----------
    network : Network
        The CNN. It stays in evaluation mode: a step sees too few images for statistics of its own, and with running
        ones that moved, features would leave the scale that their standardisation was measured on.
    captioner : Captioner
        The captioner.
    view : "pooled" or "grid"
        Which features the captioner reads.
    """

    def __init__(self, network: Network, captioner: Captioner, view: Stored) -> None:
        super().__init__()
        self.network, self.captioner, self.view = network, captioner, view

    def train(self, mode: bool = True) -> Self:
        """Put the captioner into training mode, and the CNN never."""
        super().train(mode)
        self.network.eval()
        return self

    def forward(self, views: Tensor, reading: Sequence[tuple[Tensor, Tensor]], share: float) -> list[Tensor]:
        """Score captions' next words; each image passes the CNN once, however many captions it has.

        Parameters
        ----------
        views : Tensor of float32, (B, 3, S, S)
            Normalised images.
        reading : sequence of (Tensor, Tensor)
            Groups of captions: (P,) int64, each caption's image; (P, T) int64, what is read, from `BOS`.
        share : float
            Of the words read that are drawn from the captioner itself.

        Returns
        -------
        list of Tensor
            (P, T, V) logits of each group.
        """
        features = self.features(views)
        logits = []
        for owners, words in reading:
            theirs, inputs = features[owners], words
            if share > 0.0:
                inputs = scheduled_sampling(self.captioner, theirs, words, share)
            logits.append(self.captioner(theirs, inputs))
        return logits

    def features(self, views: Tensor) -> Tensor:
        """Compute the standardised features, (B, R, C), with gradients."""
        maps = self.network.backbone(views)
        pooled = maps.mean(dim=(2, 3))
        if self.view == "pooled":
            return self.network.standardise(Description(pooled, pooled[:, None], {})).pooled[:, None]
        grid = _cells(maps, self.network.config.grid).flatten(2).transpose(1, 2)
        return self.network.standardise(Description(pooled, grid, {})).grid


def _cells(maps: Tensor, grid: int) -> Tensor:
    """Pool maps (B, C, h, w) into cells (B, C, grid, grid), as adaptive pooling does.

    CUDA has no deterministic gradient of adaptive pooling, but of the matrix products that it amounts to.
    """
    rows, columns = (
        functional.adaptive_avg_pool1d(torch.eye(side, device=maps.device)[None], grid)[0].to(maps.dtype)
        for side in maps.shape[2:]
    )
    return rows.T @ maps @ columns


class EndToEndLoss:
    """The loss over training images, each with all its captions.

    An image's captions are learned together because the CNN is what costs: with one caption an image, an epoch over
    the captions would pass each image through it as often as it has captions.

    Parameters
    ----------
    pairs : Pairs
        The training captions.
    pixels : ndarray of uint8, (N, S, S, 3)
        The images, in the order of the pairs' features.
    size : int
        Side of the random views in pixels.
    params : LstmTrainParams
        Label smoothing and scheduled sampling.
    known : int
        Epochs of the training before.
    """

    def __init__(self, pairs: Pairs, pixels: Pixels, size: int, params: LstmTrainParams, known: int = 0) -> None:
        self._pairs, self._pixels, self._size = pairs, pixels, size
        self._params, self._known = params, known
        self._images, owner = np.unique(pairs.images, return_inverse=True)
        self._captions = np.argsort(owner, kind="stable")
        self._first = np.concatenate([[0], np.cumsum(np.bincount(owner))])
        self._tokens = np.bincount(owner, pairs.lengths_of(np.arange(len(pairs))))

    def __len__(self) -> int:
        return len(self._images)

    def weigh(self, rows: Integers) -> float:
        """Count the tokens of some images' captions."""
        return float(self._tokens[rows].sum())

    def __call__(self, model: nn.Module, rows: Integers, position: Position) -> Tensor:
        """Compute the mean cross-entropy a token over all captions of some images, (B,) of them, in nats."""
        device = next(model.parameters()).device
        pixels = torch.from_numpy(self._pixels[self._images[rows]]).to(device)
        captions = [self._captions[self._first[row] : self._first[row + 1]] for row in rows]
        owners = np.repeat(np.arange(len(rows)), [len(some) for some in captions])
        flat = np.concatenate(captions)
        lengths = self._pairs.lengths_of(flat)
        reading, targets = [], []
        for part in chunks(lengths):
            inputs, wanted = (torch.from_numpy(words).to(device) for words in self._pairs.words(flat[part]))
            reading.append((torch.from_numpy(owners[part]).to(device), inputs))
            targets.append(wanted)
        share = sampled_share(self._known + position.epoch, self._params.scheduled_sampling)
        logits = model(random_view(pixels, self._size, CROP_SHARE, JITTER), reading, share)
        smoothing = self._params.label_smoothing
        parts = [summed_cross_entropy(*both, smoothing) for both in zip(logits, targets, strict=True)]
        return torch.stack(parts).sum() / int(lengths.sum())
