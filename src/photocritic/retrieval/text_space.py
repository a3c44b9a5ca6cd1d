"""Captions as vectors: TF-IDF, reduced by latent semantic analysis."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from photocritic.retrieval.retriever import Floats, Words
from photocritic.text import STOPWORDS

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
        from sklearn.decomposition import TruncatedSVD
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.pipeline import make_pipeline

        known = [_content_words(words) for words in captions]
        tfidf = TfidfVectorizer(analyzer=list, min_df=min_documents, sublinear_tf=True)
        self._pipeline: Any = None
        try:
            matrix = tfidf.fit_transform(known)
        except ValueError:  # no word stands in so many captions
            return
        kept = min(dimensions, min(matrix.shape) - 1)
        if kept > 0:
            # By ARPACK, as the randomised solver is not exact; its start vector is seeded.
            self._pipeline = make_pipeline(tfidf, TruncatedSVD(kept, algorithm="arpack", random_state=0).fit(matrix))

    @property
    def dimensions(self) -> int:
        """Width of a vector."""
        return 1 if self._pipeline is None else int(self._pipeline[-1].n_components)

    def embed(self, captions: Sequence[Words]) -> Floats:
        """Map captions into the space, shape (N, dimensions); a caption without a known word becomes zero."""
        if self._pipeline is None or not captions:
            return np.zeros((len(captions), self.dimensions))
        return np.asarray(self._pipeline.transform([_content_words(words) for words in captions]))


def _content_words(words: Words) -> list[str]:
    return [word for word in words if word not in STOPWORDS]
