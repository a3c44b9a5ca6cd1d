"""Captions in styles: of which images, by which variants, and their metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from photocritic import tables
from photocritic.core.outcome import Outcome
from photocritic.evaluation.evaluation_set import EvaluationExample
from photocritic.evaluation.predictions import Prediction, styled

if TYPE_CHECKING:
    from photocritic.styles.judges import Quality

OVERLAP = ("bleu_1", "bleu_3", "meteor", "cider_d")  # the columns of ERG Table 2 that compare with references


@dataclass(frozen=True)
class Target:
    """The held-back images of which the corpus has captions in a style.

    Attributes
    ----------
    places : list of int
        Which of the held-back images they are.
    examples : list of EvaluationExample
        The same images, with their captions in the style as references.
    """

    places: list[int]
    examples: list[EvaluationExample]


@dataclass(frozen=True)
class StyledCaptions:
    """A variant's captions of the images of a target, with their metrics.

    Attributes
    ----------
    variant : str
        The variant.
    style : str
        The target's style, or `factual` for comparison.
    captions : list of Prediction
        One an image of the target.
    corpus : dict of str to float
        Those of `OVERLAP` that were measured, `cls` and `ppl`.
    per_image : dict of str to ndarray, shape (N,)
        The overlap metrics of each image.
    """

    variant: str
    style: str
    captions: list[Prediction]
    corpus: dict[str, float]
    per_image: dict[str, NDArray[np.float64]]

    @property
    def name(self) -> str:
        """The name in tables."""
        return styled(self.variant, self.style)


@dataclass(frozen=True)
class StyleFindings:
    """The metrics of captions in styles.

    Attributes
    ----------
    targets : dict of str to Target
        By style.
    captions : dict of str to list of StyledCaptions
        By style: those in it, then every variant's factual captions of the same images.
    quality : Quality
        What the judges are worth.
    images : int
        Held-back images, with and without captions in a style.
    """

    targets: dict[str, Target]
    captions: dict[str, list[StyledCaptions]]
    quality: "Quality"
    images: int

    def outcome(self) -> Outcome:
        """Return the numbers by name; docs/metrics.md lists them."""
        numbers: dict[str, float] = {"style_classifier.accuracy": self.quality.accuracy}
        numbers |= {f"style_classifier.{name}.accuracy": value for name, value in self.quality.by_style.items()}
        numbers |= {f"style_lm.{style}.perplexity": value for style, value in self.quality.perplexity.items()}
        for style, target in self.targets.items():
            numbers[f"styles.{style}.images"] = float(len(target.places))
            numbers[f"styles.{style}.images_without"] = float(self.images - len(target.places))
            for own in self.captions[style]:
                prefix = own.name if own.style == style else f"{own.name}.as_{style}"
                numbers |= {f"{prefix}.{key}": value for key, value in own.corpus.items()}
        rows = [
            {"target": style, "variant": own.variant, "style": own.style, "metric": key, "value": value}
            for style, some in self.captions.items()
            for own in some
            for key, value in own.corpus.items()
        ]
        return Outcome(numbers, {"styles": rows})

    def predictions(self) -> list[dict[str, Any]]:
        """Return the captions in styles as rows of the predictions table; their variant is `styled(variant, style)`."""
        return [
            {"image_id": example.image_id, "variant": own.name, "caption": one.text, "logprob": one.logprob}
            for target, own in self._in_styles()
            for example, one in zip(target.examples, own.captions, strict=True)
        ]

    def scores(self) -> list[dict[str, Any]]:
        """Return their scores as rows of the scores table."""
        return [
            {"image_id": example.image_id, "variant": own.name, "metric": key, "score": float(value)}
            for target, own in self._in_styles()
            for key, values in own.per_image.items()
            for example, value in zip(target.examples, values, strict=True)
        ]

    def variants(self) -> list[str]:
        """Return the variants that have captions in styles."""
        return list(dict.fromkeys(own.variant for _, own in self._in_styles()))

    def _in_styles(self) -> list[tuple[Target, StyledCaptions]]:
        return [
            (target, own)
            for style, target in self.targets.items()
            for own in self.captions[style]
            if own.style == style
        ]


def style_targets(captions: Path, examples: Sequence[EvaluationExample]) -> dict[str, Target]:
    """Load the held-back images with kept captions in a style.

    Parameters
    ----------
    captions : Path
        The captions table.
    examples : sequence of EvaluationExample
        The held-back images.

    Returns
    -------
    dict of str to Target
        By style, sorted; empty where the corpus has no stylised captions of these images.
    """
    places = {example.image_id: place for place, example in enumerate(examples)}
    found: dict[str, dict[int, list[tuple[str, tuple[str, ...]]]]] = {}
    columns = ["image_id", "cleaned", "tokens", "style"]
    for batch in tables.scan("captions", captions, columns, tables.KEPT & tables.STYLED):
        for row in batch.to_pylist():
            if row["tokens"] and row["image_id"] in places:
                of_style = found.setdefault(row["style"], {})
                of_style.setdefault(places[row["image_id"]], []).append((row["cleaned"], tuple(row["tokens"])))
    return {style: _target(found[style], examples) for style in sorted(found)}


def _target(written: Mapping[int, list[tuple[str, tuple[str, ...]]]], examples: Sequence[EvaluationExample]) -> Target:
    held = sorted(written)
    texts = [tuple(text for text, _ in written[place]) for place in held]
    tokens = [tuple(words for _, words in written[place]) for place in held]
    return Target(
        held, [replace(examples[i], texts=a, tokens=b, sources=()) for i, a, b in zip(held, texts, tokens, strict=True)]
    )
