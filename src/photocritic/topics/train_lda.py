"""Training LDA on the comments of the images, and labelling every image with its topics (AIC 4.2-4.3)."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from photocritic import tables
from photocritic.config import LdaParams
from photocritic.core.errors import PhotocriticError
from photocritic.core.outcome import Outcome
from photocritic.topics import engines, quality
from photocritic.topics.c_v import c_v
from photocritic.topics.document_terms import Documents, collect, comment_shares, texts
from photocritic.topics.term_selection import content_words, is_content, topic_terms
from photocritic.topics.topic_labels import VAGUE, top_topic, usable
from photocritic.topics.topic_model import TopicModel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

log = logging.getLogger(__name__)


def train_lda(
    images: Path,
    captions: Path,
    ngrams: Path,
    topics: Path,
    words: Path,
    model: Path,
    params: LdaParams,
    seed: int,
) -> Outcome:
    """Fit LDA on the training images and write each image's topics and content words.

    Vocabulary, topics and content words are chosen from images of split `train` alone; the others are only labelled,
    so that nothing of what is held back shapes what is learnt.

    Parameters
    ----------
    images : Path
        The images table, for the splits.
    captions : Path
        The captions table; its kept, factual rows are read.
    ngrams : Path
        The filter's n-grams, from which LDA's vocabulary is chosen.
    topics : Path
        Where the topics table goes: one row for each image whose document holds a term of the vocabulary. With
        `params.label` top_topic the rows are one-hot, and images without a usable topic have none.
    words : Path
        Where the words table goes: one row for each image that holds a chosen content word. With `params.words` 0 it
        has no rows.
    model : Path
        Folder of the topic model, see `TopicModel.load`.
    params : LdaParams
        The section `lda` of params.yaml.
    seed : int
        Seed of the fit.

    Returns
    -------
    Outcome
        Sizes, coherence, diversity; the terms of every topic as a plot and as a figure.

    Raises
    ------
    PhotocriticError
        No training image has a kept caption, there are fewer terms than topics, or no topic may label an image.
    ParamsError
        The engine is unknown, is not installed, or has no such parameter.
    """
    split = _splits(images)
    training = [image for image, name in split.items() if name == "train"]
    described = _describe(captions, training, words, params)  # first: it needs as much memory as all the rest
    learnt, labelled, empty = _bags(captions, ngrams, training, params)
    found = engines.fit(learnt, params, seed)
    found.save(model)
    distributions = found.distributions(labelled.counts)
    labels = _label(found, labelled, distributions, topics, params)
    if empty:
        log.warning("%d images have kept captions but no term of LDA's vocabulary; they get no topics", empty)
    metrics = {**_metrics(found, learnt, distributions), "coherence_c_v": _c_v(found, captions, learnt)}
    metrics |= {"documents": float(len(labelled.image_ids)), "documents_empty": float(empty), **labels, **described}
    share = distributions[np.isin(labelled.image_ids, learnt.image_ids)].mean(axis=0)
    return Outcome(metrics, {"topics": _plot(found, share)}, {"topics": _figure(found, share)})


def _bags(captions: Path, ngrams: Path, training: list[str], params: LdaParams) -> tuple[Documents, Documents, int]:
    """Return the documents to learn from, those to label, and how many have no term of the vocabulary."""
    documents = collect(captions, "ngrams", _known(ngrams).__contains__)
    vocabulary = _vocabulary(documents.rows(training), captions, params)
    labelled = documents.columns(vocabulary)
    return labelled.rows(training), labelled, len(documents.image_ids) - len(labelled.image_ids)


def _splits(images: Path) -> dict[str, str]:
    table = tables.load("images", images)
    return dict(zip(table["image_id"].to_pylist(), table["split"].to_pylist(), strict=True))


def _known(ngrams: Path) -> set[str]:
    """Read the n-grams that the filter knows; others were too rare over the corpus."""
    return {term for batch in tables.scan("ngrams", ngrams, columns=["ngram"]) for term in batch["ngram"].to_pylist()}


def _vocabulary(documents: Documents, captions: Path, params: LdaParams) -> list[str]:
    if not documents.image_ids:
        raise PhotocriticError(
            f"{captions}: no image of split train has a kept caption; lower filter.threshold or add comments"
        )
    shares = comment_shares(captions, "ngrams", documents) if params.share_of == "comments" else None
    terms = topic_terms(documents, params.vocabulary, params.min_documents, params.max_share, shares)
    if len(terms) < params.topics:
        raise PhotocriticError(
            f"lda.topics={params.topics} but the vocabulary has {len(terms)} terms (from {captions}, in at least "
            f"{params.min_documents} of {len(documents.image_ids)} documents, and in less than {params.max_share:.0%} "
            f"of the {params.share_of}); lower lda.topics, lower lda.min_documents or raise lda.max_share"
        )
    return terms


def _label(
    model: TopicModel, documents: Documents, distributions: NDArray[np.float64], path: Path, params: LdaParams
) -> dict[str, float]:
    if params.label == "distribution":
        _save("topics", path, documents.image_ids, distributions)
        return {}
    labels, labelled = top_topic(model, documents.counts, distributions)
    vague = len(labels[0]) - int(usable(model).sum())
    unlabelled = len(labelled) - int(labelled.sum())
    if not labelled.any():
        raise PhotocriticError(
            f"lda.label=top_topic: {vague} of {len(labels[0])} topics have no term above {VAGUE}, and every image has "
            "one of these; set lda.label to distribution, or raise lda.topics or lda.passes"
        )
    if unlabelled:
        log.warning("%d images have a vague topic; they get no label", unlabelled)
    _save("topics", path, [documents.image_ids[row] for row in np.flatnonzero(labelled)], labels[labelled])
    return {"topics_dropped": float(vague), "images_unlabelled": float(unlabelled)}


def _describe(captions: Path, training: list[str], path: Path, params: LdaParams) -> dict[str, float]:
    from photocritic.text import STOPWORDS

    documents = collect(captions, "tokens", lambda word: is_content(word, STOPWORDS))
    chosen = content_words(documents.rows(training), params.words, params.min_documents)
    if not chosen:
        tables.save("words", path, tables.from_rows("words", []))
        return {"words": 0.0, "described_images": 0.0}
    described = documents.columns(chosen)
    shares = described.counts.astype(np.float32).toarray()
    shares /= shares.sum(axis=1, keepdims=True)
    _save("words", path, described.image_ids, shares)
    return {"words": float(len(chosen)), "described_images": float(len(described.image_ids))}


def _save(table: str, path: Path, image_ids: list[str], rows: NDArray[np.floating]) -> None:
    width = rows.shape[1]
    values = pa.FixedSizeListArray.from_arrays(pa.array(rows.astype(np.float32, copy=False).ravel()), width)
    schema = tables.schema(table, **{table: width})
    data = pa.Table.from_arrays([pa.array(image_ids, pa.string()), values], schema=schema)
    tables.save(table, path, data)


def _c_v(model: TopicModel, captions: Path, documents: Documents) -> float:
    return float(c_v(quality.best(model.terms), texts(captions, "ngrams", documents)).mean())


def _metrics(model: TopicModel, documents: Documents, distributions: NDArray[np.float64]) -> dict[str, float]:
    return {
        "topics": float(len(model.alpha)),
        "vocabulary": float(len(model.vocabulary)),
        "coherence_u_mass": float(quality.u_mass(model.terms, documents.counts).mean()),
        "coherence_npmi": float(quality.npmi(model.terms, documents.counts).mean()),
        "topic_diversity": quality.diversity(model.terms),
        "effective_topics": quality.effective_topics(distributions),
    }


def _plot(model: TopicModel, share: NDArray[np.float64]) -> list[dict[str, Any]]:
    return [
        {
            "topic": entry["topic"],
            "share": round(float(share[entry["topic"]]), 6),
            "terms": ", ".join(term for term, _ in entry["terms"]),
        }
        for entry in model.summary()
    ]


def _figure(model: TopicModel, share: NDArray[np.float64], shown: int = 12, terms: int = 8) -> "Figure":
    from matplotlib.figure import Figure

    entries = model.summary()[:shown]
    columns = min(4, len(entries))
    figure = Figure(figsize=(3.2 * columns, 2.2 * -(-len(entries) // columns)), layout="constrained")
    grid = figure.subplots(-(-len(entries) // columns), columns, squeeze=False)
    for axes in grid.flat:
        axes.set_axis_off()
    for axes, entry in zip(grid.flat, entries, strict=False):
        best = entry["terms"][:terms]
        axes.set_axis_on()
        axes.barh([term for term, _ in best], [weight for _, weight in best])
        axes.invert_yaxis()
        axes.set_xticks([])
        axes.tick_params(labelsize=8)
        axes.set_title(f"topic {entry['topic']}, {share[entry['topic']]:.0%} of the text", fontsize=9)
    return figure
