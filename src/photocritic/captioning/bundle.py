"""A trained captioner as a folder, and the one question it answers: features in, captions with scores out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from photocritic import logs
from photocritic.captioning import models
from photocritic.captioning.decoding import decode, keys_of
from photocritic.captioning.models import Captioner, ModelConfig
from photocritic.captioning.vocabulary import Vocabulary
from photocritic.errors import ParamsError, TrainingError
from photocritic.files import atomic_dir
from photocritic.params import Decoding
from photocritic.tables import View
from photocritic.training.weights import load_weights, save_weights

MODEL, VOCABULARY = "model", "vocabulary.json"
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Caption:
    """What is said about one image.

    Attributes
    ----------
    text : str
        The words, separated by spaces.
    logprob : float
        Natural logarithm of the caption's probability, or a retrieval's score; the higher the better.
    tokens : tuple of str
        The words.
    others : tuple of str
        What else could be said, best first: the different captions of a diverse search's other groups.
    """

    text: str
    logprob: float
    tokens: tuple[str, ...]
    others: tuple[str, ...] = ()


class CaptionSource(Protocol):
    """Whatever says a caption about an image's features: a generator or a retrieval."""

    @property
    def view(self) -> View:
        """Which of an image's features it wants: `pooled`, where R is 1, or `grid`."""
        ...

    def caption(
        self,
        features: Floats,
        options: Decoding,
        *,
        batch_size: int = 256,
        seed: int = 0,
        names: Sequence[str] | None = None,
    ) -> list[Caption]:
        """Say one caption an image.

        Parameters
        ----------
        features : ndarray
            (N, R, C) float32, the regions of each image; see `view`.
        options : Decoding
            How captions are found.
        batch_size : int
            Images decoded at once.
        seed : int
            Of what is drawn, where the strategy draws.
        names : sequence of str, optional
            The images' names; what is drawn for one is a function of the seed and its name, or else its position.

        Returns
        -------
        list of Caption
            In the order of the images.
        """
        ...


@dataclass(frozen=True)
class Bundle:
    """A captioner model with its vocabulary.

    Attributes
    ----------
    model : Captioner
        The model, in evaluation mode.
    vocabulary : Vocabulary
        Its words.
    name : str
        The model's name in the registry.
    config : ModelConfig
        Its sizes.
    options : mapping of str to value
        The model's own options.
    """

    model: Captioner
    vocabulary: Vocabulary
    name: str
    config: ModelConfig
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def view(self) -> View:
        """Which of an image's features it was trained on."""
        return "pooled" if self.config.regions == 1 else "grid"

    def speak(self, style: str) -> None:
        """Choose the style of what it says from now on.

        Raises
        ------
        ParamsError
            It has not learned the style, or learns none.
        """
        speak = getattr(self.model, "speak", None)
        if speak is None:
            raise ParamsError(f"style: a captioner '{self.name}' learns no styles; train a variant of model: style_net")
        speak(style)

    def caption(
        self,
        features: Floats,
        options: Decoding,
        *,
        batch_size: int = 256,
        seed: int = 0,
        names: Sequence[str] | None = None,
    ) -> list[Caption]:
        """Say one caption an image; see `CaptionSource.caption`.

        Raises
        ------
        TrainingError
            The features have another width than those the captioner was trained on.
        """
        wanted = (self.config.regions, self.config.features)
        if features.shape[1:] != wanted:
            raise TrainingError(
                f"features of shape {features.shape} do not fit a captioner trained on {wanted[0]} regions of "
                f"{wanted[1]} numbers an image; use the features table its variant names"
            )
        keys = torch.arange(len(features)) if names is None else keys_of(names)
        batches = range(0, len(features), batch_size)
        return [
            caption
            for begin in logs.progress(batches, "captioning", total=len(batches))
            for caption in self._decode(
                features[begin : begin + batch_size], options, seed, keys[begin : begin + batch_size]
            )
        ]

    def _decode(self, features: Floats, options: Decoding, seed: int, keys: torch.Tensor) -> Iterator[Caption]:
        device = next(self.model.parameters()).device
        rows = torch.from_numpy(np.array(features, np.float32)).to(device)
        decoded = decode(self.model, rows, options, seed=seed, keys=keys)
        for captions, logprobs in zip(decoded.tokens.tolist(), decoded.logprobs.tolist(), strict=True):
            first, *rest = (tuple(self.vocabulary.decode(numbers)) for numbers in captions)
            others = (" ".join(words) for words in dict.fromkeys(rest) if words != first)
            yield Caption(" ".join(first), logprobs[0], first, tuple(others))


def caption(
    bundle: CaptionSource,
    features: Floats,
    options: Decoding,
    *,
    batch_size: int = 256,
    seed: int = 0,
    names: Sequence[str] | None = None,
) -> list[Caption]:
    """Ask any captioner; see `CaptionSource.caption`."""
    return bundle.caption(features, options, batch_size=batch_size, seed=seed, names=names)


def save(folder: Path, bundle: Bundle) -> None:
    """Write a captioner: `model/` (weights and sizes) and `vocabulary.json`, whole or not at all."""
    with atomic_dir(folder) as temporary:
        bundle.vocabulary.save(temporary / VOCABULARY)
        save_weights(temporary / MODEL, bundle.model, models.describe(bundle.name, bundle.config, bundle.options))


def load(folder: Path) -> Bundle:
    """Read a captioner that `save` wrote, onto the accelerator where there is one.

    Raises
    ------
    TrainingError
        A file is missing, damaged, or does not fit the others.
    """
    vocabulary = Vocabulary.load(folder / VOCABULARY)
    config, weights = load_weights(folder / MODEL)
    name, sizes, options = _description(folder, config)
    if sizes.vocabulary != len(vocabulary):
        raise TrainingError(
            f"{folder}: {VOCABULARY} has {len(vocabulary)} entries, the model {sizes.vocabulary}; train again"
        )
    try:
        model = models.build(name, sizes, options)
        model.load_state_dict(weights)
    except (RuntimeError, ParamsError) as error:
        raise TrainingError(f"{folder}: weights of another model ({str(error).splitlines()[0]}); train again") from None
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return Bundle(model.eval().to(device), vocabulary, name, sizes, options)


def _description(folder: Path, config: dict[str, Any]) -> tuple[str, ModelConfig, dict[str, Any]]:
    try:
        return str(config["model"]), ModelConfig(**config["sizes"]), dict(config["options"])
    except (KeyError, TypeError) as error:
        raise TrainingError(f"{folder / MODEL}: not a captioner's configuration ({error}); train again") from None
