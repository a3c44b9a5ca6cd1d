"""What each image should be recognised as: topics and words from the comments, or the corpus's own labels."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from photocritic import tables
from photocritic.core.errors import CorpusError

Distributions = NDArray[np.float32]


@dataclass(frozen=True)
class Corpus:
    """The images table as far as vision needs it; row order is the table's."""

    image_ids: list[str]
    paths: list[str]
    splits: list[str]
    labels: list[list[str]]
    hashes: list[str]


@dataclass(frozen=True)
class Targets:
    """Target distributions of those images that have them.

    Attributes
    ----------
    rows : dict of str to ndarray of int64
        Row numbers in the images table of the images to train and to validate on, by split.
    heads : dict of str to ndarray of float32, (N, outputs)
        A distribution per image of the table and head; all zero where the image has none.
    labels : list of str
        Names of the outputs of the head `labels`.
    """

    rows: dict[str, NDArray[np.int64]]
    heads: dict[str, Distributions]
    labels: list[str] = field(default_factory=list)


def read_corpus(images: Path) -> Corpus:
    """Read the images table and check that there are images behind it.

    Raises
    ------
    CorpusError
        Rows have no path: only text is at hand.
    """
    table = tables.load("images", images)
    corpus = Corpus(*(table.column(name).to_pylist() for name in ("image_id", "path", "split", "labels", "sha256")))
    missing = sum(not path for path in corpus.paths)
    if missing == len(corpus.paths):
        raise CorpusError(f"{images} has no images at hand; filter and lda work without, cnn_pretrain does not")
    if missing:
        raise CorpusError(f"{images}: {missing} of {len(corpus.paths)} rows have no image; run ingest with the images")
    return corpus


def from_topics(corpus: Corpus, topics: Path, words: Path | None, learn_topics: bool = True) -> Targets:
    """Take the topics of each image's comments, and beside them its content words, as targets.

    Parameters
    ----------
    corpus : Corpus
        The images.
    topics, words : Path
        The tables of that name; without words they have no head.
    learn_topics : bool
        Whether the topics have a head.

    Returns
    -------
    Targets
        Images without a row in topics are neither trained nor validated on, whichever heads there are.

    Raises
    ------
    CorpusError
        No training image has topics, or there are no words where they alone are to be learned.
    """
    distributions = _aligned("topics", topics, corpus)
    heads = {"topics": distributions} if learn_topics else {}
    described = _aligned("words", words, corpus) if words is not None else None
    if described is not None and described.any():  # the table is empty where lda.words is 0
        heads["words"] = described
    if not heads:
        raise CorpusError(f"{words}: no content words, and cnn_pretrain.topics_weight is 0; run lda again, or raise it")
    rows = _split(corpus, distributions)
    if not len(rows["train"]):
        raise CorpusError(f"{topics}: no training image has topics; run lda again")
    return Targets(rows, heads)


def from_labels(corpus: Corpus, images: Path) -> Targets:
    """Take the corpus's own labels as targets: uniform over an image's labels.

    Raises
    ------
    CorpusError
        The training images bear fewer than two different labels.
    """
    names = sorted(
        {
            name
            for split, labels in zip(corpus.splits, corpus.labels, strict=True)
            if split == "train"
            for name in labels
        }
    )
    if len(names) < 2:
        raise CorpusError(
            f"{images}: the training images bear {len(names)} different labels, and features 'labels' need two; "
            "drop 'labels' from cnn_pretrain.features and the variants that use it"
        )
    column = {name: index for index, name in enumerate(names)}
    matrix = np.zeros((len(corpus.labels), len(names)), dtype=np.float32)
    for row, labels in enumerate(corpus.labels):
        known = sorted({column[name] for name in labels if name in column})
        if known:
            matrix[row, known] = 1.0 / len(known)
    return Targets(_split(corpus, matrix), {"labels": matrix}, names)


def _aligned(name: str, path: Path, corpus: Corpus) -> Distributions:
    table = tables.load(name, path)
    vectors = table.column(name).combine_chunks()
    values = vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(vectors), vectors.type.list_size)
    row_of = {image_id: row for row, image_id in enumerate(corpus.image_ids)}
    rows = [row_of.get(image_id, -1) for image_id in table.column("image_id").to_pylist()]
    if unknown := rows.count(-1):
        raise CorpusError(f"{path}: {unknown} of its images are not in the images table; run lda again")
    matrix = np.zeros((len(corpus.image_ids), values.shape[1]), dtype=np.float32)
    matrix[rows] = values
    sums = matrix.sum(axis=1, keepdims=True, dtype=np.float64)
    np.divide(matrix, sums, out=matrix, where=sums > 0, casting="same_kind")
    return matrix


def _split(corpus: Corpus, matrix: Distributions) -> dict[str, NDArray[np.int64]]:
    splits = np.array(corpus.splits)
    has_target = matrix.any(axis=1)
    return {split: np.flatnonzero(has_target & (splits == split)) for split in ("train", "val")}


def features_batch(
    image_ids: list[str],
    vectors: NDArray[np.float32],
    grids: NDArray[np.float32] | None,
    views: NDArray[np.float32] | None = None,
) -> pa.Table:
    """Make a batch of a features table from vectors (B, C), and grids (B, R, C) and views (B, V, C) if there are."""
    columns = {"image_id": pa.array(image_ids, pa.string()), "vector": _fixed(vectors.reshape(-1), vectors.shape[1])}
    for name, several in (("grid", grids), ("views", views)):
        if several is not None:
            each = _fixed(several.astype(np.float16).reshape(-1), several.shape[2])
            columns[name] = pa.FixedSizeListArray.from_arrays(each, several.shape[1])
    return pa.table(columns)


def _fixed(values: NDArray[np.floating], width: int) -> pa.FixedSizeListArray:
    return pa.FixedSizeListArray.from_arrays(pa.array(values), width)
