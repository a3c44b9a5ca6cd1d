"""What captioners say about another corpus's photographs: how far they generalise (AIC 6.3.3, Table 1 b)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from photocritic.config import Params
from photocritic.evaluation.measure import Measures, measure
from photocritic.evaluation.predictions import Prediction
from photocritic.evaluation.truth import Subject, Truth

MOST_ASPECTS = 20  # references of more sources than these are not aspects of a critique


@dataclass(frozen=True)
class Aspect:
    """The measures against the references of one source alone, such as a field of PCCD's critiques, and its images."""

    images: int
    measures: dict[str, Measures]


@dataclass(frozen=True)
class Transfer:
    """The findings on another corpus.

    Attributes
    ----------
    corpus : str
        The folder of the ingested corpus.
    images, references, without_references, seen : int
        As in `Truth`.
    source : str
        As in `Truth`.
    measures : dict of str to Measures
        By variant, against all references.
    aspects : dict of str to Aspect
        By source of references. Empty where all have one source.
    """

    corpus: str
    images: int
    references: int
    without_references: int
    seen: int
    source: str
    measures: dict[str, Measures]
    aspects: dict[str, Aspect]


def measure_transfer(
    params: Params, truth: Truth, predictions: Mapping[str, Sequence[Prediction]], names: Sequence[str]
) -> Transfer:
    """Score captions of another corpus's held-back images.

    Parameters
    ----------
    params : Params
        The variants, and the sections `predict` and `evaluate`.
    truth : Truth
        The images and their references.
    predictions : mapping of str to sequence of Prediction
        For each variant one an image.
    names : sequence of str
        The overlap metrics.

    Returns
    -------
    Transfer
        The findings.
    """

    def score(subjects: Sequence[Subject], captions: Mapping[str, Sequence[Prediction]]) -> dict[str, Measures]:
        options = params.evaluate
        return measure(
            subjects,
            captions,
            {},
            names=names,
            tokenizer=options.tokenizer,
            positions=options.positions,
            seed=params.seed,
        )

    aspects = {}
    for aspect in _aspects(truth.subjects):
        places = [place for place, subject in enumerate(truth.subjects) if aspect in subject.sources]
        captions = {name: [some[place] for place in places] for name, some in predictions.items()}
        subjects = [_of_aspect(truth.subjects[place], aspect) for place in places]
        aspects[aspect] = Aspect(len(places), score(subjects, captions))
    return Transfer(
        str(params.predict.on),
        len(truth.subjects),
        truth.references,
        truth.without_references,
        truth.seen,
        truth.source,
        score(truth.subjects, predictions),
        aspects,
    )


def _aspects(subjects: Sequence[Subject]) -> list[str]:
    sources = sorted({source for subject in subjects for source in subject.sources})
    return sources if 1 < len(sources) <= MOST_ASPECTS else []


def _of_aspect(subject: Subject, aspect: str) -> Subject:
    """Keep of an image's references those of one source."""
    places = [place for place, source in enumerate(subject.sources) if source == aspect]
    return replace(
        subject,
        texts=tuple(subject.texts[place] for place in places),
        tokens=tuple(subject.tokens[place] for place in places),
        sources=(aspect,) * len(places),
    )
