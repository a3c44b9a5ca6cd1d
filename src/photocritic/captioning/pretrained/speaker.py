"""A fine-tuned captioner of transformers as a folder, and how it is decoded."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from photocritic.captioning.decoding import keys_of
from photocritic.captioning.pretrained.generation import generate
from photocritic.captioning.pretrained.parts import Parts, read
from photocritic.captioning.pretrained.tokenized import IGNORED, TokenizedCaptions
from photocritic.captioning.source import Caption, Floats, Pixels
from photocritic.config import Decoding
from photocritic.core import logs
from photocritic.core.errors import ParamsError, TrainingError
from photocritic.core.files import atomic_dir
from photocritic.tables import View

FOLDER = "pretrained"


@dataclass(frozen=True)
class Speaker:
    """A captioner of transformers that is shown pixels.

    Attributes
    ----------
    parts : Parts
        The model, in evaluation mode, its processor and its tokenizer.
    """

    parts: Parts

    @property
    def view(self) -> View:
        """What it is shown."""
        return "pixels"

    @property
    def side(self) -> int:
        """Side in pixels of the squares that it is shown."""
        return self.parts.side

    @property
    def styles(self) -> tuple[str, ...]:
        """Styles that it has learned: none."""
        return ()

    def speak(self, style: str) -> None:
        """Refuse any style.

        Raises
        ------
        ParamsError
            Always: it learns none.
        """
        raise ParamsError(
            f"style '{style}': a pretrained captioner learns no styles; train a variant of model: style_net"
        )

    def caption(
        self,
        images: Floats | Pixels,
        options: Decoding,
        *,
        batch_size: int = 256,
        seed: int = 0,
        names: Sequence[str] | None = None,
    ) -> list[Caption]:
        """Say one caption an image; see `CaptionSource.caption`, and `generation.generate` for the options.

        Raises
        ------
        ParamsError
            It cannot be decoded in the way that the options name.
        TrainingError
            The images are no squares of the right size.
        """
        if images.shape[1:] != (self.side, self.side, 3):
            raise TrainingError(f"images of shape {images.shape} do not fit squares of {self.side} pixels a side")
        keys = torch.arange(len(images)) if names is None else keys_of(names)
        batches = range(0, len(images), batch_size)
        return [
            caption
            for begin in logs.progress(batches, "captioning", total=len(batches))
            for caption in self._decode(
                np.array(images[begin : begin + batch_size], np.uint8), options, seed, keys[begin : begin + batch_size]
            )
        ]

    @torch.no_grad()
    def _decode(self, pixels: Pixels, options: Decoding, seed: int, keys: Tensor) -> Iterator[Caption]:
        device = next(self.parts.teacher_forcing.parameters()).device
        values = self.parts.pixel_values(pixels, device)
        said = generate(self.parts, values, options, seed, keys.to(device))
        logprobs = self._logprobs(values, said)
        for tokens, logprob in zip(said, logprobs, strict=True):
            words = tuple(self.parts.tokenizer.decode(tokens, skip_special_tokens=True).split())
            yield Caption(" ".join(words), logprob, words)

    def _logprobs(self, values: Tensor, said: list[list[int]]) -> list[float]:
        """Read the captions with their end marks once more, for their log-probabilities under the model alone."""
        ended = [[*tokens, self.parts.special_tokens.end] for tokens in said]
        offsets = np.concatenate([[0], np.cumsum([len(tokens) for tokens in ended])])
        flat = np.array([token for tokens in ended for token in tokens], np.int32)
        texts = TokenizedCaptions(np.arange(len(ended)), offsets, flat, self.parts.special_tokens)
        tokens, mask, targets = (torch.from_numpy(part).to(values.device) for part in texts.batch(texts.images))
        scores = torch.log_softmax(self.parts.teacher_forcing(values, tokens, mask).float(), dim=2)
        each = scores.gather(2, targets.clamp(min=0)[..., None])[..., 0].masked_fill(targets == IGNORED, 0.0)
        numbers: list[float] = each.sum(dim=1).tolist()
        return numbers


def save(folder: Path, parts: Parts) -> None:
    """Write a captioner into `pretrained/`, whole or not at all: transformers reads it too."""
    with atomic_dir(folder) as temporary:
        parts.save(temporary / FOLDER)


def is_one(folder: Path) -> bool:
    """Tell whether a folder holds such a captioner."""
    return (folder / FOLDER).is_dir()


def load(folder: Path) -> Speaker:
    """Read what `save` wrote, onto the accelerator where there is one.

    Raises
    ------
    TrainingError
        A file is missing or damaged.
    """
    try:
        parts = read(str(folder / FOLDER))
    except ParamsError as error:
        raise TrainingError(f"{error}; train again") from None
    parts.teacher_forcing.eval().to("cuda" if torch.cuda.is_available() else "cpu")
    return Speaker(parts)
