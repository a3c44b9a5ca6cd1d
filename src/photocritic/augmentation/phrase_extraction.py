"""The emotional signal extractor: which words of a caption carry its style (ERG section 3.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from photocritic.styles.classifier import StyleClassifier
from photocritic.styles.word_tokenizer import Words

SAMPLE = 400  # captions a style from which its head is chosen; every layer and head classifies each of them again


@dataclass(frozen=True)
class Extracted:
    """A stylised caption taken apart, both parts in the caption's order.

    Attributes
    ----------
    phrase : tuple of str
        e^s: the words that carry the style.
    content : tuple of str
        What is left.
    """

    phrase: tuple[str, ...]
    content: tuple[str, ...]


@dataclass(frozen=True)
class Head:
    """An attention head, and how confident of the style its classifier stays without the words the head looks at."""

    layer: int
    head: int
    confidence: float


def choose_head(classifier: StyleClassifier, sentences: Sequence[Words], share: float, seed: int) -> Head:
    """Find the layer and head whose words, once removed, leave a style's classifier least sure of the style.

    Parameters
    ----------
    classifier : StyleClassifier
        The style's.
    sentences : sequence of sequence of str
        Captions in the style; a seeded sample of `SAMPLE` of them is judged.
    share : float
        The share of words removed (epsilon).
    seed : int
        Seed of the sample.

    Returns
    -------
    Head
        The head with the least mean confidence; the first of equals.

    References
    ----------
    ERG Eq. 2.
    """
    order = np.random.default_rng(seed).permutation(len(sentences))[:SAMPLE]
    sample = [sentences[i] for i in sorted(order)]
    weights = classifier.importance(sample)
    layers, heads, _ = weights[0].shape
    candidates = []
    for layer in range(layers):
        for head in range(heads):
            reduced = [take_apart(w, i[layer, head], share).content for w, i in zip(sample, weights, strict=True)]
            candidates.append(Head(layer, head, confidence(classifier, reduced)))
    return min(candidates, key=lambda candidate: candidate.confidence)


def confidence(classifier: StyleClassifier, sentences: Sequence[Words]) -> float:
    """Compute the mean odds of a style against factual: the confidence score of ERG Eq. 2.

    The equation sums over the other labels of a set S. ERG trains a classifier for each style against factual sentences
    (section 4.4), so that S has two labels here; section 3.2 leaves open whether its extractor knows several styles.
    """
    probability = classifier.probabilities(sentences)
    return float(np.mean(probability / np.maximum(1.0 - probability, 1e-6)))


def extract(classifier: StyleClassifier, sentences: Sequence[Words], head: Head, share: float) -> list[Extracted]:
    """Take captions in a style apart by what one attention head of its classifier looks at.

    Parameters
    ----------
    classifier : StyleClassifier
        The style's.
    sentences : sequence of sequence of str
        Captions, each of two words or more.
    head : Head
        Its attention is a word's importance.
    share : float
        The share of words that are the style phrase (epsilon).

    Returns
    -------
    list of Extracted
        One for each caption.
    """
    weights = classifier.importance(sentences)
    return [
        take_apart(words, importance[head.layer, head.head], share)
        for words, importance in zip(sentences, weights, strict=True)
    ]


def take_apart(words: Words, importance: NDArray[np.float64], share: float) -> Extracted:
    """Split a caption into its most important words and the others; each side gets one word at least."""
    count = min(max(round(share * len(words)), 1), len(words) - 1)
    chosen = set(np.argsort(-importance, kind="stable")[:count].tolist())
    return Extracted(
        tuple(word for place, word in enumerate(words) if place in chosen),
        tuple(word for place, word in enumerate(words) if place not in chosen),
    )
