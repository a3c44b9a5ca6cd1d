"""LDA by online variational Bayes: gensim's LdaModel."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from photocritic.config import AUTO, LdaParams
from photocritic.core import logs
from photocritic.topics.document_terms import Documents
from photocritic.topics.topic_model import TopicModel

PASSES = 30  # few leave topics that are still alike
ITERATIONS = 100  # more than nearly all short documents take until their topics stand still
CHUNK = 20_000  # with small chunks the common terms of the first ones settle in every topic


def fit(documents: Documents, params: LdaParams, seed: int) -> TopicModel:
    """Find K topics by online variational Bayes.

    Parameters
    ----------
    documents : Documents
        The training images' documents.
    params : LdaParams
        `passes` go over the corpus, with up to `iterations` over a document in each; the topics are renewed after
        every `chunksize` documents.
    seed : int
        Seed of the topics' random start.

    Returns
    -------
    TopicModel
        Its pseudo-counts are gensim's lambda.

    References
    ----------
    Blei, Ng, Jordan 2003; Hoffman, Blei, Bach 2010. AIC section 4.2.
    """
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LdaModel

    passes = PASSES if params.passes == AUTO else params.passes
    corpus = Sparse2Corpus(documents.counts.tocsr(), documents_columns=False)
    with logs.counter("LDA by gensim", passes * len(corpus), unit="documents") as advance:
        lda = LdaModel(
            _Watched(corpus, advance),
            id2word=dict(enumerate(documents.terms)),
            num_topics=params.topics,
            passes=passes,
            iterations=ITERATIONS if params.iterations == AUTO else params.iterations,
            chunksize=CHUNK if params.chunksize == AUTO else params.chunksize,
            alpha="auto",
            eval_every=None,
            random_state=np.random.RandomState(seed),
            dtype=np.float64,
        )
    return TopicModel(documents.terms, np.asarray(lda.state.get_lambda()), np.asarray(lda.alpha, dtype=np.float64))


class _Watched:
    """A corpus that tells whenever it has been read once."""

    def __init__(self, corpus: Any, advance: Callable[[int], None]) -> None:
        self._corpus = corpus
        self._advance = advance

    def __len__(self) -> int:
        return len(self._corpus)

    def __iter__(self) -> Iterator[Any]:
        yield from self._corpus
        self._advance(len(self._corpus))
