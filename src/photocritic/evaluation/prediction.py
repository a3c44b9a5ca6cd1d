"""Predictions of a variant's captioner for the held-back images."""

import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic import captioning, tables
from photocritic.config import HOME, Params
from photocritic.core import logs
from photocritic.core.errors import PhotocriticError, TableError
from photocritic.core.files import atomic_dir, sha256
from photocritic.core.generation import shown
from photocritic.evaluation.champion import load_validation_set
from photocritic.evaluation.evaluation_set import EvaluationExample, load_evaluation_set, load_other_evaluation_set
from photocritic.evaluation.predictions import (
    ELSEWHERE,
    TABLE,
    Prediction,
    Training,
    save_predictions,
    save_training,
    styled,
)
from photocritic.evaluation.styles import style_targets
from photocritic.images.shards import read_images
from photocritic.text import caption_tokens

_BATCH = 64  # photographs decoded and described at once

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Corpus:
    """A corpus that captioners are tested on.

    Attributes
    ----------
    images, captions, references : Path
        The tables.
    shards : Path
        Folder of the images.
    """

    images: Path
    captions: Path
    references: Path
    shards: Path


def predict(
    params: Params,
    variant: str,
    corpus: Corpus,
    *,
    features: Path,
    network: Path,
    captioner: Path,
    training: Training,
    out: Path,
) -> int:
    """Caption the images of `predict.split` and of validation with one variant, and those of `predict.on`.

    Parameters
    ----------
    params : Params
        The variants, and how captions are decoded.
    variant : str
        The variant.
    corpus : Corpus
        What the captioner was trained on. In each style that it has learned, those images of `predict.split` that
        somebody has captioned in the style are captioned too.
    features, network, captioner : Path
        The features table, the network that has made it, and the trained captioner.
    training : dict
        How the network and the captioner were trained, for the report.
    out : Path
        Folder to write: predictions.parquet, of another corpus elsewhere/predictions.parquet, training.json, and
        pipeline.json, with which `CaptioningPipeline.from_pretrained` loads the variant from here, and neighbours/
        where captions are chosen by consensus.

    Returns
    -------
    int
        Number of predictions.

    Raises
    ------
    PhotocriticError
        There is nothing to evaluate on, an image has no features, or a captioner or network cannot be read.
    """
    split, chain = params.predict.split, params.filter.chain
    held_back = (corpus.images, corpus.captions, corpus.references, split, chain)
    evaluation_set, validation = load_evaluation_set(*held_back), load_validation_set(*held_back)
    predictor = captioning.load_predictor(captioner)
    weights = [
        os.path.relpath(shown(path), shown(out)) for path in (captioner, network)
    ]  # stay where their stages left them
    settings = captioning.Settings.of(params, variant, *weights).model_copy(update={"network_sha256": sha256(network)})
    examples = [*evaluation_set.examples, *(validation.examples if validation else ())]
    ids = {variant: [example.image_id for example in examples]}
    with atomic_dir(out) as folder, TemporaryDirectory(dir=folder) as scratch:
        inputs = _inputs(predictor, corpus.images, ids[variant], corpus.shards, features, Path(scratch))
        neighbours = _neighbours(predictor, params, variant, corpus, features, Path(scratch))
        pipeline = captioning.CaptioningPipeline(predictor, settings, neighbours=neighbours)
        log.info("captioning %d images with %s", len(ids[variant]), variant)
        found = {variant: _predictions(pipeline, inputs, ids[variant], params)}
        targets = style_targets(corpus.captions, evaluation_set.examples) if predictor.styles else {}
        for style in [style for style in predictor.styles if style in targets]:
            name, places = styled(variant, style), targets[style].places
            ids[name] = [ids[variant][place] for place in places]
            found[name] = _predictions(pipeline, inputs[places], ids[name], params, style)
        count = save_predictions(folder / TABLE, ids, found)
        if params.predict.on != HOME:
            count += _predict_elsewhere(params, pipeline, corpus.images, network, folder / ELSEWHERE)
        save_training(folder, [training])
        settings.save(folder)
        if neighbours is not None:
            neighbours.save(folder / captioning.NEIGHBOURS)
    return count


