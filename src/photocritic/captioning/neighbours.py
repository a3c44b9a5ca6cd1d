"""Consensus: the candidate caption that agrees best with what people wrote under similar training photographs."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from photocritic import tables
from photocritic.captioning.caption_dataset import Floats, Integers, Pairs
from photocritic.captioning.caption_loading import Images, captions_of, gather_features, training_images
from photocritic.captioning.reward import Reward
from photocritic.captioning.vocabulary import PAD, Vocabulary
from photocritic.core.errors import TrainingError
from photocritic.core.files import atomic_dir

TEMPERATURE = 0.1  # of the softmax over cosine similarities by which neighbours weigh
_REMEMBERED = 20_000  # training photographs, at most
_AT_ONCE = 16  # photographs whose candidates are compared at once
_ARRAYS, _WORDS = "neighbours.safetensors", "words.json"

Candidates = Sequence[Sequence[str]]  # captions of one photograph, as words


class Neighbours:
    """Training photographs as a captioner sees them, with their captions.

    Parameters
    ----------
    vectors : ndarray of float16, (N, C)
        Features, scaled to length 1.
    captions : Pairs
        Their captions in numbers; `captions.features` is not looked at.
    vocabulary : Vocabulary
        All words of these captions.

    References
    ----------
    Devlin et al. 2015, Exploring Nearest Neighbor Approaches for Image Captioning, section 3.2 (the consensus caption);
    Mao et al. 2015, Deep Captioning with Multimodal Recurrent Neural Networks, section 8 (a captioner's own candidates
    ranked by it). Both weigh all neighbours alike.
    """

    def __init__(self, vectors: NDArray[np.float16], captions: Pairs, vocabulary: Vocabulary) -> None:
        self.captions, self.vocabulary = captions, vocabulary
        self._reward = Reward(captions, len(vocabulary), ends=False)
        self.vectors = vectors[self._reward.images]  # of those that have captions

    @classmethod
    def of(
        cls,
        captions: Path,
        images: Path,
        features: Path,
        kind: Literal["raw", "filtered"],
        view: tables.Stored,
        scratch: Path,
        seed: int,
        aspect: str | None = None,
    ) -> "Neighbours":
        """Read training photographs with the captions that a captioner was trained on; at most 20,000, by the seed.

        Parameters
        ----------
        captions, images, features : Path
            The tables.
        kind : "raw" or "filtered"
            Which captions.
        view : "pooled" or "grid"
            Which features; the cells of a grid are averaged.
        scratch : Path
            Folder for a scratch file.
        seed : int
            Of the draw.
        aspect : str, optional
            The captions' aspect; by default all.
        """
        known = training_images(images)
        rows = np.flatnonzero(known.training)
        rows = np.sort(np.random.default_rng(seed).permutation(rows)[:_REMEMBERED])
        remembered = Images(known.ids.take(rows), np.ones(len(rows), bool))
        vectors = unit(gather_features(remembered, images, features, scratch, view))
        owners, words = [], []
        for owner, texts in captions_of(captions, kind, remembered.ids, aspect=aspect):
            for image, tokens in zip(owner.tolist(), texts.to_pylist(), strict=True):
                if tokens:
                    owners.append(image)
                    words.append(tokens)
        vocabulary = Vocabulary.of(words, size=sys.maxsize)
        tokens = [vocabulary.encode(caption) for caption in words]
        offsets = np.concatenate([[0], np.cumsum([len(caption) for caption in tokens])]).astype(np.int64)
        pairs = Pairs(np.empty((0, 1, 0), np.float32), np.array(owners, np.int32), offsets, np.concatenate(tokens))
        return cls(vectors.astype(np.float16), pairs, vocabulary)

    def save(self, folder: Path) -> None:
        """Write them whole or not at all, as safetensors and JSON."""
        from safetensors.numpy import save_file

        _, owners = np.unique(self.captions.images, return_inverse=True)
        arrays: dict[str, NDArray[Any]] = {
            "vectors": self.vectors,
            "images": owners.astype(np.int32),
            "offsets": self.captions.offsets,
            "tokens": self.captions.tokens.astype(np.int32),
        }
        with atomic_dir(folder) as temporary:
            save_file(arrays, temporary / _ARRAYS)
            self.vocabulary.save(temporary / _WORDS)

    @classmethod
    def load(cls, folder: Path) -> "Neighbours":
        """Read what `save` wrote.

        Raises
        ------
        TrainingError
            A file is missing, damaged, or does not fit the others.
        """
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        vocabulary = Vocabulary.load(folder / _WORDS)
        try:
            arrays = load_file(folder / _ARRAYS)
            pairs = Pairs(np.empty((0, 1, 0), np.float32), arrays["images"], arrays["offsets"], arrays["tokens"])
            if arrays["tokens"].max(initial=0) >= len(vocabulary):
                raise ValueError("its captions have words that its vocabulary lacks")
            return cls(arrays["vectors"], pairs, vocabulary)
        except (OSError, SafetensorError, KeyError, IndexError, ValueError, json.JSONDecodeError) as error:
            reason = " ".join(str(error).split())
            raise TrainingError(f"{folder}: damaged neighbours ({reason}); run predict again") from None

    def choose(self, features: Floats, candidates: Sequence[Candidates], count: int) -> list[int]:
        """Choose each photograph's caption among its candidates.

        A candidate scores the mean CIDEr-D with the captions of each of the nearest training photographs, these weighed
        by a softmax over their cosine similarity. Document frequencies are those of all these captions.

        Parameters
        ----------
        features : ndarray of float32, (B, R, C)
            The photographs; cells are averaged.
        candidates : sequence of sequence of sequence of str
            Captions of each, as words, best first.
        count : int
            Neighbours of a photograph.

        Returns
        -------
        list of int
            The place of each photograph's choice; the first of equals.
        """
        chosen: list[int] = []
        for start in range(0, len(features), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            chosen += self._choose(unit(features[part]), candidates[part], count)
        return chosen

    def _choose(self, vectors: Floats, candidates: Sequence[Candidates], count: int) -> list[int]:
        nearest, weights = self._nearest(vectors, count)
        sizes = [len(one) for one in candidates]
        owner = np.repeat(np.arange(len(sizes)), sizes)
        tokens = _padded([self.vocabulary.encode(words) for one in candidates for words in one])
        agreement = self._reward.agreement(nearest[owner], weights[owner], tokens)
        return [int(part.argmax()) for part in np.split(agreement, np.cumsum(sizes)[:-1])]

    def _nearest(self, vectors: Floats, count: int) -> tuple[Integers, NDArray[np.float64]]:
        """Find the nearest of these photographs: rows (B, K), nearest first, and how much each weighs (B, K)."""
        similarity = vectors @ self.vectors.astype(np.float32).T
        nearest = np.argsort(-similarity, axis=1, kind="stable")[:, :count]
        close = np.take_along_axis(similarity, nearest, axis=1).astype(np.float64)
        weights = np.exp((close - close[:, :1]) / TEMPERATURE)
        return nearest, weights / weights.sum(axis=1, keepdims=True)


def unit(regions: Floats) -> Floats:
    """Average the cells of images (B, R, C) and scale each mean to length 1, (B, C); zeros stay zeros."""
    vectors = np.asarray(regions, np.float32).mean(axis=1)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = vectors / np.where(lengths > 0, lengths, 1.0)
    return scaled


def _padded(captions: Sequence[Sequence[int]]) -> Integers:
    found = np.full((len(captions), max(map(len, captions), default=0) or 1), PAD, np.int64)
    for row, caption in enumerate(captions):
        found[row, : len(caption)] = caption
    return found
