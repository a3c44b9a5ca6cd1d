"""Early fusion: two kinds of features as one, their pooled vectors behind one another."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from photocritic import tables
from photocritic.core.errors import TableError
from photocritic.core.files import atomic_dir
from photocritic.core.paths import PARTS
from photocritic.vision.targets import features_batch

_ROWS = 1024  # images fused at once


def fuse(features: tuple[Path, Path], networks: tuple[Path, Path], out: Path, weights: Path) -> int:
    """Write two features tables as one, and their networks into one folder.

    Both tables are standardised over the training images, channel by channel, so neither drowns the other. Random views
    of a photograph that one table alone has stand before the other's own features of the photograph. Grids are left
    out: their cells are not the same places.

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


def _batches(features: tuple[Path, Path], rows: int) -> Iterator[pa.Table]:
    for start in range(0, rows, _ROWS):
        first, second = (tables.part("features", path, start, _ROWS) for path in features)
        if not first["image_id"].equals(second["image_id"]):
            raise _of_others(features)
        vectors = np.concatenate([tables.regions_of(one["vector"]) for one in (first, second)], axis=2)
        yield features_batch(first["image_id"].to_pylist(), vectors[:, 0], None, _views(first, second))


def _views(first: pa.Table, second: pa.Table) -> tables.Regions | None:
    """Fuse the views (B, V, C) of one table with those of the other, or with its own features (B, 1, D)."""
    varied = ["views" in one.column_names for one in (first, second)]
    if not any(varied):
        return None
    found = [
        tables.regions_of(one["views" if has_views else "vector"])
        for one, has_views in zip((first, second), varied, strict=True)
    ]
    trained_on = np.any(found[varied.index(True)], axis=2, keepdims=True)
    count = trained_on.shape[1]
    several = [np.broadcast_to(one, (len(one), count, one.shape[2])) for one in found]
    views: tables.Regions = np.concatenate(several, axis=2) * trained_on
    return views


def _of_others(features: tuple[Path, Path]) -> TableError:
    return TableError(f"{features[0]} and {features[1]}: not of the same images; run cnn_pretrain again")
