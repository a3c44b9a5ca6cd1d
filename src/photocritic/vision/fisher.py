"""Topics and words read from Fisher vectors by ridge regression: weak supervision without a CNN, in minutes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from photocritic.core import logs
from photocritic.core.errors import CorpusError
from photocritic.images.decoding import Pixels
from photocritic.training.seeding import deterministic
from photocritic.vision.description import (
    Describer,
    Description,
    on_the_fastest_device,
    plain_view,
    unnormalised,
)
from photocritic.vision.fisher_vectors import Colours, FisherVectors, Gradients, sample_descriptors
from photocritic.vision.ridge import fit_ridge
from photocritic.vision.targets import Targets

_LEARNED_FROM = 8_000  # photographs that the regression is fitted to, at most: it takes memory with their square
_SAMPLED = 400  # photographs, and descriptors of all of them, that the mixtures are fitted to
_DESCRIPTORS = 200_000
_LEAST_SHARE = 1e-6  # of a topic

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class FisherConfig:
    """All that is needed to build a network of Fisher vectors again.

    Attributes
    ----------
    feature : str
        Always fisher.
    image_size : int
        Side in pixels of the squares that it describes.
    components : int
        Gaussians of each mixture.
    outputs : dict of str to int
        What is read from the vectors: topics, words, or both, and how many of them.
    """

    feature: str
    image_size: int
    components: int
    outputs: dict[str, int]


class FisherNetwork(Describer):
    """Fisher vectors of gradients and of colours, and a linear map from them to topics and words.

    An image's features are what the map gives.

    Parameters
    ----------
    config : FisherConfig
        What to build.
    """

    batch: ClassVar[int] = 32
    config: FisherConfig

    def __init__(self, config: FisherConfig) -> None:
        super().__init__(config, sum(config.outputs.values()))
        self.gradients, self.colours = Gradients(config.components), Colours(config.components)
        self.readout = nn.Linear(self.gradients.width + self.colours.width, self.width)

    @classmethod
    def build(cls, config: dict[str, Any]) -> Self:
        """Build a network with fresh weights from its configuration as `save` wrote it."""
        return cls(FisherConfig(**config))

    @property
    def cells(self) -> int:
        """There is no grid."""
        return 0

    @property
    def topics(self) -> int:
        """Topics whose shares it gives, K; 0 where it has learned none."""
        return self.config.outputs.get("topics", 0)

    def describe(self, images: Tensor) -> Description:
        """Compute raw features and the topics' shares.

        Parameters
        ----------
        images : Tensor of float32, (B, 3, S, S)
            Normalised images.

        Returns
        -------
        Description
            What is read of the topics and words, (B, C); a grid of no cells; and the topics' as shares, where there
            are any.
        """
        return self.reading(self.readout(self.vectors(images)))

    def vectors(self, images: Tensor) -> Tensor:
        """Compute the mean Fisher vectors (B, F) of normalised images (B, 3, S, S) and their mirror images."""
        seen = unnormalised(images)
        return torch.cat([(kind(seen) + kind(seen.flip(3))) / 2 for kind in self._kinds], dim=1)

    def reading(self, values: Tensor) -> Description:
        """Describe images by what was read of them (B, C)."""
        probabilities = {}
        if self.topics:
            shares = values[:, : self.topics].clamp(min=_LEAST_SHARE)
            probabilities["topics"] = shares / shares.sum(dim=1, keepdim=True)
        return Description(values, values.new_zeros(len(values), 0, self.width), probabilities)

    def fit_mixtures(self, pixels: Pixels, rows: NDArray[np.int64], seed: int) -> None:
        """Fit both mixtures to descriptors of photographs that are drawn among `rows`."""
        random = np.random.default_rng(seed)
        chosen = np.sort(random.permutation(rows)[:_SAMPLED])
        each = _DESCRIPTORS // len(chosen)
        batches = [chosen[start : start + self.batch] for start in range(0, len(chosen), self.batch)]
        images = [unnormalised(plain_view(torch.from_numpy(np.array(pixels[batch])))) for batch in batches]
        for kind in self._kinds:
            with torch.inference_mode(), deterministic():
                kind.fit(*sample_descriptors(kind, images, each, random), seed)

    @property
    def _kinds(self) -> tuple[FisherVectors, ...]:
        return self.gradients, self.colours


@dataclass(frozen=True)
class Fitted:
    """A corpus as a network that was fitted to its training photographs sees it.

    Attributes
    ----------
    network : FisherNetwork
        Fitted; its features are not standardised yet.
    vectors : ndarray of float16, (N, F)
        Fisher vectors, memory-mapped.
    left_out : dict of int to ndarray of float32, (C,)
        What is read of a photograph by a map that was fitted without it, for all that it was fitted to, by row.
    explained : float
        Share of the targets' variance that these readings explain.
    """

    network: FisherNetwork
    vectors: NDArray[np.float16]
    left_out: dict[int, Vectors]
    explained: float

    def describe(self) -> Iterator[Description]:
        """Describe the corpus in batches, in its order.

        A photograph that the map was fitted to is described as by a map that was fitted without it. Else a captioner
        would learn from descriptions that know their captions, as those of no other photograph do.
        """
        for start in range(0, len(self.vectors), self.network.batch):
            vectors = np.array(self.vectors[start : start + self.network.batch], dtype=np.float32)
            with torch.inference_mode():
                values = self.network.readout(torch.from_numpy(vectors)).numpy().copy()
            for place in range(len(values)):
                values[place] = self.left_out.get(start + place, values[place])
            yield self.network.reading(torch.from_numpy(values))


def fit(
    network: FisherNetwork, pixels: Pixels, targets: Targets, train: NDArray[np.int64], seed: int, scratch: Path
) -> Fitted:
    """Fit mixtures and map to the training photographs.

    Parameters
    ----------
    network : FisherNetwork
        It is fitted in place, where there is one on a GPU.
    pixels : ndarray of uint8, (N, S, S, 3)
        The corpus, memory-mapped.
    targets : Targets
        What is to be read: topics by their shares, and whether there is a word.
    train : ndarray of int64
        Training photographs, to which the mixtures are fitted; the map is fitted to at most 8,000 of those that have
        targets, drawn by the seed.
    seed : int
        Of the draws.
    scratch : Path
        A file to hold the Fisher vectors; the caller deletes it.

    Raises
    ------
    CorpusError
        A single photograph is left to fit the map to.
    """
    if len(targets.rows["train"]) < 2:
        raise CorpusError("features 'fisher': one training photograph has topics, and a map from two or more is needed")
    network.eval().fit_mixtures(pixels, train, seed)
    vectors = _all_vectors(network, pixels, scratch)
    rows = np.sort(np.random.default_rng(seed).permutation(targets.rows["train"])[:_LEARNED_FROM])
    wanted = np.concatenate([_wanted(name, targets.heads[name][rows]) for name in network.config.outputs], axis=1)
    ridge = fit_ridge(vectors, rows, wanted)
    with torch.no_grad():
        network.readout.weight.copy_(torch.from_numpy(ridge.weights.T))
        network.readout.bias.copy_(torch.from_numpy(ridge.bias))
    left_out = dict(zip(rows.tolist(), ridge.left_out.astype(np.float32), strict=True))
    varies = float(((wanted - wanted.mean(axis=0)) ** 2).sum())
    missed = float(((wanted - ridge.left_out) ** 2).sum())
    return Fitted(network, vectors, left_out, 1.0 - missed / varies if varies else 0.0)


def _all_vectors(network: FisherNetwork, pixels: Pixels, scratch: Path) -> NDArray[np.float16]:
    shape = (len(pixels), network.readout.in_features)
    vectors: NDArray[np.float16] = np.memmap(scratch, dtype=np.float16, mode="w+", shape=shape)
    on_the_fastest_device(network)
    for start in logs.progress(range(0, len(pixels), network.batch), "making Fisher vectors"):
        batch = torch.from_numpy(np.array(pixels[start : start + network.batch])).to(network.mean.device)
        with torch.inference_mode(), deterministic():
            vectors[start : start + len(batch)] = network.vectors(plain_view(batch)).half().cpu().numpy()
    network.cpu()
    return vectors


def _wanted(name: str, head: Vectors) -> NDArray[np.float64]:
    return (head > 0).astype(np.float64) if name == "words" else head.astype(np.float64)
