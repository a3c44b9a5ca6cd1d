"""A small model of which comments inform: logistic regression on signals, words, and likeness to judged comments."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from photocritic.core.errors import CorpusError
from photocritic.core.files import atomic_file
from photocritic.filtering.critique.comment_signals import NAMES, SignalExtractor
from photocritic.filtering.critique.critique_inputs import InputExtractor, Inputs
from photocritic.filtering.critique.word_table import WordTable
from photocritic.text import Tagged

Floats = NDArray[np.float64]

BUNDLED = Path(__file__).parent / "critique.safetensors"
_FORMAT = "photocritic-critique-1"
_WORDS = "its words and phrases"
_MEANINGS = "what its words mean"
_CONTEXT = 0.3  # a sentence often needs the one before; with more, all sentences of a comment are judged alike


@dataclass(frozen=True)
class CritiqueModel:
    """The probability that a comment informs.

    Its logarithm of the odds is a sum: `bias`; each standardised signal times its weight; each lemma's and each pair's
    TF-IDF times its weight; and how alike the comment is to some judged ones, by a Gaussian kernel over the signals.

    Attributes
    ----------
    table : WordTable
        What the community's words are like.
    bias : float
        The log-odds of a comment that has nothing.
    centre, scale, weights : ndarray of float64, (F,)
        Of the dense inputs.
    landmarks : ndarray of float64, (M, F)
        Judged comments' scaled inputs.
    landmark_weights : ndarray of float64, (M,)
        What likeness to each adds.
    gamma : float
        The kernel is exp(-gamma d^2) at a distance of d.
    terms : ndarray of int64, (V,)
        Sorted hashes of the lemmas and pairs that have weights.
    term_idf, term_weights : ndarray of float64, (V,)
        Inverse document frequencies among the judged comments, and weights.

    References
    ----------
    Williams & Seeger 2001, Using the Nystroem method to speed up kernel machines.
    """

    table: WordTable
    bias: float
    centre: Floats
    scale: Floats
    weights: Floats
    landmarks: Floats
    landmark_weights: Floats
    gamma: float
    terms: NDArray[np.int64]
    term_idf: Floats
    term_weights: Floats

    def probabilities(self, comments: Sequence[Tagged]) -> Floats:
        """Return the probability that each comment informs, (N,)."""
        return np.asarray(expit(self.judge(comments)))

    def judge(self, comments: Sequence[Tagged]) -> Floats:
        """Return the logarithm of the odds that each comment informs, (N,)."""
        return self.log_odds(self._extractor.extract(comments))

    def log_odds(self, of: Inputs) -> Floats:
        """Return the log-odds of comments whose inputs are at hand, (N,)."""
        return self._of_dense(self._scaled(of)) + self._of_terms(of)

    @property
    def signals(self) -> SignalExtractor:
        """What computes the signals."""
        return self._extractor.signals

    @cached_property
    def _extractor(self) -> InputExtractor:
        return InputExtractor(self.table)

    def _scaled(self, of: Inputs) -> Floats:
        return np.asarray((of.dense - self.centre) * self.scale, np.float64)

    def _of_terms(self, of: Inputs) -> Floats:
        return np.asarray(of.tfidf(self.terms, self.term_idf) @ self.term_weights, np.float64)

    def _of_dense(self, scaled: Floats) -> Floats:
        squares = (scaled**2).sum(axis=1)[:, None] + (self.landmarks**2).sum(axis=1) - 2 * scaled @ self.landmarks.T
        likeness = np.exp(-self.gamma * np.maximum(squares, 0)) @ self.landmark_weights
        return np.asarray(self.bias + scaled @ self.weights + likeness, np.float64)

    def explain(self, comment: Tagged) -> dict[str, float]:
        """Return each signal's share in a comment's verdict, in log-odds, and each word's; the largest first.

        A signal's share is what the log-odds lose where it has its mean over judged comments, a word's what they lose
        where the word is not there.
        """
        own = self._extractor.extract([comment])
        scaled = self._scaled(own)
        groups = {name: [place] for place, name in enumerate(NAMES)}
        groups[_MEANINGS] = list(range(len(NAMES), scaled.shape[1]))
        without = np.repeat(scaled, len(groups), axis=0)
        for row, places in enumerate(groups.values()):
            without[row, places] = 0
        losses = self._of_dense(scaled)[0] - self._of_dense(without)
        shares = dict(zip(groups, losses.tolist(), strict=True))
        shares[_WORDS] = float(self._of_terms(own)[0])
        return _largest_first(shares)

    def explain_words(self, comment: Tagged) -> dict[str, float]:
        """Return what the log-odds of a comment lose without each of its words; the largest first."""
        lowered = [lemma.lower() for lemma in comment.lemmas]
        lemmas = list(dict.fromkeys(lemma for lemma in lowered if lemma[:1].isalnum()))
        kept = [[place for place, own in enumerate(lowered) if own != lemma] for lemma in lemmas]
        rests = [Tagged(*([column[place] for place in places] for column in comment)) for places in kept]
        whole, *without = self.log_odds(self._extractor.extract([comment, *rests])).tolist()
        return _largest_first({lemma: whole - rest for lemma, rest in zip(lemmas, without, strict=True)})

    def save(self, path: Path) -> None:
        """Write the model to a safetensors file."""
        from safetensors.numpy import save_file

        half = {"vectors": np.float16, "landmarks": np.float16}
        arrays = {**vars(self.table), **vars(self)}
        tensors = {
            name: np.ascontiguousarray(values, half.get(name, values.dtype))
            for name, values in arrays.items()
            if isinstance(values, np.ndarray) and name != "affinity"
        }
        numbers = {"bias": self.bias, "gamma": self.gamma, "comments": self.table.comments, "signals": list(NAMES)}
        with atomic_file(path) as temporary:
            save_file(tensors, temporary, {_FORMAT: json.dumps(numbers)})  # one entry: several come in any order


def in_context(sentences: Floats, comments: Floats) -> Floats:
    """Return the log-odds of sentences in comments of several: a part of them is the whole comment's.

    Parameters
    ----------
    sentences, comments : ndarray of float64, (N,)
        The log-odds of each sentence by itself, and of its comment.
    """
    return (1 - _CONTEXT) * sentences + _CONTEXT * comments


def _largest_first(shares: dict[str, float]) -> dict[str, float]:
    return dict(sorted(shares.items(), key=lambda entry: (-abs(entry[1]), entry[0])))


@lru_cache(maxsize=4)
def load_critique_model(path: Path | None = None) -> CritiqueModel:
    """Load a model that `photocritic filter train` wrote, or the bundled one where no path is named.

    Raises
    ------
    CorpusError
        There is no such file, or it is none of these models.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path or BUNDLED, "numpy") as file:
            about, arrays = file.metadata(), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
        numbers = json.loads((about or {})[_FORMAT])
        if numbers.get("signals") != list(NAMES):
            raise KeyError("signals")
        of_table = {name: arrays.pop(name) for name in ("keys", "vectors", "rarity", "gains")}
        of_table["vectors"] = of_table["vectors"].astype(np.float32)
        table = WordTable(**of_table, comments=int(numbers["comments"]))
        arrays["landmarks"] = arrays["landmarks"].astype(np.float64)
        return CritiqueModel(table, bias=float(numbers["bias"]), gamma=float(numbers["gamma"]), **arrays)
    except FileNotFoundError:
        raise CorpusError(f"{path}: no such file; `photocritic filter train` writes one") from None
    except (SafetensorError, KeyError, TypeError, ValueError, OSError) as error:
        raise CorpusError(
            f"{path}: is no model of informative comments that this version can read ({error}); "
            "`photocritic filter train` writes one"
        ) from None
