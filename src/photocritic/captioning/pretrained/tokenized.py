"""Captions as the tokens of a pretrained captioner, beside their images."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from photocritic.captioning.caption_dataset import Booleans, Integers
from photocritic.captioning.caption_loading import Images, captions_of, no_captions_message
from photocritic.captioning.pretrained.parts import SpecialTokens
from photocritic.captioning.vocabulary import join_tokens
from photocritic.core.errors import TrainingError

IGNORED = -100  # a target that counts nothing


@dataclass(frozen=True)
class TokenizedCaptions:
    """Captions in flat arrays.

    Attributes
    ----------
    images : ndarray
        (n,) int64, the row of each caption's image.
    offsets : ndarray
        (n + 1,) int64, where each caption begins in `tokens`.
    tokens : ndarray
        All captions' tokens one after another, each caption's last the end mark.
    special_tokens : SpecialTokens
        Of the model.
    """

    images: Integers
    offsets: Integers
    tokens: NDArray[np.int32]
    special_tokens: SpecialTokens

    def __len__(self) -> int:
        return len(self.images)

    def lengths_of(self, rows: Integers) -> Integers:
        """Count the tokens to predict in each of the captions."""
        return self.offsets[rows + 1] - self.offsets[rows]

    def batch(self, rows: Integers) -> tuple[Integers, Integers, Integers]:
        """Gather captions: what is read, (B, T), its mask, and what shall be predicted, `IGNORED` at the end."""
        lengths = self.lengths_of(rows)
        positions = np.arange(lengths.max())
        inside = positions < lengths[:, None]
        flat = self.tokens[np.where(inside, self.offsets[rows][:, None] + positions, 0)].astype(np.int64)
        targets = np.where(inside, flat, IGNORED)
        before = np.concatenate([np.full((len(rows), 1), self.special_tokens.start), flat[:, :-1]], axis=1)
        return np.where(inside, before, self.special_tokens.pad), inside.astype(np.int64), targets


@dataclass(frozen=True)
class TokenizedDataset:
    """Captions of the training and of the validation images, and how many had no word or were cut."""

    train: TokenizedCaptions
    val: TokenizedCaptions
    empty: int
    cut_share: float


def read_tokenized(
    captions: Path,
    known: Images,
    kind: str,
    max_length: int,
    tokenizer: Any,
    special_tokens: SpecialTokens,
    punctuation: bool = False,
    aspect: str | None = None,
) -> TokenizedDataset:
    """Read the captions of a variant.

    Parameters
    ----------
    captions : Path
        The table; its words are joined as other captioners write them. Styled comments are left out.
    known : Images
        The images to learn from.
    kind : "raw" or "filtered"
        All captions as they were written, or those that the filter kept.
    max_length : int
        Longer captions are cut to so many words, and then have no end mark.
    tokenizer, special_tokens
        The model's.
    punctuation : bool
        Whether punctuation marks are words, too.
    aspect : str, optional
        Only captions of this aspect are wanted.

    Raises
    ------
    TrainingError
        No training caption is left.
    """
    images, cut, empty = [], [], 0
    encoded: list[list[int]] = []
    for rows, words in captions_of(captions, kind, known.ids, punctuation=punctuation, aspect=aspect):
        texts = [some[: max_length + 1] for some in words.to_pylist()]
        empty += sum(not some for some in texts)
        images += [int(row) for row, some in zip(rows, texts, strict=True) if some]
        cut += [len(some) > max_length for some in texts if some]
        joined = [join_tokens(some[:max_length]) for some in texts if some]
        encoded += tokenizer(joined, add_special_tokens=False)["input_ids"] if joined else []
    places, is_cut = np.array(images, np.int64), np.array(cut, bool)
    training = known.training[places]
    if not training.any():
        raise TrainingError(no_captions_message(captions, kind, aspect=aspect))
    tokens = [ids if whole else [*ids, special_tokens.end] for ids, whole in zip(encoded, cut, strict=True)]
    train, val = (_chosen(places, tokens, chosen, special_tokens) for chosen in (training, ~training))
    return TokenizedDataset(train, val, empty, float(is_cut[training].mean()))


def _chosen(
    images: Integers, tokens: list[list[int]], chosen: Booleans, special_tokens: SpecialTokens
) -> TokenizedCaptions:
    some = [ids for ids, wanted in zip(tokens, chosen, strict=True) if wanted]
    offsets = np.concatenate([[0], np.cumsum([len(ids) for ids in some], dtype=np.int64)])
    flat = np.fromiter((token for ids in some for token in ids), np.int32, count=int(offsets[-1]))
    return TokenizedCaptions(images[chosen], offsets, flat, special_tokens)
