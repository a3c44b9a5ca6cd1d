"""Fitting latent Dirichlet allocation with gensim."""

import logging

import numpy as np

from photocritic.params import LdaParams
from photocritic.topics.documents import Documents
from photocritic.topics.model import TopicModel

log = logging.getLogger(__name__)


def fit(documents: Documents, params: LdaParams, seed: int) -> TopicModel:
    """Find K topics by online variational Bayes.

    Parameters
    ----------
    documents : Documents
        The training images' documents over LDA's vocabulary, none of them empty.
    params : LdaParams
        Number of topics and how long to look for them. The chunks are meant to be large: with small ones the
        common terms of the first chunks settle in every topic.
    seed : int
        Seed of the topics' random start.

    Returns
    -------
    TopicModel
        The largest topic first.

    References
    ----------
    Blei, Ng, Jordan 2003; Hoffman, Blei, Bach 2010. AIC section 4.2.
    """
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LdaModel

    log.info("LDA: %d topics, %d terms, %d documents", params.topics, len(documents.terms), len(documents.image_ids))
    lda = LdaModel(
        Sparse2Corpus(documents.counts.tocsr(), documents_columns=False),
        id2word=dict(enumerate(documents.terms)),
        num_topics=params.topics,
        passes=params.passes,
        iterations=params.iterations,
        chunksize=params.chunksize,
        alpha="auto",
        eval_every=None,
        random_state=np.random.RandomState(seed),
        dtype=np.float64,
    )
    model = TopicModel(documents.terms, np.asarray(lda.state.get_lambda()), np.asarray(lda.alpha, dtype=np.float64))
    return _largest_first(model, documents)


def _largest_first(model: TopicModel, documents: Documents) -> TopicModel:
    share = model.distributions(documents.counts).mean(axis=0)
    order = np.argsort(-share, kind="stable")
    return TopicModel(model.vocabulary, model.pseudo_counts[order], model.alpha[order])
