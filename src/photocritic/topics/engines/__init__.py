"""Engines that fit LDA, found by file name: `engines/<name>.py` defines `fit(documents, params, seed)`."""

import logging
import pkgutil
from importlib import import_module
from typing import Protocol, cast

import numpy as np

from photocritic.config import LdaParams
from photocritic.core.errors import ParamsError
from photocritic.topics.document_terms import Documents
from photocritic.topics.topic_model import TopicModel

__all__ = ["available", "fit"]

log = logging.getLogger(__name__)

_ORDERED_BY = 20_000  # documents, at most, by whose topics the topics are ordered


class Engine(Protocol):
    """What a file of this folder defines."""

    def fit(self, documents: Documents, params: LdaParams, seed: int) -> TopicModel:
        """Find the topics, in any order; equal seeds give equal topics."""
        ...


def available() -> list[str]:
    """Return the names of every engine."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def fit(documents: Documents, params: LdaParams, seed: int) -> TopicModel:
    """Find K topics with the engine that `lda.engine` names.

    Parameters
    ----------
    documents : Documents
        The training images' documents over LDA's vocabulary, none of them empty.
    params : LdaParams
        The engine, the number of topics and how long to look for them.
    seed : int
        Seed of the topics' random start.

    Returns
    -------
    TopicModel
        The largest topic first.

    Raises
    ------
    ParamsError
        There is no such engine, it is not installed, or it has no such parameter.
    """
    if params.engine not in available():
        raise ParamsError(f"lda.engine: no engine is called '{params.engine}'; known are {', '.join(available())}")
    log.info(
        "LDA by %s: %d topics, %d terms, %d documents",
        params.engine, params.topics, len(documents.terms), len(documents.image_ids),
    )  # fmt: skip
    engine = cast("Engine", import_module(f"{__name__}.{params.engine}"))
    return _largest_first(engine.fit(documents, params, seed), documents)


def _largest_first(model: TopicModel, documents: Documents) -> TopicModel:
    step = -(-len(documents.image_ids) // _ORDERED_BY) or 1
    share = model.distributions(documents.counts[::step]).mean(axis=0)
    order = np.argsort(-share, kind="stable")
    return TopicModel(model.vocabulary, model.pseudo_counts[order], model.alpha[order])
