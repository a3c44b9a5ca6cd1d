"""A fitted topic model: on disk without pickle, and inference for new comments without the engine that fitted it."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import psi

from photocritic.core.declaration import require_declared
from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_dir

WEIGHTS, VOCABULARY, TOPICS = "lda.safetensors", "vocabulary.json", "topics.json"
SHOWN_TERMS = 15
_BLOCK = 128  # documents inferred together: their distinct terms times K floats stay in a processor's cache
_ITERATIONS = 200
_TOLERANCE = 1e-4  # mean change of a document's topic weights, as counts


@dataclass(frozen=True)
class TopicModel:
    """Latent Dirichlet allocation after fitting.

    Attributes
    ----------
    vocabulary : list of str
        The V terms, most frequent first.
    pseudo_counts : ndarray of float64, shape (K, V)
        The Dirichlet parameters of each topic over the terms: how often each term was given to the topic, plus the
        prior. Variational Bayes calls them lambda (Hoffman et al. 2010, Eq. 4).
    alpha : ndarray of float64, shape (K,)
        The Dirichlet prior of a document's topics.
    """

    vocabulary: list[str]
    pseudo_counts: NDArray[np.float64]
    alpha: NDArray[np.float64]

    @cached_property
    def terms(self) -> NDArray[np.float64]:
        """Probability of each term in each topic, shape (K, V); rows sum to 1."""
        return np.asarray(self.pseudo_counts / self.pseudo_counts.sum(axis=1, keepdims=True))

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {term: column for column, term in enumerate(self.vocabulary)}

    @cached_property
    def _exp_log_terms(self) -> NDArray[np.float64]:
        """Each term's weights in the topics, shape (V, K): those of a term side by side, as they are looked up."""
        total = self.pseudo_counts.sum(axis=1, keepdims=True)
        return np.ascontiguousarray(np.exp(psi(self.pseudo_counts) - psi(total)).T)

    def infer(self, ngrams: Iterable[str]) -> NDArray[np.float64]:
        """Estimate which topics a new comment is about.

        Parameters
        ----------
        ngrams : iterable of str
            Its unigrams and bigrams; those outside the vocabulary say nothing.

        Returns
        -------
        ndarray of float64, shape (K,)
            A distribution; the prior where no n-gram is known.
        """
        return np.asarray(self.distributions(self.count([ngrams]))[0])

    def count(self, comments: Sequence[Iterable[str]]) -> sparse.csr_array:
        """Count the known n-grams of comments, shape (comments, V); those outside the vocabulary say nothing."""
        counts = [Counter(self._columns[ngram] for ngram in ngrams if ngram in self._columns) for ngrams in comments]
        data = np.array([number for counted in counts for number in counted.values()], dtype=np.int64)
        columns = np.array([column for counted in counts for column in counted], dtype=np.int64)
        rows = np.repeat(np.arange(len(counts)), [len(counted) for counted in counts])
        return sparse.csr_array((data, (rows, columns)), shape=(len(counts), len(self.vocabulary)))

    def distributions(self, counts: sparse.csr_array) -> NDArray[np.float64]:
        """Estimate the topic distribution of each document by mean-field inference.

        Parameters
        ----------
        counts : scipy.sparse.csr_array, shape (D, V)
            Term counts over this model's vocabulary.

        Returns
        -------
        ndarray of float64, shape (D, K)
            The expected topic shares; rows sum to 1.

        References
        ----------
        Hoffman, Blei, Bach 2010, Online Learning for Latent Dirichlet Allocation, Algorithm 1 (the E step).
        """
        shares = np.empty((counts.shape[0], len(self.alpha)))

        def infer(start: int) -> None:
            gamma = self._gamma(counts[start : start + _BLOCK])
            shares[start : start + _BLOCK] = gamma / gamma.sum(axis=1, keepdims=True)

        self._exp_log_terms.shape  # noqa: B018 - made once, before the threads ask for it
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            list(pool.map(infer, range(0, counts.shape[0], _BLOCK)))
        return shares

    def _gamma(self, counts: sparse.csr_array) -> NDArray[np.float64]:
        # Starting from the document's length spread evenly, instead of at random, makes the answer a function of
        # the document alone, whatever stands beside it in a batch.
        topics = len(self.alpha)
        lengths = np.asarray(counts.sum(axis=1)).reshape(-1, 1)
        gamma = self.alpha + np.repeat(lengths / topics, topics, axis=1)
        active = laid_out = np.arange(counts.shape[0])
        prepared = self._prepared(counts)
        for _ in range(_ITERATIONS):
            if len(active) < len(laid_out) / 2:  # those that stand still are left out
                laid_out, prepared = active, self._prepared(counts[active])
            proposal = self._step(gamma[laid_out], *prepared)
            moves = np.isin(laid_out, active, assume_unique=True)
            change = np.abs(proposal[moves] - gamma[active]).mean(axis=1)
            gamma[active] = proposal[moves]
            active = active[change > _TOLERANCE]
            if not len(active):
                break
        return np.asarray(gamma)

    def _prepared(self, counts: sparse.csr_array) -> "tuple[NDArray[Any], ...]":
        """Lay out the documents of a block: each use of a term with its document, its numbers and its count."""
        rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        return rows, self._exp_log_terms[counts.indices], counts.data, counts.indptr

    def _step(self, gamma: NDArray[np.float64], rows: Any, terms: Any, data: Any, indptr: Any) -> NDArray[np.float64]:
        weights = np.exp(psi(gamma) - psi(gamma.sum(axis=1, keepdims=True)))
        norm = np.einsum("nk,nk->n", weights[rows], terms) + 1e-100
        sums = sparse.csr_array((data / norm, np.arange(len(rows)), indptr), shape=(len(gamma), len(rows)))
        return np.asarray(self.alpha + weights * (sums @ terms))

    def summary(self) -> list[dict[str, Any]]:
        """List each topic's most probable terms: `topic`, and `terms` as [term, probability] pairs."""
        order = np.argsort(-self.terms, axis=1, kind="stable")[:, :SHOWN_TERMS]
        return [
            {"topic": topic, "terms": [[self.vocabulary[c], round(float(self.terms[topic, c]), 6)] for c in columns]}
            for topic, columns in enumerate(order)
        ]

    def save(self, folder: Path) -> None:
        """Write the weights as safetensors, and the vocabulary and the topics as JSON, into a folder."""
        from safetensors.numpy import save_file

        with atomic_dir(folder) as temporary:
            weights = {"pseudo_counts": np.ascontiguousarray(self.pseudo_counts), "alpha": self.alpha}
            save_file(weights, str(temporary / WEIGHTS))
            for name, content in ((VOCABULARY, self.vocabulary), (TOPICS, self.summary())):
                text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
                (temporary / name).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "TopicModel":
        """Read what `save` wrote.

        Raises
        ------
        PhotocriticError
            A file of the folder is missing or damaged.
        """
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        require_declared(folder)
        try:
            weights = load_file(str(folder / WEIGHTS))
            vocabulary = json.loads((folder / VOCABULARY).read_text(encoding="utf-8"))
            if not all(isinstance(term, str) for term in vocabulary):
                raise TypeError(f"{VOCABULARY} holds other things than terms")
            model = cls(vocabulary, weights["pseudo_counts"], weights["alpha"])
        except (OSError, SafetensorError, ValueError, TypeError, KeyError) as error:
            raise PhotocriticError(f"{folder}: not a topic model ({error}); run the lda stage again") from None
        if model.pseudo_counts.shape != (len(model.alpha), len(vocabulary)):
            raise PhotocriticError(f"{folder}: {WEIGHTS} and {VOCABULARY} do not belong together; run lda again")
        return model
