"""A captioner trained here, as a folder: the model with its vocabulary, and the CNN where that was trained with it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from photocritic.captioning import models
from photocritic.captioning.decoding import decode, keys_of
from photocritic.captioning.models import Captioner, ModelConfig
from photocritic.captioning.photographs import features_of
from photocritic.captioning.source import Caption, Floats, Pixels
from photocritic.captioning.vocabulary import Vocabulary
from photocritic.config import Decoding
from photocritic.core import logs
from photocritic.core.errors import ParamsError, TrainingError
from photocritic.core.files import atomic_dir
from photocritic.tables import Stored, View
from photocritic.training.weights import load_weights, save_weights
from photocritic.vision.network import Network

CNN, MODEL, VOCABULARY = "cnn", "model", "vocabulary.json"


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
    network : Network, optional
        The CNN that was trained along with the model, which then is shown pixels.
    """

    model: Captioner
    vocabulary: Vocabulary
    name: str
    config: ModelConfig
    options: Mapping[str, Any] = field(default_factory=dict)
    network: Network | None = None

    @property
    def view(self) -> View:
        """What it is shown: the features that it was trained on, or `pixels` where it has a CNN of its own."""
        return "pixels" if self.network is not None else self.stored

    @property
    def stored(self) -> Stored:
        """Which features the model itself reads."""
        return "pooled" if self.config.regions == 1 else "grid"

    @property
    def side(self) -> int:
        """Side in pixels of the squares that it is shown; 0 where it is shown features."""
        return self.network.size if self.network is not None else 0

    @property
    def styles(self) -> tuple[str, ...]:
        """Styles that its model has learned, an option of models that can."""
        return tuple(self.options.get("styles", ()))

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
        images: Floats | Pixels,
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
            The images are not what the captioner was trained on.
        """
        shown = self._shown
        if images.shape[1:] != shown:
            raise TrainingError(_misfit(images.shape, shown))
        keys = torch.arange(len(images)) if names is None else keys_of(names)
        batches = range(0, len(images), batch_size)
        return [
            caption
            for begin in logs.progress(batches, "captioning", total=len(batches))
            for caption in self._decode(
                self._features(images[begin : begin + batch_size]), options, seed, keys[begin : begin + batch_size]
            )
        ]

    @property
    def _shown(self) -> tuple[int, ...]:
        return (self.side, self.side, 3) if self.view == "pixels" else (self.config.regions, self.config.features)

    def _features(self, images: Floats | Pixels) -> Floats:
        if self.network is None:
            return np.array(images, np.float32)
        return np.concatenate([*features_of(self.network, np.array(images, np.uint8), view=self.stored)])

    def _decode(self, features: Floats, options: Decoding, seed: int, keys: torch.Tensor) -> Iterator[Caption]:
        device = next(self.model.parameters()).device
        decoded = decode(self.model, torch.from_numpy(features).to(device), options, seed=seed, keys=keys)
        for captions, logprobs in zip(decoded.tokens.tolist(), decoded.logprobs.tolist(), strict=True):
            first, *rest = (tuple(self.vocabulary.decode(numbers)) for numbers in captions)
            others = (" ".join(words) for words in dict.fromkeys(rest) if words != first)
            yield Caption(" ".join(first), logprobs[0], first, tuple(others))


def _misfit(found: tuple[int, ...], wanted: tuple[int, ...]) -> str:
    if len(wanted) == 3:
        return f"images of shape {found} do not fit a captioner that is shown squares of {wanted[0]} pixels a side"
    return (
        f"features of shape {found} do not fit a captioner trained on {wanted[0]} regions of "
        f"{wanted[1]} numbers an image; use the features table its variant names"
    )


def save(folder: Path, bundle: Bundle) -> None:
    """Write a captioner whole or not at all: `model/` (weights, sizes), `vocabulary.json`, and `cnn/` if it has one."""
    with atomic_dir(folder) as temporary:
        if bundle.network is not None:
            bundle.network.save(temporary / CNN)
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
    network = Network.load(folder / CNN).eval().to(device) if (folder / CNN).is_dir() else None
    return Bundle(model.eval().to(device), vocabulary, name, sizes, options, network)


def _description(folder: Path, config: dict[str, Any]) -> tuple[str, ModelConfig, dict[str, Any]]:
    try:
        return str(config["model"]), ModelConfig(**config["sizes"]), dict(config["options"])
    except (KeyError, TypeError) as error:
        raise TrainingError(f"{folder / MODEL}: not a captioner's configuration ({error}); train again") from None
