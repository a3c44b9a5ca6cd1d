"""The stage cnn_pretrain: train a CNN by one kind of supervision, and describe every image with it."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import torch
from numpy.typing import NDArray

from photocritic import tables
from photocritic.config import CnnPretrainParams, Features
from photocritic.core.environment import is_first_worker
from photocritic.core.files import sha256
from photocritic.core.outcome import Outcome
from photocritic.images.decoding import Pixels
from photocritic.training import workers
from photocritic.training.loop import History, OnEpoch, clear
from photocritic.training.recipe import TrainingRun
from photocritic.vision import detectors
from photocritic.vision.description import Describer, Description
from photocritic.vision.descriptors import TINY, DescriptorConfig, GistDescriptor, TinyimageDescriptor
from photocritic.vision.extraction import Vectors, describe_corpus, extract
from photocritic.vision.fisher import FisherConfig, FisherNetwork, fit
from photocritic.vision.network import Network, NetworkConfig, build_backbone, load_imagenet
from photocritic.vision.pixels import decoded, stored_size
from photocritic.vision.regions import RegionConfig, RegionNetwork
from photocritic.vision.targets import Corpus, Targets, features_batch, from_labels, from_topics, read_corpus
from photocritic.vision.train_network import train_network
from photocritic.vision.view_features import describe_views, standardise_views

_OF_OTHER_FEATURES = {
    "features",
    "weights",
    "detector",
    "detector_weights",
    "detector_size",
    "regions",
    "fisher_size",
    "fisher_components",
    "gist_size",
}


def check(images: Path, params: CnnPretrainParams) -> None:
    """Refuse at the start what would fail halfway: a corpus of text only, missing labels or weights.

    Parameters
    ----------
    images : Path
        The images table.
    params : CnnPretrainParams
        All `features` it names are checked.

    Raises
    ------
    CorpusError, ParamsError
        One line: what is missing and what to do.
    """
    corpus = read_corpus(images)
    if "labels" in params.features:
        from_labels(corpus, images)
    if "imagenet" in params.features:
        load_imagenet(params.backbone, params.weights)
    else:
        build_backbone(params.backbone)
    if "regions" in params.features:
        detectors.load(params.detector, params.detector_weights)


def pretrain(
    feature: Features,
    *,
    images: Path,
    shards: Path,
    topics: Path,
    words: Path,
    weights: Path,
    features: Path,
    params: CnnPretrainParams,
    seed: int,
    checkpoint: Path,
    on_epoch: OnEpoch | None = None,
) -> Outcome:
    """Train the CNN of one kind of features and write the features of every image.

    Parameters
    ----------
    feature : str
        weak: trained from scratch on the topics, the content words, or both, of the images' comments (AIC 4.4); labels:
        trained from scratch on the corpus's own labels; imagenet: torchvision's weights as they are; random: untrained;
        regions: a detector's features of its strongest regions, with its weights as they are (Anderson et al. 2018);
        fisher: no CNN, but what ridge regression reads of the topics and the content words from Fisher vectors; gist,
        tinyimage: global descriptors, computed without any training.
    images : Path
        The images table.
    shards : Path
        The folder of the shards that hold the images.
    topics, words : Path
        Tables of targets; read for `weak` and `fisher` only, and words only where `words_weight` is not 0. Topics whose
        `topics_weight` is 0 say which images are learned from, and no more.
    weights : Path
        The folder to write the network to.
    features : Path
        The features table to write: pooled vectors (N, C), and where `params.grid` > 1 grids (N, grid * grid, C), cells
        row by row, or for `regions` always those, (N, regions, C), the strongest first; each channel of both has zero
        mean and unit variance over the training images, but for `gist` and `tinyimage`, which stay as computed.
    params : CnnPretrainParams
        The hyperparameters.
    seed : int
        What all randomness derives from.
    checkpoint : Path
        A folder for the checkpoint and the decoded images, which are deleted on success.
    on_epoch : callable, optional
        Called after each epoch with its number (from 1) and its metrics, on resume also for those before.

    Returns
    -------
    Outcome
        Metrics of the kept epoch, and the learning curve as a plot (empty where nothing is trained); empty on all
        workers but the first, which alone writes.

    Raises
    ------
    CorpusError, ParamsError
        The corpus lacks images, labels or topics, or the weights cannot be had: before any work.
    TrainingError
        Training diverged.
    """
    corpus = read_corpus(images)
    targets = _targets(feature, corpus, images, topics, words, params)
    network = _network(feature, targets, params, seed)
    checkpoint.mkdir(parents=True, exist_ok=True)
    suffixes = (".pt", ".npy", ".wide.npy", ".views.raw", ".vectors.raw")
    file, whole, wide, varied, vectors = (checkpoint / f"{feature}{suffix}" for suffix in suffixes)
    with workers.first_one_first():
        squares = decoded(corpus, shards, network.size, whole)
    history = None
    if isinstance(network, Network) and targets.heads:
        key = _key([images, topics, words] if feature == "weak" else [images], params, network.config)
        to_crop = _to_crop(corpus, shards, params, wide)
        run = TrainingRun(seed, file, key, on_epoch)
        history = train_network(network, to_crop, squares, targets, params=params, run=run)
    if not is_first_worker():
        return Outcome()
    views = None
    if params.views and isinstance(network, Network):  # a detector has none
        views = describe_views(
            network,
            _to_crop(corpus, shards, params, wide),
            _training_rows(corpus),
            views=params.views,
            crop_share=params.crop_share,
            jitter=params.jitter,
            seed=seed,
            scratch=varied,
        )
    metrics: dict[str, float] = {}
    if isinstance(network, FisherNetwork):
        fitted = fit(network, squares, targets, _training_rows(corpus), seed, vectors)
        seen, metrics["explained_variance"] = fitted.describe(), fitted.explained
    else:
        seen = describe_corpus(network, squares)
    rows = _write_features(network, corpus, seen, views, features, checkpoint / f"{feature}.raw")
    network.save(weights)
    for scratch in (file, whole, whole.with_suffix(".sha256"), wide, wide.with_suffix(".sha256"), varied, vectors):
        clear(scratch)
    return _outcome(history, targets, {"images": rows, **metrics})


def _targets(
    feature: Features, corpus: Corpus, images: Path, topics: Path, words: Path, params: CnnPretrainParams
) -> Targets:
    if feature in ("weak", "fisher"):
        return from_topics(corpus, topics, words if params.words_weight > 0 else None, params.topics_weight > 0)
    if feature == "labels":
        return from_labels(corpus, images)
    return Targets({}, {})


def _network(feature: Features, targets: Targets, params: CnnPretrainParams, seed: int) -> Describer:
    torch.manual_seed(seed)
    if feature == "regions":
        return _region_network(params)
    if feature == "fisher":
        outputs = {name: matrix.shape[1] for name, matrix in targets.heads.items()}
        return FisherNetwork(FisherConfig(feature, params.fisher_size, params.fisher_components, outputs))
    if feature == "gist":
        return GistDescriptor(DescriptorConfig(feature, params.gist_size))
    if feature == "tinyimage":
        return TinyimageDescriptor(DescriptorConfig(feature, TINY))
    config = NetworkConfig(
        feature=feature,
        backbone=params.backbone,
        image_size=params.image_size,
        grid=params.grid,
        outputs={name: matrix.shape[1] for name, matrix in targets.heads.items()},
        labels=targets.labels,
    )
    if feature == "imagenet":
        return Network(config, load_imagenet(params.backbone, params.weights))
    return Network(config)


def _region_network(params: CnnPretrainParams) -> RegionNetwork:
    detector = detectors.load(params.detector, params.detector_weights)
    config = RegionConfig(
        feature="regions",
        detector=params.detector,
        classes=detectors.classes(detector),
        image_size=params.detector_size,
        regions=params.regions,
    )
    return RegionNetwork(config, detector)


def _key(inputs: list[Path], params: CnnPretrainParams, config: NetworkConfig) -> str:
    """Hash what training depends on; what only other features depend on is left out."""
    digest = hashlib.sha256(f"{params.model_dump(exclude=_OF_OTHER_FEATURES)} {config}".encode())
    for path in inputs:
        if path.is_file():
            digest.update(sha256(path).encode())
    return digest.hexdigest()


def _to_crop(corpus: Corpus, shards: Path, params: CnnPretrainParams, file: Path) -> Pixels:
    with workers.first_one_first():
        return decoded(corpus, shards, stored_size(params.image_size), file)


def _training_rows(corpus: Corpus) -> NDArray[np.int64]:
    """Return the rows of the training images; of all images, where none is trained on."""
    train = np.flatnonzero(np.array(corpus.splits) == "train")
    return train if len(train) else np.arange(len(corpus.splits))


def _write_features(
    network: Describer,
    corpus: Corpus,
    seen: Iterator[Description],
    views: Vectors | None,
    features: Path,
    scratch: Path,
) -> int:
    rows = len(corpus.image_ids)
    try:
        standardised = extract(network, seen, rows, _training_rows(corpus), scratch)
        batches = _batches(network, corpus.image_ids, standardised, views)
        return tables.save("features", features, batches, rows=rows)
    finally:
        scratch.unlink(missing_ok=True)


def _batches(
    network: Describer,
    image_ids: list[str],
    standardised: Iterator[tuple[Vectors, Vectors | None]],
    views: Vectors | None,
) -> Iterator[pa.Table]:
    start = 0
    for vectors, grids in standardised:
        rows = slice(start, start + len(vectors))
        varied = None if views is None else standardise_views(network, views[rows])
        yield features_batch(image_ids[rows], vectors, grids, varied)
        start = rows.stop


def _outcome(history: History | None, targets: Targets, metrics: dict[str, float]) -> Outcome:
    if history is None:
        return Outcome(metrics=metrics, plots={"learning_curve": []})
    metrics |= {f"{split}_images": len(chosen) for split, chosen in targets.rows.items()}
    metrics |= {"best_epoch": history.best_epoch, **history.best}
    del metrics["learning_rate"]
    return Outcome(metrics=metrics, plots={"learning_curve": [dict(row) for row in history.rows()]})
