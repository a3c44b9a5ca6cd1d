"""The captioners trained here as predictors, and loading a trained captioner of any kind."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from photocritic.captioning import retrieval
from photocritic.captioning.caption_dataset import Floats
from photocritic.captioning.captioner import Captioner, ModelConfig
from photocritic.captioning.captioner import describe as describe_model
from photocritic.captioning.decoding import decode, keys_of
from photocritic.captioning.ensemble import build_members, members_of
from photocritic.captioning.predictor import FACTUAL, Caption, Predictor
from photocritic.captioning.vocabulary import Vocabulary, join_tokens
from photocritic.config import Decoding
from photocritic.core import logs
from photocritic.core.errors import ParamsError, TrainingError
from photocritic.core.files import atomic_dir
from photocritic.images.decoding import Pixels
from photocritic.training.weights import load_weights, save_weights
from photocritic.vision.description import features_of
from photocritic.vision.network import Network

if TYPE_CHECKING:
    from photocritic.tables import Stored, View

CNN, MODEL, PRETRAINED, VOCABULARY = "cnn", "model", "pretrained", "vocabulary.json"


@dataclass(frozen=True)
class ModelPredictor:
    """A captioner trained here, with its vocabulary.

    Attributes
    ----------
    model : Captioner
        The model, or an ensemble of several, in evaluation mode.
    vocabulary : Vocabulary
        Its words.
    name : str
        The model's name in the registry.
    config : ModelConfig
        Its sizes.
    options : mapping of str to value
        The model's own options.
    network : Network, optional
        The CNN that was trained along with the model, which then reads pixels.
    """

    model: Captioner
    vocabulary: Vocabulary
    name: str
    config: ModelConfig
    options: Mapping[str, Any] = field(default_factory=dict)
    network: Network | None = None

    @property
    def view(self) -> "View":
        """What it reads: the features that it was trained on, or `pixels` where it has a CNN of its own."""
        return "pixels" if self.network is not None else self.stored

    @property
    def stored(self) -> "Stored":
        """Which features the model itself reads."""
        return "pooled" if self.config.regions == 1 else "grid"

    @property
    def side(self) -> int:
        """Side in pixels of the squares that it reads; 0 where it reads features."""
        return self.network.size if self.network is not None else 0

    @property
    def styles(self) -> tuple[str, ...]:
        """Styles that its model has learned, an option of models that can."""
        return tuple(self.options.get("styles", ()))

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
        """Predict one caption an image; see `Predictor.predict`.

        Where captions are chosen by consensus, each member of an ensemble proposes its own, and all are candidates;
        otherwise the ensemble decodes as one.
        """
        expected = (
            (self.side, self.side, 3) if self.network is not None else (self.config.regions, self.config.features)
        )
        if images.shape[1:] != expected:
            raise TrainingError(_mismatch(images.shape, expected))
        model = self._in_style(style)
        by_consensus = decoding.strategy == "diverse" and decoding.consensus
        proposers = members_of(model) if by_consensus else [model]
        keys = keys_of(names) if names is not None and decoding.strategy == "sample" else torch.arange(len(images))
        captions: list[Caption] = []
        for begin in logs.progress(range(0, len(images), batch_size), "captioning"):
            rows = slice(begin, begin + batch_size)
            features = self._features(images[rows])
            proposed = [self._decode(one, features, decoding, seed, keys[rows]) for one in proposers]
            captions += map(_pooled, zip(*proposed, strict=True))
        return captions

    def _in_style(self, style: str) -> Captioner:
        if style == FACTUAL:
            return self.model
        in_style = getattr(self.model, "in_style", None)
        if in_style is None:
            raise ParamsError(f"style: a captioner '{self.name}' learns no styles; train a variant of model: style_net")
        model: Captioner = in_style(style)
        return model

    def _features(self, images: Floats | Pixels) -> Floats:
        if self.network is None:
            return np.array(images, np.float32)
        return np.concatenate([*features_of(self.network, np.array(images, np.uint8), view=self.stored)])

    def _decode(
        self, model: Captioner, features: Floats, decoding: Decoding, seed: int, keys: Tensor
    ) -> Iterator[Caption]:
        device = next(model.parameters()).device
        decoded = decode(model, torch.from_numpy(features).to(device), decoding, seed=seed, keys=keys)
        for tokens, logprobs in zip(decoded.tokens.tolist(), decoded.logprobs.tolist(), strict=True):
            first, *rest = (tuple(self.vocabulary.decode(numbers)) for numbers in tokens)
            others = dict(zip(reversed(rest), logprobs[:0:-1], strict=True))
            others = {words: others[words] for words in dict.fromkeys(rest) if words != first}
            yield Caption(
                join_tokens(first), logprobs[0], first, tuple(map(join_tokens, others)), tuple(others.values())
            )

    def save(self, folder: Path) -> None:
        """Write `model/` (weights, sizes), `vocabulary.json`, and `cnn/` if it has one, whole or not at all."""
        with atomic_dir(folder) as temporary:
            if self.network is not None:
                self.network.save(temporary / CNN)
            self.vocabulary.save(temporary / VOCABULARY)
            described = describe_model(self.name, self.config, self.options)
            save_weights(temporary / MODEL, self.model, described | {"members": len(members_of(self.model))})


def _pooled(captions: Sequence[Caption]) -> Caption:
    """Put what several captioners propose for one image into the first's caption, each text once."""
    first = captions[0]
    texts = (text for one in captions for text in (one.text, *one.others))
    logprobs = (logprob for one in captions for logprob in (one.logprob, *one.other_logprobs))
    others: dict[str, float] = {}
    for text, logprob in zip(texts, logprobs, strict=True):
        if text != first.text:
            others.setdefault(text, logprob)
    return replace(first, others=tuple(others), other_logprobs=tuple(others.values()))


