"""LDA by collapsed Gibbs sampling: tomotopy's LDAModel."""

import warnings
from typing import Any

import numpy as np

from photocritic.config import AUTO, LdaParams
from photocritic.core import logs
from photocritic.core.errors import ParamsError
from photocritic.topics.document_terms import Documents
from photocritic.topics.topic_model import TopicModel

PASSES = 1000  # a pass moves each term once, at random; some hundreds are needed until the topics settle
ALPHA, ETA = 0.1, 0.01  # priors to start from: documents of few topics, topics of few terms; alpha is then fitted
PARTS = 4  # into which terms and documents are cut at most; each takes a core
TOKENS = 500_000  # that make a part worth it: where there are few, parts find worse topics
_STEP = 10  # passes between two updates of alpha, and of the progress


def fit(documents: Documents, params: LdaParams, seed: int) -> TopicModel:
    """Find K topics by collapsed Gibbs sampling.

    Of a large corpus it samples several parts at once, each of its own documents and terms (Yan, Xu, Qi 2009). No two
    draw at the same place, and their number depends on the corpus alone, so that equal seeds give equal topics on
    however many cores. Other kinds of processors (another
    `tomotopy.isa`) draw other topics.

    Parameters
    ----------
    documents : Documents
        The training images' documents.
    params : LdaParams
        `passes` go over the corpus; there is nothing to repeat within a document and nothing to cut into chunks.
    seed : int
        Seed of the sampling.

    Returns
    -------
    TopicModel
        Its pseudo-counts are how often each term was last drawn for each topic, plus the prior.

    Raises
    ------
    ParamsError
        tomotopy is not installed, or `iterations` or `chunksize` are set.

    References
    ----------
    Griffiths, Steyvers 2004, Finding Scientific Topics. Yan, Xu, Qi 2009, Parallel Inference for Latent Dirichlet
    Allocation on Graphics Processing Units. AIC section 4.2.
    """
    for name in ("iterations", "chunksize"):
        if getattr(params, name) != AUTO:
            raise ParamsError(f"lda.{name}: the engine tomotopy has no {name}; set it to {AUTO}")
    model = _loaded(documents, params.topics, seed)
    import tomotopy

    parts = int(np.clip(documents.counts.sum() // TOKENS, 1, PARTS))
    passes = PASSES if params.passes == AUTO else params.passes
    for done in logs.progress(range(0, passes, _STEP), "LDA by tomotopy"):
        with warnings.catch_warnings():  # of other schemes: with this one equal seeds give equal topics
            warnings.filterwarnings("ignore", "The training result may differ", RuntimeWarning)
            model.train(min(_STEP, passes - done), workers=parts, parallel=tomotopy.ParallelScheme.PARTITION)
    drawn = np.array([model.get_topic_word_dist(topic, normalize=False) for topic in range(params.topics)])
    pseudo_counts = np.empty(drawn.shape, dtype=np.float64)
    pseudo_counts[:, [int(term) for term in model.used_vocabs]] = drawn
    return TopicModel(documents.terms, pseudo_counts, np.asarray(model.alpha, dtype=np.float64))


def _loaded(documents: Documents, topics: int, seed: int) -> Any:
    try:
        import tomotopy
    except ImportError:
        raise ParamsError(
            "lda.engine: tomotopy is not installed; install it with '.venv/bin/python -m pip install tomotopy', "
            "or set lda.engine to gensim"
        ) from None
    model = tomotopy.LDAModel(k=topics, alpha=ALPHA, eta=ETA, seed=seed)
    counts = documents.counts
    for start, end in zip(counts.indptr[:-1], counts.indptr[1:], strict=True):
        columns = np.repeat(counts.indices[start:end], counts.data[start:end])
        model.add_doc([str(column) for column in columns])
    return model