def _neighbours(
    predictor: captioning.Predictor, params: Params, variant: str, corpus: Corpus, features: Path, scratch: Path
) -> captioning.Neighbours | None:
    """Return the training photographs that captions are chosen by, where they are."""
    chosen = params.variants.get(variant)
    if chosen is None or predictor.view == "pixels":
        return None
    if params.predict.strategy != "diverse" or not params.predict.consensus:
        return None
    return captioning.Neighbours.of(
        corpus.captions,
        corpus.images,
        features,
        chosen.captions,
        predictor.view,
        scratch,
        params.seed,
        chosen.aspect,
    )


def _predict_elsewhere(
    params: Params, pipeline: captioning.CaptioningPipeline, trained_on: Path, network: Path, out: Path
) -> int:
    """Caption the held-back images of the corpus `predict.on`, which are described by the network first."""
    corpus, variant = params.predict.on, pipeline.settings.variant
    examples = load_other_evaluation_set(corpus, params.predict.split, trained_on, params.filter.chain).examples
    ids = [example.image_id for example in examples]
    out.mkdir()
    with TemporaryDirectory(dir=out) as scratch:
        features = Path(scratch) / "features.parquet"
        if pipeline.predictor.view != "pixels":
            _describe(network, examples, corpus / "shards", features)
        images, shards = corpus / "images.parquet", corpus / "shards"
        inputs = _inputs(pipeline.predictor, images, ids, shards, features, Path(scratch))
        log.info("captioning %d images of %s with %s", len(ids), corpus, variant)
        found = _predictions(pipeline, inputs, ids, params)
        return save_predictions(out / TABLE, {variant: ids}, {variant: found})


def _inputs(
    predictor: captioning.Predictor, images: Path, ids: Sequence[str], shards: Path, features: Path, scratch: Path
) -> tables.Regions | NDArray[np.uint8]:
    """Return what the captioner reads of some images: their features, or squares of their pixels."""
    if predictor.view == "pixels":
        return captioning.stored_pixels(images, ids, shards, predictor.side, scratch / f"{predictor.side}.npy")
    return read_features(features, ids, predictor.view)


def _predictions(
    pipeline: captioning.CaptioningPipeline,
    inputs: tables.Regions | NDArray[np.uint8],
    names: Sequence[str],
    params: Params,
    style: str | None = None,
) -> list[Prediction]:
    captions = pipeline.caption(inputs, style, names=names, batch_size=params.predict.batch_size)
    return [Prediction(one.text, tuple(caption_tokens(one.text)), float(one.logprob)) for one in captions]


def _describe(network: Path, examples: Sequence[EvaluationExample], shards: Path, out: Path) -> None:
    """Write the features that a trained network gives photographs it has never seen, as in its own corpus's table."""
    from photocritic.vision.extraction import FeatureExtractor
    from photocritic.vision.targets import features_batch

    extractor = FeatureExtractor.load(network)

    def described() -> Iterator[pa.Table]:
        batches = [examples[start : start + _BATCH] for start in range(0, len(examples), _BATCH)]
        for batch in logs.progress(batches, f"describing {len(examples)} photographs with {network.name}"):
            seen = extractor(list(read_images([one.path for one in batch], shards, [one.sha256 for one in batch])))
            for place, reason in seen.unreadable.items():
                raise PhotocriticError(f"{shards}: image '{batch[place].image_id}' cannot be read ({reason})")
            yield features_batch([example.image_id for example in batch], seen.features, seen.grid)

    tables.save("features", out, described(), rows=len(examples))


def read_features(path: Path, image_ids: Sequence[str], view: tables.Stored) -> tables.Regions:
    """Read the features of some images.

    Parameters
    ----------
    path : Path
        A features table.
    image_ids : sequence of str
        The images.
    view : "pooled" or "grid"
        Which of their features.

    Returns
    -------
    ndarray of float32, shape (len(image_ids), R, C)
        In the order of `image_ids`.

    Raises
    ------
    TableError
        An image is not in the table, or it has no grids.
    """
    wanted = pa.array(image_ids, pa.string())
    result: tables.Regions | None = None
    missing = np.ones(len(wanted), bool)
    for found, regions in tables.read_regions(path, view):
        rows = pc.index_in(found, value_set=wanted)
        if result is None:
            result = np.empty((len(wanted), *regions.shape[1:]), dtype=np.float32)
        places = pc.drop_null(rows).to_numpy()
        result[places] = regions[np.asarray(pc.is_valid(rows))]
        missing[places] = False
    if result is None or missing.any():
        raise TableError(
            f"{path}: no features of image '{image_ids[int(missing.argmax())]}' and {max(0, int(missing.sum()) - 1)} "
            "others; run cnn_pretrain again"
        )
    return result
