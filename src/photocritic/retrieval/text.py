"""Captions as vectors: TF-IDF, reduced by latent semantic analysis."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from photocritic.text import STOPWORDS

Words = Sequence[str]

DIMENSIONS = 32  # few, so that captions that share no word but their subject are near too


class TextSpace:
    """A space of captions in which those about the same things are near.

    Parameters
    ----------
    captions : iterable of sequence of str
        Lower-case words of the captions that the space is learnt from.
    dimensions : int
        Singular vectors kept, at most.
    min_documents : int
        In how many captions a word must stand.

    References
    ----------
    Deerwester et al. 1990, Indexing by Latent Semantic Analysis.
    """

    def __init__(self, captions: Iterable[Words], dimensions: int = DIMENSIONS, min_documents: int = 2) -> None:
        known = list(captions)
        frequency = Counter(word for words in known for word in set(words))
        vocabulary = sorted(w for w, count in frequency.items() if count >= min_documents and w not in STOPWORDS)
        self._columns = {word: column for column, word in enumerate(vocabulary)}
        in_documents = np.array([frequency[word] for word in vocabulary], dtype=np.float64)
        self._idf = np.log((1 + len(known)) / (1 + in_documents)) + 1
        self._basis = _singular_basis(self._tfidf(known), dimensions)

    @property
    def dimensions(self) -> int:
        """Width of a vector."""
        return int(self._basis.shape[1])

    def embed(self, captions: Sequence[Words]) -> NDArray[np.float64]:
        """Map captions into the space, shape (N, dimensions); a caption without a known word becomes zero."""
        return np.asarray(self._tfidf(captions) @ self._basis)

    def _tfidf(self, captions: Sequence[Words]) -> sparse.csr_array:
        rows, columns = [], []
        for row, words in enumerate(captions):
            found = [self._columns[word] for word in words if word in self._columns]
            columns.extend(found)
            rows.extend([row] * len(found))
        counts = sparse.csr_array(
            (np.ones(len(rows)), (rows, columns)), shape=(len(captions), len(self._columns)), dtype=np.float64
        )
        counts.sum_duplicates()
        counts.data = (1 + np.log(counts.data)) * self._idf[counts.indices]
        lengths = np.sqrt(np.asarray(counts.power(2).sum(axis=1)).ravel())
        return sparse.csr_array(sparse.diags_array(1 / np.maximum(lengths, 1e-12)) @ counts)


def _singular_basis(matrix: sparse.csr_array, dimensions: int) -> NDArray[np.float64]:
    """Give the right singular vectors (terms, k) of the largest singular values, each with a fixed sign."""
    smaller = min(matrix.shape)
    if smaller == 0:
        return np.zeros((matrix.shape[1], 1))
    if smaller <= dimensions + 1:
        _, values, vectors = np.linalg.svd(matrix.toarray(), full_matrices=False)
        vectors = vectors[values > 1e-9][:dimensions]
    else:
        # ARPACK's start vector is random by default; a constant one makes the space a function of the captions.
        _, values, vectors = sparse.linalg.svds(matrix, k=dimensions, v0=np.ones(smaller))
        vectors = vectors[np.argsort(-values, kind="stable")]
    signs = np.sign(vectors[np.arange(len(vectors)), np.abs(vectors).argmax(axis=1)])
    return np.asarray((vectors * signs[:, None]).T)
