"""All numbers of one evaluation: metrics, diversity, intervals, attributes."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from photocritic import metrics, tables
from photocritic.evaluation.attributes import Mentions, Tally, tally
from photocritic.evaluation.bootstrap import Interval, intervals
from photocritic.evaluation.comparison import Tokenizer, compared
from photocritic.evaluation.evaluation_set import EvaluationExample
from photocritic.evaluation.predictions import Prediction
from photocritic.metrics import diversity
from photocritic.metrics.columns import headline
from photocritic.text import caption_tokens

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Measures:
    """The numbers of one variant.

    Attributes
    ----------
    corpus : dict of str to float
        One number by metric: accuracy, diversity and, on the sample, attributes.
    per_image : dict of str to ndarray, shape (N,)
        The accuracy metrics of each image.
    interval : Interval
        Of the mean CIDEr-D.
    positions : dict of int to list of int
        Different n-grams at each position, by their length.
    attributes : Tally, optional
        How often captions are right about attributes, where these are known.
    """

    corpus: dict[str, float]
    per_image: dict[str, Floats]
    interval: Interval
    positions: dict[int, list[int]]
    attributes: Tally | None = None


def measure(
    examples: Sequence[EvaluationExample],
    predictions: Mapping[str, Sequence[Prediction]],
    known: Mapping[str, AbstractSet[str]],
    *,
    names: Sequence[str],
    tokenizer: Tokenizer,
    positions: int,
    seed: int,
    mentions: Mentions | None = None,
) -> dict[str, Measures]:
    """Measure all variants against the same references.

    Parameters
    ----------
    examples : sequence of EvaluationExample
        The N images.
    predictions : mapping of str to sequence of Prediction
        For each variant one an image.
    known : mapping of str to set of str
        For each variant those of its predictions that stand among its training captions, words joined by spaces.
    names : sequence of str
        The overlap metrics, CIDEr-D among them.
    tokenizer : "simple" or "ptb"
        Whose words these compare; everything else looks at the simple one's.
    positions : int
        Positions of the diversity curves.
    seed : int
        Of the bootstrap.
    mentions : callable, optional
        Gives the attributes that a caption talks about, where the labels are such attributes.

    Returns
    -------
    dict of str to Measures
        By variant.
    """
    references, captions = compared(examples, predictions, tokenizer)
    with metrics.Suite(names) as suite:
        scores = {name: suite.score(some, references) for name, some in captions.items()}
    said = {name: [one.tokens for one in some] for name, some in predictions.items()}
    spans = intervals({name: found.per_image["cider_d"] for name, found in scores.items()}, seed)
    result = {}
    for name, tokens in said.items():
        corpus = dict(scores[name].corpus)
        corpus |= diversity.summary(tokens, {tuple(text.split(" ")) for text in known.get(name, ())})
        attributes = tally(examples, predictions[name], mentions) if mentions is not None else None
        corpus |= attributes.summary() if attributes is not None else {}
        corpus |= {"cider_d_low": spans[name].low, "cider_d_high": spans[name].high}
        curves = diversity.unique_by_position(tokens, positions=positions)
        result[name] = Measures(corpus, scores[name].per_image, spans[name], curves, attributes)
    return result


def shown(measures: Mapping[str, Measures]) -> list[str]:
    """Return the headline metrics that were measured, in their order."""
    return [key for key in headline() if key in next(iter(measures.values())).per_image]


def seen_in_training(
    predictions: Mapping[str, Sequence[Prediction]], learned_from: Mapping[str, str], images: Path, captions: Path
) -> dict[str, set[str]]:
    """Find the predictions that are word for word training captions; streams the captions.

    Parameters
    ----------
    predictions : mapping of str to sequence of Prediction
        By variant.
    learned_from : mapping of str to str
        For each variant `raw` or `filtered`, or `repeated`: all that it predicts are training captions.
    images, captions : Path
        The tables.

    Returns
    -------
    dict of str to set of str
        By variant, words joined by spaces.
    """
    said = {name: {" ".join(one.tokens) for one in some} for name, some in predictions.items()}
    anyone = set().union(*said.values())
    of_training = tables.of_split("train", images)
    views = {"raw": tables.UNSTYLED & of_training, "filtered": tables.FACTUAL & of_training}
    written = {
        kind: {
            text
            for batch in tables.scan("captions", captions, [column], views[kind])
            for words in batch[column].to_pylist()
            if (text := " ".join(words if kind == "filtered" else caption_tokens(words))) in anyone
        }
        for kind, column in {"raw": "text", "filtered": "tokens"}.items()
        if kind in learned_from.values()
    }
    return {name: texts & written.get(learned_from[name], texts) for name, texts in said.items()}
