"""Early fusion: two kinds of features as one, their pooled vectors behind one another."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from photocritic import tables
from photocritic.core.errors import TableError
from photocritic.core.files import atomic_dir
from photocritic.core.paths import PARTS
from photocritic.vision.targets import features_batch

_ROWS = 1024  # images fused at once


def fuse(features: tuple[Path, Path], networks: tuple[Path, Path], out: Path, weights: Path) -> int:
    """Write two features tables as one, and their networks into one folder.

    The vectors are normalised and concatenated as by `fused`. Random views of a photograph that one table alone has
    stand before the other's own features of the photograph. Grids are left out: their cells are not the same places.

    Parameters
    ----------
    features : (Path, Path)
        The features tables, of the same images in the same order: (N, C) and (N, D).
    networks : (Path, Path)
        Folders of the networks that have made them.
    out : Path
        The features table to write, (N, C + D).
    weights : Path
        The folder to write the networks to, as `FeatureExtractor.load` reads it.

    Returns
    -------
    int
        Number of images N.

    Raises
    ------
    TableError
        The tables are not of the same images.

    References
    ----------
    Snoek et al. 2005, Early versus Late Fusion in Semantic Video Analysis, section 2.
    """
    for path in features:
        tables.check("features", path)
    rows = tables.count(features[0])
    if rows != tables.count(features[1]):
        raise _of_others(features)
    tables.save("features", out, _batches(features, rows), rows=rows)
    with atomic_dir(weights) as folder:
        for name, network in zip(PARTS, networks, strict=True):
            shutil.copytree(network, folder / name)
    return rows


def fused(parts: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Concatenate vectors of the same images, each L2-normalised and multiplied by the square root of its width.

    So a kind has the same norm for every photograph, and its weight in cosine similarities between photographs is its
    share of the channels. Zeros stay zeros.

    Parameters
    ----------
    parts : sequence of ndarray of float32, (..., C)
        Vectors of each kind, as in its features table.

    Returns
    -------
    ndarray of float32, (..., sum of C)
        The fused vectors.
    """
    sizes = [np.sqrt(np.mean(np.square(one), axis=-1, keepdims=True)) for one in parts]
    even = [one / np.where(size > 0, size, 1) for one, size in zip(parts, sizes, strict=True)]
    return np.concatenate(even, axis=-1, dtype=np.float32)


def _batches(features: tuple[Path, Path], rows: int) -> Iterator[pa.Table]:
    for start in range(0, rows, _ROWS):
        first, second = (tables.part("features", path, start, _ROWS) for path in features)
        if not first["image_id"].equals(second["image_id"]):
            raise _of_others(features)
        vectors = fused([tables.regions_of(one["vector"]) for one in (first, second)])
        yield features_batch(first["image_id"].to_pylist(), vectors[:, 0], None, _views(first, second))


def _views(first: pa.Table, second: pa.Table) -> tables.Regions | None:
    """Fuse the views (B, V, C) of one table with those of the other, or with its own features (B, 1, D)."""
    varied = ["views" in one.column_names for one in (first, second)]
    if not any(varied):
        return None
    views = [
        tables.regions_of(one["views" if has_views else "vector"])
        for one, has_views in zip((first, second), varied, strict=True)
    ]
    trained_on = np.any(views[varied.index(True)], axis=2, keepdims=True)
    count = trained_on.shape[1]
    several = fused([np.broadcast_to(one, (len(one), count, one.shape[2])) for one in views])
    shown: tables.Regions = several * trained_on
    return shown


def _of_others(features: tuple[Path, Path]) -> TableError:
    return TableError(f"{features[0]} and {features[1]}: not of the same images; run cnn_pretrain again")
