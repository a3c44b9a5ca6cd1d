"""Ask every variant's captioner about the held-back images."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic import captioning, tables
from photocritic.config import Params
from photocritic.core.errors import TableError
from photocritic.text.captions import caption_tokens

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Prediction:
    """What a variant says about an image: the caption, its words as metrics see them, and its log-probability."""

    text: str
    tokens: tuple[str, ...]
    logprob: float


def predict(
    params: Params,
    image_ids: Sequence[str],
    features: Path,
    captioners: Path,
    images: Path,
    shards: Path,
    scratch: Path,
    in_styles: Callable[[str], Sequence[int]] | None = None,
) -> dict[str, list[Prediction]]:
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
    images, shards : Path
        The images table and the folder of the shards, for captioners that are shown pixels.
    scratch : Path
        An existing folder, for the decoded images while they are needed.
    in_styles : callable, optional
        Asked for each style that a variant has learned: gives the positions in `image_ids` of the images that it also
        captions in the style; none by default.

    Returns
    -------
    dict of str to list of Prediction
        For each variant one prediction an image, in the order of `image_ids`; and by `styled(variant, style)` those in
        a style, in the order of its positions.

    Raises
    ------
    TableError
        An image has no features.
    TrainingError
        A captioner cannot be read, or was trained on other features.
    """
    result = {}
    with TemporaryDirectory(dir=scratch) as folder:
        for name, variant in params.variants.items():
            source = captioning.load(captioners / name)
            log.info("captioning %d images with %s", len(image_ids), name)
            shown: tables.Regions | NDArray[np.uint8]
            if source.view == "pixels":
                file = Path(folder) / f"{source.side}.npy"  # of all variants that are shown squares of this side
                shown = captioning.stored_pixels(images, image_ids, shards, source.side, file)
            else:
                shown = read_features(features / f"{variant.features}.parquet", image_ids, source.view)
            result[name] = _ask(source, shown, image_ids, params)
            for style in source.styles:
                if in_styles and (places := in_styles(style)):
                    source.speak(style)
                    ids = [image_ids[place] for place in places]
                    result[styled(name, style)] = _ask(source, shown[list(places)], ids, params)
    return result


def styled(variant: str, style: str) -> str:
    """Name what a variant says in a style; no variant has such a name."""
    return f"{variant}.{style}"


def is_styled(name: str) -> bool:
    """Tell whether a name in the predictions table is one that `styled` made."""
    return "." in name


def _ask(
    source: captioning.CaptionSource, shown: tables.Regions | NDArray[np.uint8], names: Sequence[str], params: Params
) -> list[Prediction]:
    options = params.evaluate
    said = captioning.caption(source, shown, options, batch_size=options.batch_size, seed=params.seed, names=names)
    return [Prediction(one.text, tuple(caption_tokens(one.text)), float(one.logprob)) for one in said]


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
