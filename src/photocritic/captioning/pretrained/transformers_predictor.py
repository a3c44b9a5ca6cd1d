"""A fine-tuned captioner of transformers: its folder, and our ways of decoding in terms of transformers' `generate`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from photocritic.captioning.caption_dataset import Floats
from photocritic.captioning.decoding import keys_of
from photocritic.captioning.decoding.walk import nucleus, uniform
from photocritic.captioning.model_predictor import PRETRAINED
from photocritic.captioning.predictor import FACTUAL, Caption
from photocritic.captioning.pretrained.parts import Parts, read
from photocritic.captioning.pretrained.tokenized import IGNORED, TokenizedCaptions
from photocritic.config import Decoding
from photocritic.core import logs
from photocritic.core.errors import ParamsError, TrainingError
from photocritic.core.files import atomic_dir
from photocritic.images.decoding import Pixels
from photocritic.tables import View


@dataclass(frozen=True)
class TransformersPredictor:
    """A captioner of transformers, which reads pixels.

    Attributes
    ----------
    parts : Parts
        The model, in evaluation mode, its processor and its tokenizer.
    """

    parts: Parts

    @property
    def view(self) -> View:
        """What it reads."""
        return "pixels"

    @property
    def side(self) -> int:
        """Side in pixels of the squares that it reads."""
        return self.parts.side

    @property
    def styles(self) -> tuple[str, ...]:
        """Styles that it has learned: none."""
        return ()

    def predict(
        self,
        images: Floats | Pixels,
        decoding: Decoding,
        *,
        style: str = FACTUAL,
        batch_size: int = 256,
        seed: int = 0,
        names: Sequence[str] | None = None,
    ) -> list[Caption]:
        """Predict one caption an image; see `Predictor.predict`, and `generate` for how captions are decoded."""
        if style != FACTUAL:
            raise ParamsError(
                f"style '{style}': a pretrained captioner learns no styles; train a variant of model: style_net"
            )
        if images.shape[1:] != (self.side, self.side, 3):
            raise TrainingError(f"images of shape {images.shape} do not fit squares of {self.side} pixels a side")
        keys = torch.arange(len(images)) if names is None else keys_of(names)
        captions: list[Caption] = []
        for begin in logs.progress(range(0, len(images), batch_size), "captioning"):
            rows = slice(begin, begin + batch_size)
            captions += self._decode(np.array(images[rows], np.uint8), decoding, seed, keys[rows])
        return captions

    @torch.no_grad()
    def _decode(self, pixels: Pixels, decoding: Decoding, seed: int, keys: Tensor) -> Iterator[Caption]:
        device = next(self.parts.teacher_forcing.parameters()).device
        values = self.parts.pixel_values(pixels, device)
        rows = generate(self.parts, values, decoding, seed, keys.to(device))
        logprobs = self._logprobs(values, rows)
        for tokens, logprob in zip(rows, logprobs, strict=True):
            words = tuple(self.parts.tokenizer.decode(tokens, skip_special_tokens=True).split())
            yield Caption(" ".join(words), logprob, words)

    def _logprobs(self, values: Tensor, rows: list[list[int]]) -> list[float]:
        """Read the captions with their end marks once more, for their log-probabilities under the model alone."""
        ended = [[*tokens, self.parts.special_tokens.end] for tokens in rows]
        offsets = np.concatenate([[0], np.cumsum([len(tokens) for tokens in ended])])
        flat = np.array([token for tokens in ended for token in tokens], np.int32)
        texts = TokenizedCaptions(np.arange(len(ended)), offsets, flat, self.parts.special_tokens)
        tokens, mask, targets = (torch.from_numpy(part).to(values.device) for part in texts.batch(texts.images))
        scores = torch.log_softmax(self.parts.teacher_forcing(values, tokens, mask).float(), dim=2)
        each = scores.gather(2, targets.clamp(min=0)[..., None])[..., 0].masked_fill(targets == IGNORED, 0.0)
        numbers: list[float] = each.sum(dim=1).tolist()
        return numbers

    def save(self, folder: Path) -> None:
        """Write it into `pretrained/`, whole or not at all: transformers reads it too."""
        with atomic_dir(folder) as temporary:
            self.parts.save(temporary / PRETRAINED)


def load(folder: Path) -> TransformersPredictor:
    """Load what `save` wrote, onto the accelerator where there is one.

    Raises
    ------
    TrainingError
        A file is missing or damaged.
    """
    try:
        parts = read(str(folder / PRETRAINED))
    except ParamsError as error:
        raise TrainingError(f"{error}; train again") from None
    parts.teacher_forcing.eval().to("cuda" if torch.cuda.is_available() else "cpu")
    return TransformersPredictor(parts)


def generate(parts: Parts, values: Tensor, decoding: Decoding, seed: int, keys: Tensor) -> list[list[int]]:
    """Return the tokens of one caption an image, without marks.

    Lengths and n-grams are counted in the model's own tokens, of which a word may be several.

    Parameters
    ----------
    parts : Parts
        The captioner, in evaluation mode.
    values : Tensor
        (B, ...) prepared images.
    decoding : Decoding
        How captions are decoded.
    seed : int
        Of what is drawn.
    keys : Tensor
        (B,) int64 number of each image: what is drawn for it is a function of the seed and this.

    Raises
    ------
    ParamsError
        The strategy is `diverse`, which transformers' own `generate` has no more.
    """
    if decoding.strategy == "diverse":
        raise ParamsError(
            "predict.strategy: transformers has no diverse beam search any more, so that a pretrained captioner "
            "cannot be decoded by it; take beam, greedy or sample"
        )
    draws = [_Draw(decoding, seed, keys)] if decoding.strategy == "sample" else []
    generated = parts.model.generate(
        pixel_values=values, generation_config=_configuration(parts, decoding), logits_processor=draws
    )
    return [_inner(row, parts.special_tokens.end) for row in generated.tolist()]


def _configuration(parts: Parts, decoding: Decoding) -> Any:
    import transformers

    configuration: Any = transformers.GenerationConfig
    marks, beams = parts.special_tokens, decoding.beam if decoding.strategy == "beam" else 1
    never = {*parts.tokenizer.all_special_ids, marks.start, marks.pad} - {marks.end}
    return configuration(
        bos_token_id=marks.start,
        eos_token_id=marks.end,
        pad_token_id=marks.pad,
        decoder_start_token_id=marks.start,
        forced_eos_token_id=marks.end,
        do_sample=False,  # drawn words come from `_Draw`
        num_beams=beams,
        length_penalty=decoding.length_penalty if beams > 1 else None,
        min_new_tokens=decoding.min_length,
        max_new_tokens=decoding.max_length + 1,  # and the end mark
        no_repeat_ngram_size=decoding.no_repeat_ngram,
        suppress_tokens=sorted(never) or None,
    )


def _inner(row: list[int], end: int) -> list[int]:
    words = row[1:]  # after the start mark
    return words[: words.index(end)] if end in words else words


class _Draw:
    """Leaves each image only the token that is drawn for it, so that the likeliest one is that."""

    def __init__(self, decoding: Decoding, seed: int, keys: Tensor) -> None:
        self._decoding, self._seed, self._keys = decoding, seed, keys

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        draw = uniform(self._seed, self._keys, input_ids.shape[1])
        tokens = nucleus(scores / self._decoding.temperature, self._decoding.top_p, draw)
        return torch.full_like(scores, -torch.inf).scatter(1, tokens[:, None], 0.0)
