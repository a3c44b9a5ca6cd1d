"""Whether a sentence is in a style, and which of its words the classifier looks at."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from photocritic.core.errors import TrainingError
from photocritic.styles.styled_captions import FACTUAL, Labelled
from photocritic.styles.word_tokenizer import Words, word_pieces

MAX_TOKENS = 96
THRESHOLD = 0.5  # a sentence is in the style when its probability is above: when the style is the likelier class
_BLOCK = 128  # sentences classified at once


class StyleClassifier:
    """A BERT that classifies sentences as factual or in one style, over words (ERG section 4.4).

    Parameters
    ----------
    model : transformers.PreTrainedModel
        A classifier of sequences into factual, class 0, and the style, class 1; it can return its attention weights.
    tokenizer : transformers.PreTrainedTokenizerFast
        Its tokenizer, with [CLS] and [SEP].
    style : str
        The style.
    """

    def __init__(self, model: nn.Module, tokenizer: Any, style: str) -> None:
        self.model, self.style = model, style
        self._tokenizer = tokenizer

    def save(self, folder: Path) -> None:
        """Write weights, tokenizer and the names of the two classes into a folder, as safetensors and JSON."""
        self.model.config.id2label = {0: FACTUAL, 1: self.style}  # type: ignore[union-attr]
        self.model.save_pretrained(folder, safe_serialization=True)  # type: ignore[operator]
        self._tokenizer.save_pretrained(folder)

    @classmethod
    def load(cls, folder: Path) -> "StyleClassifier":
        """Read what `save` wrote.

        Raises
        ------
        TrainingError
            A file is missing or damaged.
        """
        from safetensors import SafetensorError
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        try:
            tokenizer = AutoTokenizer.from_pretrained(folder, use_fast=True, local_files_only=True)
            model = AutoModelForSequenceClassification.from_pretrained(
                folder, attn_implementation="eager", use_safetensors=True, local_files_only=True
            )
        except (OSError, ValueError, SafetensorError) as error:
            raise TrainingError(f"{folder}: damaged style classifier ({error}); run style_judges again") from None
        return cls(model, tokenizer, model.config.id2label[1])

    def encode(self, sentences: Sequence[Words]) -> list[list[list[int]]]:
        """Return the token ids of each word of each sentence, cut where the model's input ends."""
        return [_cut(pieces) for pieces in word_pieces(self._tokenizer, sentences)]

    def inputs(self, encoded: Sequence[list[list[int]]]) -> dict[str, Tensor]:
        """Pad a batch: `input_ids` and `attention_mask`, both (B, T) with [CLS] first, on the model's device."""
        rows = [
            [self._tokenizer.cls_token_id, *(token for word in words for token in word), self._tokenizer.sep_token_id]
            for words in encoded
        ]
        width = max(len(row) for row in rows)
        ids = torch.full((len(rows), width), int(self._tokenizer.pad_token_id))
        mask = torch.zeros_like(ids)
        for index, row in enumerate(rows):
            ids[index, : len(row)] = torch.tensor(row)
            mask[index, : len(row)] = 1
        device = next(self.model.parameters()).device
        return {"input_ids": ids.to(device), "attention_mask": mask.to(device)}

    def probabilities(self, sentences: Sequence[Words]) -> NDArray[np.float64]:
        """Compute each sentence's probability of being in the style.

        Parameters
        ----------
        sentences : sequence of sequence of str
            Lower-case words.

        Returns
        -------
        ndarray of float64, shape (N,)
            In [0, 1]; the rest is the probability of being factual.
        """
        result = np.empty(len(sentences))
        for index, output, _ in self._run(sentences, attentions=False):
            result[index] = output.logits.double().softmax(dim=-1)[:, 1].cpu().numpy()
        return result

    def accuracy(self, labelled: Labelled) -> float:
        """Compute the share of sentences, of which there is one at least, that get their own class."""
        return float(np.mean((self.probabilities(labelled.sentences) > THRESHOLD) == np.array(labelled.in_style)))

    def importance(self, sentences: Sequence[Words]) -> list[NDArray[np.float64]]:
        """Compute how much [CLS] attends to each word in each layer and head.

        Parameters
        ----------
        sentences : sequence of sequence of str
            Lower-case words.

        Returns
        -------
        list of ndarray of float64, shape (layers, heads, words)
            For each sentence, weights that sum to 1 over its words; a word beyond the model's input weighs 0.

        References
        ----------
        ERG Eq. 1: the softmax runs over the sentence's words alone.
        """
        result: list[NDArray[np.float64]] = [np.empty(0)] * len(sentences)
        for index, output, encoded in self._run(sentences, attentions=True):
            # (layers, B, heads, T): the row of [CLS] in each layer's attention.
            weights = torch.stack([layer[:, :, 0, :] for layer in output.attentions]).double().cpu().numpy()
            for row, (sentence, words) in enumerate(zip(index, encoded, strict=True)):
                result[sentence] = _over_words(weights[:, row], words, len(sentences[sentence]))
        return result

    @torch.no_grad()
    def _run(
        self, sentences: Sequence[Words], attentions: bool
    ) -> Iterator[tuple[list[int], Any, list[list[list[int]]]]]:
        self.model.eval()
        encoded = self.encode(sentences)
        by_length = sorted(range(len(encoded)), key=lambda i: (sum(map(len, encoded[i])), i))
        for start in range(0, len(by_length), _BLOCK):
            index = by_length[start : start + _BLOCK]
            batch = [encoded[i] for i in index]
            yield index, self.model(**self.inputs(batch), output_attentions=attentions), batch


def _cut(pieces: list[list[int]]) -> list[list[int]]:
    room = MAX_TOKENS - 2
    kept = []
    for word in pieces:
        room -= len(word)
        if room < 0:
            break
        kept.append(word)
    return kept


def _over_words(weights: NDArray[np.float64], words: list[list[int]], length: int) -> NDArray[np.float64]:
    """Sum the weights (layers, heads, T) over each word's pieces, and make them a distribution over the words."""
    summed = np.zeros((*weights.shape[:2], length))
    place = 1  # after [CLS]
    for index, pieces in enumerate(words):
        summed[:, :, index] = weights[:, :, place : place + len(pieces)].sum(axis=-1)
        place += len(pieces)
    return np.asarray(summed / np.maximum(summed.sum(axis=-1, keepdims=True), 1e-12))
