"""Our ways of decoding in terms of transformers' `generate`."""

from typing import Any

import torch
from torch import Tensor

from photocritic.captioning.decoding.draws import uniform
from photocritic.captioning.decoding.walk import nucleus
from photocritic.captioning.pretrained.parts import Parts
from photocritic.config import Decoding
from photocritic.core.errors import ParamsError


def generate(parts: Parts, values: Tensor, options: Decoding, seed: int, keys: Tensor) -> list[list[int]]:
    """Say one caption an image.

    Lengths and n-grams are counted in the model's own tokens, of which a word may be several.

    Parameters
    ----------
    parts : Parts
        The captioner, in evaluation mode.
    values : Tensor
        (B, ...) prepared images.
    options : Decoding
        How.
    seed : int
        Of what is drawn.
    keys : Tensor
        (B,) int64 number of each image: what is drawn for it is a function of the seed and this.

    Returns
    -------
    list of list of int
        Tokens of each caption, without marks.

    Raises
    ------
    ParamsError
        The strategy is `diverse`, which transformers' own `generate` has no more.
    """
    if options.strategy == "diverse":
        raise ParamsError(
            "predict.strategy: transformers has no diverse beam search any more, so that a pretrained captioner "
            "cannot be decoded by it; take beam, greedy or sample"
        )
    draws = [_Draw(options, seed, keys)] if options.strategy == "sample" else []
    said = parts.model.generate(
        pixel_values=values, generation_config=_configuration(parts, options), logits_processor=draws
    )
    return [_inner(row, parts.special_tokens.end) for row in said.tolist()]


def _configuration(parts: Parts, options: Decoding) -> Any:
    import transformers

    configuration: Any = transformers.GenerationConfig
    marks, beams = parts.special_tokens, options.beam if options.strategy == "beam" else 1
    return configuration(
        bos_token_id=marks.start,
        eos_token_id=marks.end,
        pad_token_id=marks.pad,
        decoder_start_token_id=marks.start,
        forced_eos_token_id=marks.end,
        do_sample=False,  # drawn words come from `_Draw`
        num_beams=beams,
        length_penalty=options.length_penalty if beams > 1 else None,
        min_new_tokens=options.min_length,
        max_new_tokens=options.max_length + 1,  # and the end mark
        no_repeat_ngram_size=options.no_repeat_ngram,
        suppress_tokens=_never_said(parts),
    )


def _never_said(parts: Parts) -> list[int] | None:
    tokenizer, end = parts.tokenizer, parts.special_tokens.end
    return sorted({*tokenizer.all_special_ids, parts.special_tokens.start, parts.special_tokens.pad} - {end}) or None


def _inner(row: list[int], end: int) -> list[int]:
    words = row[1:]  # after the start mark
    return words[: words.index(end)] if end in words else words


class _Draw:
    """Leaves each image only the token that is drawn for it, so that the likeliest one is that."""

    def __init__(self, options: Decoding, seed: int, keys: Tensor) -> None:
        self._options, self._seed, self._keys = options, seed, keys

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        draw = uniform(self._seed, self._keys, input_ids.shape[1])
        tokens = nucleus(scores / self._options.temperature, self._options.top_p, draw)
        return torch.full_like(scores, -torch.inf).scatter(1, tokens[:, None], 0.0)
