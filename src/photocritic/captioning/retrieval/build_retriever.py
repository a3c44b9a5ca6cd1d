"""Building a captioner by retrieval, from tables to a folder."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic import tables
from photocritic.captioning.caption_loading import (
    Images,
    captions_of,
    gather_features,
    no_captions_message,
    training_images,
)
from photocritic.captioning.retrieval.retrieval_predictor import RetrievalPredictor, RetrievalSettings
from photocritic.config import FusedFeatures, RetrieveParams, Retriever
from photocritic.core.errors import TrainingError
from photocritic.core.outcome import Outcome
from photocritic.core.paths import parts_of
from photocritic.metrics import Captions, References, Suite
from photocritic.retrieval.caption_graph import CaptionGraph
from photocritic.retrieval.vector_index import VectorIndex
from photocritic.text import caption_tokens

log = logging.getLogger(__name__)

_SIGMAS = (1, 2, 3, 5, 10, 20, 50, 100, None)  # None: all of a caption's photographs
_BLEU = "bleu_1_no_bp"


def build(
    name: str,
    retriever: Retriever,
    params: RetrieveParams,
    *,
    captions: Path,
    images: Path,
    edges: Path,
    features: Path,
    network: Path,
    fused: FusedFeatures | None,
    out: Path,
) -> Outcome:
    """Build an index of the training photographs with their captions, and choose sigma.

    Parameters
    ----------
    name : str
        The retriever's name, for the log.
    retriever : Retriever
        Its captions, features and method.
    params : RetrieveParams
        How captions are ranked.
    captions, images, edges, features : Path
        The tables; the edges are those of the association graph.
    network : Path
        Folder of the network that has made the features.
    fused : FusedFeatures, optional
        The two kinds that the features are made of, where they are fused.
    out : Path
        The folder to write; see `RetrievalPredictor.save`.

    Returns
    -------
    Outcome
        Metrics `captions`, `photographs`, `associations` (pairs of them), of assoc `sigma` (0: all), and where sigma
        was chosen `val_bleu_1_no_bp`; as plot `sigma` the mean BLEU-1 without brevity penalty by sigma.

    Raises
    ------
    TrainingError
        No training photograph has a caption.
    """
    known = training_images(images)
    graph = CaptionGraph.of(_pairs(retriever.captions, captions, edges, known))
    if not graph.captions:
        raise TrainingError(_empty_message(name, retriever, captions))
    log.info("retrieve %s: %d captions of %d photographs", name, len(graph.captions), len(graph.image_ids))
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as scratch:
        matrix = gather_features(known, images, features, Path(scratch), "pooled")[:, 0]
        rows = pc.index_in(pa.array(graph.image_ids), value_set=known.ids).to_numpy()
        channels = _channels(retriever, fused, network, matrix.shape[1])
        sigma = params.sigma if isinstance(params.sigma, int) else None
        settings = RetrievalSettings(retriever.method, params.candidates, sigma, channels)
        predictor = RetrievalPredictor(graph, VectorIndex(np.array(matrix[rows])), settings)
        curve: list[dict[str, float]] = []
        if retriever.method == "assoc" and params.sigma == "auto":
            kind = "raw" if retriever.captions == "raw" else "filtered"
            queries, references = _development(captions, kind, known, matrix, params.development)
            predictor, curve = _with_best_sigma(predictor, queries, references)
    predictor.save(out)
    return _outcome(predictor, curve)


def _pairs(kind: str, captions: Path, edges: Path, known: Images) -> Iterator[tuple[str, str, str]]:
    """Yield what makes captions one, their wording and the photograph, of all captions of training photographs."""
    training = known.ids.filter(pa.array(known.training))
    if kind == "repeated":
        for batch in tables.scan("edges", edges, ["form", "text", "image_id"]):
            rows = batch.filter(pc.is_in(batch["image_id"], value_set=training))
            for form, text, image in zip(*(rows[key].to_pylist() for key in rows.schema.names), strict=True):
                yield form, " ".join(caption_tokens(text)), image
        return
    ids = training.to_pylist()
    for places, words in captions_of(captions, kind, training):
        for place, tokens in zip(places.tolist(), words.to_pylist(), strict=True):
            if tokens:
                caption = " ".join(tokens)
                yield caption, caption, ids[place]


def _empty_message(name: str, retriever: Retriever, captions: Path) -> str:
    if retriever.captions != "repeated":
        return no_captions_message(captions, retriever.captions)
    return (
        f"retrievers.{name}: no caption of a training photograph is in the association graph; choose a looser "
        "associate.form, another associate.unit, fewer associate.images, or captions: filtered"
    )


def _channels(retriever: Retriever, fused: FusedFeatures | None, network: Path, width: int) -> tuple[int, int]:
    """Return which channels affinities are computed by."""
    if retriever.rerank is None or fused is None:
        return 0, width
    first = tables.network_width(parts_of(network)[0])
    return (0, first) if retriever.rerank == fused.first else (first, width)


def _development(
    captions: Path, kind: str, known: Images, matrix: NDArray[np.float32], most: int
) -> tuple[NDArray[np.float32], list[list[list[str]]]]:
    """Return the features of the first validation photographs that have captions, and the words of these."""
    written: dict[int, list[list[str]]] = {}
    for places, words in captions_of(captions, kind, known.ids):
        for place, tokens in zip(places.tolist(), words.to_pylist(), strict=True):
            if tokens and not known.training[place]:
                written.setdefault(place, []).append(tokens)
    chosen = sorted(written)[:most]
    return np.array(matrix[chosen]), [written[place] for place in chosen]


def _with_best_sigma(
    predictor: RetrievalPredictor, queries: NDArray[np.float32], references: Sequence[Sequence[Sequence[str]]]
) -> tuple[RetrievalPredictor, list[dict[str, float]]]:
    """Return the predictor with the sigma of the highest mean BLEU-1 without brevity penalty, and the mean by sigma."""
    if not references:
        log.warning(
            "retrieve.sigma: no validation photograph has captions, so that all of a caption's photographs count"
        )
        return predictor, []
    curve = []
    with Suite(["bleu"]) as suite:
        compared = References(references)
        for sigma in _SIGMAS:
            one = replace(predictor, settings=replace(predictor.settings, sigma=sigma))
            found = [one.graph.captions[ranked.captions[0]].split() for ranked in one.rank(queries)]
            scores = suite.score(Captions(found), compared).per_image[_BLEU]
            curve.append({"sigma": float(sigma or 0), _BLEU: round(float(np.mean(scores)), 6)})
    best = max(range(len(curve)), key=lambda place: curve[place][_BLEU])
    return replace(predictor, settings=replace(predictor.settings, sigma=_SIGMAS[best])), curve


def _outcome(predictor: RetrievalPredictor, curve: list[dict[str, float]]) -> Outcome:
    graph, settings = predictor.graph, predictor.settings
    metrics = {
        "captions": float(len(graph.captions)),
        "photographs": float(len(graph.image_ids)),
        "associations": float(len(graph.members)),
    }
    if settings.method == "assoc":
        metrics["sigma"] = float(settings.sigma or 0)
    if curve:
        metrics[f"val_{_BLEU}"] = max(row[_BLEU] for row in curve)
    return Outcome(metrics=metrics, plots={"sigma": curve} if curve else {})
