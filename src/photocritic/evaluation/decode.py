"""Ask every variant's captioner about the held-back images."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic import captioning, tables
from photocritic.errors import TableError
from photocritic.language.captions import caption_tokens
from photocritic.params import Params

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Prediction:
    """What a variant says about an image: the caption, its words as metrics see them, and its log-probability."""

    text: str
    tokens: tuple[str, ...]
    logprob: float


def predict(params: Params, image_ids: Sequence[str], features: Path, captioners: Path) -> dict[str, list[Prediction]]:
    """Caption images with every variant.

    Parameters
    ----------
    params : Params
        The variants, and how captions are decoded.
    image_ids : sequence of str
        The images.
    features : Path
        Folder of the features tables, <feature>.parquet.
    captioners : Path
        Folder of the trained captioners, <variant>/.

    Returns
    -------
    dict of str to list of Prediction
        For each variant one prediction an image, in the order of `image_ids`.

    Raises
    ------
    TableError
        An image has no features.
    TrainingError
        A captioner cannot be read, or was trained on other features.
    """
    options = params.evaluate
    vectors: dict[str, NDArray[np.float32]] = {}
    result = {}
    for name, variant in params.variants.items():
        if variant.features not in vectors:
            vectors[variant.features] = read_features(features / f"{variant.features}.parquet", image_ids)
        log.info("captioning %d images with %s", len(image_ids), name)
        said = captioning.caption(
            captioning.load(captioners / name),
            vectors[variant.features],
            beam=options.beam,
            max_length=options.max_length,
            length_penalty=options.length_penalty,
            batch_size=options.batch_size,
        )
        result[name] = [Prediction(one.text, tuple(caption_tokens(one.text)), float(one.logprob)) for one in said]
    return result


def read_features(path: Path, image_ids: Sequence[str]) -> NDArray[np.float32]:
    """Read the vectors of some images.

    Parameters
    ----------
    path : Path
        A features table.
    image_ids : sequence of str
        The images.

    Returns
    -------
    ndarray of float32, shape (len(image_ids), D)
        In the order of `image_ids`.

    Raises
    ------
    TableError
        An image is not in the table.
    """
    place = {image_id: row for row, image_id in enumerate(image_ids)}
    wanted = pa.array(list(place), pa.string())
    result: NDArray[np.float32] | None = None
    for batch in tables.scan("features", path):
        part = batch.filter(pc.is_in(batch.column("image_id"), wanted))
        ids = part.column("image_id").to_pylist()
        width = batch.schema.field("vector").type.list_size
        if result is None:
            result = np.empty((len(place), width), dtype=np.float32)
        rows = [place.pop(image_id) for image_id in ids]
        result[rows] = part.column("vector").flatten().to_numpy(zero_copy_only=False).reshape(len(ids), width)
    if place or result is None:
        raise TableError(
            f"{path}: no features of image '{next(iter(place), '')}' and {max(0, len(place) - 1)} others; "
            "run cnn_pretrain again"
        )
    return result
