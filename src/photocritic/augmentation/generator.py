"""The emotion-aware caption generator: a style phrase and a content in, a stylised caption out (ERG section 3.4)."""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from photocritic.core.logs import progress
from photocritic.styles.word_tokenizer import Words, word_pieces

MAX_PHRASE, MAX_CONTENT, MAX_CAPTION = 32, 64, 48  # tokens
POSITIONS = MAX_PHRASE + MAX_CONTENT + MAX_CAPTION + 4
BEAM = 3
_BLOCK = 64  # captions generated at once


class CaptionGenerator:
    """A GPT-2 that continues `[CLS] style phrase [SEP] content [SEP]` with a caption and a closing `[SEP]`.

    Parameters
    ----------
    model : transformers.GPT2LMHeadModel
        The language model.
    tokenizer : transformers.PreTrainedTokenizerFast
        Its tokenizer, with [CLS], [SEP] and [PAD].
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.model = model
        self._tokenizer = tokenizer

    def prompts(self, phrases: Sequence[Words], contents: Sequence[Words]) -> list[list[int]]:
        """Encode what a caption shall be made of."""
        cls, sep = self._tokenizer.cls_token_id, self._tokenizer.sep_token_id
        return [
            [cls, *phrase[:MAX_PHRASE], sep, *content[:MAX_CONTENT], sep]
            for phrase, content in zip(self._ids(phrases), self._ids(contents), strict=True)
        ]

    def targets(self, captions: Sequence[Words]) -> list[list[int]]:
        """Encode captions to learn."""
        return [[*ids[:MAX_CAPTION], self._tokenizer.sep_token_id] for ids in self._ids(captions)]

    def losses(self, model: nn.Module, prompts: Sequence[list[int]], targets: Sequence[list[int]]) -> Tensor:
        """Compute the mean negative log-likelihood of the captions' tokens alone (ERG Eq. 5).

        Prompts are padded on the left and captions on the right, so that captions begin in one column and the
        vocabulary's logits are computed for them alone.

        Parameters
        ----------
        model : nn.Module
            This generator's model, or a wrapper of it.
        prompts, targets : sequence of list of int
            A batch.

        Returns
        -------
        Tensor
            A scalar.
        """
        before, before_mask = self._pad(prompts, left=True)
        after, after_mask = self._pad(targets, left=False)
        mask = torch.cat([before_mask, after_mask], dim=1)
        output = model(
            input_ids=torch.cat([before, after], dim=1),
            attention_mask=mask,
            position_ids=(mask.cumsum(dim=1) - 1).clamp(min=0),
            logits_to_keep=after.shape[1] + 1,
            use_cache=False,
        )
        predicted = output.logits[:, :-1].flatten(0, 1)
        return nn.functional.cross_entropy(predicted, after.masked_fill(after_mask == 0, -100).flatten())

    @torch.no_grad()
    def generate(self, prompts: Sequence[list[int]]) -> list[tuple[str, ...]]:
        """Write a caption for each prompt by beam search.

        Parameters
        ----------
        prompts : sequence of list of int
            As from `prompts`.

        Returns
        -------
        list of tuple of str
            Lower-case words; never an unknown one.
        """
        self.model.eval()
        captions: list[tuple[str, ...]] = [()] * len(prompts)
        for index in progress(self._blocks(prompts), "generating", total=-(-len(prompts) // _BLOCK)):
            ids, mask = self._pad([prompts[i] for i in index], left=True)
            output = self.model.generate(
                input_ids=ids,
                attention_mask=mask,
                max_new_tokens=MAX_CAPTION,
                num_beams=BEAM,
                do_sample=False,
                early_stopping=True,
                suppress_tokens=self._never_written(),
                eos_token_id=self._tokenizer.sep_token_id,
                pad_token_id=self._tokenizer.pad_token_id,
            )
            texts = self._tokenizer.batch_decode(output[:, ids.shape[1] :], skip_special_tokens=True)
            for place, text in zip(index, texts, strict=True):
                captions[place] = tuple(text.lower().split())
        return captions

    def _blocks(self, prompts: Sequence[list[int]]) -> Iterator[list[int]]:
        by_length = sorted(range(len(prompts)), key=lambda i: (len(prompts[i]), i))
        for start in range(0, len(by_length), _BLOCK):
            yield by_length[start : start + _BLOCK]

    def _never_written(self) -> list[int]:
        tokenizer = self._tokenizer
        return [t for t in (tokenizer.pad_token_id, tokenizer.cls_token_id, tokenizer.unk_token_id) if t is not None]

    def _ids(self, sentences: Sequence[Words]) -> list[list[int]]:
        return [[token for word in words for token in word] for words in word_pieces(self._tokenizer, sentences)]

    def _pad(self, rows: Sequence[list[int]], left: bool) -> tuple[Tensor, Tensor]:
        width = max(len(row) for row in rows)
        ids = torch.full((len(rows), width), int(self._tokenizer.pad_token_id))
        mask = torch.zeros_like(ids)
        for index, row in enumerate(rows):
            place = slice(width - len(row), width) if left else slice(0, len(row))
            ids[index, place] = torch.tensor(row)
            mask[index, place] = 1
        device = next(iter(self.model.parameters())).device
        return ids.to(device), mask.to(device)
