"""What captioners say in a style: about which images, in which words, and how it is measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from photocritic import tables
from photocritic.core.outcome import Outcome
from photocritic.evaluation.predictions import Prediction, styled
from photocritic.evaluation.truth import Subject

if TYPE_CHECKING:
    from photocritic.styles.judges import Quality

OVERLAP = ("bleu_1", "bleu_3", "meteor", "cider_d")  # the columns of ERG Table 2 that compare with references


@dataclass(frozen=True)
class Target:
    """The held-back images that somebody captioned in a style.

    Attributes
    ----------
    places : list of int
        Which of the held-back images they are.
    subjects : list of Subject
        The same images, with their captions in the style as references.
    """

    places: list[int]
    subjects: list[Subject]


@dataclass(frozen=True)
class Speech:
    """What one variant says about the images of a target.

    Attributes
    ----------
    variant : str
        The variant.
    style : str
        In which style it speaks: the target's, or `factual` for comparison.
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
        """As tables call it."""
        return styled(self.variant, self.style)


@dataclass(frozen=True)
class StyleFindings:
    """What is known of speech in styles.

    Attributes
    ----------
    targets : dict of str to Target
        By style.
    spoken : dict of str to list of Speech
        By style: who speaks in it, then everybody's factual captions of the same images.
    quality : Quality
        What the judges are worth.
    images : int
        Held-back images, with and without captions in a style.
    """

    targets: dict[str, Target]
    spoken: dict[str, list[Speech]]
    quality: "Quality"
    images: int

    def outcome(self) -> Outcome:
        """Give the numbers by name; docs/metrics.md lists them."""
        numbers: dict[str, float] = {"style_classifier.accuracy": self.quality.accuracy}
        numbers |= {f"style_classifier.{name}.accuracy": value for name, value in self.quality.by_class.items()}
        numbers |= {f"style_lm.{style}.perplexity": value for style, value in self.quality.perplexity.items()}
        for style, target in self.targets.items():
            numbers[f"styles.{style}.images"] = float(len(target.places))
            numbers[f"styles.{style}.images_without"] = float(self.images - len(target.places))
            for speech in self.spoken[style]:
                prefix = speech.name if speech.style == style else f"{speech.name}.as_{style}"
                numbers |= {f"{prefix}.{key}": value for key, value in speech.corpus.items()}
        rows = [
            {"target": style, "variant": speech.variant, "style": speech.style, "metric": key, "value": value}
            for style, some in self.spoken.items()
            for speech in some
            for key, value in speech.corpus.items()
        ]
        return Outcome(numbers, {"styles": rows})

    def predictions(self) -> list[dict[str, Any]]:
        """Give the captions in styles as rows of the predictions table; their variant is `styled(variant, style)`."""
        return [
            {"image_id": subject.image_id, "variant": speech.name, "caption": one.text, "logprob": one.logprob}
            for target, speech in self._in_styles()
            for subject, one in zip(target.subjects, speech.captions, strict=True)
        ]

    def scores(self) -> list[dict[str, Any]]:
        """Give their scores as rows of the scores table."""
        return [
            {"image_id": subject.image_id, "variant": speech.name, "metric": key, "score": float(value)}
            for target, speech in self._in_styles()
            for key, values in speech.per_image.items()
            for subject, value in zip(target.subjects, values, strict=True)
        ]

    def speakers(self) -> list[str]:
        """Give the variants that speak in styles."""
        return list(dict.fromkeys(speech.variant for _, speech in self._in_styles()))

    def _in_styles(self) -> list[tuple[Target, Speech]]:
        return [
            (target, speech)
            for style, target in self.targets.items()
            for speech in self.spoken[style]
            if speech.style == style
        ]


def style_targets(captions: Path, subjects: Sequence[Subject]) -> dict[str, Target]:
    """Find the held-back images with kept captions in a style.

    Parameters
    ----------
    captions : Path
        The captions table.
    subjects : sequence of Subject
        The held-back images.

    Returns
    -------
    dict of str to Target
        By style, sorted; empty where the corpus has no stylised captions of these images.
    """
    places = {subject.image_id: place for place, subject in enumerate(subjects)}
    found: dict[str, dict[int, list[tuple[str, tuple[str, ...]]]]] = {}
    columns = ["image_id", "cleaned", "tokens", "style"]
    for batch in tables.scan("captions", captions, columns, tables.KEPT & tables.STYLED):
        for row in batch.to_pylist():
            if row["tokens"] and row["image_id"] in places:
                of_style = found.setdefault(row["style"], {})
                of_style.setdefault(places[row["image_id"]], []).append((row["cleaned"], tuple(row["tokens"])))
    return {style: _target(found[style], subjects) for style in sorted(found)}


def _target(written: Mapping[int, list[tuple[str, tuple[str, ...]]]], subjects: Sequence[Subject]) -> Target:
    held = sorted(written)
    texts = [tuple(text for text, _ in written[place]) for place in held]
    tokens = [tuple(words for _, words in written[place]) for place in held]
    return Target(
        held, [replace(subjects[i], texts=a, tokens=b, sources=()) for i, a, b in zip(held, texts, tokens, strict=True)]
    )
