"""What captioners say about another corpus's photographs: how far they generalise (AIC 6.3.3, Table 1 b)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from photocritic.config import Params
from photocritic.evaluation.evaluation_set import EvaluationExample, EvaluationSet
from photocritic.evaluation.measure import Measures, measure
from photocritic.evaluation.predictions import Prediction

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
        As in `EvaluationSet`.
    source : str
        As in `EvaluationSet`.
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
    params: Params, evaluation_set: EvaluationSet, predictions: Mapping[str, Sequence[Prediction]], names: Sequence[str]
) -> Transfer:
    """Score captions of another corpus's held-back images.

    Parameters
    ----------
    params : Params
        The variants, and the sections `predict` and `evaluate`.
    evaluation_set : EvaluationSet
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

    def score(
        examples: Sequence[EvaluationExample], captions: Mapping[str, Sequence[Prediction]]
    ) -> dict[str, Measures]:
        options = params.evaluate
        return measure(
            examples,
            captions,
            {},
            names=names,
            tokenizer=options.tokenizer,
            positions=options.positions,
            seed=params.seed,
        )

    aspects = {}
    for aspect in _aspects(evaluation_set.examples):
        places = [place for place, example in enumerate(evaluation_set.examples) if aspect in example.sources]
        captions = {name: [some[place] for place in places] for name, some in predictions.items()}
        examples = [_of_aspect(evaluation_set.examples[place], aspect) for place in places]
        aspects[aspect] = Aspect(len(places), score(examples, captions))
    return Transfer(
        str(params.predict.on),
        len(evaluation_set.examples),
        evaluation_set.references,
        evaluation_set.without_references,
        evaluation_set.seen,
        evaluation_set.source,
        score(evaluation_set.examples, predictions),
        aspects,
    )


def _aspects(examples: Sequence[EvaluationExample]) -> list[str]:
    sources = sorted({source for example in examples for source in example.sources})
    return sources if 1 < len(sources) <= MOST_ASPECTS else []


def _of_aspect(example: EvaluationExample, aspect: str) -> EvaluationExample:
    """Return an image with those of its references that one source has."""
    places = [place for place, source in enumerate(example.sources) if source == aspect]
    return replace(
        example,
        texts=tuple(example.texts[place] for place in places),
        tokens=tuple(example.tokens[place] for place in places),
        sources=(aspect,) * len(places),
    )