def _mismatch(found: tuple[int, ...], expected: tuple[int, ...]) -> str:
    if len(expected) == 3:
        return f"images of shape {found} do not fit a captioner that reads squares of {expected[0]} pixels a side"
    return (
        f"features of shape {found} do not fit a captioner trained on {expected[0]} regions of "
        f"{expected[1]} numbers an image; use the features table its variant names"
    )


def load_predictor(folder: Path) -> Predictor:
    """Load a trained captioner of any kind from its folder, onto the accelerator where there is one.

    Parameters
    ----------
    folder : Path
        Written by `photocritic.captioning.train`, or by a predictor's `save`.

    Raises
    ------
    TrainingError
        A file is missing, damaged, or does not fit the others.
    """
    if (folder / PRETRAINED).is_dir():
        from photocritic.captioning.pretrained import transformers_predictor

        return transformers_predictor.load(folder)
    if (folder / retrieval.SETTINGS).is_file():
        from photocritic.captioning.retrieval import retrieval_predictor

        return retrieval_predictor.load(folder)
    vocabulary = Vocabulary.load(folder / VOCABULARY)
    config, weights = load_weights(folder / MODEL)
    try:
        name, sizes, options = str(config["model"]), ModelConfig(**config["sizes"]), dict(config["options"])
        members = int(config.get("members", 1))
    except (KeyError, TypeError) as error:
        raise TrainingError(f"{folder / MODEL}: not a captioner's configuration ({error}); train again") from None
    if sizes.vocabulary != len(vocabulary):
        raise TrainingError(
            f"{folder}: {VOCABULARY} has {len(vocabulary)} entries, the model {sizes.vocabulary}; train again"
        )
    try:
        model = build_members(name, sizes, options, members)
        model.load_state_dict(weights)
    except (RuntimeError, ParamsError) as error:
        raise TrainingError(f"{folder}: weights of another model ({str(error).splitlines()[0]}); train again") from None
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = Network.load(folder / CNN).eval().to(device) if (folder / CNN).is_dir() else None
    return ModelPredictor(model.eval().to(device), vocabulary, name, sizes, options, network)
