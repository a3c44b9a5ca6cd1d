"""Reading a features table: each image as regions, (R, C) numbers, of which a pooled vector is one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from photocritic.core.errors import TableError
from photocritic.tables.store import scan

Stored = Literal["pooled", "grid"]  # one vector an image, or one a cell of its grid
View = Literal["pooled", "grid", "pixels"]  # what a captioner is shown: a table's features, or the photograph itself
Regions = NDArray[np.float32]

_ROWS = 1024  # images read at once: a grid may hold a hundred thousand numbers


def network_width(network: Path) -> int:
    """Return how many numbers a network's pooled features have.

    Raises
    ------
    TableError
        The network's folder is missing or damaged.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(network / "weights.safetensors", framework="np") as file:
            return int(file.get_slice("mean").get_shape()[0])
    except (OSError, SafetensorError) as error:
        raise TableError(f"{network}: damaged model ({error}); run the stage that trains it again") from None


def read_regions(path: Path, view: Stored) -> Iterator[tuple[pa.Array, Regions]]:
    """Stream a features table through its gate.

    Parameters
    ----------
    path : Path
        The features table.
    view : "pooled" or "grid"
        Which of an image's features.

    Yields
    ------
    (pyarrow.Array, ndarray of float32)
        Image ids (B,), and their regions (B, R, C); R is 1 for pooled vectors.

    Raises
    ------
    TableError
        The file is missing, or has no grid.
    GateFailed
        A check of the table failed.
    """
    column = "vector" if view == "pooled" else "grid"
    try:
        for batch in scan("features", path, ["image_id", column], rows=_ROWS):
            yield batch["image_id"], _regions(batch[column])
    except KeyError:
        raise TableError(f"{path}: it has no grids; set cnn_pretrain.grid to 2 or more, or view: pooled") from None


def _regions(column: pa.Array) -> Regions:
    width, values = column.type.list_size, column.flatten()
    if pa.types.is_fixed_size_list(values.type):
        shape = (len(column), width, values.type.list_size)
        values = values.flatten()
    else:
        shape = (len(column), 1, width)
    numbers = np.asarray(values.to_numpy(zero_copy_only=False), dtype=np.float32)
    return numbers.reshape(shape)
